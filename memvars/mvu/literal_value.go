package mvu

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
)

// argMode says how the arguments of commands are read.
type argMode uint8

const (
	// lenientArgs is the default mode: a date is a date and not arithmetic.
	lenientArgs argMode = iota
	// compatArgs follows MVU: a date becomes a subtraction, a time a range, e and pi numbers.
	compatArgs
	// plainArgs is for variables with a schema: there is no arithmetic, and undefined is absent.
	plainArgs
)

// parseArg reads the source text of an argument as a value. It tries JSON, a JavaScript literal, a text
// in quotation marks, an arithmetic expression and YAML. Otherwise the value is the text itself without
// its outer quotation marks.
//
// The attempts have MVU's order, which matters: 10 is JSON, 5 + 5 an expression, yes a text. In
// compat mode undefined is absent. It is stored as null and reported as undefined.
func parseArg(src string, mode argMode) tree.Value {
	src = strings.TrimSpace(src)
	switch {
	case src == "":
		return tree.Text("")
	case src == "undefined" && mode == lenientArgs:
		return tree.Null
	case src == "undefined":
		return tree.Value{}
	}
	compat := mode == compatArgs
	if v, err := tree.ParseValue([]byte(src)); err == nil {
		return asDouble(v, compat)
	}
	if src[0] == '{' || src[0] == '[' {
		read := parseComputed
		if mode == plainArgs {
			read = parse
		}
		if v, err := read(src, !compat); err == nil {
			return v
		}
	}
	if text, ok := quoted(src, compat); ok {
		return tree.Text(text)
	}
	if compat || mode == lenientArgs && !dateLike(src) {
		if v, ok := evaluate(src, compat); ok {
			return v
		}
	}
	if v, err := yaml.Parse(src); err == nil {
		return v
	}
	return tree.Text(strings.Trim(src, "'\"`\\ \t"))
}

// quoted reads a text in quotation marks: "…" follows JSON; '…' follows YAML, where a backslash is
// an ordinary character; `…` keeps its content. In default mode an unescaped inner mark is part of
// the text.
func quoted(src string, compat bool) (string, bool) {
	if len(src) < 2 || src[len(src)-1] != src[0] {
		return "", false
	}
	inner := src[1 : len(src)-1]
	switch src[0] {
	case '`':
		return inner, true
	case '\'':
		if text, ok := yaml.Quoted(src); ok {
			return text, true
		}
		if compat {
			return "", false
		}
		return strings.ReplaceAll(inner, `\'`, `'`), true
	case '"':
		p := flow{s: src}
		if text, err := p.text(`"`); err == nil && p.i == len(src) {
			return text, true
		}
		return inner, !compat
	}
	return "", false
}

// dateLike reports whether an unquoted text is a date or a time and not arithmetic. Such texts are
// digits joined by a colon, or by two dashes, slashes or dots with a year at one end. A month and a
// day also count if at least one is padded with a zero.
func dateLike(s string) bool {
	digits := strings.Trim(s, "0123456789") != s || s == ""
	if !digits || strings.Trim(s, "0123456789-/.:T Z+") != "" {
		return false
	}
	if strings.Contains(s, ":") {
		return true
	}
	for _, sep := range []string{"-", "/", "."} {
		parts := strings.Split(s, sep)
		switch {
		case len(parts) == 3 && len(parts[0]) == 4 && isDay(parts[1], parts[2]),
			len(parts) == 3 && len(parts[2]) == 4 && (isDay(parts[0], parts[1]) || isDay(parts[1], parts[0])),
			len(parts) == 2 && sep != "." && (strings.HasPrefix(s, "0") || strings.HasPrefix(parts[1], "0")) && isDay(parts[0], parts[1]):
			return true
		}
	}
	return false
}

// isDay reports whether two texts are a month and a day.
func isDay(month, day string) bool {
	m, errM := strconv.Atoi(month)
	d, errD := strconv.Atoi(day)
	return errM == nil && errD == nil && m >= 1 && m <= 12 && d >= 1 && d <= 31
}

// asDouble returns, in compat mode, an integer beyond the precision of a double as the double's
// value.
func asDouble(v tree.Value, compat bool) tree.Value {
	n, ok := v.AsNumber()
	if !compat || !ok || len(n) < 16 {
		return v
	}
	return tree.Float(n.Float64())
}
