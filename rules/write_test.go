package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/directive"
)

func load(t *testing.T, text string) rules.State {
	t.Helper()
	doc, err := tree.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules.State{Variables: doc}
}

func set(path string, op rules.Operation, value string) rules.SetVariable {
	e := rules.SetVariable{Path: path, Operation: op}
	if value != "" {
		v, err := tree.ParseValue([]byte(value))
		if err != nil {
			panic(err)
		}
		e.Value = v
	}
	return e
}

// Without a schema any document is read and written, leaves keep their description
// (RU-26).
func TestWritesWithoutSchema(t *testing.T) {
	t.Parallel()
	const doc = `{"hp":5,"stat_data":{"时间":["早上","时段"],"状态":[{"体力":3},"各项"],"物":[["a"],"清单"]},` +
		`"names":["甲","乙"],"odd.key":1,"list":[1,2]}`
	for _, c := range []struct {
		reason string
		effect rules.SetVariable
		change string // path: old -> new
		reject rules.Reason
	}{
		{"a plain variable", set("hp", rules.Add, "2"), "hp: 5 -> 7", ""},
		{"a new variable", set("mp", rules.Subtract, "2"), "mp:  -> -2", ""},
		{"a new branch is one change at its top", set("a.b.c", rules.Set, "1"),
			`a:  -> {"b":{"c":1}}`, ""},
		{"a leaf keeps its description", set("stat_data.时间", rules.Set, `"晚上"`),
			`stat_data.时间: "早上" -> "晚上"`, ""},
		{"the value of a leaf by its index", set("stat_data.时间[0]", rules.Append, `"!"`),
			`stat_data.时间: "早上" -> "早上!"`, ""},
		{"the description is not written", set("stat_data.时间[1]", rules.Set, `"x"`), "",
			rules.BadPath},
		{"through a leaf that holds an object", set("stat_data.状态.体力", rules.Multiply, "2"),
			"stat_data.状态.体力: 3 -> 6", ""},
		{"a list in a leaf", set("stat_data.物", rules.Push, `"b"`),
			`stat_data.物: ["a"] -> ["a","b"]`, ""},
		{"a list of two texts elsewhere is a list", set("names", rules.Push, `"丙"`),
			`names: ["甲","乙"] -> ["甲","乙","丙"]`, ""},
		{"a key with a dot", set("odd.key", rules.Add, "1"), `["odd.key"]: 1 -> 2`, ""},
		{"an element", set("list[1]", rules.Delete, ""), "list.1: 2 -> ", ""},
		{"delete takes an index of a list", set("list", rules.Delete, "0"), "list: [1,2] -> [2]", ""},
		{"an index that is not there", set("list", rules.Delete, "7"), "", ""},
		{"a list has no keys", set("list", rules.Delete, `"0"`), "", rules.WrongOperand},
		{"a forgotten index does not cost the list", set("list", rules.Delete, ""), "",
			rules.WrongOperand},
		{"a scalar has no parts", set("hp", rules.Delete, ""), "", rules.WrongVariable},
		{"a key of an object inside a document", set("stat_data.状态", rules.Delete, `"体力"`),
			`stat_data.状态: {"体力":3} -> {}`, ""},
		{"a key that is not there", set("stat_data.状态", rules.Delete, `"魔力"`), "", ""},
		{"an index of a list in a leaf", set("stat_data.物", rules.Delete, "0"),
			`stat_data.物: ["a"] -> []`, ""},
		{"an object has no indices", set("stat_data", rules.Delete, "0"), "", rules.WrongOperand},
		{"a path names the part by itself", set("stat_data.状态.体力", rules.Delete, ""),
			"stat_data.状态.体力: 3 -> ", ""},
		{"so it does beside true", set("stat_data.状态.体力", rules.Delete, "true"),
			"stat_data.状态.体力: 3 -> ", ""},
		{"a leaf goes with its description", set("stat_data.时间", rules.Delete, ""),
			`stat_data.时间: ["早上","时段"] -> `, ""},
		{"what is not there", set("stat_data.天气", rules.Delete, ""), "", ""},
		{"behind the end of a list", set("list[3]", rules.Set, "1"), "", rules.BadPath},
		{"through a scalar", set("hp.max", rules.Set, "1"), "", rules.BadPath},
		{"a reserved key", set("a.__proto__.b", rules.Set, "1"), "", rules.BadPath},
		{"an equal value is no change", set("hp", rules.Set, "5.0"), "", ""},
		{"a bad operand", set("hp", rules.Add, `"5"`), "", rules.WrongOperand},
		{"a bad variable", set("names", rules.Toggle, ""), "", rules.WrongVariable},
		{"no such operation", set("hp", "divide", "5"), "", rules.UnknownOperation},
		{"no such reference", rules.SetVariable{Path: "hp", ValueRef: "ghost"}, "",
			rules.NoReference},
		{"a reference into a leaf", rules.SetVariable{Path: "hp", ValueRef: "stat_data.状态.体力"},
			"hp: 5 -> 3", ""},
		{"a reference to a leaf", rules.SetVariable{Path: "hp", ValueRef: "stat_data.时间"},
			`hp: 5 -> "早上"`, ""},
		{"toggle what is missing", set("flag", rules.Toggle, ""), "flag:  -> true", ""},
		{"append to what is missing", set("log", rules.Append, `"a"`), `log:  -> "a"`, ""},
		{"a path that is none", set("a..b", rules.Set, "1"), "", rules.BadPath},
		{"set to nothing", set("hp", rules.Set, ""), "", rules.WrongOperand},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			var none *rules.Program
			st := load(t, doc)
			applied := none.Apply(st, rules.By("x", c.effect), rules.Options{})
			got := ""
			for _, change := range applied.Changes {
				got += fmt.Sprintf("%s: %s -> %s", change.Path, printedOrNothing(change.Old),
					printedOrNothing(change.New))
			}
			if got != c.change {
				t.Errorf("changes %q, want %q", got, c.change)
			}
			var reason rules.Reason
			if len(applied.Refused) > 0 {
				reason = applied.Refused[0].Reason
				if !applied.State.Variables.Same(st.Variables) &&
					!applied.State.Variables.Equal(st.Variables) {
					t.Errorf("a refused write left %s", applied.State.Variables)
				}
			}
			if reason != c.reject {
				t.Errorf("refused %q, want %q", reason, c.reject)
			}
			if st.Variables.String() != doc {
				t.Errorf("the input became %s", st.Variables)
			}
		})
	}
}

func printedOrNothing(v tree.Value) string {
	if !v.Exists() {
		return ""
	}
	return v.String()
}

// A change that was reported stays what it was, whatever is written afterwards.
func TestReportedChangesDoNotMove(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	applied := none.Apply(load(t, `{"o":{"n":1,"l":[1]}}`), rules.By("x",
		set("o.n", rules.Add, "1"), set("o.l", rules.Push, "2"), set("o", rules.Merge, `{"n":9}`),
		set("o.n", rules.Add, "1")), rules.Options{})
	got := ""
	for _, c := range applied.Changes {
		got += fmt.Sprintf("%s %s>%s;", c.Path, c.Old, c.New)
	}
	want := `o.n 1>2;o.l [1]>[1,2];o {"n":2,"l":[1,2]}>{"n":9,"l":[1,2]};o.n 9>10;`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Numbers neither overflow nor grow without end.
func TestNumbersStayNumbers(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	st := load(t, `{"n":1.1,"big":1e300}`)
	for range 2000 {
		st = none.Apply(st, rules.By("x", set("n", rules.Multiply, "1.1"), set("big",
			rules.Multiply, "1e9")),
			rules.Options{}).State
	}
	for _, id := range []string{"n", "big"} {
		v := st.Variables.Root().Get(id)
		if f, ok := v.AsFloat(); !ok || f <= 0 || len(v.String()) > 40 {
			t.Errorf("%s is %s", id, v)
		}
	}
	applied := none.Apply(load(t, `{"n":1e401}`), rules.By("x", set("n", rules.Multiply, "10")),
		rules.Options{})
	if len(applied.Refused) != 1 || applied.Refused[0].Reason != rules.NotFinite {
		t.Errorf("an infinity: %s %v", applied.State.Variables, applied.Refused)
	}
	applied = none.Apply(load(t, `{"n":0.1}`), rules.By("x", set("n", rules.Add, "0.2")),
		rules.Options{})
	if got := applied.State.Variables.String(); got != `{"n":0.3}` {
		t.Errorf("0.1 + 0.2 in %s", got)
	}
}

// Formula variables follow in the order in which they depend on each other, however long
// the way is; a circle is a problem and changes nothing (RU-25).
func TestFormulas(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "d", Type: rules.NumberType, Formula: "c + 1"},
		{ID: "c", Type: rules.NumberType, Formula: "b + 1"},
		{ID: "b", Type: rules.NumberType, Formula: "a + 1"},
		{ID: "a", Type: rules.NumberType},
		{ID: "rich", Type: rules.BooleanType, Formula: "d > 10"},
		{ID: "label", Type: rules.StringType, Formula: "d / 4"},
		{ID: "nought", Type: rules.StringType, Formula: "0 * -d"},
		{ID: "x", Type: rules.NumberType, Formula: "y"},
		{ID: "y", Type: rules.NumberType, Formula: "x"},
		{ID: "bad", Type: rules.NumberType, Formula: "1 +"},
		{ID: "odd", Type: rules.NumberType, Formula: "ghost * 2"},
	}})
	var places string
	for _, p := range problems.Of(rules.BadFormula) {
		places += p.Path + " "
	}
	if want := "variables[7].formula variables[8].formula variables[9].formula "; places != want {
		t.Errorf("problems at %s, want %s", places, want)
	}
	applied := program.Apply(program.Restore(rules.State{}), rules.By("x", set("a", rules.Set,
		"8")), rules.Options{})
	want := `{"d":11,"c":10,"b":9,"a":8,"rich":true,"label":"2.75","nought":"0","x":0,"y":0,"bad":0,` +
		`"odd":0}`
	if got := applied.State.Variables.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A new game and a loaded one begin with the values of their formulas: nothing jumps with the
// first write, and no crossing is heard that did not happen (RU-25).
func TestRestoreComputesFormulas(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{
		Variables: []rules.Variable{
			{ID: "rich", Type: rules.BooleanType, Formula: "wealth > 100"},
			{ID: "wealth", Type: rules.NumberType, Formula: "gold + bag.gems * 50", Max: new(500.0)},
			{ID: "gold", Type: rules.NumberType, Default: tree.Int(120)},
			{ID: "bag", Type: rules.JSONType, Default: tree.Object(tree.Member{Key: "gems",
				Value: tree.Int(2)})},
			{ID: "odd", Type: rules.NumberType, Default: tree.Int(7), Formula: "bag.none"},
		},
		Rules: []rules.Rule{{ID: "crossed", Actions: rules.Actions{rules.Notify{Message: "You became rich!"}},
			Trigger: &rules.Trigger{Type: rules.VariableCrossed, VariableID: "wealth", Threshold: new(100.0)}}},
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	st := program.Restore(rules.State{})
	want := `{"rich":true,"wealth":220,"gold":120,"bag":{"gems":2},"odd":7}`
	if got := st.Variables.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	applied := program.Apply(st, rules.By("x", set("gold", rules.Add, "1")), rules.Options{})
	if o := program.Run(applied.State, applied.Events, rules.Options{}); len(o.Fired()) > 0 {
		t.Errorf("%v fired, and wealth went from 220 to 221", o.Fired())
	}
	if again := program.Restore(st); !again.Variables.Equal(st.Variables) {
		t.Errorf("restored twice: %s", again.Variables)
	}
	old := program.Restore(load(t, `{"gold":1000,"wealth":3}`))
	if got := old.Variables.Root().Get("wealth").String(); got != "500" {
		t.Errorf("an old save has a wealth of %s", got)
	}
}

// Numbers without end are refused before anything computes with them.
func TestNumbersOfTooManyDigits(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "n", Type: rules.NumberType}, {ID: "j", Type: rules.JSONType}}})
	long := strings.Repeat("9", 1_000_000)
	var none *rules.Program
	for _, p := range []*rules.Program{none, program} {
		for _, e := range []rules.SetVariable{
			set("n", rules.Add, long), set("n", rules.Set, long), set("n", rules.Multiply, "0."+long),
			set("j", rules.Set, "["+long+"]"), set("j", rules.Set, `{"a":[`+long+`]}`),
		} {
			applied := p.Apply(load(t, `{"n":1}`), rules.By("x", e), rules.Options{})
			if len(applied.Refused) != 1 || applied.Refused[0].Reason != rules.WrongOperand || len(applied.Changes) > 0 {
				t.Errorf("%s %.20s…: refused %d, changes %d", e.Operation, e.Value, len(applied.Refused),
					len(applied.Changes))
			}
		}
		// A text that spells one is a text.
		applied := program.Apply(rules.State{}, rules.By("x", set("n", rules.Set, `"`+long+`"`)), rules.Options{})
		if len(applied.Refused) != 1 || applied.Refused[0].Reason != rules.WrongType {
			t.Errorf("a text for a number: %d refused", len(applied.Refused))
		}
	}
	applied := none.Apply(load(t, `{"n":`+long+`}`), rules.By("x", set("n", rules.Add, "1")), rules.Options{})
	if len(applied.Refused) != 1 || applied.Refused[0].Reason != rules.WrongVariable {
		t.Errorf("an old number without end: %d refused", len(applied.Refused))
	}
}

// Every @ path, with values that fit and that do not (RE-05 to RE-09).
func TestSystemPaths(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{
		Variables: []rules.Variable{{ID: "v", Type: rules.NumberType, Enabled: new(false)}},
		Rules:     []rules.Rule{{ID: "off", Enabled: new(false), Actions: rules.Actions{}}},
		Modules: []rules.Module{
			{ID: "words", Activation: rules.Activation{Mode: rules.ModeKeywords}},
			{ID: "hand", Activation: rules.Activation{Mode: rules.ModeManual}},
		},
	})
	for _, c := range []struct {
		effect rules.SetVariable
		want   string
	}{
		{set("@audio.sfx", "", `"bell"`),
			"host play-audio {bell play sfx <nil> <nil>  <nil> map[]}"},
		{set("@audio.stop", "", `"bell"`), "host play-audio {bell stop  <nil> <nil>  <nil> map[]}"},
		{set("@audio.sfx", "", `5`), "refused bad-value"},
		{set("@ai.request", "", `"go on"`), "host request-ai {go on map[]}"},
		{set("@timer.start", "", `{"id":"t"}`), `host system {@timer.start  {"id":"t"} map[]}`},
		{set("@rules.disabled.off", rules.Toggle, ""), "ledger {\"enabledRules\":{\"off\":true}}"},
		{set("@rules.disabled.other", rules.Toggle, ""),
			"ledger {\"enabledRules\":{\"other\":false}}"},
		{set("@rules.disabled.off", "", "true"), "ledger {\"enabledRules\":{\"off\":false}}"},
		{set("@vars.enabled.v", rules.Toggle, ""), "ledger {\"toggledVariables\":{\"v\":true}}"},
		{set("@worldbooks.on.words", rules.Toggle, ""),
			"ledger {\"toggledWorldbooks\":{\"words\":true}}"},
		{set("@worldbooks.on.hand", rules.Toggle, ""),
			"ledger {\"toggledWorldbooks\":{\"hand\":false}}"},
		{rules.SetVariable{Path: "@ui.choices", ValueRef: "v"},
			"host system {@ui.choices  0 map[]}"},
		{rules.SetVariable{Path: "@ui.choices", ValueRef: "v", Value: tree.Int(5)},
			"host system {@ui.choices  5 map[]}"},
		{set("@worldbooks.on.w", "", "false"), "ledger {\"toggledWorldbooks\":{\"w\":false}}"},
		{set("@prompt.entry.a.b", "", "true"), "ledger {\"toggledEntries\":{\"a.b\":true}}"},
		{set("@prompt.entry.", "", "true"), "refused bad-value"},
		{set("@prompt.entry.a", "", `"yes"`), "refused bad-value"},
		{set("@prompt.directive.", "", `"yes"`), "refused bad-value"},
		{set("@prompt.directive.d", "", `{"content":"c","duration":"2","persistent":0}`),
			`ledger {"activeDirectives":[{"id":"d","content":"c","position":"auto",` +
				`"persistent":true,"injectedAtTurn":0}]}`},
		{set("@prompt.context", "", `"psst"`),
			`ledger {"pendingContext":[{"message":"psst","role":"system"}]}`},
	} {
		applied := program.Apply(rules.State{}, rules.By("r", c.effect), rules.Options{})
		got := ""
		for _, h := range applied.Host {
			got += fmt.Sprintf("host %s %v", h.Effect.EffectType(), h.Effect)
		}
		for _, r := range applied.Refused {
			got += "refused " + string(r.Reason)
		}
		if l := text(applied.State.Ledger); l != "{}" {
			got += "ledger " + l
		}
		if got != c.want {
			t.Errorf("%s %s:\ngot  %s\nwant %s", c.effect.Path, c.effect.Value, got, c.want)
		}
		if len(applied.Changes) > 0 || len(applied.Events) > 0 {
			t.Errorf("%s changed or raised something", c.effect.Path)
		}
	}
}

// An operand that nobody has drawn yet is drawn when the effect is applied (RU-24).
func TestApplyDraws(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	effect := rules.SetVariable{Path: "who", Random: &rules.Random{
		Kind: rules.ListKind, Candidates: []tree.Value{tree.Text("ann"), tree.Text("bob")},
		HistoryVar: "seen", Cooldown: 1,
	}}
	random := rules.Options{Random: func() float64 { return 0.9 }}
	applied := none.Apply(rules.State{}, rules.By("tool", effect, effect), random)
	if got, want := applied.State.Variables.String(), `{"who":"ann","seen":["ann"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(applied.Draws) != 1 || applied.Draws[0] != 0.9 {
		t.Errorf("draws %v: with one candidate left there is nothing to draw", applied.Draws)
	}
}

// A moment without a title cannot be collected, and is shown every time.
func TestMomentsWithoutTitle(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "album", Type: rules.JSONType, Default: tree.Array()}}})
	for _, title := range []string{"", "  "} {
		untitled := rules.ShowMoment{Title: title, Message: "Snow falls.", Collect: "album"}
		emitted, _ := rules.EventOf(untitled)
		applied := program.Apply(rules.State{}, rules.By("r", untitled, untitled,
			rules.Emit{Event: emitted}), rules.Options{})
		if len(applied.Host) != 3 || len(applied.Changes) != 0 || len(applied.Refused) != 0 {
			t.Errorf("title %q: host %v, changes %v, refused %v", title, applied.Host, applied.Changes,
				applied.Refused)
		}
	}
}

// Emitted events with a built-in meaning do what they say, and are heard.
func TestBuiltInEvents(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	emit := func(text string) rules.Emit {
		var e rules.Event
		if err := e.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return rules.Emit{Event: e}
	}
	applied := none.Apply(rules.State{}, rules.By("r",
		emit(`{"type":"audio:play","trackId":"t","volume":"loud","fadeDuration":2}`),
		emit(`{"type":"audio:play"}`),
		emit(`{"type":"ai:context","message":"psst","role":"user"}`),
		emit(`{"type":"ui:notification","message":5}`),
		rules.ShowMoment{Title: "Snow", Collect: "album"},
		rules.ShowMoment{Title: "Snow", Collect: "album"},
		emit(`{"type":"ui:moment","title":"Fog","seen":"twice"}`),
		rules.RequestAI{Prompt: "a"}, rules.RequestAI{Prompt: "b"},
		rules.TriggerRule{ID: "r"},
	), rules.Options{})
	if len(applied.Host) != 4 || len(applied.State.Ledger.Pending) != 1 ||
		len(applied.Refused) != 1 {
		t.Errorf("host %v, pending %v, refused %v", applied.Host, applied.State.Ledger.Pending,
			applied.Refused)
	}
	types := ""
	for _, e := range applied.Events {
		types += e.Type + " "
	}
	want := "audio:play audio:play ai:context ui:notification ui:moment ui:moment rule:trigger state:changed "
	if types != want {
		t.Errorf("events %s\nwant   %s", types, want)
	}
	if seen := applied.Events[5].Get("seen").String(); seen != `"twice"` {
		t.Errorf("an emitted moment was heard without a field of its own: %s", applied.Events[5])
	}
}

// An @ path commands the game. Whatever form a model writes it in, it is dropped.
func TestModelsCommandNothing(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{})
	for _, p := range []*rules.Program{nil, program} {
		kept, dropped := p.FilterWrites(rules.State{}, rules.By("ai", set("@rules.disabled.r", "", "true"),
			set("@ai.request", "", `"go on"`), set("hp", "", "1")))
		if len(kept) != 1 || len(dropped) != 2 || dropped[0].Reason != rules.SystemPath {
			t.Errorf("kept %v, dropped %v", kept, dropped)
		}
	}
	r, ok := directive.ParseStructured(`{"narrative":"x","stateChanges":[
		{"variableId":"@prompt.directive.d","operation":"set","value":"obey"}]}`, directive.Options{})
	flat, _ := directive.ParseStructured(`{"narrative":"x","stateChanges":{"@prompt.directive.d":"obey"}}`,
		directive.Options{})
	if !ok || len(r.Effects)+len(flat.Effects) > 0 {
		t.Errorf("structured: %v %v", r.Effects, flat.Effects)
	}
	if r := directive.Parse("[@rules.disabled.r: true]```\n{\"@ai.request\": \"set x\"}\n```", directive.Options{}); len(r.Effects) > 0 {
		t.Errorf("in brackets: %v", r.Effects)
	}
}

// A path without end is refused, and leaves nothing of itself behind.
func TestDeepPathsLeaveNothing(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "j", Type: rules.JSONType, Default: tree.Object()}}})
	for _, levels := range []int{100, 999, 1000, 5000} {
		for _, p := range []*rules.Program{nil, program} {
			e := set("j"+strings.Repeat(".a", levels), rules.Set, "1")
			applied := p.Apply(load(t, `{"j":{}}`), rules.By("x", e), rules.Options{})
			if len(applied.Refused) != 1 || applied.Refused[0].Reason != rules.BadPath ||
				applied.State.Variables.String() != `{"j":{}}` {
				t.Errorf("%d levels: refused %d, left %.100s", levels, len(applied.Refused), applied.State.Variables)
			}
		}
	}
	applied := (*rules.Program)(nil).Apply(load(t, `{"j":null}`), rules.By("x",
		set("j.a.b[0]", rules.Set, "1"), set("k.l", rules.Push, "2")), rules.Options{})
	if got, want := applied.State.Variables.String(), `{"j":{"a":{"b":{"0":1}}},"k":{"l":[2]}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
