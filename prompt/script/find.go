package script

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// maxPattern is the size of the longest pattern, in bytes.
const maxPattern = 64 << 10

// readFind reads /body/flags, or only a body, in the first line of a text. With invalid flags the
// whole text is the body. It fails if there is no line.
func readFind(text string) (body, flags string, ok bool) {
	line := strings.TrimLeft(text, lineEnds)
	if i := strings.IndexAny(line, lineEnds); i >= 0 {
		line = line[:i]
	}
	if line == "" {
		return "", "", false
	}
	last := strings.LastIndexByte(line, '/')
	if line[0] != '/' || last < 2 {
		return line, "", true
	}
	flags = line[last+1:]
	isLetter := func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }
	flags = flags[:len(flags)-len(strings.TrimLeftFunc(flags, isLetter))]
	if !validFlags(flags) {
		return text, "", true
	}
	return line[1:last], flags, true
}

const lineEnds = "\n\r\u2028\u2029"

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
	re         *jsregex.Regexp
	all        bool // flag g
	surrogates bool // texts are read as halves of surrogate pairs
	groups     []string
	names      map[string]int
}

// newFinder compiles a find text. The error describes the mistake.
func newFinder(text string) (*finder, error) {
	body, letters, ok := readFind(text)
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no pattern in its first line")
	case len(body) > maxPattern:
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return nil, err
	}
	re, err := jsregex.Compile(body, flags)
	if err != nil {
		return nil, err
	}
	f := &finder{re: re, all: strings.Contains(letters, "g"), surrogates: !flags.Unicode}
	f.groups = re.Groups()
	f.names = map[string]int{}
	for i, name := range f.groups {
		if name != "" {
			f.names[name] = i
		}
	}
	return f, nil
}

// fromFinderText converts a text back from the finder's form. It returns false if half of a surrogate pair
// remains.
func (f *finder) fromFinderText(text string) (string, bool) {
	if !f.surrogates {
		return text, true
	}
	return jsregex.FromText(text)
}
