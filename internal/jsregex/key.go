package jsregex

import (
	"fmt"
	"strings"
)

// SplitKey splits a key of the form /body/flags. The body must have at least one character, and
// flags must be from g i m s u y. SplitKey refuses a body with a slash that has no backslash before
// it. Like SillyTavern, it checks only the one character before the slash. The first \/ of the body
// is returned as /.
func SplitKey(key string) (body, flags string, ok bool) {
	if len(key) < 3 || key[0] != '/' {
		return "", "", false
	}
	end := strings.LastIndexByte(key, '/') // flags contain no slash
	if end <= 1 || strings.Trim(key[end+1:], "gimsuy") != "" {
		return "", "", false
	}
	body, flags = key[1:end], key[end+1:]
	for i := range len(body) {
		if body[i] == '/' && (i == 0 || body[i-1] != '\\') {
			return "", "", false
		}
	}
	return strings.Replace(body, `\/`, "/", 1), flags, true
}

// Flags are the relevant flags of a JavaScript regular expression.
type Flags struct {
	IgnoreCase, Multiline, DotAll, Unicode, Sticky bool
}

// ParseFlags reads flags from the letters g i m s u y, each at most once.
func ParseFlags(s string) (f Flags, err error) {
	for i := range len(s) {
		if strings.IndexByte(s[:i], s[i]) >= 0 {
			return Flags{}, fmt.Errorf("repeated flag %q", s[i])
		}
		switch s[i] {
		case 'g':
		case 'i':
			f.IgnoreCase = true
		case 'm':
			f.Multiline = true
		case 's':
			f.DotAll = true
		case 'u':
			f.Unicode = true
		case 'y':
			f.Sticky = true
		default:
			return Flags{}, fmt.Errorf("unknown flag %q", s[i])
		}
	}
	return f, nil
}
