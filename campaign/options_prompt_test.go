package campaign_test

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// promptOptions are the fields of content that define the form of a prompt.
func promptOptions() []option {
	layout := game.Layout()
	layout.Squash = true
	preset, template, frame := tavern.Default(), tavern.ChatML(), tavern.DefaultContext()
	scripts := []script.List{{Source: script.Global, Scripts: []script.Script{{Name: "dust", Find: "/(Time)/",
		Replace: "{{reverse::$1}}", Placement: []script.Placement{script.AIOutput}}}}}
	withBook := func(d *drama) {
		d.content.People.Card = &card.Card{Name: "Orin", CharacterBook: json.RawMessage(
			`{"entries": [{"keys": ["lamp"], "content": "It never goes out.", "enabled": true, "insertion_order": 1, "extensions": {}}]}`)}
	}
	return []option{
		{"game.Prompt.Layout", nil, func(d *drama) { d.content.Prompt.Layout = &layout }},
		{"game.Prompt.Preset", nil, func(d *drama) { d.content.Prompt.Preset = &preset }},
		{"game.Prompt.System", nil, func(d *drama) { d.content.Prompt.System = &tavern.SystemPrompt{Content: "Tell it darkly."} }},
		{"game.Prompt.Instruct", nil, func(d *drama) { d.content.Prompt.Instruct = &template }},
		{"game.Prompt.Context", nil, func(d *drama) { d.content.Prompt.Context = &frame }},
		{"game.Prompt.CBS", func(d *drama) {
			d.content.People.Card = &card.Card{Name: "Orin", Description: "{{equal::1::1}}{{getvar::x}}"}
		}, func(d *drama) { d.content.Prompt.CBS = []string{"Orin"} }},
		{"game.Prompt.Shape", nil, func(d *drama) { d.content.Prompt.Shape = prompt.ShapeStrict }},
		{"game.Prompt.CacheMark", nil, func(d *drama) {
			d.content.Prompt.CacheMark = map[string]json.RawMessage{"cache_control": json.RawMessage(`{"type":"ephemeral"}`)}
		}},
		{"game.Prompt.Note", nil, func(d *drama) { d.content.Prompt.Note = prompt.AuthorNote{Text: "Keep it dark."} }},
		{"game.Lore.CardBook", withBook, func(d *drama) { d.content.Lore.CardBook = true }},
		{"game.Prompt.Scripts", nil, func(d *drama) { d.content.Prompt.Scripts = scripts }},
		{"game.Prompt.ScriptOptions", func(d *drama) { d.content.Prompt.Scripts = scripts }, func(d *drama) {
			d.content.Prompt.ScriptOptions.MaxResult = 4
		}},
		{"card.Card.SystemPrompt", func(d *drama) { d.content.People.Card = &card.Card{Name: "Orin"} }, func(d *drama) {
			d.content.People.Card = &card.Card{Name: "Orin", SystemPrompt: "You are {{char}}."}
		}},
	}
}

// furnished is a game with a text in every part of a prompt.
func furnished(d *drama) {
	d.content.People.Card = &card.Card{Name: "Orin", Description: "A keeper.", Personality: "Gruff.", Scenario: "A storm.",
		MesExample: "<START>\n{{user}}: Hello.\n{{char}}: Hm."}
	d.content.People.Persona = "A tired traveller."
	d.content.Prompt.Note = prompt.AuthorNote{Text: "Keep it dark.", Depth: new(1)}
	d.content.Lore.Books = []worldbook.Attachment{lore("main", "Rain falls.")}
	d.setup = []string{`{"greeting": "Come in."}`}
}

// withPreset is the furnished game with the layout of a preset.
func withPreset(changes ...func(*tavern.Preset)) func(*drama) {
	return func(d *drama) {
		furnished(d)
		p := tavern.Default()
		for _, change := range changes {
			change(&p)
		}
		d.content.Prompt.Preset = &p
	}
}

// presetRow returns a row for a field of a preset, with the common part of both games' presets.
func presetRow(field string, change func(*tavern.Preset), before ...func(*tavern.Preset)) option {
	return option{"tavern." + field, withPreset(before...), func(d *drama) { change(d.content.Prompt.Preset) }}
}

func presetOptions() []option {
	row := func(field string, change func(*tavern.Preset)) option { return presetRow("Preset."+field, change) }
	then := func(field string, in turn.Input, change func(*tavern.Preset)) option {
		return option{"tavern.Preset." + field, func(d *drama) {
			withPreset()(d)
			d.acts = []turn.Input{turn.Submit{Text: "I wait."}, in}
		}, func(d *drama) { change(d.content.Prompt.Preset) }}
	}
	impersonate := turn.Suggest{N: 1, Kind: state.SuggestLines}
	return []option{
		then("ContinueNudge", turn.Continue{}, func(p *tavern.Preset) { p.ContinueNudge = "More of it." }),
		then("ContinuePrefill", turn.Continue{}, func(p *tavern.Preset) { p.ContinuePrefill = true }),
		then("Impersonation", impersonate, func(p *tavern.Preset) { p.Impersonation = "Write for {{user}}." }),
		then("ImpersonationPrefill", impersonate, func(p *tavern.Preset) { p.ImpersonationPrefill = "I" }),
		then("Replacement", turn.Proceed{}, func(p *tavern.Preset) { p.Replacement = "(silence)" }),
		row("Prompts", func(p *tavern.Preset) { p.Prompts[0].Content = "Be brief." }),
		row("Orders", func(p *tavern.Preset) { p.Orders[0].Order[0].Enabled = false }),
		row("NewChat", func(p *tavern.Preset) { p.NewChat = "[Begin]" }),
		row("NewExample", func(p *tavern.Preset) { p.NewExample = "[For example]" }),
		row("LoreFormat", func(p *tavern.Preset) { p.LoreFormat = "Lore: {0}" }),
		row("ScenarioFormat", func(p *tavern.Preset) { p.ScenarioFormat = "Now: {{scenario}}" }),
		row("PersonalityFormat", func(p *tavern.Preset) { p.PersonalityFormat = "Mind: {{personality}}" }),
		row("Names", func(p *tavern.Preset) { p.Names = tavern.NamesContent }),
		row("Names", func(p *tavern.Preset) { p.Names = tavern.NamesCompletion }),
		row("Prefill", func(p *tavern.Preset) { p.Prefill = "Hm." }),
		row("Squash", func(p *tavern.Preset) { p.Squash = !p.Squash }),
		{"tavern.Preset.Source", func(d *drama) {
			withPreset(func(p *tavern.Preset) { p.ContinuePrefill, p.Prefill = true, "Hm." })(d)
			d.acts = []turn.Input{turn.Submit{Text: "I wait."}, turn.Continue{}}
		}, func(d *drama) { d.content.Prompt.Preset.Source = "claude" }},
	}
}

// own adds a prompt of the user to a preset, at the end of its order.
func own(p *tavern.Preset) {
	p.Prompts = append(slices.Clip(p.Prompts), tavern.Prompt{ID: "own", Content: "The sea is near.", System: new(false)})
	p.Orders = slices.Clone(p.Orders)
	o := &p.Orders[0]
	o.Order = append(slices.Clip(o.Order), tavern.Entry{ID: "own", Enabled: true})
}

// presetListOptions are the fields of the entries in a preset's lists.
func presetListOptions() []option {
	last := func(field string, change func(*tavern.Prompt), before ...func(*tavern.Prompt)) option {
		apply := func(f func(*tavern.Prompt)) func(*tavern.Preset) {
			return func(p *tavern.Preset) { f(&p.Prompts[len(p.Prompts)-1]) }
		}
		base := []func(*tavern.Preset){own}
		for _, f := range before {
			base = append(base, apply(f))
		}
		return presetRow("Prompt."+field, apply(change), base...)
	}
	inChat := func(p *tavern.Prompt) { p.Position, p.Depth = tavern.InChat, new(2) }
	of := func(id string) func(*tavern.Preset) int {
		return func(p *tavern.Preset) int {
			return slices.IndexFunc(p.Prompts, func(x tavern.Prompt) bool { return x.ID == id })
		}
	}
	twin := func(p *tavern.Preset) { // a second prompt in the chat, at the same depth
		own(p)
		inChat(&p.Prompts[len(p.Prompts)-1])
		p.Prompts = append(p.Prompts, tavern.Prompt{ID: "twin", Content: "Gulls cry.", Position: tavern.InChat, Depth: new(2)})
		p.Orders[0].Order = append(p.Orders[0].Order, tavern.Entry{ID: "twin", Enabled: true})
	}
	forbid := option{"tavern.Prompt.ForbidOverrides", func(d *drama) {
		withPreset(own)(d)
		d.content.People.Card.SystemPrompt = "You are Orin."
	}, func(d *drama) { p := d.content.Prompt.Preset; p.Prompts[of(tavern.Main)(p)].ForbidOverrides = true }}
	return []option{
		last("ID", func(p *tavern.Prompt) { p.ID = "other" }),
		last("Role", func(p *tavern.Prompt) { p.Role = "assistant" }),
		last("Content", func(p *tavern.Prompt) { p.Content = "The sea is far." }),
		last("System", func(p *tavern.Prompt) { p.System = nil }),
		last("Position", func(p *tavern.Prompt) { p.Position, p.Depth = tavern.InChat, new(2) }),
		last("Depth", func(p *tavern.Prompt) { p.Depth = new(0) }, inChat),
		presetRow("Prompt.Order", func(p *tavern.Preset) { p.Prompts[len(p.Prompts)-1].Order = new(7) }, twin),
		last("Triggers", func(p *tavern.Prompt) { p.Triggers = []worldbook.GenerationType{worldbook.Quiet} }),
		{"tavern.Prompt.Triggers", func(d *drama) {
			withPreset(own)(d)
			p := d.content.Prompt.Preset
			p.Prompts[len(p.Prompts)-1].Triggers = []worldbook.GenerationType{worldbook.Swipe}
			d.acts = []turn.Input{turn.Submit{Text: "I wait."}}
		}, func(d *drama) {
			d.acts = []turn.Input{turn.Submit{Text: "I wait.", Generation: worldbook.Swipe}}
		}},
		forbid,
		presetRow("PromptOrder.CharacterID", func(p *tavern.Preset) { p.Orders[1].CharacterID = 100001 }, func(p *tavern.Preset) {
			all := p.Orders[0]
			all.CharacterID = 100000
			p.Orders = []tavern.PromptOrder{all, {CharacterID: 7, Order: all.Order[len(all.Order)-3:]}}
		}),
		presetRow("PromptOrder.Order", func(p *tavern.Preset) { slices.Reverse(p.Orders[0].Order) }, own),
		presetRow("Entry.ID", func(p *tavern.Preset) { o := p.Orders[0].Order; o[len(o)-1].ID = "gone" }, own),
		presetRow("Entry.Enabled", func(p *tavern.Preset) { o := p.Orders[0].Order; o[len(o)-1].Enabled = false }, own),
	}
}

// toldOptions are the fields that have no effect in a campaign. Compile reports each of them.
func toldOptions() []option {
	return []option{
		{"rules.Module.Order", func(d *drama) { d.content.Rules.Modules = []rules.Module{{ID: "cellar"}} },
			func(d *drama) { d.content.Rules.Modules[0].Order = 2 }},
	}
}
