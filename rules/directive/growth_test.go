package directive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/rules/directive"
)

// What a model writes costs its length and no more.
func TestGrowth(t *testing.T) {
	program, st := purse(t)
	atoms := []growthtest.Atom{
		growthtest.Repeat("{"),
		growthtest.Repeat("["),
		growthtest.Repeat(`"`),
		growthtest.Repeat("[x: merge {"),
		growthtest.Repeat("[gold: "),
		growthtest.Repeat("[gold: +1 "),
		growthtest.Repeat("[gold: +1] "),
		growthtest.Repeat("[name: append x] "),
		growthtest.Repeat("[bag: merge {\"a\": 1}]"),
		growthtest.Repeat(`[bag: set [`),
		growthtest.Repeat(`[bag: push "`),
		growthtest.Repeat("[ghost: +1]"),
		growthtest.Repeat("[updates: 1]\n[gold: +1]\n"),
		growthtest.Repeat("<think "),
		growthtest.Repeat("<think>"),
		growthtest.Repeat("<think></think> "),
		growthtest.Repeat("<UpdateVariable><JSONPatch>[</UpdateVariable>"),
		{Open: "<UpdateVariable><JSONPatch>[</UpdateVariable>", Tail: "</JSONPatch>"},
		{Open: "<UpdateVariable><JSONPatch>", Tail: "</JSONPatch></UpdateVariable>"},
		{Head: "<JSONPatch>[", Open: `{"op":"insert","path":"/bag/-","value":1},`, Mid: "{}]", Tail: "</JSONPatch>"},
		{Head: "<JSONPatch>[", Open: `{"op":"what"},`, Mid: "{}]", Tail: "</JSONPatch>"},
		growthtest.Repeat("```"),
		{Open: "```", Tail: "\n"},
		growthtest.Repeat("```\n"),
		growthtest.Repeat("```\n{\"gold\": \"+1\"}\n"),
		{Head: "```\n", Open: "{\"gold\": \"+1\"}\n", Tail: "```"},
		{Head: "```\n", Open: "{}{", Tail: "```"},
		growthtest.Nest("[image: ", "x", "]"),
		growthtest.Nest("[u: ", "x", "]"),
		growthtest.Nest("[audio: [", "x", "]]"),
		{Head: "[gold: ", Open: "9", Tail: "]"},
		{Head: "[gold: +", Open: "9", Tail: "]"},
		{Open: "[", Tail: "gold: +1]"},
		growthtest.Repeat(" \n"),
		growthtest.Repeat("[gold: +1]\n \n"),
	}
	distinct := func(text string) string {
		var b strings.Builder
		for i := 0; b.Len() < len(text); i++ {
			fmt.Fprintf(&b, "[u%d: +1] ", i)
		}
		return b.String()
	}
	known := directive.Options{Known: purseKnows}
	growthtest.Run(t,
		growthtest.Reader{Name: "directives", Atoms: atoms, Read: func(text string) {
			directive.Parse(text, directive.Options{})
			directive.Parse(text, known)
		}},
		growthtest.Reader{Name: "strict directives", Atoms: atoms, Size: 4 << 10, Read: func(text string) {
			directive.ParseStrict(text, program, st, directive.Options{})
			directive.ParseStrict(text, program, st, known)
		}},
		growthtest.Reader{Name: "strict directives of unknown ids", Atoms: []growthtest.Atom{growthtest.Repeat("x")},
			Read: func(text string) {
				directive.ParseStrict(distinct(text), program, st, directive.Options{})
			}},
		growthtest.Reader{Name: "structured replies", Atoms: []growthtest.Atom{
			growthtest.Repeat("{"),
			growthtest.Repeat(`{"a":`),
			growthtest.Repeat(`{"a":[`),
			{Head: "{", Open: `"a":1,`},
			{Head: `{"narrative":"x","stateChanges":[`, Open: `{"variableId":"a","operation":"add","value":1},`},
			{Head: `{"narrative":"`, Open: `\"`},
			{Head: `{"narrative":"x","a":`, Open: "["},
			{Head: `{"narrative":"x","a":`, Open: "9"},
			{Head: "```", Open: "\n"},
		}, Read: func(text string) { directive.ParseStructured(text, directive.Options{}) }},
	)
}

// A reply writes a thousand times at most, and a list of errors has an end.
func TestRepliesAreBounded(t *testing.T) {
	t.Parallel()
	r := directive.Parse(strings.Repeat("[gold: +1]", 1500), directive.Options{})
	if len(r.Effects) != 1000 || len(r.Errors) != 1 || r.Errors[0].Code != directive.TooMany {
		t.Errorf("%d effects, errors %v", len(r.Effects), r.Errors)
	}
	if r.Text != "" {
		t.Errorf("what was left out is shown: %q", r.Text)
	}
	r = directive.Parse(strings.Repeat("[gold: push {]\n", 1500), directive.Options{})
	if len(r.Errors) != 100 {
		t.Errorf("%d errors", len(r.Errors))
	}
	r, ok := directive.ParseStructured(`{"narrative":"x","stateChanges":[`+
		strings.Repeat(`{"variableId":"gold","operation":"add","value":1},`, 1500), directive.Options{})
	if !ok || len(r.Effects) != 1000 || len(r.Errors) != 1 || r.Errors[0].Code != directive.TooMany {
		t.Errorf("structured: %v, %d effects, errors %v", ok, len(r.Effects), r.Errors)
	}
	program, st := purse(t)
	s := directive.ParseStrict(strings.Repeat("[gold: +1]", 1500)+"\n[updates: 1500]", program, st, directive.Options{})
	if len(s.Effects) != 0 || !strings.Contains(fmt.Sprint(s.Errors), "more than 1,000 updates") {
		t.Errorf("strict: %d effects, errors %v", len(s.Effects), s.Errors)
	}
}
