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
	"github.com/talewright/talewright/prompt/template"
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
	return func(d *drama) { d.content.Lore.Books = list }
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
		{"game.Lore.Books", nil, books(lore("main", "Rain falls."))},
		{"game.Lore.Settings", books(keyed()), func(d *drama) {
			d.content.Lore.Settings = worldbook.Exact()
			d.content.Lore.Settings.Depth = 3
		}},
		{"game.Rules.Variables", nil, func(d *drama) {
			d.content.Rules.Variables = []rules.Variable{{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(7)}}
		}},
		{"game.Rules.Modules", books(lore("cellar", "It smells of wine.")), func(d *drama) {
			d.content.Rules.Modules = []rules.Module{{ID: "cellar", Activation: rules.Activation{
				Mode: rules.ModeKeywords, Keywords: []string{"stairs"}}}}
		}},
		{"game.Rules.Rules", nil, func(d *drama) { d.content.Rules.Rules = []rules.Rule{count} }},
		{"game.Rules.Reactions", nil, func(d *drama) { d.content.Rules.Reactions = []reactions.Reaction{heard} }},
		{"game.Rules.Hooks", nil, func(d *drama) { d.content.Rules.Hooks = []hooks.Hook{inject} }},
		{"game.Rules.Actions", func(d *drama) { d.content.Rules.Hooks = []hooks.Hook{ringing()} },
			func(d *drama) { d.content.Rules.Actions = rings }},
		{"game.Rules.HookLimits", func(d *drama) { d.content.Rules.Hooks = []hooks.Hook{inject} },
			func(d *drama) { d.content.Rules.HookLimits.MaxHooksPerTurn = &none }},
		{"game.People.Card", nil, func(d *drama) {
			d.content.People.Card = &card.Card{Name: "Orin", Description: "Orin keeps the lighthouse."}
		}},
		{"game.People.Cast", nil, func(d *drama) { d.content.People.Cast = pair() }},
		{"game.People.CastTexts", func(d *drama) { d.content.People.Cast = pair() }, func(d *drama) {
			d.content.People.CastTexts.Scenario = "It is night."
		}},
		{"game.CastMember.CharacterID", func(d *drama) { d.content.People.Cast = pair() },
			func(d *drama) { d.content.People.Cast[0].CharacterID = "other" }},
		{"game.CastMember.Card", func(d *drama) { d.content.People.Cast = pair() },
			func(d *drama) { d.content.People.Cast[0].Card = &card.Card{Name: "Ash", Description: "A ferryman."} }},
		{"game.CastMember.Talkativeness", func(d *drama) { d.content.People.Cast = pair() }, func(d *drama) {
			d.content.People.Cast[0].Talkativeness, d.content.People.Cast[1].Talkativeness = new(0.0), new(1.0)
		}},
		{"game.CastMember.Muted", func(d *drama) { d.content.People.Cast = pair() },
			func(d *drama) { d.content.People.Cast[0].Muted = true }},
		{"game.CastTexts.Prefix", joinedPair, func(d *drama) { d.content.People.CastTexts.Prefix = "<FIELDNAME> of {{char}}: " }},
		{"game.CastTexts.Suffix", joinedPair, func(d *drama) { d.content.People.CastTexts.Suffix = "." }},
		{"game.CastTexts.Scenario", joinedPair, func(d *drama) { d.content.People.CastTexts.Scenario = "It is night." }},
		{"game.CastTexts.Examples", joinedPair, func(d *drama) { d.content.People.CastTexts.Examples = "<START>\nAsh: Aye." }},
		{"game.People.GreetingVariables", func(d *drama) {
			d.content.People.Card = &card.Card{Name: "Orin", FirstMes: "Hi.", AlternateGreetings: []string{"Ho."}}
			d.setup = []string{`{"greeting_id": "0", "variables": {"hp": 1, "host": 5}}`}
			d.acts = []turn.Input{turn.Choose{Greeting: new(1)}, turn.Submit{Text: "I wait."}}
		}, func(d *drama) {
			for _, n := range []int64{1, 2} {
				doc, err := tree.NewDocument(tree.Object(tree.Member{Key: "hp", Value: tree.Int(n)}))
				if err != nil {
					t.Fatal(err)
				}
				d.content.People.GreetingVariables = append(d.content.People.GreetingVariables, doc)
			}
		}},
		{"game.People.Openings", func(d *drama) { d.setup = []string{`{"greeting_id": "rain"}`} },
			func(d *drama) { d.content.People.Openings = []game.Opening{{ID: "rain", Text: "It rains, {{user}}."}} }},
		{"game.Prompt.NoFold", func(d *drama) {
			d.setup = []string{`{"variables": {"note": {"text": "` + strings.Repeat("a long line ", 20) + `"}}}`}
			d.content.People.Persona = "{{format_message_variable::note}}"
		}, func(d *drama) { d.content.Prompt.NoFold = true }},
		{"game.People.Persona", nil, func(d *drama) { d.content.People.Persona = "A tired traveller." }},
		{"game.People.UserName", func(d *drama) { d.content.People.Persona = "{{user}} is tired." },
			func(d *drama) { d.content.People.UserName = "Mara" }},
		{"game.Extensions.Tools", func(d *drama) {
			d.setup = []string{`{"allowlist": ["move", "hp_delta"]}`}
			d.acts = []turn.Input{turn.SetTools{Allowlist: []string{"say"}}, turn.Submit{Text: "I wait."}}
		}, func(d *drama) {
			d.content.Extensions.Tools = []tool.Tool{puppet(func(string) effect.List { return nil })}
		}},
		{"game.Extensions.DialogTypes", nil, func(d *drama) {
			d.content.Extensions.DialogTypes = []game.DialogType{{ID: "scene", Blocks: []game.BlockID{game.BlockDialog},
				Instructions: "Speak in riddles."}}
		}},
		{"game.Extensions.Settings", func(d *drama) {
			d.acts = []turn.Input{turn.PatchSettings{Patch: setting.Snapshot{"house.dogs": tree.Bool(true)}},
				turn.Submit{Text: "I wait."}}
		}, func(d *drama) {
			d.content.Extensions.Settings = []setting.Definition{{Key: "house.dogs", Type: setting.Bool, Default: tree.Bool(false), EffectTags: []string{"ui"}}}
		}},
		{"game.People.LifeStates", nil, func(d *drama) {
			d.content.People.LifeStates = []state.LifeRule{{State: state.Alive}} // and may do nothing
		}},
		{"game.Extensions.Detectors", nil, func(d *drama) {
			d.content.Extensions.Detectors = []conflict.Named{{Name: "clock", Kinds: []string{"clock"},
				Detector: conflict.DetectorFunc(func(*conflict.Reading) []conflict.Conflict {
					return []conflict.Conflict{{Kind: "clock", Severity: conflict.Block, Quote: "Time"}}
				})}}
		}},
		{"game.Extensions.Texts", nil, func(d *drama) { d.content.Extensions.Texts = &chinese }},
		{"game.Rules.Commands", func(d *drama) {
			d.setup = []string{`{"variables": {"room": {"_lock": 1, "door": "open"}}}`}
		}, func(d *drama) { d.content.Rules.Commands.StripMeta = new(false) }},
		{"game.Rules.Render", func(d *drama) { d.setup = []string{`{"variables": {"room": {"door": "open"}}}`} },
			func(d *drama) { d.content.Rules.Render.Format = "yaml" }},
		{"game.Rules.ShowsVariables", func(d *drama) { d.setup = []string{`{"variables": {"room": {"door": "open"}}}`} },
			func(d *drama) { d.content.Rules.ShowsVariables = true }},
		{"game.Prompt.Budget", nil, func(d *drama) { d.content.Prompt.Budget = prompt.Budget{Context: 500} }},
		{"game.Prompt.RefusesPrefill", func(d *drama) {
			preset := tavern.Default()
			preset.Prefill = "Hm."
			d.content.Prompt.Preset = &preset
		},
			func(d *drama) { d.content.Prompt.RefusesPrefill = true }},
		{"game.Prompt.TrimSlack", func(d *drama) {
			d.content.Prompt.Budget = prompt.Budget{Context: 1500, TurnReserve: 1}
			for range 14 {
				d.acts = append(d.acts, turn.Submit{Text: strings.Repeat("I walk on and on. ", 10)})
			}
		}, func(d *drama) { d.content.Prompt.TrimSlack = 200 }},
		{"game.Extensions.Random", func(d *drama) { d.content.People.Persona = "Luck: {{roll::1d100}}" },
			func(d *drama) { d.content.Extensions.Random = func(uint64, uint64) float64 { return 0.99 } }},
		{"game.Extensions.Engine", func(d *drama) {
			d.content.People.Persona = "Late."
			d.content.Prompt.Note = prompt.AuthorNote{Text: "<% class Late {} %>x"}
		},
			func(d *drama) { d.content.Extensions.Engine = rain{} }},
		{"game.Extensions.Macros", func(d *drama) { d.content.People.Persona = "The sky is {{weather}}." }, func(d *drama) {
			own, err := macro.NewSet(macro.Macro{Name: "weather", Text: "grey"})
			if err != nil {
				t.Fatal(err)
			}
			d.content.Extensions.Macros = own
		}},
		{"game.Prompt.SummarizeAfter", nil, func(d *drama) { d.content.Prompt.SummarizeAfter = 1 }},
		{"game.Rules.Dialects", func(d *drama) {
			d.setup = []string{`{"variables": {"stat_data": {"weather": "sun"}}}`}
			d.replies = []string{"Rain falls. set_status('weather', 'rain');"}
		}, func(d *drama) { d.content.Rules.Dialects = []game.Dialect{} }},
		{"game.Rules.ReplyRules", func(d *drama) {
			d.content.Rules.Variables = potions()
			d.replies = []string{"Dust. 【状态】药水：4【/状态】"}
		}, func(d *drama) { d.content.Rules.ReplyRules = statusRule(true) }},
		{"game.Rules.Scenes", func(d *drama) {
			d.acts = []turn.Input{turn.Travel{Do: rules.SpatialEnter, SceneID: "town", X: 1, Y: 1}}
		}, func(d *drama) { d.content.Rules.Scenes = town }},
		{"game.Lore.Retrieval", books(worldbook.Attachment{Book: worldbook.Book{Name: "main",
			Entries: []worldbook.Entry{{UID: "1", Keys: []string{"never"}, Content: "Found by meaning.", Probability: 100}}}}),
			func(d *drama) { d.content.Lore.Retrieval.Limit = 2 }},
		{"game.Lore.EarlyActivation", books(worldbook.Attachment{Book: worldbook.Book{Name: "main", Entries: []worldbook.Entry{
			{UID: "1", Constant: true, Content: "<% activewi('Cellar', true) %>", Probability: 100},
			{UID: "2", Comment: "Cellar", Disable: true, Content: "It smells of wine.", Probability: 100}}}}),
			func(d *drama) { d.content.Lore.EarlyActivation = true }},
		{"game.Lore.ScanTemplates", books(worldbook.Attachment{Book: worldbook.Book{Name: "main", Entries: []worldbook.Entry{
			{UID: "1", Constant: true, Content: "<% if (false) { %>A zeppelin waits.<% } %>It rains.", Probability: 100},
			{UID: "2", Keys: []string{"zeppelin"}, Content: "It is grey.", Probability: 100}}}}),
			func(d *drama) { d.content.Lore.ScanTemplates = "evaluated" }},
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
	d.content.People.Cast, d.setup = pair(), []string{`{"settings": {"cast.cards": "join"}}`}
}

// rain is an engine for templates. Each text prints the same.
type rain struct{}

func (rain) Run(context.Context, template.Program, template.Host) (string, error) {
	return "It rains.", nil
}
