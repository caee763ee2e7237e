package game

import (
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/reply"
)

// TestGrowthOfDialects: passing a text through all dialects costs what it is long.
func TestGrowthOfDialects(t *testing.T) {
	content := Content{
		Variables: []declare.Variable{{ID: "hp", Type: declare.Number}},
		ReplyRules: []reply.Rule{
			{ID: "s", Match: reply.Match{Tag: "s"}, Hide: true, To: []reply.Route{{Kind: reply.Fields}}},
			{ID: "p", Match: reply.Match{Pattern: "<b>(.*?)</b>"}, To: []reply.Route{{Kind: reply.Variable, VariableID: "hp"}}},
		},
		Commands: memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}},
	}
	atoms := []growthtest.Atom{
		growthtest.Repeat("[hp: +1]"), growthtest.Repeat("[hp: "), growthtest.Repeat("[hp: {"), growthtest.Repeat("<s>hp: 1</s>"),
		growthtest.Repeat("<s>"), growthtest.Repeat("</s>"), growthtest.Repeat("【s】"), growthtest.Repeat("<b>1</b>"), growthtest.Repeat("<b>"),
		growthtest.Repeat("set_status('a', 1);\n"), growthtest.Repeat("_.set('a', 1);\n"), growthtest.Repeat("<UpdateVariable>"),
		growthtest.Repeat("<updateMemory></updateMemory>\n"), growthtest.Repeat("\n[hp: +1]\n\n"), growthtest.Repeat("```\n"), growthtest.Repeat("尘 "),
	}
	game, problems := Compile(content)
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	content.Dialects = []Dialect{ReplyRules(), Directives(DirectiveOptions{Strict: true}), Commands()}
	strict, problems := Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	growthtest.Run(t,
		growthtest.Reader{Name: "dialects", Size: 4 << 10, Atoms: atoms, Read: func(text string) { game.Read(text, game.Scope()) }},
		growthtest.Reader{Name: "strict dialects", Size: 4 << 10, Atoms: atoms, Read: func(text string) { strict.Read(text, strict.Scope()) }},
		growthtest.Reader{Name: "a live answer", Size: 4 << 10, Atoms: atoms, Read: func(text string) {
			n := Narrator{Game: game}
			for at := 0; at < len(text); at += 64 {
				n.Write(text[at:min(at+64, len(text))])
			}
			n.Finish()
		}},
	)
}
