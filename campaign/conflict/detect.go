package conflict

import (
	"encoding/json"
	"slices"
)

// A Detector finds one kind of conflict in a narration. It must be pure: its result depends only on
// the reading, and it modifies nothing. [Detect] sets the Detector field and applies the options to
// Severity.
type Detector interface {
	Detect(r *Reading) []Conflict
}

// A DetectorFunc is a function that implements [Detector].
type DetectorFunc func(r *Reading) []Conflict

// Detect calls f.
func (f DetectorFunc) Detect(r *Reading) []Conflict { return f(r) }

// A Named detector has a name, which the options use.
type Named struct {
	Name     string
	Kinds    []string // the kinds that it may report
	Detector Detector
}

// A Mode says what the text detectors may do. The zero value means strict.
type Mode string

const (
	Strict   Mode = "strict" // findings keep their severity
	WarnOnly Mode = "warn"   // all findings in the text are warnings
	Off      Mode = "off"    // no text detector runs
)

// A Level overrides the severity of one detector.
type Level string

const (
	LevelOff   Level = "off"   // the detector does not run
	LevelWarn  Level = "warn"  // all its findings are warnings
	LevelBlock Level = "block" // all its findings block, including doubtful ones
)

// An AskMode says which parts of a text are asked about. The zero value means doubtful.
//
// Its values:
//
//   - doubtful: what neither the rules nor the state decide
//   - all: also what the state or an action of the turn seems to explain
//   - off: nothing
type AskMode string

const (
	askDoubtful AskMode = "doubtful"
	askAll      AskMode = "all"
	askOff      AskMode = "off"
)

// Options select the findings and their severity. The zero value is the default: mode strict,
// wounds without numbers are warnings, no judge.
type Options struct {
	// Mode applies to all text detectors. It does not apply to the structured detector, which
	// reports violations of the protocol and not claims of the text.
	Mode Mode
	// HPQualitative is the level of the hp_qualitative detector; empty: warn.
	HPQualitative Level
	// Detectors sets the levels of single detectors by name, including hp_qualitative and
	// structured. Unknown names are ignored. Mode WarnOnly still lowers findings that are raised
	// here.
	Detectors map[string]Level
	// Judge says what [MergeJudge] does with a judge's answer.
	Judge JudgeMode
	// Ask says what [Suspect] asks about.
	Ask AskMode
	// Extra detectors run after the built-in ones. One with the name of a built-in detector
	// replaces it.
	Extra []Named
}

// Detect returns the conflicts of a narration, and of the structured members next to it, with the
// state. structured holds the top-level members of the model's output that are neither text nor
// calls; nil if there are none.
//
// The conflicts are in the order of the detectors in [Builtin], and for each detector in the order
// of the text. A claim that is repeated in the same words is reported once. The rules, in order:
// every detector that is not off reads the text; the level of the detector sets the severity; mode
// WarnOnly lowers it.
func Detect(
	narration string, structured map[string]json.RawMessage, view View, opts Options,
) []Conflict {
	return Read(narration, structured, view).Detect(opts)
}

// Detect returns the conflicts of a narration that was read, see the function Detect.
func (r *Reading) Detect(opts Options) []Conflict {
	var out []Conflict
	seen := map[claimKey]bool{}
	for _, d := range opts.detectors() {
		level := opts.level(d.Name)
		if level == LevelOff || opts.Mode == Off && d.Name != structuredName {
			continue
		}
		for _, c := range d.Detector.Detect(r) {
			// The detector proposes, the options decide.
			c.Detector = d.Name
			c.Severity = opts.severity(d.Name, level, c.Severity)
			if key := (claimKey{c.Detector, c.Kind, c.Field, c.EntityID, c.Quote}); !seen[key] {
				seen[key] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// A claimKey identifies a claim: the same words about the same entity are one claim.
type claimKey struct{ detector, kind, field, entity, quote string }

// Blocking reports whether any of the conflicts blocks.
func Blocking(conflicts []Conflict) bool {
	return slices.ContainsFunc(conflicts, func(c Conflict) bool { return c.Severity == Block })
}
