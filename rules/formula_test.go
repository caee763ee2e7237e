package rules_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

func Example_formula() {
	f, err := rules.ParseFormula("str * (1 + lv * 0.5)")
	if err != nil {
		fmt.Println(err)
		return
	}
	hero := tree.Object(
		tree.Member{Key: "str", Value: tree.Int(10)},
		tree.Member{Key: "lv", Value: tree.Int(2)})
	fmt.Println(f.Names())
	fmt.Println(f.Eval(hero.Get))
	// Output:
	// [str lv]
	// 20 true
}

// A formula is parsed once and computed as often as its variables change. If it reads an unknown
// name, there is no result.
func ExampleFormula_Eval() {
	f, _ := rules.ParseFormula("gold >= price && !closed")
	shop := tree.Object(
		tree.Member{Key: "gold", Value: tree.Int(9)},
		tree.Member{Key: "price", Value: tree.Int(4)},
		tree.Member{Key: "closed", Value: tree.Bool(false)})
	fmt.Println(f.Eval(shop.Get))
	_, ok := f.Eval(tree.Object().Get)
	fmt.Println(ok)
	// Output:
	// 1 true
	// false
}

func ExampleFormula_Names() {
	f, _ := rules.ParseFormula("max(str, bag.weight) * str + {odd name}")
	fmt.Println(f.Names())
	// Output: [str bag.weight odd name]
}

func ExampleParseFormula() {
	_, err := rules.ParseFormula("hp + launch(1)")
	fmt.Println(err)
	// Output: formula: offset 5: no function "launch"
}

// TestFormulasWithTexts: a formula of a text variable may choose a text. For other types a text is no
// result.
func TestFormulasWithTexts(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeNumber, Default: tree.Int(9)},
		{ID: "rank", Type: rules.TypeString, Formula: `if(hp < 5, "hurt", if(hp > 8, "fresh", hp))`},
		{ID: "copy", Type: rules.TypeString, Formula: "rank"},
		{ID: "fit", Type: rules.TypeBoolean, Formula: `rank == "fresh"`},
		{ID: "number", Type: rules.TypeNumber, Default: tree.Int(1), Formula: `if(hp > 5, "x", 2)`},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for hp, want := range map[string]string{
		"9": `{"hp":9,"rank":"fresh","copy":"fresh","fit":true,"number":1}`,
		"7": `{"hp":7,"rank":"7","copy":"7","fit":false,"number":1}`,
		"4": `{"hp":4,"rank":"hurt","copy":"hurt","fit":false,"number":2}`,
	} {
		st := program.Apply(program.Complete(rules.State{}), effect.By("x", set("hp", effect.Set, hp)), rules.Options{}).State
		if got := st.Variables.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestDefaultsOfAWrongType: a default that spells a value of the type counts as the value. Otherwise the
// variable begins empty.
func TestDefaultsOfAWrongType(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "gold", Type: rules.TypeNumber, Default: tree.Text("20")},
		{ID: "met", Type: rules.TypeBoolean, Default: tree.Text("true")},
		{ID: "mood", Type: rules.TypeString, Default: tree.Int(5)},
		{ID: "day", Type: rules.TypeNumber, Default: tree.Text("first")},
	}})
	if len(problems) != 4 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
	if got, want := program.Complete(rules.State{}).Variables.String(), `{"gold":20,"met":true,"mood":"5","day":0}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// evalFormula computes a formula. For a formula that cannot be parsed, ok is false.
func evalFormula(text string, lookup func(name string) tree.Value) (result float64, ok bool) {
	f, err := rules.ParseFormula(text)
	if err != nil {
		return 0, false
	}
	return f.Eval(lookup)
}

func TestEval(t *testing.T) {
	t.Parallel()
	vars := tree.Object(
		tree.Member{Key: "list", Value: tree.Array(tree.Int(3), tree.Text("4"))},
		tree.Member{Key: "t", Value: tree.Text("x")},
		tree.Member{Key: "odd name!", Value: tree.Int(2)},
		tree.Member{Key: "等级", Value: tree.Int(3)})
	for text, want := range map[string]float64{
		"2 ^ 3 ^ 2": 64, "-2 ^ 2": 4, "1 - 2 - 3": -4, "7 % 0": 0, "2 + 3 * 4 ^ 2": 50,
		"sum(list, 1)": 8, "if(2 > 1, clamp(12, 0, 9), 1 / 0)": 9, "max(list)": 4, "t == 'x'": 1, "t != \"x\"": 0, "'3' == 3": 1,
		"{odd name!} × （1＋等级）": math.NaN(), "{odd name!} × （1 + 等级）": 8, "len('a，b| |c')": 3,
		"round(-2.5)": -2, "!0 && 1 || 0": 1, "1 < 2 == 1": 1, "「5」 + 1": 6, "+3": 3,
		"t + 1": math.NaN(), "len(5)": math.NaN(), "min()": math.NaN(), "1 2": math.NaN(),
		"1e400": math.NaN(), "((1)": math.NaN(), "'open": math.NaN(), "if(1, 2)": math.NaN(),
	} {
		got, ok := evalFormula(text, vars.Get)
		if ok == math.IsNaN(want) || ok && got != want {
			t.Errorf("%s = %v %v, want %v", text, got, ok, want)
		}
	}
}

// TestSumsOfFormulas: formulas compute as the other three languages do. The table lists the differences.
func TestSumsOfFormulas(t *testing.T) {
	t.Parallel()
	for _, s := range testkit.Sums() {
		if got, ok := evalFormula(s.Text, tree.Object().Get); ok == math.IsNaN(s.Rules) || ok && got != s.Rules {
			t.Errorf("%s = %v %v, want %v", s.Text, got, ok, s.Rules)
		}
	}
}

// FuzzParse: nothing panics, errors have a place, and a parsed formula can be computed.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a + b.c * {d e} ^ 2", "if(a >= 1, min(1,2), 'x')", "!-+1", "((((",
		"「", "max (1, 2)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := rules.ParseFormula(text)
		if err != nil {
			var place *rules.FormulaError
			if !errors.As(err, &place) || place.Offset < 0 || place.Offset > len(text) {
				t.Errorf("no place in %v", err)
			}
			return
		}
		parsed.Eval(func(string) tree.Value { return tree.Int(2) })
		if parsed.String() != text {
			t.Errorf("text %q became %q", text, parsed)
		}
	})
}

// In a list, elements that are not numbers are skipped by sum, min and max.
func TestListsWithOtherThings(t *testing.T) {
	t.Parallel()
	list, err := tree.ParseValue([]byte(`[-3, "x", null, -5, {"a": 1}, "", " -4 ", [[-9], "y"]]`))
	if err != nil {
		t.Fatal(err)
	}
	lookup := func(name string) tree.Value {
		switch name {
		case "list":
			return list
		case "words":
			return tree.Array(tree.Text("a"), tree.Text("b"))
		}
		return tree.Text("x")
	}
	for text, want := range map[string]float64{
		"sum(list)": -21, "max(list)": -3, "min(list)": -9, "max(words)": 0, "sum(words)": 0, "sum(list, 1)": -20,
	} {
		if got, ok := evalFormula(text, lookup); !ok || got != want {
			t.Errorf("%s is %v (%v), want %v", text, got, ok, want)
		}
	}
	if _, ok := evalFormula("sum(other, 1)", lookup); ok {
		t.Error("an argument that is no number has a sum")
	}
}

// Parsing a formula takes time linear in its length.
func TestGrowthFormula(t *testing.T) {
	lookup := func(string) tree.Value { return tree.Int(1) }
	var names strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&names, "+v%d", i)
	}
	testkit.Growth(t, testkit.Reader{Name: "formulas", Size: 1 << 10, Read: func(text string) {
		evalFormula(text, lookup)
	}, Atoms: []testkit.Atom{
		testkit.Repeat("("),
		testkit.Nest("(", "1", ")"),
		testkit.Repeat("-"),
		testkit.Repeat("1+"),
		{Open: "1+", Tail: "1"},
		{Open: "a^", Tail: "1"},
		testkit.Repeat("max("),
		{Head: "sum(", Open: "1,", Tail: "1)"},
		testkit.Repeat("{"),
		testkit.Repeat("'"),
		testkit.Repeat("a.b "),
		testkit.Repeat("9"),
		testkit.Repeat(" "),
		{Head: names.String()[1:], Open: "+v1"},
	}})
	if _, err := rules.ParseFormula(strings.Repeat("1+", 10_000) + "1"); err == nil {
		t.Error("a formula of 20,000 bytes is read")
	}
}
