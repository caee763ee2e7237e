package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// sheet is a schema with a variable of each kind.
func sheet(t *testing.T) *rules.Program {
	t.Helper()
	v := func(text string) tree.Value {
		value, err := tree.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Name: "Health", Type: rules.NumberType, Default: v("10"), Min: new(0.0), Max: new(20.0)},
		{ID: "floor", Type: rules.NumberType, Default: v("5"), Min: new(1.0)},
		{ID: "name", Name: "twice", Type: rules.StringType, Default: v(`"Ann"`)},
		{ID: "other", Name: "twice", Type: rules.StringType, Default: v(`"Bea"`)},
		{ID: "on", Type: rules.BooleanType, Default: v("false")},
		{ID: "once", Type: rules.BooleanType, Default: v("true"), OnceTrue: true},
		{ID: "bag", Name: "Rucksack", Type: rules.JSONType, Default: v(`{"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`)},
		{ID: "list", Type: rules.JSONType, Default: v(`[1,2]`)},
		{ID: "scalar", Type: rules.JSONType, Default: v(`7`)},
		{ID: "held", Type: rules.JSONType, Default: v(`"{\"a\":1}"`)},
		{ID: "dot.ted", Type: rules.NumberType, Default: v("1")},
	}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return program
}

// TestWritesOfDeclaredVariables holds what is said of writes with a schema, sentence by sentence
// (RU-13, RU-14, RU-15).
func TestWritesOfDeclaredVariables(t *testing.T) {
	t.Parallel()
	program := sheet(t)
	ref := func(path string, op rules.Operation, from string) rules.SetVariable {
		return rules.SetVariable{Path: path, Operation: op, ValueRef: from}
	}
	for _, c := range []struct {
		reason string
		effect rules.SetVariable
		want   string // what became of the variable: empty for no change
		refuse rules.Reason
	}{
		{"set assigns", set("hp", rules.Set, "7"), "hp: 7", ""},
		{"a missing operation is set", set("hp", "", "7"), "hp: 7", ""},
		{"a numeric text is converted by set", set("hp", rules.Set, `"7"`), "hp: 7", ""},
		{"and by nothing else", set("hp", rules.Add, `"7"`), "", rules.WrongOperand},
		{"another type is refused", set("hp", rules.Set, `"many"`), "", rules.WrongType},
		{"a number is no text", set("name", rules.Set, "7"), "", rules.WrongType},
		{"a text is no flag", set("on", rules.Set, `"true"`), "", rules.WrongType},
		{"add", set("hp", rules.Add, "1"), "hp: 11", ""},
		{"subtract", set("hp", rules.Subtract, "1"), "hp: 9", ""},
		{"multiply", set("hp", rules.Multiply, "1.5"), "hp: 15", ""},
		{"what is computed is kept within the bounds", set("hp", rules.Add, "99"), "hp: 20", ""},
		{"at the lower one too", set("hp", rules.Subtract, "99"), "hp: 0", ""},
		{"and what is set", set("hp", rules.Set, "-4"), "hp: 0", ""},
		{"a bound may be missing", set("floor", rules.Multiply, "100"), "floor: 500", ""},
		{"the other one holds", set("floor", rules.Set, "0"), "floor: 1", ""},
		{"arithmetic needs a number", set("name", rules.Add, "1"), "", rules.WrongVariable},
		{"toggle flips and ignores the value", set("on", rules.Toggle, "false"), "on: true", ""},
		{"toggle needs a flag", set("hp", rules.Toggle, ""), "", rules.WrongVariable},
		{"append joins texts", set("name", rules.Append, `"!"`), `name: "Ann!"`, ""},
		{"append takes no number", set("name", rules.Append, "1"), "", rules.WrongOperand},
		{"append is not for lists", set("list", rules.Append, `"x"`), "", rules.WrongVariable},
		{"merge is shallow and new keys win", set("bag", rules.Merge, `{"in":{"b":2},"gold":4}`),
			`bag: {"gold":4,"in":{"b":2},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"merge takes no list", set("bag", rules.Merge, `[1]`), "", rules.WrongOperand},
		{"merge is not for lists", set("list", rules.Merge, `{"a":1}`), "", rules.WrongVariable},
		{"push appends one element", set("list", rules.Push, `"x"`), `list: [1,2,"x"]`, ""},
		{"a list is one element too", set("list", rules.Push, `[3,4]`), `list: [1,2,[3,4]]`, ""},
		{"push is for lists", set("bag", rules.Push, `1`), "", rules.WrongVariable},
		{"delete takes the key of an object", set("bag", rules.Delete, `"in"`),
			`bag: {"gold":3,"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"and the index of a list", set("list", rules.Delete, `0`), `list: [2]`, ""},
		{"an index behind the end changes nothing", set("list", rules.Delete, `2`), "", ""},
		{"a missing key changes nothing", set("bag", rules.Delete, `"ghost"`), "", ""},
		{"an object has no index", set("bag", rules.Delete, `0`), "", rules.WrongOperand},
		{"an unknown operation is skipped", set("hp", "halve", "2"), "", rules.UnknownOperation},

		{"a display name goes where no id does", set("Health", rules.Set, "7"), "hp: 7", ""},
		{"of two with one name the last", set("twice", rules.Set, `"Cat"`), `other: "Cat"`, ""},
		{"an id with a dot is no path", set("dot.ted", rules.Add, "1"), "dot.ted: 2", ""},
		{"nothing is created", set("ghost", rules.Set, "1"), "", rules.UnknownVariable},
		{"nor a path into nothing", set("ghost.a", rules.Set, "1"), "", rules.UnknownVariable},
		{"an equal number is no change", set("hp", rules.Set, "10.0"), "", ""},
		{"nor is an equal list", set("list", rules.Set, "[1,2]"), "", ""},
		{"merging nothing is no change", set("bag", rules.Merge, "{}"), "", ""},
		{"nor is clamping back", set("floor", rules.Subtract, "0"), "", ""},

		{"a structure is not replaced by a scalar", set("bag", rules.Set, "1"), "", rules.StructureGuard},
		{"nor by a bare text", set("bag", rules.Set, `"none"`), "", rules.StructureGuard},
		{"a text that is a structure is parsed", set("bag", rules.Set, `"[5]"`), "bag: [5]", ""},
		{"an object becomes a list", set("bag", rules.Set, "[5]"), "bag: [5]", ""},
		{"a list an object", set("list", rules.Set, `{"a":5}`), `list: {"a":5}`, ""},
		{"a scalar takes anything", set("scalar", rules.Set, `"text"`), `scalar: "text"`, ""},
		{"a structure too", set("scalar", rules.Set, `[1]`), `scalar: [1]`, ""},
		{"once true is not set back", set("once", rules.Set, "false"), "", rules.OnceTrue},
		{"nor toggled", set("once", rules.Toggle, ""), "", rules.OnceTrue},

		{"a path", set("bag.in.a", rules.Set, "2"), `bag: {"gold":3,"in":{"a":2},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"an index in brackets", set("bag.list[0]", rules.Add, "1"), `bag: {"gold":3,"in":{"a":1},"list":[2,2],"nothing":null,"t":"x"}`, ""},
		{"and behind a dot", set("bag.list.0", rules.Add, "1"), `bag: {"gold":3,"in":{"a":1},"list":[2,2],"nothing":null,"t":"x"}`, ""},
		{"a path begins with an id", set("Rucksack.gold", rules.Set, "1"), "", rules.UnknownVariable},
		{"it leads into a json variable", set("name.a", rules.Set, "1"), "", rules.BadPath},
		{"that holds a structure", set("held.a", rules.Set, "1"), "", rules.BadPath},
		{"no empty part", set("bag..gold", rules.Set, "1"), "", rules.BadPath},
		{"no reserved key", set("bag.__proto__", rules.Set, "1"), "", rules.BadPath},
		{"nor another one", set("bag.constructor.x", rules.Set, "1"), "", rules.BadPath},
		{"nor the third", set("bag.in.prototype", rules.Set, "1"), "", rules.BadPath},
		{"not through a scalar", set("bag.gold.x", rules.Set, "1"), "", rules.BadPath},
		{"a missing one on the way becomes an object", set("bag.new.deep", rules.Set, "1"),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":{"deep":1}}`, ""},
		{"a null too", set("bag.nothing.deep", rules.Set, "1"), `bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":{"deep":1},"t":"x"}`, ""},
		{"inside, set takes any type", set("bag.gold", rules.Set, `"x"`), `bag: {"gold":"x","in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"subtract from what is missing", set("bag.debt", rules.Subtract, "2"),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","debt":-2}`, ""},
		{"add to what is null", set("bag.nothing", rules.Add, "2"), `bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":2,"t":"x"}`, ""},
		{"add leaves a text alone", set("bag.t", rules.Add, "2"), "", rules.WrongVariable},
		{"merge starts an object", set("bag.new", rules.Merge, `{"a":1}`),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":{"a":1}}`, ""},
		{"with an object", set("bag.new", rules.Merge, `[1]`), "", rules.WrongOperand},
		{"push starts a list", set("bag.new", rules.Push, `1`),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":[1]}`, ""},
		{"push leaves others alone", set("bag.gold", rules.Push, `1`), "", rules.WrongVariable},
		{"delete removes what the path names, whatever the value", set("bag.gold", rules.Delete, `"in"`),
			`bag: {"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"of a list the element", set("bag.list.0", rules.Delete, ""), `bag: {"gold":3,"in":{"a":1},"list":[2],"nothing":null,"t":"x"}`, ""},
		{"of nothing nothing", set("bag.ghost", rules.Delete, ""), "", ""},
		{"multiply means the same at depth", set("bag.gold", rules.Multiply, "2"),
			`bag: {"gold":6,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"and takes what is missing for 0", set("bag.new", rules.Multiply, "2"),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":0}`, ""},
		{"toggle for false", set("bag.new", rules.Toggle, ""), `bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":true}`, ""},
		{"append for the empty text", set("bag.new", rules.Append, `"a"`),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":"a"}`, ""},
		{"there are no bounds inside", set("bag.gold", rules.Set, "1e9"), `bag: {"gold":1e9,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"a list is extended at its length", set("list[2]", rules.Set, "3"), "list: [1,2,3]", ""},
		{"and not behind it", set("list[3]", rules.Set, "3"), "", rules.BadPath},

		{"a reference by id", ref("hp", rules.Add, "floor"), "hp: 15", ""},
		{"by display name", ref("floor", rules.Set, "Health"), "floor: 10", ""},
		{"by path", ref("hp", rules.Set, "bag.gold"), "hp: 3", ""},
		{"one that names nothing", ref("hp", rules.Set, "ghost"), "", rules.NoReference},
	} {
		before := rules.State{Turn: 1}
		applied := program.Apply(before, rules.By("x", c.effect), rules.Options{})
		var got []string
		for _, change := range applied.Changes {
			id, _ := applied.Events[len(got)].Get("variableId").AsText()
			got = append(got, fmt.Sprintf("%s: %s", id, change.New))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
		var refused rules.Reason
		if len(applied.Refused) > 0 {
			refused = applied.Refused[0].Reason
		}
		if refused != c.refuse {
			t.Errorf("%s: refused %q, want %q", c.reason, refused, c.refuse)
		}
	}
}

// TestWritesSeeEachOther: effects are applied one after another, and every change is reported.
func TestWritesSeeEachOther(t *testing.T) {
	t.Parallel()
	applied := sheet(t).Apply(rules.State{}, rules.By("x", set("hp", rules.Add, "1"), set("hp", rules.Add, "2"),
		rules.SetVariable{Path: "floor", ValueRef: "hp"}), rules.Options{})
	var got []string
	for _, e := range applied.Events {
		got = append(got, e.Get("variableId").String()+e.Get("oldValue").String()+"-"+e.Get("newValue").String())
	}
	if want := `"hp"10-11 "hp"11-13 "floor"5-13`; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFormulaVariables holds what is said of variables with a formula (RU-16).
func TestFormulaVariables(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "str", Type: rules.NumberType, Default: tree.Int(3)},
		{ID: "last", Type: rules.NumberType, Formula: "mid + 1", Max: new(9.0)},
		{ID: "mid", Type: rules.NumberType, Formula: "power * 1"},
		{ID: "power", Type: rules.NumberType, Formula: "str * 2"},
		{ID: "strong", Type: rules.BooleanType, Formula: "str > 3"},
		{ID: "told", Type: rules.StringType, Formula: "str / 2"},
		{ID: "broken", Type: rules.NumberType, Formula: "ghost + 1", Default: tree.Int(8)},
		{ID: "plain", Type: rules.NumberType, Default: tree.Int(1)},
	}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason string
		effect rules.Effect
		want   string
	}{
		{"each follows what it is made of, however long the way, within its bounds", set("str", rules.Set, "5"),
			`{"str":5,"power":10,"mid":10,"last":9,"strong":true,"told":"2.5"}`},
		{"what a rule writes is recomputed over", set("power", rules.Set, "99"), `{"power":6,"mid":6,"last":7,"told":"1.5"}`},
		{"nothing is computed where nothing changed", set("str", rules.Set, "3"), `{}`},
		{"nor after a refusal", set("str", rules.Set, `"x"`), `{}`},
	} {
		applied := program.Apply(rules.State{}, rules.By("x", c.effect), rules.Options{})
		if got := applied.State.Variables.String(); !sameMembers(t, got, c.want) {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
		for i, change := range applied.Changes {
			if (change.By == "formula") != (i > 0) {
				t.Errorf("%s: change %d is by %q", c.reason, i, change.By)
			}
		}
	}
}

// sameMembers compares objects whatever the order of their members.
func sameMembers(t *testing.T, a, b string) bool {
	t.Helper()
	v, err := tree.ParseValue([]byte(a))
	w, err2 := tree.ParseValue([]byte(b))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return v.Equal(w)
}
