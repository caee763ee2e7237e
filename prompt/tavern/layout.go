package tavern

import (
	"cmp"

	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// Slots around the main prompt, for injections next to it.
const (
	beforeMain = "main.before"
	afterMain  = "main.after"
)

// Layout returns the layout of the preset: a slot for each entry of the order, named by its
// identifier, or prompt.prefill for an entry prefill, likewise control and follow_ups. The main prompt has extra slots before and after it for injections. Parts that a
// preset does not have (directives, hooks, summary, state, settings and context) get the slots of
// [prompt.Default] at corresponding places. An empty order has no parts. If a preset uses one of
// their names, it keeps the name.
func (p Preset) Layout() prompt.Layout {
	layout := prompt.Layout{
		ChatMarker: p.NewChat, MarkerAlways: true, ExampleMarker: p.NewExample,
		DepthRequired: true, Names: p.Names.style(), HistoryMacros: macro.Full, Squash: p.Squash,
		SendBlank: true, PromptsFirst: true,
	}
	seen := map[string]bool{}
	for _, e := range p.Order() {
		if e.ID == "" || seen[e.ID] || e.ID == partChatHistory && !e.Enabled {
			continue
		}
		seen[e.ID] = true
		layout.Slots = append(layout.Slots, p.slots(e.ID)...)
	}
	if len(layout.Slots) > 0 {
		layout.Slots = hostSlots(layout.Slots)
	}
	return layout
}

// slots returns the slots of one entry of the order. The main prompt has one slot on each side,
// which stays even if the prompt is switched off: extensions use it as an anchor.
func (p Preset) slots(id string) []prompt.Slot {
	part := prompt.Slot{Name: slotName(id), Form: prompt.Separate, Required: true, Stability: prompt.Static}
	switch id {
	case Main:
		before, after := part, part
		before.Name, after.Name = beforeMain, afterMain
		return []prompt.Slot{before, part, after}
	case partLoreBefore, partLoreAfter:
		part.Form, part.Joiner, part.Stability = prompt.Joined, "\n", prompt.Turn
		if p.LoreFormat != "{0}" {
			part.Format = p.LoreFormat
		}
	case partDialogueExamples:
		part.Form, part.Required, part.Keep = prompt.Examples, false, examplesKeep
		part.SpokenOnly = true
	case partChatHistory:
		part = prompt.Slot{Name: id, Form: prompt.History}
	}
	return []prompt.Slot{part}
}

// slotName returns the slot of an entry of the order: its identifier. Users choose identifiers freely,
// but package prompt has its own places with these three names.
func slotName(id string) string {
	switch id {
	case "follow_ups", "control", "prefill":
		return "prompt." + id
	}
	return id
}

// examplesKeep is lower than the keep of every history line.
const examplesKeep = 200

// ExampleSeparator is put before each part of the macro mesExamples in chat-completion prompts.
const ExampleSeparator = "<START>"

// Assemble builds the prompt of a scene with the preset. The system prompt and the post-history
// text come from the preset, not from the scene. [Preset.Fill] completes the input.
func (p Preset) Assemble(pieces prompt.Scene, in prompt.Input, env prompt.Env,
	budget prompt.Budget) (prompt.Result, error) {
	in = p.Fill(in)
	env.ExampleSeparator = cmp.Or(env.ExampleSeparator, ExampleSeparator)
	in.Blocks = append(p.Blocks(pieces, in.Generation, env, in.History), in.Blocks...)
	return prompt.Assemble(p.Layout(), in, env, budget)
}

// Fill returns the input, completed from the preset. A missing control prompt becomes the preset's
// for the kind of generation. The prefill of the preset is not sent but returned in Result.Prefill:
// the host knows whether its model accepts a begun reply. A continue by prefill puts the prefill
// before the continued line, if the Source is "claude". A missing replacement becomes the
// preset's send_if_empty text.
func (p Preset) Fill(in prompt.Input) prompt.Input {
	if in.Control == "" {
		switch in.Generation {
		case worldbook.Continue:
			in.Control = p.ContinueNudge
		case worldbook.Impersonate:
			in.Control = p.Impersonation
		}
	}
	in.ContinueByPrefill = in.ContinueByPrefill || p.ContinuePrefill
	if in.Prefill == "" {
		in.PrefillApart = true
		switch continuesByPrefill := in.Generation == worldbook.Continue && in.ContinueByPrefill; {
		case in.Generation == worldbook.Impersonate:
			in.Prefill = p.ImpersonationPrefill
		case !continuesByPrefill || p.Source == sourceClaude:
			in.Prefill = p.Prefill
		}
	}
	in.Replacement = cmp.Or(in.Replacement, p.Replacement)
	return in
}

// Blocks returns the blocks of a scene for [Preset.Layout]. Parts that are switched off, or for a
// different kind of generation, are withheld.
func (p Preset) Blocks(pieces prompt.Scene, kind worldbook.GenerationType, env prompt.Env,
	history []prompt.Line) []prompt.Block {
	main, phi := p.prompt(Main), p.prompt(partPostHistory)
	pieces.System, pieces.PostHistory = main.Content, phi.Content
	pieces.IgnoreCardSystem = pieces.IgnoreCardSystem || main.ForbidOverrides
	pieces.IgnoreCardPostHistory = pieces.IgnoreCardPostHistory || phi.ForbidOverrides
	kind = cmp.Or(kind, worldbook.Normal)
	a := arrangement{preset: p, generation: kind, enabled: map[string]bool{}, prompts: map[string]int{},
		parts: map[string][]prompt.Block{}}
	for _, e := range p.Order() {
		a.enabled[e.ID] = e.Enabled
	}
	for i := range p.Prompts {
		if _, twin := a.prompts[p.Prompts[i].ID]; !twin {
			a.prompts[p.Prompts[i].ID] = i
		}
	}
	return a.arrange(pieces.Blocks(env, history))
}
