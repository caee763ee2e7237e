package turn

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/conflict/claimlist"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/campaign/turn/internal/view"
)

// judgeForm looks whether an output can be judged at all.
func judgeForm(t *run) next {
	if t.out.last.Broken != "" {
		t.out.findings = []conflict.Conflict{conflict.OutputConflict(t.out.last.Broken, t.order.in.Text)}
		return toDecide
	}
	t.calls.Narrating = t.talk.narrating
	if watched(t.game.Tools(), t.values.Text(setting.ToolApproval), t.out.last.Calls) {
		t.people.consent.opened = keep(t)
	}
	return toNext
}

// judgeNarration looks for contradictions between the text and the state.
func judgeNarration(t *run) {
	x, text := t.examiner(), t.judgedText()
	members := verdict.Structured(t.out.last)
	found := x.Detect(text, members, t.order.headText())
	if view.ListsClaims(t.values) && text != "" {
		viewer := viewOf(t).Viewer()
		found = claimlist.Check(claimlist.Answer{
			List: t.out.last.Extra.Get(claimlist.Member), Narration: text, Known: t.order.headText(), Structured: members,
			Before: verdict.ViewOf(&t.next, t.order.in.ActorID, *secret.Of(&t.casting.before, viewer).State, viewer, nil), After: x.View,
			Refused: verdict.IdsOf(t.out.unsettled, t.casting.refused), Findings: found,
		}, x.Options)
	}
	t.out.findings = append(found, x.Leaks(t.out.last)...)
}

// examiner judges by the state after the actions of this turn.
func (t *run) examiner() verdict.Examiner {
	v := viewOf(t)
	return verdict.Examiner{Options: verdict.OptionsOf(t.game, t.values),
		View: verdict.ViewOf(&t.next, t.order.in.ActorID, *v.Sight().State, v.Viewer(), t.stage.Staged.Evidence)}
}

// judgedText is the narration that is compared with the state: the text of the planning
// phase is dropped.
func (t *run) judgedText() string {
	if viewOf(t).Planning() {
		return t.cleanNarration("")
	}
	return t.order.whole(t.narration(), t.out.reply.Text)
}

// secondOpinion asks a second model about the findings, if that is wanted.
func secondOpinion(t *run) *question.Judge {
	opts, clean := verdict.OptionsOf(t.game, t.values), t.judgedText()
	if opts.Judge != conflict.JudgeConfirm && opts.Judge != conflict.JudgeFull ||
		opts.Mode == conflict.Off || clean == "" {
		return nil
	}
	claims, _ := claimlist.Read(t.out.last.Extra.Get(claimlist.Member))
	if !view.ListsClaims(t.values) {
		claims = nil
	}
	return &question.Judge{Claims: claims,
		Narration: clean, Expected: viewOf(t).Sight().State.Expected(),
		Applied: slices.Clone(t.stage.Staged.Applied), Findings: slices.Clone(t.out.findings),
	}
}

// judged takes what the second model says of the findings.
func judged(t *run, verdicts []conflict.Verdict, failed string) {
	if failed != "" {
		t.stage.Staged.Warn("judge: %s", failed)
	} else {
		t.out.findings = conflict.MergeJudge(t.judgedText(), t.out.findings, verdicts, verdict.OptionsOf(t.game, t.values))
	}
}

// decide looks at everything that is wrong with an output, and goes on, back, or
// gives up.
func decide(t *run) next {
	if askAgain(t) {
		return toApproval
	}
	blocking, warnings := verdict.Split(t.out.findings)
	blocking = blocking[:min(len(blocking), verdict.MaxConflicts)]
	warnings = warnings[:min(len(warnings), verdict.MaxConflicts)]
	if t.people.consent.edits() { // it told of what the model asked for, and passed
		t.out.accepted, blocking = blocking, nil
	}
	t.out.blocking = blocking
	at := &t.attempts[len(t.attempts)-1]
	at.FailedCalls, at.Conflicts, at.Warnings = t.out.unsettled, blocking, warnings
	at.NoProgress = verdict.SameFaults(t.attempts[t.casting.attempts:])
	*at = verdict.ForPeople(t.next.Goal, t.out.last, *at)
	refusals := len(t.out.unsettled) > 0 && t.values.Text(setting.OnRejection) != "commit_partial"
	if len(blocking) > 0 || refusals {
		return toRetry
	}
	return toNext
}
