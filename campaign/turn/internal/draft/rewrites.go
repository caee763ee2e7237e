package draft

import (
	"strings"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
)

// rewrites applies the rewrites and vetoes of rules and hooks in a turn. They may rewrite the line,
// the prompt and the reply until the text is used. A re-generation does not undo a rewrite, because
// a model has already read the line and the prompt.
type rewrites struct {
	Played      bool           // a turn is played; false between turns
	PromptBuilt bool           // the prompt is built: new injections are for the next one
	ModelAsked  bool           // the model has been asked
	Line        *string        // the player's line
	Reply       func() *string // the narration that is being judged, or the last accepted one

	prompt []rewriting // for the next request
	Veto   *effect.Veto
}

// rewriting is a rewrite of the prompt, with the data for its trace.
type rewriting struct {
	effect.Rewrite
	by    string
	times int
	done  bool // a request was written since
}

// The reasons why a rewrite or a veto is refused.
const (
	tooLate      = "too_late"  // the text was already used
	tooEarly     = "too_early" // there is no such text yet
	leavesEmpty  = "empty"     // the text would be empty
	unrewritable = "invalid_value"
)

// rewrite rewrites one text, or refuses the rewrite.
func (x *rewrites) rewrite(trace *state.TurnTrace, e effect.Rewrite, by string) {
	if err := e.Mistake(); err != nil {
		traceRefusal(trace, e.EffectType(), by, unrewritable, err.Error())
		return
	}
	switch e.Target {
	case effect.RewriteLine:
		if x.PromptBuilt || !x.Played {
			traceRefusal(trace, e.EffectType(), by, tooLate, "the prompt is built")
			return
		}
		x.replace(trace, x.Line, e, by)
	case effect.RewriteReply:
		text := x.Reply()
		if *text == "" {
			traceRefusal(trace, e.EffectType(), by, tooEarly, "there is no narration")
			return
		}
		x.replace(trace, text, e, by)
	default:
		if !x.Played {
			traceRefusal(trace, e.EffectType(), by, tooLate, "no turn is played")
			return
		}
		x.prompt = append(x.prompt, rewriting{Rewrite: e, by: by})
	}
}

// replace rewrites one text. The result must not be empty.
func (x *rewrites) replace(trace *state.TurnTrace, text *string, e effect.Rewrite, by string) {
	next, err := e.In(*text)
	switch {
	case err != nil:
		traceRefusal(trace, e.EffectType(), by, unrewritable, err.Error())
	case strings.TrimSpace(next) == "":
		traceRefusal(trace, e.EffectType(), by, leavesEmpty, "nothing would be left of the "+string(e.Target))
	case next != *text:
		traceRewrite(trace, rewriting{Rewrite: e, by: by, times: max(1, count(*text, e))})
		*text = next
	}
}

// count returns how often the text to find occurs.
func count(text string, e effect.Rewrite) int {
	if e.Find == "" {
		return 0
	}
	return strings.Count(text, e.Find)
}

// RewritePrompt rewrites the messages from index from on, which the model has not received yet.
// Messages that the model has received do not change.
func (x *rewrites) RewritePrompt(trace *state.TurnTrace, messages []question.Message, from int) []question.Message {
	if len(x.prompt) == 0 {
		return messages
	}
	messages = append([]question.Message{}, messages...)
	for i := range x.prompt {
		r := &x.prompt[i]
		r.times, r.done = 0, true
		for n := from; n < len(messages); n++ {
			m := &messages[n].Message
			next, err := r.In(m.Text)
			if err != nil {
				traceRefusal(trace, r.EffectType(), r.by, unrewritable, err.Error())
				continue
			}
			r.times += count(m.Text, r.Rewrite)
			m.Text = next
		}
		traceRewrite(trace, *r)
	}
	return messages
}

// RefuseUnused records the rewrites of a prompt after which no prompt was written.
func (x *rewrites) RefuseUnused(trace *state.TurnTrace) {
	for _, r := range x.prompt {
		if !r.done {
			traceRefusal(trace, r.EffectType(), r.by, tooLate, "the model has answered")
		}
	}
}

// traceRewrite records a rewrite. It shortens long texts.
func traceRewrite(trace *state.TurnTrace, r rewriting) {
	if r.times == 0 {
		return
	}
	trace.Rewrites = append(trace.Rewrites, state.TraceRewrite{By: r.by, Target: r.Target,
		Find: Preview(r.Find), Text: Preview(r.Text), Times: r.times})
}

// veto ends the turn at the next stop, if the model was not asked yet.
func (x *rewrites) veto(trace *state.TurnTrace, e effect.Veto, by string) {
	if x.ModelAsked || !x.Played {
		traceRefusal(trace, e.EffectType(), by, tooLate, "the model has answered")
		return
	}
	if x.Veto == nil { // the first veto is kept
		x.Veto = &e
	}
}

// traceRefusal records in the trace that an effect was refused. path is the place or the type of the
// effect.
func traceRefusal(trace *state.TurnTrace, path, by, reason, text string) {
	trace.Refused = append(trace.Refused, state.TraceRefusedEffect{By: by, Path: path, Reason: reason, Text: text})
}

// Preview returns the beginning of a text.
func Preview(text string) string {
	const limit = 100
	runes := []rune(text)
	return string(runes[:min(len(runes), limit)])
}
