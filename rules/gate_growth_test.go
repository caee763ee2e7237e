package rules_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// TestGrowth: the time for a message of many writes to declared variables grows linearly, also if
// the message itself enlarges the variable or the nodes around it.
func TestGrowth(t *testing.T) {
	p, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "bag", Type: rules.TypeJSON, Path: "assa_data.global_set.bag", Default: tree.Object()},
		{ID: "gold", Type: rules.TypeNumber, Path: "assa_data.global_set.gold", Max: new(99.0)},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	sys, bad := memvars.Compile(memvars.Options{})
	if err := bad.Err(); err != nil {
		t.Fatal(err)
	}
	st := p.Complete(rules.State{})
	testkit.Growth(t, testkit.Reader{
		Name: "commands on declared variables",
		Read: func(text string) {
			var b strings.Builder // each # is a different number
			for i, part := range strings.Split(text, "#") {
				if i > 0 {
					b.WriteString(strconv.Itoa(100000 + i))
				}
				b.WriteString(part)
			}
			sys.With(p.Gate(st)).Apply(st.Variables, b.String(), memvars.AI)
		},
		Atoms: []testkit.Atom{
			testkit.Repeat("memory('bag','k#',1);"),
			testkit.Repeat("memory('global_set.bag.k#',1);"),
			testkit.Repeat("memory('gold',#);"),
			testkit.Repeat("memory('global_set.k#',1);memory('gold',#);memory('gold',5);"),
			testkit.Repeat("memory('bag','k#',1);delete('bag','k#');"),
			testkit.Repeat("delete('gold');memory('global_set.k#',1);"),
		},
	})
}
