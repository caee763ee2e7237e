package memvars

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// quotedArg builds the argument for the raw content of a string.
//
// A text that looks like JSON is decoded. First the raw content is tried, because models put JSON
// escapes directly between single quotes. Then the content with decoded escapes is tried, as a
// programmer would write it. Then both are tried again with repairs. If nothing can be decoded:
//
//   - an object with a colon or a quoted key is refused: stored as text it would destroy the entry
//     that it should update;
//   - anything else is text, so that {{user}} and [昏迷] can be written.
func (f *finder) quotedArg(raw string) Arg {
	raw = strings.Clone(raw) // a value must not keep the whole message in memory
	text := unescape(raw)
	a := Arg{Text: text, Value: tree.Text(text), Quoted: true}
	trimmed := strings.TrimSpace(raw)
	if !looksLikeJSON(trimmed) {
		return a
	}
	for _, candidate := range []string{raw, text} {
		if v, err := tree.ParseLoose(candidate); err == nil {
			a.Value = v
			return a
		}
	}
	if f.options.repair {
		for _, candidate := range []string{raw, text} {
			if v, ok := repairJSON(candidate); ok {
				a.Value = v
				a.Warnings = []Warning{warnRepairedJSON}
				return a
			}
		}
	}
	if trimmed[0] == '{' && (strings.ContainsAny(trimmed, ":：") || quotedKey(trimmed)) &&
		!f.options.jsonAsText {
		a.Code = BadJSON
		a.Value = tree.Value{}
	}
	return a
}

// literalArg builds the argument for a bare object or list.
func (f *finder) literalArg(raw string) Arg {
	raw = strings.Clone(raw)
	a := Arg{Text: raw}
	if v, err := tree.ParseLoose(raw); err == nil {
		a.Value = v
		return a
	}
	if f.options.repair {
		if v, ok := repairJSON(raw); ok {
			a.Value = v
			a.Warnings = []Warning{warnRepairedJSON}
			return a
		}
	}
	a.Code = BadJSON
	return a
}

// looksLikeJSON reports whether a quoted text is worth decoding: it is in brackets, or it begins
// like an object whose end the model forgot. All other text stays text, so that bracketed words
// such as [昏迷] cost nothing.
func looksLikeJSON(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '{':
		return s[len(s)-1] == '}' || quotedKey(s)
	case '[':
		return s[len(s)-1] == ']'
	}
	return false
}

// quotedKey reports whether a quotation mark follows the opening brace.
func quotedKey(s string) bool {
	_, _, ok := quoteAt(s, skipSpace(s, 1))
	return ok
}
