package jsregex

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// canRunAway reports whether a backtracking engine may need exponential or high
// polynomial time: an unbounded loop around a loop or a choice, two loops that
// can share characters with nothing between them that stops the first, or
// bounded repeats with very many ways to match.
//
// One loop alone costs at most the square of a run of its characters, and is
// left to the faster engine.
func canRunAway(root *node) bool {
	nested := !root.walk(func(n *node) bool {
		return !isLoop(n) || !hasChoice(n.subs[0])
	})
	if nested || ways(root, false) > maxWays {
		return true
	}
	var s loopScan
	s.visit(root)
	return s.overlapping
}

// longRepeat is the count from which a bounded repeat is as bad as an unbounded
// one.
const longRepeat = 100

// maxWays is the number of ways to match that a text may make an engine try at
// one place.
const maxWays = 1 << 12

// isLoop reports whether n may repeat often enough to matter.
func isLoop(n *node) bool {
	return n.op == opRepeat && (n.max == unbounded || n.max >= longRepeat)
}

// hasChoice reports whether n can match one text in several ways, or texts of
// several lengths.
func hasChoice(n *node) bool {
	return !n.walk(func(n *node) bool {
		return n.op != opAlternate && (n.op != opRepeat || n.min == n.max)
	})
}

// ways estimates how many ways through the bounded parts of n there are. All
// branches of an alternation count where they are repeated, elsewhere those that
// can match at the same place.
func ways(n *node, repeated bool) float64 {
	product, most, sum := 1.0, 1.0, 0.0
	for _, s := range n.subs {
		w := ways(s, repeated || n.op == opRepeat && n.max != 1)
		product *= w
		most = max(most, w)
		sum += w
	}
	switch {
	case n.op == opAlternate && repeated:
		return sum
	case n.op == opAlternate:
		return min(sum, most*float64(rivals(n.subs)))
	case n.op != opRepeat || isLoop(n):
		return product
	}
	return math.Pow(product, float64(n.max)) + float64(n.max-n.min)
}

// maxRivals is the number of branches from which on only their number counts.
const maxRivals = 32

// rivals is the largest number of branches that can match at one place. Of texts
// those do that begin each other, like a and aa; of other branches all, unless each
// begins with characters of its own.
func rivals(branches []*node) int {
	if list, ok := words(&node{op: opAlternate, subs: branches}); ok {
		return longestChain(withoutEdges(list))
	}
	if len(branches) > maxRivals {
		return maxRivals
	}
	firsts := make([][]*node, len(branches))
	for i, b := range branches {
		if b.nullable() {
			return len(branches)
		}
		firsts[i] = appendFirsts(nil, b)
		for _, other := range firsts[:i] {
			if share(firsts[i], other) {
				return len(branches)
			}
		}
	}
	return 1
}

// longestChain is the largest number of words that begin one of them.
func longestChain(list [][]rune) int {
	longest := 1
	for _, w := range list {
		chain := 0
		for _, start := range list {
			if len(start) <= len(w) && strings.EqualFold(string(start), string(w[:len(start)])) {
				chain++
			}
		}
		longest = max(longest, chain)
	}
	return longest
}

// appendFirsts lists what a match of n can begin with. Look-around and ends of the
// text take nothing. A node that is no set stands for everything.
func appendFirsts(list []*node, n *node) []*node {
	switch n.op {
	case opChar, opClass, opDot, opBackref:
		return append(list, n)
	case opConcat:
		for _, s := range n.subs {
			if list = appendFirsts(list, s); !s.nullable() {
				break
			}
		}
	case opAlternate, opGroup, opRepeat:
		for _, s := range n.subs {
			list = appendFirsts(list, s)
		}
	}
	return list
}

// share reports whether a character can begin both.
func share(a, b []*node) bool {
	if len(a)*len(b) > maxRivals*maxRivals {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			if overlap(x, y) {
				return true
			}
		}
	}
	return false
}

// loopScan goes through a pattern from left to right. It knows the loops that
// could still take what comes next.
type loopScan struct {
	live        []*node
	overlapping bool
	steps       int
}

// maxSteps bounds the scan of patterns that repeat repeats: beyond it the answer
// is the careful one.
const maxSteps = 5000

// visit goes through one node. Look-around takes nothing, so that the loops
// before it still meet what follows it.
func (s *loopScan) visit(n *node) {
	if s.steps++; s.steps > maxSteps {
		s.overlapping = true
	}
	if s.overlapping {
		return
	}
	before := s.live
	switch n.op {
	case opGroup, opConcat:
		for _, sub := range n.subs {
			s.visit(sub)
		}
	case opLook:
		s.visit(n.subs[0])
		s.live = before
	case opAlternate:
		var after []*node
		for _, sub := range n.subs {
			s.live = before
			s.visit(sub)
			after = union(after, s.live)
		}
		s.live = after
	case opRepeat:
		s.repeat(n)
		if n.min == 0 {
			s.live = union(s.live, before)
		}
	case opChar, opClass, opDot:
		s.pass(n)
	}
}

// repeat takes a bounded repeat as its body twice: then the body's end meets its
// beginning.
func (s *loopScan) repeat(n *node) {
	body := n.subs[0]
	if !isLoop(n) {
		if s.visit(body); n.max > 1 {
			s.visit(body)
		}
		return
	}
	for _, l := range s.live {
		s.overlapping = s.overlapping || overlap(l.subs[0], body)
	}
	s.live = []*node{n}
}

// pass keeps the loops that can take what a character or class takes.
func (s *loopScan) pass(n *node) {
	var left []*node
	for _, l := range s.live {
		if overlap(l.subs[0], n) {
			left = append(left, l)
		}
	}
	s.live = left
}

// union leaves both lists as they are.
func union(a, b []*node) []*node {
	out := append([]*node(nil), a...)
	for _, n := range b {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// probes are characters that tell most classes apart.
var probes = []rune("aZ0_ \n\x01.,-魔あé😀")

// overlap reports whether two loop bodies may share a character. Bodies that are
// not single characters or classes always may.
func overlap(a, b *node) bool {
	if !isSet(a) || !isSet(b) {
		return true
	}
	return sharesChar(a, b) || sharesChar(b, a)
}

// isSet reports whether n takes exactly one character.
func isSet(n *node) bool {
	return n.op == opChar || n.op == opClass || n.op == opDot
}

// sharesChar looks for a character of both among the probes and the range ends
// of a.
func sharesChar(a, b *node) bool {
	for _, r := range probes {
		if takes(a, r) && takes(b, r) {
			return true
		}
	}
	if a.op == opChar {
		return takes(b, a.ch)
	}
	if a.op == opClass {
		for _, x := range a.set.ranges {
			if takes(a, x.lo) && takes(b, x.lo) || takes(a, x.hi) && takes(b, x.hi) {
				return true
			}
		}
	}
	return false
}

// takes ignores case, whatever the flags say: an overlap too many costs speed
// only.
func takes(n *node, r rune) bool {
	return takesCase(n, r) || takesCase(n, unicode.ToLower(r)) || takesCase(n, unicode.ToUpper(r))
}

// takesCase reports whether n takes r as it stands.
func takesCase(n *node, r rune) bool {
	switch n.op {
	case opChar:
		return n.ch == r
	case opClass:
		return n.set.contains(r, true)
	case opDot:
		return !isLineEnd(r)
	}
	return true
}
