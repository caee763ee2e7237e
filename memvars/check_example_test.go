package memvars_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// A name without a number gets its score. An unreadable part is a problem, and the rest counts.
func ExampleSumCheck() {
	scores := map[string]tree.Number{"力量": "4"}
	terms, pool, problems := memvars.SumCheck("力量；白刃：2;飞行", "stat_data.检定属性", func(name string) (tree.Number, bool) {
		n, ok := scores[name]
		return n, ok
	})
	fmt.Println(terms, pool)
	fmt.Println(problems)
	// Output:
	// [{力量 4} {白刃 2} {飞行 }] 6
	// stat_data.检定属性: "飞行" is not an attribute or skill of the character
}

func ExampleParseCheck() {
	terms, problems := memvars.ParseCheck("力量:2;白刃:很多")
	fmt.Println(terms)
	fmt.Println(problems)
	// Output:
	// [{力量 2}]
	// part 1: "白刃:很多" is not a name and a number
}
