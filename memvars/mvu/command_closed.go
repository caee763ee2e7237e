package mvu

import "strings"

// closedCalls says, for every offset of a text, whether a call whose arguments continue there is
// closed. It is built in one pass from the end of the text to its beginning. Otherwise a text full
// of unclosed calls would be read to its end for each of them.
type closedCalls []bool

// isClosed reports whether a call with arguments from i on has a closing parenthesis.
func (x closedCalls) isClosed(i int) bool { return i < len(x) && x[i] }

// newClosedCalls reads a text backwards with the same rules as [finder.readArgs] forwards.
func newClosedCalls(f *finder) closedCalls {
	n := len(f.text)
	b := backward{
		finder: f, ends: make(closedCalls, n+2), bracketEnd: make([]int32, n+2),
		stringEnd: [3]int32{none, none, none}, stringEndAfter: [3]int32{none, none, none}, visible: n,
	}
	b.bracketEnd[n], b.bracketEnd[n+1] = none, none
	for i := n - 1; i >= 0; i-- {
		b.bracketEnd[i] = none
		isBeforeCall := f.isBeforeCall(i)
		b.setCallEnds(i, isBeforeCall)
		b.setStringEnds(i, isBeforeCall)
		if !isSpace(f.text[i]) {
			b.visible = i
		}
	}
	return b.ends
}

const none = -1 // no offset

// backward reads from the end. The values for an offset are derived from those for later offsets:
//
//   - ends: whether the call ends;
//   - bracketEnd: where the currently open bracket ends, of any kind;
//   - stringEnd: for each mark, where a string ends whose content continues here.
type backward struct {
	*finder
	ends                      closedCalls
	bracketEnd                []int32  // none at the end
	stringEnd, stringEndAfter [3]int32 // for the next offset, and for the one after it
	visible                   int      // the first visible character from the next offset on
}

// setCallEnds computes whether the call ends, and where the open bracket ends.
func (b *backward) setCallEnds(i int, isBeforeCall bool) {
	closing := none // where a bracket or string that begins here ends
	switch c := b.text[i]; {
	case isQuote(c):
		closing = int(b.stringEnd[markIndex(c)])
	case isBeforeCall:
	case c == '(' || c == '[' || c == '{':
		b.bracketEnd[i] = b.bracketEnd[i+1]
		closing = int(b.bracketEnd[i+1])
	case c == ')' || c == ']' || c == '}':
		b.bracketEnd[i] = int32(i)
		b.ends[i] = c == ')' || b.ends[i+1]
	default:
		b.bracketEnd[i] = b.bracketEnd[i+1]
		b.ends[i] = b.token(i, ')') > 0 || b.ends[i+1]
	}
	if closing != none { // it reads on after that
		b.bracketEnd[i], b.ends[i] = b.bracketEnd[closing+1], b.ends[closing+1]
	}
}

// setStringEnds computes for each mark where a string ends whose content continues here.
func (b *backward) setStringEnds(i int, isBeforeCall bool) {
	c := b.text[i]
	for m := range b.stringEnd {
		here := b.stringEnd[m]
		switch {
		case c == '\\':
			here = b.stringEndAfter[m]
		case isQuote(c) && markIndex(c) == m && (b.compat || b.mayClose(b.visible)):
			here = int32(i)
		case isBeforeCall:
			here = none
		}
		b.stringEnd[m], b.stringEndAfter[m] = here, b.stringEnd[m]
	}
}

// markIndex numbers the three quotation marks.
func markIndex(c byte) int {
	return strings.IndexByte("'\"`", c)
}
