package draft

import (
	"strings"

	"github.com/talewright/talewright/prompt"
)

// Tokens caches how many tokens lines take in a prompt at least. The zero Tokens is empty.
type Tokens struct{ lines map[string]int }

// Least returns the minimum number of tokens of a line in a prompt.
func (t *Tokens) Least(counter prompt.TokenCounter, text string) int {
	if n, ok := t.lines[text]; ok {
		return n
	}
	if bare := withoutNames(text); len(bare) < len(text) {
		return counter.Count(bare)/2 + 1 // not all counters are additive
	}
	if strings.TrimSpace(text) == "" {
		return 0 // it is not sent
	}
	n := counter.Count(text)
	if t.lines == nil {
		t.lines = map[string]int{}
	}
	t.lines[text] = n
	return n
}

// Forget drops the counts of lines that are no longer in prompts. It keeps the counts of the n
// given texts.
func (t *Tokens) Forget(n int, text func(i int) string) {
	if len(t.lines) <= 2*n+256 {
		return
	}
	kept := make(map[string]int, n)
	for i := range n {
		if tokens, ok := t.lines[text(i)]; ok {
			kept[text(i)] = tokens
		}
	}
	t.lines = kept
}

// Counter returns a counter that uses the cached counts of lines.
func (t *Tokens) Counter(counter prompt.TokenCounter) prompt.TokenCounter {
	return counted{counter, t.lines}
}

// withoutNames returns a line without the parts that a prompt may shorten: names in braces or angle
// brackets, and carriage returns.
func withoutNames(text string) string {
	var b strings.Builder
	braces, angles := strings.LastIndex(text, "}}"), strings.LastIndexByte(text, '>')
	from := 0 // the end of the last part that was left out
	for at, n := 0, 0; at < len(text); at += max(n, 1) {
		rest := text[at:]
		switch n = 0; {
		case rest[0] == '\r':
			n = 1
		case at < braces && strings.HasPrefix(rest, "{{"):
			n = strings.Index(rest, "}}") + 2
		case at < angles && rest[0] == '<':
			n = strings.IndexByte(rest, '>') + 1
		}
		if n > 0 {
			b.WriteString(text[from:at])
			from = at + n
		}
	}
	return b.String() + text[from:]
}

// counted is a counter with cached counts of the lines of the history.
type counted struct {
	prompt.TokenCounter
	lines map[string]int
}

// Count returns the number of tokens of a text.
func (c counted) Count(text string) int {
	if n, ok := c.lines[text]; ok {
		return n
	}
	return c.TokenCounter.Count(text)
}
