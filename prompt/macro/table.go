package macro

import (
	"strconv"
	"strings"
)

// table collects specs under their names and aliases.
type table map[string]*spec

// add enters a macro with min to max arguments under "name|alias|…".
func (t table) add(names string, minArgs, maxArgs int, eval func(*Call) string) *spec {
	all := strings.Split(names, "|")
	s := &spec{name: all[0], min: minArgs, max: maxArgs, list: maxArgs < 0, eval: eval}
	for _, name := range all {
		t[name] = s
	}
	return s
}

// once enters a macro without arguments whose text is the same all through a run:
// what is long to find is found once, however many texts ask for it.
func (t table) once(names string, find func(*Env) string) *spec {
	key, _, _ := strings.Cut(names, "|")
	return t.add(names, 0, 0, func(c *Call) string {
		return c.eval.run.field(key, func() string { return find(c.Env()) })
	})
}

// repeat gives a text as often as the argument says, once without.
func repeat(c *Call, text string) string {
	n, ok := 1, true
	if len(c.Args) > 0 {
		n, ok = integer(c.Args[0])
	}
	if !ok || n < 0 {
		return c.Stay(BadValue, "not a count")
	}
	if n > maxRepeat {
		return c.Stay(Refused, "more than "+strconv.Itoa(maxRepeat))
	}
	return strings.Repeat(text, n)
}

// integer reads a whole number with an optional sign.
func integer(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// digits cuts the decimal digits off the beginning of a text.
func digits(text string) (number, rest string) {
	i := 0
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return text[:i], text[i:]
}

// atoi reads digits; what is beyond every limit here is the largest value.
func atoi(number string) int {
	n, err := strconv.Atoi(number)
	if err != nil && number != "" || n > 2*maxSides {
		return 2*maxSides - 1
	}
	return n
}

// The largest numbers: of newlines and spaces, and of dice and their sides.
const (
	maxRepeat = 1000
	maxDice   = 1000
	maxSides  = 1_000_000_000
)
