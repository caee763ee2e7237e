package conflict

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/wording"
)

// A JudgeMode says how much a judge, a second model, may do. The zero value is
// JudgeOff.
type JudgeMode string

const (
	JudgeOff     JudgeMode = "off"     // its answer is ignored
	JudgeConfirm JudgeMode = "confirm" // it turns warnings of the rules into blocks
	JudgeFull    JudgeMode = "full"    // its own findings block too
)

// JudgeName stands in [Conflict.Detector] for a finding of the judge's own.
const JudgeName = "judge"

// A Verdict is one finding of a judge. It is text of a model: nothing in it is
// believed before [MergeJudge] has looked at it.
type Verdict struct {
	Kind     string `json:"kind"`
	EntityID string `json:"entity_id,omitempty"`
	Field    string `json:"field,omitempty"`
	Quote    string `json:"quote"`
	Why      string `json:"why,omitempty"`
}

// MergeJudge joins the findings of the rules with the verdicts of a judge about
// the same narration and returns a new list. Rules in order:
//
//  1. Judge or Mode off: the findings as they are.
//  2. A verdict without a kind, or whose quote is empty or no exact substring
//     of the narration, is ignored.
//  3. A warning of the rules becomes a block if a verdict has its kind, unless
//     both name an entity and not the same one.
//  4. JudgeFull: a verdict that confirmed or repeats no finding is added as a
//     block of its own, under the detector name "judge".
//  5. Mode WarnOnly: nothing is raised and what is added is a warning.
//
// A judge that failed, or whose answer cannot be read, has no verdicts and so
// never blocks anything.
func MergeJudge(
	narration string, findings []Conflict, verdicts []Verdict, opts Options,
) []Conflict {
	out := slices.Clone(findings)
	if opts.Mode == Off || opts.Judge != JudgeConfirm && opts.Judge != JudgeFull {
		return out
	}
	severity := Block
	if opts.Mode == WarnOnly {
		severity = Warn
	}
	for _, v := range verdicts {
		if v.Kind == "" || v.Quote == "" || !strings.Contains(narration, v.Quote) {
			continue
		}
		known := false
		for i := range out {
			if !v.about(out[i]) {
				continue
			}
			known = true
			if out[i].Severity == Warn {
				out[i].Severity = severity
			}
		}
		if !known && opts.Judge == JudgeFull {
			out = append(out, v.conflict(severity))
		}
	}
	return out
}

// about reports whether the verdict is of the kind of the conflict and not
// about somebody else.
func (v Verdict) about(c Conflict) bool {
	sameEntity := v.EntityID == "" || c.EntityID == "" || v.EntityID == c.EntityID
	return v.Kind == c.Kind && sameEntity
}

func (v Verdict) conflict(severity Severity) Conflict {
	instruction := v.Why
	if instruction == "" {
		instruction = instructions[wording.IsChinese(v.Quote)][v.Kind]
	}
	return Conflict{
		Detector:    JudgeName,
		Kind:        v.Kind,
		Severity:    severity,
		Field:       v.Field,
		EntityID:    v.EntityID,
		Quote:       v.Quote,
		Instruction: instruction,
	}
}
