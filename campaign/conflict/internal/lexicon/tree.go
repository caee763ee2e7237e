package lexicon

import (
	"slices"
	"sync"

	"github.com/talewright/talewright/internal/keyindex"
)

// A lexicon finds the words of vocabularies in one pass. It is immutable after compileFiles.
type lexicon struct {
	byName   map[string]Class
	claims   []Class // classes whose words make claims
	nouns    []Class // classes of nouns that can be names
	lastWord Class   // the last class of a vocabulary; later classes belong to patterns
	patterns []Pattern

	graph   keyindex.Graph // of the words; only while the files are read
	entries *keyindex.Words
}

func newLexicon() *lexicon {
	l := &lexicon{byName: map[string]Class{}}
	for i, name := range classNames[1:] {
		l.byName[name] = Class(i + 1)
	}
	return l
}

// A meaning is a class that a word belongs to. A word that shields does not count itself: it hides words of
// the class inside it.
type meaning struct {
	class   Class
	shields bool
}

// value returns a meaning as a value of a graph. meaningOf is its inverse.
func (m meaning) value() int32 {
	if m.shields {
		return int32(m.class)<<1 | 1
	}
	return int32(m.class) << 1
}

func meaningOf(value int32) meaning { return meaning{Class(value >> 1), value&1 != 0} }

// hit is a word in a text with one of its meanings.
type hit struct {
	start uint32
	size  uint16 // in characters
	meaning
}

func (h hit) span() Span { return Span{int(h.start), int(h.start) + int(h.size)} }

// appendHits appends the words that begin at a place of a text to a list. A word in ASCII letters does not
// end within a longer word.
func (l *lexicon) appendHits(hits []hit, text []rune, from int) []hit {
	node := int32(0)
	for i := from; i < len(text); i++ {
		if node = l.entries.Next(node, text[i]); node == 0 {
			break
		}
		if i+1 < len(text) && Joined(text[i], text[i+1]) {
			continue
		}
		for _, value := range l.entries.Values(node) {
			hits = append(hits, hit{uint32(from), uint16(i + 1 - from), meaningOf(value)})
		}
	}
	return hits
}

// find returns the words of a text, without those in shields.
func (l *lexicon) find(text []rune) *Hits {
	classes := len(l.byName) + 1
	b := searchBuffers.Get().(*buffers)
	defer searchBuffers.Put(b)
	b.hits = b.hits[:0]
	for i := range text {
		if i == 0 || !Joined(text[i-1], text[i]) {
			b.hits = l.appendHits(b.hits, text, i)
		}
	}
	b.lists = slices.Grow(b.lists[:0], 2*classes)[:2*classes]
	clear(b.lists)
	found, shields := Hits{lists: b.lists[:classes]}, Hits{lists: b.lists[classes:]}
	resultOf := func(h hit) *Hits {
		if h.shields {
			return &shields
		}
		return &found
	}
	for _, h := range b.hits {
		resultOf(h).lists[h.class].size++
	}
	// The spans of all lists are in one array, so that a text costs one allocation.
	found.spans = make([]shortSpan, found.place())
	inShields := int(shields.place())
	b.spans = slices.Grow(b.spans[:0], inShields)[:inShields]
	shields.spans = b.spans
	for _, h := range b.hits {
		resultOf(h).put(h.class, h.span())
	}
	for class, l := range found.lists {
		if l.size > 0 && shields.lists[class].size > 0 {
			found.lists[class].size = int32(len(unshielded(found.words(Class(class)), shields.words(Class(class)))))
		}
	}
	return found.compact()
}

// buffers is the memory of one search that its result does not use.
type buffers struct {
	hits  []hit
	spans []shortSpan
	lists []list
}

var searchBuffers = sync.Pool{New: func() any { return &buffers{} }}
