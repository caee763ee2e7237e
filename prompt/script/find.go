package script

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// maxPattern is the size of the longest pattern, in bytes.
const maxPattern = 64 << 10

// pattern is a find text, read.
type pattern struct {
	body, flags string
}

// readFind reads /body/flags, or a body alone, in the first line of a text. Flags that
// are none make the whole text the body. It fails where there is no line.
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

// letters returns how many letters of ASCII a text begins with.
func letters(text string) int {
	n := 0
	for n < len(text) && 'a' <= text[n]|0x20 && text[n]|0x20 <= 'z' {
		n++
	}
	return n
}

// validFlags are those of several languages; that some of them are none of JavaScript
// is for the compiler to say.
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
	halves bool // texts are read by halves of pairs
	groups []string
	names  map[string]int
}

// newFinder compiles a find text. The error says what is wrong with it.
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

// whole turns back what the finder read. A false says that half of a pair is left
// alone.
func (f *finder) whole(text string) (string, bool) {
	if !f.halves {
		return text, true
	}
	return jsregex.FromText(text)
}
