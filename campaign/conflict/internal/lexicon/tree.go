package lexicon

import (
	"slices"
	"sync"
)

// A lexicon finds the words of vocabularies in one pass. It is immutable.
type lexicon struct {
	next map[edge]int32
	uses [][]use // by node
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

// kind is 0 for a word of the class and 1 for a shield.
func (u use) kind() int {
	if u.shields {
		return 1
	}
	return 0
}

// find returns the words of the lexicon in text. Words in ASCII letters match only as whole words.
func (l *lexicon) find(text []rune) *Hits {
	var found, shields Hits
	var sizes [2][tagCount]int // of the lists of found and shields
	scratch := searches.Get().(*search)
	defer searches.Put(scratch)
	all := scratch.hits[:0]
	for i := range text {
		if i > 0 && Joined(text[i-1], text[i]) {
			continue
		}
		// Walk down the tree while the text matches. Words are short, so this is a small constant
		// for each character.
		node := int32(0)
		for j := i; j < len(text); j++ {
			child, ok := l.next[edge{node, text[j]}]
			if !ok {
				break
			}
			node = child
			if j+1 < len(text) && Joined(text[j], text[j+1]) {
				continue
			}
			for _, u := range l.uses[node] {
				all = append(all, hit{uint32(i), uint16(j + 1 - i), u})
				sizes[u.kind()][u.tag]++
			}
		}
	}
	scratch.hits = all
	// The lists share one array: see BenchmarkTurn/history=N of package campaign.
	for kind, hits := range []*Hits{&found, &shields} {
		used := int32(0)
		for t, n := range sizes[kind] {
			hits.lists[t].start = used
			used += int32(n)
		}
		if kind == 0 {
			found.spans = make([]Span, used)
		} else {
			scratch.spans = slices.Grow(scratch.spans[:0], int(used))[:used]
			shields.spans = scratch.spans
		}
	}
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
	return &found
}

// A search holds the reusable buffers for finding words.
type search struct {
	hits  []hit
	spans []Span
}

var searches = sync.Pool{New: func() any { return &search{} }}

// hit is one use of a word in a text.
type hit struct {
	start uint32
	size  uint16
	use
}
