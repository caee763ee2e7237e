package match

import (
	"math/bits"
	"slices"
)

// Search is the working memory of the search for keys in one scan. Successive scans reuse it.
//
// A scan has two phases. In the first phase (Begin, SetExtra, Prepare), the texts that exist before the first
// loop are searched. Their finds are collected as records, and all marks are built from them together: an
// unchanged chat has the same records as in the previous scan, so its marks are reused. In the second phase the
// loops ask for keys (First, Found, Count) and may add texts (ExtendTo, AddRecursion). The finds in these
// texts are marked immediately. hits.go defines records and marks.
type Search struct {
	// Touched are the entries that a loop must examine: a text contains one of their primary keys,
	// or the scan added them. It grows during the scan.
	Touched Set
	Fuses   Fuses // the stopped regexes

	cache          *Cache
	index          *Index // of the keys of the books
	users          *Users // which entries have which keys
	texts          Texts
	maxMessages    int // newest messages that a window can have; older ones are all empty
	messagesRead   int // newest messages that are already searched
	recursionCount int // number of recursion texts

	base, extra     hitSet // what was found: of the index, and of the keys that only this scan has
	extraRefs       []Ref  // the keys of extra, by their reference minus Dynamic
	hitSets         [2]*hitSet
	entriesWithKeys Set       // entries whose keys were found before the first loop
	keyBits         []keyBits // which primary keys of an entry were found, by entry
	entries         int
	marksBuilt      bool // the second phase has begun
	joinedText      joinedText
}

// find returns the finds in a message, from the cache if possible. prepare returns the text to search. Finds
// are not cached if the scan had too few steps left, because they would not be complete.
func (s *Search) find(by *Index, m Message, prepare func(Message) string) *finds {
	f := s.cache.get(by, m)
	if f == nil || !s.Fuses.acceptCached(by, f) {
		f = by.scanText(prepare(m), &s.Fuses)
		if !f.outOfSteps {
			s.cache.put(by, m, f)
		}
	}
	return f
}

// findText is find for a text that is not a message. It uses a name that no message has, so that
// the cache keeps these texts apart from messages, which are trimmed and may have names.
func (s *Search) findText(by *Index, text string) *finds {
	return s.find(by, Message{Name: "\x00", Text: text}, func(m Message) string { return m.Text })
}

// Begin prepares a search for the keys of entries. The entries of always are examined even if no
// key is found.
func (s *Search) Begin(x *Index, users *Users, cache *Cache, always Set, entries int) {
	s.index, s.users, s.cache, s.entries = x, users, cache, entries
	s.messagesRead, s.recursionCount, s.marksBuilt = 0, 0, false
	s.extraRefs = nil
	s.Fuses.Reset()
	s.base.reset(x, users.first)
	s.Touched = s.Touched.Reset(entries)
	copy(s.Touched, always)
}

// SetExtra adds the keys of this scan, before the texts.
func (s *Search) SetExtra(x Extra) {
	s.extra.reset(x.Index, nil)
	s.extraRefs = x.Refs
}

// HasExtra reports whether the scan has its own keys.
func (s *Search) HasExtra() bool { return len(s.extraRefs) > 0 }

// Prepare looks up the keys of the newest depth messages and of all other texts.
func (s *Search) Prepare(texts Texts, depth int) {
	s.texts = texts
	n := texts.Chat.Len()
	s.maxMessages = 0
	for i := range min(n, MaxMessages) {
		if s.index.names || s.index.mark == "" || texts.Chat.At(n-1-i).Text != "" {
			s.maxMessages = i + 1
		}
	}
	s.ExtendTo(depth)
	if s.maxMessages == 0 && s.index.mark != "" {
		s.recordNoMessages()
	}
	for i, text := range texts.Data {
		s.readPart(text, 1<<i)
	}
	for _, text := range texts.Injections {
		s.readPart(text, PartInjection)
	}
	s.buildMarks()
}

// Release drops the texts.
func (s *Search) Release() {
	s.texts, s.cache = Texts{}, nil
	s.joinedText.reset()
}

// buildMarks ends the first phase: it builds the marks from the records.
func (s *Search) buildMarks() {
	if s.HasExtra() {
		s.extra.buildMarks()
	}
	if !s.base.buildMarks() {
		s.keyBits = Resized(s.keyBits, s.entries)
		s.entriesWithKeys = s.entriesWithKeys.Reset(s.entries)
		s.touchEntries(s.entriesWithKeys)
	}
	s.Touched.Union(s.entriesWithKeys)
	s.marksBuilt = true
}

// record records the finds in a text. In the second phase it also marks them.
func (s *Search) record(h *hitSet, n textFinds) {
	if !s.marksBuilt {
		h.records = append(h.records, n)
		return
	}
	h.add(n)
	s.touchEntries(s.Touched)
}

// ExtendTo extends the searched messages to the newest n.
func (s *Search) ExtendTo(n int) {
	n = min(n, s.maxMessages)
	for ; s.messagesRead < n; s.messagesRead++ {
		m := s.texts.Chat.At(s.texts.Chat.Len() - 1 - s.messagesRead)
		if !s.index.names {
			m.Name = ""
		}
		for _, h := range s.sets() {
			f := s.find(h.by, m, s.index.prepareMessage)
			s.record(h, textFinds{finds: f, depth: int32(s.messagesRead)})
			if s.texts.Passes != nil {
				h.messages = append(h.messages, f)
			}
		}
	}
}

// recordNoMessages records what can match the U+0001 of a window without messages.
func (s *Search) recordNoMessages() {
	for _, h := range s.sets() {
		s.record(h, textFinds{finds: s.findText(h.by, ""), depth: joinedDecides})
	}
}

// readPart records the finds in one of the other texts.
func (s *Search) readPart(text string, p Parts) {
	if text == "" {
		return
	}
	for _, h := range s.sets() {
		s.record(h, textFinds{finds: s.findText(h.by, text), parts: p})
	}
}

// AddRecursion adds a recursion text.
func (s *Search) AddRecursion(text string) {
	s.recursionCount++
	s.readPart(text, PartRecursion)
}

// AddKnownRecursion adds a recursion text without a search. The text contains exactly the atoms that
// [Search.MarkRecursion] got since the previous text.
func (s *Search) AddKnownRecursion() {
	s.recursionCount++
	s.touchEntries(s.Touched)
}

// MarkRecursion adds atoms to the next recursion text, see [Search.AddKnownRecursion].
func (s *Search) MarkRecursion(atoms []int32) { s.base.addAtoms(atoms, PartRecursion) }

// sets returns the hit sets that are in use.
func (s *Search) sets() []*hitSet {
	s.hitSets = [2]*hitSet{&s.base, &s.extra}
	if !s.HasExtra() {
		return s.hitSets[:1]
	}
	return s.hitSets[:]
}

// touchEntries adds the entries whose primary keys were found for the first time. Entries with extra keys
// are always examined.
func (s *Search) touchEntries(entries Set) {
	h := &s.base
	for _, a := range h.newlyMarked {
		u := h.marks[a].user
		if u == noUser {
			continue
		}
		entries.Put(u.entry())
		s.keyBits[u.entry()] |= u.bit()
		if u&severalUsers != 0 {
			for _, u := range s.users.more[a] {
				entries.Put(u.entry())
				s.keyBits[u.entry()] |= u.bit()
			}
		}
	}
	h.newlyMarked = h.newlyMarked[:0]
}

// First returns the index of the entry's first primary key that is in the window, or -1. It checks
// only keys that some text contains. If late is true, some keys of the entry can be found only in
// the joined window, without a mark before. Then First checks all keys.
func (s *Search) First(entry int, keys *Keys, late bool, w Window) int {
	from := 0
	if !late {
		found, certain := s.keyBits[entry], len(s.Fuses.names) == 0 && w.Only == 0
		for ; found&^(1<<lastKeyBit) != 0; found &= found - 1 {
			k := bits.TrailingZeros8(uint8(found))
			// Nearly always the mark says that the key is certainly in the window.
			if ref := keys.At(k); certain && s.base.marks[ref].isIn(w) || s.Found(ref, w) {
				return k
			}
		}
		if found == 0 {
			return -1
		}
		from = lastKeyBit
	}
	for k := from; k < len(keys.List); k++ {
		if s.Found(keys.List[k], w) {
			return k
		}
	}
	return -1
}

// AnyKey reports whether some text of the scan contains a primary key of an entry.
func (s *Search) AnyKey(entry int) bool { return s.keyBits[entry] != 0 }

// Count returns how many of the keys are in the window. It checks all of them: which regexes are
// stopped must not depend on the results of other keys.
func (s *Search) Count(keys []Ref, w Window) int {
	n := 0
	for _, ref := range keys {
		if s.Found(ref, w) {
			n++
		}
	}
	return n
}

// Found reports whether a key is in the window. The marks decide; if they cannot, the text decides.
func (s *Search) Found(ref Ref, w Window) bool {
	if uint(ref) < uint(len(s.base.marks)) {
		switch marked := s.base.marked.Has(int(ref)); {
		case !marked && !s.index.joinedOnly:
			return false // most keys are in no text
		case marked && len(s.Fuses.names) == 0 && w.Only == 0 && s.base.marks[ref].isIn(w):
			return true // most of the others are certainly in the window
		}
	}
	h, ref := s.resolve(ref)
	switch ref {
	case Never:
		return false
	case Always:
		return true
	}
	a := h.by.atoms[ref]
	isRegex := a.kind == atomRegex
	switch m := s.markIn(h, ref, w); {
	case isRegex && s.Fuses.has(h.by.regexes[a.which].name):
		return false
	case w == (Window{}): // only a regex can match the empty text
		return isRegex && s.askText(h, ref, w)
	case m.isIn(w):
		return true
	case m.mayBeIn(w), a.kind == atomJoined, isRegex && h.by.regexes[a.which].unannounced():
		return s.askText(h, ref, w)
	}
	return false
}

// markIn returns the mark of an atom, for a window. A mark has only the newest message that contains
// an atom. If the window has a filter, which may exclude this message, markIn looks at the finds of
// every message.
func (s *Search) markIn(h *hitSet, ref Ref, w Window) mark {
	m := mark{depth: noMessage, maybeDepth: noMessage}
	if h.marked.Has(int(ref)) {
		m = h.marks[ref]
	}
	if w.Only == 0 {
		return m
	}
	m.depth, m.maybeDepth = noMessage, noMessage
	for depth, f := range slices.Backward(h.messages[:min(w.Depth, len(h.messages))]) {
		if slices.Contains(f.atoms, int32(ref)) && s.passes(w, depth) {
			m.depth = uint16(depth)
		}
		// A message that a filter leaves out can begin or end a window too, so a regex that sees the
		// ends is decided there.
		if slices.Contains(f.maybe, int32(ref)) {
			m.maybeDepth = uint16(depth)
		}
	}
	return m
}

// passes reports whether a message, counted from the newest, is in a window.
func (s *Search) passes(w Window, depth int) bool {
	return s.texts.Passes(w.Only, s.texts.Chat.Len()-1-depth)
}

// resolve returns the hit set and the atom of a reference.
func (s *Search) resolve(ref Ref) (*hitSet, Ref) {
	if ref < Dynamic {
		return &s.base, ref
	}
	return &s.extra, s.extraRefs[ref-Dynamic]
}

// Describe returns the place of a key that is in the window, and its text as written. The text is
// "" for a key that is not an atom of the book.
func (s *Search) Describe(ref Ref, w Window) (at Place, text string) {
	if ref >= 0 && ref < Dynamic {
		m := &s.base.marks[ref]
		written := s.index.texts.all[m.text:][:m.size]
		if m.size == longText {
			written = s.index.texts.at(int32(ref))
		}
		text = stringOf(written)
	}
	h, ref := s.resolve(ref)
	if ref == Always {
		return Anywhere, text
	}
	m := s.markIn(h, ref, w)
	return m.place(w), text
}

// Atom returns the number of a key that is in the list of atoms of every text that contains it. It
// returns false for all other keys, such as regexes.
func (s *Search) Atom(ref Ref) (int32, bool) {
	if ref < 0 || ref >= Dynamic {
		return 0, false
	}
	return int32(ref), s.index.atoms[ref].kind == atomPlain
}

// InText reports whether a text alone contains a key. It does not change the search: the fuses are
// the caller's.
func (s *Search) InText(ref Ref, text string, fuses *Fuses) bool {
	h, ref := s.resolve(ref)
	if ref < 0 {
		return false
	}
	if h.by.atoms[ref].kind != atomPlain {
		return h.by.matchJoined(ref, h.by.mark+text, fuses)
	}
	return slices.Contains(h.by.scanText(text, fuses).atoms, int32(ref))
}

// joinedText is the text of one window, and the cached answers for windows. The text is in a buffer
// that the next window overwrites.
type joinedText struct {
	text    []byte
	key     windowKey
	answers map[answerKey]bool
}

// windowKey identifies a joined text: its window and the number of recursion texts.
type windowKey struct {
	w     Window
	texts int
}

// answerKey identifies the answer for an atom and a window.
type answerKey struct {
	set *hitSet
	ref Ref
	windowKey
}

// reset prepares for the next scan.
func (j *joinedText) reset() {
	j.key = windowKey{}
	clear(j.answers)
}

// askText decides an atom by the whole window.
func (s *Search) askText(h *hitSet, ref Ref, w Window) bool {
	key := answerKey{h, ref, windowKey{w, s.recursionCount}}
	if answer, ok := s.joinedText.answers[key]; ok {
		return answer
	}
	answer := h.by.matchJoined(ref, s.windowText(w), &s.Fuses)
	if s.joinedText.answers == nil {
		s.joinedText.answers = map[answerKey]bool{}
	}
	s.joinedText.answers[key] = answer
	return answer
}

// windowText builds the text of a window, with a newline and U+0001 between its parts. It starts
// with U+0001 and the messages from the newest on. Then come the texts of the persona and the
// character that the entry asks for, all injections and all recursion texts. Empty messages have a
// slot unless only empty ones follow.
func (s *Search) windowText(w Window) string {
	if w == (Window{}) {
		return ""
	}
	as := windowKey{w, s.recursionCount}
	if as == s.joinedText.key {
		return stringOf(s.joinedText.text)
	}
	s.joinedText.key = as
	b := append(s.joinedText.text[:0], 1)
	hasPart := false
	for i := range min(w.Depth, s.maxMessages) {
		if w.Only != 0 && !s.passes(w, i) {
			continue
		}
		if hasPart {
			b = append(b, joint...)
		}
		b, hasPart = s.index.appendMessage(b, s.texts.Chat.At(s.texts.Chat.Len()-1-i)), true
	}
	add := func(text string) { b = append(append(b, joint...), text...) }
	for i, text := range s.texts.Data {
		if text != "" && w.Parts&(1<<i) != 0 {
			add(text)
		}
	}
	if w.Parts&PartInjection != 0 {
		for _, text := range s.texts.Injections {
			add(text)
		}
	}
	if w.Parts&PartRecursion != 0 {
		for i := range s.recursionCount {
			add(s.texts.Recursion.RecursionText(i))
		}
	}
	s.joinedText.text = b
	return stringOf(b)
}
