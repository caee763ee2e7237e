package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Access is the part of a configuration that describes the connection to a server.
type Access struct {
	Package string // name of the adapter's package: the beginning of every problem
	BaseURL string
	Key     string
	Model   string
	Header  http.Header
	Body    map[string]json.RawMessage
}

// Problems lists the mistakes in the key, the headers and the body. The texts may contain secrets:
// see [Secrets.Redact].
func (a Access) Problems() []error {
	var out []error
	if strings.ContainsFunc(a.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		out = append(out, fmt.Errorf("%s: Key has white space or other characters that a header cannot carry", a.Package))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		if !validHeader(name, a.Header[name]) {
			out = append(out, fmt.Errorf("%s: Header[%q] has a line break or other characters that a header cannot carry", a.Package, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Body)) {
		if !json.Valid(a.Body[name]) {
			out = append(out, fmt.Errorf("%s: Body[%q] is not JSON", a.Package, name))
		}
	}
	return out
}

// Address parses the base URL. The error says what to give instead. It does not show the address,
// which may contain a key.
func (a Access) Address(example string) (*url.URL, error) {
	problem := ""
	u, err := url.Parse(strings.TrimSpace(a.BaseURL))
	switch {
	case a.BaseURL == "":
		problem = "is missing"
	case err != nil:
		problem = "is not a URL"
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		problem = "does not begin with http:// or https:// and a host"
	default:
		return u, nil
	}
	return nil, errors.New(a.Package + ": BaseURL " + problem + "; give the server's address, such as " + example)
}

// Describe describes a configuration without its secrets.
func (a Access) Describe(kind string) string {
	key := "none"
	if a.Key != "" {
		key = "set"
	}
	hide := a.Secrets().Hide
	return fmt.Sprintf("%s.%s{BaseURL:%q Model:%q Key:%s Header:%s Body:%s}",
		a.Package, kind, hide(origin(a.BaseURL)), hide(a.Model), key,
		hide(strings.Join(namesOf(a.Header), ",")),
		hide(strings.Join(slices.Sorted(maps.Keys(a.Body)), ",")))
}

// origin returns scheme and host of an address, empty if it has none.
func origin(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// validHeader reports whether a header can be sent. net/http would refuse every request with an
// invalid header.
func validHeader(name string, values []string) bool {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) {
		return false
	}
	return !slices.ContainsFunc(values, func(value string) bool {
		return strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F })
	})
}

// namesOf lists the names of headers, for a description without their values.
func namesOf(header http.Header) []string {
	out := make([]string, 0, len(header))
	for name := range header {
		out = append(out, http.CanonicalHeaderKey(name))
	}
	slices.Sort(out)
	return out
}
