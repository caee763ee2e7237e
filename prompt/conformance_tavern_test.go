package prompt_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

func runTavernCase(t *testing.T, raw conformanceCase) {
	in, want := loadAssembly(t, raw)
	got, err := in.tavernPreset(t).Assemble(in.scene(), in.tavernInput(), in.env(), in.budget())
	compareAssembly(t, want, got, err)
}

// replacementDeviation detects the cases in which the replacement of an empty player line has a
// different place than in SillyTavern, and returns the reason. It applies SillyTavern's behaviour
// to the rest of the prompt, which must be equal.
func replacementDeviation(t *testing.T, raw conformanceCase) string {
	in, want := loadAssembly(t, raw)
	replacement := in.Options.Replacement
	assembled := func() prompt.Result {
		got, err := in.tavernPreset(t).Assemble(in.scene(), in.tavernInput(), in.env(), in.budget())
		if err != nil {
			return prompt.Result{}
		}
		return got
	}
	if replacement == "" || want.Error != "" || cmp.Equal(want.Messages, assembled().Messages, cmpopts.EquateEmpty()) {
		return ""
	}
	in.Options.Replacement = ""
	got := assembled()
	last := -1 // last message of the chat, including texts at a depth
	for i, o := range got.Origins {
		if o.Slot == "chatHistory" {
			last = i
		}
	}
	if last >= 0 && got.Messages[last].Role == llm.Assistant {
		got.Messages = slices.Insert(got.Messages, last+1, llm.Message{Role: llm.User, Text: replacement})
	}
	if !cmp.Equal(want.Messages, got.Messages, cmpopts.EquateEmpty()) {
		return ""
	}
	return "the replacement message depends on the history alone and is its newest line; in the program a " +
		"text at depth 0 suppresses or causes it, and texts at a depth do not count it"
}

func (in caseInput) tavernInput() prompt.Input {
	input := prompt.Input{
		History: in.history(), Generation: in.Type, Tools: in.Options.Tools,
		ContinueByPrefill: in.Options.ContinuePrefill,
	}
	if in.Type == worldbook.Quiet {
		input.Control = in.Quiet
	}
	return input
}

// tavernPreset returns the common preset with the changes of one case.
func (in caseInput) tavernPreset(tb testing.TB) tavern.Preset {
	p := tavern.Default()
	o := in.Options
	p.NewChat, p.NewExample = or(o.NewChat, p.NewChat), or(o.NewExample, p.NewExample)
	p.ContinueNudge = or(o.Nudge, p.ContinueNudge)
	p.Impersonation = or(o.Impersonation, "[Write as {{user}}.]")
	p.LoreFormat = or(o.LoreFormat, p.LoreFormat)
	p.Replacement, p.Squash = o.Replacement, o.Squash
	p.Names = map[prompt.NameStyle]tavern.Names{
		prompt.NamesNone: tavern.NamesNone, prompt.NamesField: tavern.NamesCompletion,
		prompt.NamesContent: tavern.NamesContent,
	}[o.Names]
	p.Source, p.Prefill = o.Source, o.AssistantPrefill
	change(&p, tavern.Main).Content = "You are {{char}}. Talk to {{user}}."
	change(&p, "enhanceDefinitions").Content = "Expand on {{char}}."
	for _, raw := range in.Prompts {
		changePrompt(tb, &p, raw)
	}
	if in.Order != nil {
		p.Orders[0].Order = nil
		for _, raw := range in.Order {
			p.Orders[0].Order = append(p.Orders[0].Order, orderEntry(tb, raw))
		}
	}
	return p
}

func change(p *tavern.Preset, id string) *tavern.Prompt {
	i := slices.IndexFunc(p.Prompts, func(x tavern.Prompt) bool { return x.ID == id })
	return &p.Prompts[i]
}

func changePrompt(tb testing.TB, p *tavern.Preset, raw json.RawMessage) {
	var c struct {
		ID        string                     `json:"id"`
		Content   *string                    `json:"content"`
		Role      llm.Role                   `json:"role"`
		Enabled   *bool                      `json:"enabled"`
		Placement string                     `json:"placement"`
		Depth     *int                       `json:"depth"`
		Order     *int                       `json:"order"`
		Triggers  []worldbook.GenerationType `json:"triggers"`
		Forbid    bool                       `json:"forbid_overrides"`
	}
	decodeCase(tb, "prompts", raw, &c)
	order := &p.Orders[0].Order
	if !slices.ContainsFunc(p.Prompts, func(x tavern.Prompt) bool { return x.ID == c.ID }) {
		p.Prompts = append(p.Prompts, tavern.Prompt{ID: c.ID, System: new(false)})
		*order = append(*order, tavern.Entry{ID: c.ID, Enabled: true})
	}
	x := change(p, c.ID)
	x.Content = or(c.Content, x.Content)
	x.Role, x.Depth, x.Order = c.Role, c.Depth, c.Order
	x.Triggers, x.ForbidOverrides = c.Triggers, c.Forbid
	if c.Placement == "in_chat" {
		x.Position, x.Depth = tavern.InChat, new(or(c.Depth, 4))
	}
	if c.Enabled != nil {
		for i := range *order {
			if (*order)[i].ID == c.ID {
				(*order)[i].Enabled = *c.Enabled
			}
		}
	}
}

func orderEntry(tb testing.TB, raw json.RawMessage) tavern.Entry {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return tavern.Entry{ID: id, Enabled: true}
	}
	var e struct {
		ID      string `json:"id"`
		Enabled *bool  `json:"enabled"`
	}
	decodeCase(tb, "order", raw, &e)
	return tavern.Entry{ID: e.ID, Enabled: or(e.Enabled, true)}
}
