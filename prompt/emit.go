package prompt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
)

// emitter writes the chosen items as messages.
type emitter struct {
	draft     *draft
	messages  []llm.Message
	origins   []Origin
	alone     []bool // by message: it is never squashed with neighbours
	separated []int  // indexes of messages that are not squashed with the message before
}

// emit writes the chosen messages: slots in order, follow-ups, control prompt, prefill.
func (d *draft) emit() *emitter {
	e := &emitter{draft: d}
	room := len(d.chat.lines) + min(len(d.layout.Slots)+len(d.items)/4, len(d.items)) + len(d.in.FollowUps) + 2
	e.messages, e.origins = make([]llm.Message, 0, room), make([]Origin, 0, room)
	e.alone = make([]bool, 0, room)
	from := 0
	for s := 0; s < len(d.layout.Slots); {
		s, from = e.writeSlot(s, from)
	}
	for i, m := range d.in.FollowUps {
		e.add(m.Clone(), slotFollowUps, kindFollowUp, "follow_up."+strconv.Itoa(i), Turn)
		e.alone[len(e.alone)-1] = true
	}
	e.tailMessages()
	if d.layout.Squash {
		e.squash()
	}
	return e
}

// writeSlot writes slot s, whose items begin at from, and returns the next slot and item. The history
// slot includes the slots that come before its newest line.
func (e *emitter) writeSlot(s, from int) (nextSlot, nextItem int) {
	slot := &e.draft.layout.Slots[s]
	to := from
	for to < len(e.draft.items) && e.draft.items[to].slot == s {
		to++
	}
	if slot.Form == History {
		nextSlot, nextItem = s+1, to
		e.writeChat(slot, from, to, func() {
			for nextSlot < len(e.draft.layout.Slots) && e.draft.layout.Slots[nextSlot].BeforeNewest {
				nextSlot, nextItem = e.writeSlot(nextSlot, nextItem)
			}
		})
		return nextSlot, nextItem
	}
	for i := from; i < to; i++ {
		it := e.draft.items[i]
		switch {
		case !it.sent():
			e.recordUnsent(it.status, it.block.role())
		case it.turns != nil:
			e.writeExample(slot, it)
		default:
			i = e.writeJoined(slot, i, to)
		}
	}
	return s + 1, to
}

// writeJoined writes the message that begins with item i and returns the index of its last item. Items
// that are not sent do not separate their neighbours: the prompt looks as if they did not exist.
func (e *emitter) writeJoined(slot *Slot, i, to int) int {
	first := e.draft.items[i]
	last := i
	text := first.text
	e.begin(slot.Name, first, slot.stability(first.block))
	if slot.Form != Separate {
		texts := []string{text}
		for j := i + 1; j < to; j++ {
			it := e.draft.items[j]
			if !it.sent() {
				continue
			}
			if it.turns != nil || !joins(first, it) {
				break
			}
			texts = append(texts, it.text)
			e.join(it, slot.stability(it.block))
			last = j
		}
		if len(texts) > 1 {
			text = strings.Join(texts, slot.joiner())
		}
	}
	if format := e.draft.formats[first.slot]; format != "" {
		text = fillFormat(format, text)
	}
	e.end(llm.Message{Role: first.block.role(), Name: first.block.Name, Text: text})
	return last
}

// recordUnsent records a message that is not sent. An empty message of a user or an assistant still
// separates its neighbours.
func (e *emitter) recordUnsent(status Status, role llm.Role) {
	if status == statusEmpty && role != llm.System {
		e.separated = append(e.separated, len(e.messages))
	}
}

// writeExample writes a part of the examples. Its messages are never squashed, because they would lose
// their speakers.
func (e *emitter) writeExample(slot *Slot, it *item) {
	it.message = len(e.messages)
	for _, m := range e.draft.exampleMessages(it) {
		e.add(m, slot.Name, it.block.kind(), it.key, slot.stability(it.block))
		e.alone[len(e.alone)-1] = true
	}
}

// writeChat writes the marker, the lines, and the texts at a depth between them. It calls ahead before
// the newest line, or at the end if that line is missing.
func (e *emitter) writeChat(slot *Slot, from, to int, ahead func()) {
	if e.draft.sendsMarker() {
		m := llm.Message{Role: llm.System, Text: e.draft.markers.chat}
		e.add(m, slot.Name, kindControl, chatMarker, Static)
		e.alone[len(e.alone)-1] = true
	}
	// Positions are counted from the end of the whole history, trimmed or not: depth 4 stays before
	// the fourth newest line, however many lines are kept.
	deeper := func(depth int) {
		for from < to && e.draft.items[from].depth >= depth {
			from = e.writeDepthText(slot, from, to)
		}
	}
	newest := false
	for _, l := range e.draft.chat.lines {
		deeper(e.draft.chat.depthCount() - l.index)
		if newest = l.index == e.draft.chat.depthCount()-1; newest {
			ahead()
		}
		e.writeLine(slot, l)
	}
	if !newest {
		deeper(1)
		ahead()
	}
	deeper(0)
}

// writeLine writes a line of the history, if it was chosen.
func (e *emitter) writeLine(slot *Slot, l *line) {
	if l.status != Kept {
		return
	}
	l.message = len(e.messages)
	e.addLine(slot.Name, l, "")
}

// addLine adds the messages of a line.
func (e *emitter) addLine(slot string, l *line, stability Stability) {
	speaker := ""
	if l.src != e.draft.chat.replacement {
		speaker = e.draft.chat.speaker(l.src)
	}
	for _, m := range l.messages(&e.draft.layout) {
		e.add(m, slot, KindHistory, l.id(), stability)
		e.origins[len(e.origins)-1].Speaker = speaker
	}
}

// writeDepthText writes one joined text at a depth and returns the next item.
func (e *emitter) writeDepthText(slot *Slot, i, to int) int {
	next := i + 1
	for next < to && sameGroup(e.draft.items[i], e.draft.items[next]) {
		next++
	}
	var sent []*item
	for ; i < next; i++ {
		if it := e.draft.items[i]; it.sent() {
			sent = append(sent, it)
		}
	}
	text := depthText(sent)
	if text == "" { // nothing, or only white space
		for _, it := range sent {
			it.status = statusEmpty
		}
		return next
	}
	for n, it := range sent {
		stability := cmp.Or(it.block.Stability, Turn)
		if n == 0 {
			e.begin(slot.Name, it, stability)
		} else {
			e.join(it, stability)
		}
	}
	e.end(llm.Message{Role: sent[0].block.role(), Name: sent[0].block.Name, Text: text})
	return next
}

// depthText joins the texts of a group at a depth by newlines. White space between texts of one
// source stays; white space around them is trimmed.
func depthText(items []*item) string {
	var prompts, others []string
	for i := 0; i < len(items); {
		rank := sourceRank(items[i].block.kind())
		texts := []string{items[i].text}
		for i++; i < len(items) && joinsAtDepth(rank) && sourceRank(items[i].block.kind()) == rank; i++ {
			texts = append(texts, items[i].text)
		}
		text := strings.Join(texts, "\n")
		switch {
		case rank == rankPrompt:
			prompts = append(prompts, text)
		case rank == rankWorld:
			others = append(others, keyindex.TrimSpace(text))
		default:
			others = append(others, text)
		}
	}
	text := keyindex.TrimSpace(strings.Join(others, "\n"))
	if len(prompts) == 0 || prompts[0] == "" {
		return text
	}
	own := keyindex.TrimSpace(prompts[0])
	if len(others) == 0 || text == "" {
		return own
	}
	return own + "\n" + text // a blank prompt text still adds its newline
}

// joinsAtDepth reports whether the texts of a source become one text at a depth.
func joinsAtDepth(rank int) bool { return rank == rankPrompt || rank == rankWorld }

// tailMessages writes the last messages: the continued line, the control prompt, the prefill.
func (e *emitter) tailMessages() {
	if l := e.draft.tail.continued; l != nil {
		e.addLine(slotControl, l, Turn)
	}
	if !e.draft.layout.blank(e.draft.tail.control) {
		m := llm.Message{Role: llm.System, Text: e.draft.tail.control}
		e.add(m, slotControl, kindControl, slotControl, Turn)
	}
	if e.draft.sendsPrefill() {
		m := llm.Message{Role: llm.Assistant, Name: e.draft.tail.name, Text: e.draft.tail.prefill}
		e.add(m, slotPrefill, kindControl, slotPrefill, Turn)
	}
}

// begin starts the origin of the next message with its first item, join adds an item, and end adds
// the message.
func (e *emitter) begin(slot string, it *item, stability Stability) {
	it.message = len(e.messages)
	e.origins = append(e.origins, Origin{
		Slot: slot, Kind: it.block.kind(), Keys: []string{it.key}, Stability: stability,
	})
}

// join adds an item to the message that is being written.
func (e *emitter) join(it *item, stability Stability) {
	it.message = len(e.messages)
	o := &e.origins[len(e.origins)-1]
	o.Keys = append(o.Keys, it.key)
	o.Stability = lessStable(o.Stability, stability)
}

// end adds the message whose origin begin started.
func (e *emitter) end(m llm.Message) {
	e.messages = append(e.messages, m)
	e.alone = append(e.alone, false)
}

// add writes a message of one block.
func (e *emitter) add(m llm.Message, slot string, kind Kind, key string, stability Stability) {
	e.origins = append(e.origins, Origin{
		Slot: slot, Kind: kind, Keys: []string{key}, Stability: stability,
	})
	e.messages = append(e.messages, m)
	e.alone = append(e.alone, false)
}

// squash joins neighbouring system messages without a name by a newline.
func (e *emitter) squash() {
	moved := make([]int, len(e.messages))
	n := 0
	// moved has the new index of each message: the report contains indexes.
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
	for i := range e.draft.items {
		if it := e.draft.items[i]; it.sent() {
			it.message = moved[it.message]
		}
	}
	for _, l := range e.draft.chat.lines {
		if l.status == Kept {
			l.message = moved[l.message]
		}
	}
}

// plainRun returns the end of the plain system messages that begin at i. It is at least i+1.
func (e *emitter) plainRun(i int) int {
	end := i
	for end < len(e.messages) && e.canSquash(end) && (end == i || !e.isSeparated(end)) {
		end++
	}
	return max(end, i+1)
}

// isSeparated reports whether a message is separated from the message before it.
func (e *emitter) isSeparated(i int) bool {
	_, found := slices.BinarySearch(e.separated, i)
	return found
}

// canSquash reports whether a message may be joined with other system texts.
func (e *emitter) canSquash(i int) bool {
	m := &e.messages[i]
	return m.Role == llm.System && m.Name == "" && !e.alone[i]
}

func joinTexts(list []llm.Message) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = list[i].Text
	}
	return strings.Join(texts, "\n")
}
