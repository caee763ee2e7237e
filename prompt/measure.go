package prompt

import (
	"strconv"

	"github.com/talewright/talewright/llm"
)

func itoa(n int) string { return strconv.Itoa(n) }

// measure counts the formats and the texts of the items and marks the empty ones. Items of one
// joined text at a depth get the number of their group.
func (b *build) measure() {
	b.frames = make([]int, len(b.formats))
	for i, format := range b.formats {
		b.frames[i] = b.count(fillFormat(format, ""))
	}
	group := -1
	for i := range b.items {
		it := &b.items[i]
		switch {
		case it.turns != nil:
			for _, m := range b.exampleMessages(it, nil) {
				it.tokens += b.cost(m)
			}
		case b.blank(it.text):
			it.status = Empty
		default:
			it.tokens = b.count(it.text)
			if b.bound(it); it.text == "" {
				it.status = Empty
			}
		}
		if it.depth >= 0 {
			if i == 0 || !sameGroup(&b.items[i-1], it) {
				group++
			}
			it.group = group
		}
	}
}

// sameGroup reports whether two neighbours at a depth are one text.
func sameGroup(x, y *item) bool {
	return x.depth == y.depth && x.order == y.order && x.role() == y.role() &&
		x.block.Name == y.block.Name
}

// cost of a message: overhead, text, name and calls.
func (b *build) cost(m llm.Message) int {
	return messageCost(b.counter, b.overhead, m)
}

// messageCost counts a message as it is sent. Ids are left out: providers do not
// bill them alike, and they are short.
func messageCost(counter Counter, overhead int, m llm.Message) int {
	n := overhead
	if m.Text != "" {
		n += counter.Count(m.Text)
	}
	if m.Name != "" {
		n += counter.Count(m.Name)
	}
	for _, c := range m.ToolCalls {
		n += counter.Count(c.Name) + counter.Count(c.Arguments)
	}
	return n
}

// fixed are the required parts that are no blocks and so have no keep, only a size: markers, follow-ups, control
// prompt and prefill.
func (b *build) fixed() []Part {
	var parts []Part
	add := func(key string, kind Kind, m llm.Message) {
		parts = append(parts, Part{key, kind, b.cost(m)})
	}
	if b.marker() {
		add(chatMarker, KindControl, llm.Message{Text: b.marks.chat})
	}
	for i, m := range b.in.FollowUps {
		add("follow_up."+itoa(i), KindFollowUp, m)
	}
	if l := b.tail.continued; l != nil {
		if n := b.measureLine(l); n > 0 {
			parts = append(parts, Part{l.id(), KindHistory, n})
		}
	}
	if !b.blank(b.tail.control) {
		add(slotControl, KindControl, llm.Message{Text: b.tail.control})
	}
	if b.sendsPrefill() {
		add(slotPrefill, KindControl, llm.Message{Text: b.tail.prefill})
	}
	return parts
}

// marker reports whether the chat marker is sent.
func (b *build) marker() bool {
	return b.hasChat() && !b.blank(b.marks.chat)
}

// hasChat reports whether there is a chat that a marker may stand before.
func (b *build) hasChat() bool {
	return b.history >= 0 && (b.layout.MarkerAlways || b.depths > 0)
}

// sendsPrefill reports whether the prefill is a message.
func (b *build) sendsPrefill() bool {
	return !b.blank(b.tail.prefill) && (!b.in.PrefillApart || b.tail.begun)
}

// budgetError lists everything required: blocks in the order of the layout, the
// fixed parts, lines, the newest last.
func (b *build) budgetError(fixed []Part, tokens int) *BudgetError {
	e := &BudgetError{Tokens: tokens, Room: max(b.room, 0)}
	for i := range b.items {
		if it := &b.items[i]; it.required && it.status != Empty {
			e.Required = append(e.Required, Part{it.key, it.kind(), it.tokens})
		}
	}
	e.Required = append(e.Required, fixed...)
	for _, l := range b.lines {
		if l.required && l.tokens > 0 {
			e.Required = append(e.Required, Part{l.id(), KindHistory, l.tokens})
		}
	}
	return e
}
