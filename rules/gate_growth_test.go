package rules_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/declare"
)

// TestGrowth holds a message of many writes to declared variables to linear growth: also where
// the message itself makes the variable, or what lies around it, large.
func TestGrowth(t *testing.T) {
	p, problems := rules.Compile(rules.Content{Variables: []declare.Variable{
		{ID: "bag", Type: declare.JSON, Path: "assa_data.global_set.bag", Default: tree.Object()},
		{ID: "gold", Type: declare.Number, Path: "assa_data.global_set.gold", Max: new(99.0)},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	sys, bad := memvars.Compile(memvars.Options{})
	if err := bad.Err(); err != nil {
		t.Fatal(err)
	}
	st := p.Complete(rules.State{})
	growthtest.Run(t, growthtest.Reader{
		Name: "commands on declared variables",
		Read: func(text string) {
			var b strings.Builder // each # is another number
			for i, part := range strings.Split(text, "#") {
				if i > 0 {
					b.WriteString(strconv.Itoa(100000 + i))
				}
				b.WriteString(part)
			}
			sys.With(p.Gate(st)).Apply(st.Variables, b.String(), memvars.AI)
		},
		Atoms: []growthtest.Atom{
			growthtest.Repeat("memory('bag','k#',1);"),
			growthtest.Repeat("memory('global_set.bag.k#',1);"),
			growthtest.Repeat("memory('gold',#);"),
			growthtest.Repeat("memory('global_set.k#',1);memory('gold',#);memory('gold',5);"),
			growthtest.Repeat("memory('bag','k#',1);delete('bag','k#');"),
			growthtest.Repeat("delete('gold');memory('global_set.k#',1);"),
		},
	})
}
