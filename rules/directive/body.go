package directive

import (
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// What stands behind the colon is read in two steps: first its extent, which must respect
// brackets and quotation marks inside of JSON, then its meaning. The extent is decided
// without knowing the meaning, so that a value that turns out to be broken can be cut out
// of the prose as a whole, with an error, instead of leaving half of it for the player to
// read.

// extent returns the length of a body up to the bracket that closes its directive. A JSON value
// is followed as far as reach; everything else ends at the next bracket or line.
func extent(s string, reach int) (int, bool) {
	// A value begins behind the operation, if there is one.
	at := blanks(s)
	if _, rest, ok := cutOperation(s[at:]); ok {
		at = len(s) - len(rest)
	}
	if at < len(s) && strings.IndexByte(`{["`, s[at]) >= 0 {
		if n, ok := jsonLength(s[at:min(len(s), at+reach)]); ok {
			end := at + n
			end += blanks(s[end:])
			if end < len(s) && s[end] == ']' {
				return end, true
			}
		}
		// An object that does not close leaves the text alone, for where it ends is a guess.
		// A quotation mark may also be part of a bare text.
		if s[at] != '"' {
			return 0, false
		}
	}
	end := strings.IndexAny(s, "[]\n")
	if end < 0 || s[end] != ']' {
		return 0, false
	}
	return end, true
}

// jsonLength returns the length of the quoted text, or of the balanced object or list,
// that a text begins with.
func jsonLength(s string) (int, bool) {
	// Brackets of both kinds are counted together: whether they pair up is for the reader of
	// JSON to say, once it is known how long the value is.
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
			continue
		case c == '"':
			quoted = !quoted
		case quoted:
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth < 0 {
			return 0, false
		}
		if depth == 0 && !quoted {
			return i + 1, true
		}
	}
	return 0, false
}

// cutOperation cuts the word of an operation and the blanks behind it.
func cutOperation(s string) (op effect.Operation, rest string, ok bool) {
	word := s
	if i := strings.IndexAny(s, " \t]\n{[\""); i >= 0 {
		word = s[:i]
	}
	switch op := effect.Operation(word); op {
	case effect.Set, effect.Add, effect.Subtract, effect.Multiply, effect.Toggle, effect.Append,
		effect.Merge, effect.Push, effect.Delete:
		return op, strings.TrimLeft(s[len(word):], " \t"), true
	}
	return "", s, false
}

// readBody reads what stands behind the colon. Ok is false for a value that should be
// JSON and is not.
func readBody(body string) (op effect.Operation, value tree.Value, ok bool) {
	body = strings.TrimSpace(body)
	if op, value, ok, found := readOrder(body); found {
		return op, value, ok
	}
	if body[0] == '{' || body[0] == '[' {
		value, ok := jsonOrBare(body)
		return effect.Set, value, ok
	}
	return effect.Set, scalar(body), true
}

// readOrder reads a body that says what to do: the word of an operation with what it needs,
// or a sign before a number. Everything else is a value and nothing more.
func readOrder(body string) (op effect.Operation, value tree.Value, ok, found bool) {
	if op, rest, ok := cutOperation(body); ok {
		// The word of an operation without what it needs is a text like any other: a mood
		// can be "set".
		switch {
		case op == effect.Toggle && rest == "":
			return op, tree.Bool(true), true, true
		case op == effect.Toggle || rest == "":
		case op == effect.Add || op == effect.Subtract || op == effect.Multiply || op == effect.Append:
			return op, scalar(rest), true, true
		default:
			value, ok := jsonOrBare(rest)
			return op, value, ok, true
		}
		return "", value, false, false
	}
	// A sign is an operation and never a part of the number: [hp: -10] costs ten points,
	// however many there are.
	n, isNumber := lenientNumber(strings.TrimSpace(body[1:]))
	if !isNumber || signed(body[1:]) && body[0] != '*' { // a factor may be negative
		return "", value, false, false
	}
	switch body[0] {
	case '+':
		return effect.Add, n, true, true
	case '-':
		return effect.Subtract, n, true, true
	case '*':
		return effect.Multiply, n, true, true
	}
	return "", value, false, false
}

// signed tells "- 5" from "-(-5)": two signs are no arithmetic but a text.
func signed(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '-' || s[0] == '+')
}

// jsonOrBare reads a JSON value, or a bare text.
func jsonOrBare(s string) (tree.Value, bool) {
	v, err := tree.ParseValue([]byte(s))
	if err == nil {
		return v, true
	}
	if s[0] == '{' || s[0] == '[' {
		return tree.Value{}, false
	}
	return scalar(s), true
}

// scalar reads a quoted text, true, false, a number, or a bare text.
func scalar(s string) tree.Value {
	switch s {
	case "true":
		return tree.Bool(true)
	case "false":
		return tree.Bool(false)
	}
	if n := len(s); n > 1 && s[0] == '"' && s[n-1] == '"' {
		if end, ok := jsonLength(s); ok && end == n {
			if v, err := tree.ParseValue([]byte(s)); err == nil {
				return v
			}
			// Line breaks and odd escapes make it no JSON, and are meant as they stand.
			return tree.Text(strings.ReplaceAll(s[1:n-1], `\"`, `"`))
		}
	}
	if v, ok := lenientNumber(s); ok {
		return v
	}
	return tree.Text(s)
}

// lenientNumber reads a decimal number, with a sign and with leading zeros.
func lenientNumber(s string) (tree.Value, bool) {
	if strings.Trim(s, "0123456789.eE+-") != "" || !strings.ContainsAny(s, "0123456789") {
		return tree.Value{}, false
	}
	if v, err := tree.ParseValue([]byte(s)); err == nil {
		return v, true
	}
	// Forms that JSON does not know and models write: 007, +5, .5 and 5.
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return tree.Value{}, false
	}
	return tree.Float(f), true
}

// readAudio reads track and action of a sound.
func readAudio(body string) (effect.PlayAudio, bool) {
	words := strings.Fields(body)
	if len(words) < 2 {
		return effect.PlayAudio{}, false
	}
	a := effect.PlayAudio{TrackID: words[0], Action: words[1]}
	switch a.Action {
	case "play", "stop", "crossfade", "volume":
	default:
		return a, false
	}
	for _, word := range words[2:] {
		if next, ok := strings.CutPrefix(word, "chain:"); ok && next != "" {
			a.ChainTo = next
			continue
		}
		// Every action may have a number, which some players understand; it counts for two.
		v, isNumber := lenientNumber(word)
		n, _ := v.AsFloat()
		if !isNumber || math.IsInf(n, 0) {
			return a, false
		}
		switch a.Action {
		case "crossfade":
			a.FadeDuration = &n
		case "volume":
			a.Volume = &n
		}
	}
	return a, true
}
