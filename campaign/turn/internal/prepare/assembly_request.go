package prepare

import (
	"bytes"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// written is the prompt of a turn: the result of its assembly, and the request.
type written struct {
	Request question.Request
	Result  prompt.Result
	Text    *Text // the prompt in one text, nil for messages
	Tokens  int   // the estimate for the whole prompt
}

// Write assembles the prompt and records its parts in the trace.
func (p *Prompter) Write() (written, error) {
	result, shown, err := p.assemble()
	if err != nil {
		return written{}, err
	}
	r := p.asRequest(result)
	replies := len(p.Spoken) // number of replies to the player's line
	for i := len(r.Messages) - 1; i >= 0 && p.HasLine; i-- {
		if r.Messages[i].Kind == question.KindHistory {
			if replies == 0 {
				r.Messages[i].Kind = question.KindPlayerInput
				break
			}
			replies--
		}
	}
	p.tracePrompt(result.Report, shown)
	return written{r, result, p.text, result.Tokens + past.ToolTokens(p.Turn)}, nil
}

// asRequest returns a prompt in the form for the model.
func (p *Prompter) asRequest(result prompt.Result) question.Request {
	if p.text != nil {
		return p.text.Request()
	}
	r := question.Request{Tools: p.toolSpecs(), Prefill: result.Prefill, RefusesPrefill: p.Game.Content().Prompt.RefusesPrefill}
	if r.CacheMark = p.Game.Content().Prompt.CacheMark; len(r.CacheMark) > 0 {
		r.CacheMarks = result.Breakpoints
	}
	if profile := p.Game.Content().Prompt.Shape; profile != "" {
		r.Shape = prompt.ShapeRules{Profile: profile, User: p.UserName(), Char: p.CharName()}
	}
	if r.Shape.Profile != "" || r.RefusesPrefill {
		r.Shape.Words = p.Game.Texts().Shape
	}
	r.Messages = make([]question.Message, len(result.Messages))
	for i, m := range result.Messages {
		r.Messages[i] = messageWithKind(result.Origins[i], m)
	}
	return r
}

// messageWithKind returns a message of the prompt with its kind.
func messageWithKind(origin prompt.Origin, m llm.Message) question.Message {
	switch {
	case origin.Kind == prompt.KindHistory:
		return question.Message{Kind: question.KindHistory, Message: m}
	case origin.Slot == game.SlotMain:
		return question.Message{Kind: question.KindSystemBlock, Block: string(game.BlockPersona), Message: m}
	}
	return question.Message{Kind: question.KindSystemBlock, Block: origin.Slot, Message: m}
}

func (p *Prompter) toolSpecs() []llm.ToolSpec {
	var out []llm.ToolSpec
	for _, name := range p.NativeTools() {
		description := p.Game.Texts().ListClaims
		if tool, ok := p.Game.Tools().Get(name); ok {
			description = tool.Description
		}
		out = append(out, llm.ToolSpec{Name: name, Description: description, Parameters: bytes.Clone(p.Game.ToolSchema(name))})
	}
	return out
}

// tracePrompt records the parts of the prompt. The history is one line, and one more for its
// dropped messages, so a record does not grow with the game. The argument shown is the number of
// messages that could be in the prompt.
func (p *Prompter) tracePrompt(r prompt.Report, shown int) {
	history, dropped := -1, state.TracePrompt{Key: historyKey, Status: string(prompt.Dropped), Speaker: p.Speaker}
	out := &p.Trace.Prompt
	listed := 0
	for _, line := range r.Lines {
		traced := state.TracePrompt{Key: line.Key, Tokens: line.Tokens, Status: string(line.Status), Reason: line.Reason,
			Speaker: p.Speaker}
		if line.Key == game.SlotMain {
			traced.Key = string(game.BlockPersona) // the name of the block in the request
		}
		if line.Source.Kind != prompt.KindHistory {
			*out = append(*out, traced)
			continue
		}
		if history < 0 {
			history = len(*out)
			*out = append(*out, state.TracePrompt{Key: historyKey, Status: string(prompt.Kept), Speaker: p.Speaker})
		}
		switch n := max(line.Count, 1); line.Status {
		case prompt.Kept:
			(*out)[history].Tokens += line.Tokens
			(*out)[history].Count += n
			listed += n
		case prompt.Dropped:
			dropped.Reason = line.Reason
		default:
			listed += n
		}
	}
	if dropped.Count = shown - listed; dropped.Count > 0 && history >= 0 {
		*out = slices.Insert(*out, history, dropped)
	}
	p.traceProblems(r.Problems)
}

// maxPromptProblems is the maximum number of problems of one prompt in its trace.
const maxPromptProblems = 8

// traceProblems warns of requests in the texts of authors that could not be met: macros, examples.
// The same mistake in several texts gives one warning.
func (t *Texts) traceProblems(problems talewright.Problems) {
	type mistake struct{ id, text string }
	seen := map[mistake]bool{}
	for _, found := range problems {
		m := mistake{found.ID, found.Text}
		if !seen[m] && len(seen) < maxPromptProblems {
			t.Warn("prompt: %s", found)
		}
		seen[m] = true
	}
	if n := len(seen) - maxPromptProblems; n > 0 {
		t.Warn("prompt: and %d problems more", n)
	}
}

// historyKey is the key of the history in the trace of a prompt.
const historyKey = "history"
