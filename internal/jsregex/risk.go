package jsregex

// canRunAway reports whether a backtracking engine may need exponential or high
// polynomial time: an unbounded loop around a loop or a choice, or two loops
// side by side that can share characters.
func canRunAway(root *node) bool {
	return !root.walk(func(n *node) bool {
		switch n.op {
		case opRepeat:
			return !(isLoop(n) && hasChoice(n.subs[0]))
		case opConcat:
			return !hasOverlappingLoops(n)
		}
		return true
	})
}

// longRepeat is the count from which a bounded repeat is as bad as an unbounded
// one.
const longRepeat = 100

func isLoop(n *node) bool {
	return n.op == opRepeat && (n.max == unbounded || n.max >= longRepeat)
}

func hasChoice(n *node) bool {
	return !n.walk(func(n *node) bool {
		return n.op != opAlternate && (n.op != opRepeat || n.min == n.max)
	})
}

func hasOverlappingLoops(n *node) bool {
	var last *node
	for _, s := range n.subs {
		switch {
		case isLoop(s):
			if last != nil && overlap(last.subs[0], s.subs[0]) {
				return true
			}
			last = s
		case !s.nullable():
			last = nil
		}
	}
	return false
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

func takes(n *node, r rune) bool {
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
