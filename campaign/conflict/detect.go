package conflict

import (
	"encoding/json"
	"slices"
)

// A Detector finds one sort of conflict in a narration. It must be pure: the
// same reading gives the same answer, nothing is modified, nothing outside is
// asked. [Detect] fills in Detector and applies the options to Severity.
type Detector interface {
	Detect(r *Reading) []Conflict
}

// A DetectorFunc is a function that serves as a [Detector].
type DetectorFunc func(r *Reading) []Conflict

// Detect calls f.
func (f DetectorFunc) Detect(r *Reading) []Conflict { return f(r) }

// A Named detector has the name by which the options speak of it.
type Named struct {
	Name     string
	Kinds    []string // what it may report
	Detector Detector
}

// A Mode says what the text detectors may do. The zero value is strict.
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
	LevelBlock Level = "block" // all its findings block, doubtful ones too
)

// Options say which findings are wanted and how severe they are. The zero
// value is the default: strict, wounds without numbers warn, no judge.
type Options struct {
	// Mode is for all text detectors. The structured detector reports a
	// breach of protocol, not a reading of text; no mode touches it.
	Mode Mode
	// HPQualitative is the level of the hp_qualitative detector; empty: warn.
	HPQualitative Level
	// Detectors overrides single detectors by name, also hp_qualitative and
	// structured. Unknown names are ignored. Mode WarnOnly still lowers what
	// is raised here.
	Detectors map[string]Level
	// Judge says what [MergeJudge] does with a judge's answer.
	Judge JudgeMode
	// Extra detectors run after the built-in ones. One with the name of a
	// built-in detector takes its place.
	Extra []Named
}

// Detect returns the conflicts between a narration, with the structured
// members that came beside it, and the state. structured holds the top-level
// members of the model's output that are neither text nor calls; nil if none.
//
// The conflicts come detector by detector in the order of [Builtin], each in
// the order of the text; a claim told several times in the same words is
// reported once. The rules in order: every detector that is not off reads the
// text; the level of the detector sets the severity; mode WarnOnly lowers it.
func Detect(
	narration string, structured map[string]json.RawMessage, view View, opts Options,
) []Conflict {
	r := Read(narration, structured, view)
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
			if key := keyOf(c); !seen[key] {
				seen[key] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// A claimKey tells claims apart: the same words about the same entity are one.
type claimKey struct{ detector, kind, field, entity, quote string }

func keyOf(c Conflict) claimKey {
	return claimKey{c.Detector, c.Kind, c.Field, c.EntityID, c.Quote}
}

// Blocking reports whether any of the conflicts blocks.
func Blocking(conflicts []Conflict) bool {
	return slices.ContainsFunc(conflicts, func(c Conflict) bool { return c.Severity == Block })
}
