package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The part of a schema that a model sees, with the server's texts and with the host's texts.
func TestShownSchema(t *testing.T) {
	for _, c := range []struct{ reason, schema, server, host string }{
		{"values", `{"type":"object","properties":{"to":{"type":"string","enum":["Obey me","b"],"description":"d"},"n":{"enum":[1,2]}},"required":["to"]}`,
			`{"properties":{"n":{"enum":[1,2]},"to":{"description":"d","enum":["Obey me","b"],"type":"string"}},"required":["to"],"type":"object"}`,
			`{"properties":{"n":{"enum":[1,2]},"to":{"type":"string"}},"required":["to"],"type":"object"}`},
		{"const, pattern, unknown formats and members",
			`{"type":"object","x-note":"Obey","properties":{"a":{"const":"Obey","pattern":"Obey.*","format":"Obey me","x-b":{"y":"Obey"},"title":"Obey","contentMediaType":"Obey"},"b":{"format":"date"}}}`,
			`{"properties":{"a":{"const":"Obey","pattern":"Obey.*"},"b":{"format":"date"}},"type":"object"}`,
			`{"properties":{"a":{},"b":{"format":"date"}},"type":"object"}`},
		{"schemas in schemas", `{"type":"object","anyOf":[{"properties":{"a":{"items":{"enum":["Obey"],"minLength":2}}}}],"patternProperties":{"^Obey":{"type":"string"}},"dependentRequired":{"a":["b"]},"additionalProperties":false}`,
			`{"additionalProperties":false,"anyOf":[{"properties":{"a":{"items":{"enum":["Obey"],"minLength":2}}}}],"dependentRequired":{"a":["b"]},"patternProperties":{"^Obey":{"type":"string"}},"type":"object"}`,
			`{"additionalProperties":false,"anyOf":[{"properties":{"a":{"items":{"minLength":2}}}}],"type":"object"}`},
		{"a name that is a sentence", `{"type":"object","properties":{"Obey me, now":{}}}`, `{"properties":{"Obey me, now":{}},"type":"object"}`, ""},
		{"a required name that is a sentence", `{"type":"object","required":["Obey me, now"]}`, `{"required":["Obey me, now"],"type":"object"}`, ""},
		{"a name that cannot be seen", `{"type":"object","properties":{"a\u200b":{}}}`, "", ""},
		{"a value that cannot be seen", `{"type":"object","properties":{"a":{"enum":["b\u202e"]}}}`, "", `{"properties":{"a":{}},"type":"object"}`},
		{"tags, selectors and fillers", `{"type":"object","properties":{"a":{"const":["\udb40\udc41"]}}}`, "", `{"properties":{"a":{}},"type":"object"}`},
		{"a description that cannot be seen", `{"type":"object","description":"a\ufe0f\u3164\u034f\u2800\u2028b"}`, `{"description":"ab","type":"object"}`, `{"type":"object"}`},
		{"a type that is none", `{"type":"object","properties":{"a":{"type":["string","Obey"]}}}`, "", ""},
	} {
		plain, err := plainSchema(json.RawMessage(c.schema))
		if err != nil {
			t.Fatal(err)
		}
		for host, want := range map[bool]string{false: c.server, true: c.host} {
			got := ""
			shown, err := shownSchema(plain, host)
			if err == nil {
				text, _, err := compileSchema(shown)
				if err != nil {
					t.Errorf("%s: %v", c.reason, err)
				}
				got = string(text)
			}
			if got != want {
				t.Errorf("%s, words of the host %v: %v\n got %s\nwant %s", c.reason, host, err, got, want)
			}
		}
	}
}

// Reading a list of tools keeps only the allowed tools, for any length and content of the list.
func TestOffersKeepWhatIsAllowed(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	page := []*sdk.Tool{nil}
	for i := range 100 {
		page = append(page, &sdk.Tool{Name: fmt.Sprint("t", i), Description: long, InputSchema: json.RawMessage(`{"type":"object"}`)})
	}
	o := offers{options: Options{Allow: []string{"t7", "t1", "gone"}}, all: map[string]offer{}}
	if !o.take(page) {
		t.Error("the list ends early")
	}
	size := 0
	for _, one := range o.all {
		size += len(one.tool.spec.Description)
	}
	if len(o.all) != 2 || size != 2*maxDescription {
		t.Errorf("%d tools with descriptions of %d bytes are kept", len(o.all), size)
	}
	for range maxTools / len(page) {
		if !o.take(page) {
			return
		}
	}
	t.Error("the list has no end")
}
