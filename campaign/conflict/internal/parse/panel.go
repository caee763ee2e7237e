package parse

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

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

// panelPart returns the start of the part of a panel that contains pos: after a bar, an open
// bracket, the mark of a sentence or the beginning of the line.
func (p *Passage) panelPart(pos int) (start int, bracket bool) {
	closed := false
	for i := pos - 1; i >= max(0, pos-maxPanel); i-- {
		switch c := p.Chars[i]; c {
		case '|', '｜', '\n', '。', '！', ';', '；', '!', '/':
			if c != '/' || p.Is(i-1, ' ') {
				return i + 1, false
			}
		case ']', '】', ')', '）':
			closed = true
		case '[', '【', '(', '（':
			if !closed {
				return i + 1, true
			}
			closed = false
		case '.':
			if p.Is(i+1, ' ') {
				return i + 1, false
			}
		}
	}
	return max(0, pos-maxPanel), false
}

// strangeText counts the letters and characters in [start, end) that are not part of a panel word,
// a name or a number. For a text longer than maxPanel it returns its length.
func (p *Passage) strangeText(start, end int) int {
	if end-start > maxPanel {
		return end - start
	}
	n := 0
	for i := start; i < end; {
		longest := i
		for _, t := range []lexicon.Class{lexicon.PanelLabel, lexicon.HPWord, lexicon.Filler, lexicon.ValueVerb, lexicon.DownTo, lexicon.Damage, lexicon.LossVerb, lexicon.GainVerb} {
			if w, ok := p.Words.At(t, i); ok {
				longest = max(longest, w.End)
			}
		}
		if longest > i {
			i = longest
			continue
		}
		if lexicon.IsLetter(p.Chars[i]) || lexicon.IsHan(p.Chars[i]) && !tokenize.IsNumeral(p.Chars[i]) {
			n++
		}
		i++
	}
	return n
}

// InPanel reports whether a claim is in a bracket or at the beginning of its line.
func (p *Passage) InPanel(pos int) bool {
	start, bracket := p.panelPart(pos)
	return bracket || p.strangeText(start, pos) == 0 && (p.Is(start-1, '\n') || p.Is(start-1, '|') || p.Is(start-1, '｜'))
}
