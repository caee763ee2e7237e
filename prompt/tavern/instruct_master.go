package tavern

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// Master is SillyTavern's master export: several presets in one file, each optional. The tags are
// the names in the file.
type Master struct {
	Template *InstructTemplate `json:"instruct,omitempty"`
	Context  *ContextTemplate  `json:"context,omitempty"`
	System   *SystemPrompt     `json:"sysprompt,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// codeUnusedPart is the code of a part of a [Master] that is not about the prompt.
const codeUnusedPart talewright.Code = "unused_part"

// ParseMaster reads a master export. It returns the problems of [Master.Vet], or one fatal problem
// if data is not a JSON object.
func ParseMaster(data []byte) (Master, talewright.Problems) {
	return parse(data, Master{})
}

// otherParts are the parts of a master export that are not presets of this package.
var otherParts = map[string]string{
	"preset":    "settings of the sampler: give them to the client of the model",
	"reasoning": "the marks around the thinking of a model: see macro.Env.Reasoning",
	"srw":       "the beginning of every reply: set prompt.Input.Prefill",
}

// Vet returns a warning for each unused part, an error for each part that is not an object, and an
// error if all parts are unused. Unused parts are kept in Extra. The Vet of a part reports the
// problems in that part.
func (m Master) Vet() talewright.Problems {
	problems := slices.DeleteFunc(vet(Master{}, m.read), func(p talewright.Problem) bool { return strings.Contains(p.Path, ".") })
	if m.Template == nil && m.Context == nil && m.System == nil {
		problems = append(problems, talewright.Problem{Code: codeUnusedPart,
			Text: "no part of it is read: a master export has instruct, context or sysprompt"})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Extra)) {
		text, known := otherParts[name]
		if !known {
			text = "no part of this name is known"
		}
		problems = append(problems, talewright.Problem{Path: name, Code: codeUnusedPart,
			Severity: talewright.Warning, Text: "is not used: " + text})
	}
	return problems
}

// MarshalJSON writes the export. Unchanged members are written as they were read; unknown members
// come last.
func (m Master) MarshalJSON() ([]byte, error) { return encode(m, Master{}, m.Extra, m.read) }

// UnmarshalJSON reads an export as [ParseMaster] does. On an error the receiver does not change.
func (m *Master) UnmarshalJSON(data []byte) error {
	return presetfileRead(data, m, &m.Extra, &m.read)
}
