package turn

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/scene"
	"github.com/talewright/talewright/rules/effect"
)

// assemble lays the prompt of the turn out, as the content wants it, and counts the
// lines of the history that could stand in it.
func (p *prompter) assemble() (result prompt.Result, shown int, err error) {
	layout, chat := p.Game.Layout(), p.ShownChat()
	slack, gone := p.Game.Content().TrimSlack, 0
	if slack > 0 { // what has gone stays away
		gone = max(0, min(p.State.HistoryStart-chat.Hidden, chat.Now))
	}
	history := p.lines(chat, gone)
	pieces := p.scene()
	env := p.Env() // behind the scripts, whose macros may set variables
	env.Chat = p.MacroChat(chat)
	if p.Speaker != "" {
		env.Card, pieces.Injections = p.castCard()
	}
	in := prompt.Input{History: p.withAside(history), Tools: true, Generation: p.promptKind(), TrimSlack: slack}
	if preset := p.Game.Content().Preset; preset != nil {
		in = preset.Fill(in)
		in.Blocks = preset.Blocks(pieces, prompt.Generation(p.writing()), env, history)
	} else {
		in.Blocks = pieces.Blocks(env, history)
	}
	p.setControl(&in)
	in.Blocks = p.withEngineBlocks(in.Blocks, layout)
	p.fitBlocks(in.Blocks, env.Card)
	if result, err = p.laidOut(layout, in, env); err == nil {
		p.keepMacros(result.Vars, result.Globals)
		if slack > 0 {
			p.State.HistoryStart = chat.Hidden + chat.Len() - len(history) + result.HistoryStart
		}
	}
	return result, p.MacroChat(chat).Len(), err
}

// laidOut is the prompt of the blocks: messages, or one text.
func (p *prompter) laidOut(layout prompt.Layout, in prompt.Input, env prompt.Env) (prompt.Result, error) {
	if !p.Game.IsText() {
		return prompt.Assemble(layout, in, env, p.Budget())
	}
	p.text = newTextPrompt(p.Game.Content(), in, env, p.Budget())
	result, err := p.text.with(nil)
	p.text.keep()
	return result, err
}

// scene is what stands in the prompt, for package prompt to lay out.
func (p *prompter) scene() scene.Scene {
	s := scene.Scene{
		System: p.Game.Texts().Persona, Note: p.Note(), Lore: p.markedLore(p.scriptedLore(scene.LoreOf(*p.scan, false))),
	}
	if preset := p.Game.Content().System; preset != nil {
		s.System, s.PostHistory = preset.Content, preset.PostHistory
	}
	if c := p.Card(); c != nil {
		if d, ok := c.DepthPrompt(); ok {
			s.CardDepth = scene.CardDepth{Depth: &d.Depth, Role: llm.Role(d.Role)}
		}
	}
	sight := p.Sight()
	mark := func(witnesses []string) string { return braces.Escape(p.Known(p.Viewer().Mark(witnesses))) }
	for _, d := range sight.State.Ledger.Directives {
		s.Directives = append(s.Directives, scene.Directive{
			ID: d.ID, Text: mark(sight.Directive(d.ID)) + d.Content, Position: scene.DirectivePosition(d.Position), Depth: d.Depth, Persistent: d.Persistent})
	}
	for _, e := range sight.State.Injections.ByPriority() {
		s.Hooks = append(s.Hooks, scene.Hook{
			Key: e.Key, Text: mark(sight.Injection(e.Key)) + e.Content, Priority: &e.Priority, Session: e.Scope == effect.ForSession})
	}
	ledger, pending := p.State.Ledger.TakePending()
	p.State.Ledger = ledger
	for _, c := range pending {
		if sight.HidesContext(c) { // it waits for a prompt of somebody who may know it
			p.State.Ledger.Pending = append(slices.Clip(p.State.Ledger.Pending), c)
			continue
		}
		s.Context = append(s.Context, scene.Context{Role: llm.Role(c.Role), Text: mark(sight.Context(c)) + c.Message})
	}
	if n := len(p.State.Ledger.Pending) - stage.MaxInjections; n > 0 {
		p.State.Ledger.Pending = p.State.Ledger.Pending[n:]
	}
	return s
}

// withEngineBlocks adds what the engine has to say to the scene: the blocks of the dialog
// type, the variables, and what was wrong with the last commands. All of them are data.
func (p *prompter) withEngineBlocks(out []prompt.Block, layout prompt.Layout) []prompt.Block {
	out = slices.Grow(out, 16)
	add := func(key, text string, required bool) {
		if text != "" {
			out = append(out, prompt.Block{Key: key, Slot: game.SlotFor(layout, key), Text: text,
				Literal: true, Required: required})
		}
	}
	for id := range game.BlockOrder() {
		if p.Dialog.Has(id) {
			add(string(id), p.blockText(id), id.Required())
		}
	}
	variables := p.variablesText()
	add(game.SlotVariables, variables, false)
	add(game.SlotLanguages, p.languagesText(variables), false)
	add(game.SlotFeedback, p.feedbackText(), false)
	p.State.Feedback = nil
	return out
}

// fitBlocks adapts the blocks of the scene to the turn: a dialog type may have no
// persona, and entries of the world book ask parts of the prompt to take a text in, or
// to be left out.
func (p *prompter) fitBlocks(blocks []prompt.Block, fields macro.Card) {
	for i := range blocks {
		b := &blocks[i]
		if b.Key == game.SlotMain && !p.Dialog.Has(game.BlockPersona) {
			b.Withheld = prompt.Disabled
		}
		if b.Source.Kind == prompt.KindWorld && b.Stability == prompt.Turn && game.HasSlot(p.Game.Layout(), b.Slot+game.Triggered) {
			b.Slot += game.Triggered
		}
	}
	p.loreActs(blocks, fields)
}

// loreActs carries out what entries ask of other parts of the prompt.
func (p *prompter) loreActs(blocks []prompt.Block, fields macro.Card) {
	for _, a := range p.scan.Activated {
		text := a.Text
		if a.Literal {
			text = braces.Escape(text)
		}
		text = braces.Escape(p.loreMark(a.ID.String())) + text
		for i := range blocks {
			b := &blocks[i]
			if in := a.Inject; in != nil && (b.Key == in.Into || b.Key == "char."+in.Into) {
				b.Text = in.Apply(fieldText(b.Text, fields), text)
			}
			for _, part := range a.Hides {
				if part == b.Key || part == hideSystem && b.Key == game.SlotMain ||
					part == hidePostHistory && b.Key == "post_history" {
					b.Withheld = prompt.Disabled
				}
			}
		}
	}
}

// The parts that the decorator disable_ui_prompt of Card V3 names.
const (
	hideSystem      = "system_prompt"
	hidePostHistory = "post_history_instructions"
)

// fieldText is the text that a block shows: a field of the card, where the block names it.
func fieldText(text string, fields macro.Card) string {
	switch text {
	case "{{description}}":
		return fields.Description
	case "{{personality}}":
		return fields.Personality
	case "{{scenario}}":
		return fields.Scenario
	case "{{mesExamplesRaw}}":
		return fields.Examples
	case "{{charDepthPrompt}}":
		return fields.DepthPrompt
	}
	return text
}
