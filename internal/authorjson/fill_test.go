package authorjson_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

type word string

// form has a field of each type that Filled reads, and some that it does not read.
type form struct {
	Kind   word       `json:"kind"`
	Weight *float64   `json:"weight,omitempty"`
	Size   float64    `json:"size,omitempty"`
	Turns  *int       `json:"turns,omitempty"`
	Sides  int        `json:"sides,omitempty"`
	Locked *bool      `json:"locked,omitempty"`
	Hidden bool       `json:"hidden,omitempty"`
	Tags   []string   `json:"tags,omitempty"`
	Loot   tree.Value `json:"loot,omitzero"`
	Part   *form      `json:"part,omitempty"`
	Shares []float64  `json:"shares,omitempty"`
	Plain  string

	Extra map[string]json.RawMessage `json:"-"`
}

// Each field is read by its JSON name. The part has a reader of its own.
func ExampleFilled() {
	f, _ := authorjson.Read([]byte(`{"kind":"chest","turns":2.5,"part":{},"color":"red"}`))
	chest := authorjson.Filled[form](f)
	chest.Extra = f.Rest()
	fmt.Println(chest.Kind, *chest.Turns, chest.Locked == nil, len(chest.Extra))
	// Output: chest 3 true 2
}

// TestFilled: the result is the result of the methods of Fields, member by member.
func TestFilled(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"kind":"k","weight":1.5,"size":2,"turns":3,"sides":6,"locked":true,"hidden":true,"tags":["a"],"loot":{"b":[1]}}`,
		`{"kind":1,"weight":"x","size":[],"turns":{},"sides":null,"locked":0,"hidden":"yes","tags":["a",1],"loot":null}`,
		`{"kind":null,"tags":"a","part":{"kind":"x"},"shares":[1],"Plain":"p","plain":"p"}`, `{}`, `7`,
	} {
		one, err := authorjson.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		each, _ := authorjson.Read([]byte(text))
		got := authorjson.Filled[form](one)
		want := form{
			Kind: word(each.Text("kind")), Weight: each.Number("weight"), Size: authorjson.OrZero(each.Number("size")),
			Turns: each.Whole("turns"), Sides: authorjson.OrZero(each.Whole("sides")), Locked: each.Flag("locked"),
			Hidden: each.True("hidden"), Tags: each.Texts("tags"), Loot: each.Value("loot"),
		}
		got.Extra, want.Extra = one.Rest(), each.Rest()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if diff := cmp.Diff(each.Bad(), one.Bad()); diff != "" {
			t.Errorf("%s: members of the wrong type: %s", text, diff)
		}
	}
}
