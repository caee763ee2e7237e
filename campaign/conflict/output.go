package conflict

import "github.com/talewright/talewright/internal/wording"

// OutputName stands in [Conflict.Detector] for an output that is no narration.
const OutputName = "output"

// OutputConflict returns the conflict of a model's output that cannot be read
// (MalformedOutput), was cut off (TruncatedOutput, FilteredOutput) or has neither text
// nor calls (EmptyOutput). There is no
// narration to read, so that no detector finds it and no option touches it: it
// always blocks. The instruction is in the language of language, a text such as
// the player's line.
func OutputConflict(kind, language string) Conflict {
	return Conflict{
		Detector:    OutputName,
		Kind:        kind,
		Severity:    Block,
		Field:       OutputName,
		Instruction: instructions[wording.IsChinese(language)][kind],
	}
}
