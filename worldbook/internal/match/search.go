package match

import (
	"math/bits"
	"slices"
)

// Search is the working memory of the search for keys in one scan. Successive scans reuse it.
//
// A scan has two phases. First the texts that exist before the first loop are looked up: Begin,
// SetExtra, Prepare. Their finds are collected as notes and turned into marks at once, because an
// unchanged chat has the same notes as in the previous scan. Then the loops ask for keys (First,
// Found, Count), and may add texts (Reach, Recur). The finds in these are marked immediately.
type Search struct {
	// Touched are the entries that a loop must examine: a text contains one of their primary keys,
	// or the scan added them. It grows during the scan.
	Touched Set
	reader

	index    *Index // of the keys of the books
	users    *Users // which entries have which keys
	texts    Texts
	slots    int // newest messages that a window can have; older ones are all empty
	read     int // newest messages that are looked up already
	recurred int // number of recursion texts

	base, extra hitSet // what was found: of the index, and of the keys that only this scan has
	extraRefs   []Ref  // the keys of extra, by their reference minus Dynamic
	inUse       [2]*hitSet
	keyed       Set       // entries whose keys were found before the first loop
	keyBits     []keyBits // which primary keys of an entry were found, by entry
	entries     int
	settled     bool // the second phase has begun
	joined      joined
}

// reader finds the keys of texts and caches them.
type reader struct {
	Fuses Fuses // the stopped regexes
	cache *Cache
}

// find returns the finds in the text that prepare returns for a message. Finds are not cached if
// the scan had too few steps left.
func (r *reader) find(by *Index, m Message, prepare func(Message) string) *finds {
	f := r.cache.get(by, m)
	if f == nil || !r.Fuses.accept(by, f) {
		f = by.scanText(prepare(m), &r.Fuses)
		if !f.short {
			r.cache.put(by, m, f)
		}
	}
	return f
}

// findText is find for a text that is not a message. It uses a name that no message has, so that
// the cache keeps these texts apart from messages, which are trimmed and may have names.
func (r *reader) findText(by *Index, text string) *finds {
	return r.find(by, Message{Name: "\x00", Text: text}, func(m Message) string { return m.Text })
}

// Begin prepares a search for the keys of entries. The entries of always are examined even if no
// key is found.
func (s *Search) Begin(x *Index, users *Users, cache *Cache, always Set, entries int) {
	s.index, s.users, s.cache, s.entries = x, users, cache, entries
	s.read, s.recurred, s.settled = 0, 0, false
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
	s.slots = 0
	for i := range min(n, MaxMessages) {
		if s.index.names || s.index.mark == "" || texts.Chat.At(n-1-i).Text != "" {
			s.slots = i + 1
		}
	}
	s.Reach(depth)
	if s.slots == 0 && s.index.mark != "" {
		s.readNothing()
	}
	for i, text := range texts.Data {
		s.readPart(text, 1<<i)
	}
	for _, text := range texts.Injections {
		s.readPart(text, PartInjection)
	}
	s.settle()
}

// Release drops the texts.
func (s *Search) Release() {
	s.texts, s.cache = Texts{}, nil
	s.joined.forget()
}

// settle ends the first phase: it turns the notes into marks.
func (s *Search) settle() {
	if s.HasExtra() {
		s.extra.settle()
	}
	if !s.base.settle() {
		s.keyBits = Resized(s.keyBits, s.entries)
		s.keyed = s.keyed.Reset(s.entries)
		s.touch(s.keyed)
	}
	s.Touched.Union(s.keyed)
	s.settled = true
}

// note records the finds in a text. In the second phase it also marks them.
func (s *Search) note(h *hitSet, n note) {
	if !s.settled {
		h.notes = append(h.notes, n)
		return
	}
	h.add(n)
	s.touch(s.Touched)
}

// Reach extends the searched messages to the newest n.
func (s *Search) Reach(n int) {
	n = min(n, s.slots)
	for ; s.read < n; s.read++ {
		m := s.texts.Chat.At(s.texts.Chat.Len() - 1 - s.read)
		if !s.index.names {
			m.Name = ""
		}
		for _, h := range s.sets() {
			f := s.find(h.by, m, s.index.prepareMessage)
			s.note(h, note{finds: f, depth: int32(s.read)})
			if s.texts.Passes != nil {
				h.messages = append(h.messages, f)
			}
		}
	}
}

// readNothing records what can match the U+0001 of a window without messages.
func (s *Search) readNothing() {
	for _, h := range s.sets() {
		s.note(h, note{finds: s.findText(h.by, ""), depth: undecided})
	}
}

// readPart records the finds in one of the other texts.
func (s *Search) readPart(text string, p Parts) {
	if text == "" {
		return
	}
	for _, h := range s.sets() {
		s.note(h, note{finds: s.findText(h.by, text), parts: p})
	}
}

// Recur adds a recursion text.
func (s *Search) Recur(text string) {
	s.recurred++
	s.readPart(text, PartRecursion)
}

// RecurKnown adds a recursion text without a search. The text contains exactly the atoms that
// [Search.Holds] got since the previous text.
func (s *Search) RecurKnown() {
	s.recurred++
	s.touch(s.Touched)
}

// Holds adds atoms to the next recursion text, see [Search.RecurKnown].
func (s *Search) Holds(atoms []int32) { s.base.addAtoms(atoms, PartRecursion) }

// sets returns the hit sets that are in use.
func (s *Search) sets() []*hitSet {
	s.inUse = [2]*hitSet{&s.base, &s.extra}
	if !s.HasExtra() {
		return s.inUse[:1]
	}
	return s.inUse[:]
}

// touch adds the entries whose primary keys were found for the first time. Entries with extra keys
// are always examined.
func (s *Search) touch(entries Set) {
	h := &s.base
	for _, a := range h.fresh {
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
	h.fresh = h.fresh[:0]
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
			if ref := keys.At(k); certain && s.base.marks[ref].in(w) || s.Found(ref, w) {
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
		switch marked := s.base.any.Has(int(ref)); {
		case !marked && !s.index.late:
			return false // most keys are in no text
		case marked && len(s.Fuses.names) == 0 && w.Only == 0 && s.base.marks[ref].in(w):
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
	ask := h.ask
	if w.Only != 0 {
		ask = s.filtered(h).ask
	}
	switch ask(ref, w, &s.Fuses) {
	case yes:
		return true
	case no:
		return false
	}
	return s.askText(h, ref, w)
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
		text = view(written)
	}
	h, ref := s.resolve(ref)
	switch {
	case ref == Always:
		return Anywhere, text
	case w.Only != 0:
		return s.filtered(h).place(ref, w), text
	case h.any.Has(int(ref)):
		return h.marks[ref].place(w), text
	}
	return Spread, text
}

// Atom returns the number of a key that is in the list of atoms of every text that contains it. It
// returns false for all other keys, such as regexes.
func (s *Search) Atom(ref Ref) (int32, bool) {
	if ref < 0 || ref >= Dynamic {
		return 0, false
	}
	kind := s.index.atoms[ref].kind
	return int32(ref), kind == atomPlain || kind == atomExact
}

// InText reports whether a text alone contains a key. It does not change the search: the fuses are
// the caller's.
func (s *Search) InText(ref Ref, text string, fuses *Fuses) bool {
	h, ref := s.resolve(ref)
	if ref < 0 {
		return false
	}
	switch h.by.atoms[ref].kind {
	case atomRegex, atomJoined:
		return h.by.matchJoined(ref, h.by.mark+text, fuses)
	}
	return slices.Contains(h.by.scanText(text, fuses).atoms, int32(ref))
}

// joined is the text of one window, and the cached answers for windows. The text is in a buffer
// that the next window overwrites.
type joined struct {
	text     []byte
	of       joinedAs
	verdicts map[verdict]bool
}

// joinedAs identifies a joined text: its window and the number of recursion texts.
type joinedAs struct {
	w     Window
	texts int
}

// verdict identifies the answer for an atom and a window.
type verdict struct {
	set *hitSet
	ref Ref
	joinedAs
}

// forget prepares for the next scan.
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

// windowText builds the text of a window, with a newline and U+0001 between its parts. It starts
// with U+0001 and the messages from the newest on. Then come the texts of the persona and the
// character that the entry asks for, all injections and all recursion texts. Empty messages have a
// slot unless only empty ones follow.
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
	some := false
	for i := range min(w.Depth, s.slots) {
		if w.Only != 0 && !s.passes(w, i) {
			continue
		}
		if some {
			b = append(b, joint...)
		}
		b, some = s.index.appendMessage(b, s.texts.Chat.At(s.texts.Chat.Len()-1-i)), true
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
		for i := range s.recurred {
			add(s.texts.Recursion.RecursionText(i))
		}
	}
	s.joined.text = b
	return view(b)
}
