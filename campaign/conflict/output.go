package conflict

import "github.com/talewright/talewright/internal/wording"

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
		Instruction: texts()[wording.IsChinese(language)][kind],
	}
}
