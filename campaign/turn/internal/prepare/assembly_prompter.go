package prepare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// Prompter writes the prompt of a turn from the findings of the turn. It works on a copy of the
// state and of the trace, as [Texts] does.
type Prompter struct {
	*Texts
	Scan     *worldbook.Result
	Memories []string // lines of the prompt
	text     *Text    // the prompt in one text, nil for messages
	// pieces are the entries whose templates run in this prompt, by ID. evaluated are their texts.
	pieces    map[string]template.Piece
	evaluated map[string]string
	// context and instruct are the form of a prompt in one text.
	context  *tavern.ContextTemplate
	instruct *tavern.InstructTemplate
}

// assemble lays out the prompt of the turn as the content defines it. shown is the number of lines
// of the history that could be in it.
func (p *Prompter) assemble() (result prompt.Result, shown int, err error) {
	layout, chat := p.Game.Layout(), p.ShownChat()
	slack, gone := p.Game.Content().Prompt.TrimSlack, 0
	if slack > 0 { // messages that were dropped stay dropped
		gone = max(0, min(p.State.HistoryStart-chat.Hidden, chat.Now))
	}
	history := p.Lines(chat, gone)
	p.nameSpeakers(history)
	pieces := p.scene()
	env := p.Env() // after the scripts, whose macros may set variables
	env.Chat = p.MacroChat(chat)
	if p.Speaker != "" {
		env.Card, pieces.Injections = p.castCard()
	} else if p.Game.HasTemplates() {
		p.templatedCard(&env)
	}
	in := prompt.Input{History: p.withInstructions(history), Tools: true, Generation: p.generation(), TrimSlack: slack}
	if p.Game.IsText() { // the layout of the text expands names
		for i := range in.History {
			in.History[i].Literal = true
		}
	}
	if preset := p.Game.Content().Prompt.Preset; preset != nil {
		in = preset.Fill(in)
		in.Blocks = preset.Blocks(pieces, p.writing(), env, history)
	} else {
		in.Blocks = pieces.Blocks(env, history)
	}
	p.context, p.instruct = p.Game.Content().Prompt.Context, p.Game.Content().Prompt.Instruct
	if p.Game.HasTemplates() {
		if p.Game.IsText() {
			p.templatedForm(&env)
		}
		p.templatedTexts(&in, &layout, &env)
	}
	p.setControl(&in)
	in.Blocks = p.withEngineBlocks(in.Blocks, layout)
	p.fitBlocks(in.Blocks, env.Card)
	if result, err = p.withPlaced(layout, in, env); err == nil {
		if slack > 0 {
			p.State.HistoryStart = chat.Hidden + chat.Len() - len(history) + result.HistoryStart
		}
	}
	return result, p.MacroChat(chat).Len(), err
}

// layOut returns the prompt of the blocks: messages, or one text. taken is the number of tokens of
// the window that are used otherwise.
func (p *Prompter) layOut(layout prompt.Layout, in prompt.Input, env prompt.Env, reserved int) (prompt.Result, error) {
	budget := p.Budget()
	if budget.Context > 0 {
		budget.Context = max(budget.Context-reserved, 1)
	}
	if !p.Game.IsText() {
		return prompt.Assemble(layout, in, env, budget)
	}
	text := newText(p.context, p.instruct, in, env, budget)
	result, err := text.With(nil)
	if err == nil || p.text == nil {
		text.Keep()
		p.text = text
	}
	return result, err
}

// nameSpeakers marks the lines of players for their names, if several players may speak or have
// spoken: the model must know whose line it is.
func (p *Prompter) nameSpeakers(history []prompt.Line) {
	byPlayer := func(l prompt.Line) bool { return l.Role == llm.User && l.Name != "" }
	several := p.HasSeveralPlayers() ||
		slices.ContainsFunc(history, func(l prompt.Line) bool { return byPlayer(l) && l.Name != p.UserName() })
	for i := range history {
		history[i].Forced = history[i].Forced || several && byPlayer(history[i])
	}
}

// scene returns the content of the prompt, for package prompt to lay out.
func (p *Prompter) scene() prompt.Scene {
	s := prompt.Scene{
		System: cmp.Or(p.Dialog.Persona, p.Game.Texts().Persona), Note: p.Note(), Lore: p.markedLore(p.authoredLore(prompt.LoreOf(*p.Scan, false))),
	}
	if preset := p.Game.Content().Prompt.System; preset != nil {
		s.System, s.PostHistory = preset.Content, preset.PostHistory
	}
	if c := p.Card(); c != nil {
		_, s.CardDepth = prompt.CardOf(*c)
	}
	sight := p.Sight()
	mark := func(witnesses []string) string { return utf8text.Escape(p.WitnessMark(p.Viewer().Mark(witnesses))) }
	for _, d := range sight.State.Ledger.Directives {
		s.Directives = append(s.Directives, prompt.Directive{
			ID: d.ID, Text: mark(sight.Directive(d.ID)) + d.Content, Position: prompt.DirectivePosition(d.Position), Depth: d.Depth, Persistent: d.Persistent})
	}
	for _, e := range sight.State.Injections.ByPriority() {
		s.Hooks = append(s.Hooks, prompt.HookPlace{
			Key: e.Key, Text: mark(sight.Injection(e.Key)) + e.Content, Priority: &e.Priority, Session: e.Scope == effect.ForSession})
	}
	ledger, pending := p.State.Ledger.TakePending()
	p.State.Ledger = ledger
	for _, c := range pending {
		if sight.HidesContext(c) { // it waits for a prompt for a viewer who may know it
			p.State.Ledger.Pending = append(slices.Clip(p.State.Ledger.Pending), c)
			continue
		}
		s.Context = append(s.Context, prompt.Context{Role: llm.Role(c.Role), Text: mark(sight.Context(c)) + c.Message})
	}
	if n := len(p.State.Ledger.Pending) - draft.MaxInjections; n > 0 {
		p.State.Ledger.Pending = p.State.Ledger.Pending[n:]
	}
	return s
}

// withEngineBlocks adds the engine's own blocks to the scene: the blocks of the dialog type, the
// variables, and the refusals of the last commands. All of them are data.
func (p *Prompter) withEngineBlocks(out []prompt.Block, layout prompt.Layout) []prompt.Block {
	out = slices.Grow(out, 16)
	own := blockSource{Window: p.Window, Memories: p.Memories, Marked: p.Marked}
	add := func(key, text string, required bool) {
		if text != "" {
			out = append(out, prompt.Block{Key: key, Slot: game.SlotFor(layout, key), Text: text,
				Literal: true, Required: required})
		}
	}
	variables, cut := own.Variables()
	if cut > 0 {
		p.Warn("variables: only the beginning of %d tokens is in the prompt", cut)
	}
	for id := range game.BlockOrder() {
		switch {
		case id == game.BlockVariables:
			add(string(id), variables, false)
		case id == game.BlockLanguages:
			add(string(id), own.Languages(variables), false)
		case p.Dialog.Has(id) || id == game.BlockTools: // the text is empty if no tools are offered
			add(string(id), own.Text(id), id.Required())
		}
	}
	add(game.SlotFeedback, own.Feedback(), false)
	p.State.Feedback = nil
	return out
}

// writing returns the kind of answer that a prompt asks for. After the reply of a different speaker
// it is "", because there is no line to continue.
func (p *Prompter) writing() worldbook.GenerationType {
	if len(p.Spoken) > 0 {
		return ""
	}
	return p.In.Generation
}

// expandPart expands a part of a card for its owner. Variables that its macros write are visible to
// the parts after it.
func (p *Prompter) expandPart(env *prompt.Env, text, id, char string) string {
	if !strings.ContainsAny(text, "{<") { // most parts have no macro
		return text
	}
	env.Char, env.Macros = char, cast.Macros(p.Game.Cast(), id)
	form := p.Game.CardCBS(p.cardOf(id), false)
	if hasTags(text) && form == nil {
		text = p.beginTemplates(*env).Unit(template.Piece{Text: text, Path: "cast." + id})[0] // the caller makes it data
		p.keepTemplates()
	} else {
		text = p.expandMacros(*env, form, text)
	}
	env.Vars, env.Globals = p.Sight().State.Macros.Maps()
	return text
}

// castCard returns the card of the prompt, and the texts between the messages. In each text
// {{char}} is the owner of the card of that text. So all texts are expanded here and are data
// afterwards.
func (p *Prompter) castCard() (fields macro.Card, between []prompt.Injection) {
	s, env := p.Sheet(), p.Env()
	text := func(t cast.Text) string {
		return utf8text.Escape(t.Expand(func(part, id, char string) string { return p.expandPart(&env, part, id, char) }))
	}
	fields = macro.Card{
		Description: text(s.Description), Personality: text(s.Personality), Scenario: text(s.Scenario),
		Examples: text(s.Examples),
	}
	if c := p.Card(); c != nil {
		own, _ := prompt.CardOf(*c)
		own.Description, own.Personality, own.Scenario, own.Examples = fields.Description, fields.Personality, fields.Scenario, fields.Examples
		own.DepthPrompt = ""
		fields = own
	}
	for i, d := range s.Depth {
		between = append(between, prompt.Injection{Key: "char.depth." + strconv.Itoa(i), Text: text(d.Text),
			Depth: d.Depth, Role: llm.Role(d.Role)})
	}
	return fields, between
}
