package lexicon

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A lexicon finds the words of vocabularies in one pass. It is immutable after freeze.
type lexicon struct {
	forms    []form // the words, before freeze
	byName   map[string]Class
	claims   []Class // classes whose words make claims
	nouns    []Class
	words    Class // the last class of the vocabularies; the later ones are of patterns
	patterns []Pattern

	// The tree of the words. The nodes are numbered by depth, so the children of a node are together.
	// They end where the children of the next node begin.
	first []int32        // by node: its first child
	chars []rune         // by node: the character that leads to it
	all   []use          // of the words, in order
	ends  [][2]int32     // by node: the range of its uses
	roots map[rune]int32 // the children of the root
}

// A form is one spelling of a word.
type form struct {
	text string
	use
}

func newLexicon() *lexicon {
	l := &lexicon{forms: make([]form, 0, expectedForms), byName: map[string]Class{}}
	for i, name := range classNames[1:] {
		l.byName[name] = Class(i + 1)
	}
	return l
}

// expectedForms is the approximate number of forms of both vocabularies.
const expectedForms = 70_000

// freeze builds the tree. Sorted forms make it in one pass.
func (l *lexicon) freeze() {
	slices.SortFunc(l.forms, func(a, b form) int {
		if c := strings.Compare(a.text, b.text); c != 0 {
			return c
		}
		switch {
		case a.tag != b.tag:
			return int(a.tag) - int(b.tag)
		case a.shields == b.shields:
			return 0
		case b.shields:
			return -1
		}
		return 1
	})
	forms := slices.Compact(l.forms)
	type part struct{ from, to, size int32 } // forms with the same beginning of that size in bytes
	parts := make([]part, 1, 3*len(forms))
	parts[0] = part{0, int32(len(forms)), 0}
	l.chars = make([]rune, 1, cap(parts))
	l.all = make([]use, len(forms))
	for i, f := range forms {
		l.all[i] = f.use
	}
	l.first, l.ends = make([]int32, 0, cap(parts)), make([][2]int32, 0, cap(parts))
	for n := 0; n < len(parts); n++ {
		p := parts[n]
		l.first = append(l.first, int32(len(parts)))
		i := p.from
		for i < p.to && int32(len(forms[i].text)) == p.size {
			i++
		}
		l.ends = append(l.ends, [2]int32{p.from, i})
		for i < p.to {
			c, size := utf8.DecodeRuneInString(forms[i].text[p.size:])
			end := i + 1
			for end < p.to && strings.HasPrefix(forms[end].text[p.size:], forms[i].text[p.size:p.size+int32(size)]) {
				end++
			}
			parts, l.chars = append(parts, part{i, end, p.size + int32(size)}), append(l.chars, c)
			i = end
		}
	}
	l.first = append(l.first, int32(len(parts)))
	l.roots = make(map[rune]int32, l.first[1])
	for n := l.first[0]; n < l.first[1]; n++ {
		l.roots[l.chars[n]] = n
	}
	l.forms = nil
}

// child returns the child of a node for a character.
func (l *lexicon) child(node int32, c rune) (int32, bool) {
	if node == 0 {
		child, ok := l.roots[c]
		return child, ok
	}
	from, to := l.first[node], l.first[node+1]
	i, ok := slices.BinarySearch(l.chars[from:to], c)
	return from + int32(i), ok
}

// usesOf returns the uses of the word that ends at a node.
func (l *lexicon) usesOf(node int32) []use { return l.all[l.ends[node][0]:l.ends[node][1]] }

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
			for _, u := range l.usesOf(node) {
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
