package campaign_test

import (
	"context"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// keyed is a book with one entry that is active after the lamp was mentioned.
func keyed() worldbook.Attachment {
	b := lore("main", "The lamp is broken.")
	b.Book.Entries[0].Constant, b.Book.Entries[0].Keys = false, []string{"lamp"}
	return b
}

func books(list ...worldbook.Attachment) func(*drama) {
	return func(d *drama) { d.content.Books = list }
}

// ringing is a hook whose action has the type ring, which a host must register.
func ringing() hooks.Hook {
	return hooks.Hook{ID: "h", Name: "h", Event: hooks.On(act.AfterTurnStarted),
		Actions: []act.Action{act.New("ring")}}
}

func contentOptions(t *testing.T) []option {
	t.Helper()
	inject := hooks.Hook{ID: "h", Name: "h", Event: hooks.On(act.BeforeTurnStarted),
		Actions: []act.Action{act.New(act.PromptInject,
			tree.Member{Key: "content", Value: tree.Text("The moon watches.")})}}
	rings := &act.Table{}
	if err := rings.Register("ring", act.Type{Handler: func(context.Context, act.Call) (act.Outcome, error) {
		return act.Outcome{Effects: effect.List{effect.AddMessage{Content: "Ding!"}}}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	chinese := game.Chinese()
	count := rules.Rule{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions{
		effect.SetVariable{Path: "n", Operation: effect.Add, Value: tree.Int(1)}}}
	heard := reactions.Reaction{ID: "r", When: reactions.Pattern{EventType: event.TypeTurnComplete},
		Then: reactions.Effects{effect.SetVariable{Path: "n", Operation: effect.Set, Value: tree.Int(1)}}}
	none := 0
	town := []rules.SpatialScene{{ID: "town", Name: "Town", Width: 9, Height: 9}}
	return []option{
		{"game.Content.Books", nil, books(lore("main", "Rain falls."))},
		{"game.Content.BookSettings", books(keyed()), func(d *drama) {
			d.content.BookSettings = worldbook.Exact()
			d.content.BookSettings.Depth = 3
		}},
		{"game.Content.Variables", nil, func(d *drama) {
			d.content.Variables = []rules.Variable{{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(7)}}
		}},
		{"game.Content.Modules", books(lore("cellar", "It smells of wine.")), func(d *drama) {
			d.content.Modules = []rules.Module{{ID: "cellar", Activation: rules.Activation{
				Mode: rules.ModeKeywords, Keywords: []string{"stairs"}}}}
		}},
		{"game.Content.Rules", nil, func(d *drama) { d.content.Rules = []rules.Rule{count} }},
		{"game.Content.Reactions", nil, func(d *drama) { d.content.Reactions = []reactions.Reaction{heard} }},
		{"game.Content.Hooks", nil, func(d *drama) { d.content.Hooks = []hooks.Hook{inject} }},
		{"game.Content.Actions", func(d *drama) { d.content.Hooks = []hooks.Hook{ringing()} },
			func(d *drama) { d.content.Actions = rings }},
		{"game.Content.HookLimits", func(d *drama) { d.content.Hooks = []hooks.Hook{inject} },
			func(d *drama) { d.content.HookLimits.MaxHooksPerTurn = &none }},
		{"game.Content.Card", nil, func(d *drama) {
			d.content.Card = &card.Card{Name: "Orin", Description: "Orin keeps the lighthouse."}
		}},
		{"game.Content.Cast", nil, func(d *drama) { d.content.Cast = pair() }},
		{"game.Content.CastTexts", func(d *drama) { d.content.Cast = pair() }, func(d *drama) {
			d.content.CastTexts.Scenario = "It is night."
		}},
		{"game.CastMember.CharacterID", func(d *drama) { d.content.Cast = pair() },
			func(d *drama) { d.content.Cast[0].CharacterID = "other" }},
		{"game.CastMember.Card", func(d *drama) { d.content.Cast = pair() },
			func(d *drama) { d.content.Cast[0].Card = &card.Card{Name: "Ash", Description: "A ferryman."} }},
		{"game.CastMember.Talkativeness", func(d *drama) { d.content.Cast = pair() }, func(d *drama) {
			d.content.Cast[0].Talkativeness, d.content.Cast[1].Talkativeness = new(0.0), new(1.0)
		}},
		{"game.CastMember.Muted", func(d *drama) { d.content.Cast = pair() },
			func(d *drama) { d.content.Cast[0].Muted = true }},
		{"game.CastTexts.Prefix", joinedPair, func(d *drama) { d.content.CastTexts.Prefix = "<FIELDNAME> of {{char}}: " }},
		{"game.CastTexts.Suffix", joinedPair, func(d *drama) { d.content.CastTexts.Suffix = "." }},
		{"game.CastTexts.Scenario", joinedPair, func(d *drama) { d.content.CastTexts.Scenario = "It is night." }},
		{"game.CastTexts.Examples", joinedPair, func(d *drama) { d.content.CastTexts.Examples = "<START>\nAsh: Aye." }},
		{"game.Content.Persona", nil, func(d *drama) { d.content.Persona = "A tired traveller." }},
		{"game.Content.UserName", func(d *drama) { d.content.Persona = "{{user}} is tired." },
			func(d *drama) { d.content.UserName = "Mara" }},
		{"game.Content.Tools", func(d *drama) {
			d.setup = []string{`{"allowlist": ["move", "hp_delta"]}`}
			d.acts = []turn.Input{turn.SetTools{Allowlist: []string{"say"}}, turn.Submit{Text: "I wait."}}
		}, func(d *drama) {
			d.content.Tools = []tool.Tool{puppet(func(string) effect.List { return nil })}
		}},
		{"game.Content.DialogTypes", nil, func(d *drama) {
			d.content.DialogTypes = []game.DialogType{{ID: "scene", Blocks: []game.BlockID{game.BlockDialog},
				Instructions: "Speak in riddles."}}
		}},
		{"game.Content.Settings", func(d *drama) {
			d.acts = []turn.Input{turn.PatchSettings{Patch: setting.Snapshot{"house.dogs": tree.Bool(true)}},
				turn.Submit{Text: "I wait."}}
		}, func(d *drama) {
			d.content.Settings = []setting.Definition{{Key: "house.dogs", Type: setting.Bool, Default: tree.Bool(false), EffectTags: []string{"ui"}}}
		}},
		{"game.Content.LifeStates", nil, func(d *drama) {
			d.content.LifeStates = []state.LifeRule{{State: state.Alive}} // and may do nothing
		}},
		{"game.Content.Detectors", nil, func(d *drama) {
			d.content.Detectors = []conflict.Named{{Name: "clock", Kinds: []string{"clock"},
				Detector: conflict.DetectorFunc(func(*conflict.Reading) []conflict.Conflict {
					return []conflict.Conflict{{Kind: "clock", Severity: conflict.Block, Quote: "Time"}}
				})}}
		}},
		{"game.Content.Texts", nil, func(d *drama) { d.content.Texts = &chinese }},
		{"game.Content.Commands", func(d *drama) {
			d.setup = []string{`{"variables": {"room": {"_lock": 1, "door": "open"}}}`}
		}, func(d *drama) { d.content.Commands.StripMeta = new(false) }},
		{"game.Content.Render", func(d *drama) { d.setup = []string{`{"variables": {"room": {"door": "open"}}}`} },
			func(d *drama) { d.content.Render.Format = "yaml" }},
		{"game.Content.Budget", nil, func(d *drama) { d.content.Budget = prompt.Budget{Context: 500} }},
		{"game.Content.RefusesPrefill", func(d *drama) {
			preset := tavern.Default()
			preset.Prefill = "Hm."
			d.content.Preset = &preset
		},
			func(d *drama) { d.content.RefusesPrefill = true }},
		{"game.Content.TrimSlack", func(d *drama) {
			d.content.Budget = prompt.Budget{Context: 1500, TurnReserve: 1}
			for range 14 {
				d.acts = append(d.acts, turn.Submit{Text: strings.Repeat("I walk on and on. ", 10)})
			}
		}, func(d *drama) { d.content.TrimSlack = 200 }},
		{"game.Content.Random", func(d *drama) { d.content.Persona = "Luck: {{roll::1d100}}" },
			func(d *drama) { d.content.Random = func(uint64, uint64) float64 { return 0.99 } }},
		{"game.Content.Macros", func(d *drama) { d.content.Persona = "The sky is {{weather}}." }, func(d *drama) {
			own, err := macro.NewSet(macro.Macro{Name: "weather", Text: "grey"})
			if err != nil {
				t.Fatal(err)
			}
			d.content.Macros = own
		}},
		{"game.Content.SummarizeAfter", nil, func(d *drama) { d.content.SummarizeAfter = 1 }},
		{"game.Content.Dialects", func(d *drama) {
			d.setup = []string{`{"variables": {"stat_data": {"weather": "sun"}}}`}
			d.replies = []string{"Rain falls. set_status('weather', 'rain');"}
		}, func(d *drama) { d.content.Dialects = []game.Dialect{} }},
		{"game.Content.ReplyRules", func(d *drama) {
			d.content.Variables = potions()
			d.replies = []string{"Dust. 【状态】药水：4【/状态】"}
		}, func(d *drama) { d.content.ReplyRules = statusRule(true) }},
		{"game.Content.Scenes", func(d *drama) {
			d.acts = []turn.Input{turn.Travel{Do: rules.SpatialEnter, SceneID: "town", X: 1, Y: 1}}
		}, func(d *drama) { d.content.Scenes = town }},
		{"game.Content.Retrieval", books(worldbook.Attachment{Book: worldbook.Book{Name: "main",
			Entries: []worldbook.Entry{{UID: "1", Keys: []string{"never"}, Content: "Found by meaning.", Probability: 100}}}}),
			func(d *drama) { d.content.Retrieval.Limit = 2 }},
	}
}

// pair is a cast of two who both speak in every turn.
func pair() []game.CastMember {
	return []game.CastMember{
		{CharacterID: "ash", Card: &card.Card{Name: "Ash", Description: "{{char}} limps."}, Talkativeness: new(1.0)},
		{CharacterID: "reed", Card: &card.Card{Name: "Reed", Description: "{{char}} fears {{notChar}}."}, Talkativeness: new(1.0)},
	}
}

// joinedPair has both cards in each prompt.
func joinedPair(d *drama) {
	d.content.Cast, d.setup = pair(), []string{`{"settings": {"cast.cards": "join"}}`}
}
