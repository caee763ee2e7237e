package imports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

func valueOf(t *testing.T, text string) tree.Value {
	t.Helper()
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// TestKindsOfFiles: the members of a file say which reader it needs.
func TestKindsOfFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		want   kind
		reason string
	}{
		{`{"spec": "chara_card_v2", "rules": []}`, cardFile, "the name of the form comes before its lists"},
		{`{"name": "Orin"}`, cardFile, "anything else may be a card"},
		{`{"scenarioVersion": 1, "entries": {}}`, storyFile, "a scenario"},
		{`{"storyContainerVersion": 1, "content": {}, "rules": []}`, storyFile, "a story"},
		{`{"storyContainerVersion": 1, "content": 5, "rules": []}`, worldFile, "no content of a story"},
		{`{"gamestarted": true, "rules": []}`, storyFile, "a game of KoboldAI"},
		{`{"prompt": "", "actions": [], "memory": "", "rules": []}`, storyFile, "a story of KoboldAI"},
		{`{"prompt": "", "actions": [], "rules": []}`, worldFile, "without a memory it is none"},
		{`{"prompt": "", "memory": "", "rules": []}`, worldFile, "without actions neither"},
		{`{"actions": [], "memory": "", "rules": []}`, worldFile, "nor without a prompt"},
		{`{"variables": []}`, worldFile, "a world"},
		{`{"world": {"modules": []}}`, worldFile, "a world in a member"},
		{`{"schema": {"worldbooks": []}}`, worldFile, "a world in a second member"},
		{`{"worldDefinition": {"reactions": []}}`, worldFile, "a world in a third member"},
		{`{"replyRules": []}`, worldFile, "rules of replies alone"},
		{`{"entries": [{"role": "greeting"}]}`, worldFile, "the role of an entry of a world is a word"},
		{`{"entries": {"0": {"uid": 0, "key": ["a"], "content": "b", "role": 0}}}`, bookFile, "the role of an entry of a book is a number"},
		{`{"rules": {}}`, cardFile, "rules that are not a list"},
	} {
		if got, _ := kindOf([]byte(c.text)); got != c.want {
			t.Errorf("%s: %v, want %v: %s", c.text, got, c.want, c.reason)
		}
	}
}

// TestDates: all forms of a date that versions of SillyTavern wrote are read. Anything else is no date.
func TestDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"2026-05-01T12:03:04.005Z"`:     "2026-05-01T12:03:04.005Z",
		`"2026-05-01T14:03:04+02:00"`:    "2026-05-01T12:03:04.000Z",
		`"2026-5-1@12h3m4s"`:             "2026-05-01T12:03:04.000Z",
		`" 2026-5-1 @12h 3m 4s "`:        "2026-05-01T12:03:04.000Z",
		`"2026-5-1 @12h 3m 4s 567ms"`:    "2026-05-01T12:03:04.000Z",
		`"May 1, 2026 12:03pm"`:          "2026-05-01T12:03:00.000Z",
		`"May 1, 2026 12:03PM"`:          "2026-05-01T12:03:00.000Z",
		`1777636984005`:                  "2026-05-01T12:03:04.005Z",
		`0`:                              "",
		`-5`:                             "",
		`1e14`:                           "",
		`"567ms"`:                        "",
		`"s ms"`:                         "",
		`"soon"`:                         "",
		`null`:                           "",
		`"2026-05-01T12:03:04 and 5 ms"`: "",
	} {
		got := ""
		if at := readDate(valueOf(t, text)); !at.IsZero() {
			got = at.Format(dateFormat)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWordsOfASchema: each word of a schema has its part of the script.
func TestWordsOfASchema(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, want string }{
		{`{}`, `z.any()`},
		{`{"type": "null"}`, `z.null()`},
		{`{"type": "boolean"}`, `z.boolean()`},
		{`{"const": 5, "type": "number"}`, `z.literal(5)`},
		{`{"enum": ["a", "b"], "type": "null"}`, `z.literal(["a","b"])`},
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `z.union([z.string(), z.null(), ])`},
		{`{"type": ["integer", "null"], "minimum": 1, "default": 3}`, `z.union([z.number().int().min(1), z.null(), ]).prefault(3)`},
		{`{"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2}`, `z.array(z.string()).min(1).max(2)`},
		{`{"type": "array"}`, `z.array(z.any())`},
		{`{"type": "string", "minLength": 1, "maxLength": 9, "pattern": "a/b\\/c\nd"}`, `z.string().min(1).max(9).regex(/a\/b\/c\nd/u)`},
		{`{"type": "string", "coerce": true}`, `z.coerce.string()`},
		{`{"type": "string", "coerce": "yes"}`, `z.string()`},
		{`{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9, "multipleOf": 3}`, `z.number().gt(0).lt(9).multipleOf(3)`},
		{`{"type": "number", "minimum": "0"}`, `z.number()`},
		{`{"type": "boolean", "minimum": 0}`, `z.boolean()`},
		{`{"type": "number", "minimum": 0, "maximum": 9, "clamp": true}`, `z.number().transform(v => _.clamp(v, 0, 9))`},
		{`{"type": "integer", "minimum": 0, "maximum": 9, "clamp": true, "multipleOf": 3}`, `z.number().transform(v => _.clamp(v, 0, 9)).int().multipleOf(3)`},
		{`{"type": "number", "minimum": 0, "clamp": true}`, `z.number().min(0)`},
		{`{"type": "number", "maximum": 9, "clamp": true}`, `z.number().max(9)`},
		{`{"type": "number", "minimum": 0, "maximum": 9, "clamp": false}`, `z.number().min(0).max(9)`},
		{`{"type": "number", "title": "HP", "description": "hit points"}`, `z.number()`},
		{`{"type": "object", "properties": {"a b": {"type": "number"}, "c": {"type": "number", "default": 1}, "d": {"type": "number"}}, "required": ["d"]}`,
			`z.looseObject({"a b": z.number().optional(), "c": z.number().prefault(1), "d": z.number(), })`},
		{`{"type": "object", "additionalProperties": false}`, `z.strictObject({})`},
		{`{"type": "object", "additionalProperties": true}`, `z.looseObject({})`},
		{`{"type": "object", "additionalProperties": {"type": "number"}}`, `z.record(z.string(), z.number())`},
		{`{"type": "object", "properties": {}, "additionalProperties": {"type": "number"}}`, `z.looseObject({}).catchall(z.number())`},
	} {
		w := schemaWriter{path: "p"}
		if w.write(valueOf(t, c.schema), nil); w.String() != c.want || len(w.problems) > 0 {
			t.Errorf("%s:\n got %s\nwant %s, problems %v", c.schema, w.String(), c.want, w.problems)
		}
	}
	w := schemaWriter{path: "p"}
	var words strings.Builder
	for i := range 150 {
		fmt.Fprintf(&words, `"w%d": 1,`, i)
	}
	if w.write(valueOf(t, `{`+words.String()+`"type": "null"}`), nil); len(w.problems) != 100 {
		t.Errorf("%d of 150 unknown words are reported, want 100", len(w.problems))
	}
	w = schemaWriter{path: "p"}
	w.write(valueOf(t, `{"type": "object", "properties": {"hp": {"typ": "number"}}}`), nil)
	if len(w.problems) != 1 || w.problems[0].Path != "p" || w.problems[0].ID != "hp" || w.problems[0].Code != "schema_part" {
		t.Errorf("an unknown word: %+v", w.problems)
	}
}
