package campaigntest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// nextWord cuts the first word off a line: a word in quotation marks, or everything up to the next
// blank.
func nextWord(line string) (word, rest string, err error) {
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", errors.New("a quotation mark is not closed")
		}
		rest = line[len(quoted):]
		if rest != "" && strings.TrimLeftFunc(rest, unicode.IsSpace) == rest {
			return "", "", errors.New("a blank is missing after the closing quotation mark")
		}
		word, err = strconv.Unquote(quoted)
		return word, rest, err
	}
	word, rest = cutWord(line)
	return word, rest, nil
}

// cutWord cuts everything up to the next blank off a line. Tabs and the ideographic space (U+3000)
// are blanks, too.
func cutWord(line string) (word, rest string) {
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		return line, ""
	}
	return line[:end], line[end:]
}

// trimBlanks removes blanks, but not line feeds, at the beginning.
func trimBlanks(line string) string {
	return strings.TrimLeftFunc(line, func(r rune) bool { return r != '\n' && unicode.IsSpace(r) })
}

// unquotedPhrase returns the text of a phrase. A phrase that begins with a quotation mark is a quoted Go
// string.
func unquotedPhrase(line string) (string, error) {
	if !strings.HasPrefix(line, `"`) {
		return strings.TrimSpace(line), nil
	}
	s, err := strconv.Unquote(strings.TrimSpace(line))
	if err != nil {
		return "", fmt.Errorf("%s: a text that begins with a quotation mark ends with one, and has \\\" within", clip(line))
	}
	return s, nil
}

// unquotedText returns a text. A text that begins with \" is a quoted Go string after the backslash.
func unquotedText(line string) (string, error) {
	if !strings.HasPrefix(line, `\"`) {
		return line, nil
	}
	s, err := strconv.Unquote(line[1:])
	if err != nil {
		return "", fmt.Errorf("%s: a quoted Go string must come after \\", clip(line))
	}
	return s, nil
}

// quotedWord writes a word, in quotation marks if necessary.
func quotedWord(s string) string {
	if s == "" || !isVisible(s) || strings.ContainsAny(s, " \t\n\"|") {
		return strconv.Quote(s)
	}
	return s
}

// quotedPhrase writes a phrase, in quotation marks if necessary.
func quotedPhrase(s string) string {
	if s == "" || !isVisible(s) || strings.HasPrefix(s, `"`) || strings.TrimSpace(s) != s || strings.Contains(s, "\n") {
		return strconv.Quote(s)
	}
	return s
}

// quotedText writes a text, quoted if it would otherwise not read back the same.
func quotedText(s string) string {
	if !isVisible(s) || strings.HasPrefix(s, `\"`) || len(s) > 0 && strings.TrimSpace(s) == "" {
		return `\` + strconv.Quote(s)
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimSpace(line) != line {
			return `\` + strconv.Quote(s)
		}
	}
	if strings.HasPrefix(s, "\n") {
		return `\` + strconv.Quote(s)
	}
	return strings.ReplaceAll(s, "\n", "\n| ")
}

// isVisible reports whether a text is valid and has no invisible characters.
func isVisible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && !unicode.IsGraphic(r) || r == '\uFFFD' || r != ' ' && unicode.IsSpace(r) && r != '\n'
	})
}

// clip shortens a text for a message.
func clip(text string) string { return utf8text.Clip(text, 60) }
