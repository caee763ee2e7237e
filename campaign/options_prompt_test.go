package campaign_test

import (
	"encoding/json"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/instruct"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/shape"
	"github.com/talewright/talewright/prompt/tavern"
)

// promptOptions are the fields of content that say how a prompt is written.
func promptOptions() []option {
	layout := campaign.Layout()
	layout.Squash = true
	preset, template, frame := tavern.Default(), instruct.ChatML(), instruct.DefaultContext()
	scripts := []script.List{{Source: script.Global, Scripts: []script.Script{{Name: "dust", Find: "/(Time)/",
		Replace: "{{reverse::$1}}", Placement: []script.Placement{script.AIOutput}}}}}
	withBook := func(d *drama) {
		d.content.Card = &card.Card{Name: "Orin", CharacterBook: json.RawMessage(
			`{"entries": [{"keys": ["lamp"], "content": "It never goes out.", "enabled": true, "insertion_order": 1, "extensions": {}}]}`)}
	}
	return []option{
		{"campaign.Content.Layout", nil, func(d *drama) { d.content.Layout = &layout }},
		{"campaign.Content.Preset", nil, func(d *drama) { d.content.Preset = &preset }},
		{"campaign.Content.Instruct", nil, func(d *drama) { d.content.Instruct = &template }},
		{"campaign.Content.Context", nil, func(d *drama) { d.content.Context = &frame }},
		{"campaign.Content.Shape", nil, func(d *drama) { d.content.Shape = shape.Strict }},
		{"campaign.Content.CacheMark", nil, func(d *drama) {
			d.content.CacheMark = map[string]json.RawMessage{"cache_control": json.RawMessage(`{"type":"ephemeral"}`)}
		}},
		{"campaign.Content.Note", nil, func(d *drama) { d.content.Note = prompt.Note{Text: "Keep it dark."} }},
		{"campaign.Content.CardBook", withBook, func(d *drama) { d.content.CardBook = true }},
		{"campaign.Content.Scripts", nil, func(d *drama) { d.content.Scripts = scripts }},
		{"campaign.Content.ScriptOptions", func(d *drama) { d.content.Scripts = scripts }, func(d *drama) {
			d.content.ScriptOptions.MaxResult = 4
		}},
		{"card.Card.SystemPrompt", func(d *drama) { d.content.Card = &card.Card{Name: "Orin"} }, func(d *drama) {
			d.content.Card = &card.Card{Name: "Orin", SystemPrompt: "You are {{char}}."}
		}},
	}
}
