package tree_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/memvars/tree"
)

// TestParseDocumentSkipsAMark: some editors add a byte order mark to files.
func TestParseDocumentSkipsAMark(t *testing.T) {
	t.Parallel()
	if d, err := tree.ParseDocument([]byte("\ufeff{\"a\":1}")); err != nil || d.String() != `{"a":1}` {
		t.Errorf("%s, %v", d, err)
	}
}

// TestParseDocumentRejects lists texts that are not documents, each with the reason.
func TestParseDocumentRejects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, text string }{
		{"empty", ""},
		{"not an object", `[1]`},
		{"trailing comma", `{"a":1,}`},
		{"duplicate key", `{"a":1,"b":{"x":1,"x":1}}`},
		{"duplicate key written in another way", `{"a":1,"\u0061":1}`},
		{"something after", `{} {}`},
		{"leading zero", `{"a":01}`},
		{"plus", `{"a":+1}`},
		{"bare word", `{a:1}`},
		{"control character", "{\"a\":\"\n\"}"},
		{"bad escape", `{"a":"\x41"}`},
		{"not UTF-8", "{\"a\":\"\xff\"}"},
		{"too deep", `{"a":` + string(slices.Repeat([]byte("["), 2000)) + string(slices.Repeat([]byte("]"), 2000)) + "}"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			if d, err := tree.ParseDocument([]byte(c.text)); err == nil {
				t.Errorf("read as %s", d)
			}
		})
	}
}

// TestRoundTrip: order of keys, spelling of numbers and all characters survive
// (MV-01, MV-27).
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`,
		`{"z":1.0,"a":1e2,"m":-0,"n":123456789012345678901234567890,"e":1E+5}`,
		`{"@foo":1,"p|q":2,"*":3,":0":4,"a.b":5,"[0]":6,"\"":7,"🐉":8,"":9,"#":10,"\\":11}`,
		`{"t":"<a href='x'>&amp; \\ \" \n\t\u0001</a>","nested":{"list":[[],{},[null,true,false]]}}`,
		`{"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":10,"k0":0}`,
	} {
		d, err := tree.ParseDocument([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if d.String() != text {
			t.Errorf("%s became %s", text, d)
		}
		data, err := json.Marshal(struct{ D tree.Document }{d})
		if err != nil {
			t.Fatal(err)
		}
		var back struct{ D tree.Document }
		if err := json.Unmarshal(data, &back); err != nil || !back.D.Equal(d) {
			t.Errorf("%s through encoding/json: %s, %v", text, back.D, err)
		}
	}
}

// TestEditAgainstOracle compares random edits with the same edits on Go maps and
// checks that no earlier version changes.
func TestEditAgainstOracle(t *testing.T) {
	t.Parallel()
	r := rng(6)
	for range 100 {
		oracle := map[string]any{}
		doc := tree.Document{}
		var old []tree.Document
		var oldText []string
		for range 5 {
			e := doc.Edit()
			for range 30 {
				group, key := "g"+strconv.Itoa(r.IntN(3)), "k"+strconv.Itoa(r.IntN(15))
				members, exists := oracle[group].(map[string]any)
				path := tree.Path{group, key}
				switch r.IntN(5) {
				case 0, 1, 2:
					if !exists {
						members = map[string]any{}
						oracle[group] = members
						if err := e.Set(path[:1], tree.Object()); err != nil {
							t.Fatal(err)
						}
					}
					n := r.IntN(1000)
					members[key] = float64(n)
					if err := e.Set(path, tree.Int(int64(n))); err != nil {
						t.Fatal(err)
					}
				case 3:
					_, has := members[key]
					delete(members, key)
					if err := e.Delete(path); (err == nil) != has {
						t.Fatalf("delete %s: %v", path, err)
					}
				case 4:
					other := "k" + strconv.Itoa(r.IntN(15))
					v, has := members[key]
					_, taken := members[other]
					err := e.Rename(path, other)
					if ok := has && (!taken || key == other); (err == nil) != ok {
						t.Fatalf("rename %s to %s: %v", path, other, err)
					}
					if err == nil {
						delete(members, key)
						members[other] = v
					}
				}
			}
			old, oldText = append(old, doc), append(oldText, doc.String())
			doc = e.Document()
			if diff := cmp.Diff(any(oracle), doc.Root().Any()); diff != "" {
				t.Fatal(diff)
			}
		}
		for i, d := range old {
			if d.String() != oldText[i] {
				t.Fatalf("version %d changed", i)
			}
		}
	}
}

// TestLookedUpValuesStay: later edits do not change a value that an edit returned.
func TestLookedUpValuesStay(t *testing.T) {
	t.Parallel()
	e := load(t, []byte(`{"a":{"b":{"c":1}},"l":[{"x":1}]}`)).Edit()
	set := func(p tree.Path, n int64) {
		if err := e.Set(p, tree.Int(n)); err != nil {
			t.Fatal(err)
		}
	}
	set(tree.Path{"a", "b", "c"}, 2)
	set(tree.Path{"l", "0", "x"}, 2)
	whole, inner := e.Lookup(nil), e.Lookup(tree.Path{"a"})
	set(tree.Path{"a", "b", "c"}, 3)
	set(tree.Path{"l", "0", "x"}, 3)
	if got := whole.String() + inner.String(); got != `{"a":{"b":{"c":2}},"l":[{"x":2}]}{"b":{"c":2}}` {
		t.Error(got)
	}
	if got := e.Document().String(); got != `{"a":{"b":{"c":3}},"l":[{"x":3}]}` {
		t.Error(got)
	}
}

func TestEditErrors(t *testing.T) {
	t.Parallel()
	d := load(t, []byte(`{"a":{"x":1,"y":2},"l":[1,2]}`))
	for _, c := range []struct {
		name string
		do   func(*tree.Edit) error
		want error
	}{
		{"set below a missing parent", func(e *tree.Edit) error { return e.Set(tree.Path{"b", "c"}, tree.Null) }, tree.ErrNotFound},
		{"set below a scalar", func(e *tree.Edit) error { return e.Set(tree.Path{"a", "x", "c"}, tree.Null) }, tree.ErrNotContainer},
		{"set a scalar root", func(e *tree.Edit) error { return e.Set(nil, tree.Null) }, tree.ErrNotContainer},
		{"set past the end", func(e *tree.Edit) error { return e.Set(tree.Path{"l", "3"}, tree.Null) }, tree.ErrIndex},
		{"set a key of a list", func(e *tree.Edit) error { return e.Set(tree.Path{"l", "x"}, tree.Null) }, tree.ErrIndex},
		{"insert past the end", func(e *tree.Edit) error { return e.Insert(tree.Path{"l"}, 3, tree.Null) }, tree.ErrIndex},
		{"insert into an object", func(e *tree.Edit) error { return e.Insert(tree.Path{"a"}, 0, tree.Null) }, tree.ErrNotContainer},
		{"delete nothing", func(e *tree.Edit) error { return e.Delete(tree.Path{"z"}) }, tree.ErrNotFound},
		{"delete the root", func(e *tree.Edit) error { return e.Delete(nil) }, tree.ErrNotFound},
		{"rename onto another", func(e *tree.Edit) error { return e.Rename(tree.Path{"a", "x"}, "y") }, tree.ErrExists},
		{"rename in a list", func(e *tree.Edit) error { return e.Rename(tree.Path{"l", "0"}, "y") }, tree.ErrNotContainer},
	} {
		e := d.Edit()
		if err := c.do(e); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if !e.Document().Same(d) {
			t.Errorf("%s: another version", c.name)
		}
	}
}

// TestReadsAgainstGjson compares reads with gjson on its own escaped paths.
func TestReadsAgainstGjson(t *testing.T) {
	t.Parallel()
	characters := []rune(`ab.|#@!{}[]()*?<>~\"' 甲🐉0`)
	r := rng(7)
	for range 300 {
		keys := make([]string, 3)
		for i := range keys {
			n := 1 + r.IntN(4)
			key := make([]rune, n)
			for j := range key {
				key[j] = characters[r.IntN(len(characters))]
			}
			keys[i] = "k" + string(key) + "x"
		}
		v := tree.Int(int64(r.IntN(1000)))
		for _, key := range slices.Backward(keys) {
			v = tree.Object(tree.Member{Key: "other", Value: tree.Null}, tree.Member{Key: key, Value: v})
		}
		d, err := tree.NewDocument(v)
		if err != nil {
			t.Fatal(err)
		}
		escaped := gjson.Escape(keys[0]) + "." + gjson.Escape(keys[1]) + "." + gjson.Escape(keys[2])
		want := gjson.Get(d.String(), escaped).Raw
		if got := d.Lookup(keys).String(); got != want {
			t.Errorf("%q: %s, gjson reads %s", keys, got, want)
		}
		if got, ok := d.Get(tree.Path(keys).String()); !ok || fmt.Sprint(got) != want {
			t.Errorf("%q: Get gives %v, gjson %s", keys, got, want)
		}
	}
}

// TestPathRoundTrip: every path is read back from its text.
func TestPathRoundTrip(t *testing.T) {
	t.Parallel()
	for _, p := range []tree.Path{
		{"a"}, {"a", "b", "0"}, {"a.b", "c"}, {" a ", "[x]"}, {`\`, `"`, "'", "`"}, {"键", "🐉"}, {"a]b"}, {"*#@|?"},
		{"0", "1"}, {"\t", "\n"},
	} {
		back, err := tree.ParsePath(p.String())
		if err != nil || !slices.Equal(back, p) {
			t.Errorf("%q is written %s and read %q, %v", []string(p), p, []string(back), err)
		}
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	d := load(t, []byte(`{
		"stat_data": {"a": [1, "d"], "o": [{"x": [2, "d"]}, "d"], "list": ["p", "q", "r"], "n": null, "b": true,
			"two": [["x", "y"], "d"]},
		"assa_data": {"pair": [0, "d"]},
		"x.y": "dotted", "x": {"y": "walked"}
	}`))
	for path, want := range map[string]string{
		"stat_data.a": "1", "stat_data.a[0]": "1", "stat_data.a[1]": `"d"`, "stat_data.o.x": "2",
		"stat_data.o[0].x": "2", "stat_data.o": `{"x":[2,"d"]}`, "stat_data.list[2]": `"r"`, "stat_data.n": "null",
		"stat_data.b": "true", "assa_data.pair": `[0,"d"]`, "x.y": `"dotted"`, "x['y']": `"walked"`,
		"stat_data.two": `["x","y"]`, "stat_data.two[0][1]": `"y"`,
	} {
		got, ok := d.Get(path)
		v, err := tree.Of(got)
		if !ok || err != nil || v.String() != want {
			t.Errorf("%s: %v %v, want %s", path, v, ok, want)
		}
	}
	for _, path := range []string{"", "stat_data.z", "stat_data.a.b", "stat_data.list[3]", "a..b", "stat_data.a[2]"} {
		if got, ok := d.Get(path); ok {
			t.Errorf("%s gives %v", path, got)
		}
	}
}

// TestNumbers compares the arithmetic with exact rationals (MV-27).
func TestNumbers(t *testing.T) {
	t.Parallel()
	r := rng(8)
	random := func() tree.Number {
		n := strconv.Itoa(r.IntN(2_000_000) - 1_000_000)
		switch r.IntN(4) {
		case 0:
			return tree.Number(n + "." + strconv.Itoa(r.IntN(1000)))
		case 1:
			return tree.Number(n + "e" + strconv.Itoa(r.IntN(20)-10))
		case 2:
			return tree.Number(n + "00000000000000000001")
		}
		return tree.Number(n)
	}
	exact := func(n tree.Number) *big.Rat {
		x, ok := new(big.Rat).SetString(string(n))
		if !ok {
			t.Fatalf("%q is no number", n)
		}
		return x
	}
	for range 1000 {
		a, b := random(), random()
		x, y := exact(a), exact(b)
		if a.Cmp(b) != x.Cmp(y) {
			t.Errorf("%s against %s: %d", a, b, a.Cmp(b))
		}
		for name, got := range map[string][2]*big.Rat{
			"+": {exact(a.Add(b)), new(big.Rat).Add(x, y)},
			"-": {exact(a.Sub(b)), new(big.Rat).Sub(x, y)},
			"*": {exact(a.Mul(b)), new(big.Rat).Mul(x, y)},
		} {
			if got[0].Cmp(got[1]) != 0 {
				t.Errorf("%s %s %s = %s", a, name, b, got[0])
			}
		}
	}
	for _, n := range []tree.Number{"1e999999999", "-1e999999999"} {
		for _, got := range []tree.Number{n.Add("1"), n.Sub(n), n.Mul("0"), n.Mul(n)} {
			if !json.Valid([]byte(got)) {
				t.Errorf("%s computes to %s", n, got)
			}
		}
	}
}

func TestValueAccessors(t *testing.T) {
	t.Parallel()
	v := tree.Object(
		tree.Member{Key: "a", Value: tree.Int(1)},
		tree.Member{Key: "b", Value: tree.Array(tree.Text("x"), tree.Value{})},
		tree.Member{Key: "a", Value: tree.Float(2.5)},
		tree.Member{Key: "gone", Value: tree.Value{}},
	)
	if got := v.String(); got != `{"a":2.5,"b":["x",null]}` {
		t.Error(got)
	}
	if v.Len() != 2 || v.KeyAt(1) != "b" || v.KeyAt(9) != "" || v.At(-1).Exists() || v.Get("z").Exists() {
		t.Error("accessors")
	}
	if f, ok := v.Get("a").AsFloat(); !ok || f != 2.5 {
		t.Error(f, ok)
	}
	if n, ok := v.Get("a").AsNumber(); !ok || n != "2.5" {
		t.Error(n, ok)
	}
	if !tree.Float(math.Inf(1)).IsNull() {
		t.Error("an infinity is no JSON number")
	}
	keys := maps.Collect(v.Members())
	if len(keys) != 2 || !keys["b"].IsArray() {
		t.Error(keys)
	}
	if tree.KindText.String() != "string" || tree.Kind(99).String() != "kind 99" {
		t.Error("names of kinds")
	}
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func load(t *testing.T, data []byte) tree.Document {
	t.Helper()
	d, err := tree.ParseDocument(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
