package reading

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/prose"
)

// maxPanel is how far back in a line a panel is read, in characters.
const maxPanel = 160

// PanelSubject returns whom a line of a panel, a bracket or a list item is about: the name
// that stands before the claim in its part of the line or bracket; else whom the line or
// the sentence before it begins with. ok is false where the text names somebody unknown.
func (p *Passage) PanelSubject(pos int) (who Subject, ok bool) {
	start, bracket := p.panelPart(pos)
	if m, ok := p.LastCalled(start, pos); ok {
		if p.Words.Has(m.End, pos, lexicon.Creature, lexicon.Fiction) || p.StrangeText(m.End, pos) > maxPanelWords {
			return Nobody, false
		}
		return Subject{IDs: m.IDs, Party: m.Party}, len(m.IDs) > 0
	}
	if p.StrangeText(start, pos) > 0 {
		return Nobody, false
	}
	if !bracket && lineOf(p, start) < start {
		if m, ok := p.LastCalled(lineOf(p, start), start); ok && !p.Words.Has(m.End, start, lexicon.Creature) {
			return Subject{IDs: m.IDs, Party: m.Party}, len(m.IDs) > 0
		}
		return Nobody, false
	}
	return spokenOf(p, start)
}

// maxPanelWords is how many unknown characters may stand between a name and its value.
const maxPanelWords = 24

// spokenOf returns whom the last sentence before pos is about: whom it begins with, or
// else the last one that it names, if nobody untracked comes after.
func spokenOf(p *Passage, pos int) (Subject, bool) {
	i := p.SentenceAt(pos - 1)
	for n := 0; i > 0 && n < maxPanelLines && isPanelLine(p, p.Sentences[i].Span); n++ {
		i--
	}
	for n := 0; i >= 0 && n < maxPanelLines && skipMarks(p, p.Sentences[i].Start, pos) >= pos; n++ {
		i--
	}
	if i < 0 {
		return Nobody, false
	}
	s := p.Sentences[i]
	if m, ok := p.Opener(s.Span); ok && m.End <= pos {
		return Subject{IDs: m.IDs, Party: m.Party}, true
	}
	m, ok := p.LastCalled(s.Start, min(pos, s.End))
	if !ok || len(m.IDs) == 0 || p.Words.Has(m.End, min(pos, s.End), lexicon.Creature) {
		return Nobody, false
	}
	return Subject{IDs: m.IDs, Party: m.Party}, true
}

// maxPanelLines is how many lines of a panel may stand between a name and its value.
const maxPanelLines = 6

// isPanelLine reports whether a line has a label and a value and names nobody.
func isPanelLine(p *Passage, s lexicon.Span) bool {
	if _, named := p.LastCalled(s.Start, s.End); named || s.End-s.Start > maxPanelWords || !p.Is(s.End, '\n') {
		return false
	}
	for i := s.Start; i < s.End; i++ {
		if p.IsOneOf(i, ":/") {
			return true
		}
	}
	return false
}

// skipMarks moves past spaces, brackets and marks of panels and quotations, at most a panel.
func skipMarks(p *Passage, pos, limit int) int {
	for end := min(limit, pos+maxPanel); pos < end && p.IsOneOf(pos, " 【[（(>-•*|｜#:\n"); {
		pos++
	}
	return pos
}

// panelPart returns where the part of a panel begins that holds pos: after a bar, a
// bracket that is still open, the mark of a sentence or the beginning of the line.
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

// LineStart returns where the line begins that holds pos, at most a panel away.
func (p *Passage) LineStart(pos int) int { return lineOf(p, pos) }

func lineOf(p *Passage, pos int) int {
	for i := pos - 1; i >= max(0, pos-maxPanel); i-- {
		if p.Chars[i] == '\n' {
			return i + 1
		}
	}
	return max(0, pos-maxPanel)
}

// StrangeText counts the letters and characters in [start, end) that belong to no word
// of panels, no name and no number. What is longer than a panel counts as strange.
func (p *Passage) StrangeText(start, end int) int {
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
		if lexicon.IsLetter(p.Chars[i]) || lexicon.IsHan(p.Chars[i]) && !prose.IsNumeral(p.Chars[i]) {
			n++
		}
		i++
	}
	return n
}

// InPanel reports whether a claim stands in a bracket or opens its line.
func (p *Passage) InPanel(pos int) bool {
	start, bracket := p.panelPart(pos)
	return bracket || p.StrangeText(start, pos) == 0 && (p.Is(start-1, '\n') || p.Is(start-1, '|') || p.Is(start-1, '｜'))
}
