package script

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// maxPattern is the size of the longest pattern, in bytes.
const maxPattern = 64 << 10

// pattern is a parsed find text.
type pattern struct {
	body, flags string
}

// readFind reads /body/flags, or only a body, in the first line of a text. With invalid flags the
// whole text is the body. It fails if there is no line.
func readFind(text string) (pattern, bool) {
	line := strings.TrimLeft(text, lineEnds)
	if i := strings.IndexAny(line, lineEnds); i >= 0 {
		line = line[:i]
	}
	if line == "" {
		return pattern{}, false
	}
	last := strings.LastIndexByte(line, '/')
	if line[0] != '/' || last < 2 {
		return pattern{body: line}, true
	}
	flags := line[last+1:]
	flags = flags[:letters(flags)]
	if !validFlags(flags) {
		return pattern{body: text}, true
	}
	return pattern{line[1:last], flags}, true
}

const lineEnds = "\n\r\u2028\u2029"

// letters returns the number of ASCII letters at the beginning of a text.
func letters(text string) int {
	n := 0
	for n < len(text) && 'a' <= text[n]|0x20 && text[n]|0x20 <= 'z' {
		n++
	}
	return n
}

// validFlags accepts the flags of several languages. The compiler reports flags that JavaScript
// does not have.
func validFlags(flags string) bool {
	for i := range len(flags) {
		if strings.IndexByte("gmixXsuUAJ", flags[i]) < 0 || strings.IndexByte(flags[:i], flags[i]) >= 0 {
			return false
		}
	}
	return true
}

// finder is a compiled pattern.
type finder struct {
	re     *jsregex.Regexp
	all    bool // flag g
	halves bool // texts are read as halves of surrogate pairs
	groups []string
	names  map[string]int
}

// newFinder compiles a find text. The error describes the mistake.
func newFinder(text string) (*finder, error) {
	p, ok := readFind(text)
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no pattern in its first line")
	case len(p.body) > maxPattern:
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	flags, err := jsregex.ParseFlags(p.flags)
	if err != nil {
		return nil, err
	}
	re, err := jsregex.Compile(p.body, flags)
	if err != nil {
		return nil, err
	}
	f := &finder{re: re, all: strings.Contains(p.flags, "g"), halves: !flags.Unicode}
	f.groups = re.Groups()
	f.names = map[string]int{}
	for i, name := range f.groups {
		if name != "" {
			f.names[name] = i
		}
	}
	return f, nil
}

// whole converts a text back from the finder's form. It returns false if half of a surrogate pair
// remains.
func (f *finder) whole(text string) (string, bool) {
	if !f.halves {
		return text, true
	}
	return jsregex.FromText(text)
}
