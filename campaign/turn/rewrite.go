package turn

import (
	"strings"

	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/rules/effect"
)

// interference is what rules and hooks ask of the texts of a turn. It is none of what a
// re-generation undoes: a line and a prompt that a model has read are what they are.
type interference struct {
	prompt []rewriting
	veto   *effect.Veto
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

// rewrite changes the line, the prompt or the reply, each as long as nobody has read it.
func (t *run) rewrite(e effect.Rewrite, by string) {
	if err := e.Mistake(); err != nil {
		t.refuseText(e.EffectType(), by, unrewritable, err.Error())
		return
	}
	switch e.Target {
	case effect.RewriteLine:
		if t.prompted || !t.played() {
			t.refuseText(e.EffectType(), by, tooLate, "the prompt is built")
			return
		}
		t.replace(&t.in.Text, e, by)
	case effect.RewriteReply:
		text := t.newestReply()
		if *text == "" {
			t.refuseText(e.EffectType(), by, tooEarly, "there is no narration")
			return
		}
		t.replace(text, e, by)
	default:
		if !t.played() {
			t.refuseText(e.EffectType(), by, tooLate, "no turn is played")
			return
		}
		t.interfered.prompt = append(t.interfered.prompt, rewriting{Rewrite: e, by: by})
	}
}

// played reports whether a turn is played, and not something between turns.
func (t *run) played() bool { return t.asked.Text != "" || t.asked.Auto || t.ask != nil }

// newestReply is the narration that is being judged, or the last one that has passed.
func (t *run) newestReply() *string {
	if n := len(t.spoken); n > 0 && (t.casting.kept || !t.hasSpeaker()) {
		return &t.spoken[n-1].Text
	}
	return &t.last.Text
}

// replace rewrites one text, of which something must be left.
func (t *run) replace(text *string, e effect.Rewrite, by string) {
	next, err := e.In(*text)
	switch {
	case err != nil:
		t.refuseText(e.EffectType(), by, unrewritable, err.Error())
	case strings.TrimSpace(next) == "":
		t.refuseText(e.EffectType(), by, leavesEmpty, "nothing would be left of the "+string(e.Target))
	case next != *text:
		t.traceRewrite(rewriting{Rewrite: e, by: by, times: max(1, count(*text, e))})
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

// rewritePrompt carries out what is asked of the prompt, on the messages that the model has
// not seen: of those that it has, no byte changes.
func (t *run) rewritePrompt() {
	if len(t.interfered.prompt) == 0 {
		return
	}
	messages := append([]request.Message{}, t.request.Messages...)
	from := t.sent
	if t.text != nil { // one text, which is written anew for each request
		from = 0
	}
	for i := range t.interfered.prompt {
		r := &t.interfered.prompt[i]
		r.times, r.done = 0, true
		for n := from; n < len(messages); n++ {
			m := &messages[n].Message
			next, err := r.In(m.Text)
			if err != nil {
				t.refuseText(r.EffectType(), r.by, unrewritable, err.Error())
				continue
			}
			r.times += count(m.Text, r.Rewrite)
			m.Text = next
		}
		t.traceRewrite(*r)
	}
	t.request.Messages = messages
}

// refuseUnused notes the rewrites of a prompt that none was written after.
func (t *run) refuseUnused() {
	for _, r := range t.interfered.prompt {
		if !r.done {
			t.refuseText(r.EffectType(), r.by, tooLate, "the model has answered")
		}
	}
}

// traceRewrite notes what has changed; of texts their beginning.
func (t *run) traceRewrite(r rewriting) {
	if r.times == 0 {
		return
	}
	p := &t.staged
	p.trace.Rewrites = append(p.trace.Rewrites, turntrace.Rewrite{By: r.by, Target: r.Target,
		Find: preview(r.Find), Text: preview(r.Text), Times: r.times})
}

// forbid ends the turn at the next stop, if the model was not asked.
func (t *run) forbid(e effect.Veto, by string) {
	if t.sent > 0 || !t.firstReply() || !t.played() {
		t.refuseText(e.EffectType(), by, tooLate, "the model has answered")
		return
	}
	if t.interfered.veto == nil { // the first reason is the one
		t.interfered.veto = &e
	}
}

func (t *run) refuseText(effect, by, reason, text string) {
	t.staged.trace.Refused = append(t.staged.trace.Refused,
		turntrace.RefusedEffect{By: by, Path: effect, Reason: reason, Text: text})
}

// heedVeto ends the turn that a rule or hook has forbidden. Only what its acceptance changed
// stays, and what hooks said to the player is said.
func (m *Machine) heedVeto() Stop {
	t := m.turn
	if t.interfered.veto == nil {
		return onward
	}
	outcome := Outcome{
		Status: Refused, Reason: string(state.Vetoed), Detail: t.interfered.veto.Reason,
		Messages: t.staged.messages, DialogType: t.kind.ID, DialogTypeSource: t.source, Audience: t.in.Audience,
	}
	if !t.headChanged {
		return m.endWith(outcome)
	}
	return m.commit(RecordFailed, t.in.At, t.unplayed(), nil, Todo{Outcome: &outcome})
}

// untold reports whether the host does not list an event among those of the submission. Else
// it is the host who knows when it happened and what it carries.
func untold(event string) func(*run) bool {
	return func(t *run) bool {
		for _, e := range t.in.Events {
			var own [1]string
			for _, name := range on.NamesOf(event, &own) {
				if e.Event == name {
					return false
				}
			}
		}
		return true
	}
}
