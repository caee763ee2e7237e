package match

import (
	"math/bits"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/talewright/talewright/internal/keyindex"
)

// MaxMessages is the number of newest messages that exist for a search.
const MaxMessages = 1000

// joint separates the parts of a window.
const joint = "\n\x01"

// Window is what an entry's keys are searched in.
type Window struct {
	Depth int   // number of messages, 0: nothing at all is searched
	Parts Parts // places beside the messages
}

// Place is where a key was found: in the message so many from the newest, or in one of
// the places below 0.
type Place int16

// The places that are no messages.
const (
	Anywhere Place = -1 - iota
	Spread         // over more than one text of the window
	inPart         // and below: the parts from their end
)

// Part returns the name of a part of the window, "" for other places.
func (p Place) Part() string {
	if p > inPart {
		return ""
	}
	return partNames[inPart-p]
}

// place says where the marks have an atom that is in the window.
func (m *mark) place(w Window) Place {
	if int(m.depth) < w.Depth {
		return Place(m.depth)
	}
	if in := m.parts & w.Parts; in != 0 {
		return inPart - Place(bits.TrailingZeros8(uint8(in)))
	}
	return Spread
}

// joined is the text of one window, and the answers of those who asked windows. The text
// stands in a buffer, and is gone when the next one is asked for.
type joined struct {
	text     []byte
	of       joinedAs
	verdicts map[verdict]bool
}

// joinedAs is what a joined text depends on: its window, and the number of recursion
// texts.
type joinedAs struct {
	w     Window
	texts int
}

// verdict remembers the answer for an atom and a window.
type verdict struct {
	set *hitSet
	ref Ref
	joinedAs
}

// forget prepares for another scan.
func (j *joined) forget() {
	j.of = joinedAs{}
	clear(j.verdicts)
}

// askText decides an atom by the whole window.
func (s *Search) askText(h *hitSet, ref Ref, w Window) bool {
	key := verdict{h, ref, joinedAs{w, s.recurred}}
	if answer, ok := s.joined.verdicts[key]; ok {
		return answer
	}
	answer := h.by.matchJoined(ref, s.windowText(w), &s.Fuses)
	if s.joined.verdicts == nil {
		s.joined.verdicts = map[verdict]bool{}
	}
	s.joined.verdicts[key] = answer
	return answer
}

// windowText builds the text of a window: U+0001, the messages from the newest on, then
// the persona's and the character's texts that the entry asks for, all injections
// and all recursion texts, with a newline and U+0001 between them. Empty messages
// have a slot unless only empty ones follow.
func (s *Search) windowText(w Window) string {
	if w == (Window{}) {
		return ""
	}
	as := joinedAs{w, s.recurred}
	if as == s.joined.of {
		return view(s.joined.text)
	}
	s.joined.of = as
	b := append(s.joined.text[:0], 1)
	for i := range min(w.Depth, s.slots) {
		if i > 0 {
			b = append(b, joint...)
		}
		b = s.index.appendMessage(b, s.texts.Chat.At(s.texts.Chat.Len()-1-i))
	}
	add := func(text string) { b = append(append(b, joint...), text...) }
	for i, text := range s.texts.Data {
		if text != "" && w.Parts&(1<<i) != 0 {
			add(text)
		}
	}
	for _, text := range s.texts.Injections {
		add(text)
	}
	if w.Parts&PartRecursion != 0 {
		for i := range s.recurred {
			add(s.texts.Recursion.RecursionText(i))
		}
	}
	s.joined.text = b
	return view(b)
}

// view is the text in a buffer, without a copy of it. Copies cost 13 % of a scan
// (BenchmarkScanPeer of package worldbook, 10,000 entries, window 100, full).
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Valid replaces what is not UTF-8. Checking first is several times faster.
func Valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// prepareMessage is the searched form of a message.
func (x *Index) prepareMessage(m Message) string {
	if !x.names {
		return keyindex.TrimSpace(Valid(m.Text))
	}
	return view(x.appendMessage(make([]byte, 0, len(m.Name)+len(": ")+len(m.Text)), m))
}

// appendMessage appends the searched form of a message.
func (x *Index) appendMessage(b []byte, m Message) []byte {
	from := len(b)
	if x.names {
		b = append(append(b, Valid(m.Name)...), ": "...)
	}
	b = append(b, Valid(m.Text)...)
	return append(b[:from], keyindex.TrimSpace(view(b[from:]))...)
}
