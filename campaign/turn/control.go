package turn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// promptKind is how the end of the prompt is laid out: "" for the answer to a line, also to
// one that has an answer.
func (sc scenery) promptKind() prompt.Generation {
	switch {
	case sc.Head != nil:
		return prompt.Continue
	case sc.Suggestions > 0:
		return prompt.Generation(sc.In.Generation)
	}
	return ""
}

// instructions are what a player or a host tells the model beside the line. They are data.
func (sc scenery) instructions() string {
	if sc.Ask == nil {
		return ""
	}
	return braces.Escape(strings.TrimSpace(sc.Ask.Instructions))
}

// setControl sets what the model is told behind everything else: what the preset has for the
// kind of answer, or without one what the engine has, and the instructions.
func (sc scenery) setControl(in *prompt.Input) {
	switch texts := sc.Game.Texts(); {
	case in.Generation == prompt.Continue && sc.Game.Content().Preset == nil:
		in.Control = texts.Continue
	case sc.Suggestions == 0:
	case in.Generation == prompt.Quiet:
		in.Control = numbered(texts.SuggestActions, sc.Suggestions)
	case sc.Suggestions > 1:
		in.Control = numbered(texts.SuggestLines, sc.Suggestions)
	case sc.Game.Content().Preset == nil:
		in.Control = texts.Impersonate
	}
	own := sc.instructions()
	if own == "" {
		return
	}
	in.ContinueByPrefill = false // there would be no place for them
	if in.Control != "" {
		own = in.Control + "\n" + own
	}
	in.Control = own
}

// numbered is a text with a number in the place for it.
func numbered(text string, n int) string { return strings.ReplaceAll(text, "{n}", strconv.Itoa(n)) }

// withAside puts the instructions for a text that goes on before it, where a prompt is one text
// that ends with it.
func (sc scenery) withAside(history []prompt.Line) []prompt.Line {
	if sc.instructions() == "" || !sc.Game.IsText() || sc.promptKind() != prompt.Continue || len(history) == 0 {
		return history
	}
	return slices.Insert(slices.Clone(history), len(history)-1,
		prompt.Line{Role: llm.System, Text: sc.Ask.Instructions, Required: true})
}
