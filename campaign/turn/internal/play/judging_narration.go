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
	x, text := t.Examiner(), t.JudgedText()
	members := judge.Structured(t.Out.Last)
	read := x.Read(text, members)
	found := x.Detect(read, t.Order.ContinuedText())
	if draft.ListsClaims(t.Values) && text != "" {
		viewer := t.View().Viewer()
		found = declared.Check(declared.Answer{
			List: t.Out.Last.Extra.Get(declared.Member), Narration: text, Known: t.Order.ContinuedText(), Structured: members,
			Before: judge.ViewOf(&t.Next, t.Order.In.ActorID, *secret.Of(&t.Casting.StateBefore, viewer).State, viewer, nil), After: x.View,
			Refused: judge.IDsOf(t.Out.Unsettled, t.Casting.Refused), Findings: found,
		}, x.Options)
	}
	t.Out.Findings = append(found, x.Leaks(t.Out.Last)...)
	t.Out.Questions = x.Questions(read, t.Order.ContinuedText(), t.Out.Findings)
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
	x := t.Examiner()
	t.Out.Findings = conflict.MergeJudge(t.JudgedText(), t.Out.Findings, verdicts, x.Options)
	if len(t.Out.Questions) == 0 {
		return
	}
	var open []int
	t.Out.Findings, open = conflict.Decide(x.Read(t.JudgedText(), nil), t.Out.Questions, verdicts, t.Out.Findings, x.Options)
	if len(open) > 0 && failed == "" {
		t.Stage.Pending.Warn("ask: %d of %d questions have no answer that can be used", len(open), len(t.Out.Questions))
	}
	at := &t.Attempts[len(t.Attempts)-1]
	at.AskUsage = usage
	for _, q := range t.Out.Questions {
		q.Sentences = ""
		at.Questions = append(at.Questions, q)
	}
	for _, v := range verdicts {
		if v.N != 0 && len(at.Answers) < 2*conflict.MaxQuestions {
			at.Answers = append(at.Answers, v)
		}
	}
}
