package format

import (
	"bytes"
	"strings"
)

// kindOf returns the kind of a file that is plainly not JSON, and an advice. It returns "" for a
// text that may be meant as JSON.
func kindOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		return "a PNG picture: if it is a character card, read its book with prompt/card"
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "a ZIP archive: if it is a CHARX card, read its book with prompt/card; else unpack it"
	}
	line := firstLine(data)
	switch {
	case line == "" || strings.ContainsRune(`{["`, rune(line[0])):
		return ""
	case line[0] == '<':
		return "XML or HTML: export the book as JSON; a page in place of a file often means a failed download"
	}
	return ""
}

// firstLine returns the first line that is not blank and not a YAML comment. Only the first 64 KiB
// of a file are read: some books begin with a manual.
func firstLine(data []byte) string {
	for line := range strings.Lines(string(data[:min(len(data), 64<<10)])) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}

// isYAML recognises the usual beginnings: a document mark, a member, an element of a list.
func isYAML(line string) bool {
	key, rest, found := strings.Cut(line, ":")
	member := found && (rest == "" || rest[0] == ' ' || rest[0] == '\t') && !strings.ContainsAny(key, "{}()/*;,")
	return line == "---" || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "%YAML") ||
		strings.HasPrefix(line, "- ") || member
}
