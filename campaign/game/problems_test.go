package game_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// TestMistakesOfEveryPart: Compile reports the mistakes of each part of the content.
func TestMistakesOfEveryPart(t *testing.T) {
	t.Parallel()
	var golden strings.Builder
	for _, c := range []struct {
		content game.Content
		want    []string
	}{
		{game.Content{Rules: game.Rules{Scenes: []rules.SpatialScene{{}}}}, []string{"missing-id scenes[0].id"}},
		{game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{}}}}, []string{"rejected hooks[0].name", "rejected hooks[0].event", "doubtful hooks[0].actions"}},
		{game.Content{Rules: game.Rules{Rules: []rules.Rule{{}}}}, []string{"unreadable rules[0]"}},
		{game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Actions: effect.Actions{effect.Custom{Type: "lock-path"}, effect.Custom{Type: "dance"}}}}}}, []string{"unknown-id rules[0].actions[1]", "actions rules[0].actions[0].pathId"}},
		{game.Content{Rules: game.Rules{Scenes: []rules.SpatialScene{{ID: "deck", Width: 1, Height: 1}}, Reactions: []reactions.Reaction{{ID: "r", When: rules.Pattern{EventType: "go"}, Then: reactions.Effects{
			custom("start-timer", "timerId", tree.Text("t"), "duration", tree.Int(-1)), custom("start-timer", "timerId", tree.Text("t"), "duration", tree.Text("5")),
			custom("start-timer", "timerId", tree.Text("t"), "duration", tree.Int(0)), custom("start-timer", "timerId", tree.Text("{param.t}")),
			custom("enter-scene", "sceneId", tree.Text("dekc")), custom("enter-scene", "sceneId", tree.Text("deck")), custom("lock-movement")}}}}},
			[]string{"actions reactions[0].then[0].duration", "actions reactions[0].then[1].duration", "actions reactions[0].then[4].sceneId"}},
		{game.Content{Rules: game.Rules{Variables: []rules.Variable{{ID: "gold", Type: rules.TypeNumber}, {ID: "bag", Type: rules.TypeJSON}},
			Hooks: []hooks.Hook{hookOn(`{"vars.glod": 1, "vars.hp.mara": 3, "vars.weather": "rain", "vars.bag.coins": 2, "any": [{"vars.bga.coins": 1}, {"not": {"vars.gold": {"gte": 1}}}], "all": [{"vars.golf": 1}], "not": {"vars.gild": 1}, "vars.bag[": 1}`)}}},
			[]string{"unknown-id hooks[0].conditions.vars.glod", "unknown-id hooks[0].conditions.any[0].vars.bga.coins", "unknown-id hooks[0].conditions.all[0].vars.golf", "unknown-id hooks[0].conditions.not.vars.gild", "unknown-id hooks[0].conditions.vars.bag["}},
		{game.Content{Rules: game.Rules{Reactions: []reactions.Reaction{{}}}}, []string{"missing-id reactions[0].id", "pattern reactions[0].when", "actions reactions[0].then"}},
		{game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Keys: []string{"/(/"}, Content: "x"})}}, []string{"bad_regex books.b.entries[0].key[0]"}},
		{game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Constant: true, Content: "x", Extensions: []byte(`{"visible_to": 1}`)})}}, []string{"bad_visible_to books.b.1.extensions"}},
		{game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Constant: true, Content: "x", Extra: map[string]json.RawMessage{"visible_to": []byte(`["ann"]`)}})}}, []string{"bad_visible_to books.b.entries[0].visible_to"}},
		{game.Content{Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{{Name: "x", Find: "/(/", Placement: []script.Placement{script.AIOutput}}}}}}}, []string{"bad_pattern scripts.global[0].findRegex"}},
		{game.Content{Prompt: game.Prompt{Shape: prompt.ShapeProfile("nope")}}, []string{"bad_profile shape.profile"}},
		{game.Content{Lore: game.Lore{ScanTemplates: "all"}}, []string{"bad_content budget"}},
		{game.Content{Rules: game.Rules{ReplyRules: []rules.ReplyRule{{}}}}, []string{"pattern replyRules[0].match"}},
		{game.Content{Rules: game.Rules{Variables: []rules.Variable{{}}}}, []string{"missing-id variables[0].id"}},
		{game.Content{Rules: game.Rules{Modules: []rules.Module{{}}}}, []string{"missing-id modules[0].id"}},
		{game.Content{People: game.People{Cast: []game.CastMember{{}}}}, []string{"bad_content cast[0].characterId", "bad_content cast[0].card"}},
	} {
		_, problems := game.Compile(c.content)
		var got []string
		for _, p := range problems {
			got = append(got, string(p.Code)+" "+p.Path)
			fmt.Fprintf(&golden, "%s %s %s\n", p.Severity, p.Code, p)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	golden.WriteString(problemsOf(moreMistakes()))
	testkit.Golden(t, "testdata/problems.golden", golden.String())
}

// custom returns an action of campaigns; members are names and values.
func custom(typ string, members ...any) effect.Custom {
	var list []tree.Member
	for i := 0; i < len(members); i += 2 {
		list = append(list, tree.Member{Key: members[i].(string), Value: members[i+1].(tree.Value)})
	}
	return effect.Custom{Type: typ, Data: tree.Object(list...)}
}

// hookOn returns a hook with conditions.
func hookOn(conditions string) (h hooks.Hook) {
	_ = json.Unmarshal([]byte(`{"id": "h", "name": "h", "event": "turn.accepted", "conditions": `+conditions+`, "actions": [{"type": "message", "content": "x"}]}`), &h)
	return h
}

// hookWith returns a hook with actions.
func hookWith(list ...string) (h hooks.Hook) {
	_ = json.Unmarshal([]byte(`{"id": "h", "name": "h", "event": "turn.accepted", "actions": [`+strings.Join(list, ",")+`]}`), &h)
	return h
}

// actions returns actions of a rule.
func actions(list ...string) (out effect.Actions) {
	_ = json.Unmarshal([]byte(`[`+strings.Join(list, ",")+`]`), &out)
	return out
}

// fromFile returns a preset as a file of it is read.
func fromFile[T any](preset *T, file string) *T {
	_ = json.Unmarshal([]byte(file), preset)
	return preset
}

// problemsOf returns the problems of each content.
func problemsOf(list []game.Content) string {
	var out strings.Builder
	for _, c := range list {
		out.WriteByte('\n')
		_, problems := game.Compile(c)
		for _, p := range problems {
			fmt.Fprintf(&out, "%s %s %s\n", p.Severity, p.Code, p)
		}
	}
	return out.String()
}

// moreMistakes returns contents whose problems only the golden file lists.
func moreMistakes() []game.Content {
	own := &card.Card{Name: "Orin", CharacterBook: []byte(`{"name":"b","entries":[{"keys":["/(/"],"content":"x"},{"keys":["a"],"content":"y"}]}`)}
	other := *own
	other.CharacterBook = []byte(`{"name":"c","entries":[{"keys":["/(/"],"content":"x"},{"keys":["a"],"content":"y"}]}`)
	var crowd []game.CastMember
	for i := range 257 {
		crowd = append(crowd, game.CastMember{CharacterID: fmt.Sprint(i)})
	}
	life := func(list ...state.LifeRule) game.Content { return game.Content{People: game.People{LifeStates: list}} }
	budget := func(b prompt.Budget) game.Content { return game.Content{Prompt: game.Prompt{Budget: b}} }
	note := func(n prompt.AuthorNote) game.Content { return game.Content{Prompt: game.Prompt{Note: n}} }
	layout := func(change func(*prompt.Layout)) game.Content {
		l := prompt.Default()
		change(&l)
		return game.Content{Prompt: game.Prompt{Layout: &l}}
	}
	read := func(string, game.Scope) []game.Span { return nil }
	gated := func(conditions, extensions string) worldbook.Entry {
		return worldbook.Entry{UID: "1", Constant: true, Content: "x", Conditions: []byte(conditions), Extensions: []byte(extensions)}
	}
	slash := script.List{Scripts: []script.Script{{Name: "a", Find: "x", Placement: []script.Placement{script.AIOutput}}, {Name: "b", Find: "x", Placement: []script.Placement{script.SlashCommand}}}}
	preset, text := tavern.Default(), &tavern.ContextTemplate{Story: "{{system}}"}
	return []game.Content{
		{People: game.People{Card: own, Cast: []game.CastMember{{CharacterID: "a", Card: &card.Card{Name: "A"}}, {CharacterID: "a", Card: own, Talkativeness: new(1.5)}, {CharacterID: "c", Card: &card.Card{}, Talkativeness: new(-0.5)}}}},
		{People: game.People{CastTexts: game.CastTexts{Prefix: "x"}}},
		{People: game.People{Cast: crowd}},
		{People: game.People{Card: own}},
		{People: game.People{Card: &other}, Lore: game.Lore{CardBook: true}},
		{People: game.People{Card: own}, Lore: game.Lore{CardBook: true, Books: bookOf(worldbook.Entry{UID: "1", Content: "x"})}},
		{People: game.People{Card: own}, Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Content: "x"})}},
		life(state.LifeRule{}), life(state.LifeRule{State: "ghost", AtZero: "gone"}), life(state.LifeRule{State: "a"}, state.LifeRule{State: "ghost", AtZero: "a", AboveZero: "b"}),
		budget(prompt.Budget{Context: -1}), budget(prompt.Budget{Response: -2}), budget(prompt.Budget{TurnReserve: -3}), budget(prompt.Budget{Context: 50, Response: 50}),
		{Prompt: game.Prompt{TrimSlack: -4}}, {Prompt: game.Prompt{TrimSlack: 4}}, {Prompt: game.Prompt{TrimSlack: 4, Budget: prompt.Budget{Context: 5000}}},
		note(prompt.AuthorNote{Placement: "top"}), note(prompt.AuthorNote{Role: "gm"}), note(prompt.AuthorNote{Depth: new(-1)}), note(prompt.AuthorNote{Interval: new(-2)}),
		layout(func(l *prompt.Layout) { l.HistoryMacros = macro.Full }),
		layout(func(l *prompt.Layout) {
			l.Slots = slices.DeleteFunc(l.Slots, func(s prompt.Slot) bool { return s.Form == prompt.History })
		}),
		layout(func(l *prompt.Layout) {
			l.Slots = slices.DeleteFunc(l.Slots, func(s prompt.Slot) bool { return s.Form != prompt.History })
		}),
		{Prompt: game.Prompt{Preset: &preset, System: &tavern.SystemPrompt{Content: "x"}}},
		{Prompt: game.Prompt{Preset: &preset, Layout: new(prompt.Default())}},
		{Prompt: game.Prompt{Layout: new(prompt.Default()), Context: text, Instruct: &tavern.InstructTemplate{}}},
		{Prompt: game.Prompt{CacheMark: map[string]json.RawMessage{"a": []byte(`{}`), "b": []byte(`{`)}}},
		{Prompt: game.Prompt{Scripts: []script.List{slash}}},
		{Rules: game.Rules{Dialects: []game.Dialect{{}, {Name: "a"}, {Name: "b", Read: read}, {Name: "b", Read: read}}, ReplyRules: []rules.ReplyRule{{}}}},
		{Rules: game.Rules{Variables: []rules.Variable{{ID: "hp.ann", Type: rules.TypeNumber}, {ID: "gold", Type: rules.TypeNumber}}, Modules: []rules.Module{{ID: "m"}, {ID: "n", Order: 2}}}},
		{Extensions: game.Extensions{Tools: []tool.Tool{{}, {Name: "a b"}, {Name: "list_claims", Affects: []string{"none", "hp", "luck"}}, {Name: "move"}}}},
		{Extensions: game.Extensions{Detectors: []conflict.Named{{Name: "x"}, {Detector: conflict.DetectorFunc(nil)}}}},
		{Extensions: game.Extensions{DialogTypes: []game.DialogType{{}, {ID: "a"}, {ID: "b", Blocks: []game.BlockID{"nowhere"}}}}},
		{Extensions: game.Extensions{Settings: []setting.Definition{{}, {Key: "a b"}, {Key: "x.y", Type: "colour"}, {Key: "retry.max_retries", Type: setting.Type("number")}}}},
		{Lore: game.Lore{Books: bookOf(gated(`{"variableId": 3}`, `{"visible_to": "ann"}`))}},
		{Lore: game.Lore{Books: bookOf(gated(`{"variableId": "x", "operator": "nope", "value": 1}`, `{"visible_to": []}`))}},
		{Lore: game.Lore{Books: bookOf(gated(`[`, `{"visible_to": [3]}`))}},
		{Lore: game.Lore{Books: bookOf(gated(`[{"variableId": "hp.ann", "operator": "gte", "value": 1}]`, ``), gated(`[{"variableId": 3}]`, ``), gated(`[{"variableId": "x", "operator": "gt", "value": 1}]`, ``))}},
		{Rules: game.Rules{Variables: []rules.Variable{{ID: "gold", Type: rules.TypeNumber}},
			Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: actions(`{"type": "toggle-entry", "enabled": true}`)}},
			Reactions: []reactions.Reaction{{ID: "x", When: rules.Pattern{EventType: "go"}, Then: reactions.Effects(actions(`{"type": "toggle-rule", "ruleId": "s", "enabled": true}`,
				`{"type": "start-timer", "duration": "{param.n}"}`, `{"type": "start-timer"}`, `{"type": "lock-path", "pathId": 3, "reason": {}}`))}},
			Hooks: []hooks.Hook{hookWith(`{"type": "modify-variable", "variableId": "hp.ann", "operation": "add", "value": 1}`, `{"type": "modify-variable", "variableId": "god", "value": 1}`,
				`{"type": "modify-variable"}`)}}},
		{People: game.People{Card: &card.Card{Name: "Orin", CharacterBook: []byte(`{"name":"c","entries":[]}`)}}},
		{People: game.People{Card: &card.Card{Name: "Orin", CharacterBook: []byte(`{"name":"c","entries":[5,{"keys":["a"],"content":3}]}`)}}, Lore: game.Lore{CardBook: true}},
		{Prompt: game.Prompt{System: fromFile(&tavern.SystemPrompt{}, `{"name":"s","content":3}`), Instruct: fromFile(&tavern.InstructTemplate{}, `{"name":"i","wrap":"x"}`),
			Context: fromFile(&tavern.ContextTemplate{}, `{"name":"c","story_string":3}`)}},
	}
}

// pointedDetector is a detector whose pointer may be nil.
type pointedDetector struct{ found []conflict.Conflict }

func (d *pointedDetector) Detect(*conflict.Reading) []conflict.Conflict { return d.found }

// valueDetector is a detector that is not a pointer.
type valueDetector struct{}

func (valueDetector) Detect(*conflict.Reading) []conflict.Conflict { return nil }

// TestDetectorsWithoutAValue: a detector needs a name and a value that can be called.
func TestDetectorsWithoutAValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		detector conflict.Named
		fatal    bool
		reason   string
	}{
		{conflict.Named{Name: "x", Detector: &pointedDetector{}}, false, "a pointer"},
		{conflict.Named{Name: "x", Detector: valueDetector{}}, false, "a value"},
		{conflict.Named{Name: "x", Detector: conflict.DetectorFunc(func(*conflict.Reading) []conflict.Conflict { return nil })}, false, "a function"},
		{conflict.Named{Name: " ", Detector: valueDetector{}}, true, "no name"},
		{conflict.Named{Name: "x"}, true, "nothing"},
		{conflict.Named{Name: "x", Detector: (*pointedDetector)(nil)}, true, "a nil pointer"},
		{conflict.Named{Name: "x", Detector: conflict.DetectorFunc(nil)}, true, "a nil function"},
	} {
		_, problems := game.Compile(game.Content{Extensions: game.Extensions{Detectors: []conflict.Named{c.detector}}})
		if fatal := problems.Err() != nil; fatal != c.fatal {
			t.Errorf("%s: %v", c.reason, problems)
		}
	}
}

// TestSettingsThatSearchNothing: settings without a depth are reported if an entry needs messages.
func TestSettingsThatSearchNothing(t *testing.T) {
	t.Parallel()
	lore := func(e worldbook.Entry, s worldbook.ProfileSettings) game.Content {
		e.Content, e.Position = "Rain.", worldbook.PositionBeforeCharacter
		return game.Content{Lore: game.Lore{Settings: s, Books: []worldbook.Attachment{{
			Sources: []worldbook.Source{worldbook.SourceGlobal}, Book: worldbook.Book{Name: "w", Entries: []worldbook.Entry{e}}}}}}
	}
	partial := worldbook.ProfileSettings{Decorators: worldbook.DecoratorsCardV3}
	for _, c := range []struct {
		name    string
		content game.Content
		want    int
	}{
		{"no depth", lore(worldbook.Entry{Keys: []string{"rain"}}, partial), 1},
		{"the usual settings", lore(worldbook.Entry{Keys: []string{"rain"}}, worldbook.ProfileSettings{}), 0},
		{"a constant entry", lore(worldbook.Entry{Keys: []string{"rain"}, Constant: true}, partial), 0},
		{"a depth of its own", lore(worldbook.Entry{Keys: []string{"rain"}, ScanDepth: new(2)}, partial), 0},
	} {
		_, problems := game.Compile(c.content)
		if len(problems) != c.want || c.want > 0 && problems[0].Path != "settings.world_info_depth" {
			t.Errorf("%s: %v", c.name, problems)
		}
	}
}
