package tiktoken

import (
	"container/heap"
	"unicode"

	"github.com/dlclark/regexp2/v2"
	"github.com/tiktoken-go/tokenizer"
)

// blankLines counts texts with lines of only blanks. It cuts the text by the vocabulary's pattern.
// The library counts the pieces that it would not cut again. The white space around blank lines is
// merged here. It is immutable.
type blankLines struct {
	codec tokenizer.Codec
	cut   *regexp2.Regexp
	// ranks has the tokens of white space.
	ranks map[string]int
}

// highestID is above the token IDs of all vocabularies.
const highestID = 1 << 18

// newBlankLines finds the tokens of white space in the vocabulary. The library only maps IDs to
// tokens. An ID is the rank of its token.
func newBlankLines(codec tokenizer.Codec, cut string) blankLines {
	b := blankLines{codec: codec, cut: compile(cut), ranks: map[string]int{}}
	var blank [256]bool // bytes of white space
	for _, span := range unicode.White_Space.R16 {
		for r := span.Lo; r <= span.Hi; r += span.Stride {
			for _, c := range []byte(string(rune(r))) {
				blank[c] = true
			}
		}
	}
	for id := range uint(highestID) {
		token, err := codec.Decode([]uint{id})
		if err != nil {
			continue // not every id is a token
		}
		if onlyBytes(token, &blank) {
			b.ranks[token] = int(id)
		}
	}
	return b
}

func onlyBytes(s string, set *[256]bool) bool {
	for i := range len(s) {
		if !set[s[i]] {
			return false
		}
	}
	return true
}

// count counts a text of valid UTF-8.
func (b blankLines) count(text string) int {
	sum := 0
	m, err := b.cut.FindStringMatch(text)
	for m != nil && err == nil {
		if piece := m.String(); hasBlankLine(piece) { // a piece with a blank line is white space
			sum += b.merge(piece)
		} else {
			sum += count(b.codec, piece)
		}
		m, err = b.cut.FindNextMatch(m)
	}
	if err != nil {
		return len(text)
	}
	return sum
}

// merge returns the number of tokens of white space. It uses byte-pair encoding: the lowest rank
// first, and the leftmost of equal ranks. Time is n log n.
func (b blankLines) merge(piece string) int {
	// A part begins at i if next[i] > 0; next[i] is its end.
	next, prev := make([]int, len(piece)+1), make([]int, len(piece)+1)
	var pairs pairHeap
	consider := func(i int) {
		if i < 0 || next[i] == len(piece) {
			return
		}
		end := next[next[i]]
		if rank, ok := b.ranks[piece[i:end]]; ok {
			heap.Push(&pairs, pair{rank, i, end})
		}
	}
	for i := range len(piece) {
		next[i], prev[i] = i+1, i-1
	}
	for i := range len(piece) - 1 {
		consider(i)
	}
	parts := len(piece)
	for len(pairs) > 0 {
		p := heap.Pop(&pairs).(pair)
		mid := next[p.start]
		if mid == 0 || mid == len(piece) || next[mid] != p.end {
			continue // one of the two was merged since
		}
		next[p.start], next[mid] = p.end, 0
		prev[p.end] = p.start
		parts--
		consider(p.start)
		consider(prev[p.start])
	}
	return parts
}

// pair is two neighbouring parts that form a token.
type pair struct{ rank, start, end int }

// pairHeap implements [heap.Interface]. The next pair to merge is on top.
type pairHeap []pair

func (h pairHeap) Len() int      { return len(h) }
func (h pairHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h pairHeap) Less(i, j int) bool {
	return h[i].rank < h[j].rank || h[i].rank == h[j].rank && h[i].start < h[j].start
}
func (h *pairHeap) Push(x any) { *h = append(*h, x.(pair)) }
func (h *pairHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
