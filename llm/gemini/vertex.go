package gemini

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/httptransport"
	"google.golang.org/genai"
)

// Vertex is the location of the models in Google Cloud's Vertex AI, with the credentials. Set
// either a project with a location, or leave it empty and set a [Config.Key] of Vertex AI.
type Vertex struct {
	Project  string // its id
	Location string // such as europe-west1, or global
	// Credentials authorize the requests. For example, DetectDefault of
	// cloud.google.com/go/auth/credentials returns them for the scope
	// https://www.googleapis.com/auth/cloud-platform. nil: [Config.HTTPClient] authorizes the
	// requests.
	Credentials *auth.Credentials
}

// vertexVersion is the version of the protocol if the address has no version.
const vertexVersion = "v1beta1"

// address returns the address of the location, or empty if there is none.
func (v *Vertex) address() string {
	switch {
	case v == nil:
		return ""
	case v.Location == "", v.Location == "global":
		return "https://aiplatform.googleapis.com"
	case v.Location == "us", v.Location == "eu": // multi-region locations
		return "https://aiplatform." + v.Location + ".rep.googleapis.com"
	case !place.MatchString(v.Location):
		return "" // identity reports it
	}
	return "https://" + v.Location + "-aiplatform.googleapis.com"
}

// place matches valid projects and locations, because they become part of addresses.
var place = regexp.MustCompile(`^[a-z0-9][a-z0-9.:-]*$`)

// identity lists the mistakes in the key, the project and the location.
func (c Config) identity() (problems []error) {
	problem := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("gemini: "+format, args...))
	}
	switch v := c.Vertex; {
	case v == nil && c.Key == "":
		problems = append(problems, errors.New("gemini: Key is missing; for a gateway without one give any word"))
	case v == nil:
	case c.Key != "" && *v != (Vertex{}):
		problem("Key and a project of Vertex are both set; give one of the two")
	case c.Key != "":
	case v.Project == "" || v.Location == "":
		problem("Vertex lacks a project or a location; give both, or a Key")
	default:
		for _, id := range [][2]string{{"Project", v.Project}, {"Location", v.Location}} {
			if !place.MatchString(id[1]) {
				problem("Vertex.%s is %q; give its id, of small letters, digits and -", id[0], id[1])
			}
		}
		if v.Credentials == nil && c.HTTPClient == nil {
			problem("Vertex lacks Credentials; give some, or an HTTPClient that authorizes requests")
		}
	}
	return problems
}

// into adds project and location to the configuration of the SDK, and the credentials to a client.
func (v Vertex) into(about *genai.ClientConfig, client *http.Client) error {
	about.Backend, about.Project, about.Location = genai.BackendVertexAI, v.Project, v.Location
	if v.Credentials == nil {
		return nil
	}
	return httptransport.AddAuthorizationMiddleware(client, v.Credentials)
}
