package macro

import (
	"strconv"
	"strings"
)

// table collects specs under their names and aliases.
type table map[string]*spec

// add adds a macro with min to max arguments under "name|alias|…".
func (t table) add(names string, minArgs, maxArgs int, eval func(*Call) string) *spec {
	all := strings.Split(names, "|")
	s := &spec{name: all[0], min: minArgs, max: maxArgs, anyNumber: maxArgs < 0, eval: eval}
	for _, name := range all {
		t[name] = s
	}
	return s
}

// once adds a macro without arguments whose text is the same during the whole run. The text is
// found once, however many texts use it.
func (t table) once(names string, find func(*Env) string) *spec {
	key, _, _ := strings.Cut(names, "|")
	return t.add(names, 0, 0, func(c *Call) string {
		return c.eval.run.field(key, func() string { return find(c.Env()) })
	})
}

// repeat returns a text as many times as the argument says, once without an argument.
func repeat(c *Call, text string) string {
	n, ok := 1, true
	if len(c.Args) > 0 {
		n, ok = integer(c.Args[0])
	}
	if !ok || n < 0 {
		return c.Stay(codeBadValue, "not a count")
	}
	if n > maxRepeat {
		return c.Stay(codeRefused, "more than "+strconv.Itoa(maxRepeat))
	}
	return strings.Repeat(text, n)
}

// integer reads a whole number with an optional sign.
func integer(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// digits splits the decimal digits off the beginning of a text.
func digits(text string) (number, rest string) {
	i := 0
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return text[:i], text[i:]
}

// atoi reads digits. A number beyond all limits becomes the largest value.
func atoi(number string) int {
	n, err := strconv.Atoi(number)
	if err != nil && number != "" || n > 2*maxSides {
		return 2*maxSides - 1
	}
	return n
}

// The limits: newlines and spaces, dice, and sides of a die.
const (
	maxRepeat = 1000
	maxDice   = 1000
	maxSides  = 1_000_000_000
)
