package jsregex

import (
	"slices"

	"github.com/talewright/talewright/internal/keyindex"
)

// minLiteral is the minimum length of a literal in bytes; shorter literals are too common to be
// useful.
const minLiteral = 3

// maxBranches is the greatest number of literals in one choice.
const maxBranches = 64

// choice is a list of folded literals. Every match contains one of them.
type choice []string

// needs returns the literals that every match contains: after folding, a match contains one literal
// of each choice.
func needs(n *node, flags Flags) []choice {
	c := collector{flags: flags}
	c.add(n)
	c.endRun()
	return c.choices
}

// collector joins neighbouring finite parts into longer literals.
type collector struct {
	flags        Flags
	choices      []choice
	currentWords [][]rune // the current words; nil: none begun
}

// add traverses a tree from left to right. A repeat needs the literals of its body, if it cannot be
// skipped. A positive look-around needs the literals of its body, at any position.
func (c *collector) add(n *node) {
	switch n.op {
	case opGroup:
		c.add(n.subs[0])
		return
	case opConcat:
		for _, s := range n.subs {
			c.add(s)
		}
		return
	case opEmpty, opStart, opEnd, opBoundary:
		return
	case opLook:
		if !n.negate {
			c.choices = append(c.choices, needs(n.subs[0], c.flags)...)
		}
		return
	}
	if list, ok := finiteWords(n); ok && foldable(list, c.flags) {
		c.appendWords(list)
		return
	}
	c.endRun()
	switch n.op {
	case opAlternate:
		if ch := branchChoice(n.subs, c.flags); ch != nil {
			c.choices = append(c.choices, ch)
		}
	case opRepeat:
		if n.min > 0 {
			c.choices = append(c.choices, needs(n.subs[0], c.flags)...)
		}
	}
}

// appendWords appends the words of list to the run, or begins a new run if it would become too large.
func (c *collector) appendWords(list [][]rune) {
	list = withoutEdges(list)
	if c.currentWords == nil {
		c.currentWords = list
		return
	}
	if len(c.currentWords) == 1 && len(list) == 1 && len(c.currentWords[0])+len(list[0]) <= maxWordRunes {
		c.currentWords[0] = append(c.currentWords[0], list[0]...) // the collector owns the run
		return
	}
	if run, ok := concatenations(c.currentWords, list, len(c.currentWords)*len(list) <= maxBranches); ok {
		c.currentWords = run
		return
	}
	c.endRun()
	c.currentWords = list
}

// endRun ends the run.
func (c *collector) endRun() {
	if ch := toChoice(c.currentWords); ch != nil {
		c.choices = append(c.choices, ch)
	}
	c.currentWords = nil
}

// toChoice converts words to a choice; it returns nil if one of them is too short.
func toChoice(list [][]rune) choice {
	var ch choice
	for _, w := range list {
		w, _ = joinUnits(w)
		s := keyindex.FoldString(string(w))
		if len(s) < minLiteral || len(ch) >= maxBranches {
			return nil
		}
		if !slices.Contains(ch, s) {
			ch = append(ch, s)
		}
	}
	return ch
}

// branchChoice combines the best choices of the branches; it returns nil if a branch has none.
func branchChoice(branches []*node, flags Flags) choice {
	var all choice
	for _, b := range branches {
		best := bestChoice(needs(b, flags))
		if best == nil || len(all)+len(best) > maxBranches {
			return nil
		}
		all = append(all, best...)
	}
	return all
}

// bestChoice returns the choice whose shortest literal is longest; of several such choices, the one
// with the fewest literals.
func bestChoice(list []choice) choice {
	var best choice
	for _, ch := range list {
		if best == nil || shortestLiteral(ch) > shortestLiteral(best) ||
			shortestLiteral(ch) == shortestLiteral(best) && len(ch) < len(best) {
			best = ch
		}
	}
	return best
}

// shortestLiteral returns the length of the shortest literal, in bytes.
func shortestLiteral(ch choice) int {
	shortest := len(ch[0])
	for _, s := range ch {
		shortest = min(shortest, len(s))
	}
	return shortest
}

// foldable reports whether every character has only one folded form and is not a newline or U+0001,
// which separate the parts of a window.
func foldable(list [][]rune, flags Flags) bool {
	for _, w := range list {
		for _, r := range w {
			if r == wordEdge {
				continue
			}
			if !foldsAlike(r, flags) || r == '\n' || r == '\x01' {
				return false
			}
		}
	}
	return true
}

// withoutEdges removes the word edges: a literal without them occurs wherever one with them occurs.
func withoutEdges(list [][]rune) [][]rune {
	out := make([][]rune, len(list))
	for i, w := range list {
		out[i] = slices.DeleteFunc(slices.Clone(w), func(r rune) bool { return r == wordEdge })
	}
	return out
}
