package parse_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// The cast of the examples in the pattern files.
var cast = parse.Cast{
	Actor: "lin", Party: []string{"lin", "su"},
	People: []parse.Named{
		{ID: "lin", Name: "林渊", Aliases: []string{"Lin"}},
		{ID: "su", Name: "苏晴", Aliases: []string{"Su"}},
	},
	HP:    map[byte][]int{'M': {12, 20}, 'N': {7, 15}},
	Rules: []parse.Named{{ID: "curfew", Aliases: []string{"宵禁", "curfew"}}},
	Areas: []parse.Named{
		{ID: "hall", Name: "大厅", Aliases: []string{"Hall"}}, {ID: "gate", Name: "城门", Aliases: []string{"Gate"}},
		{ID: "cellar", Name: "地窖", Aliases: []string{"Cellar"}},
	},
}

// Each pattern fits its example and not its counter-example.
func TestPatternsFitTheirExamples(t *testing.T) {
	t.Parallel()
	for _, p := range lexicon.Patterns() {
		one := []lexicon.Pattern{p}
		if len(parse.New(p.Example, cast).Matches(one, p.Wide)) == 0 {
			t.Errorf("%s: %s does not propose %q", p.Place, p.Kind, p.Example)
		}
		if found := parse.New(p.Counter, cast).Matches(one, p.Wide); len(found) > 0 {
			t.Errorf("%s: %s proposes %q", p.Place, p.Kind, p.Counter)
		}
	}
}
