package prompt

import (
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

// expandTail expands what stands behind the last slot.
func (b *build) expandTail() {
	in := b.in
	goesOn := in.Generation == Continue
	if !goesOn || !in.ContinueByPrefill && b.tail.continued != nil {
		b.tail.control = b.run.Expand(in.Control, macro.Full)
		b.attribute(func() string { return slotControl })
	}
	b.tail.prefill = b.run.Expand(in.Prefill, macro.Full)
	b.attribute(func() string { return slotPrefill })
	l := b.tail.continued
	if l == nil {
		return
	}
	b.prepare(l)
	// What somebody else has begun is theirs: it stays a message of its own.
	if in.ContinueByPrefill && l.src.Role == llm.Assistant && len(l.src.Calls) == 0 {
		b.tail.continued, b.tail.begun = nil, true
		b.tail.prefill = joinBlank(b.tail.prefill, l.text)
	}
}

// expandMarks expands the markers that are sent.
func (b *build) expandMarks() {
	if b.hasChat() {
		b.marks.chat = b.run.Expand(b.layout.ChatMarker, macro.Full)
		b.attribute(func() string { return chatMarker })
	}
	if b.examples > 0 {
		b.marks.example = b.run.Expand(b.layout.ExampleMarker, macro.Full)
		b.attribute(func() string { return exampleMarker })
	}
}

// Keys of the markers.
const (
	chatMarker    = "chat.marker"
	exampleMarker = "example.marker"
)

// joinBlank joins two texts by an empty line, if both are there.
func joinBlank(a, b string) string {
	if keyindex.TrimSpace(a) == "" {
		return b
	}
	if keyindex.TrimSpace(b) == "" {
		return a
	}
	return a + "\n\n" + b
}
