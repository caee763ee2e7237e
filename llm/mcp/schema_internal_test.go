package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/internal/testkit"
)

// Valid schemas, and the form in which a model sees them.
func TestPlainSchema(t *testing.T) {
	for _, c := range []struct{ reason, schema, want string }{
		{"as it is", `{"type":"object"}`, `{"type":"object"}`},
		{"a reference is written out, with the description beside it",
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"x"},"b":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`,
			`{"properties":{"a":{"description":"x","type":"string"},"b":{"type":"string"}},"type":"object"}`},
		{"in lists and old words too",
			`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/definitions/A~1B"},{"type":"null"}]}},"definitions":{"A/B":{"type":"string"}}}`,
			`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}},"type":"object"}`},
		{"arguments may have any name",
			`{"type":"object","properties":{"$ref":{"type":"string"},"default":{"type":"string"},"$defs":{"type":"string"}}}`,
			`{"properties":{"$defs":{"type":"string"},"$ref":{"type":"string"},"default":{"type":"string"}},"type":"object"}`},
		{"where it comes from and defaults are left out",
			`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"x","type":"object","properties":{"a":{"type":"string","default":"{{secret}}"}}}`,
			`{"properties":{"a":{"type":"string"}},"type":"object"}`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			plain, err := plainSchema(json.RawMessage(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			text, _, err := compileSchema(plain)
			if err != nil || string(text) != c.want {
				t.Errorf("%v\n got %s\nwant %s", err, text, c.want)
			}
		})
	}
}

// bomb returns a schema whose references double n times.
func bomb(n int, word string) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, word, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string"}}}`, n)
	return b.String()
}

// Schemas that make a tool unusable, with a reason.
func TestUnusableSchemas(t *testing.T) {
	for _, c := range []struct{ reason, schema, want string }{
		{"references that double", bomb(40, "allOf"), "more than 1024 parts"},
		{"a reference to itself", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, "deeper than 32"},
		{"a circle", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "deeper than 32"},
		{"an address", `{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1/x"}}}`, "only #/"},
		{"nothing there", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}}`, "not there"},
		{"a dynamic reference", `{"type":"object","$dynamicRef":"#x"}`, "not supported"},
		{"bounds beside a reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a","minLength":1}},"$defs":{"a":{"type":"string"}}}`, "next to a reference"},
		{"no schema", `null`, "not a JSON object"},
		{"a list", `[]`, "not a JSON object"},
		{"no object", `{"type":"string"}`, "not of the type"},
		{"a member of the wrong type", `{"type":"object","properties":{"a":{"minLength":"x"}}}`, "cannot be read"},
		{"no pattern", `{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}`, "cannot be used"},
		{"too long", `{"type":"object","description":"` + strings.Repeat("x", maxSchema) + `"}`, "allowed are 65536"},
		{"nested too deep", `{"type":"object","properties":{"a":{"enum":[` + strings.Repeat("[", 1100) + strings.Repeat("]", 1100) + `]}}}`, "deeper than 1100 levels"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			_, err := readTool(&sdk.Tool{Name: "a", InputSchema: json.RawMessage(c.schema)}, Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// Names that model providers do not accept.
func TestUnusableNames(t *testing.T) {
	for _, name := range []string{"", "a b", "läuft", "a.b", strings.Repeat("a", 65), "a\x00"} {
		if _, err := readTool(&sdk.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, Options{}); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}

// TestGrowth tests that reading the data of servers and models has linear cost.
func TestGrowth(t *testing.T) {
	repeat, nest := testkit.Repeat, testkit.Nest
	in := func(a testkit.Atom, head, tail string) testkit.Atom {
		a.Head, a.Tail = head+a.Head, a.Tail+tail
		return a
	}
	const object, end = `{"type":"object","properties":{"a":`, `}}`
	loose, err := readTool(&sdk.Tool{Name: "a", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"a":{"type":"array","uniqueItems":true,"items":{"pattern":"^(x+)+$"}}},"additionalProperties":{"type":"string"}}`)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Growth(t, testkit.Reader{
		Name: "schema", Size: 2 << 10,
		Read: func(text string) {
			_, _ = readTool(&sdk.Tool{Name: "a", InputSchema: json.RawMessage(text)}, Options{})
		},
		Atoms: []testkit.Atom{
			in(nest(`{"not":`, `{}`, `}`), object, end), in(nest(`{"items":`, `{}`, `}`), object, end), in(nest(`[`, ``, `]`), object, end),
			in(repeat(`{"type":"string"},`), object+`{"anyOf":[`, `{}]}`+end), in(repeat(`{"$ref":"#/$defs/a"},`), object+`{"anyOf":[`, `{}]}},"$defs":{"a":{"type":"string"}}}`),
			in(repeat(`/a`), object+`{"$ref":"#`, `"}`+end), in(repeat(`x`), object+`{"pattern":"`, `"}`+end), in(nest(`(`, `x`, `)`), object+`{"pattern":"`, `"}`+end),
			in(repeat(`\u202e`), object+`{"description":"`, `"}`+end), in(repeat(`"x",`), object+`{"enum":[`, `"y"]}`+end),
		},
	}, testkit.Reader{
		Name: "arguments", Size: 2 << 10,
		Read: func(text string) { _ = loose.check(json.RawMessage(text)) },
		Atoms: []testkit.Atom{
			in(repeat(`"x",`), `{"a":[`, `"y"]}`), in(repeat(`1,`), `{"a":[`, `2]}`), in(nest(`[`, ``, `]`), `{"a":`, `}`), in(nest(`{"a":`, `1`, `}`), `{"b":`, `}`),
			in(repeat(`x`), `{"a":["`, `y"]}`), in(repeat(`"k":1,`), `{`, `"k":2}`), repeat(`{`), repeat("\xff"),
		},
	}, testkit.Reader{
		Name: "description", Size: 16 << 10,
		Read:  func(text string) { _ = cleaned(text) },
		Atoms: []testkit.Atom{repeat("\u202e"), repeat("\xff"), repeat("\n"), repeat("x"), repeat("界")},
	})
}
