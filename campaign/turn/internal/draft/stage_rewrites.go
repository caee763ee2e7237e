package draft

import (
	"strings"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
)

// rewrites carries out what rules and hooks want rewritten in a turn, or forbid: of the line, the
// prompt and the reply, each as long as nobody has read it. A re-generation undoes nothing of it: a
// line and a prompt that a model has read are what they are.
type rewrites struct {
	Played      bool           // a turn is played, and not something between turns
	PromptBuilt bool           // the prompt is built: what is injected now is for the next one
	ModelAsked  bool           // the model has been asked
	Line        *string        // of the player
	Reply       func() *string // the narration that is being judged, or the last one that has passed

	prompt []rewriting // of the next request
	Veto   *effect.Veto
}

// rewriting is a rewrite of the prompt, and its line of the trace.
type rewriting struct {
	effect.Rewrite
	by    string
	times int
	done  bool // the model has been asked since
}

// The reasons for which a rewrite or a veto is refused.
const (
	tooLate      = "too_late"  // its text has been read
	tooEarly     = "too_early" // there is no such text yet
	leavesEmpty  = "empty"     // nothing would be left of the text
	unrewritable = "invalid_value"
)

// rewrite rewrites one text, or refuses to.
func (x *rewrites) rewrite(trace *state.TurnTrace, e effect.Rewrite, by string) {
	if err := e.Mistake(); err != nil {
		refuseText(trace, e.EffectType(), by, unrewritable, err.Error())
		return
	}
	switch e.Target {
	case effect.RewriteLine:
		if x.PromptBuilt || !x.Played {
			refuseText(trace, e.EffectType(), by, tooLate, "the prompt is built")
			return
		}
		x.replace(trace, x.Line, e, by)
	case effect.RewriteReply:
		text := x.Reply()
		if *text == "" {
			refuseText(trace, e.EffectType(), by, tooEarly, "there is no narration")
			return
		}
		x.replace(trace, text, e, by)
	default:
		if !x.Played {
			refuseText(trace, e.EffectType(), by, tooLate, "no turn is played")
			return
		}
		x.prompt = append(x.prompt, rewriting{Rewrite: e, by: by})
	}
}

// replace rewrites one text, of which something must be left.
func (x *rewrites) replace(trace *state.TurnTrace, text *string, e effect.Rewrite, by string) {
	next, err := e.In(*text)
	switch {
	case err != nil:
		refuseText(trace, e.EffectType(), by, unrewritable, err.Error())
	case strings.TrimSpace(next) == "":
		refuseText(trace, e.EffectType(), by, leavesEmpty, "nothing would be left of the "+string(e.Target))
	case next != *text:
		traceRewrite(trace, rewriting{Rewrite: e, by: by, times: max(1, count(*text, e))})
		*text = next
	}
}

// count says how often a text is found.
func count(text string, e effect.Rewrite) int {
	if e.Find == "" {
		return 0
	}
	return strings.Count(text, e.Find)
}

// RewritePrompt carries out what is asked of the prompt, on the messages from the given one on,
// which the model has not seen: of those that it has, no byte changes.
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
				refuseText(trace, r.EffectType(), r.by, unrewritable, err.Error())
				continue
			}
			r.times += count(m.Text, r.Rewrite)
			m.Text = next
		}
		traceRewrite(trace, *r)
	}
	return messages
}

// RefuseUnused notes the rewrites of a prompt that none was written after.
func (x *rewrites) RefuseUnused(trace *state.TurnTrace) {
	for _, r := range x.prompt {
		if !r.done {
			refuseText(trace, r.EffectType(), r.by, tooLate, "the model has answered")
		}
	}
}

// traceRewrite notes what has changed; of texts their beginning.
func traceRewrite(trace *state.TurnTrace, r rewriting) {
	if r.times == 0 {
		return
	}
	trace.Rewrites = append(trace.Rewrites, state.TraceRewrite{By: r.by, Target: r.Target,
		Find: Preview(r.Find), Text: Preview(r.Text), Times: r.times})
}

// forbid ends the turn at the next stop, if the model was not asked.
func (x *rewrites) forbid(trace *state.TurnTrace, e effect.Veto, by string) {
	if x.ModelAsked || !x.Played {
		refuseText(trace, e.EffectType(), by, tooLate, "the model has answered")
		return
	}
	if x.Veto == nil { // the first reason is the one
		x.Veto = &e
	}
}

func refuseText(trace *state.TurnTrace, effect, by, reason, text string) {
	trace.Refused = append(trace.Refused,
		state.TraceRefusedEffect{By: by, Path: effect, Reason: reason, Text: text})
}

// Preview is the beginning of a text.
func Preview(text string) string {
	const limit = 100
	runes := []rune(text)
	return string(runes[:min(len(runes), limit)])
}
