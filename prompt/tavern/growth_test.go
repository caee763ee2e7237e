package tavern_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// TestGrowth checks that reading preset files, and building prompts with long ones, takes linear
// work.
func TestGrowth(t *testing.T) {
	repeat := func(head, open, tail string) testkit.Atom {
		return testkit.Atom{Head: head, Open: open, Tail: tail}
	}
	read := func(text string) {
		p, err := readable(tavern.ParsePreset([]byte(text)))
		if err != nil {
			_ = err.Error()
			return
		}
		if _, err := json.Marshal(p); err != nil {
			t.Fatal(err)
		}
		pieces := prompt.Scene{System: "s", Lore: []prompt.Lore{{Text: "l", Position: "before"}}}
		_, _ = p.Assemble(pieces, prompt.Input{History: said}, prompt.Env{}, prompt.Budget{})
	}
	preset := func(n int) string {
		var prompts, order strings.Builder
		for i := range n {
			if i > 0 {
				prompts.WriteByte(',')
				order.WriteByte(',')
			}
			fmt.Fprintf(&prompts, `{"identifier":"p%d","content":"{{setvar::v::%d}}x","system_prompt":false,"injection_position":%d,"injection_depth":%d}`, i, i, i%2, i%9)
			fmt.Fprintf(&order, `{"identifier":"p%d","enabled":true}`, i)
		}
		return `{"squash_system_messages":true,"prompts":[` + prompts.String() + `],"prompt_order":[{"character_id":100001,"order":[` + order.String() + `]}]}`
	}
	testkit.Growth(t,
		testkit.Reader{Name: "file", Read: read, Atoms: []testkit.Atom{
			testkit.Repeat("{"), testkit.Repeat("["), testkit.Repeat(`{"a":`), testkit.Repeat("雨"),
			repeat(`{"a":"`, "x", `"}`), repeat(`{"a":"`, `\"`, `"}`), repeat(`{"new_chat_prompt":"`, `\u0000`, `"}`),
			repeat(`{"prompts":[{}`, ",{}", "]}"), repeat(`{"prompts":[null`, ",null", "]}"),
			repeat(`{"prompts":[1`, `,"x"`, "]}"), repeat(`{"prompts":[{"role":1}`, `,{"role":1}`, "]}"),
			repeat(`{"prompts":"`, "x", `"}`), repeat(`{"names_behavior":`, "1", "}"), repeat(`{"prompts":[{"identifier":"main"}`, `,{"identifier":"main"}`, "]}"),
			repeat(`{"prompt_order":[{"order":[{}`, `,{"identifier":"main","enabled":true}`, "]}]}"),
			repeat(`{"prompt_order":[{}`, `,{"order":[]}`, "]}"), repeat(`{"a":0`, `,"a":1`, "}"),
			repeat(`{"wi_format":"`, "{0}", `"}`), repeat(`{"wi_format":"`, "{{user}}", `"}`),
			testkit.Nest(`{"a":[`, "1", "]}"), {Head: `{"a":`, Open: "[", Mid: "1", Close: "]", Tail: "}"},
		}},
		testkit.Reader{Name: "prompts", Size: 2 << 10, Atoms: []testkit.Atom{testkit.Repeat("x")},
			Read: func(text string) { read(preset(len(text) / 16)) }},
	)
}
