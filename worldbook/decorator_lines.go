package worldbook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
)

// Codes of problems with the decorators of Card V3.
const (
	codeUnknown       talewright.Code = "unknown_decorator" // unknown name, reported once per chain
	codeBadValue      talewright.Code = "bad_value"         // value missing or not allowed
	codeStrayFallback talewright.Code = "stray_fallback"    // @@@ without a decorator before it
	codeDuplicate     talewright.Code = "duplicate"         // a repeated name
)

// Decorator is a setting at the top of the content of an entry, as in "@@depth 4".
type Decorator struct {
	Name string `json:"name"`
	// Values are the texts between the commas, trimmed, without empty texts. Never nil.
	Values []string `json:"values"`
}

// Int returns the first value as a number. It returns false if the value is not a number.
func (d Decorator) Int() (int, bool) {
	if len(d.Values) == 0 {
		return 0, false
	}
	return wholeNumber(d.Values[0])
}

// wholeNumber reads digits with an optional minus, within 32 bits.
func wholeNumber(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || text[0] == '+' {
		return 0, false
	}
	return int(n), true
}

// DecoratorRule describes the arguments of a decorator. Hosts declare their own decorators with it.
type DecoratorRule struct {
	Name string
	// Repeat makes all decorators of this name count, not only the first.
	Repeat bool
	// Accepts checks the values; nil accepts all. Refused values are the problem bad_value, and the
	// fallback is tried.
	Accepts func(values []string) bool
}

func startsWithDecorator(content string) bool {
	return strings.HasPrefix(keyindex.TrimSpace(content), "@@")
}

// decoratorReader reads the decorator lines at the top of a content.
type decoratorReader struct {
	// use applies a decorator, if its values are valid. If it repeats, all decorators of its name
	// count, not only the first.
	use func(d Decorator) (known, repeats, valid bool)

	list     []Decorator // the decorators that count
	problems talewright.Problems

	seen    map[string]bool // names that counted
	inChain bool            // there is a decorator that a fallback can follow
	done    bool            // the chain already has its decorator
	unknown bool            // the chain already reported an unknown name
}

// read reads the decorator lines and returns the content after them.
func (r *decoratorReader) read(content string) (rest string) {
	r.seen = map[string]bool{}
	rest = content
	for number := 1; rest != ""; number++ {
		line, after, _ := strings.Cut(rest, "\n")
		if line = keyindex.TrimSpace(line); line != "" {
			if !strings.HasPrefix(line, "@@") {
				break
			}
			r.line(line, number)
		}
		rest = after
	}
	return rest
}

// maxDecoratorProblems limits the problems of a content.
const maxDecoratorProblems = 100

// report records a problem of a line.
func (r *decoratorReader) report(line int, code talewright.Code, text string) {
	if len(r.problems) < maxDecoratorProblems {
		r.problems = append(r.problems, talewright.Problem{Path: strconv.Itoa(line), Code: code, Severity: talewright.Error, Text: text})
	}
}

// line reads one decorator line, which starts with @@.
func (r *decoratorReader) line(text string, number int) {
	body, fallback := strings.CutPrefix(text, "@@@")
	if !fallback {
		body = text[2:]
		r.inChain, r.done, r.unknown = true, false, false
	}
	d := parseDecorator(body)
	switch {
	case !r.inChain:
		r.report(number, codeStrayFallback, fmt.Sprintf("@@@%.60s is a fallback without a decorator before it: ignored", d.Name))
		return
	case r.done:
		return
	}
	// A duplicate also ends the chain: the first decorator of that name already has an effect.
	known, repeats, valid := true, false, true
	if !r.seen[d.Name] {
		known, repeats, valid = r.use(d)
	}
	switch {
	case !known && r.unknown:
	case !known:
		r.unknown = true
		r.report(number, codeUnknown, fmt.Sprintf("@@%.60s is unknown and is ignored: correct the name, or remove it", d.Name))
	case !valid:
		r.report(number, codeBadValue, fmt.Sprintf("@@%.60s has no valid value and is ignored: correct it", d.Name))
	case r.seen[d.Name]:
		r.done = true
		r.report(number, codeDuplicate, fmt.Sprintf("@@%.60s is given twice: the first one is used", d.Name))
	default:
		r.done, r.seen[d.Name] = true, !repeats
		r.list = append(r.list, d)
	}
}

// takesWholeText lists the decorators with one value that may contain commas.
var takesWholeText = [...]string{"inject_lore", "inject_at", "inject_replace", "is_user_icon"}

// parseDecorator splits a line without its @@ into name and values.
func parseDecorator(body string) Decorator {
	d := Decorator{Name: body, Values: []string{}}
	i := strings.IndexAny(body, " \t")
	if i < 0 {
		return d
	}
	d.Name = body[:i]
	list := []string{body[i:]}
	if !slices.Contains(takesWholeText[:], d.Name) {
		list = strings.Split(body[i:], ",")
	}
	for _, value := range list {
		if value = keyindex.TrimSpace(value); value != "" {
			d.Values = append(d.Values, value)
		}
	}
	return d
}
