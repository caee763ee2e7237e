package worldbook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// TestLiteral: an entry with the words of an untrusted source is found by its keys as they are
// written. Its text is shown unchanged. This is so in a book and in an overlay.
func TestLiteral(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason    string
		key, chat string
		active    bool
	}{
		{"a pattern is no pattern", `/dra.on/i`, "dragon", false},
		{"it is found as it is written", `/dra.on/i`, "the /dra.on/i", true},
		{"a stalling pattern", `/(?:(e)|e\1?|\1e)*x/`, strings.Repeat("e", 50000), false},
		{"macros in keys are text", `{{char}}`, "Ann", false},
		{"and found as such", `{{char}}`, "{{char}} x", true},
		{"a blank key finds nothing", " ", "any thing", false},
		{"an empty one neither", "", "any thing", false},
		{"white space around is cut", " dragon ", "a dragon", true},
	} {
		for _, added := range []bool{false, true} {
			for _, settings := range []wb.ProfileSettings{wb.Exact(), wb.Roleplay(), {Depth: 2, Budget: 100, Decorators: wb.DecoratorsCardV3}} {
				entry := wb.Entry{
					UID: "1", Keys: []string{row.key}, Content: "@@activate\n{{user}} <user> {{roll::1d6}}", Literal: true,
					Extra: map[string]json.RawMessage{"use_regex": json.RawMessage("true")},
				}
				list := []wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{entry}}}}
				in := wb.Input{User: "Bo", Char: "Ann", ContextSize: 4096, Messages: []wb.Message{{Text: row.chat}},
					Expand: func(s string) string { t.Errorf("%s: expands %q", row.reason, s); return s }}
				if added {
					in.Overlay.Add, list = list, nil
				}
				c, problems := wb.Compile(list, settings)
				if len(problems) > 0 {
					t.Error(problems)
				}
				r, st := c.Scan(in, wb.State{})
				if got := len(r.Activated) == 1; got != row.active || st.Fuses != nil {
					t.Errorf("%s, added %v: active %v, fuses %v", row.reason, added, got, st.Fuses)
				}
				for _, p := range r.Before {
					if p.Text != entry.Content || !p.Literal || !r.Activated[0].Literal {
						t.Errorf("%s: %+v", row.reason, p)
					}
				}
			}
		}
	}
}

// TestLiteralFeedsAndOverrides: the text of a literal entry is searched unchanged, and so is an
// override text of the host.
func TestLiteralFeedsAndOverrides(t *testing.T) {
	t.Parallel()
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
		{UID: "1", Keys: []string{"door"}, Content: "behind {{user}}", Literal: true},
		{UID: "2", Keys: []string{"{{user}}"}, Content: "{{char}}"},
		{UID: "3", Keys: []string{"behind"}, Content: "x"},
	}}}}, wb.Exact())
	in := wb.Input{User: "Bo", ContextSize: 4096, Messages: []wb.Message{{Text: "the door"}}}
	r, _ := c.Scan(in, wb.State{})
	if diff := cmp.Diff([]string{"1", "3"}, activated(&r)); diff != "" {
		t.Error(diff)
	}
	in.Forced = []wb.Forced{{ID: wb.ID{Book: "b", UID: "1"}, Override: json.RawMessage(`{"content":"<user> {{char}}"}`)}}
	r, _ = c.Scan(in, wb.State{})
	if len(r.Activated) != 1 || r.Activated[0].Text != "<user> {{char}}" {
		t.Errorf("%+v", r.Activated)
	}
}

// TestLiteralJSON: the member is written only if it is true.
func TestLiteralJSON(t *testing.T) {
	t.Parallel()
	for _, literal := range []bool{false, true} {
		data, err := json.Marshal(wb.Entry{UID: "1", Literal: literal})
		if err != nil {
			t.Fatal(err)
		}
		var back wb.Entry
		if err := json.Unmarshal(data, &back); err != nil || back.Literal != literal ||
			strings.Contains(string(data), `"literal"`) != literal {
			t.Errorf("%s: %v %v", data, back.Literal, err)
		}
	}
}
