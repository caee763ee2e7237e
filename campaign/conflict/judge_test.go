package conflict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/conflict"
)

// CA-40.
func TestMergeJudge(t *testing.T) {
	t.Parallel()
	const text = "你受伤了，苏晴低声说了句什么。"
	warning := conflict.Conflict{
		Detector: "hp_qualitative", Kind: "wound_unsettled", EntityID: "lin",
		Severity: conflict.Warn, Quote: "受伤",
	}
	same := conflict.Verdict{Kind: "wound_unsettled", Quote: "你受伤了"}
	other := conflict.Verdict{Kind: "wound_unsettled", EntityID: "su", Quote: "你受伤了"}
	own := conflict.Verdict{Kind: "tone", Quote: "低声", Why: "太轻"}
	for _, c := range []struct {
		name     string
		opts     conflict.Options
		verdicts []conflict.Verdict
		want     []string
	}{
		{"off", conflict.Options{}, []conflict.Verdict{same}, []string{"wound_unsettled warn"}},
		{"confirmed", conflict.Options{Judge: conflict.JudgeConfirm},
			[]conflict.Verdict{same}, []string{"wound_unsettled block"}},
		{"about somebody else", conflict.Options{Judge: conflict.JudgeConfirm},
			[]conflict.Verdict{other}, []string{"wound_unsettled warn"}},
		{"confirm adds nothing", conflict.Options{Judge: conflict.JudgeConfirm},
			[]conflict.Verdict{own}, []string{"wound_unsettled warn"}},
		{"full adds", conflict.Options{Judge: conflict.JudgeFull},
			[]conflict.Verdict{own, own}, []string{"wound_unsettled warn", "tone block"}},
		{"no kind, no quote, a false quote", conflict.Options{Judge: conflict.JudgeFull},
			[]conflict.Verdict{{Quote: "受伤"}, {Kind: "tone"}, {Kind: "tone", Quote: "高声"}},
			[]string{"wound_unsettled warn"}},
		{"mode warn never blocks",
			conflict.Options{Judge: conflict.JudgeFull, Mode: conflict.WarnOnly},
			[]conflict.Verdict{same, own}, []string{"wound_unsettled warn", "tone warn"}},
		{"mode off", conflict.Options{Judge: conflict.JudgeFull, Mode: conflict.Off},
			[]conflict.Verdict{same, own}, []string{"wound_unsettled warn"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			findings := []conflict.Conflict{warning}
			got := conflict.MergeJudge(text, findings, c.verdicts, c.opts)
			if diff := cmp.Diff(c.want, severities(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(warning, findings[0]); diff != "" {
				t.Errorf("the findings were changed:\n%s", diff)
			}
		})
	}
}
