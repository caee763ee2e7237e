package jsregex

// Locality says which part of a joined window decides whether a regex matches. Each part of a
// window begins with U+0001, and the parts are joined by newlines.
type Locality uint8

// The localities.
const (
	// Whole: only the joined window decides.
	Whole Locality = iota
	// PerPart: no match extends past a newline. A part with its U+0001 decides.
	PerPart
	// PerPartTail: no match extends past a newline and the U+0001 after it. Each part is matched
	// with its U+0001, and again with the newline and U+0001 after it, which the last part does not
	// have. If both results are equal, they decide; otherwise the joined window decides.
	PerPartTail
)

// localityOf determines how far a match can reach. A regex needs the whole window if it can match
// the empty text, is sticky, or uses the ends of the text without flag m. Otherwise it depends on
// whether a match can extend past a newline, and past the U+0001 after it. Look-around and back
// references count as if they matched the text that they check.
func localityOf(root *node, flags Flags) Locality {
	if flags.Sticky || root.nullable() {
		return Whole
	}
	newline, mark := false, false
	looks := false // text is checked without being matched
	anchored := !root.walk(func(n *node) bool {
		switch n.op {
		case opLook, opBackref:
			looks = true
		case opStart, opEnd:
			looks = true
			return flags.Multiline
		case opChar:
			newline = newline || n.ch == jointNewline
			mark = mark || n.ch == jointMark
		case opDot:
			newline = newline || flags.DotAll
			mark = true
		case opClass:
			newline = newline || n.set.mayContain(jointNewline)
			mark = mark || n.set.mayContain(jointMark)
		}
		return true
	})
	switch {
	case anchored:
		return Whole
	case !newline:
		return PerPart
	case !mark, !looks && !edgesOf(root).crosses:
		return PerPartTail
	}
	return Whole
}
