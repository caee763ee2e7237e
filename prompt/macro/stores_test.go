package macro_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
)

// TestConformanceCardScriptingMacro runs the recorded cases of the macros that show variables of
// stores.
func TestConformanceCardScriptingMacro(t *testing.T) {
	testkit.CardScripting(t, "testdata/conformance", "macro", func(t *testing.T, data []byte) {
		var c struct {
			Text  string
			State map[string]json.RawMessage
			Env   struct {
				Messages  []struct{ Variables json.RawMessage }
				MessageID *int `json:"message_id"`
			}
			Expect struct{ Out string }
		}
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		env := macro.Env{Stores: map[string]any{}}
		for store, variables := range c.State {
			env.Stores[store] = variables
		}
		for i, m := range c.Env.Messages {
			shown := c.Env.MessageID == nil || *c.Env.MessageID == i
			if shown && len(m.Variables) > 0 && string(m.Variables) != "null" {
				env.Stores["message"] = m.Variables
			}
		}
		if out, trace := macro.Expand(c.Text, env); out != c.Expect.Out {
			t.Errorf("%q is\n%s\nnot\n%s\n%v", c.Text, out, c.Expect.Out, trace.Problems)
		}
	})
}

// TestStoresOfACampaign: chat and global variables are what macros store, in the same text; a
// macro in a path is expanded first; values are data.
func TestStoresOfACampaign(t *testing.T) {
	t.Parallel()
	env := macro.Env{
		User: "Mara",
		Vars: map[string]any{"bag": []any{"rope", 2.0}}, Globals: map[string]any{"tone": "{{user}} \\{x\\}"},
		Stores: map[string]any{"message": json.RawMessage(`{"Mara":{"hp":[12,"life"]},"n":1e30,"z":-0.0,"l":["\u2028\\u2028",1]}`)},
	}
	for _, tt := range []struct{ text, want string }{
		{"{{get_chat_variable::bag}} {{get_chat_variable::bag[0]}} {{get_chat_variable::bag.length}}", `["rope",2] rope 2`},
		{"{{setvar::x::5}}{{get_chat_variable::x}}", "5"},
		{"{{get_global_variable::tone}}", `{{user}} \{x\}`},
		{"{{get_message_variable::{{user}}.hp[0]}}", "12"},
		{"{{get_message_variable::n}} {{get_message_variable::z}} {{format_message_variable::z}}", "1e+30 0 -0"},
		{"{{ get_message_variable::n}} {{get_message_variable ::n}} {{get_message_variable:n}}", "{{ get_message_variable::n}} {{get_message_variable ::n}} {{get_message_variable:n}}"},
		{"a:\n  {{format_message_variable::Mara}}", "a:\n  hp:\n    - 12\n    - life"},
		{"{{get_message_variable:: n}}{{get_preset_variable::n}}", "nullnull"},
		// Card scripting B5: non-ASCII characters are kept.
		{"{{get_message_variable::l}}", "[\"\u2028\\\\u2028\",1]"},
		{"{{get_message_variable::Mara.hp[1][0]}}{{get_message_variable::Mara.hp[1].length}}", "l4"},
	} {
		if out, _ := macro.Expand(tt.text, env); out != tt.want {
			t.Errorf("%s is %q, not %q", tt.text, out, tt.want)
		}
	}
	if out, trace := macro.Expand("{{get_message_variable::n}}", macro.Env{}); out != "{{get_message_variable::n}}" || len(trace.Problems) != 1 {
		t.Errorf("without stores: %q, %v", out, trace.Problems)
	}
}

// TestStoresAreBounded: a large variable that is shown often does not use more than the limit of a
// run.
func TestStoresAreBounded(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	list, err := json.Marshal(map[string]any{"l": strings.Split(strings.Repeat("x", 10_000), "")})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("y", 1000) + strings.Repeat("{{format_message_variable::l}}", 2000)
	out, _ := macro.Expand(text, macro.Env{Stores: map[string]any{"message": json.RawMessage(list)}})
	if len(out) > 2<<20 {
		t.Errorf("%d bytes", len(out))
	}
	deep := strings.Repeat("[", 200) + "1" + strings.Repeat(",1", 100_000) + strings.Repeat("]", 200)
	text = "{{format_message_variable::l}}"
	out, trace := macro.Expand(text, macro.Env{Stores: map[string]any{"message": json.RawMessage(`{"l":` + deep + `}`)}})
	if out != text || len(trace.Problems) != 1 || !strings.Contains(trace.Problems[0].Text, "too large") {
		t.Errorf("40 MB of indentation: %d bytes, %v", len(out), trace.Problems)
	}
}

// FuzzStores: no path and no value makes the macros panic, and the same input gives the same
// output.
func FuzzStores(f *testing.F) {
	f.Add("a.b[0]", `{"a":{"b":[1,"x\ny"]}}`)
	f.Add(`["a"]..b[]`, `{"a":" x #\n\n","b":"\u0007 word word"}`)
	f.Fuzz(func(t *testing.T, path, variables string) {
		env := macro.Env{Stores: map[string]any{"message": json.RawMessage(variables)}, NoFold: len(path)%2 == 0}
		text := "k: {{format_message_variable::" + path + "}}{{get_message_variable::" + path + "}}"
		out, _ := macro.Expand(text, env)
		if again, _ := macro.Expand(text, env); again != out {
			t.Errorf("%q, then %q", out, again)
		}
	})
}
