package worldbook

import "strings"

// splitDecorators cuts the decorator lines from the top of a content, as
// SillyTavern does. A line that starts with @@@ is skipped unless the line
// before it was unknown. A line that begins with a known name is recorded with
// one @ dropped and clears that mark, any other sets it. A content without any
// other line stays whole (Q9).
func splitDecorators(content string, keepWhole bool) (decorators []string, rest string) {
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
			// A fallback of a decorator that is known.
		} else {
			if !strings.HasPrefix(line, "@@@") {
				d = line
			}
			unknown = !isKnownDecorator(d)
			if !unknown {
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

const (
	decoratorActivate     = "@@activate"
	decoratorDontActivate = "@@dont_activate"
)

func isKnownDecorator(line string) bool {
	return strings.HasPrefix(line, decoratorActivate) || strings.HasPrefix(line, decoratorDontActivate)
}
