package state

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// randomValue returns a JSON value of at most the given depth. Keys come from a small set, so two
// values share some of them in a different order.
func randomValue(r *rand.Rand, depth int) tree.Value {
	n := r.IntN(5)
	if depth == 0 {
		n = r.IntN(3)
	}
	switch n {
	case 0:
		return tree.Int(int64(r.IntN(4)))
	case 1:
		return tree.Text([]string{"", "a", "药|水", "x.y"}[r.IntN(4)])
	case 2:
		return tree.Num([]tree.Number{"1.0", "1", "1e0"}[r.IntN(3)]) // different spellings
	case 3:
		elems := make([]tree.Value, r.IntN(4))
		for i := range elems {
			elems[i] = randomValue(r, depth-1)
		}
		return tree.Array(elems...)
	}
	return randomObject(r, depth)
}

func randomObject(r *rand.Rand, depth int) tree.Value {
	var members []tree.Member
	for _, k := range r.Perm(6)[:r.IntN(7)] {
		members = append(members, tree.Member{
			Key: []string{"a", "b", "0", "", "a.b", "键"}[k], Value: randomValue(r, depth-1)})
	}
	return tree.Object(members...)
}

// TestDeltaIsExact: for any two values, the delta applied to the first gives the second, byte for
// byte, including key order and spelling of numbers. A delta survives its JSON form.
func TestDeltaIsExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		a, b := randomObject(r, 3), randomObject(r, 3)
		d := Diff(a, b)
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if own := d.AppendJSON(nil); string(own) != string(data) {
			t.Fatalf("%s, and encoding/json writes %s", own, data)
		}
		var read Delta
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		got, err := read.Apply(a)
		if err != nil {
			t.Fatalf("round %d: %v\na %s\nb %s\nd %s", i, err, a, b, data)
		}
		if got.String() != b.String() {
			t.Fatalf("round %d: got %s, want %s\na %s\nd %s", i, got, b, a, data)
		}
		if same := Diff(b, b); len(same) != 0 {
			t.Fatalf("a value differs from itself: %v", same)
		}
	}
}

// TestDeltaOfMovedLists: a list that lost some elements and got new ones at its end is not written
// as a whole.
func TestDeltaOfMovedLists(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var list []tree.Value
		for range r.IntN(8) {
			list = append(list, randomValue(r, 2))
		}
		first := r.IntN(len(list) + 1)
		count := r.IntN(len(list) - first + 1)
		next := slices.Concat(list[:first], list[first+count:])
		for range r.IntN(3) {
			next = append(next, randomValue(r, 2))
		}
		a := tree.Object(tree.Member{Key: "a", Value: tree.Array(list...)})
		b := tree.Object(tree.Member{Key: "a", Value: tree.Array(next...)})
		if got, err := Diff(a, b).Apply(a); err != nil || got.String() != b.String() {
			t.Fatalf("%v: got %s, want %s", err, got, b)
		}
	}
	big := tree.Text("a long text that is in the list already")
	object := tree.Object(tree.Member{Key: "k", Value: big})
	a := tree.Array(tree.Int(1), big, big, object)
	b := tree.Array(big, big, tree.Object(tree.Member{Key: "k", Value: big}), tree.Int(2))
	if d := Diff(a, b); len(d) != 2 {
		t.Errorf("%d steps: %v", len(d), d)
	}
}

// TestDeltaIsSmall: unchanged parts are not written, wherever a new member is.
func TestDeltaIsSmall(t *testing.T) {
	t.Parallel()
	const big = `{"list": [1, 2, 3, 4, 5, 6, 7, 8, 9]}`
	for _, c := range []struct{ name, a, b, want string }{
		{"nothing", `{"a": 1, "big": ` + big + `}`, `{"a": 1, "big": ` + big + `}`, `null`},
		{"a value", `{"a": 1, "big": ` + big + `}`, `{"a": 2, "big": ` + big + `}`,
			`[{"path":["a"],"value":2}]`},
		{"a member in front", `{"big": ` + big + `}`, `{"a": 1, "b": 2, "big": ` + big + `}`,
			`[{"path":["a"],"value":1,"before":"big"},{"path":["b"],"value":2,"before":"big"}]`},
		{"a member goes", `{"a": 1, "big": ` + big + `}`, `{"big": ` + big + `}`,
			`[{"path":["a"]}]`},
		{"a member at the end", `{"big": ` + big + `}`, `{"big": ` + big + `, "z": 1}`,
			`[{"path":["z"],"value":1}]`},
		{"an element", `{"big": ` + big + `}`,
			`{"big": {"list": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}`,
			`[{"path":["big","list","9"],"value":10}]`},
		{"another order", `{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`,
			`[{"path":null,"value":{"b":2,"a":1}}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, err := tree.ParseValue([]byte(c.a))
			if err != nil {
				t.Fatal(err)
			}
			b, err := tree.ParseValue([]byte(c.b))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(Diff(a, b))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestDeltaRefusesNonsense: applying a delta to a value that it does not fit is an error and
// changes nothing.
func TestDeltaRefusesNonsense(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no parent":                    `[{"path": ["x", "y"], "value": 1}]`,
		"nothing to cut":               `[{"path": ["x"]}]`,
		"no neighbour":                 `[{"path": ["x"], "value": 1, "before": "z"}]`,
		"a neighbour that comes later": `[{"path": ["x"], "value": 1, "before": "z"}, {"path": ["a"]}, {"path": ["z"], "value": 2}]`,
	} {
		var d Delta
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		v := tree.Object(tree.Member{Key: "a", Value: tree.Int(1)})
		if got, err := d.Apply(v); err == nil || got.String() != `{"a":1}` {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	var chained Delta
	if err := json.Unmarshal([]byte(`[{"path": ["x"], "value": 1, "before": "a"}, {"path": ["y"], "value": 2, "before": "x"}, {"path": [], "value": {"b": 3}, "before": "a"}]`), &chained); err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{`{"a":1}`, `{"x":1,"a":1}`, `{"y":2,"x":1,"a":1}`, `{"b":3}`} {
		if got, err := chained[:n].Apply(tree.Object(tree.Member{Key: "a", Value: tree.Int(1)})); err != nil || got.String() != want {
			t.Errorf("%d steps: %s, %v, want %s", n, got, err, want)
		}
	}
	if got, err := (Delta{}).Apply(tree.Int(1)); err == nil {
		t.Errorf("a number becomes %s", got)
	}
}

// BenchmarkDiff: the cost of the difference of the variables of two campaigns depends on the size
// of the difference.
func BenchmarkDiff(b *testing.B) {
	var members []tree.Member
	for i := range 1000 {
		members = append(members, tree.Member{Key: "k" + strconv.Itoa(i), Value: tree.Object(
			tree.Member{Key: "text", Value: tree.Text(fmt.Sprint("value ", i))})})
	}
	before, err := tree.NewDocument(tree.Object(members...))
	if err != nil {
		b.Fatal(err)
	}
	edit := before.Edit()
	if err := edit.Set(tree.Path{"k500", "text"}, tree.Text("other")); err != nil {
		b.Fatal(err)
	}
	after := edit.Document()
	b.ReportAllocs()
	for b.Loop() {
		if n := len(Diff(before.Root(), after.Root())); n != 1 {
			b.Fatalf("%d steps", n)
		}
	}
}

// TestIdenticalTakesFewSteps: equal values that share no node count as different after the last step.
func TestIdenticalTakesFewSteps(t *testing.T) {
	t.Parallel()
	list := func() tree.Value {
		return tree.Array(tree.Array(tree.Text("a"), tree.Text("b")), tree.Array(tree.Text("c")))
	}
	for steps, want := range map[int]bool{1: false, 2: false, 100: true} {
		if got := identical(list(), list(), &steps); got != want {
			t.Errorf("%d steps left: %t", steps, got)
		}
	}
}
