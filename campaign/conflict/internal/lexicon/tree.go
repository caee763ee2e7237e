package lexicon

import (
	"slices"
	"sync"
)

// A lexicon finds the words of vocabularies in one pass. It is immutable after freeze.
type lexicon struct {
	next   map[edge]int32
	uses   [][]use // by node
	byName map[string]Class
	claims []Class // classes whose words make claims
	nouns  []Class
	read   []Pattern
	net    []Pattern
}

func newLexicon() *lexicon {
	l := &lexicon{next: make(map[edge]int32, expectedNodes), uses: make([][]use, 1, expectedNodes), byName: map[string]Class{}}
	for i, name := range classNames[1:] {
		l.byName[name] = Class(i + 1)
	}
	return l
}

// expectedNodes is the approximate number of nodes in the tree of both vocabularies.
const expectedNodes = 200_000

func (l *lexicon) freeze() {}

func (l *lexicon) child(node int32, c rune) (int32, bool) {
	child, ok := l.next[edge{node, c}]
	return child, ok
}

type edge struct {
	node int32
	char rune
}

// A use is a class that a word belongs to or shields from.
type use struct {
	tag     Class
	shields bool
}

// find returns the words of the lexicon in text. Words in ASCII letters match only as whole words.
func (l *lexicon) find(text []rune) *Hits {
	classes := len(l.byName) + 1
	scratch := searches.Get().(*search)
	defer searches.Put(scratch)
	scratch.lists = slices.Grow(scratch.lists[:0], 2*classes)[:2*classes]
	clear(scratch.lists)
	found, shields := Hits{lists: scratch.lists[:classes]}, Hits{lists: scratch.lists[classes:]}
	all := scratch.hits[:0]
	for i := range text {
		if i > 0 && Joined(text[i-1], text[i]) {
			continue
		}
		// Walk down the tree while the text matches. Words are short, so this is a small constant
		// for each character.
		node := int32(0)
		for j := i; j < len(text); j++ {
			child, ok := l.child(node, text[j])
			if !ok {
				break
			}
			node = child
			if j+1 < len(text) && Joined(text[j], text[j+1]) {
				continue
			}
			for _, u := range l.uses[node] {
				all = append(all, hit{uint32(i), uint16(j + 1 - i), u})
				if u.shields {
					shields.lists[u.tag].size++
				} else {
					found.lists[u.tag].size++
				}
			}
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
