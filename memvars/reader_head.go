package memvars

import "strings"

// head is the beginning of a call: its start, its name, and the start of its arguments.
type head struct {
	start    int
	name     string
	prefixed bool
	args     int // after the opening parenthesis
}

// head recognizes the beginning of a call at the identifier at i. end is the end of the identifier.
//
// The character before the name must not continue an ASCII identifier. A dot there must follow an
// accepted prefix, so that cache.delete(…) is not a command. The words memory and delete are
// ordinary words: unless a quotation mark comes first in the parentheses, the text is prose. A
// prefix before any other name makes it an unknown command, which is reported to the model.
func (f *finder) head(i, from int) (h head, end int, ok bool) {
	name, end := identifier(f.text, i)
	if name == "" {
		return head{}, end, false
	}
	paren := skipBlanks(f.text, end)
	n := markLen(f.text, paren, '(')
	if n == 0 {
		return head{}, end, false
	}
	h = head{start: i, name: name, args: paren + n}
	if i > from {
		switch c := f.text[i-1]; {
		case c == '$':
			return head{}, end, false
		case c == '.':
			h.start, h.prefixed = f.prefix(i - 1)
			if !h.prefixed {
				return head{}, end, false
			}
		}
	}
	if !isCommand(name) {
		return h, end, h.prefixed
	}
	if name == "memory" || name == "delete" {
		// Ordinary words: prose unless a quotation mark follows.
		_, _, quoted := quoteAt(f.text, f.spaces.skip(f.text, h.args))
		return h, end, quoted
	}
	return h, end, true
}

// prefix returns the start of the accepted prefix before the dot.
//
// A prefix of letters must be a separate word. A prefix of signs, such as the star, may follow any
// character, because Markdown uses stars everywhere.
func (f *finder) prefix(dot int) (start int, ok bool) {
	for _, p := range f.options.prefixes {
		if p == "" || !strings.HasSuffix(f.text[:dot], p) {
			continue
		}
		start = dot - len(p)
		if start > 0 && isIdentByte(p[0]) {
			if c := f.text[start-1]; isIdentByte(c) || c == '$' || c == '.' {
				continue
			}
		}
		return start, true
	}
	return 0, false
}

// identifier reads ASCII letters, digits and underscores, which Markdown may
// have escaped.
func identifier(s string, i int) (name string, end int) {
	start, escaped := i, false
	for i < len(s) {
		switch {
		case isIdentByte(s[i]):
			i++
			continue
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '_':
			escaped = true
			i += 2
			continue
		}
		break
	}
	if i == start {
		return "", i + 1
	}
	name = s[start:i]
	if escaped {
		name = strings.ReplaceAll(name, `\_`, "_")
	}
	return name, i
}

// isCommand reports whether a name is one of the four commands. Letter case matters.
func isCommand(name string) bool {
	switch name {
	case "set_attribute", "set_status", "memory", "delete":
		return true
	}
	return false
}

// startsCall reports whether the line at i begins with a call.
//
// It ends unclosed strings: text that looks like a call at the beginning of a line is more likely a
// call than part of a text.
func (f *finder) startsCall(i int) bool {
	from := i
	i = skipBlanks(f.text, i)
	start := i
	for _, p := range f.options.prefixes {
		if strings.HasPrefix(f.text[i:], p+".") {
			i += len(p) + 1
			break
		}
	}
	if i >= len(f.text) || f.text[i] != 's' && f.text[i] != 'm' && f.text[i] != 'd' {
		return false
	}
	h, _, ok := f.head(i, from)
	return ok && h.start == start && isCommand(h.name)
}
