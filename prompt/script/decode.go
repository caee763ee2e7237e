package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
)

// Parse reads a file of scripts: one script, a list of scripts, or an object with them as
// regex_scripts, as in settings, presets and the extensions of cards. Elements that are not scripts
// are left out, members of wrong types are converted as SillyTavern does, and old placements are
// replaced. Each of these is reported as a problem. The cost is linear in the file.
func Parse(data []byte) ([]Script, talewright.Problems) {
	text, err := openjson.File(data)
	if err != nil {
		return nil, talewright.Problems{{Code: codeBadFile, Severity: talewright.Fatal, Text: "is not JSON: " + err.Error()}}
	}
	raw, path, ok := scriptsOf(text)
	if !ok {
		return nil, talewright.Problems{{Code: codeBadFile, Severity: talewright.Fatal,
			Text: "is neither a script nor a list of scripts: give an object, a list, or an object with regex_scripts"}}
	}
	var scripts []Script
	var problems talewright.Problems
	for i, element := range raw {
		at := path
		if len(raw) > 1 || path != "" {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		var s Script
		odd, err := s.read(element)
		if err != nil || bytes.Equal(bytes.TrimSpace(element), []byte("null")) {
			problems = append(problems, talewright.Problem{Path: at, Code: codeBadFile, Severity: talewright.Error,
				Text: "is not a script: give an object"})
			continue
		}
		for _, o := range odd {
			problems = append(problems, talewright.Problem{
				Path: joinPath(at, o.member), ID: s.label(),
				Code: codeBadType, Severity: talewright.Warning, Text: o.text,
			})
		}
		if s.convertPlacements() {
			problems = append(problems, talewright.Problem{
				Path: joinPath(at, "placement"), ID: s.label(),
				Code: codeOldPlacement, Severity: talewright.Warning,
				Text: "has a kind of text of old versions, which was converted: save it with the new one",
			})
		}
		scripts = append(scripts, s)
	}
	return scripts, problems
}

func joinPath(path, member string) string {
	if path == "" {
		return member
	}
	return path + "." + member
}

// scriptsOf finds the scripts of a file and their path.
func scriptsOf(data []byte) (list []json.RawMessage, path string, ok bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		return list, "", list != nil
	}
	if json.Unmarshal(data, &object) != nil || object == nil {
		return nil, "", false
	}
	if within, has := object["regex_scripts"]; has {
		return list, "regex_scripts", json.Unmarshal(within, &list) == nil
	}
	return []json.RawMessage{data}, "", true
}

// convertPlacements replaces the placements of old versions: 0 meant shown and prompted texts, 4 meant texts
// of a slash command.
func (s *Script) convertPlacements() bool {
	display, sendAs := slices.Contains(s.Placement, oldDisplay), slices.Contains(s.Placement, oldSendAs)
	if !display && !sendAs {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(s.Placement), func(p Placement) bool {
		return p == oldDisplay || p == oldSendAs
	})
	if display {
		s.Display, s.Prompt = true, true
		if len(rest) == 0 && !sendAs {
			rest = []Placement{UserInput, AIOutput, SlashCommand, WorldInfo, Reasoning}
		}
	}
	if sendAs && len(rest) == 0 {
		rest = []Placement{SlashCommand}
	}
	s.Placement = rest
	return true
}
