package turn

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
)

// askModel goes on to the model, if what was appended to the request has room.
func (m *Machine) askModel() Stop {
	if err := m.turn.tooLong; err != nil {
		m.turn.stage.Staged.Warn("%v", err)
		return m.tooLong(err)
	}
	return atModel
}

// generation asks the model.
func (m *Machine) generation() (Todo, bool) {
	t := m.turn
	from := t.sent
	if t.text != nil { // one text, which is written anew for each request
		from = 0
	}
	t.request.Messages = t.stage.Texts.RewritePrompt(&t.stage.Staged.Trace, t.request.Messages, from)
	t.stage.Settle() // what hooks did before the call is no part of an output
	seen := t.sent
	t.sent, t.stage.Texts.Asked = len(t.request.Messages), true
	return Todo{Generate: &question.Generate{Audience: t.in.Audience,
		Request: t.request, Attempt: len(t.attempts) + 1, Retry: t.retryWhy,
		Intercept: t.intercepted() || t.suggest != nil,
		First:     m.game.Hooks().Wants(on.StreamChunk) && t.suggest == nil,
		Seen:      seen,
	}}, true
}

// intercepted reports whether nothing of an output may be shown before it counts.
func (t *run) intercepted() bool {
	return t.values.Bool(setting.InterceptOutput) || rewritesReplies(t.game) || t.hasSpeaker() || listsClaims(t.values)
}

func (m *Machine) replied(in Replied) Stop {
	m.turn.reply = in
	return onward
}

func (m *Machine) generateFailed(in GenerateFailed) Stop {
	why := failure.Failure{Kind: failure.Model, Code: failure.Code(in.Reason), Retry: in.Retry, RetryAfter: in.RetryAfter}
	if why.Code == failure.LeaseLost || why.Code == failure.StoreFailed {
		why.Kind = failure.Store
	}
	if in.Cancelled {
		why.Kind, why.Retry = failure.Cancelled, true
		return m.fail(Cancelled, why)
	}
	return m.fail(Failed, why)
}

// fail ends a turn that could not be played. Only what its acceptance changed
// stays.
func (m *Machine) fail(status OutcomeStatus, why failure.Failure) Stop {
	t := m.turn
	outcome := Outcome{
		Status: status, Reason: string(why.Code), Failure: &why, Attempts: t.attempts, RetriesUsed: t.retries,
		DialogType: t.kind.ID, DialogTypeSource: t.source, Audience: t.in.Audience,
	}
	if !t.headChanged {
		return m.endWith(outcome)
	}
	return m.commit(RecordFailed, t.in.At, t.unplayed(), nil, Todo{Outcome: &outcome})
}

// readReply reads an output, and notes it as an attempt.
func (t *run) readReply() {
	in := t.reply
	t.stage.Undo()
	t.last, t.asks = t.game.ReadAnswer(answer.Read(in.Text, in.ToolCalls), t.scenery().scope())
	if listsClaims(t.values) {
		t.last = t.last.WithClaims()
	}
	if kind := in.unfinished(); kind != "" {
		t.last.Broken = kind
	}
	if t.hasSpeaker() {
		t.last.Text = withoutName(t.last.Text, t.scenery().charName())
	}
	t.last.Text = t.scenery().withoutMark(t.last.Text)
	t.last.Text = t.scripted(t.last.Text, script.Where{Placement: script.AIOutput})
	if t.last.Broken == "" && len(t.last.Calls) == 0 && t.cleanNarration(t.last.Text) == "" {
		t.last.Broken = conflict.EmptyOutput // commands alone tell the player nothing
	}
	if t.last.Broken == "" && t.head != nil && t.whole(t.cleanNarration(t.last.Text)) == t.headText() && len(t.last.Calls) == 0 {
		t.last.Broken = conflict.EmptyOutput // it repeats what is there
	}
	attempt := state.Attempt{Speaker: t.casting.speaking(), Output: in.Text, Calls: in.ToolCalls, Usage: in.Usage,
		Reasoning: t.scripted(in.Reasoning, script.Where{Placement: script.Reasoning}), ModelWarnings: in.Warnings}
	if in.Finish != llm.FinishStop && in.Finish != llm.FinishToolCalls {
		attempt.Finish = in.Finish
	}
	t.attempts = append(t.attempts, attempt)
	t.unsettled, t.findings, t.calling = nil, nil, calling{}
	t.consent, t.accepted = consent{}, nil
}

func (t *run) replyPayload() []tree.Member {
	payload := []tree.Member{{Key: "text", Value: tree.Text(t.last.Text)}}
	if t.reply.Usage != nil {
		if usage, err := tree.Of(t.reply.Usage); err == nil {
			payload = append(payload, tree.Member{Key: "usage", Value: usage})
		}
	}
	return payload
}

// streamed reports whether the beginning of the answer is known, as hooks want it.
func (t *run) streamed() bool { return t.reply.First != "" && untold(on.StreamChunk)(t) }

func (t *run) chunkPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(t.reply.First)}}
}

// unfinished says in which way an answer is no whole one, "" for a whole one.
func (in Replied) unfinished() string {
	switch {
	case in.Finish == llm.FinishContentFilter:
		return conflict.FilteredOutput
	case in.Cut, in.Finish == llm.FinishLength:
		return conflict.TruncatedOutput
	}
	return ""
}
