package lexicon

import (
	"slices"
	"sync"
)

// A lexicon finds the words of vocabularies in one pass. It is immutable after compileFiles.
type lexicon struct {
	byName   map[string]Class
	claims   []Class // classes whose words make claims
	nouns    []Class
	words    Class // the last class of the vocabularies; the later ones are of patterns
	patterns []Pattern

	// The tree of the words is a hash table of its edges. Words with one beginning share its nodes.
	edges []edge  // a power of two; an edge to node 0 is a free place
	last  []int32 // by node: the index in uses of the last use of the word that ends there; 0: none
	uses  []link
}

// An edge leads from a node to a child.
type edge struct {
	from int32
	char rune
	to   int32
}

// A link is a use of a word. before is the index of the use before, 0 for none.
type link struct {
	use
	before int32
}

// expectedEdges is a power of two. It is larger than the number of edges of both vocabularies.
const expectedEdges = 1 << 19

func newLexicon(edges int) *lexicon {
	l := &lexicon{byName: map[string]Class{}, edges: make([]edge, edges), last: make([]int32, 1, edges/2), uses: make([]link, 1, edges/8)}
	for i, name := range classNames[1:] {
		l.byName[name] = Class(i + 1)
	}
	return l
}

// place returns the index of the edge from a node with a character, or of the free place for it.
func (l *lexicon) place(node int32, c rune) uint32 {
	mask := uint32(len(l.edges) - 1)
	i := (uint32(node)*0x9E3779B1 ^ uint32(c)*0x85EBCA6B) >> 8 & mask
	for l.edges[i].to != 0 && (l.edges[i].from != node || l.edges[i].char != c) {
		i = (i + 1) & mask
	}
	return i
}

// child returns the child of a node for a character.
func (l *lexicon) child(node int32, c rune) (int32, bool) {
	to := l.edges[l.place(node, c)].to
	return to, to != 0
}

// grow returns the child of a node for a character. It adds a missing child.
func (l *lexicon) grow(node int32, c rune) int32 {
	at := &l.edges[l.place(node, c)]
	if at.to == 0 {
		if 2*len(l.last) > len(l.edges) {
			old := l.edges
			l.edges = make([]edge, 2*len(old))
			for _, e := range old {
				if e.to != 0 {
					l.edges[l.place(e.from, e.char)] = e
				}
			}
			at = &l.edges[l.place(node, c)]
		}
		*at = edge{node, c, int32(len(l.last))}
		l.last = append(l.last, 0)
	}
	return at.to
}

// mark adds a use to the word that ends at a node.
func (l *lexicon) mark(node int32, u use) {
	for i := l.last[node]; i != 0; i = l.uses[i].before {
		if l.uses[i].use == u {
			return
		}
	}
	l.uses = append(l.uses, link{u, l.last[node]})
	l.last[node] = int32(len(l.uses) - 1)
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
			for k := l.last[node]; k != 0; k = l.uses[k].before {
				u := l.uses[k].use
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
