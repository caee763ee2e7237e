package conflict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/internal/wording"
)

// A JudgeMode says what a judge, a second model, may do. The zero value means JudgeOff.
type JudgeMode string

const (
	JudgeOff     JudgeMode = "off"     // its answer is ignored
	JudgeConfirm JudgeMode = "confirm" // it turns warnings of the rules into blocks
	JudgeFull    JudgeMode = "full"    // its own findings also block
)

// judgeName is the [Conflict.Detector] of the judge's own findings.
const judgeName = "judge"

// A Verdict is one finding of a judge, or with N its answer to a [Question]. It is text of a model:
// [MergeJudge] and [Decide] check it before it is used.
type Verdict struct {
	Kind     string `json:"kind,omitempty"`
	EntityID string `json:"entity_id,omitempty"`
	Field    string `json:"field,omitempty"`
	Quote    string `json:"quote,omitempty"`
	Why      string `json:"why,omitempty"`

	// N is the number of the question, 0 for a finding. Asserted says whether the text states the
	// quote as a fact: yes, no or unclear. EntityID, Value and Place say who, which number and
	// which area the quote means.
	N        int    `json:"n,omitempty"`
	Asserted string `json:"asserted,omitempty"`
	Value    *int   `json:"value,omitempty"`
	Place    string `json:"place,omitempty"`
}

// MergeJudge merges the findings of the rules with the verdicts of a judge about the same
// narration. It returns a new list. The rules, in order:
//
//  1. If Judge or Mode is off, the findings are returned unchanged.
//  2. A verdict is ignored if it has no kind, or if its quote is empty or not an exact substring of
//     the narration.
//  3. A warning of the rules becomes a block if a verdict has its kind, unless both name an entity
//     and the entities differ.
//  4. With JudgeFull, a verdict that confirms or repeats no finding is added as a block, with the
//     detector name "judge".
//  5. With Mode WarnOnly, no severity is raised and added findings are warnings.
//
// A judge that fails or whose answer cannot be read has no verdicts, so it never blocks anything.
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
		if v.N != 0 || v.Kind == "" || v.Quote == "" || !strings.Contains(narration, v.Quote) {
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

// about reports whether the verdict has the kind of the conflict and does not name a different
// entity.
func (v Verdict) about(c Conflict) bool {
	sameEntity := v.EntityID == "" || c.EntityID == "" || v.EntityID == c.EntityID
	return v.Kind == c.Kind && sameEntity
}

func (v Verdict) conflict(severity Severity) Conflict {
	instruction := cmp.Or(v.Why, lexicon.Texts()[wording.IsChinese(v.Quote)][v.Kind])
	return Conflict{
		Detector:    judgeName,
		Kind:        v.Kind,
		Severity:    severity,
		Field:       v.Field,
		EntityID:    v.EntityID,
		Quote:       v.Quote,
		Instruction: instruction,
	}
}

// OutputName is the [Conflict.Detector] for an output that is not a narration.
const OutputName = "output"

// OutputConflict returns the conflict of an output that cannot be read (MalformedOutput), was
// truncated (TruncatedOutput, FilteredOutput) or has neither text nor calls (EmptyOutput). It
// always blocks. There is no narration, so detectors and options do not apply. language is a text,
// such as the player's line, whose language the instruction has.
func OutputConflict(kind, language string) Conflict {
	return Conflict{
		Detector:    OutputName,
		Kind:        kind,
		Severity:    Block,
		Field:       OutputName,
		Instruction: lexicon.Texts()[wording.IsChinese(language)][kind],
	}
}
