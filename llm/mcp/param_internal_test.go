package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/campaign/tool"
)

// Schemas that a campaign can and cannot express.
func TestReadParams(t *testing.T) {
	for _, c := range []struct {
		reason, schema string
		want           tool.Param
		err            string
	}{
		{"a text", `{"type":"string","description":"x","minLength":1,"maxLength":9,"pattern":"^a"}`, tool.Param{Type: "string", Description: "x", MinLen: 1, MaxLen: 9, Required: true}, ""},
		{"words", `{"enum":["a","b"]}`, tool.Param{Type: "string", Enum: []string{"a", "b"}, Required: true}, ""},
		{"one word", `{"const":"a"}`, tool.Param{Type: "string", Enum: []string{"a"}, Required: true}, ""},
		{"a number", `{"type":"number","minimum":0,"maximum":1.5}`, tool.Param{Type: "number", Min: new(0.0), Max: new(1.5), Required: true}, ""},
		{"a number of some", `{"type":"integer","enum":[1,2]}`, tool.Param{Type: "integer", Required: true}, ""},
		{"yes or no", `{"type":"boolean"}`, tool.Param{Type: "boolean", Required: true}, ""},
		{"a list", `{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3}`, tool.Param{Type: "array", Items: &tool.Param{Type: "string"}, MinLen: 1, MaxLen: 3, Required: true}, ""},
		{"a list of anything", `{"type":"array"}`, tool.Param{Type: "array", Required: true}, ""},
		{"an object", `{"type":"object","additionalProperties":false,"properties":{"b":{"type":"string"},"c":{"type":"string"}},"required":["b"]}`,
			tool.Param{Type: "object", Fields: map[string]tool.Param{"b": {Type: "string", Required: true}, "c": {Type: "string"}}, Required: true}, ""},
		{"an object that takes more", `{"type":"object","properties":{"b":{"type":"string"}}}`, tool.Param{Type: "object", Required: true}, ""},
		{"null beside a type", `{"type":["string","null"],"minLength":2}`, tool.Param{Type: "string", MinLen: 2}, ""},
		{"null as a choice", `{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"description":"x"}`, tool.Param{Type: "integer", Min: new(1.0), Description: "x"}, ""},
		{"two types", `{"type":["string","integer"]}`, tool.Param{}, "several"},
		{"two choices", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, tool.Param{}, "several"},
		{"nothing but null", `{"type":["null"]}`, tool.Param{}, "several"},
		{"no type", `{}`, tool.Param{}, "of no type"},
		{"anything", `true`, tool.Param{}, "of no type"},
		{"an unknown type", `{"type":"date"}`, tool.Param{}, "of no type"},
		{"a list of two types", `{"type":"array","items":{"type":["string","integer"]}}`, tool.Param{}, "several"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var plain map[string]any
			if err := json.Unmarshal([]byte(`{"type":"object","properties":{"a":`+c.schema+`},"required":["a"]}`), &plain); err != nil {
				t.Fatal(err)
			}
			got, err := readParams(plain)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "a: ") {
					t.Errorf("got %v", err)
				}
				return
			}
			if diff := cmp.Diff(c.want, got["a"]); diff != "" || err != nil {
				t.Error(err, diff)
			}
		})
	}
}
