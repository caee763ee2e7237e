package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/conflict/declared"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
)

// Narration finds contradictions between the text and the state.
func Narration(t *Turn) {
	x, text := t.Examiner(), t.JudgedText()
	members := judge.Structured(t.Out.Last)
	found := x.Detect(text, members, t.Order.ContinuedText())
	if draft.ListsClaims(t.Values) && text != "" {
		viewer := t.View().Viewer()
		found = declared.Check(declared.Answer{
			List: t.Out.Last.Extra.Get(declared.Member), Narration: text, Known: t.Order.ContinuedText(), Structured: members,
			Before: judge.ViewOf(&t.Next, t.Order.In.ActorID, *secret.Of(&t.Casting.StateBefore, viewer).State, viewer, nil), After: x.View,
			Refused: judge.IDsOf(t.Out.Unsettled, t.Casting.Refused), Findings: found,
		}, x.Options)
	}
	t.Out.Findings = append(found, x.Leaks(t.Out.Last)...)
}

// SecondOpinion returns the question to a second model about the findings, nil if it is not needed.
func SecondOpinion(t *Turn) *question.Judge {
	opts, clean := judge.OptionsOf(t.Game, t.Values), t.JudgedText()
	if opts.Judge != conflict.JudgeConfirm && opts.Judge != conflict.JudgeFull ||
		opts.Mode == conflict.Off || clean == "" {
		return nil
	}
	claims, _ := declared.Read(t.Out.Last.Extra.Get(declared.Member))
	if !draft.ListsClaims(t.Values) {
		claims = nil
	}
	return &question.Judge{Claims: claims,
		Narration: clean, Expected: t.View().Sight().State.Expected(),
		Applied: slices.Clone(t.Stage.Pending.Applied), Findings: slices.Clone(t.Out.Findings),
	}
}

// Judged merges the verdicts of the second model into the findings.
func Judged(t *Turn, verdicts []conflict.Verdict, failed string) {
	if failed != "" {
		t.Stage.Pending.Warn("judge: %s", failed)
	} else {
		t.Out.Findings = conflict.MergeJudge(t.JudgedText(), t.Out.Findings, verdicts, judge.OptionsOf(t.Game, t.Values))
	}
}
