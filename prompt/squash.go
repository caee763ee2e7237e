package prompt

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/llm"
)

// squash joins neighbouring system messages without a name by a newline.
func (e *emitter) squash() {
	moved := make([]int, len(e.messages))
	n := 0
	// moved tells where each message has gone: the report names indexes.
	for i := 0; i < len(e.messages); n++ {
		end := e.plainRun(i)
		m, o := e.messages[i], e.origins[i]
		if end > i+1 {
			m.Text = joinTexts(e.messages[i:end])
		}
		e.alone[n] = e.alone[i]
		moved[i] = n
		for i++; i < end; i++ {
			o.Keys = append(o.Keys, e.origins[i].Keys...)
			o.Stability = lessStable(o.Stability, e.origins[i].Stability)
			moved[i] = n
		}
		e.messages[n], e.origins[n] = m, o
	}
	e.messages, e.origins = e.messages[:n], e.origins[:n]
	for i := range e.items {
		if it := &e.items[i]; it.sent() {
			it.message = moved[it.message]
		}
	}
	for _, l := range e.lines {
		if l.status == Kept {
			l.message = moved[l.message]
		}
	}
}

// plainRun returns the end of the plain system messages from i on, at least i+1.
func (e *emitter) plainRun(i int) int {
	end := i
	for end < len(e.messages) && e.squashable(end) && (end == i || !e.divided(end)) {
		end++
	}
	return max(end, i+1)
}

// divided reports whether a message does not follow directly on the one before.
func (e *emitter) divided(i int) bool {
	_, found := slices.BinarySearch(e.apart, i)
	return found
}

// squashable reports whether a message may be one with other system texts.
func (e *emitter) squashable(i int) bool {
	m := &e.messages[i]
	return m.Role == llm.System && m.Name == "" && !e.alone[i]
}

// joinTexts joins the texts of messages by newlines.
func joinTexts(list []llm.Message) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = list[i].Text
	}
	return strings.Join(texts, "\n")
}
