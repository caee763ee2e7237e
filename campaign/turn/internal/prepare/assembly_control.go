package prepare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

// The assembly files make the request of a turn. They fill a scene from the view of the turn, the
// lore and the memories, and lay it out. They record the parts of the prompt in the trace. The
// input is a [Prompter] with the findings of the turn. The result is a [written] prompt, and the
// state and the trace after writing it.

// generation returns the kind of layout for the end of the prompt. It is "" for an answer to a
// line, including a new answer to an old line.
func (p *Prompter) generation() worldbook.GenerationType {
	switch {
	case p.Continues != nil:
		return worldbook.Continue
	case p.Suggestions > 0:
		return p.In.Generation
	}
	return ""
}

// instructions returns the additional instructions of a player or a host to the model. They are
// data.
func (p *Prompter) instructions() string {
	if p.Ask == nil {
		return ""
	}
	return utf8text.Escape(strings.TrimSpace(p.Ask.Instructions))
}

// setControl sets the text at the end of the prompt. It is the preset's text for the kind of
// answer, or without a preset the engine's text. The instructions follow. The texts of a game master
// do not name the member of a cast who speaks, so the control text does.
func (p *Prompter) setControl(in *prompt.Input) {
	switch texts := p.Game.Texts(); {
	case in.Generation == worldbook.Continue && p.Game.Content().Prompt.Preset == nil:
		in.Control = texts.Continue
	case p.Suggestions == 0:
		if p.Speaker != "" && in.Generation == "" && p.Dialog.Persona == "" && !p.Game.IsText() && p.Game.Content().Prompt.Preset == nil {
			in.Control = texts.CastReply
		}
	case in.Generation == worldbook.Quiet:
		in.Control = numbered(texts.SuggestActions, p.Suggestions)
	case p.Suggestions > 1:
		in.Control = numbered(texts.SuggestLines, p.Suggestions)
	case p.Game.Content().Prompt.Preset == nil:
		in.Control = texts.Impersonate
	}
	own := p.instructions()
	if own == "" {
		return
	}
	in.ContinueByPrefill = false // a prefill leaves no place for instructions
	if in.Control != "" {
		own = in.Control + "\n" + own
	}
	in.Control = own
}

// numbered replaces {n} in a text with a number.
func numbered(text string, n int) string { return strings.ReplaceAll(text, "{n}", strconv.Itoa(n)) }

// withInstructions puts the instructions before the continued text, if the prompt is one text that ends
// with it.
func (p *Prompter) withInstructions(history []prompt.Line) []prompt.Line {
	if p.instructions() == "" || !p.Game.IsText() || p.generation() != worldbook.Continue {
		return history
	}
	return slices.Insert(slices.Clone(history), max(len(history)-1, 0),
		prompt.Line{Role: llm.System, Text: p.Ask.Instructions, Required: true})
}
