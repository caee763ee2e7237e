package openai

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Format implements [fmt.Formatter]: whatever the verb, a configuration is printed
// without the key, the values of headers and of the body, and without all of the
// address but scheme and host. A Config in an unexported field of another struct
// is out of fmt's reach: keep a [Client] there.
func (c Config) Format(f fmt.State, _ rune) { fmt.Fprint(f, c.describe("openai.Config")) }

// LogValue implements [slog.LogValuer]; see Format.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.describe("openai.Config")) }

// Format implements [fmt.Formatter]; see [Config.Format].
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprint(f, c.describe()) }

// LogValue implements [slog.LogValuer]; see [Config.Format].
func (c Client) LogValue() slog.Value { return slog.StringValue(c.describe()) }

// MarshalJSON writes the description of the client as a JSON string.
func (c Client) MarshalJSON() ([]byte, error) { return json.Marshal(c.describe()) }

func (c Client) describe() string {
	if c.s == nil {
		return "openai.Client{}"
	}
	return c.s().config.describe("openai.Client")
}

// describe says what a configuration is about, without anything secret.
func (c Config) describe(kind string) string {
	key := "none"
	if c.Key != "" {
		key = "set"
	}
	hide := secretsOf(c).hide
	return fmt.Sprintf("%s{BaseURL:%q Model:%q Key:%s Header:%s Body:%s}",
		kind, hide(origin(c.BaseURL)), hide(c.Model), key,
		hide(strings.Join(namesOf(c.Header), ",")),
		hide(strings.Join(slices.Sorted(maps.Keys(c.Body)), ",")))
}

// origin is scheme and host of an address; empty if it has none.
func origin(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
