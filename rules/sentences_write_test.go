package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
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
		{ID: "hp", Name: "Health", Type: rules.TypeNumber, Default: v("10"), Min: new(0.0), Max: new(20.0)},
		{ID: "floor", Type: rules.TypeNumber, Default: v("5"), Min: new(1.0)},
		{ID: "name", Name: "twice", Type: rules.TypeString, Default: v(`"Ann"`)},
		{ID: "other", Name: "twice", Type: rules.TypeString, Default: v(`"Bea"`)},
		{ID: "on", Type: rules.TypeBoolean, Default: v("false")},
		{ID: "once", Type: rules.TypeBoolean, Default: v("true"), OnceTrue: true},
		{ID: "bag", Name: "Rucksack", Type: rules.TypeJSON, Default: v(`{"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`)},
		{ID: "list", Type: rules.TypeJSON, Default: v(`[1,2]`)},
		{ID: "scalar", Type: rules.TypeJSON, Default: v(`7`)},
		{ID: "held", Type: rules.TypeJSON, Default: v(`"{\"a\":1}"`)},
		{ID: "dot.ted", Type: rules.TypeNumber, Default: v("1")},
	}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return program
}

// TestWritesOfDeclaredVariables tests the documentation of writes with a schema, sentence by
// sentence (RU-13, RU-14, RU-15).
func TestWritesOfDeclaredVariables(t *testing.T) {
	t.Parallel()
	program := sheet(t)
	ref := func(path string, op effect.Operation, from string) effect.SetVariable {
		return effect.SetVariable{Path: path, Operation: op, ValueRef: from}
	}
	for _, c := range []struct {
		reason string
		effect effect.SetVariable
		want   string // the new value of the variable; empty for no change
		refuse effect.Reason
	}{
		{"set assigns", set("hp", effect.Set, "7"), "hp: 7", ""},
		{"a missing operation is set", set("hp", "", "7"), "hp: 7", ""},
		{"a numeric text is converted by set", set("hp", effect.Set, `"7"`), "hp: 7", ""},
		{"and by nothing else", set("hp", effect.Add, `"7"`), "", effect.WrongOperand},
		{"another type is refused", set("hp", effect.Set, `"many"`), "", effect.WrongType},
		{"a number is no text", set("name", effect.Set, "7"), "", effect.WrongType},
		{"a text is no flag", set("on", effect.Set, `"true"`), "", effect.WrongType},
		{"add", set("hp", effect.Add, "1"), "hp: 11", ""},
		{"subtract", set("hp", effect.Subtract, "1"), "hp: 9", ""},
		{"multiply", set("hp", effect.Multiply, "1.5"), "hp: 15", ""},
		{"what is computed is kept within the bounds", set("hp", effect.Add, "99"), "hp: 20", ""},
		{"at the lower one too", set("hp", effect.Subtract, "99"), "hp: 0", ""},
		{"and what is set", set("hp", effect.Set, "-4"), "hp: 0", ""},
		{"a bound may be missing", set("floor", effect.Multiply, "100"), "floor: 500", ""},
		{"the other one holds", set("floor", effect.Set, "0"), "floor: 1", ""},
		{"arithmetic needs a number", set("name", effect.Add, "1"), "", effect.WrongVariable},
		{"toggle flips and ignores the value", set("on", effect.Toggle, "false"), "on: true", ""},
		{"toggle needs a flag", set("hp", effect.Toggle, ""), "", effect.WrongVariable},
		{"append joins texts", set("name", effect.Append, `"!"`), `name: "Ann!"`, ""},
		{"append takes no number", set("name", effect.Append, "1"), "", effect.WrongOperand},
		{"append is not for lists", set("list", effect.Append, `"x"`), "", effect.WrongVariable},
		{"merge is shallow and new keys win", set("bag", effect.Merge, `{"in":{"b":2},"gold":4}`),
			`bag: {"gold":4,"in":{"b":2},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"merge takes no list", set("bag", effect.Merge, `[1]`), "", effect.WrongOperand},
		{"merge is not for lists", set("list", effect.Merge, `{"a":1}`), "", effect.WrongVariable},
		{"push appends one element", set("list", effect.Push, `"x"`), `list: [1,2,"x"]`, ""},
		{"a list is one element too", set("list", effect.Push, `[3,4]`), `list: [1,2,[3,4]]`, ""},
		{"push is for lists", set("bag", effect.Push, `1`), "", effect.WrongVariable},
		{"delete takes the key of an object", set("bag", effect.Delete, `"in"`),
			`bag: {"gold":3,"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"and the index of a list", set("list", effect.Delete, `0`), `list: [2]`, ""},
		{"an index behind the end changes nothing", set("list", effect.Delete, `2`), "", ""},
		{"a missing key changes nothing", set("bag", effect.Delete, `"ghost"`), "", ""},
		{"an object has no index", set("bag", effect.Delete, `0`), "", effect.WrongOperand},
		{"an unknown operation is skipped", set("hp", "halve", "2"), "", "unknown-operation"},

		{"a display name goes where no id does", set("Health", effect.Set, "7"), "hp: 7", ""},
		{"of two with one name the last", set("twice", effect.Set, `"Cat"`), `other: "Cat"`, ""},
		{"an id with a dot is no path", set("dot.ted", effect.Add, "1"), "dot.ted: 2", ""},
		{"nothing is created", set("ghost", effect.Set, "1"), "", effect.UnknownVariable},
		{"nor a path into nothing", set("ghost.a", effect.Set, "1"), "", effect.UnknownVariable},
		{"an equal number is no change", set("hp", effect.Set, "10.0"), "", ""},
		{"nor is an equal list", set("list", effect.Set, "[1,2]"), "", ""},
		{"merging nothing is no change", set("bag", effect.Merge, "{}"), "", ""},
		{"nor is clamping back", set("floor", effect.Subtract, "0"), "", ""},

		{"a structure is not replaced by a scalar", set("bag", effect.Set, "1"), "", effect.StructureGuard},
		{"nor by a bare text", set("bag", effect.Set, `"none"`), "", effect.StructureGuard},
		{"a text that is a structure is parsed", set("bag", effect.Set, `"[5]"`), "bag: [5]", ""},
		{"an object becomes a list", set("bag", effect.Set, "[5]"), "bag: [5]", ""},
		{"a list an object", set("list", effect.Set, `{"a":5}`), `list: {"a":5}`, ""},
		{"a scalar takes anything", set("scalar", effect.Set, `"text"`), `scalar: "text"`, ""},
		{"a structure too", set("scalar", effect.Set, `[1]`), `scalar: [1]`, ""},
		{"once true is not set back", set("once", effect.Set, "false"), "", effect.OnceTrue},
		{"nor toggled", set("once", effect.Toggle, ""), "", effect.OnceTrue},

		{"a path", set("bag.in.a", effect.Set, "2"), `bag: {"gold":3,"in":{"a":2},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"an index in brackets", set("bag.list[0]", effect.Add, "1"), `bag: {"gold":3,"in":{"a":1},"list":[2,2],"nothing":null,"t":"x"}`, ""},
		{"and behind a dot", set("bag.list.0", effect.Add, "1"), `bag: {"gold":3,"in":{"a":1},"list":[2,2],"nothing":null,"t":"x"}`, ""},
		{"a path begins with an id", set("Rucksack.gold", effect.Set, "1"), "", effect.UnknownVariable},
		{"it leads into a json variable", set("name.a", effect.Set, "1"), "", effect.BadPath},
		{"that holds a structure", set("held.a", effect.Set, "1"), "", effect.BadPath},
		{"no empty part", set("bag..gold", effect.Set, "1"), "", effect.BadPath},
		{"no reserved key", set("bag.__proto__", effect.Set, "1"), "", effect.BadPath},
		{"nor another one", set("bag.constructor.x", effect.Set, "1"), "", effect.BadPath},
		{"nor the third", set("bag.in.prototype", effect.Set, "1"), "", effect.BadPath},
		{"not through a scalar", set("bag.gold.x", effect.Set, "1"), "", effect.BadPath},
		{"a missing one on the way becomes an object", set("bag.new.deep", effect.Set, "1"),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":{"deep":1}}`, ""},
		{"a null too", set("bag.nothing.deep", effect.Set, "1"), `bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":{"deep":1},"t":"x"}`, ""},
		{"inside, set takes any type", set("bag.gold", effect.Set, `"x"`), `bag: {"gold":"x","in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"subtract from what is missing", set("bag.debt", effect.Subtract, "2"),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","debt":-2}`, ""},
		{"add to what is null", set("bag.nothing", effect.Add, "2"), `bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":2,"t":"x"}`, ""},
		{"add leaves a text alone", set("bag.t", effect.Add, "2"), "", effect.WrongVariable},
		{"merge starts an object", set("bag.new", effect.Merge, `{"a":1}`),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":{"a":1}}`, ""},
		{"with an object", set("bag.new", effect.Merge, `[1]`), "", effect.WrongOperand},
		{"push starts a list", set("bag.new", effect.Push, `1`),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":[1]}`, ""},
		{"push leaves others alone", set("bag.gold", effect.Push, `1`), "", effect.WrongVariable},
		{"delete removes what the path names, whatever the value", set("bag.gold", effect.Delete, `"in"`),
			`bag: {"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"of a list the element", set("bag.list.0", effect.Delete, ""), `bag: {"gold":3,"in":{"a":1},"list":[2],"nothing":null,"t":"x"}`, ""},
		{"of nothing nothing", set("bag.ghost", effect.Delete, ""), "", ""},
		{"multiply means the same at depth", set("bag.gold", effect.Multiply, "2"),
			`bag: {"gold":6,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"and takes what is missing for 0", set("bag.new", effect.Multiply, "2"),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":0}`, ""},
		{"toggle for false", set("bag.new", effect.Toggle, ""), `bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":true}`, ""},
		{"append for the empty text", set("bag.new", effect.Append, `"a"`),
			`bag: {"gold":3,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x","new":"a"}`, ""},
		{"there are no bounds inside", set("bag.gold", effect.Set, "1e9"), `bag: {"gold":1e9,"in":{"a":1},"list":[1,2],"nothing":null,"t":"x"}`, ""},
		{"a list is extended at its length", set("list[2]", effect.Set, "3"), "list: [1,2,3]", ""},
		{"and not behind it", set("list[3]", effect.Set, "3"), "", effect.BadPath},

		{"a reference by id", ref("hp", effect.Add, "floor"), "hp: 15", ""},
		{"by display name", ref("floor", effect.Set, "Health"), "floor: 10", ""},
		{"by path", ref("hp", effect.Set, "bag.gold"), "hp: 3", ""},
		{"one that names nothing", ref("hp", effect.Set, "ghost"), "", effect.NoReference},
	} {
		before := rules.State{Turn: 1}
		applied := program.Apply(before, effect.By("x", c.effect), rules.Options{})
		var got []string
		for _, change := range applied.Changes {
			id, _ := applied.Events[len(got)].Get("variableId").AsText()
			got = append(got, fmt.Sprintf("%s: %s", id, change.New))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
		var refused effect.Reason
		if len(applied.Refused) > 0 {
			refused = applied.Refused[0].Reason
		}
		if refused != c.refuse {
			t.Errorf("%s: refused %q, want %q", c.reason, refused, c.refuse)
		}
	}
}

// TestWritesSeeEachOther: effects are applied one by one, and every change is reported.
func TestWritesSeeEachOther(t *testing.T) {
	t.Parallel()
	applied := sheet(t).Apply(rules.State{}, effect.By("x", set("hp", effect.Add, "1"), set("hp", effect.Add, "2"),
		effect.SetVariable{Path: "floor", ValueRef: "hp"}), rules.Options{})
	var got []string
	for _, e := range applied.Events {
		got = append(got, e.Get("variableId").String()+e.Get("oldValue").String()+"-"+e.Get("newValue").String())
	}
	if want := `"hp"10-11 "hp"11-13 "floor"5-13`; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFormulaVariables tests the documentation of variables with a formula (RU-16).
func TestFormulaVariables(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "str", Type: rules.TypeNumber, Default: tree.Int(3)},
		{ID: "last", Type: rules.TypeNumber, Formula: "mid + 1", Max: new(9.0)},
		{ID: "mid", Type: rules.TypeNumber, Formula: "power * 1"},
		{ID: "power", Type: rules.TypeNumber, Formula: "str * 2"},
		{ID: "strong", Type: rules.TypeBoolean, Formula: "str > 3"},
		{ID: "told", Type: rules.TypeString, Formula: "str / 2"},
		{ID: "broken", Type: rules.TypeNumber, Formula: "ghost + 1", Default: tree.Int(8)},
		{ID: "plain", Type: rules.TypeNumber, Default: tree.Int(1)},
	}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason string
		effect effect.Effect
		want   string
	}{
		{"each follows what it is made of, however long the way, within its bounds", set("str", effect.Set, "5"),
			`{"str":5,"power":10,"mid":10,"last":9,"strong":true,"told":"2.5"}`},
		{"what a rule writes is recomputed over", set("power", effect.Set, "99"), `{"power":6,"mid":6,"last":7,"told":"1.5"}`},
		{"nothing is computed where nothing changed", set("str", effect.Set, "3"), `{}`},
		{"nor after a refusal", set("str", effect.Set, `"x"`), `{}`},
	} {
		applied := program.Apply(rules.State{}, effect.By("x", c.effect), rules.Options{})
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

// sameMembers compares objects and ignores the order of their members.
func sameMembers(t *testing.T, a, b string) bool {
	t.Helper()
	v, err := tree.ParseValue([]byte(a))
	w, err2 := tree.ParseValue([]byte(b))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return v.Equal(w)
}
