package memvars_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// randomValue builds values as a host may build them, with texts that JSON cannot contain.
func randomValue(r *rand.Rand, depth int) tree.Value {
	texts := []string{"", "a", "\xff", "a\x00b", "甲\xe7", "\u2028<>&", "\"\\", "\ufffd"}
	text := func() string { return texts[r.IntN(len(texts))] }
	switch n := r.IntN(10); {
	case n == 0:
		return tree.Null
	case n == 1:
		return tree.Bool(r.IntN(2) == 0)
	case n == 2:
		return tree.Num(tree.Number([]string{"1", "-0", "1e5", "0.10", "1.50"}[r.IntN(5)]))
	case n == 3:
		return tree.Float([]float64{0.1, 1e300, -5, 1 / (r.Float64() - 0.5)}[r.IntN(4)])
	case n < 7 || depth > 3:
		return tree.Text(text())
	case n < 9:
		var members []tree.Member
		for range r.IntN(4) {
			members = append(members, tree.Member{Key: text(), Value: randomValue(r, depth+1)})
		}
		return tree.Object(members...)
	}
	return tree.Array(randomValue(r, depth+1), tree.Value{}, randomValue(r, depth+1))
}

// again writes a value and reads it back.
func again[T any](t *testing.T, v T) (back T) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return back
}

// TestRoundTripOfHostValues: every stored type is read back as it was written, also values that
// only a Go host can build.
func TestRoundTripOfHostValues(t *testing.T) {
	t.Parallel()
	r := rng(11)
	for range 2000 {
		v := randomValue(r, 0)
		if back := again(t, v); !back.Equal(v) || back.String() != v.String() {
			t.Fatalf("%s is read back as %s", v, back)
		}
		d, err := tree.NewDocument(tree.Object(tree.Member{Key: "k", Value: v}))
		if err != nil {
			t.Fatal(err)
		}
		if back := again(t, d); !back.Equal(d) {
			t.Fatalf("%s is read back as %s", d, back)
		}
		c := tree.Change{Path: tree.Path{"a", "", "b.c"}, Old: v, By: "cmd:1"}
		if back := again(t, c); jsonText(back) != jsonText(c) || !back.Old.Equal(c.Old) {
			t.Fatalf("%+v is read back as %+v", c, back)
		}
	}
	doc := standard(t)
	sys := defaultSystem(t)
	state := sys.Begin(doc)
	for range 200 {
		text := hostileMessage(r) + commands(r, 2)
		for _, op := range sys.Parse(text) {
			if back := again(t, op); back.String() != op.String() || !reflect.DeepEqual(back.Fault, op.Fault) {
				t.Fatalf("%+v is read back as %+v", op, back)
			}
		}
		var res memvars.Result
		doc, res = sys.Apply(doc, text, memvars.AI)
		want, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(again(t, res)); err != nil || string(got) != string(want) {
			t.Fatalf("%s is read back as %s, %v", want, got, err)
		}
		doc, state, _ = sys.EndTurn(doc, state, memvars.Turn{Reply: text})
		back := again(t, state)
		a, b := jsonText(state), jsonText(back)
		if a != b || back.SummaryDue() != state.SummaryDue() {
			t.Fatalf("%s is read back as %s", a, b)
		}
	}
	for _, o := range []memvars.Options{{}, memvars.Origin(), {Derived: memvars.Derived{Formulas: []memvars.Formula{}}, Rules: []memvars.Rule{{Allow: true}}},
		{Calendar: memvars.Calendar{Months: []int{30}}, KeepBig: new(0), Profile: new(memvars.DefaultProfile())}} {
		if back := again(t, o); !reflect.DeepEqual(back, o) {
			t.Errorf("%+v is read back as %+v", o, back)
		}
	}
}
