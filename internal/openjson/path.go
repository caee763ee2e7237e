package openjson

import (
	"strings"
	"unicode/utf8"
)

// SplitPath splits a path in the notation of lodash: names between dots, and [index] or ["name"]. Two dots,
// and a dot at either end, are around an empty name.
func SplitPath(path string) []string {
	if !strings.ContainsAny(path, ".[]") {
		return []string{path}
	}
	var names []string
	if strings.HasPrefix(path, ".") {
		names = append(names, "")
	}
	for i := 0; i < len(path); {
		if n := strings.IndexAny(path[i:], ".[]"); n != 0 {
			if n < 0 {
				n = len(path) - i
			}
			names = append(names, path[i:i+n])
			i += n
			continue
		}
		if name, n := bracketed(path[i:]); n > 0 {
			names = append(names, name)
			i += n
			continue
		}
		if n := separator(path[i:]); n > 0 && (i+n == len(path) || separator(path[i+n:]) > 0) {
			names = append(names, "")
		}
		i++
	}
	return names
}

// separator returns the length of a dot or of empty brackets at the beginning of a path, 0 if there is
// none.
func separator(path string) int {
	switch {
	case strings.HasPrefix(path, "."):
		return 1
	case strings.HasPrefix(path, "[]"):
		return 2
	}
	return 0
}

// bracketed returns the name in [12], ["name"] or ['name'] at the beginning of a path, and the length of the
// brackets with the name, 0 if there is none.
func bracketed(path string) (name string, length int) {
	if len(path) < 3 || path[0] != '[' {
		return "", 0
	}
	if quote := path[1]; quote == '"' || quote == '\'' {
		return quotedName(path, quote)
	}
	end := strings.IndexByte(path, ']')
	if end < 2 {
		return "", 0
	}
	whole, fraction, hasFraction := strings.Cut(strings.TrimPrefix(path[1:end], "-"), ".")
	if isDigits(whole) && (!hasFraction || isDigits(fraction)) {
		return path[1:end], end + 1
	}
	return "", 0
}

// quotedName is bracketed for a name in quotation marks. A backslash keeps the next character.
func quotedName(path string, quote byte) (name string, length int) {
	var b strings.Builder
	for i := 2; i < len(path); i++ {
		switch {
		case path[i] == quote:
			if strings.HasPrefix(path[i+1:], "]") {
				return b.String(), i + 2
			}
			return "", 0
		case path[i] == '\\' && i+1 < len(path):
			_, size := utf8.DecodeRuneInString(path[i+1:])
			b.WriteString(path[i+1 : i+1+size])
			i += size
		default:
			b.WriteByte(path[i])
		}
	}
	return "", 0
}

// isDigits reports whether a text has at least one character and only digits.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
