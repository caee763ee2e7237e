package mvu

// extents tells, for every offset of a text, whether a call closes whose arguments go
// on there. It is made by one walk from the end of the text to its beginning, so that
// a text full of calls that do not close is not read to its end for each of them.
type extents struct{ ends []bool }

// closes reports whether a call with arguments from i on has a closing parenthesis.
func (x *extents) closes(i int) bool { return i < len(x.ends) && x.ends[i] }

// newExtents reads a text backwards under the rules by which [finder.args] reads it
// forwards. What it keeps for an offset follows from what it has for later ones:
//
//   - shut: where the string ends whose content goes on here, for each mark;
//   - level: where the bracket ends that is open here, whatever kind it is of;
//   - ends: whether the call ends.
func newExtents(f *finder) *extents {
	const none = -1
	n := len(f.text)
	x := &extents{ends: make([]bool, n+2)}
	level := make([]int32, n+2) // offset of the bracket, none at the end
	level[n], level[n+1] = none, none
	var shut, later [3]int32 // of the next offset, and of the one after it
	for m := range shut {
		shut[m], later[m] = none, none
	}
	visible := n // the first visible character from the next offset on
	for i := n - 1; i >= 0; i-- {
		c := f.text[i]
		stops := f.stops(i)
		level[i], x.ends[i] = none, false
		switch {
		case isQuote(c):
			if end := shut[markIndex(c)]; end != none {
				level[i], x.ends[i] = level[end+1], x.ends[end+1]
			}
		case stops:
		case c == '(' || c == '[' || c == '{':
			level[i] = level[i+1]
			if end := level[i+1]; end != none {
				level[i], x.ends[i] = level[end+1], x.ends[end+1]
			}
		case c == ')' || c == ']' || c == '}':
			level[i] = int32(i)
			x.ends[i] = c == ')' || x.ends[i+1]
		default:
			level[i] = level[i+1]
			x.ends[i] = f.mark(i, ')') > 0 || x.ends[i+1]
		}
		for m := range shut {
			here := shut[m]
			switch {
			case c == '\\':
				here = later[m]
			case isQuote(c) && markIndex(c) == m && (f.compat || f.delimited(visible)):
				here = int32(i)
			case stops:
				here = none
			}
			shut[m], later[m] = here, shut[m]
		}
		if !isSpace(c) {
			visible = i
		}
	}
	return x
}

func markIndex(c byte) int {
	switch c {
	case '\'':
		return 0
	case '"':
		return 1
	}
	return 2
}
