package parse

// maxPanel is the maximum length, in characters, of the part of a line that is read as a panel.
const maxPanel = 160

// OpensLine reports whether only marks of panels and adverbs are before pos in its clause.
func (p *Passage) OpensLine(pos int) bool {
	start := skipMarks(p, p.ClauseStart(pos), pos)
	return start >= pos || p.Opens(start, pos)
}

// skipMarks skips spaces, brackets and marks of panels and quotations, at most maxPanel characters.
func skipMarks(p *Passage, pos, limit int) int {
	for end := min(limit, pos+maxPanel); pos < end && p.IsOneOf(pos, " 【[（(>-•*|｜#:\n"); {
		pos++
	}
	return pos
}

// inBracket reports whether pos is inside an open bracket of its line.
func (p *Passage) inBracket(pos int) bool {
	depth := 0
	for i := pos - 1; i >= max(0, pos-maxPanel) && !p.IsOneOf(i, "\n。！!"); i-- {
		switch {
		case p.IsOneOf(i, "]】)）"):
			depth++
		case p.IsOneOf(i, "[【(（"):
			if depth--; depth < 0 {
				return true
			}
		}
	}
	return false
}

// InPanel reports whether a claim is in a bracket or at the beginning of its line.
func (p *Passage) InPanel(pos int) bool {
	start := p.ClauseStart(pos)
	for start > 0 && p.IsOneOf(start-1, " 【[（(>-•*#") {
		start--
	}
	return p.inBracket(pos) || p.IsOneOf(start-1, "\n|｜") && p.OpensLine(pos)
}
