package match

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
)

// Index finds keys in texts. It is immutable and safe for concurrent use.
type Index struct {
	atoms            []atom
	texts            keyTexts
	indexes          []textIndex // the first one is of folded texts
	regexes          []regexKey
	unguardedRegexes []int32 // regexes that run on every text
	edgeRegexes      []int32 // regexes made of folded literals, at least one with a word edge
	joinedOnly       bool    // some atoms are decided only in the joined window, without a mark
	joined           []joinedKey
	// mark begins every part of a window: U+0001, or nothing if regexes see bare messages.
	mark  string
	names bool // messages include the names of their speakers
	words Words
	pool  sync.Pool // *matchScratch
}

// textIndex finds the keys of one list.
type textIndex struct {
	keyList // without its keys
	index   *keyindex.Index
}

// finds is the result of searching one text.
type finds struct {
	atoms   []int32 // certainly found; regexes made of literals may occur twice
	maybe   []int32 // regex atoms that the joined window decides
	stopped []int32 // stopped regexes
	// steps is the cost of the regexes. stoppedBefore identifies the keys that were stopped before the search.
	// outOfSteps reports that the scan had too few steps left. Then the finds depend on more than the text.
	steps         int
	stoppedBefore string
	outOfSteps    bool
}

// matchScratch has the buffers of one search, which the next search reuses.
type matchScratch struct {
	folded []byte
	formed []byte // of a different index than the first one
	hits   []int32
	atoms  []int32
	runs   []int32 // regexes whose guard was found
}

// Build makes the Index of all added keys. Do not use the builder afterwards.
func (b *Builder) Build() *Index {
	m := &Index{
		atoms: b.atoms, texts: b.texts,
		regexes: b.regexes, joined: b.joined, mark: "\x01", words: b.rules.Words,
		joinedOnly: len(b.joined) > 0, names: b.rules.IncludeNames,
	}
	if b.rules.RegexPerMessage {
		m.mark = ""
	}
	for _, l := range b.lists {
		x := textIndex{l, keyindex.Build(l.keys)}
		x.keys = nil
		m.indexes = append(m.indexes, x)
	}
	for i := range b.regexes {
		r := &b.regexes[i]
		m.joinedOnly = m.joinedOnly || r.unannounced()
		if r.plan.Literals == nil && r.plan.Guard == nil && r.plan.Locality != jsregex.Whole {
			m.unguardedRegexes = append(m.unguardedRegexes, int32(i))
		}
		if r.plan.Folded && slices.ContainsFunc(r.plan.Literals, hasEdge) {
			m.edgeRegexes = append(m.edgeRegexes, int32(i))
		}
	}
	m.pool.New = func() any { return new(matchScratch) }
	return m
}

// scanText finds the keys of one part of a window. The result depends only on the text and the
// stopped keys, so it can be cached. The marks decide later whether and where the text is in a
// window.
func (m *Index) scanText(text string, fuses *Fuses) *finds {
	s := m.pool.Get().(*matchScratch)
	defer m.pool.Put(s)
	f := &finds{atoms: s.atoms[:0], stoppedBefore: fuses.signature()}
	s.runs = append(s.runs[:0], m.unguardedRegexes...)
	oddASCII := m.search(s, text, func(to target, odd bool) {
		if regex, ok := to.guards(); ok {
			s.runs = append(s.runs, regex)
		} else if atom := int32(to); !odd || m.atoms[atom].kind != atomRegex || m.runRegex(f, atom, text, fuses) {
			f.atoms = append(f.atoms, atom)
		}
	})
	if oddASCII {
		m.runEdgeRegexes(f, s.folded, text, fuses)
	}
	m.runRegexes(f, s, text, fuses)
	s.atoms, f.atoms = f.atoms, slices.Clone(f.atoms) // with its exact size
	return f
}

// search searches all indexes and calls found for each hit. It stores the folded text in s.folded.
// oddASCII reports that folding changed the set of ASCII characters of the text. Then odd is set for
// hits in the folded text.
func (m *Index) search(s *matchScratch, text string, found func(to target, odd bool)) (oddASCII bool) {
	s.folded, oddASCII = keyindex.Fold(s.folded[:0], text)
	for i := range m.indexes {
		x, searched := &m.indexes[i], s.folded
		if i > 0 {
			searched = x.prepare(s, text)
		}
		for _, h := range m.hits(s, x.index, searched) {
			found(x.to[h], oddASCII && i == 0)
		}
	}
	return oddASCII
}

// prepare returns a text in the form of the keys. It does not change s.folded.
func (x *textIndex) prepare(s *matchScratch, text string) []byte {
	s.formed = x.form.append(s.formed[:0], text)
	if x.exact {
		return s.formed
	}
	size := len(s.formed)
	s.formed, _ = keyindex.Fold(s.formed, stringOf(s.formed))
	return s.formed[size:]
}

// hits searches one index.
func (m *Index) hits(s *matchScratch, x *keyindex.Index, text []byte) []int32 {
	if m.words == nil {
		s.hits = x.Scan(s.hits[:0], text, nil)
	} else {
		whole := string(text)
		s.hits = x.Scan(s.hits[:0], text, func(_, start, end int) bool {
			return m.words.IsWord(whole, start, end)
		})
	}
	return s.hits
}

// hasEdge reports whether a literal needs a word edge.
func hasEdge(k keyindex.Key) bool { return k.Left != keyindex.AnyEdge || k.Right != keyindex.AnyEdge }

// runEdgeRegexes runs regexes made of literals where folding can hide the end of a word. In the text
// "kİ" a word ends after the k. In its folded form "ki̇" it does not.
func (m *Index) runEdgeRegexes(f *finds, folded []byte, text string, fuses *Fuses) {
	for _, which := range m.edgeRegexes {
		r := &m.regexes[which]
		in := func(k keyindex.Key) bool { return hasEdge(k) && bytes.Contains(folded, []byte(k.Text)) }
		if slices.ContainsFunc(r.plan.Literals, in) && m.runRegex(f, r.atom, text, fuses) {
			f.atoms = append(f.atoms, r.atom)
		}
	}
}

// runRegex runs a regex made of literals on a text in which folding changed the set of ASCII
// characters.
func (m *Index) runRegex(f *finds, to int32, text string, fuses *Fuses) bool {
	which := m.atoms[to].which
	return fuses.match(f, &m.regexes[which], which, m.mark+text)
}

// runRegexes runs the regexes that the text may match, in the order of their numbers. Hits come in
// the order of the text, and the choice of the regex that is stopped first must not depend on it.
//
// A part is at the end of a window, or a newline and U+0001 follow it. A regex that can see the
// difference runs on both forms. If the answers differ, the joined window decides.
func (m *Index) runRegexes(f *finds, s *matchScratch, text string, fuses *Fuses) {
	slices.Sort(s.runs)
	part := ""
	for _, which := range slices.Compact(s.runs) {
		r := &m.regexes[which]
		if r.plan.Locality == jsregex.Whole {
			f.maybe = append(f.maybe, r.atom)
			continue
		}
		if !hasNeeds(&r.plan, s.folded) {
			continue
		}
		if part == "" {
			part = m.mark + text + "\n\x01"
		}
		bare := fuses.match(f, r, which, part[:len(part)-2])
		if r.plan.Locality == jsregex.PerPartTail && bare != fuses.match(f, r, which, part) {
			f.maybe = append(f.maybe, r.atom)
			continue
		}
		if bare {
			f.atoms = append(f.atoms, r.atom)
		}
	}
}

// hasNeeds reports whether the folded text contains a literal of every choice.
func hasNeeds(p *jsregex.Plan, folded []byte) bool {
	for _, choice := range p.Needs {
		has := func(s string) bool { return bytes.Contains(folded, []byte(s)) }
		if !slices.ContainsFunc(choice, has) {
			return false
		}
	}
	return true
}

// ScanContent finds the keys in the text of an entry, for recursion. Found plain keys are valid
// wherever the text is placed. engine reports that a regex must search the text in its place.
func (m *Index) ScanContent(text string) (atoms []int32, engine bool) {
	s := m.pool.Get().(*matchScratch)
	defer m.pool.Put(s)
	s.atoms = s.atoms[:0]
	oddASCII := m.search(s, text, func(to target, odd bool) {
		if _, ok := to.guards(); ok || odd && m.atoms[to].kind == atomRegex {
			engine = true
		} else {
			s.atoms = append(s.atoms, int32(to))
		}
	})
	engine = engine || len(m.unguardedRegexes) > 0 || oddASCII && len(m.edgeRegexes) > 0
	return slices.Clone(s.atoms), engine
}

// matchJoined decides an atom by the whole window.
func (m *Index) matchJoined(ref Ref, window string, fuses *Fuses) bool {
	a := m.atoms[ref]
	if a.kind == atomRegex {
		return fuses.match(new(finds), &m.regexes[a.which], a.which, window)
	}
	return m.joined[a.which].in(window)
}

// in reports whether the key is in a window.
func (k *joinedKey) in(window string) bool {
	window = k.form.reduce(window)
	if !k.caseSensitive {
		window = keyindex.FoldString(window)
	}
	if !k.wholeWords {
		return strings.Contains(window, k.needle)
	}
	for at := 0; at <= len(window); at++ {
		i := strings.Index(window[at:], k.needle)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(k.needle)
		if (at == 0 || !keyindex.IsWordByte(window[at-1])) &&
			(end == len(window) || !keyindex.IsWordByte(window[end])) {
			return true
		}
	}
	return false
}

// ScanText returns the atoms that a text may contain, including atoms that depend on its place in a
// window.
func (m *Index) ScanText(text string, fuses *Fuses) []int32 {
	found := m.scanText(text, fuses)
	return slices.Concat(found.atoms, found.maybe)
}

// Certain returns the atoms that a text contains wherever it is placed.
func (m *Index) Certain(text string, fuses *Fuses) []int32 { return m.scanText(text, fuses).atoms }

// RunAway reports whether a key is a regex that only its step limit stops.
func (m *Index) RunAway(ref Ref) bool {
	if ref < 0 || ref >= Dynamic || m.atoms[ref].kind != atomRegex {
		return false
	}
	return m.regexes[m.atoms[ref].which].re.RunAway()
}

// match runs one regex. It records in found the cost and whether the regex was stopped. A stopped key is not
// run again. The finds may be cached only if a full step limit was available (see finds.outOfSteps).
func (f *Fuses) match(found *finds, r *regexKey, which int32, text string) bool {
	if f.has(r.name) {
		return false
	}
	usual := jsregex.Limit(len(text))
	limit := min(usual, f.stepsLeft)
	ok, steps, err := r.re.MatchCounted(text, limit)
	f.stepsLeft -= min(steps, f.stepsLeft)
	found.steps += steps
	if err == nil {
		return ok
	}
	f.Blow(r.name)
	found.stopped = append(found.stopped, which)
	found.outOfSteps = found.outOfSteps || limit < usual
	return false
}

// acceptCached reports whether cached finds equal the result of a search now. If so, it charges the cost of
// that search, so that results do not depend on the cache.
func (f *Fuses) acceptCached(by *Index, found *finds) bool {
	if found.stoppedBefore != f.signature() || found.steps > f.stepsLeft {
		return false
	}
	f.stepsLeft -= found.steps
	for _, which := range found.stopped {
		f.Blow(by.regexes[which].name)
	}
	return true
}

// prepareMessage returns the searched form of a message.
func (x *Index) prepareMessage(m Message) string {
	if !x.names {
		return keyindex.TrimSpace(Valid(m.Text))
	}
	return stringOf(x.appendMessage(make([]byte, 0, len(m.Name)+len(": ")+len(m.Text)), m))
}

// appendMessage appends the searched form of a message.
func (x *Index) appendMessage(b []byte, m Message) []byte {
	from := len(b)
	if x.names {
		b = append(append(b, Valid(m.Name)...), ": "...)
	}
	b = append(b, Valid(m.Text)...)
	return append(b[:from], keyindex.TrimSpace(stringOf(b[from:]))...)
}

// Extra holds the keys of one scan: their own index, and the meaning in it of each dynamic
// reference of the book's keys. The zero value has no keys.
type Extra struct {
	Index *Index
	Refs  []Ref
}

// NewExtra builds the index of keys; texts are the keys with macros expanded.
func NewExtra(rules Rules, specs []Spec, texts []string) Extra {
	b := NewBuilder(rules)
	refs := make([]Ref, len(texts))
	for i, text := range texts {
		refs[i], _ = b.AddKind(text, specs[i])
	}
	return Extra{Index: b.Build(), Refs: refs}
}

// ExtraName returns a text that is equal only for equal keys with equal rules.
func ExtraName(specs []Spec, texts []string) string {
	var name strings.Builder
	for i, spec := range specs {
		fmt.Fprintf(&name, "%q %t %t %d %d ", texts[i], spec.Rules.CaseSensitive, spec.Rules.WholeWords, spec.Rules.Form, spec.Kind)
	}
	return name.String()
}
