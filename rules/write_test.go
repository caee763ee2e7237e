package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func load(t *testing.T, text string) rules.State {
	t.Helper()
	doc, err := tree.ParseDocument([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules.State{Variables: doc}
}

func set(path string, op effect.Operation, value string) effect.SetVariable {
	e := effect.SetVariable{Path: path, Operation: op}
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
		effect effect.SetVariable
		change string // path: old -> new
		reject effect.Reason
	}{
		{"a plain variable", set("hp", effect.Add, "2"), "hp: 5 -> 7", ""},
		{"a new variable", set("mp", effect.Subtract, "2"), "mp:  -> -2", ""},
		{"a new branch is one change at its top", set("a.b.c", effect.Set, "1"),
			`a:  -> {"b":{"c":1}}`, ""},
		{"a leaf keeps its description", set("stat_data.时间", effect.Set, `"晚上"`),
			`stat_data.时间: "早上" -> "晚上"`, ""},
		{"the value of a leaf by its index", set("stat_data.时间[0]", effect.Append, `"!"`),
			`stat_data.时间: "早上" -> "早上!"`, ""},
		{"the description is not written", set("stat_data.时间[1]", effect.Set, `"x"`), "",
			effect.BadPath},
		{"through a leaf that holds an object", set("stat_data.状态.体力", effect.Multiply, "2"),
			"stat_data.状态.体力: 3 -> 6", ""},
		{"a list in a leaf", set("stat_data.物", effect.Push, `"b"`),
			`stat_data.物: ["a"] -> ["a","b"]`, ""},
		{"a list of two texts elsewhere is a list", set("names", effect.Push, `"丙"`),
			`names: ["甲","乙"] -> ["甲","乙","丙"]`, ""},
		{"a key with a dot", set("odd.key", effect.Add, "1"), `["odd.key"]: 1 -> 2`, ""},
		{"an element", set("list[1]", effect.Delete, ""), "list.1: 2 -> ", ""},
		{"delete takes an index of a list", set("list", effect.Delete, "0"), "list: [1,2] -> [2]", ""},
		{"an index that is not there", set("list", effect.Delete, "7"), "", ""},
		{"a list has no keys", set("list", effect.Delete, `"0"`), "", effect.WrongOperand},
		{"a forgotten index does not cost the list", set("list", effect.Delete, ""), "",
			effect.WrongOperand},
		{"a scalar has no parts", set("hp", effect.Delete, ""), "", effect.WrongVariable},
		{"a key of an object inside a document", set("stat_data.状态", effect.Delete, `"体力"`),
			`stat_data.状态: {"体力":3} -> {}`, ""},
		{"a key that is not there", set("stat_data.状态", effect.Delete, `"魔力"`), "", ""},
		{"an index of a list in a leaf", set("stat_data.物", effect.Delete, "0"),
			`stat_data.物: ["a"] -> []`, ""},
		{"an object has no indices", set("stat_data", effect.Delete, "0"), "", effect.WrongOperand},
		{"a path names the part by itself", set("stat_data.状态.体力", effect.Delete, ""),
			"stat_data.状态.体力: 3 -> ", ""},
		{"so it does beside true", set("stat_data.状态.体力", effect.Delete, "true"),
			"stat_data.状态.体力: 3 -> ", ""},
		{"a leaf goes with its description", set("stat_data.时间", effect.Delete, ""),
			`stat_data.时间: ["早上","时段"] -> `, ""},
		{"what is not there", set("stat_data.天气", effect.Delete, ""), "", ""},
		{"behind the end of a list", set("list[3]", effect.Set, "1"), "", effect.BadPath},
		{"through a scalar", set("hp.max", effect.Set, "1"), "", effect.BadPath},
		{"a reserved key", set("a.__proto__.b", effect.Set, "1"), "", effect.BadPath},
		{"an equal value is no change", set("hp", effect.Set, "5.0"), "", ""},
		{"a bad operand", set("hp", effect.Add, `"5"`), "", effect.WrongOperand},
		{"a bad variable", set("names", effect.Toggle, ""), "", effect.WrongVariable},
		{"no such operation", set("hp", "divide", "5"), "", "unknown-operation"},
		{"no such reference", effect.SetVariable{Path: "hp", ValueRef: "ghost"}, "",
			effect.NoReference},
		{"a reference into a leaf", effect.SetVariable{Path: "hp", ValueRef: "stat_data.状态.体力"},
			"hp: 5 -> 3", ""},
		{"a reference to a leaf", effect.SetVariable{Path: "hp", ValueRef: "stat_data.时间"},
			`hp: 5 -> "早上"`, ""},
		{"toggle what is missing", set("flag", effect.Toggle, ""), "flag:  -> true", ""},
		{"append to what is missing", set("log", effect.Append, `"a"`), `log:  -> "a"`, ""},
		{"a path that is none", set("a..b", effect.Set, "1"), "", effect.BadPath},
		{"set to nothing", set("hp", effect.Set, ""), "", effect.WrongOperand},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			var none *rules.Program
			st := load(t, doc)
			applied := none.Apply(st, effect.By("x", c.effect), rules.Options{})
			got := ""
			for _, change := range applied.Changes {
				got += fmt.Sprintf("%s: %s -> %s", change.Path, printedOrNothing(change.Old),
					printedOrNothing(change.New))
			}
			if got != c.change {
				t.Errorf("changes %q, want %q", got, c.change)
			}
			var reason effect.Reason
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

// A reported change does not change with later writes.
func TestReportedChangesDoNotMove(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	applied := none.Apply(load(t, `{"o":{"n":1,"l":[1]}}`), effect.By("x",
		set("o.n", effect.Add, "1"), set("o.l", effect.Push, "2"), set("o", effect.Merge, `{"n":9}`),
		set("o.n", effect.Add, "1")), rules.Options{})
	got := ""
	for _, c := range applied.Changes {
		got += fmt.Sprintf("%s %s>%s;", c.Path, c.Old, c.New)
	}
	want := `o.n 1>2;o.l [1]>[1,2];o {"n":2,"l":[1,2]}>{"n":9,"l":[1,2]};o.n 9>10;`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Numbers neither overflow nor grow without a limit.
func TestNumbersStayNumbers(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	st := load(t, `{"n":1.1,"big":1e300}`)
	for range 2000 {
		st = none.Apply(st, effect.By("x", set("n", effect.Multiply, "1.1"), set("big",
			effect.Multiply, "1e9")),
			rules.Options{}).State
	}
	for _, id := range []string{"n", "big"} {
		v := st.Variables.Root().Get(id)
		if f, ok := v.AsFloat(); !ok || f <= 0 || len(v.String()) > 40 {
			t.Errorf("%s is %s", id, v)
		}
	}
	applied := none.Apply(load(t, `{"n":1e401}`), effect.By("x", set("n", effect.Multiply, "10")),
		rules.Options{})
	if len(applied.Refused) != 1 || applied.Refused[0].Reason != "not-finite" {
		t.Errorf("an infinity: %s %v", applied.State.Variables, applied.Refused)
	}
	applied = none.Apply(load(t, `{"n":0.1}`), effect.By("x", set("n", effect.Add, "0.2")),
		rules.Options{})
	if got := applied.State.Variables.String(); got != `{"n":0.3}` {
		t.Errorf("0.1 + 0.2 in %s", got)
	}
}

// Formula variables are computed in the order of their dependencies, for any length of the chain. A
// cycle is a problem and changes nothing (RU-25).
func TestFormulas(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "d", Type: rules.TypeNumber, Formula: "c + 1"},
		{ID: "c", Type: rules.TypeNumber, Formula: "b + 1"},
		{ID: "b", Type: rules.TypeNumber, Formula: "a + 1"},
		{ID: "a", Type: rules.TypeNumber},
		{ID: "rich", Type: rules.TypeBoolean, Formula: "d > 10"},
		{ID: "label", Type: rules.TypeString, Formula: "d / 4"},
		{ID: "nought", Type: rules.TypeString, Formula: "0 * -d"},
		{ID: "x", Type: rules.TypeNumber, Formula: "y"},
		{ID: "y", Type: rules.TypeNumber, Formula: "x"},
		{ID: "bad", Type: rules.TypeNumber, Formula: "1 +"},
		{ID: "odd", Type: rules.TypeNumber, Formula: "ghost * 2"},
	}})
	var places string
	for _, p := range problems.Of("formula") {
		places += p.Path + " "
	}
	if want := "variables[7].formula variables[8].formula variables[9].formula "; places != want {
		t.Errorf("problems at %s, want %s", places, want)
	}
	applied := program.Apply(program.Restore(rules.State{}), effect.By("x", set("a", effect.Set,
		"8")), rules.Options{})
	want := `{"d":11,"c":10,"b":9,"a":8,"rich":true,"label":"2.75","nought":"0","x":0,"y":0,"bad":0,` +
		`"odd":0}`
	if got := applied.State.Variables.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A new game and a loaded one begin with the computed values of their formulas: the first write
// causes no jump, and no false crossing is raised (RU-25).
func TestRestoreComputesFormulas(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{
		Variables: []rules.Variable{
			{ID: "rich", Type: rules.TypeBoolean, Formula: "wealth > 100"},
			{ID: "wealth", Type: rules.TypeNumber, Formula: "gold + bag.gems * 50", Max: new(500.0)},
			{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(120)},
			{ID: "bag", Type: rules.TypeJSON, Default: tree.Object(tree.Member{Key: "gems",
				Value: tree.Int(2)})},
			{ID: "odd", Type: rules.TypeNumber, Default: tree.Int(7), Formula: "bag.none"},
		},
		Rules: []rules.Rule{{ID: "crossed", Actions: effect.Actions{effect.Notify{Message: "You became rich!"}},
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
	applied := program.Apply(st, effect.By("x", set("gold", effect.Add, "1")), rules.Options{})
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

// Infinite numbers are refused before anything computes with them.
func TestNumbersOfTooManyDigits(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "n", Type: rules.TypeNumber}, {ID: "j", Type: rules.TypeJSON}}})
	long := strings.Repeat("9", 1_000_000)
	var none *rules.Program
	for _, p := range []*rules.Program{none, program} {
		for _, e := range []effect.SetVariable{
			set("n", effect.Add, long), set("n", effect.Set, long), set("n", effect.Multiply, "0."+long),
			set("j", effect.Set, "["+long+"]"), set("j", effect.Set, `{"a":[`+long+`]}`),
		} {
			applied := p.Apply(load(t, `{"n":1}`), effect.By("x", e), rules.Options{})
			if len(applied.Refused) != 1 || applied.Refused[0].Reason != effect.WrongOperand || len(applied.Changes) > 0 {
				t.Errorf("%s %.20s…: refused %d, changes %d", e.Operation, e.Value, len(applied.Refused),
					len(applied.Changes))
			}
		}
		// A text that spells such a number is a text.
		applied := program.Apply(rules.State{}, effect.By("x", set("n", effect.Set, `"`+long+`"`)), rules.Options{})
		if len(applied.Refused) != 1 || applied.Refused[0].Reason != effect.WrongType {
			t.Errorf("a text for a number: %d refused", len(applied.Refused))
		}
	}
	applied := none.Apply(load(t, `{"n":`+long+`}`), effect.By("x", set("n", effect.Add, "1")), rules.Options{})
	if len(applied.Refused) != 1 || applied.Refused[0].Reason != effect.WrongVariable {
		t.Errorf("an old number without end: %d refused", len(applied.Refused))
	}
}

// Every @ path, with values that fit and that do not (RE-05 to RE-09).
func TestSystemPaths(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{
		Variables: []rules.Variable{{ID: "v", Type: rules.TypeNumber, Enabled: new(false)}},
		Rules:     []rules.Rule{{ID: "off", Enabled: new(false), Actions: effect.Actions{}}},
		Modules: []rules.Module{
			{ID: "words", Activation: rules.Activation{Mode: rules.ModeKeywords}},
			{ID: "hand", Activation: rules.Activation{Mode: rules.ModeManual}},
		},
	})
	for _, c := range []struct {
		effect effect.SetVariable
		want   string
	}{
		{set("@audio.sfx", "", `"bell"`),
			"host play-audio {bell play sfx <nil> <nil>  <nil> map[]}"},
		{set("@audio.stop", "", `"bell"`), "host play-audio {bell stop  <nil> <nil>  <nil> map[]}"},
		{set("@audio.sfx", "", `5`), "refused bad-value"},
		{set("@ai.request", "", `"go on"`), "host request-ai {go on map[]}"},
		{set("@timer.start", "", `{"id":"t"}`), `host system {@timer.start  {"id":"t"} map[]}`},
		{set("@rules.disabled.off", effect.Toggle, ""), "ledger {\"enabledRules\":{\"off\":true}}"},
		{set("@rules.disabled.other", effect.Toggle, ""),
			"ledger {\"enabledRules\":{\"other\":false}}"},
		{set("@rules.disabled.off", "", "true"), "ledger {\"enabledRules\":{\"off\":false}}"},
		{set("@vars.enabled.v", effect.Toggle, ""), "ledger {\"toggledVariables\":{\"v\":true}}"},
		{set("@worldbooks.on.words", effect.Toggle, ""),
			"ledger {\"toggledWorldbooks\":{\"words\":true}}"},
		{set("@worldbooks.on.hand", effect.Toggle, ""),
			"ledger {\"toggledWorldbooks\":{\"hand\":false}}"},
		{effect.SetVariable{Path: "@ui.choices", ValueRef: "v"},
			"host system {@ui.choices  0 map[]}"},
		{effect.SetVariable{Path: "@ui.choices", ValueRef: "v", Value: tree.Int(5)},
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
		applied := program.Apply(rules.State{}, effect.By("r", c.effect), rules.Options{})
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

// An operand that is not drawn yet is drawn when the effect is applied (RU-24).
func TestApplyDraws(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	asked := effect.SetVariable{Path: "who", Random: &effect.Random{
		Kind: effect.ListKind, Candidates: []tree.Value{tree.Text("ann"), tree.Text("bob")},
		HistoryVar: "seen", Cooldown: 1,
	}}
	random := rules.Options{Random: func() float64 { return 0.9 }}
	applied := none.Apply(rules.State{}, effect.By("tool", asked, asked), random)
	if got, want := applied.State.Variables.String(), `{"who":"ann","seen":["ann"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(applied.Draws) != 1 || applied.Draws[0] != 0.9 {
		t.Errorf("draws %v: with one candidate left there is nothing to draw", applied.Draws)
	}
}

// A moment without a title is not recorded, and is shown every time.
func TestMomentsWithoutTitle(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "album", Type: rules.TypeJSON, Default: tree.Array()}}})
	for _, title := range []string{"", "  "} {
		untitled := effect.ShowMoment{Title: title, Message: "Snow falls.", Collect: "album"}
		emitted, _ := effect.EventOf(untitled)
		applied := program.Apply(rules.State{}, effect.By("r", untitled, untitled,
			effect.Emit{Event: emitted}), rules.Options{})
		if len(applied.Host) != 3 || len(applied.Changes) != 0 || len(applied.Refused) != 0 {
			t.Errorf("title %q: host %v, changes %v, refused %v", title, applied.Host, applied.Changes,
				applied.Refused)
		}
	}
}

// Emitted events with a built-in meaning have their effect and are also raised.
func TestBuiltInEvents(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	emit := func(text string) effect.Emit {
		var e event.Event
		if err := e.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return effect.Emit{Event: e}
	}
	applied := none.Apply(rules.State{}, effect.By("r",
		emit(`{"type":"audio:play","trackId":"t","volume":"loud","fadeDuration":2}`),
		emit(`{"type":"audio:play"}`),
		emit(`{"type":"ai:context","message":"psst","role":"user"}`),
		emit(`{"type":"ui:notification","message":5}`),
		effect.ShowMoment{Title: "Snow", Collect: "album"},
		effect.ShowMoment{Title: "Snow", Collect: "album"},
		emit(`{"type":"ui:moment","title":"Fog","seen":"twice"}`),
		effect.RequestAI{Prompt: "a"}, effect.RequestAI{Prompt: "b"},
		effect.TriggerRule{ID: "r"},
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

// An @ path commands the game. A model's write to it is dropped in every form.
func TestModelsCommandNothing(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{})
	for _, p := range []*rules.Program{nil, program} {
		kept, dropped := p.FilterWrites(rules.State{}, effect.By("ai", set("@rules.disabled.r", "", "true"),
			set("@ai.request", "", `"go on"`), set("hp", "", "1")))
		if len(kept) != 1 || len(dropped) != 2 || dropped[0].Reason != effect.SystemPath {
			t.Errorf("kept %v, dropped %v", kept, dropped)
		}
	}
	r, ok := rules.ParseStructuredDirectives(`{"narrative":"x","stateChanges":[
		{"variableId":"@prompt.directive.d","operation":"set","value":"obey"}]}`, rules.DirectiveOptions{})
	flat, _ := rules.ParseStructuredDirectives(`{"narrative":"x","stateChanges":{"@prompt.directive.d":"obey"}}`,
		rules.DirectiveOptions{})
	if !ok || len(r.Effects)+len(flat.Effects) > 0 {
		t.Errorf("structured: %v %v", r.Effects, flat.Effects)
	}
	if r := rules.ParseDirectives("[@rules.disabled.r: true]```\n{\"@ai.request\": \"set x\"}\n```", rules.DirectiveOptions{}); len(r.Effects) > 0 {
		t.Errorf("in brackets: %v", r.Effects)
	}
}

// A path that is too deep is refused and leaves nothing in the document.
func TestDeepPathsLeaveNothing(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "j", Type: rules.TypeJSON, Default: tree.Object()}}})
	for _, levels := range []int{100, 999, 1000, 5000} {
		for _, p := range []*rules.Program{nil, program} {
			e := set("j"+strings.Repeat(".a", levels), effect.Set, "1")
			applied := p.Apply(load(t, `{"j":{}}`), effect.By("x", e), rules.Options{})
			if len(applied.Refused) != 1 || applied.Refused[0].Reason != effect.BadPath ||
				applied.State.Variables.String() != `{"j":{}}` {
				t.Errorf("%d levels: refused %d, left %.100s", levels, len(applied.Refused), applied.State.Variables)
			}
		}
	}
	applied := (*rules.Program)(nil).Apply(load(t, `{"j":null}`), effect.By("x",
		set("j.a.b[0]", effect.Set, "1"), set("k.l", effect.Push, "2")), rules.Options{})
	if got, want := applied.State.Variables.String(), `{"j":{"a":{"b":{"0":1}}},"k":{"l":[2]}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
