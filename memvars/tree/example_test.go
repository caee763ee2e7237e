package tree_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
)

func mustLoad(text string) tree.Document {
	d, err := tree.ParseDocument([]byte(text))
	if err != nil {
		panic(err)
	}
	return d
}

func ExampleDocument_Get() {
	doc := mustLoad(`{"stat_data": {"world_shard": {"level": ["中", "无/低/中/高/神话"]}}, "quest.stage": 3}`)
	for _, path := range []string{
		"stat_data.world_shard.level", "stat_data.world_shard.level[1]", "quest.stage", "nothing",
	} {
		fmt.Println(doc.Get(path))
	}
	// Output:
	// 中 true
	// 无/低/中/高/神话 true
	// 3 true
	// <nil> false
}

func ExampleDocument_Int() {
	doc := mustLoad(`{"stat_data": {"gold": [250, "coins"], "weight": 1.5}}`)
	fmt.Println(doc.Int("stat_data.gold"))
	fmt.Println(doc.Int("stat_data.weight"))
	// Output:
	// 250 true
	// 0 false
}

func ExampleDocument_Float() {
	doc := mustLoad(`{"stat_data": {"weight": 1.5}}`)
	fmt.Println(doc.Float("stat_data.weight"))
	// Output: 1.5 true
}

func ExampleDocument_Text() {
	doc := mustLoad(`{"stat_data": {"weather": ["fog", "what the sky does"]}}`)
	fmt.Println(doc.Text("stat_data.weather"))
	// Output: fog true
}

func ExampleDocument_Bool() {
	doc := mustLoad(`{"flags": {"met_the_king": true}}`)
	fmt.Println(doc.Bool("flags.met_the_king"))
	// Output: true true
}

func ExampleDiff() {
	a := mustLoad(`{"a": 1, "list": [1, 2], "gone": true}`)
	b := mustLoad(`{"a": 1, "list": [1, 3], "new": {}}`)
	for _, c := range tree.Diff(a, b) {
		fmt.Println(c.Path, c.Old, "->", c.New)
	}
	// Output:
	// list.1 2 -> 3
	// gone true -> null
	// new null -> {}
}

func ExampleDocument_Edit() {
	before := mustLoad(`{"hp": 10, "bag": ["rope"]}`)
	edit := before.Edit()
	if err := edit.Set(tree.Path{"hp"}, tree.Int(7)); err != nil {
		fmt.Println(err)
	}
	if err := edit.Insert(tree.Path{"bag"}, 0, tree.Text("lamp")); err != nil {
		fmt.Println(err)
	}
	fmt.Println(edit.Set(tree.Path{"hp", "max"}, tree.Int(12)))
	fmt.Println(edit.Document())
	fmt.Println(before)
	// Output:
	// tree: set hp.max: parent: not an object or a list
	// {"hp":7,"bag":["lamp","rope"]}
	// {"hp":10,"bag":["rope"]}
}

func ExampleParseDocument() {
	d, err := tree.ParseDocument([]byte(`{"b": 1.0, "a": [1e2, 123456789012345678901234567890]}`))
	fmt.Println(d, err)
	_, err = tree.ParseDocument([]byte(`{"a": 1, "a": 2}`))
	fmt.Println(err)
	// Output:
	// {"b":1.0,"a":[1e2,123456789012345678901234567890]} <nil>
	// tree: JSON at offset 16: duplicate key "a"
}

func ExampleParsePath() {
	p, err := tree.ParsePath(`npc["St. John"].物品[0]`)
	fmt.Printf("%q %v\n", []string(p), err)
	fmt.Println(p)
	// Output:
	// ["npc" "St. John" "物品" "0"] <nil>
	// npc["St. John"].物品.0
}

func ExampleOf() {
	v, err := tree.Of(map[string]any{"name": "阿七", "tags": []string{"船工"}})
	fmt.Println(v, err)
	// Output:
	// {"name":"阿七","tags":["船工"]} <nil>
}

func ExampleValue_With() {
	bag := mustLoad(`{"rope": 1, "lamp": {"oil": 3}}`).Root()
	fmt.Println(bag.With("rope", tree.Int(2)).With("coin", tree.Int(9)))
	fmt.Println(bag.Without("rope"))
	fmt.Println(bag.Merge(mustLoad(`{"lamp": {"lit": true}}`).Root()))
	fmt.Println(bag)
	// Output:
	// {"rope":2,"lamp":{"oil":3},"coin":9}
	// {"lamp":{"oil":3}}
	// {"rope":1,"lamp":{"oil":3,"lit":true}}
	// {"rope":1,"lamp":{"oil":3}}
}

func ExampleValue_Map() {
	prices := tree.Array(tree.Int(10), tree.Text("not for sale"), tree.Int(25))
	fmt.Println(prices.Map(func(_ int, price tree.Value) tree.Value {
		n, ok := price.AsNumber()
		if !ok {
			return tree.Value{} // left out
		}
		return tree.Num(n.Mul("1.1"))
	}))
	// Output: [11,27.5]
}

func ExampleValue_Find() {
	doc := mustLoad(`{"stat_data": {"weather": ["fog", "what the sky does"]}}`)
	at, err := doc.Root().Find(tree.Path{"stat_data", "weather"}, tree.IsLeaf)
	fmt.Println(at.Content(), at.Slot(), err)
	// Output: "fog" stat_data.weather.0 <nil>
}
