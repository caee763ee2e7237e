package turn

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/scene"
)

// assemble lays the prompt of the turn out, as the content wants it, and counts the
// lines of the history that could stand in it.
func (t *run) assemble() (result prompt.Result, shown int, err error) {
	layout, chat := t.game.Layout(), t.shownChat()
	hidden := len(t.chat()) - len(chat) // older ones, which the context mode leaves out
	slack, gone := t.game.Content().TrimSlack, 0
	if slack > 0 { // what has gone stays away
		gone = max(0, min(t.staged.state.HistoryStart-hidden, len(chat)-1))
	}
	history := t.lines(chat, gone)
	pieces := t.scene()
	env := t.promptEnv() // behind the scripts, whose macros may set variables
	env.Chat = chat
	in := prompt.Input{History: history, Tools: true, TrimSlack: slack}
	if p := t.game.Content().Preset; p != nil {
		in = p.Fill(in)
		in.Blocks = p.Blocks(pieces, prompt.Generation(t.in.Generation), env, history)
	} else {
		in.Blocks = pieces.Blocks(env, history)
	}
	in.Blocks = t.withEngineBlocks(in.Blocks, layout)
	t.fitBlocks(in.Blocks, env.Card)
	if result, err = t.laidOut(layout, in, env); err == nil {
		t.keepMacros(result.Vars, result.Globals)
		if slack > 0 {
			t.staged.state.HistoryStart = hidden + len(chat) - len(history) + result.HistoryStart
		}
	}
	return result, len(chat), err
}

// laidOut is the prompt of the blocks: messages, or one text.
func (t *run) laidOut(layout prompt.Layout, in prompt.Input, env prompt.Env) (prompt.Result, error) {
	if !t.game.IsText() {
		return prompt.Assemble(layout, in, env, t.budget())
	}
	t.text = newTextPrompt(t.game.Content(), in, env, t.budget())
	result, err := t.text.with(nil)
	t.text.keep()
	return result, err
}

// scene is what stands in the prompt, for package prompt to lay out.
func (t *run) scene() scene.Scene {
	s := scene.Scene{
		System: t.game.Texts().Persona, Note: t.note(), Lore: t.scriptedLore(scene.LoreOf(t.scan, false)),
	}
	if p := t.game.Content().System; p != nil {
		s.System, s.PostHistory = p.Content, p.PostHistory
	}
	if c := t.game.Content().Card; c != nil {
		if d, ok := c.DepthPrompt(); ok {
			s.CardDepth = scene.CardDepth{Depth: &d.Depth, Role: llm.Role(d.Role)}
		}
	}
	for _, d := range t.staged.state.Ledger.Directives {
		s.Directives = append(s.Directives, scene.Directive{
			ID: d.ID, Text: d.Content, Position: d.Position, Depth: d.Depth, Persistent: d.Persistent})
	}
	for _, e := range t.staged.state.Injections.ByPriority() {
		s.Hooks = append(s.Hooks, scene.Hook{
			Key: e.Key, Text: e.Content, Priority: &e.Priority, Session: e.Scope == "session"})
	}
	ledger, pending := t.staged.state.Ledger.TakePending()
	t.staged.state.Ledger = ledger
	for _, c := range pending {
		s.Context = append(s.Context, scene.Context{Role: llm.Role(c.Role), Text: c.Message})
	}
	return s
}

// note is the author's note. A prompt shows only the newest lines, so the campaign
// counts those of the player: the note is due in every prompt of the turn, or in none.
func (t *run) note() scene.Note {
	n := t.game.Content().Note
	if every := n.Interval; every != nil && *every != 1 {
		n.Interval = new(0)
		if *every > 1 && t.number()%*every == 0 {
			n.Interval = new(1)
		}
	}
	return n
}

// noteTexts are the texts beside the chat that the world book is searched in.
func (t *run) noteTexts() []string {
	if !t.game.Content().Note.Scan {
		return nil
	}
	return scene.Scene{Note: t.note()}.ScanTexts(t.promptEnv(), nil)
}

// withEngineBlocks adds what the engine has to say to the scene: the blocks of the dialog
// type, the variables, and what was wrong with the last commands. All of them are data.
func (t *run) withEngineBlocks(out []prompt.Block, layout prompt.Layout) []prompt.Block {
	out = slices.Grow(out, 16)
	add := func(key, text string, required bool) {
		if text != "" {
			out = append(out, prompt.Block{Key: key, Slot: game.SlotFor(layout, key), Text: text,
				Literal: true, Required: required})
		}
	}
	for id := range game.BlockOrder() {
		if t.kind.Has(id) {
			add(string(id), t.blockText(id), id.Required())
		}
	}
	variables := t.variablesText()
	add(game.SlotVariables, variables, false)
	add(game.SlotLanguages, t.languagesText(variables), false)
	add(game.SlotFeedback, t.feedbackText(), false)
	t.staged.state.Feedback = nil
	return out
}

// fitBlocks adapts the blocks of the scene to the turn: a dialog type may have no
// persona, and entries of the world book ask parts of the prompt to take a text in, or
// to be left out.
func (t *run) fitBlocks(blocks []prompt.Block, fields macro.Card) {
	for i := range blocks {
		b := &blocks[i]
		if b.Key == game.SlotMain && !t.kind.Has(game.BlockPersona) {
			b.Withheld = prompt.Disabled
		}
		if b.Source.Kind == prompt.KindWorld && b.Stability == prompt.Turn && game.HasSlot(t.game.Layout(), b.Slot+game.Triggered) {
			b.Slot += game.Triggered
		}
	}
	t.loreActs(blocks, fields)
}

// loreActs carries out what entries ask of other parts of the prompt.
func (t *run) loreActs(blocks []prompt.Block, fields macro.Card) {
	for _, a := range t.scan.Activated {
		text := a.Text
		if a.Literal {
			text = braces.Escape(text)
		}
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
func (t *run) promptEnv() prompt.Env {
	env := prompt.Env{
		User: t.userName(), Char: t.charName(), Persona: t.game.Content().Persona,
		ChatID: t.next.ID, Clock: t.in.At, Random: t.draw, Turn: t.number(), Input: t.in.Text,
		Document: t.readable(),
	}
	env.Vars, env.Globals = t.staged.state.Macros.Maps()
	if c := t.game.Content().Card; c != nil {
		env.Card = cardFields(*c)
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
