package turn

import (
	"slices"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/scene"
	"github.com/talewright/talewright/rules/effect"
)

// assemble lays the prompt of the turn out, as the content wants it, and counts the
// lines of the history that could stand in it.
func (p *prompter) assemble() (result prompt.Result, shown int, err error) {
	layout, chat := p.game.Layout(), p.shownChat()
	slack, gone := p.game.Content().TrimSlack, 0
	if slack > 0 { // what has gone stays away
		gone = max(0, min(p.state.HistoryStart-chat.Hidden, chat.Now))
	}
	history := p.lines(chat, gone)
	pieces := p.scene()
	env := p.promptEnv() // behind the scripts, whose macros may set variables
	env.Chat = p.macroChat(chat)
	if p.playing != "" {
		env.Card, pieces.Injections = p.castCard()
	}
	in := prompt.Input{History: p.withAside(history), Tools: true, Generation: p.promptKind(), TrimSlack: slack}
	if preset := p.game.Content().Preset; preset != nil {
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
			p.state.HistoryStart = chat.Hidden + chat.Len() - len(history) + result.HistoryStart
		}
	}
	return result, p.macroChat(chat).Len(), err
}

// laidOut is the prompt of the blocks: messages, or one text.
func (p *prompter) laidOut(layout prompt.Layout, in prompt.Input, env prompt.Env) (prompt.Result, error) {
	if !p.game.IsText() {
		return prompt.Assemble(layout, in, env, p.budget())
	}
	p.text = newTextPrompt(p.game.Content(), in, env, p.budget())
	result, err := p.text.with(nil)
	p.text.keep()
	return result, err
}

// scene is what stands in the prompt, for package prompt to lay out.
func (p *prompter) scene() scene.Scene {
	s := scene.Scene{
		System: p.game.Texts().Persona, Note: p.note(), Lore: p.markedLore(p.scriptedLore(scene.LoreOf(*p.scan, false))),
	}
	if preset := p.game.Content().System; preset != nil {
		s.System, s.PostHistory = preset.Content, preset.PostHistory
	}
	if c := p.card(); c != nil {
		if d, ok := c.DepthPrompt(); ok {
			s.CardDepth = scene.CardDepth{Depth: &d.Depth, Role: llm.Role(d.Role)}
		}
	}
	sight := p.sight()
	mark := func(witnesses []string) string { return braces.Escape(p.known(p.mark(witnesses))) }
	for _, d := range sight.State.Ledger.Directives {
		s.Directives = append(s.Directives, scene.Directive{
			ID: d.ID, Text: mark(sight.Directive(d.ID)) + d.Content, Position: scene.DirectivePosition(d.Position), Depth: d.Depth, Persistent: d.Persistent})
	}
	for _, e := range sight.State.Injections.ByPriority() {
		s.Hooks = append(s.Hooks, scene.Hook{
			Key: e.Key, Text: mark(sight.Injection(e.Key)) + e.Content, Priority: &e.Priority, Session: e.Scope == effect.ForSession})
	}
	ledger, pending := p.state.Ledger.TakePending()
	p.state.Ledger = ledger
	for _, c := range pending {
		if sight.HidesContext(c) { // it waits for a prompt of somebody who may know it
			p.state.Ledger.Pending = append(slices.Clip(p.state.Ledger.Pending), c)
			continue
		}
		s.Context = append(s.Context, scene.Context{Role: llm.Role(c.Role), Text: mark(sight.Context(c)) + c.Message})
	}
	if n := len(p.state.Ledger.Pending) - stage.MaxInjections; n > 0 {
		p.state.Ledger.Pending = p.state.Ledger.Pending[n:]
	}
	return s
}

// note is the author's note. A prompt shows only the newest lines, so the campaign
// counts those of the player: the note is due in every prompt of the turn, or in none.
func (sc scenery) note() scene.Note {
	n := sc.game.Content().Note
	if every := n.Interval; every != nil && *every != 1 {
		n.Interval = new(0)
		if *every > 1 && sc.number()%*every == 0 {
			n.Interval = new(1)
		}
	}
	return n
}

// noteTexts are the texts beside the chat that the world book is searched in.
func (sc scenery) noteTexts() []string {
	if !sc.game.Content().Note.Scan {
		return nil
	}
	return scene.Scene{Note: sc.note()}.ScanTexts(sc.promptEnv(), nil)
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
		if p.kind.Has(id) {
			add(string(id), p.blockText(id), id.Required())
		}
	}
	variables := p.variablesText()
	add(game.SlotVariables, variables, false)
	add(game.SlotLanguages, p.languagesText(variables), false)
	add(game.SlotFeedback, p.feedbackText(), false)
	p.state.Feedback = nil
	return out
}

// fitBlocks adapts the blocks of the scene to the turn: a dialog type may have no
// persona, and entries of the world book ask parts of the prompt to take a text in, or
// to be left out.
func (p *prompter) fitBlocks(blocks []prompt.Block, fields macro.Card) {
	for i := range blocks {
		b := &blocks[i]
		if b.Key == game.SlotMain && !p.kind.Has(game.BlockPersona) {
			b.Withheld = prompt.Disabled
		}
		if b.Source.Kind == prompt.KindWorld && b.Stability == prompt.Turn && game.HasSlot(p.game.Layout(), b.Slot+game.Triggered) {
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

// promptEnv is what macros in cards, lore and directives can see.
func (sc scenery) promptEnv() prompt.Env {
	env := prompt.Env{
		User: sc.userName(), Char: sc.charName(), Persona: sc.game.Content().Persona,
		ChatID: sc.next.ID, Clock: sc.in.At, Random: sc.draw, Turn: sc.number(), Input: sc.in.Text,
		Document: sc.readable(), GenerationType: string(sc.generationKind()),
	}
	env.Vars, env.Globals = sc.sight().State.Macros.Maps()
	if c := sc.card(); c != nil {
		env.Card = cardFields(*c)
	}
	for _, m := range sc.game.Cast() {
		if env.Group = append(env.Group, m.Name); m.Muted {
			env.Muted = append(env.Muted, m.Name)
		}
	}
	if sc.playing != "" { // by ids, since two members may have one name
		env.Macros = cast.Macros(sc.game.Cast(), sc.playing)
	}
	return env
}

// cardFields are the texts of a card, for macros and scenes.
func cardFields(c card.Card) macro.Card {
	out := macro.Card{
		Description: c.Description, Personality: c.Personality, Scenario: c.Scenario,
		Examples: c.MesExample, FirstMessage: c.FirstMes, Greetings: c.AlternateGreetings,
		SystemPrompt: c.SystemPrompt, PostHistory: c.PostHistoryInstructions,
		CreatorNotes: c.CreatorNotes, Version: c.CharacterVersion,
	}
	if d, ok := c.DepthPrompt(); ok {
		out.DepthPrompt = d.Prompt
	}
	return out
}
