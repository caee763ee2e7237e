package rules_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestVariablesLiveElsewhere plays rules on a variable whose place is within a module of the
// document, as a pair of a value and its description.
func TestVariablesLiveElsewhere(t *testing.T) {
	var content rules.Content
	err := json.Unmarshal([]byte(`{"variables":[
		{"id":"hp","path":"stat_data.hp","type":"number","min":0,"max":20,"defaultValue":7},
		{"id":"met","path":"stat_data.people.ann","type":"boolean"},
		{"id":"bag","path":"assa_data.bag","type":"json","defaultValue":{"rope":1}},
		{"id":"half","type":"number","formula":"hp / 2"}],
		"rules":[
		{"id":"low","trigger":{"type":"variable-crossed","variableId":"hp","direction":"drops-below","threshold":5},
			"actions":[{"type":"modify-variable","variableId":"met","operation":"set","value":true},
			{"type":"modify-variable","variableId":"bag.rope","operation":"add","value":2}]},
		{"id":"answer","trigger":{"type":"state-change","variableId":"met"},
			"conditions":[{"variableId":"bag.rope","operator":"eq","value":3},{"variableId":"half","operator":"eq","value":2}],
			"actions":[{"type":"modify-variable","variableId":"hp","operation":"add","value":500}]}]}`), &content)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := rules.Compile(content)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	st := p.Complete(rules.State{Variables: parseDoc(t, `{"stat_data":{"hp":[12,"hit points"]}}`)})
	const complete = `{"stat_data":{"hp":[12,"hit points"],"people":{"ann":false}},"assa_data":{"bag":{"rope":1}},"half":6}`
	if got := st.Variables.String(); got != complete {
		t.Fatalf("completed: %s", got)
	}
	if again := p.Complete(st); !again.Variables.Same(st.Variables) {
		t.Error("a state that lacks nothing is another one")
	}
	out := p.Apply(st, effect.By("host",
		effect.SetVariable{Path: "hp", Operation: effect.Subtract, Value: tree.Int(8)}), rules.Options{})
	chain := p.Run(out.State, out.Events, rules.Options{})
	const played = `{"stat_data":{"hp":[20,"hit points"],"people":{"ann":true}},"assa_data":{"bag":{"rope":3}},"half":10}`
	if got := chain.State.Variables.String(); got != played {
		t.Errorf("played: %s\n%+v", got, chain.Refused)
	}
	var told []string
	for _, c := range append(out.Changes, chain.Changes...) {
		told = append(told, fmt.Sprint(c.Path, " ", c.New))
	}
	want := "[stat_data.hp 4 half 2 stat_data.people.ann true assa_data.bag {\"rope\":3} stat_data.hp 20 half 10]"
	if fmt.Sprint(told) != want {
		t.Errorf("told %v, want %s", told, want)
	}
}

// TestRestoreKeepsModulesWithVariables: the nodes above a variable belong to the schema too.
func TestRestoreKeepsModulesWithVariables(t *testing.T) {
	p, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Path: "stat_data.hp", Type: rules.TypeNumber, Scope: "setup"},
		{ID: "gold", Type: rules.TypeNumber},
	}})
	st := p.Restore(rules.State{Variables: parseDoc(t, `{"other":1,"hp":9,"stat_data":{"x":1},"gold":3}`)})
	if got := st.Variables.String(); got != `{"gold":3,"stat_data":{"x":1,"hp":0}}` {
		t.Errorf("restored: %s", got)
	}
	now := p.Apply(st, effect.By("host", effect.SetVariable{Path: "hp", Value: tree.Int(8)},
		effect.SetVariable{Path: "gold", Value: tree.Int(8)}), rules.Options{}).State
	if got := p.Rollback(now, st).Variables.String(); got != `{"gold":3,"stat_data":{"x":1,"hp":8}}` {
		t.Errorf("rolled back: %s", got)
	}
}

// TestPlacesThatOverlapAreProblems: each value has exactly one declaration.
func TestPlacesThatOverlapAreProblems(t *testing.T) {
	p, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "bag", Type: rules.TypeJSON},
		{ID: "rope", Path: "bag.rope", Type: rules.TypeNumber},
		{ID: "hp", Path: "stat_data.hp", Type: rules.TypeNumber},
		{ID: "life", Path: "stat_data.hp", Type: rules.TypeNumber},
		{ID: "all", Path: "stat_data", Type: rules.TypeJSON},
		{ID: "bad", Path: "a..b", Type: rules.TypeNumber},
	}})
	var at []string
	for _, pr := range problems {
		at = append(at, pr.Path)
	}
	if want := "[variables[1].path variables[3].path variables[4].path variables[5].path]"; fmt.Sprint(at) != want {
		t.Errorf("problems at %v, want %s", at, want)
	}
	if got := p.Complete(rules.State{}).Variables.String(); got !=
		`{"bag":null,"rope":0,"stat_data":{"hp":0},"life":0,"all":null,"bad":0}` {
		t.Errorf("they live at %s", got)
	}
}

// TestDeclaredReadsWhereverItLives: a variable is read by id, by display name, and by a path into
// its structure.
func TestDeclaredReadsWhereverItLives(t *testing.T) {
	p, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Name: "Hit points", Path: "stat_data.hp", Type: rules.TypeNumber},
		{ID: "bag", Path: "assa_data.bag", Type: rules.TypeJSON, Default: tree.Object(
			tree.Member{Key: "rope", Value: tree.Int(1)})},
	}})
	doc := parseDoc(t, `{"stat_data":{"hp":[12,"hit points"],"x":1}}`)
	for _, c := range []struct {
		name, want string
		reason     string
	}{
		{"hp", "12", "the value of a pair"},
		{"Hit points", "12", "by its display name"},
		{"stat_data.hp", "12", "by its place"},
		{"bag.rope", "1", "the default"},
		{"bag.sword", "", "nothing there"},
		{"stat_data.x", "", "not declared"},
		{"x..y", "", "no path"},
	} {
		v, ok := p.Declared(doc, c.name)
		if ok != (c.want != "") || ok && v.String() != c.want {
			t.Errorf("%s (%s): %s %v, want %q", c.name, c.reason, v, ok, c.want)
		}
	}
	if _, ok := (*rules.Program)(nil).Declared(doc, "hp"); ok {
		t.Error("a nil program declares something")
	}
}

// TestPathsAreWatchedHoweverTheyAreWritten: without a schema a trigger matches a node by any
// spelling of its path, as conditions and writes do.
func TestPathsAreWatchedHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	const hp, dotted = "party[0].hp", `["a.b"]`
	doc := parseDoc(t, `{"party":[{"hp":3}],"a.b":1,"a":{"b":1}}`)
	for _, c := range []struct {
		reason, watch, write string
		fires                bool
	}{
		{"with a bracket", hp, hp, true},
		{"with a dot, written with a bracket", "party.0.hp", hp, true},
		{"with a bracket, written with a dot", hp, "party.0.hp", true},
		{"quoted in brackets", `party['0']["hp"]`, hp, true},
		{"with a backslash", `part\y.0.hp`, hp, true},
		{"around what is written", "party[0]", hp, true},
		{"another node", "party[1].hp", hp, false},
		{"a key of the root with a dot", dotted, "a.b", true},
		{"what is no path", "party[0.hp", hp, false},
	} {
		for _, kind := range []rules.TriggerType{rules.StateChange, rules.VariableCrossed} {
			if kind == rules.VariableCrossed && c.watch == "party[0]" { // no number
				continue
			}
			p, _ := rules.Compile(rules.Content{Rules: []rules.Rule{
				{ID: "heard", Trigger: &rules.Trigger{Type: kind, VariableID: c.watch, Threshold: new(4.0)}},
				{ID: "write", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions{
					effect.SetVariable{Path: c.write, Value: tree.Int(9)}}},
			}})
			o := p.Run(rules.State{Variables: doc}, []event.Event{event.TurnComplete(1)}, rules.Options{})
			if fired := len(o.Fired()) == 2; fired != c.fires {
				t.Errorf("%s (%s): %s fires %v when %s is written", c.reason, kind, c.watch, fired, c.write)
			}
		}
	}
	// The same is true for other writers than rules.
	p, _ := rules.Compile(rules.Content{})
	changes := []tree.Change{{Path: tree.Path{"a.b"}, Old: tree.Int(1), New: tree.Int(2)}}
	if e := p.Heard(doc, doc, changes); len(e) != 1 || e[0].Get("variableId").String() != `"a.b"` {
		t.Errorf("heard %v", e)
	}
}

// TestListsOfTwoTextsAreKept: a list of two texts in a module of pairs looks like a value with its
// description. An operand that is not a part of the value is refused, and the list stays.
func TestListsOfTwoTextsAreKept(t *testing.T) {
	t.Parallel()
	const doc = `{"stat_data":{"team":["ann","bob"],"hp":[12,"hit points"],"name":"x"}}`
	declared := rules.Content{Variables: []rules.Variable{{ID: "team", Path: "stat_data.team", Type: rules.TypeJSON,
		Default: tree.Array(tree.Text("ann"))}}}
	for _, c := range []struct {
		reason  string
		content rules.Content
		doc     string
		write   effect.SetVariable
		want    string // empty: refused
	}{
		{"an index of what is read as a text", rules.Content{}, doc, effect.SetVariable{Path: "stat_data.team", Operation: effect.Delete, Value: tree.Int(1)}, ""},
		{"a key of a number", rules.Content{}, doc, effect.SetVariable{Path: "stat_data.hp", Operation: effect.Delete, Value: tree.Text("max")}, ""},
		{"a key of a text that is no pair", rules.Content{}, doc, effect.SetVariable{Path: "stat_data.name", Operation: effect.Delete, Value: tree.Text("max")}, ""},
		{"the value without its description", rules.Content{}, doc, effect.SetVariable{Path: "stat_data.team[0]", Operation: effect.Delete}, ""},
		{"an element behind what is read as a text", rules.Content{}, doc, effect.SetVariable{Path: "stat_data.team", Operation: effect.Push, Value: tree.Text("cat")}, ""},
		{"the node by its path", rules.Content{}, doc, effect.SetVariable{Path: "stat_data.team", Operation: effect.Delete, Value: tree.Bool(true)},
			`{"stat_data":{"hp":[12,"hit points"],"name":"x"}}`},
		{"an index where the host says that it is a list", rules.Content{Leaf: func(path tree.Path, _ tree.Value) bool { return path[1] == "hp" }},
			doc, effect.SetVariable{Path: "stat_data.team", Operation: effect.Delete, Value: tree.Int(1)},
			`{"stat_data":{"team":["ann"],"hp":[12,"hit points"],"name":"x"}}`},
		{"a third element of a declared list", declared, `{"stat_data":{"team":["ann","bob"]}}`,
			effect.SetVariable{Path: "team", Operation: effect.Push, Value: tree.Text("cat")}, `{"stat_data":{"team":["ann","bob","cat"]}}`},
		{"an index of a declared list", declared, `{"stat_data":{"team":["ann","bob"]}}`,
			effect.SetVariable{Path: "team", Operation: effect.Delete, Value: tree.Int(0)}, `{"stat_data":{"team":["bob"]}}`},
		{"a declared list with a description", declared, `{"stat_data":{"team":[["ann"],"who is there"]}}`,
			effect.SetVariable{Path: "team", Operation: effect.Push, Value: tree.Text("bob")}, `{"stat_data":{"team":[["ann","bob"],"who is there"]}}`},
	} {
		p, problems := rules.Compile(c.content)
		if len(problems) > 0 {
			t.Fatal(c.reason, problems)
		}
		out := p.Apply(rules.State{Variables: parseDoc(t, c.doc)}, effect.By("r", c.write), rules.Options{})
		if refused := len(out.Refused) > 0; refused != (c.want == "") {
			t.Errorf("%s: refused %+v", c.reason, out.Refused)
		}
		want := c.want
		if want == "" {
			want = c.doc
		}
		if got := out.State.Variables.String(); got != want {
			t.Errorf("%s: %s, want %s", c.reason, got, want)
		}
	}
}
