package campaign_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// roomOptions are the fields for the places and the sizes of texts.
func roomOptions() []option {
	return slices.Concat(layoutOptions(), slotOptions(), budgetOptions(), renderOptions(), scriptListOptions(), attachmentOptions())
}

// laidOut is the furnished game with its own layout.
func laidOut(d *drama) {
	furnished(d)
	layout := game.Layout()
	d.content.Prompt.Layout = &layout
}

// tight is a game with a budget that is too small for all blocks.
func tight(d *drama) {
	d.content.Prompt.Budget = prompt.Budget{Context: 1500, TurnReserve: 1}
	for range 12 {
		d.acts = append(d.acts, turn.Submit{Text: strings.Repeat("I walk on and on, Ren. ", 10)})
	}
}

func layoutOptions() []option {
	row := func(field string, change func(*prompt.Layout), before ...func(*drama)) option {
		return option{"prompt.Layout." + field, func(d *drama) {
			laidOut(d)
			for _, f := range before {
				f(d)
			}
		}, func(d *drama) { change(d.content.Prompt.Layout) }}
	}
	note := func(d *drama) {
		tight(d)
		d.content.Prompt.Note = prompt.AuthorNote{Text: strings.Repeat("Keep it dark. ", 60), Depth: new(1)}
	}
	return []option{
		row("Slots", func(l *prompt.Layout) { slices.Reverse(l.Slots[:4]) }),
		row("ChatMarker", func(l *prompt.Layout) { l.ChatMarker = "[Begin]" }),
		row("MarkerAlways", func(l *prompt.Layout) { l.MarkerAlways = true }, func(d *drama) { // before the first line
			d.content.Prompt.Layout.ChatMarker = "[Begin]"
			d.setup, d.acts = nil, []turn.Input{turn.Proceed{}}
		}),
		row("ExampleMarker", func(l *prompt.Layout) { l.ExampleMarker = "[Example]" }),
		row("DepthKeep", func(l *prompt.Layout) { l.DepthKeep = 1 }, note),
		row("DepthRequired", func(l *prompt.Layout) { l.DepthRequired = true }, note, func(d *drama) { d.content.Prompt.Layout.DepthKeep = 1 }),
		row("Recent", func(l *prompt.Layout) { l.Recent = 20 }, lowLore),
		row("RecentKeep", func(l *prompt.Layout) { l.RecentKeep = 650 }, lowLore, func(d *drama) { d.content.Prompt.Layout.Recent = 12 }),
		row("OlderKeep", func(l *prompt.Layout) { l.OlderKeep = 750 }, lowLore),
		row("Names", func(l *prompt.Layout) { l.Names = prompt.NamesContent }),
		row("HistoryMacros", func(l *prompt.Layout) { l.HistoryMacros = macro.Names }, func(d *drama) {
			d.acts = append(d.acts, turn.Submit{Text: "I am {{user}}."}, turn.Submit{Text: "I wait."})
		}),
		row("Squash", func(l *prompt.Layout) { l.Squash = true }),
		row("PromptsFirst", func(l *prompt.Layout) { l.PromptsFirst = true }, func(d *drama) { // the note comes after the card
			d.content.People.Card.Extensions = map[string]json.RawMessage{
				"depth_prompt": json.RawMessage(`{"prompt": "{{setvar::v::1}}", "depth": 1, "role": "system"}`)}
			d.content.Prompt.Note.Text = "Keep it dark. {{getvar::v}}"
		}),
		row("SendBlank", func(l *prompt.Layout) { l.SendBlank = true }, func(d *drama) { d.content.Prompt.Note.Text = "{{space}}" }),
	}
}

// lowLore has much lore, which competes with the history for the budget.
func lowLore(d *drama) {
	tight(d)
	d.content.Lore.Books = []worldbook.Attachment{lore("main", strings.Repeat("Rain falls. ", 120))}
}

func slotOptions() []option {
	row := func(field, slot string, change func(*prompt.Slot), before ...func(*drama)) option {
		return option{"prompt.Slot." + field, func(d *drama) {
			laidOut(d)
			for _, f := range before {
				f(d)
			}
		}, func(d *drama) {
			i := slices.IndexFunc(d.content.Prompt.Layout.Slots, func(s prompt.Slot) bool { return s.Name == slot })
			change(&d.content.Prompt.Layout.Slots[i])
		}}
	}
	two := func(d *drama) {
		d.content.Lore.Books = []worldbook.Attachment{lore("a", "Rain falls."), lore("b", "Wind howls.")}
	}
	marked := func(d *drama) {
		promptOptionByName("game.Prompt.CacheMark").set(d)
	}
	return []option{
		row("Name", "before_char", func(s *prompt.Slot) { s.Name = "other" }, func(d *drama) {
			d.content.Rules.Rules = []rules.Rule{everyTurn("r", effect.InjectDirective{ID: "x", Content: "Whisper.", Position: "before_char", Persistent: true})}
		}),
		row("Form", "character", func(s *prompt.Slot) { s.Form = prompt.Separate }),
		row("Joiner", "world_before", func(s *prompt.Slot) { s.Joiner = " / " }, two),
		row("Format", "world_before", func(s *prompt.Slot) { s.Format = "Lore: {0}" }, two),
		row("Keep", "world_before", func(s *prompt.Slot) { s.Keep = 100 }, lowLore),
		row("Required", "world_before", func(s *prompt.Slot) { s.Required = true }, lowLore, func(d *drama) {
			for i := range d.content.Prompt.Layout.Slots {
				if s := &d.content.Prompt.Layout.Slots[i]; s.Name == "world_before" {
					s.Keep = 1
				}
			}
		}),
		row("SpokenOnly", "examples", func(s *prompt.Slot) { s.SpokenOnly = true }, func(d *drama) {
			d.content.People.Card.MesExample = "Hm, he says."
		}),
		row("Stability", "character", func(s *prompt.Slot) { s.Stability = prompt.Turn }, marked),
		{"prompt.Slot.BeforeNewest", laidOut, func(d *drama) {
			for i := range d.content.Prompt.Layout.Slots {
				d.content.Prompt.Layout.Slots[i].BeforeNewest = false
			}
		}},
	}
}

// promptOptionByName returns the row of a field of content.
func promptOptionByName(field string) option {
	list := promptOptions()
	return list[slices.IndexFunc(list, func(o option) bool { return o.field == field })]
}

func budgetOptions() []option {
	row := func(field string, change func(*prompt.Budget)) option {
		return option{"prompt." + field, lowLore, func(d *drama) { change(&d.content.Prompt.Budget) }}
	}
	limit := func(c prompt.Cap) func(*prompt.Budget) {
		return func(b *prompt.Budget) { b.Caps = []prompt.Cap{c} }
	}
	capped := func(field string, c prompt.Cap, change func(*prompt.Cap)) option {
		return option{"prompt.Cap." + field, func(d *drama) {
			lowLore(d)
			limit(c)(&d.content.Prompt.Budget)
		}, func(d *drama) { change(&d.content.Prompt.Budget.Caps[0]) }}
	}
	return []option{
		row("Budget.Context", func(b *prompt.Budget) { b.Context = 1200 }),
		row("Budget.Response", func(b *prompt.Budget) { b.Response = 300 }),
		row("Budget.TurnReserve", func(b *prompt.Budget) { b.TurnReserve = 300 }),
		row("Budget.PerMessage", func(b *prompt.Budget) { b.PerMessage = new(60) }),
		row("Budget.Caps", limit(prompt.Cap{Kind: prompt.KindHistory, Max: 200})),
		row("Budget.Counter", func(b *prompt.Budget) { b.Counter = everyByte{}; b.Context = 9000 }),
		capped("Slot", prompt.Cap{Slot: "history", Max: 100}, func(c *prompt.Cap) { c.Slot = "world_before" }),
		capped("Kind", prompt.Cap{Kind: prompt.KindHistory, Max: 100}, func(c *prompt.Cap) { c.Kind = prompt.KindWorld }),
		capped("Percent", prompt.Cap{Kind: prompt.KindHistory}, func(c *prompt.Cap) { c.Percent = 5 }),
		capped("Max", prompt.Cap{Kind: prompt.KindHistory, Max: 100}, func(c *prompt.Cap) { c.Max = 200 }),
	}
}

func renderOptions() []option {
	row := func(field string, change func(*memvars.RenderOptions)) option {
		return option{"memvars.RenderOptions." + field, func(d *drama) {
			d.setup = []string{`{"variables": {"stat_data": {"weather": ["sun", "how it is outside"]},
				"assa_data": {"key": {"_showInEJS": false, "code": "swordfish"}}}}`}
		}, func(d *drama) { change(&d.content.Rules.Render) }}
	}
	return []option{
		row("Part", func(r *memvars.RenderOptions) { r.Part = tree.Path{"stat_data"} }),
		row("Format", func(r *memvars.RenderOptions) { r.Format = "yaml" }),
		row("LeafStyle", func(r *memvars.RenderOptions) { r.LeafStyle = "value" }),
		row("Hidden", func(r *memvars.RenderOptions) { r.Hidden = true }),
	}
}

func scriptListOptions() []option {
	list := func(find string, source script.Source) script.List {
		return script.List{Source: source, Scripts: []script.Script{{Name: find, Find: "/" + find + "/", Replace: "candle",
			Placement: []script.Placement{script.UserInput}}}}
	}
	row := func(field string, change func(*script.List)) option {
		return option{"script.List." + field, func(d *drama) {
			d.content.Prompt.Scripts = []script.List{list("lamp", script.Global), list("candle", script.Preset)}
			d.content.Prompt.Scripts[1].Scripts[0].Replace = "torch"
		}, func(d *drama) { change(&d.content.Prompt.Scripts[0]) }}
	}
	match := func(d *drama) {
		d.content.Prompt.Scripts = []script.List{list("(.*)lamp", script.Global)}
		d.content.Prompt.Scripts[0].Scripts[0].Replace = "$1candle"
		d.acts = []turn.Input{turn.Submit{Text: "I take {{user}}'s lamp."}}
	}
	return []option{
		row("Source", func(l *script.List) { l.Source = script.Character }),
		row("Owner", func(l *script.List) { l.Source, l.Owner = script.Character, "Orin" }),
		row("Scripts", func(l *script.List) { l.Scripts = nil }),
		row("Denied", func(l *script.List) { l.Denied = true }),
		{"script.Options.MatchText", match, func(d *drama) { d.content.Prompt.ScriptOptions.MatchText = script.Expand }},
		{"script.Options.MaxResult", match, func(d *drama) { d.content.Prompt.ScriptOptions.MaxResult = 3 }},
	}
}

func attachmentOptions() []option {
	base := func(d *drama) {
		d.content.Lore.Books = []worldbook.Attachment{lore("a", "Rain falls."), lore("b", "Wind howls.")}
		d.content.Lore.Books[0].Sources = []worldbook.Source{worldbook.SourceCharacter}
	}
	return []option{
		{"worldbook.Attachment.Book", base, func(d *drama) { d.content.Lore.Books[0].Book.Entries[0].Content = "Snow falls." }},
		{"worldbook.Attachment.Sources", base, func(d *drama) {
			d.content.Lore.Books[1].Sources = []worldbook.Source{worldbook.SourceChat}
		}},
	}
}
