package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/llm"
)

// Narration finds contradictions between the text and the state.
func Narration(t *Turn) {
	examiner, text := t.Examiner(), t.JudgedText()
	members := judge.Structured(t.Out.Last)
	read := examiner.Read(text, members)
	found := examiner.Detect(read, t.Order.ContinuedText())
	if draft.ListsClaims(t.Values) && text != "" {
		viewer := t.View().Viewer()
		found = declared.Check(declared.Answer{
			List: t.Out.Last.Extra.Get(declared.Member), Narration: text, Known: t.Order.ContinuedText(), Structured: members,
			Before: judge.ViewOf(&t.Next, t.Order.In.ActorID, *secret.Of(&t.Casting.StateBefore, viewer).State, viewer, nil), After: examiner.View,
			Refused: judge.IDsOf(t.Out.RefusedCalls, t.Casting.Refused), Findings: found,
		}, examiner.Options)
	}
	t.Out.Findings = append(found, examiner.Leaks(t.Out.Last)...)
	t.Out.Questions = examiner.Questions(read, t.Order.ContinuedText(), t.Out.Findings)
}

// SecondOpinion returns the question to a second model about the findings and the doubtful parts of
// the text, nil if there is nothing to ask.
func SecondOpinion(t *Turn) *question.Judge {
	opts, clean := judge.OptionsOf(t.Game, t.Values), t.JudgedText()
	if opts.Mode == conflict.Off || clean == "" {
		return nil
	}
	q := question.Judge{Narration: clean, Questions: t.Out.Questions}
	if len(q.Questions) > 0 {
		q.Names = t.Examiner().Names(q.Questions)
	}
	if opts.Judge != conflict.JudgeConfirm && opts.Judge != conflict.JudgeFull {
		if len(q.Questions) == 0 {
			return nil
		}
		return &q
	}
	if draft.ListsClaims(t.Values) {
		q.Claims, _ = declared.Read(t.Out.Last.Extra.Get(declared.Member))
	}
	q.Expected = t.View().Sight().State.Expected()
	q.Applied, q.Findings = slices.Clone(t.Stage.Pending.Applied), slices.Clone(t.Out.Findings)
	return &q
}

// Judged merges the verdicts of the second model into the findings.
func Judged(t *Turn, verdicts []conflict.Verdict, failed string, usage *llm.Usage) {
	if failed != "" {
		t.Stage.Pending.Warn("judge: %s", failed)
		verdicts = nil
	}
	examiner := t.Examiner()
	t.Out.Findings = conflict.MergeJudge(t.JudgedText(), t.Out.Findings, verdicts, examiner.Options)
	if len(t.Out.Questions) == 0 {
		return
	}
	var unanswered []int
	t.Out.Findings, unanswered = conflict.Decide(examiner.Read(t.JudgedText(), nil), t.Out.Questions, verdicts, t.Out.Findings, examiner.Options)
	if len(unanswered) > 0 && failed == "" {
		t.Stage.Pending.Warn("ask: %d of %d questions have no answer that can be used", len(unanswered), len(t.Out.Questions))
	}
	attempt := &t.Attempts[len(t.Attempts)-1]
	attempt.AskUsage = usage
	for _, q := range t.Out.Questions {
		q.Sentences = ""
		attempt.Questions = append(attempt.Questions, q)
	}
	for _, v := range verdicts {
		if v.N != 0 && len(attempt.Answers) < 2*conflict.MaxQuestions {
			attempt.Answers = append(attempt.Answers, v)
		}
	}
}
