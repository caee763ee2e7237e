package prompt

import (
	"cmp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
)

// meter counts tokens.
type meter struct {
	counter  TokenCounter
	overhead int // of a message
}

const defaultOverhead = 4 // tokens of a message in addition to its text, as in chat formats

// meter returns the meter of a budget.
func (b Budget) meter() meter {
	m := meter{cmp.Or[TokenCounter](b.Counter, TokenEstimator{}), defaultOverhead}
	if b.PerMessage != nil {
		m.overhead = *b.PerMessage
	}
	return m
}

// count calls the counter. An empty text costs nothing. The counter is not asked.
func (m meter) count(text string) int {
	if text == "" {
		return 0
	}
	return m.counter.Count(text)
}

// messageTokens counts a message as it is sent. IDs are left out: providers bill them differently, and
// they are short.
func (m meter) messageTokens(x llm.Message) int {
	n := m.overhead + m.count(x.Text) + m.count(x.Name)
	for _, c := range x.ToolCalls {
		n += m.count(c.Name) + m.count(c.Arguments)
	}
	return n
}

// lineTokens returns the whole cost of a line of the history as messages.
func (m meter) lineTokens(c *chat, l *line) int {
	if l.tokens > 0 {
		return l.tokens
	}
	c.prepare(l)
	if len(l.src.Calls) == 0 {
		if !c.layout.blank(l.text) {
			l.tokens = m.overhead + m.count(l.text) + m.count(l.name)
		}
		return l.tokens
	}
	l.tokens = m.overhead + m.count(l.text)
	for i, call := range l.src.Calls {
		l.tokens += m.count(call.Name) + m.count(call.Arguments)
		l.tokens += m.overhead + m.count(l.src.result(i))
	}
	return l.tokens
}

// measureItems counts the texts of the items, cuts them to their limits, and marks the empty ones. Items
// of one joined text at a depth get the number of their group.
func (m meter) measureItems(d *draft) {
	group := -1
	for i := range d.items {
		it := d.items[i]
		switch {
		case it.turns != nil:
			for _, x := range d.exampleMessages(it) {
				it.tokens += m.messageTokens(x)
			}
		case d.layout.blank(it.text):
			it.status = statusEmpty
		default:
			it.tokens = m.count(it.text)
			if it.cutToMaxTokens(m.count); it.text == "" {
				it.status = statusEmpty
			}
		}
		if it.depth >= 0 {
			if i == 0 || !sameGroup(d.items[i-1], it) {
				group++
			}
			it.group = group
		}
	}
}

// formatTokens counts the formats of the slots without their content.
func (m meter) formatTokens(formats []string) []int {
	list := make([]int, len(formats))
	for i, format := range formats {
		list[i] = m.count(fillFormat(format, ""))
	}
	return list
}

// fixedParts lists the required parts that are not blocks: markers, follow-ups, control prompt and
// prefill. They have a size but no keep.
func (m meter) fixedParts(d *draft) []Part {
	var parts []Part
	add := func(key string, kind Kind, x llm.Message) {
		parts = append(parts, Part{key, kind, m.messageTokens(x)})
	}
	if d.sendsMarker() {
		add(chatMarker, kindControl, llm.Message{Text: d.markers.chat})
	}
	for i, x := range d.in.FollowUps {
		add("follow_up."+strconv.Itoa(i), kindFollowUp, x)
	}
	if l := d.tail.continued; l != nil {
		if n := m.lineTokens(d.chat, l); n > 0 {
			parts = append(parts, Part{l.id(), KindHistory, n})
		}
	}
	if !d.layout.blank(d.tail.control) {
		add(slotControl, kindControl, llm.Message{Text: d.tail.control})
	}
	if d.sendsPrefill() {
		add(slotPrefill, kindControl, llm.Message{Name: d.tail.name, Text: d.tail.prefill})
	}
	return parts
}

// countFunc is a function that returns the number of tokens of a text.
type countFunc func(text string) int

// cutToMaxTokens cuts an item to [Block.MaxTokens]. It removes whole lines if possible.
func (it *item) cutToMaxTokens(count countFunc) {
	room, cut := it.block.MaxTokens, it.block.cutEnd()
	if room <= 0 || it.turns != nil || it.tokens <= room {
		return
	}
	if it.cutLines(count, cut, room) {
		return
	}
	// No line of the text is short enough.
	line := strings.TrimSuffix(it.text, "\n")
	lines := strings.Count(line, "\n")
	if cut == CutStart {
		line = line[strings.LastIndexByte(line, '\n')+1:]
	} else {
		line, _, _ = strings.Cut(line, "\n")
	}
	it.resize(count, cutLine(count, line, cut, room), lines)
}

// cutLine returns the longest part of a line that has at most room tokens.
func cutLine(count countFunc, line string, cut Cut, room int) string {
	part := func(n int) string { // the line without n bytes, rounded up to a whole character
		if cut == CutStart {
			for n < len(line) && !utf8.RuneStart(line[n]) {
				n++
			}
			return line[n:]
		}
		n = len(line) - n
		for n > 0 && n < len(line) && !utf8.RuneStart(line[n]) {
			n--
		}
		return line[:n]
	}
	removed := sort.Search(len(line), func(n int) bool { return count(part(n)) <= room })
	return part(removed)
}

// truncate cuts whole lines off an item until its text has at most room tokens. It fails and
// changes nothing if the item may not be cut, or if only blank lines would be left.
func (it *item) truncate(count countFunc, room int) bool {
	cut := it.block.Truncate
	if cut != CutStart && cut != CutEnd || it.turns != nil || room <= 0 {
		return false
	}
	whole := it.sizedText
	if !it.cutLines(count, cut, room) {
		return false
	}
	it.uncut = &whole
	return true
}

// cutLines removes whole lines at one end until the text has at most room tokens. It returns false and changes
// nothing if only blank lines would be left.
func (it *item) cutLines(count countFunc, cut Cut, room int) bool {
	lines := strings.SplitAfter(it.text, "\n")
	rest := func(removed int) string {
		if cut == CutStart {
			return strings.Join(lines[removed:], "")
		}
		return strings.TrimSuffix(strings.Join(lines[:len(lines)-removed], ""), "\n")
	}
	// A text has fewer tokens with every removed line, so bisection finds the smallest cut with few
	// counts. The result is checked, because a counter may be inconsistent.
	removed := 1 + sort.Search(len(lines)-1, func(i int) bool {
		return count(rest(i+1)) <= room
	})
	if removed >= len(lines) {
		return false
	}
	text := rest(removed)
	if keyindex.TrimSpace(text) == "" || count(text) > room {
		return false
	}
	it.resize(count, text, removed)
	return true
}

// resize replaces the text of an item by a part of it.
func (it *item) resize(count countFunc, text string, removed int) {
	it.tokensBeforeCut = cmp.Or(it.tokensBeforeCut, it.tokens)
	it.text, it.tokens, it.linesRemoved = text, count(text), it.linesRemoved+removed
}
