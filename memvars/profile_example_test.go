package memvars_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// A card with a different place for its clock changes these names and keeps the rest.
func Example_profile() {
	p := memvars.DefaultProfile()
	p.Date = tree.Path{"calendar", "day"}
	system, problems := memvars.Compile(memvars.Options{Profile: &p})
	fmt.Println(system != nil, len(problems))
	// Output: true 0
}

// A list of two texts has the form of a leaf; a rule says that it is not a leaf.
func ExampleProfile_IsLeaf() {
	p := memvars.DefaultProfile()
	names := tree.Array(tree.Text("甲"), tree.Text("乙"))
	p.LeafRules = []memvars.LeafRule{{Path: tree.Path{"stat_data", "names"}}}
	p = p.Sorted()
	fmt.Println(p.IsLeaf(tree.Path{"stat_data", "names"}, names), p.IsLeaf(tree.Path{"stat_data", "weather"}, names))
	// Output: false true
}

// A path of an author leads through a leaf to its value.
func ExampleProfile_Find() {
	doc, err := tree.ParseValue([]byte(`{"stat_data": {"hp": [7, "hit points"]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := memvars.DefaultProfile()
	place, err := p.Find(doc, tree.Path{"stat_data", "hp"})
	fmt.Println(place.Path, err)
	fmt.Println(p.Content(doc, tree.Path{"stat_data", "hp"}))
	// Output:
	// stat_data.hp <nil>
	// 7
}
