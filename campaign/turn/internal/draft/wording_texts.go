package draft

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
)

// Shorten keeps the beginning and the end of a text that is longer than limit bytes. Between them
// it puts leftOut, in which {n} becomes the number of removed bytes.
func Shorten(text string, limit int, leftOut string) string {
	if len(text) <= limit {
		return text
	}
	head := utf8text.Cut(text, limit*3/4)
	tail := text[len(text)-limit/4:]
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	gone := strconv.Itoa(len(text) - len(head) - len(tail))
	return head + "\n" + strings.ReplaceAll(leftOut, "{n}", gone) + "\n" + tail
}

// WithoutName removes the name of the speaker from the beginning of a reply. Models copy it from
// the history.
func WithoutName(text, name string) string {
	rest, named := strings.CutPrefix(strings.TrimSpace(text), name)
	if !named || name == "" {
		return text
	}
	for _, colon := range []string{":", "："} {
		if said, ok := strings.CutPrefix(rest, colon); ok {
			return strings.TrimSpace(said)
		}
	}
	return text
}

// EstimateTokens returns the token estimate for milestones: a CJK character is one token, four
// other characters are one.
func EstimateTokens(text string) int {
	all, cjk := 0, 0
	for _, r := range text {
		all++
		switch {
		case r >= 0x3000 && r <= 0x30FF, r >= 0x3400 && r <= 0x9FFF,
			r >= 0xAC00 && r <= 0xD7AF, r >= 0xF900 && r <= 0xFAFF,
			r >= 0xFF00 && r <= 0xFFEF:
			cjk++
		}
	}
	return cjk + (all-cjk+3)/4
}

// WordingJSON encodes a value as JSON for the model.
func WordingJSON(v any) string {
	data, _ := openjson.Marshal(v) // texts, numbers and JSON values always have a JSON form
	return string(data)
}
