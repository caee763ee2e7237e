package memvars_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
)

// TestArgumentForms: the allowed forms of paths and keys, and the effect of a mistake in one call
// on the other calls (MV-17, MV-25).
func TestArgumentForms(t *testing.T) {
	t.Parallel()
	doc := load(t, []byte(`{"stat_data":{"a":[1,2,3],"b":1,"k.l":2,"o":{"x.y":1}},"assa_data":{"p":{"q":1,"true":2,"5":3}}}`))
	const next = "; set_status('b', 2)"
	for _, tt := range []struct{ reason, text, want string }{
		{"an object as a path", `set_status({"a":1}, 5)` + next, "bad_path, applied"},
		{"a list as a path", `set_status([1,2], 5)` + next, "bad_path, applied"},
		{"an object beyond repair as a path", `set_status({bad}, 5)` + next, "bad_path, applied"},
		{"a path in brackets", `set_status([b], 5)` + next, "applied, applied"},
		{"with quotation marks", `set_status(["k.l"], 5)` + next, "applied, applied"},
		{"a quoted key within an unquoted path", `set_status(o["x.y"], 5)` + next, "applied, applied"},
		{"a bracket that nothing closes", `set_status(a[0, 5)` + next, "bad_path, applied"},
		{"an unquoted path is no bare word", `set_status(b, 5)` + next, "applied, applied"},
		{"an unquoted value is one", `memory('p', 'q', abc)`, "applied[bare_word]"},
		{"and an unquoted key", `memory('p', abc, 1)`, "applied[bare_word]"},
		{"true is no key", `memory('p', true, 1)`, "bad_key"},
		{"null is none", `memory('p', null, 1)`, "bad_key"},
		{"an object is none", `memory('p', {"a":1}, 1)`, "bad_key"},
		{"a list is none", `memory('p', [1], 1)`, "bad_key"},
		{"to delete neither", `delete('p', true); delete('p', [1]); delete('p', {"a":1})`, "bad_key, bad_key, bad_key"},
		{"quoted text is a key whatever it looks like", `memory('p', 'true', 1); memory('p', '{"a":1}', 1); delete('p', 'true')`,
			"applied, applied, applied"},
		{"a number is its spelling", `memory('p', 5, 1); delete('p', 5)`, "applied, applied"},
		{"a comment of HTML", "<!-- set_status('b', 9);\nset_status('b', 8) --> set_status('b', 2)", "applied"},
		{"one that nothing closes hides nothing", "<!-- set_status('b', 9);", "applied"},
		{"no argument begins on the line of another call", "set_status('a',\n *.set_status('b', 2)", "unexpected_token@2:2, applied"},
		{"nor the first one", "set_status(\nset_status('b', 2)", "unexpected_token@2:1, applied"},
		{"nor behind blank lines", "memory('p', 'q', \n\n  delete('p', 'q')", "unexpected_token@3:3, applied"},
	} {
		_, res := memvars.Apply(doc, tt.text, memvars.AI, memvars.Options{})
		var got []string
		for _, c := range res.Calls {
			s := string(c.Status)
			if c.Code != "" {
				s = string(c.Code)
			}
			if c.At != nil {
				s += fmt.Sprintf("@%d:%d", c.At.Line, c.At.Col)
			}
			if len(c.Warnings) > 0 {
				s += fmt.Sprint(c.Warnings)
			}
			got = append(got, s)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %s gives %s, want %s", tt.reason, tt.text, s, tt.want)
		}
	}
}
