package keyindex

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// A Graph collects words that share parts: a vocabulary that says "never {wakes/woke} again" has one
// node before and one after the choice. Several links with one character may leave a node. The zero
// Graph is empty; node 0 is before all words.
type Graph struct {
	nodes []graphNode
	links []link
}

// A graphNode has the index of its last link, and the value of the words that end there; 0: none.
type graphNode struct{ last, value int32 }

// A link leads to a node. before is the index of the link before, 0 for none.
type link struct {
	char       rune
	to, before int32
}

// Grow adds a node.
func (g *Graph) Grow() int32 {
	g.addFirstNode()
	g.nodes = append(g.nodes, graphNode{})
	return int32(len(g.nodes) - 1)
}

func (g *Graph) addFirstNode() {
	if len(g.nodes) == 0 {
		g.nodes, g.links = make([]graphNode, 1), make([]link, 1)
	}
}

// Link adds a link between two nodes.
func (g *Graph) Link(from int32, c rune, to int32) {
	g.links = append(g.links, link{c, to, g.nodes[from].last})
	g.nodes[from].last = int32(len(g.links) - 1)
}

// End gives the words that end at a node a value above 0. A node has one value.
func (g *Graph) End(node, value int32) { g.nodes[node].value = value }

// Words are the words of a [Graph] in a form in which a character leads from a node to one node. They
// are immutable and safe for concurrent use.
type Words struct {
	edges  []edge  // a hash table whose size is a power of two; an edge to node 0 is a free place
	first  []int32 // by node: the index of its first value; its last one is before the first of the next node
	values []int32
}

// An edge leads from a node to another one.
type edge struct {
	from int32
	char rune
	to   int32
}

// Join returns the words. A node of them stands for all nodes of the graph to which a text leads, so
// texts that lead to the same ones share it.
func (g *Graph) Join() *Words {
	g.addFirstNode()
	sets, known := make([]string, 0, len(g.nodes)), map[string]int32{} // a set has four bytes for each node of the graph
	alone := make([]int32, len(g.nodes))                               // 1 + the index of the set with only this node; most sets have one
	node := func(set []int32) int32 {
		slices.Sort(set)
		set = slices.Compact(set)
		if at := alone[set[0]]; len(set) == 1 && at > 0 {
			return at - 1
		}
		key := make([]byte, 0, 64)
		for _, n := range set {
			key = binary.NativeEndian.AppendUint32(key, uint32(n))
		}
		at, ok := known[string(key)]
		if !ok {
			at, sets = int32(len(sets)), append(sets, string(key))
			if len(set) == 1 {
				alone[set[0]] = at + 1
			} else {
				known[sets[at]] = at
			}
		}
		return at
	}
	w := &Words{}
	edges := make([]edge, 0, len(g.links))
	var links []link
	var to, values []int32
	for from := node([]int32{0}); int(from) < len(sets); from++ {
		links, values = links[:0], values[:0]
		for set := []byte(sets[from]); len(set) > 0; set = set[4:] {
			n := g.nodes[binary.NativeEndian.Uint32(set)]
			if n.value != 0 {
				values = append(values, n.value)
			}
			for k := n.last; k != 0; k = g.links[k].before {
				links = append(links, g.links[k])
			}
		}
		slices.SortFunc(links, func(a, b link) int { return cmp.Compare(a.char, b.char) })
		for i, l := range links {
			to = append(to, l.to)
			if i+1 == len(links) || links[i+1].char != l.char {
				edges = append(edges, edge{from, l.char, node(to)})
				to = to[:0]
			}
		}
		w.first = append(w.first, int32(len(w.values)))
		slices.Sort(values)
		w.values = append(w.values, slices.Compact(values)...)
	}
	w.first = append(w.first, int32(len(w.values)))
	w.edges = make([]edge, 1<<bits.Len(uint(2*len(edges))))
	for _, e := range edges {
		w.edges[w.place(e.from, e.char)] = e
	}
	return w
}

// place returns the index of the edge from a node with a character, or of the free place for it.
func (w *Words) place(node int32, c rune) uint32 {
	mask := uint32(len(w.edges) - 1)
	i := (uint32(node)*0x9E3779B1 ^ uint32(c)*0x85EBCA6B) >> 8 & mask
	for w.edges[i].to != 0 && (w.edges[i].from != node || w.edges[i].char != c) {
		i = (i + 1) & mask
	}
	return i
}

// Next returns the node after a character. It returns 0 if no word has this character next. The search
// for a word begins at node 0.
func (w *Words) Next(node int32, c rune) int32 { return w.edges[w.place(node, c)].to }

// Values returns the values of the words that end at a node, sorted. Do not modify the list.
func (w *Words) Values(node int32) []int32 { return w.values[w.first[node]:w.first[node+1]] }

// Each calls f with each word and its values.
func (w *Words) Each(f func(word string, values []int32)) {
	below := map[int32][]edge{}
	for _, e := range w.edges {
		if e.to != 0 {
			below[e.from] = append(below[e.from], e)
		}
	}
	var walk func(node int32, word string)
	walk = func(node int32, word string) {
		if values := w.Values(node); len(values) > 0 {
			f(word, values)
		}
		for _, e := range below[node] {
			walk(e.to, word+string(e.char))
		}
	}
	walk(0, "")
}
