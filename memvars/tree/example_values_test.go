package tree_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
)

// Values are built of parts, and a document is a value that is an object.
func ExampleNewDocument() {
	doc, err := tree.NewDocument(tree.Object(
		tree.Member{Key: "name", Value: tree.Text("Mara")},
		tree.Member{Key: "bag", Value: tree.Array(tree.Text("rope"), tree.Int(3))},
	))
	fmt.Println(doc, err)
	_, err = tree.NewDocument(tree.Int(1))
	fmt.Println(err)
	// Output:
	// {"name":"Mara","bag":["rope",3]} <nil>
	// tree: a document is an object, not number: not an object or a list
}

func ExampleDocument_Lookup() {
	doc := mustLoad(`{"stat_data": {"hp": [7, "hit points"]}}`)
	fmt.Println(doc.Lookup(tree.Path{"stat_data", "hp"})) // as stored
	fmt.Println(doc.Get("stat_data.hp"))                  // as read
	fmt.Println(doc.Lookup(tree.Path{"gold"}).Exists())
	// Output:
	// [7,"hit points"]
	// 7 true
	// false
}

// Two documents are equal if their content is equal. Same is cheaper: it reports whether nothing
// was written between the two versions.
func ExampleDocument_Same() {
	doc := mustLoad(`{"hp": 7}`)
	untouched := doc.Edit().Document()
	loaded := mustLoad(`{"hp": 7.0}`)
	fmt.Println(doc.Same(untouched), doc.Equal(untouched))
	fmt.Println(doc.Same(loaded), doc.Equal(loaded))
	// Output:
	// true true
	// false true
}

func ExampleEdit_Delete() {
	e := mustLoad(`{"bag": ["rope", "lamp", "bread"]}`).Edit()
	fmt.Println(e.Delete(tree.Path{"bag", "0"}), e.Delete(tree.Path{"bag", "7"}))
	fmt.Println(e.Document())
	// Output:
	// <nil> tree: delete bag.7: path not found
	// {"bag":["lamp","bread"]}
}

func ExampleEdit_Rename() {
	e := mustLoad(`{"stranger": {"hp": 7}, "place": "mill"}`).Edit()
	fmt.Println(e.Rename(tree.Path{"stranger"}, "mara"))
	fmt.Println(e.Document())
	// Output:
	// <nil>
	// {"mara":{"hp":7},"place":"mill"}
}

// A change of a whole object, split into the differences within it.
func ExampleChange_Parts() {
	e := mustLoad(`{"mara": {"hp": 7, "place": "mill"}}`).Edit()
	start := e.Mark()
	if err := e.Set(tree.Path{"mara"}, tree.Object(
		tree.Member{Key: "hp", Value: tree.Int(5)}, tree.Member{Key: "place", Value: tree.Text("mill")},
	)); err != nil {
		fmt.Println(err)
	}
	for _, c := range e.Since(start) {
		for _, part := range c.Parts() {
			fmt.Println(part.Path, part.Old, part.New)
		}
	}
	// Output:
	// mara.hp 7 5
}

func ExampleValue_Members() {
	v, err := tree.ParseValue([]byte(`{"rope": 1, "lamp": 2}`))
	for name, n := range v.Members() {
		fmt.Println(name, n)
	}
	fmt.Println(v.KeyAt(1), v.Len(), err)
	// Output:
	// rope 1
	// lamp 2
	// lamp 2 <nil>
}

func ExampleValue_Elements() {
	v := tree.Array(tree.Text("rope"), tree.Bool(true), tree.Null)
	for i, element := range v.Elements() {
		fmt.Println(i, element.Kind(), element)
	}
	// Output:
	// 0 string "rope"
	// 1 boolean true
	// 2 null null
}

// Text of models is read more leniently than text of authors.
func ExampleParseLoose() {
	const text = `{"hp": 7, "hp": 5}`
	_, err := tree.ParseValue([]byte(text))
	fmt.Println(err)
	v, err := tree.ParseLoose(text)
	fmt.Println(v, err)
	// Output:
	// tree: JSON at offset 18: duplicate key "hp"
	// {"hp":5} <nil>
}

// Numbers are decimal, and keep their spelling until they are used in arithmetic.
func ExampleParseNumber() {
	a, _ := tree.ParseNumber("0.1")
	b, _ := tree.ParseNumber("０．２")
	third, ok := tree.Number("1").Quo("3")
	_, byZero := tree.Number("1").Quo("0")
	fmt.Println(a.Add(b), a.Sub(b), a.Cmp(b), third, ok, byZero)
	fmt.Println(tree.Number("-2.5").Round(), tree.Number("2.5").Round(), tree.Number("2.9").Floor())
	// Output:
	// 0.3 -0.1 -1 0.3333333333333333 true false
	// -2 3 2
}

func ExamplePath_Child() {
	bag := tree.Path{"mara", "bag"}
	rope := bag.Child("rope of silk")
	fmt.Println(rope, rope.HasPrefix(bag), bag.HasPrefix(rope))
	// Output:
	// mara.bag.rope of silk true false
}

func ExampleValue_ContainsFunc() {
	v, err := tree.ParseValue([]byte(`{"bag": [{"name": "rope"}]}`))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(v.ContainsFunc(func(part tree.Value) bool { return part.Equal(tree.Text("rope")) }))
	// Output:
	// true
}

func ExampleValue_List() {
	v, err := tree.ParseValue([]byte(`["rope", "lamp"]`))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(tree.Array(append(v.List(), tree.Text("key"))...))
	// Output:
	// ["rope","lamp","key"]
}

func ExampleValue_Any() {
	v, err := tree.Of(map[string]any{"hp": 7, "tags": []string{"wet"}})
	fmt.Printf("%v %#v %v\n", v, v.Any(), err)
	// Output:
	// {"hp":7,"tags":["wet"]} map[string]interface {}{"hp":7, "tags":[]interface {}{"wet"}} <nil>
}

// A prompt keeps the characters that encoding/json escapes.
func ExampleAppendText() {
	fmt.Println(string(tree.AppendText(nil, `"<gold> & silver"`)))
	// Output: "\"<gold> & silver\""
}

func ExampleIndex() {
	fmt.Println(tree.Index("10"))
	fmt.Println(tree.Index("010"))
	// Output:
	// 10 true
	// 0 false
}

// Float writes the shortest number that reads back as the Go float.
func ExampleFloat() {
	fmt.Println(tree.Float(0.1), tree.Float(1e21))
	// Output: 0.1 1e+21
}
