package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// everyEffect has one effect of each type, with all fields set.
func everyEffect() effect.List {
	extra := map[string]json.RawMessage{"note": json.RawMessage(`"kept"`)}
	object := tree.Object(tree.Member{Key: "k", Value: tree.Int(1)})
	return effect.List{
		effect.SetVariable{Path: "a.b", Operation: effect.Add, Value: tree.Int(2), ValueRef: "c",
			Extra:  extra,
			Random: &effect.Random{Kind: effect.DiceKind, Count: 2, Sides: 6}},
		effect.InjectDirective{ID: "d", Content: "c", Position: "depth", Depth: new(4),
			Duration: new(2), Extra: extra},
		effect.RemoveDirective{ID: "d"},
		effect.ToggleEntry{ID: "e", Enabled: true},
		effect.ToggleRule{ID: "r"},
		effect.ToggleVariable{ID: "v", Enabled: true},
		effect.ToggleBook{ID: "b", Enabled: true},
		effect.TriggerRule{ID: "r"},
		effect.Notify{Message: "m", Style: "danger", Title: "t", Image: "i", Quiet: true},
		effect.PlayAudio{TrackID: "t", Action: "volume", Channel: "bgm", Volume: new(0.5),
			FadeDuration: new(1.5),
			ChainTo:      "u", MaxDuration: new(9.0)},
		effect.SendContext{Message: "m", Role: "user"},
		effect.RequestAI{Prompt: "go on"},
		effect.Emit{Event: event.New("quest:done", tree.Member{Key: "id",
			Value: tree.Text("q")})},
		effect.ShowMoment{Title: "t", Message: "m", Image: "i", Collect: "c"},
		effect.System{Path: "@ui.choices", Operation: effect.Set, Value: object},
		effect.InjectPrompt{Key: "k", Content: "c", Priority: 55, Scope: "turn"},
		effect.ChangeState{CharacterID: "c", Field: "hp", Old: tree.Int(1), New: tree.Int(2)},
		effect.ChangeRelationship{CharacterID: "c", UserID: "u", Field: "trust", Old: tree.Int(1),
			New: tree.Int(2)},
		effect.AddMessage{Content: "c"},
		effect.WriteMemory{Title: "t", Content: "c", MemType: "long", Summary: "s", CharacterID: "c",
			UserID: "u"},
		effect.WriteLog{Level: "info", Message: "m"},
		effect.StartWorkflow{Workflow: "w", Params: object},
		effect.AddEntry{BookID: "b", Name: "n", Content: "c", Keywords: []string{"k"},
			EntryType: "t", Priority: 1,
			AlwaysOn: true, Literal: true, Tags: []string{"x"}},
		effect.BackupBranch{Path: tree.Path{"a", "b"}, World: "w", Data: object},
		effect.MoveCharacter{CharacterID: "c", FromAreaID: "a", ToAreaID: "b", PathID: "p"},
		effect.ChangeHP{CharacterID: "c", Delta: -3, Cause: "fall"},
		effect.EndCampaign{Reason: "won"},
		effect.Rewrite{Target: "prompt", Find: "f", Text: "t", Extra: extra},
		effect.Veto{Reason: "no", Extra: extra},
		effect.Custom{Type: "summon-dragon", Data: object},
		effect.Custom{Type: "rest"},
	}
}

func TestEveryEffectSurvivesJSON(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, want := range everyEffect() {
		data, err := effect.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), `{"type":"`+want.EffectType()+`"`) {
			t.Errorf("the type is not first: %s", data)
		}
		got, err := effect.Unmarshal(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if d := cmp.Diff(want, got, sameJSON); d != "" {
			t.Errorf("%s:\n%s", want.EffectType(), d)
		}
		seen[want.EffectType()] = true
		noted := append(data[:len(data)-1:len(data)-1], `,"from":"a later version"}`...)
		if got, err = effect.Unmarshal(noted); err != nil {
			t.Fatalf("%s: %v", noted, err)
		}
		if again, err := effect.Marshal(got); err != nil || !strings.Contains(string(again),
			`"from"`) {
			t.Errorf("%v, a member of a later version is lost: %s", err, again)
		}
	}
	if len(seen) != 31 {
		t.Errorf("%d types", len(seen))
	}
	data, err := json.Marshal(everyEffect())
	if err != nil {
		t.Fatal(err)
	}
	var list effect.List
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(everyEffect(), list, sameJSON); d != "" {
		t.Error(d)
	}
}

// loudNotice looks like an effect because it embeds one.
type loudNotice struct{ effect.Notify }

func TestBrokenEffectsAreErrors(t *testing.T) {
	t.Parallel()
	for _, e := range []effect.Effect{nil, loudNotice{}, &effect.Notify{}} {
		if data, err := effect.Marshal(e); err == nil {
			t.Errorf("%T was written as %s", e, data)
		}
	}
	for _, text := range []string{`[]`, `{}`, `{"type":5}`, `{"type":"move","toAreaId":5}`,
		`nonsense`} {
		if e, err := effect.Unmarshal([]byte(text)); err == nil {
			t.Errorf("%s: %v", text, e)
		}
	}
	var list effect.List
	if err := json.Unmarshal([]byte(`[{"type":"rest"},{}]`), &list); err == nil ||
		!strings.Contains(err.Error(), "effects[1]") {
		t.Errorf("error %v", err)
	}
	if err := json.Unmarshal([]byte(`null`), &list); err != nil || list != nil {
		t.Errorf("null: %v %v", list, err)
	}
}

// The interpreter applies the effects that it knows. It passes all others to the host unchanged.
func TestApplyHandsOnWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	var none *rules.Program
	for _, e := range everyEffect() {
		applied := none.Apply(rules.State{}, effect.By("hook", e), rules.Options{})
		switch e.(type) {
		case effect.InjectPrompt, effect.ChangeState, effect.ChangeRelationship, effect.AddMessage, effect.WriteMemory,
			effect.WriteLog, effect.StartWorkflow, effect.AddEntry, effect.BackupBranch,
			effect.MoveCharacter,
			effect.ChangeHP, effect.EndCampaign, effect.Custom, effect.System, effect.RequestAI,
			effect.Rewrite, effect.Veto:
			if len(applied.Host) != 1 || applied.Host[0].Source != "hook" {
				t.Errorf("%s: host %v", e.EffectType(), applied.Host)
				continue
			}
			if d := cmp.Diff(e, applied.Host[0].Effect, sameJSON); d != "" {
				t.Errorf("%s:\n%s", e.EffectType(), d)
			}
		}
	}
}

// A rule keeps unknown and unreadable members (RU-01).
func TestRuleKeepsEverything(t *testing.T) {
	t.Parallel()
	const source = `{"id":"r","name":"n","description":"d","trigger":{"type":"keyword",
		"keywords":["a"],"useFuzzyMatch":true},` +
		`"conditions":[{"variableId":"v","operator":"gt","value":1,"hint":"h"}],
			"conditionLogic":"any",` +
		`"actions":[{"type":"toggle-entry","entryId":"e"},null,{"type":"dance","steps":3},` +
		`{"type":"modify-variable","variableId":"v","value":1,"x":2}],"priority":2.5,
			"enabled":false,` +
		`"cooldownTurns":2,"maxFireCount":3,"chance":50,"elseMessage":"no","maxChainDepth":1,
			"worldbookId":"w",` +
		`"stopConditions":[],"color":"red","tags":["x"]}`
	var r rules.Rule
	if err := json.Unmarshal([]byte(source), &r); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]any
	_ = json.Unmarshal([]byte(source), &want)
	_ = json.Unmarshal(data, &got)
	delete(want, "stopConditions") // an empty list is the same as no list
	delete(got, "stopConditions")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWrongTypesAreNamedAndKept(t *testing.T) {
	t.Parallel()
	list, problems := rules.Parse([]byte(`[{"id":"r","trigger":{"type":"every-turn"},
		"conditions":"none",` +
		`"actions":7,"enabled":"yes","priority":"high","chance":[]}, 5]`))
	_, more := rules.Compile(rules.Content{Rules: list})
	var places []string
	for _, p := range append(problems, more...) {
		places = append(places, p.Path)
	}
	want := []string{"rules[0].conditions", "rules[0].actions", "rules[0].enabled",
		"rules[0].priority",
		"rules[0].chance", "rules[1]"}
	if d := cmp.Diff(want, places); d != "" {
		t.Error(d)
	}
	data, err := json.Marshal(list[0])
	if err != nil || !strings.Contains(string(data), `"priority":"high"`) {
		t.Errorf("%s %v", data, err)
	}
}

func TestLedgerOfAnyAge(t *testing.T) {
	t.Parallel()
	var l rules.Memory
	err := json.Unmarshal([]byte(`{"disabledRules":["a"],"enabledRules":["b"],"cooldowns":{"a":3,
		"x":"?"},`+
		`"activeDirectives":[{"id":"d","content":"c","mood":1},{"content":"no id"}],
			"directives":[{"id":"e","persistent":false}],`+
		`"toggledEntries":{"e":true,"f":1},"pendingContext":[{"message":"m"},{}],
			"prevVars":{"hp":1}}`), &l)
	if err != nil {
		t.Fatal(err)
	}
	want := rules.Memory{
		Enabled:   map[string]bool{"a": false, "b": true},
		Cooldowns: map[string]int{"a": 3},
		Directives: []rules.Directive{
			{ID: "d", Content: "c", Position: "auto", Persistent: true,
				Extra: map[string]json.RawMessage{"mood": []byte("1")}},
			{ID: "e", Position: "auto"},
		},
		Entries: map[string]bool{"e": true},
		Pending: []effect.SendContext{{Message: "m"}},
		Extra:   map[string]json.RawMessage{"prevVars": []byte(`{"hp":1}`)},
	}
	if d := cmp.Diff(want, l); d != "" {
		t.Error(d)
	}
	data, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	var back rules.Memory
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(l, back); d != "" {
		t.Error(d)
	}
	clone := l.Clone()
	clone.Enabled["a"], clone.Cooldowns["a"], clone.Directives[0].ID, clone.Entries["e"] = true, 9, "x", false
	if d := cmp.Diff(want, l); d != "" {
		t.Errorf("the clone shares something:\n%s", d)
	}
	if data, _ := json.Marshal(rules.Memory{}); string(data) != "{}" {
		t.Errorf("a new ledger is %s", data)
	}
}
