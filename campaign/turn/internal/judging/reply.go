package judging

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/approving"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/script"
)

// Read reads an output, and notes it as an attempt.
func Read(t *play.Turn) {
	in := t.Out.Reply
	t.Stage.Undo()
	t.Out.Last, t.Out.Asks = t.Game.ReadAnswer(answer.Read(in.Text, in.ToolCalls), t.View().Scope())
	if view.ListsClaims(t.Values) {
		t.Out.Last = t.Out.Last.WithClaims()
	}
	if kind := in.Unfinished(); kind != "" {
		t.Out.Last.Broken = kind
	}
	if t.Casting.Speaking() != "" {
		t.Out.Last.Text = wording.WithoutName(t.Out.Last.Text, t.View().CharName())
	}
	t.Out.Last.Text = t.View().WithoutMark(t.Out.Last.Text)
	t.Out.Last.Text = t.Scripted(t.Out.Last.Text, script.Where{Placement: script.AIOutput})
	if t.Out.Last.Broken == "" && len(t.Out.Last.Calls) == 0 && t.Narration() == "" {
		t.Out.Last.Broken = conflict.EmptyOutput // commands alone tell the player nothing
	}
	if t.Out.Last.Broken == "" && t.Order.Head != nil && t.Order.Whole(t.Narration(), t.Out.Reply.Text) == t.Order.HeadText() && len(t.Out.Last.Calls) == 0 {
		t.Out.Last.Broken = conflict.EmptyOutput // it repeats what is there
	}
	attempt := state.Attempt{Speaker: t.Casting.Speaking(), Output: in.Text, Calls: in.ToolCalls, Usage: in.Usage,
		Reasoning: t.Scripted(in.Reasoning, script.Where{Placement: script.Reasoning}), ModelWarnings: in.Warnings}
	if in.Finish != llm.FinishStop && in.Finish != llm.FinishToolCalls {
		attempt.Finish = in.Finish
	}
	t.Attempts = append(t.Attempts, attempt)
	t.Out.Unsettled, t.Out.Findings, t.Out.Calling = nil, nil, play.Calling{}
	t.People.Consent, t.Out.Accepted = play.Consent{}, nil
}

// Form looks whether an output can be judged at all.
func Form(t *play.Turn) play.Next {
	if t.Out.Last.Broken != "" {
		t.Out.Findings = []conflict.Conflict{conflict.OutputConflict(t.Out.Last.Broken, t.Order.In.Text)}
		return play.ToDecide
	}
	t.Calls.Narrating = t.Talk.Narrating
	if approving.Watched(t.Game.Tools(), t.Values.Text(setting.ToolApproval), t.Out.Last.Calls) {
		t.People.Consent.Opened = play.Keep(t)
	}
	return play.ToNext
}
