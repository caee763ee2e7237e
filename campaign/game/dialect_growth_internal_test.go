package game

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/rules"
)

// TestGrowthOfDialects: the cost of reading a text with all dialects is linear in its length.
func TestGrowthOfDialects(t *testing.T) {
	content := Content{Rules: Rules{
		Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}},
		ReplyRules: []rules.ReplyRule{
			{ID: "s", Match: rules.ReplyMatch{Tag: "s"}, Hide: true, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}},
			{ID: "p", Match: rules.ReplyMatch{Pattern: "<b>(.*?)</b>"}, To: []rules.ReplyRoute{{Kind: rules.ReplyVariable, VariableID: "hp"}}},
		},
		Commands: memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}},
	}}
	atoms := []testkit.Atom{
		testkit.Repeat("[hp: +1]"), testkit.Repeat("[hp: "), testkit.Repeat("[hp: {"), testkit.Repeat("<s>hp: 1</s>"),
		testkit.Repeat("<s>"), testkit.Repeat("</s>"), testkit.Repeat("【s】"), testkit.Repeat("<b>1</b>"), testkit.Repeat("<b>"),
		testkit.Repeat("set_status('a', 1);\n"), testkit.Repeat("_.set('a', 1);\n"), testkit.Repeat("<UpdateVariable>"),
		testkit.Repeat("<updateMemory></updateMemory>\n"), testkit.Repeat("\n[hp: +1]\n\n"), testkit.Repeat("```\n"), testkit.Repeat("尘 "),
	}
	game, problems := Compile(content)
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	content.Rules.Dialects = []Dialect{ReplyRules(), Directives(DirectiveOptions{Strict: true}), Commands()}
	strict, problems := Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	testkit.Growth(t,
		testkit.Reader{Name: "dialects", Size: 4 << 10, Atoms: atoms, Read: func(text string) { game.Read(text, game.Scope()) }},
		testkit.Reader{Name: "strict dialects", Size: 4 << 10, Atoms: atoms, Read: func(text string) { strict.Read(text, strict.Scope()) }},
		testkit.Reader{Name: "a live answer", Size: 4 << 10, Atoms: atoms, Read: func(text string) {
			n := Narrator{Game: game}
			for at := 0; at < len(text); at += 64 {
				n.Write(text[at:min(at+64, len(text))])
			}
			n.Finish()
		}},
	)
}
