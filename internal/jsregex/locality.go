package jsregex

// Locality says which part of a joined window decides a regex. The parts of a
// window each begin with U+0001 and are joined by newlines.
type Locality uint8

// The localities.
const (
	// Whole: only the joined window decides.
	Whole Locality = iota
	// PerPart: no match reaches over a newline. A part with its U+0001 decides.
	PerPart
	// PerPartTail: no match reaches over a newline and U+0001. A part with its
	// U+0001 and, except for the last one, the newline and U+0001 behind it
	// decide. Where these two differ, the joined window does.
	PerPartTail
)

// localityOf finds out how far a match can reach. A regex that can match the
// empty text, is sticky, or looks for the ends of the text without flag m needs
// the whole window. Else it depends on whether a match can take a newline, and
// U+0001 behind it; look-around and back references count as if they took what
// they see.
func localityOf(root *node, flags Flags) Locality {
	if flags.Sticky || root.nullable() {
		return Whole
	}
	newline, mark := false, false
	looks := false // something is looked at without being matched
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
