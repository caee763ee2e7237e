package turn

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/scripting"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/script"
)

// askModel goes on to the model, if what was appended to the request has room.
func askModel(t *run) next {
	if err := t.talk.tooLong; err != nil {
		t.stage.Staged.Warn("%v", err)
		return toNoRoom
	}
	return toModel
}

// generation asks the model.
func generation(t *run) *question.Generate {
	from := t.talk.sent
	if t.talk.text != nil { // one text, which is written anew for each request
		from = 0
	}
	t.talk.request.Messages = t.stage.Texts.RewritePrompt(&t.stage.Staged.Trace, t.talk.request.Messages, from)
	t.stage.Settle() // what hooks did before the call is no part of an output
	seen := t.talk.sent
	t.talk.sent, t.stage.Texts.Asked = len(t.talk.request.Messages), true
	return &question.Generate{Audience: t.order.in.Audience,
		Request: t.talk.request, Attempt: len(t.attempts) + 1, Retry: t.talk.why,
		Intercept: intercepted(t) || t.order.suggestions > 0,
		First:     t.game.Hooks().Wants(on.StreamChunk) && t.order.suggestions == 0,
		Seen:      seen,
	}
}

// intercepted reports whether nothing of an output may be shown before it counts.
func intercepted(t *run) bool {
	return t.values.Bool(setting.InterceptOutput) || scripting.RewritesReplies(t.game) || t.casting.speaking() != "" || view.ListsClaims(t.values)
}

// readReply reads an output, and notes it as an attempt.
func readReply(t *run) {
	in := t.out.reply
	t.stage.Undo()
	t.out.last, t.out.asks = t.game.ReadAnswer(answer.Read(in.Text, in.ToolCalls), viewOf(t).Scope())
	if view.ListsClaims(t.values) {
		t.out.last = t.out.last.WithClaims()
	}
	if kind := in.unfinished(); kind != "" {
		t.out.last.Broken = kind
	}
	if t.casting.speaking() != "" {
		t.out.last.Text = wording.WithoutName(t.out.last.Text, viewOf(t).CharName())
	}
	t.out.last.Text = viewOf(t).WithoutMark(t.out.last.Text)
	t.out.last.Text = t.scripted(t.out.last.Text, script.Where{Placement: script.AIOutput})
	if t.out.last.Broken == "" && len(t.out.last.Calls) == 0 && t.narration() == "" {
		t.out.last.Broken = conflict.EmptyOutput // commands alone tell the player nothing
	}
	if t.out.last.Broken == "" && t.order.head != nil && t.order.whole(t.narration(), t.out.reply.Text) == t.order.headText() && len(t.out.last.Calls) == 0 {
		t.out.last.Broken = conflict.EmptyOutput // it repeats what is there
	}
	attempt := state.Attempt{Speaker: t.casting.speaking(), Output: in.Text, Calls: in.ToolCalls, Usage: in.Usage,
		Reasoning: t.scripted(in.Reasoning, script.Where{Placement: script.Reasoning}), ModelWarnings: in.Warnings}
	if in.Finish != llm.FinishStop && in.Finish != llm.FinishToolCalls {
		attempt.Finish = in.Finish
	}
	t.attempts = append(t.attempts, attempt)
	t.out.unsettled, t.out.findings, t.out.calling = nil, nil, calling{}
	t.people.consent, t.out.accepted = consent{}, nil
}

// streamed reports whether the beginning of the answer is known, as hooks want it.
func streamed(t *run) bool { return t.out.reply.First != "" && untold(on.StreamChunk)(t) }

// narration is what the player reads of the last output.
func (t *run) narration() string { return t.cleanNarration(t.out.last.Text) }

// cleanNarration is a narration as the player reads it: without what dialects took.
func (t *run) cleanNarration(text string) string {
	if t.out.cleaned.text != text || t.out.cleaned.shown == "" {
		t.out.cleaned.text, t.out.cleaned.shown = text, t.game.Read(text, viewOf(t).Scope()).Shown
	}
	return t.out.cleaned.shown
}
