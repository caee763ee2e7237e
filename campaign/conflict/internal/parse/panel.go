package parse

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// maxPanel is the maximum length, in characters, of the part of a line that is read as a panel.
const maxPanel = 160

// PanelSubject returns the subject of a line of a panel, a bracket or a list item. It is the name
// before the claim in its part of the line or bracket; else the name at the beginning of the line
// or the sentence before it. ok is false if the text names an unknown person.
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

// OpensLine reports whether only marks of panels and adverbs are before pos in its clause.
func (p *Passage) OpensLine(pos int) bool {
	start := skipMarks(p, p.ClauseStart(pos), pos)
	return start >= pos || p.Opens(start, pos)
}

// maxPanelWords is the maximum number of unknown characters between a name and its value.
const maxPanelWords = 24

// spokenOf returns the subject of the last sentence before pos: the name at its beginning, or else
// the last name in it if no untracked subject comes after.
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

// maxPanelLines is the maximum number of lines of a panel between a name and its value.
const maxPanelLines = 6

// isPanelLine reports whether a line has a label and a value and no name.
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

func lineOf(p *Passage, pos int) int {
	for i := pos - 1; i >= max(0, pos-maxPanel); i-- {
		if p.Chars[i] == '\n' {
			return i + 1
		}
	}
	return max(0, pos-maxPanel)
}

// StrangeText counts the letters and characters in [start, end) that are not part of a panel word,
// a name or a number. For a text longer than maxPanel it returns its length.
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
	return bracket || p.StrangeText(start, pos) == 0 && (p.Is(start-1, '\n') || p.Is(start-1, '|') || p.Is(start-1, '｜'))
}
