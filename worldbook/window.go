package worldbook

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/talewright/talewright/internal/keyindex"
)

// joint separates the parts of a window.
const joint = "\n\x01"

// window is what an entry's keys are searched in.
type window struct {
	depth int   // number of messages, 0: nothing at all is searched
	parts parts // places beside the messages
}

// windowOf returns the window of an entry in the current loop.
func (s *scan) windowOf(e *entry) window {
	if e.scanDepth < 0 && e.data == 0 && s.usual.depth > 0 {
		return s.usual
	}
	return s.ownWindow(e)
}

// usualWindow is the window of the entries that have no wish of their own. Where
// the settings make it depend on the entry it is empty: each is asked.
func (s *scan) usualWindow() window {
	if s.c.settings.SpendMessages {
		return window{}
	}
	return s.ownWindow(&entry{scanDepth: noScanDepth})
}

// ownWindow makes the window of one entry. A depth of 0 or less is the empty
// text, without the other parts too. A loop that searches deeper does not see
// the recursion texts.
func (s *scan) ownWindow(e *entry) window {
	w := window{depth: s.depth()}
	if e.scanDepth >= 0 {
		w.depth = s.c.settings.reach(int(e.scanDepth))
	}
	if w.depth <= 0 {
		return window{}
	}
	w.depth = min(w.depth, maxMessages)
	if s.c.settings.SpendMessages && e.timed {
		if last, ok := s.lastActive(e); ok {
			w.depth = min(w.depth, s.length-last)
		}
	}
	w.parts = e.data | partInjection
	if s.loop != StateMinActivations {
		w.parts |= partRecursion
	}
	return w
}

// depth is the number of messages that entries without a depth of their own are
// searched in.
func (s *scan) depth() int {
	return s.c.settings.reach(s.c.settings.searched() + s.skew)
}

// searched is Depth, or forever for whatever is deeper.
func (s *Settings) searched() int { return min(s.Depth, forever) }

// reach is the number of messages that a depth means.
func (s *Settings) reach(depth int) int {
	if s.DepthExcludesCurrent {
		return depth + 1
	}
	return depth
}

// found reports whether a key is in the window.
func (s *scan) found(ref keyRef, w window) bool {
	if h := &s.base; uint(ref) < uint(len(h.marks)) && !h.any.has(int(ref)) && !h.by.late {
		return false // nearly all keys are nowhere
	}
	return s.foundMarked(ref, w)
}

// foundMarked looks at the marks of a key. A regex that was given up counts as not
// found whatever they say.
func (s *scan) foundMarked(ref keyRef, w window) bool {
	h, ref := s.resolve(ref)
	marked := ref >= 0 && h.any.has(int(ref))
	if marked && len(s.fuses.names) == 0 && h.marks[ref].in(w) {
		return true
	}
	switch ref {
	case refNever:
		return false
	case refAlways:
		return true
	}
	a := h.by.atoms[ref]
	if a.kind == atomRegex && s.fuses.has(h.by.regexes[a.which].name) {
		return false
	}
	if w == (window{}) { // the empty text: only a regex can match it
		return a.kind == atomRegex && s.foundJoined(h, ref, w)
	}
	if marked && h.marks[ref].in(w) {
		return true
	}
	if marked && h.marks[ref].maybeIn(w) {
		return s.foundJoined(h, ref, w)
	}
	if a.kind == atomJoined || a.kind == atomRegex && h.by.regexes[a.which].unannounced() {
		return s.foundJoined(h, ref, w)
	}
	return false
}

// resolve finds the matcher behind a reference.
func (s *scan) resolve(ref keyRef) (*hitSet, keyRef) {
	if ref < refDynamic {
		return &s.base, ref
	}
	return &s.extra, s.extraRefs[ref-refDynamic]
}

// verdict remembers the answer for an atom and a window.
type verdict struct {
	set   *hitSet
	ref   keyRef
	w     window
	texts int // number of recursion texts
}

// foundJoined asks the whole window.
func (s *scan) foundJoined(h *hitSet, ref keyRef, w window) bool {
	key := verdict{h, ref, w, len(s.recursion)}
	if answer, ok := s.verdicts[key]; ok {
		return answer
	}
	answer := h.by.matchJoined(ref, s.joined(w), &s.fuses)
	if s.verdicts == nil {
		s.verdicts = map[verdict]bool{}
	}
	s.verdicts[key] = answer
	return answer
}

// joined builds the text of a window: U+0001, the messages from the newest on, then
// the persona's and the character's texts that the entry asks for, all injections
// and all recursion texts, with a newline and U+0001 between them. Empty messages
// have a slot unless only empty ones follow. It stands in a buffer, and is gone when
// the next one is asked for.
func (s *scan) joined(w window) string {
	if w == (window{}) {
		return ""
	}
	as := joinedAs{w, len(s.recursion)}
	if as == s.joinedAs {
		return view(s.joinedText)
	}
	s.joinedAs = as
	b := append(s.joinedText[:0], 1)
	for i := range min(w.depth, s.slots) {
		if i > 0 {
			b = append(b, joint...)
		}
		b = s.c.appendMessage(b, s.messages[s.length-1-i])
	}
	add := func(text string) { b = append(append(b, joint...), text...) }
	for i, text := range s.dataTexts {
		if text != "" && w.parts&(1<<i) != 0 {
			add(text)
		}
	}
	for _, text := range s.injections {
		add(text)
	}
	if w.parts&partRecursion != 0 {
		for i := range s.recursion {
			add(s.recursionAt(i))
		}
	}
	s.joinedText = b
	return view(b)
}

// joinedAs is what a joined text depends on: its window, and the number of recursion
// texts.
type joinedAs struct {
	w     window
	texts int
}

// view is the text in a buffer, without a copy of it.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// valid replaces what is not UTF-8. Checking first is several times faster.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// prepareMessage is the searched form of a message.
func (c *Compiled) prepareMessage(m Message) string {
	if !c.settings.IncludeNames {
		return keyindex.TrimSpace(valid(m.Text))
	}
	return view(c.appendMessage(make([]byte, 0, len(m.Name)+len(": ")+len(m.Text)), m))
}

// appendMessage appends the searched form of a message.
func (c *Compiled) appendMessage(b []byte, m Message) []byte {
	from := len(b)
	if c.settings.IncludeNames {
		b = append(append(b, valid(m.Name)...), ": "...)
	}
	b = append(b, valid(m.Text)...)
	return append(b[:from], keyindex.TrimSpace(view(b[from:]))...)
}
