package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestSystemPathsAsDescribed tests the documentation of each @ path: its values and their effects.
// No variable is ever written (RU-17).
func TestSystemPathsAsDescribed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		effect effect.SetVariable
		host   string
		ledger string
		refuse effect.Reason
	}{
		{"a track of the music channel", set("@audio.bgm", "", `"rain"`),
			`{"type":"play-audio","trackId":"rain","action":"play","channel":"bgm"}`, "{}", ""},
		{"of sounds", set("@audio.sfx", "", `"x"`), `{"type":"play-audio","trackId":"x","action":"play","channel":"sfx"}`, "{}", ""},
		{"of the surroundings", set("@audio.ambient", "", `"x"`), `{"type":"play-audio","trackId":"x","action":"play","channel":"ambient"}`, "{}", ""},
		{"a track is stopped", set("@audio.stop", "", `"x"`), `{"type":"play-audio","trackId":"x","action":"stop"}`, "{}", ""},
		{"no track", set("@audio.bgm", "", `""`), "", "{}", effect.BadValue},
		{"a track is a text", set("@audio.bgm", "", `5`), "", "{}", effect.BadValue},
		{"a text is a directive that stays", set("@prompt.directive.d", "", `"obey"`), "",
			`{"activeDirectives":[{"id":"d","content":"obey","position":"auto","persistent":true,"injectedAtTurn":4}]}`, ""},
		{"an object says how", set("@prompt.directive.d.e", "", `{"content":"c","position":"top","persistent":false,"duration":2}`), "",
			`{"activeDirectives":[{"id":"d.e","content":"c","position":"top","persistent":false,"injectedAtTurn":4,"duration":2}]}`, ""},
		{"persistent unless exactly false", set("@prompt.directive.d", "", `{"content":"c","persistent":0,"duration":"2"}`), "",
			`{"activeDirectives":[{"id":"d","content":"c","position":"auto","persistent":true,"injectedAtTurn":4}]}`, ""},
		{"its content is a text", set("@prompt.directive.d", "", `{"content":5}`), "", "{}", effect.BadValue},
		{"true is nothing", set("@prompt.directive.d", "", `true`), "", "{}", effect.BadValue},
		{"an empty id neither", set("@prompt.directive.", "", `"x"`), "", "{}", effect.BadValue},
		{"false removes what is not there", set("@prompt.directive.d", "", `false`), "", "{}", ""},
		{"an entry is switched, its id may hold dots", set("@prompt.entry.a.b", "", `false`), "", `{"toggledEntries":{"a.b":false}}`, ""},
		{"a switch takes true or false", set("@prompt.entry.a", "", `"off"`), "", "{}", effect.BadValue},
		{"toggle works on switches", set("@prompt.entry.a", effect.Toggle, ""), "", `{"toggledEntries":{"a":false}}`, ""},
		{"one-shot context", set("@prompt.context", "", `"rain"`), "", `{"pendingContext":[{"message":"rain","role":"system"}]}`, ""},
		{"by its other name", set("@ai.context", "", `"rain"`), "", `{"pendingContext":[{"message":"rain","role":"system"}]}`, ""},
		{"an empty one", set("@ai.context", "", `""`), "", "{}", effect.BadValue},
		{"a rule is disabled", set("@rules.disabled.r", "", `true`), "", `{"enabledRules":{"r":false}}`, ""},
		{"and enabled", set("@rules.disabled.r", "", `false`), "", `{"enabledRules":{"r":true}}`, ""},
		{"a notice", set("@ui.notification", "", `"hi"`), `{"type":"notify-player","message":"hi","style":"info"}`, "{}", ""},
		{"an empty notice", set("@ui.notification", "", `""`), "", "{}", effect.BadValue},
		{"a generation", set("@ai.request", "", `"go on"`), `{"type":"request-ai","prompt":"go on"}`, "{}", ""},
		{"the exposure of a variable", set("@vars.enabled.hp", "", `false`), "", `{"toggledVariables":{"hp":false}}`, ""},
		{"a module", set("@worldbooks.on.m", "", `true`), "", `{"toggledWorldbooks":{"m":true}}`, ""},
		{"an entry is forced for one turn", set("@lore.force.b.1", "", `true`), `{"type":"force-entry","entryId":"b.1"}`, "{}", ""},
		{"or no more", set("@lore.force.b.1", "", `false`), `{"type":"force-entry","entryId":"b.1","turns":-1}`, "{}", ""},
		{"or for some turns", set("@lore.force.b.1", "", `3`), `{"type":"force-entry","entryId":"b.1","turns":3}`, "{}", ""},
		{"at most so many", set("@lore.force.b.1", "", `1048576`), `{"type":"force-entry","entryId":"b.1","turns":1048576}`, "{}", ""},
		{"and not more", set("@lore.force.b.1", "", `1048577`), "", "{}", effect.BadValue},
		{"nor for none", set("@lore.force.b.1", "", `0`), "", "{}", effect.BadValue},
		{"nor for a part of a turn", set("@lore.force.b.1", "", `0.5`), "", "{}", effect.BadValue},
		{"nor by a text", set("@lore.force.b.1", "", `"on"`), "", "{}", effect.BadValue},
		{"an entry has a new text", set("@lore.entry.b.1", "", `"Rain."`), `{"type":"update-entry","entryId":"b.1","content":"Rain."}`, "{}", ""},
		{"or new members", set("@lore.entry.b.1", "", `{"name":"n","content":"c","keywords":["k",7,"l"],"priority":2,"alwaysOn":true}`),
			`{"type":"update-entry","entryId":"b.1","name":"n","content":"c","keywords":["k","l"],"priority":2,"alwaysOn":true}`, "{}", ""},
		{"or is removed", set("@lore.entry.b.1", "", `false`), `{"type":"remove-entry","entryId":"b.1"}`, "{}", ""},
		{"and true is nothing", set("@lore.entry.b.1", "", `true`), "", "{}", effect.BadValue},
		{"nor is a number", set("@lore.entry.b.1", "", `5`), "", "{}", effect.BadValue},
		{"what nobody knows is the host's", set("@scene.player.x", "", `3`), `{"type":"system","path":"@scene.player.x","value":3}`, "{}", ""},
		{"choices", set("@ui.choices", "", `["a"]`), `{"type":"system","path":"@ui.choices","value":["a"]}`, "{}", ""},
		{"timers", set("@timer.start", "", `{"id":"t"}`), `{"type":"system","path":"@timer.start","value":{"id":"t"}}`, "{}", ""},
	} {
		var program *rules.Program
		applied := program.Apply(rules.State{Turn: 4}, effect.By("x", c.effect), rules.Options{})
		host := ""
		for _, e := range applied.Host {
			data, err := effect.Marshal(e.Effect)
			if err != nil {
				t.Fatal(err)
			}
			host += string(data)
		}
		ledger, err := json.Marshal(applied.State.Ledger)
		if err != nil {
			t.Fatal(err)
		}
		if host != c.host || !sameMembers(t, string(ledger), c.ledger) {
			t.Errorf("%s: host %s, ledger %s", c.reason, host, ledger)
		}
		var refused effect.Reason
		if len(applied.Refused) > 0 {
			refused = applied.Refused[0].Reason
		}
		if refused != c.refuse {
			t.Errorf("%s: refused %q, want %q", c.reason, refused, c.refuse)
		}
		if applied.State.Variables.String() != "{}" || len(applied.Changes)+len(applied.Events) > 0 {
			t.Errorf("%s: wrote %s and raised %v", c.reason, applied.State.Variables, applied.Events)
		}
	}
}

// TestDirectivesLiveAsLongAsDescribed: in the prompts of the turns T+1 to T+N, and replaced by one of
// the same id at the end of the list (RU-18).
func TestDirectivesLiveAsLongAsDescribed(t *testing.T) {
	t.Parallel()
	d := func(id string, persistent bool, duration *int) effect.InjectDirective {
		return effect.InjectDirective{ID: id, Content: id, Persistent: persistent, Duration: duration}
	}
	for _, c := range []struct {
		reason string
		effect effect.InjectDirective
		last   int // turn whose prompt has it, when injected in turn 3; 0: all
	}{
		{"one round", d("a", false, nil), 4},
		{"as many as said", d("a", false, new(3)), 6},
		{"a duration wins over persistence", d("a", true, new(2)), 5},
		{"until it is removed", d("a", true, nil), 0},
	} {
		ledger := (*rules.Program)(nil).Apply(rules.State{Turn: 3}, effect.By("x", c.effect), rules.Options{}).State.Ledger
		for turn := 4; turn < 12; turn++ {
			if has, want := len(ledger.Directives) == 1, c.last == 0 || turn <= c.last; has != want {
				t.Errorf("%s: in the prompt of turn %d: %t", c.reason, turn, has)
			}
			ledger, _ = ledger.Expire(turn)
		}
	}
	applied := (*rules.Program)(nil).Apply(rules.State{Turn: 3}, effect.By("x", d("a", true, nil), d("b", true, nil),
		d("a", false, nil), effect.RemoveDirective{ID: "b"}, d("b", false, nil)), rules.Options{})
	var ids []string
	for _, d := range applied.State.Ledger.Directives {
		ids = append(ids, d.ID)
	}
	if got := strings.Join(ids, " "); got != "a b" {
		t.Errorf("in the order in which they were said: %s", got)
	}
}

// TestEmittedEventsWithAMeaning: each event has its effect and is raised. A field of the wrong type
// is dropped; the effect is lost only if it requires the field (RU-19).
func TestEmittedEventsWithAMeaning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, event, want string }{
		{"a notice without a style", `{"type":"ui:notification","message":"m"}`, `{"type":"notify-player","message":"m","style":"info"}`},
		{"a style is passed through", `{"type":"ui:notification","message":"m","style":"odd"}`, `{"type":"notify-player","message":"m","style":"odd"}`},
		{"no message, no notice", `{"type":"ui:notification","message":5}`, ""},
		{"a sound", `{"type":"audio:play","trackId":"t"}`, `{"type":"play-audio","trackId":"t","action":"play"}`},
		{"its fields", `{"type":"audio:play","trackId":"t","action":"volume","volume":0.5,"fadeDuration":2,"chainTo":"u","maxDuration":9}`,
			`{"type":"play-audio","trackId":"t","action":"volume","volume":0.5,"fadeDuration":2,"chainTo":"u","maxDuration":9}`},
		{"wrong types field by field", `{"type":"audio:play","trackId":"t","volume":"loud","chainTo":5}`, `{"type":"play-audio","trackId":"t","action":"play"}`},
		{"no track, no sound", `{"type":"audio:play","trackId":5}`, ""},
		{"a moment", `{"type":"ui:moment","title":"T","message":"m","image":"i"}`, `{"type":"notify-player","message":"m","style":"moment","title":"T","image":"i"}`},
		{"any other is only heard", `{"type":"quest:done"}`, ""},
	} {
		var e event.Event
		if err := json.Unmarshal([]byte(c.event), &e); err != nil {
			t.Fatal(err)
		}
		applied := (*rules.Program)(nil).Apply(rules.State{}, effect.By("x", effect.Emit{Event: e}), rules.Options{})
		host := ""
		for _, h := range applied.Host {
			data, err := effect.Marshal(h.Effect)
			if err != nil {
				t.Fatal(err)
			}
			host += string(data)
		}
		if !(host == "" && c.want == "") && (host == "" || c.want == "" || !sameMembers(t, host, c.want)) {
			t.Errorf("%s: %s, want %s", c.reason, host, c.want)
		}
		if len(applied.Events) != 1 || applied.Events[0].Type != e.Type {
			t.Errorf("%s: heard as %v", c.reason, applied.Events)
		}
	}
}

// TestLimitsOfFiring tests the documentation of cooldowns, counts and chances, null included
// (RU-10, RU-11).
func TestLimitsOfFiring(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, limits string
		draws          []float64
		want           string // turns of 8 in which it fires
	}{
		{"no limit", ``, nil, "12345678"},
		{"null limits mean none", `,"maxFireCount":null,"cooldownTurns":null,"chance":null`, nil, "12345678"},
		{"a cooldown of 3: again at T+3", `,"cooldownTurns":3`, nil, "147"},
		{"of 1: each turn", `,"cooldownTurns":1`, nil, "12345678"},
		{"of 0: none", `,"cooldownTurns":0`, nil, "12345678"},
		{"a count", `,"maxFireCount":2`, nil, "12"},
		{"a count of 0 never", `,"maxFireCount":0`, nil, ""},
		{"a chance of 100 draws nothing", `,"chance":100`, nil, "12345678"},
		{"a chance fires below", `,"chance":50`, []float64{0.4, 0.5, 0.6, 0.49, 0.9, 0.9, 0.9, 0.9}, "14"},
		{"a failed roll spends neither count nor cooldown", `,"chance":50,"maxFireCount":1`, []float64{0.9, 0.9, 0.1}, "3"},
		{"a closed gate spends no roll", `,"chance":50,"cooldownTurns":4`, []float64{0.1, 0.1}, "15"},
	} {
		list, problems := rules.Parse([]byte(`[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[]` + c.limits + `}]`))
		program, more := rules.Compile(rules.Content{Rules: list})
		if len(problems)+len(more) > 0 {
			t.Fatal(problems, more)
		}
		drawn, got := 0, ""
		st := rules.State{}
		for turn := 1; turn <= 8; turn++ {
			st.Turn = turn
			out := program.Run(st, []event.Event{event.TurnComplete(turn)}, rules.Options{Random: func() float64 {
				drawn++
				return c.draws[drawn-1]
			}})
			st = out.State
			if len(out.Fired()) > 0 {
				got += fmt.Sprint(turn)
			}
		}
		if got != c.want || drawn != len(c.draws) {
			t.Errorf("%s: fired in %s, want %s; %d draws", c.reason, got, c.want, drawn)
		}
	}
}

// TestSwitchesOfRules: a switch overrides the authored state, in both directions, from the next hop
// on. It changes neither counts nor cooldowns (RU-12).
func TestSwitchesOfRules(t *testing.T) {
	t.Parallel()
	list, problems := rules.Parse([]byte(`[
		{"id":"plain","trigger":{"type":"every-turn"},"conditions":[],"actions":[{"type":"toggle-rule","ruleId":"plain","enabled":false}]},
		{"id":"off","enabled":false,"trigger":{"type":"every-turn"},"conditions":[],"actions":[]},
		{"id":"wake","trigger":{"type":"action","actionId":"wake"},"conditions":[],"actions":[
			{"type":"toggle-rule","ruleId":"off","enabled":true},{"type":"toggle-rule","ruleId":"ghost","enabled":false}]}]`))
	program, more := rules.Compile(rules.Content{Rules: list})
	if len(problems)+len(more) > 0 {
		t.Fatal(problems, more)
	}
	st := rules.State{Turn: 1}
	for i, step := range []struct {
		event event.Event
		want  string
	}{
		{event.TurnComplete(1), "plain"}, // and it switches itself off
		{event.TurnComplete(1), ""},
		{event.ActionFired("wake", tree.Value{}), "wake"},
		{event.TurnComplete(1), "off"},
	} {
		out := program.Run(st, []event.Event{step.event}, rules.Options{})
		st = out.State
		if got := strings.Join(out.Fired(), " "); got != step.want {
			t.Errorf("step %d: %q fired, want %q", i, got, step.want)
		}
	}
	if st.Ledger.FireCounts["plain"] != 1 {
		t.Errorf("counts %v", st.Ledger.FireCounts)
	}
	if on, known := st.Ledger.Enabled["ghost"]; !known || on {
		t.Errorf("switches %v", st.Ledger.Enabled)
	}
}

// TestRandomOperandsAsDescribed tests the documentation of ranges, dice and lists (RU-21).
func TestRandomOperandsAsDescribed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, random string
		draws          []float64
		want           string
		history        string
	}{
		{"whole numbers, both ends included", `{"kind":"range","min":1,"max":6}`, []float64{0.999}, "6", ""},
		{"the bounds may be swapped", `{"kind":"range","min":6,"max":1}`, []float64{0}, "1", ""},
		{"not whole", `{"kind":"range","min":1,"max":2,"integer":false}`, []float64{0.25}, "1.25", ""},
		{"one draw a die", `{"kind":"dice","count":2,"sides":6,"modifier":1}`, []float64{0, 0.999}, "8", ""},
		{"candidates are texts", `{"kind":"list","candidates":["a",5,""]}`, []float64{0.9}, `"5"`, ""},
		{"one candidate needs no draw", `{"kind":"list","candidates":["a"]}`, nil, `"a"`, ""},
		{"weights", `{"kind":"list","candidates":["a","b"],"weights":[1,3]}`, []float64{0.3}, `"b"`, ""},
		{"as many as candidates, or none count", `{"kind":"list","candidates":["a","b"],"weights":[1]}`, []float64{0.4}, `"a"`, ""},
		{"none below 0", `{"kind":"list","candidates":["a","b"],"weights":[-1,5]}`, []float64{0.4}, `"a"`, ""},
		{"what was lately is left out", `{"kind":"list","candidates":["a","b"],"historyVar":"past","cooldown":1}`, nil, `"a"`, `["a"]`},
		{"nothing left: all again", `{"kind":"list","candidates":["b"],"historyVar":"past","cooldown":1,"onExhausted":"full"}`, nil, `"b"`, ""},
		{"or nothing", `{"kind":"list","candidates":["b"],"historyVar":"past","cooldown":1,"onExhausted":"keep"}`, nil, "null", ""},
		{"of a variable", `{"kind":"list","candidatesVar":"names"}`, []float64{0.6}, `"y"`, ""},
	} {
		v, err := tree.ParseValue([]byte(c.random))
		if err != nil {
			t.Fatal(err)
		}
		random := effect.ParseRandom(v)
		drawn := 0
		applied := (*rules.Program)(nil).Apply(load(t, `{"x":null,"past":["b"],"names":["x","y"]}`),
			effect.By("r", effect.SetVariable{Path: "x", Random: random}), rules.Options{Random: func() float64 {
				drawn++
				return c.draws[drawn-1]
			}})
		root := applied.State.Variables.Root()
		if got := root.Get("x").String(); got != c.want || drawn != len(c.draws) {
			t.Errorf("%s: %s, want %s; %d draws", c.reason, got, c.want, drawn)
		}
		if got := root.Get("past").String(); c.history != "" && got != c.history {
			t.Errorf("%s: the history is %s", c.reason, got)
		}
	}
}
