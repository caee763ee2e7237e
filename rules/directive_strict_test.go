package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// purse is a small game for the tests of strict parsing.
func purse(t testing.TB) (*rules.Program, rules.State) {
	t.Helper()
	bag, err := tree.ParseValue([]byte(`{"rope": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(10)},
		{ID: "name", Type: rules.TypeString, Default: tree.Text("Luna")},
		{ID: "bag", Type: rules.TypeJSON, Default: bag},
		{ID: "fate", Type: rules.TypeNumber, AIAccess: rules.AIRead},
		{ID: "dead", Type: rules.TypeBoolean, OnceTrue: true},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return program, program.Restore(rules.State{Turn: 1})
}

func purseKnows(id string) bool {
	switch id {
	case "gold", "name", "bag", "fate", "dead":
		return true
	}
	return false
}

func ExampleParseStrictDirectives() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(10)},
		{ID: "name", Type: rules.TypeString},
	}})
	state := program.Restore(rules.State{})

	good := rules.ParseStrictDirectives("You pay. [gold: -3]\n[updates: 1]", program, state,
		rules.DirectiveOptions{})
	fmt.Println(good.Text, len(good.Effects), good.Errors)

	bad := rules.ParseStrictDirectives("You pay. [gold: -3] [name: +1]\n[updates: 3]", program, state,
		rules.DirectiveOptions{})
	fmt.Println(bad.Text, len(bad.Effects))
	for _, e := range bad.Errors {
		fmt.Println(e.Code, e)
	}
	// Output:
	// You pay. 1 []
	// You pay. 0
	// refused name: add works on a number, and this is string, near [name: +1]
	// wrong-count 2 updates were understood; repair the others, or write [updates: 2], near [updates: 3]
}

// A batch is applied as a whole or not at all, and every reason is listed (section "AI text",
// strict mode).
func TestParseStrict(t *testing.T) {
	t.Parallel()
	program, st := purse(t)
	for _, c := range []struct {
		reason, give string
		effects      int
		codes        string // of the errors, in order
		repaired     bool
	}{
		{"no updates, and it says so", "Night falls.\n[updates: 0]", 0, "", false},
		{"one", "[gold: +1]\n[updates: 1]", 1, "", false},
		{"the receipt may come first", "[updates: 1]\nA coin. [gold: +1]", 1, "", false},
		{"blanks in the receipt", "[gold: +1]\n  [updates:  1 ]  \n", 1, "", false},
		{"sounds do not count", "[gold: +1] [audio: rain play]\n[updates: 1]", 2, "", false},
		{"each sees those before it",
			"[name: set X] [name: append Y] [bag.lamp: set 1] [bag.lamp: +1]\n[updates: 4]",
			4, "", false},
		{"a thought is no receipt", "<think>\n[updates: 7]\n</think>[gold: +1]\n[updates: 1]", 1,
			"", false},
		{"no receipt", "[gold: +1]", 0, "no-receipt", false},
		{"two receipts", "[gold: +1]\n[updates: 1]\n[updates: 1]", 0, "no-receipt", false},
		{"a receipt inside of a line is prose", "[gold: +1] [updates: 1]", 0, "no-receipt", false},
		{"a receipt without a number", "[gold: +1]\n[updates: one]", 0, "wrong-count", false},
		{"fewer than said: a misspelt id", "[golf: +1]\n[updates: 1]", 0, "wrong-count", false},
		{"more than said", "[gold: +1][gold: +1]\n[updates: 1]", 0, "wrong-count", false},
		{"wrong operand", "[gold: add much]\n[updates: 1]", 0, "refused", false},
		{"wrong type", "[gold: set much]\n[updates: 1]", 0, "refused", false},
		{"wrong operation", "[gold: push 1]\n[updates: 1]", 0, "refused", false},
		{"a path through a number", "[gold.coins: +1]\n[updates: 1]", 0, "refused", false},
		{"a reserved key", "[bag.__proto__: set 1]\n[updates: 1]", 0, "refused", false},
		{"a list against a scalar", "[bag: set 1]\n[updates: 1]", 0, "refused", false},
		{"not the model's", "[fate: +1]\n[updates: 1]", 0, "refused", false},
		{"once true", "[dead: true] [dead: false]\n[updates: 2]", 0, "refused", false},
		{"one bad of three", "[gold: +1] [gold: push 1] [name: set X]\n[updates: 3]", 0, "refused",
			false},
		{"several reasons at once", "[gold: push 1] [bag: set 1]\n[updates: 5]", 0,
			"refused refused wrong-count", false},
		{"the bracket at the end of a line is missing", "[gold: +1\n[updates: 1]", 1, "", true},
		{"the bracket before the next directive", "[gold: +1 [name: set X]\n[updates: 2]", 2, "",
			true},
		{"the brace of a value", "[bag: merge {\"lamp\": 1]\n[updates: 1]", 1, "", true},
		{"the bracket of a list in a value", "[bag: merge {\"l\": [1}]\n[updates: 1]", 0,
			"unclosed wrong-count", false},
		{"two brackets are too many", "[gold: +1\n[name: set X\n[updates: 2]", 0,
			"unclosed unclosed wrong-count", false},
		{"a repair has to fit, too", "[gold: +1 coin\n[updates: 1]", 0, "refused", true},
		{"a tag is not mended", "<think>[gold: +1]\n[updates: 1]", 0, "unclosed", false},
	} {
		got := rules.ParseStrictDirectives(c.give, program, st, rules.DirectiveOptions{Known: purseKnows})
		var codes []string
		for _, e := range got.Errors {
			codes = append(codes, string(e.Code))
			if e.Text == "" || e.Offset > len(c.give) {
				t.Errorf("%s: %+v", c.reason, e)
			}
		}
		if len(got.Effects) != c.effects || strings.Join(codes, " ") != c.codes ||
			got.Repaired != c.repaired {
			t.Errorf("%s: %d effects, repaired %t, %v", c.reason, len(got.Effects), got.Repaired,
				got.Errors)
		}
		if strings.Contains(got.Text, "updates:") &&
			c.reason != "a receipt inside of a line is prose" {
			t.Errorf("%s: the player reads %q", c.reason, got.Text)
		}
	}
}

// For any text, a batch with errors has no effects, and a batch without errors is applied
// unchanged.
func FuzzParseStrict(f *testing.F) {
	for _, seed := range []string{
		"[gold: +1]\n[updates: 1]", "[gold: +1\n[updates: 1]",
		"[bag: merge {\"a\":1]\n[updates: 1]",
		"```json\n{\"gold\": \"-5\"}\n```\n[updates: 1]", "[updates: 0]", "[updates:]", "<think>",
		"<UpdateVariable><JSONPatch>[{\"op\":\"delta\",\"path\":\"/rope\",\"value\":1}]</JSONPatch></UpdateVariable>",
	} {
		f.Add(seed)
	}
	program, st := purse(f)
	f.Fuzz(func(t *testing.T, text string) {
		opts := rules.DirectiveOptions{Known: purseKnows, PatchRoot: "bag"}
		got := rules.ParseStrictDirectives(text, program, st, opts)
		if len(got.Errors) > 0 && got.Effects != nil {
			t.Fatal("half of a batch")
		}
		if refused := program.Apply(st, got.Writes("model"),
			rules.Options{}).Refused; len(refused) > 0 {
			t.Fatalf("accepted and refused: %v", refused)
		}
		if len(got.Errors) == 0 && got.Updates != len(got.Writes("model")) {
			t.Fatalf("%d updates, %d writes", got.Updates, len(got.Writes("model")))
		}
	})
}
