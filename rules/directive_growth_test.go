package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/rules"
)

// Reading a reply takes time linear in its length.
func TestGrowthDirective(t *testing.T) {
	program, st := purse(t)
	atoms := []testkit.Atom{
		testkit.Repeat("{"),
		testkit.Repeat("["),
		testkit.Repeat(`"`),
		testkit.Repeat("[x: merge {"),
		testkit.Repeat("[gold: "),
		testkit.Repeat("[gold: +1 "),
		testkit.Repeat("[gold: +1] "),
		testkit.Repeat("[name: append x] "),
		testkit.Repeat("[bag: merge {\"a\": 1}]"),
		testkit.Repeat(`[bag: set [`),
		testkit.Repeat(`[bag: push "`),
		testkit.Repeat("[ghost: +1]"),
		testkit.Repeat("[updates: 1]\n[gold: +1]\n"),
		testkit.Repeat("<think "),
		testkit.Repeat("<think>"),
		testkit.Repeat("<think></think> "),
		testkit.Repeat("<UpdateVariable><JSONPatch>[</UpdateVariable>"),
		{Open: "<UpdateVariable><JSONPatch>[</UpdateVariable>", Tail: "</JSONPatch>"},
		{Open: "<UpdateVariable><JSONPatch>", Tail: "</JSONPatch></UpdateVariable>"},
		{Head: "<JSONPatch>[", Open: `{"op":"insert","path":"/bag/-","value":1},`, Mid: "{}]", Tail: "</JSONPatch>"},
		{Head: "<JSONPatch>[", Open: `{"op":"what"},`, Mid: "{}]", Tail: "</JSONPatch>"},
		testkit.Repeat("```"),
		{Open: "```", Tail: "\n"},
		testkit.Repeat("```\n"),
		testkit.Repeat("```\n{\"gold\": \"+1\"}\n"),
		{Head: "```\n", Open: "{\"gold\": \"+1\"}\n", Tail: "```"},
		{Head: "```\n", Open: "{}{", Tail: "```"},
		testkit.Nest("[image: ", "x", "]"),
		testkit.Nest("[u: ", "x", "]"),
		testkit.Nest("[audio: [", "x", "]]"),
		{Head: "[gold: ", Open: "9", Tail: "]"},
		{Head: "[gold: +", Open: "9", Tail: "]"},
		{Open: "[", Tail: "gold: +1]"},
		testkit.Repeat(" \n"),
		testkit.Repeat("[gold: +1]\n \n"),
	}
	distinct := func(text string) string {
		var b strings.Builder
		for i := 0; b.Len() < len(text); i++ {
			fmt.Fprintf(&b, "[u%d: +1] ", i)
		}
		return b.String()
	}
	known := rules.DirectiveOptions{Known: purseKnows}
	testkit.Growth(t,
		testkit.Reader{Name: "directives", Atoms: atoms, Read: func(text string) {
			rules.ParseDirectives(text, rules.DirectiveOptions{})
			rules.ParseDirectives(text, known)
		}},
		testkit.Reader{Name: "strict directives", Atoms: atoms, Size: 4 << 10, Read: func(text string) {
			rules.ParseStrictDirectives(text, program, st, rules.DirectiveOptions{})
			rules.ParseStrictDirectives(text, program, st, known)
		}},
		testkit.Reader{Name: "strict directives of unknown ids", Atoms: []testkit.Atom{testkit.Repeat("x")},
			Read: func(text string) {
				rules.ParseStrictDirectives(distinct(text), program, st, rules.DirectiveOptions{})
			}},
		testkit.Reader{Name: "structured replies", Atoms: []testkit.Atom{
			testkit.Repeat("{"),
			testkit.Repeat(`{"a":`),
			testkit.Repeat(`{"a":[`),
			{Head: "{", Open: `"a":1,`},
			{Head: `{"narrative":"x","stateChanges":[`, Open: `{"variableId":"a","operation":"add","value":1},`},
			{Head: `{"narrative":"`, Open: `\"`},
			{Head: `{"narrative":"x","a":`, Open: "["},
			{Head: `{"narrative":"x","a":`, Open: "9"},
			{Head: "```", Open: "\n"},
		}, Read: func(text string) { rules.ParseStructuredDirectives(text, rules.DirectiveOptions{}) }},
	)
}

// A reply has at most a thousand writes, and a list of errors is limited.
func TestRepliesAreBounded(t *testing.T) {
	t.Parallel()
	r := rules.ParseDirectives(strings.Repeat("[gold: +1]", 1500), rules.DirectiveOptions{})
	if len(r.Effects) != 1000 || len(r.Errors) != 1 || r.Errors[0].Code != "too-many" {
		t.Errorf("%d effects, errors %v", len(r.Effects), r.Errors)
	}
	if r.Text != "" {
		t.Errorf("what was left out is shown: %q", r.Text)
	}
	r = rules.ParseDirectives(strings.Repeat("[gold: push {]\n", 1500), rules.DirectiveOptions{})
	if len(r.Errors) != 100 {
		t.Errorf("%d errors", len(r.Errors))
	}
	r, ok := rules.ParseStructuredDirectives(`{"narrative":"x","stateChanges":[`+
		strings.Repeat(`{"variableId":"gold","operation":"add","value":1},`, 1500), rules.DirectiveOptions{})
	if !ok || len(r.Effects) != 1000 || len(r.Errors) != 1 || r.Errors[0].Code != "too-many" {
		t.Errorf("structured: %v, %d effects, errors %v", ok, len(r.Effects), r.Errors)
	}
	program, st := purse(t)
	s := rules.ParseStrictDirectives(strings.Repeat("[gold: +1]", 1500)+"\n[updates: 1500]", program, st, rules.DirectiveOptions{})
	if len(s.Effects) != 0 || !strings.Contains(fmt.Sprint(s.Errors), "more than 1,000 updates") {
		t.Errorf("strict: %d effects, errors %v", len(s.Effects), s.Errors)
	}
}
