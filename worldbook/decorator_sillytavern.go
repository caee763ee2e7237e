package worldbook

import (
	"slices"
	"strings"
)

// The two decorators of SillyTavern.
const (
	activate     = "@@activate"
	dontActivate = "@@dont_activate"
)

// cutSillyTavern removes the decorator lines from the top of a content, as SillyTavern does. A line @@@name is
// a fallback: it counts as @@name if the line before it was an unknown decorator, and is skipped otherwise. A
// line is known if it begins with a known name. Only a line that is exactly the name has an effect. If all
// lines are decorators, the content stays unchanged (quirk decorators-only) or becomes empty.
func cutSillyTavern(content string, keepWhole bool) (on, off bool, rest string) {
	lines, rest := cutLines(content, keepWhole)
	return slices.Contains(lines, activate), slices.Contains(lines, dontActivate), rest
}

func cutLines(content string, keepWhole bool) (decorators []string, rest string) {
	if !strings.HasPrefix(content, "@@") {
		return nil, content
	}
	unknown := false
	remaining := content
	for {
		line, after, more := strings.Cut(remaining, "\n")
		if !strings.HasPrefix(line, "@@") {
			return decorators, remaining
		}
		if d := strings.TrimPrefix(line, "@"); strings.HasPrefix(line, "@@@") && !unknown {
			// It is a fallback of a known decorator.
		} else {
			if !strings.HasPrefix(line, "@@@") {
				d = line
			}
			if unknown = !isKnown(d); !unknown {
				decorators = append(decorators, d)
			}
		}
		if !more {
			break
		}
		remaining = after
	}
	if keepWhole {
		return decorators, content
	}
	return decorators, ""
}

func isKnown(line string) bool {
	return strings.HasPrefix(line, activate) || strings.HasPrefix(line, dontActivate)
}
