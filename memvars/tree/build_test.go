package tree_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// TestBuilding: With, Without, Merge and Map give the documented results, and the original values
// do not change.
func TestBuilding(t *testing.T) {
	t.Parallel()
	parse := func(text string) tree.Value {
		v, err := tree.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	double := func(_ int, v tree.Value) tree.Value {
		n, ok := v.AsNumber()
		if !ok {
			return tree.Value{}
		}
		return tree.Num(n.Add(n))
	}
	for _, c := range []struct {
		reason, v string
		do        func(tree.Value) tree.Value
		want      string
	}{
		{"a member is replaced at its place", `{"a":1,"b":2}`, func(v tree.Value) tree.Value { return v.With("a", tree.Null) }, `{"a":null,"b":2}`},
		{"a new member comes last", `{"b":2}`, func(v tree.Value) tree.Value { return v.With("a", tree.Int(1)) }, `{"b":2,"a":1}`},
		{"an absent value takes the member away", `{"a":1,"b":2}`, func(v tree.Value) tree.Value { return v.With("a", tree.Value{}) }, `{"b":2}`},
		{"an element is replaced", `[1,2]`, func(v tree.Value) tree.Value { return v.With("1", tree.Int(9)) }, `[1,9]`},
		{"the length appends", `[1,2]`, func(v tree.Value) tree.Value { return v.With("2", tree.Int(9)) }, `[1,2,9]`},
		{"an index out of range changes nothing", `[1,2]`, func(v tree.Value) tree.Value { return v.With("3", tree.Int(9)) }, `[1,2]`},
		{"a key of a list changes nothing", `[1,2]`, func(v tree.Value) tree.Value { return v.With("x", tree.Int(9)).Without("x") }, `[1,2]`},
		{"a scalar has no members", `5`, func(v tree.Value) tree.Value { return v.With("a", tree.Null).Without("a").Map(double) }, `5`},
		{"an element is taken away", `[1,2,3]`, func(v tree.Value) tree.Value { return v.Without("1") }, `[1,3]`},
		{"merging is deep, lists are replaced", `{"a":{"x":1,"y":[1]},"b":2}`,
			func(v tree.Value) tree.Value { return v.Merge(parse(`{"a":{"y":[2],"z":3},"c":{}}`)) },
			`{"a":{"x":1,"y":[2],"z":3},"b":2,"c":{}}`},
		{"a scalar is replaced by an object", `{"a":1}`, func(v tree.Value) tree.Value { return v.Merge(parse(`{"a":{"b":1}}`)) }, `{"a":{"b":1}}`},
		{"merging nothing changes nothing", `{"a":1}`, func(v tree.Value) tree.Value { return v.Merge(tree.Value{}) }, `{"a":1}`},
		{"each member is made anew, what is absent left out", `{"a":1,"t":"x","b":2.5}`,
			func(v tree.Value) tree.Value { return v.Map(double) }, `{"a":2,"b":5}`},
		{"elements likewise", `[1,"x",2]`, func(v tree.Value) tree.Value { return v.Map(double) }, `[2,4]`},
	} {
		v := parse(c.v)
		if got := c.do(v); got.String() != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
		if v.String() != c.v {
			t.Errorf("%s: %s became %s", c.reason, c.v, v)
		}
	}
	v := parse(`{"a":[1,{"b":2}]}`)
	if !v.Map(func(_ int, c tree.Value) tree.Value { return c }).Same(v) {
		t.Error("a map that changes nothing copies")
	}
}

// TestBuildingManyMembers: the index of an object stays correct through the builders.
func TestBuildingManyMembers(t *testing.T) {
	t.Parallel()
	v := tree.Object()
	for i := range 60 {
		v = v.With(strconv.Itoa(i), tree.Int(int64(i)))
	}
	w := v.Without("7").Map(func(i int, c tree.Value) tree.Value {
		if i%2 == 0 {
			return tree.Value{}
		}
		return c
	}).Merge(v.Without("3"))
	for i := range 60 {
		if got := w.Get(strconv.Itoa(i)).String(); got != strconv.Itoa(i) && i != 3 {
			t.Errorf("%d became %s", i, got)
		}
	}
	if got := fmt.Sprint(w.IndexOf("1"), w.IndexOf("none"), w.Len()); got != "0 -1 59" && got != "0 -1 60" {
		t.Error(got)
	}
}

// TestNoDocumentIsTooDeepToBeLoaded: values that a host builds have the same limit as values that
// are read.
func TestNoDocumentIsTooDeepToBeLoaded(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]error{tree.MaxDepth: nil, tree.MaxDepth + 1: tree.ErrDepth, 50_000: tree.ErrDepth} {
		v := tree.Int(1)
		for range depth {
			v = tree.Object(tree.Member{Key: "a", Value: v})
		}
		d, err := tree.NewDocument(v)
		if !errors.Is(err, want) {
			t.Errorf("%d levels: %v, want %v", depth, err, want)
		}
		if err != nil {
			continue
		}
		if again, err := tree.ParseDocument([]byte(d.String())); err != nil || !again.Equal(d) {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
	if _, err := tree.NewDocument(tree.Int(1)); !errors.Is(err, tree.ErrNotContainer) {
		t.Error(err)
	}
}

// TestOneBoundOfNesting: a document has the same limit for readers, hosts and edits, and a value
// that contains a document can be read and edited (MV-26).
func TestOneBoundOfNesting(t *testing.T) {
	t.Parallel()
	nested := func(levels int) []byte {
		return []byte(strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels))
	}
	whole := func(v tree.Value) error {
		e, err := tree.Object(tree.Member{Key: "record", Value: tree.Object()}).Edit()
		if err != nil {
			return err
		}
		if err := e.Set(tree.Path{"record", "variables"}, v); err != nil {
			return err
		}
		_, err = tree.ParseValue(e.Value().AppendJSON(nil))
		return err
	}
	for _, tt := range []struct {
		reason string
		levels int
		do     func(levels int) error
	}{
		{"Load", tree.MaxDepth, func(n int) error { _, err := tree.ParseDocument(nested(n)); return err }},
		{"a document in JSON", tree.MaxDepth, func(n int) error { return json.Unmarshal(nested(n), new(tree.Document)) }},
		{"an edit of a member", tree.MaxDepth, func(n int) error {
			v, err := tree.ParseValue(nested(n - 1))
			if err != nil {
				return err
			}
			return tree.Document{}.Edit().Set(tree.Path{"b"}, v)
		}},
		{"an edit of the root", tree.MaxDepth, func(n int) error {
			v, err := tree.ParseValue(nested(n))
			if err != nil {
				return err
			}
			return tree.Document{}.Edit().Set(nil, v)
		}},
		{"an insertion into a list", tree.MaxDepth, func(n int) error {
			v, err := tree.ParseValue(nested(n - 2))
			if err != nil {
				return err
			}
			e := tree.Document{}.Edit()
			return errors.Join(e.Set(tree.Path{"l"}, tree.Array()), e.Insert(tree.Path{"l"}, 0, v))
		}},
		{"ParseValue", tree.MaxNesting, func(n int) error { _, err := tree.ParseValue(nested(n)); return err }},
		{"ParseLoose", tree.MaxNesting, func(n int) error { _, err := tree.ParseLoose(string(nested(n))); return err }},
		{"a value within others", tree.MaxNesting - 2, func(n int) error {
			v, err := tree.ParseValue(nested(n))
			if err != nil {
				return err
			}
			return whole(v)
		}},
	} {
		for n, want := range map[int]error{tt.levels - 1: nil, tt.levels: nil, tt.levels + 1: tree.ErrDepth} {
			if err := tt.do(n); !errors.Is(err, want) {
				t.Errorf("%s, %d levels: %v, want %v", tt.reason, n, err, want)
			}
		}
	}
	deepest, err := tree.ParseDocument(nested(tree.MaxDepth))
	if err != nil {
		t.Fatal(err)
	}
	if err := whole(deepest.Root()); err != nil {
		t.Errorf("the deepest document does not fit into a record: %v", err)
	}
	if _, err := tree.Int(1).Edit(); !errors.Is(err, tree.ErrNotContainer) {
		t.Errorf("an edit of a scalar: %v", err)
	}
}
