package play

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/script"
)

// Read parses an output, and records it as an attempt.
func Read(t *Turn) {
	in, last := t.Out.Reply, &t.Out.Last
	t.Stage.Undo()
	t.Out.BeforeScripts = ""
	*last, t.Out.Requests = t.Game.ReadAnswer(answer.Read(in.Text, in.ToolCalls), t.View().Scope())
	if draft.ListsClaims(t.Values) {
		*last = last.WithClaims()
	}
	if kind := in.Unfinished(); kind != "" {
		last.Broken = kind
	}
	if t.Casting.Speaking() != "" || t.View().Dialog.ID == game.ChatDialog {
		last.Text = draft.WithoutName(last.Text, t.View().CharName())
	}
	last.Text = t.View().WithoutMark(last.Text)
	hasRequests := len(last.Calls) > 0 || t.OnlyRequests() // the narration may come later
	if last.Broken == "" && !hasRequests && t.Narration() == "" {
		last.Broken = conflict.EmptyOutput // for example, only a tag that dialects remove
	}
	if last.Broken == "" && !hasRequests && t.Order.Continues != nil &&
		t.Order.WithContinued(t.Narration(), in.Text) == t.Order.ContinuedText() {
		last.Broken = conflict.EmptyOutput // it repeats the existing text
	}
	addAttempt(t, in)
	t.Out.RefusedCalls, t.Out.Findings, t.Out.Questions, t.Out.Calling = nil, nil, nil, Calling{}
	t.People.Consent, t.Out.Accepted = Consent{}, nil
}

// addAttempt records an output of a model, and returns its record.
func addAttempt(t *Turn, in Reply) *state.Attempt {
	attempt := state.Attempt{Speaker: t.Casting.Speaking(), Output: in.Text, Calls: in.ToolCalls, Usage: in.Usage,
		Reasoning: t.Scripted(in.Reasoning, script.Where{Placement: script.Reasoning}), ModelWarnings: in.Warnings}
	if in.Finish != llm.FinishStop && in.Finish != llm.FinishToolCalls {
		attempt.Finish = in.Finish
	}
	t.Attempts = append(t.Attempts, attempt)
	return &t.Attempts[len(t.Attempts)-1]
}

// Form checks whether an output can be judged at all.
func Form(t *Turn) Next {
	if t.Out.Last.Broken != "" {
		t.Out.Findings = []conflict.Conflict{judge.Unreadable(t.Game, t.Out.Last.Broken, t.Order.In.Text)}
		return ToDecide
	}
	t.Calls.Narrating = t.Talk.Narrating
	if len(t.Out.Last.Calls) > 0 {
		t.People.Consent.BeforeCalls = TakeSnapshot(t)
	}
	return ToNext
}
