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
	nouns    []Class
	words    Class // the last class of the vocabularies; the later ones are of patterns
	patterns []Pattern

	graph   keyindex.Graph // while the files are read
	entries *keyindex.Words
}

func newLexicon() *lexicon {
	l := &lexicon{byName: map[string]Class{}}
	for i, name := range classNames[1:] {
		l.byName[name] = Class(i + 1)
	}
	return l
}

// at appends the words that begin at a place to a list. Words in ASCII letters match only as whole
// words: no letter is before the place.
func (l *lexicon) at(text []rune, from int, list []hit) []hit {
	node := int32(0)
	for i := from; i < len(text); i++ {
		if node = l.entries.Next(node, text[i]); node == 0 {
			break
		}
		if i+1 < len(text) && Joined(text[i], text[i+1]) {
			continue
		}
		for _, value := range l.entries.Values(node) {
			list = append(list, hit{uint32(from), uint16(i + 1 - from), useOf(value)})
		}
	}
	return list
}

// A use is a class that a word belongs to or shields from.
type use struct {
	tag     Class
	shields bool
}

// value returns a use as a value of a graph.
func (u use) value() int32 {
	if u.shields {
		return int32(u.tag)<<1 | 1
	}
	return int32(u.tag) << 1
}

func useOf(value int32) use { return use{Class(value >> 1), value&1 != 0} }

// find returns the words of the lexicon in text.
func (l *lexicon) find(text []rune) *Hits {
	classes := len(l.byName) + 1
	scratch := searches.Get().(*search)
	defer searches.Put(scratch)
	scratch.lists = slices.Grow(scratch.lists[:0], 2*classes)[:2*classes]
	clear(scratch.lists)
	found, shields := Hits{lists: scratch.lists[:classes]}, Hits{lists: scratch.lists[classes:]}
	all := scratch.hits[:0]
	for i := range text {
		if i == 0 || !Joined(text[i-1], text[i]) {
			all = l.at(text, i, all)
		}
	}
	for _, h := range all {
		if h.shields {
			shields.lists[h.tag].size++
		} else {
			found.lists[h.tag].size++
		}
	}
	scratch.hits = all
	// The lists share one array: see BenchmarkTurn/history=N of package campaign.
	found.spans = make([]Span, found.place())
	used := int(shields.place())
	scratch.spans = slices.Grow(scratch.spans[:0], used)[:used]
	shields.spans = scratch.spans
	for _, h := range all {
		s := Span{int(h.start), int(h.start) + int(h.size)}
		if h.shields {
			shields.put(h.tag, s)
		} else {
			found.put(h.tag, s)
		}
	}
	for t := range found.lists {
		found.lists[t].size = int32(len(unshielded(found.All(Class(t)), shields.All(Class(t)))))
	}
	return found.compact()
}

// A search holds the reusable buffers for finding words.
type search struct {
	hits  []hit
	spans []Span
	lists []list
}

var searches = sync.Pool{New: func() any { return &search{} }}

// hit is one use of a word in a text.
type hit struct {
	start uint32
	size  uint16
	use
}
