package conflict

import "slices"

// maxPanel is how far back in a line a panel is read, in characters.
const maxPanel = 160

// panelSubject returns whom a line of a panel, a bracket or a list item is about: the name
// that stands before the claim in its part of the line or bracket; else whom the line or
// the sentence before it begins with. ok is false where the text names somebody unknown.
func (r *Reading) panelSubject(pos int) (who subject, ok bool) {
	start, bracket := r.panelPart(pos)
	if m, ok := r.lastCalled(start, pos); ok {
		if r.words.has(m.end, pos, creature, fiction) || r.strangeText(m.end, pos) > maxPanelWords {
			return nobody, false
		}
		return subject{ids: m.ids, party: m.party}, len(m.ids) > 0
	}
	if r.strangeText(start, pos) > 0 {
		return nobody, false
	}
	if !bracket && r.lineOf(start) < start {
		if m, ok := r.lastCalled(r.lineOf(start), start); ok && !r.words.has(m.end, start, creature) {
			return subject{ids: m.ids, party: m.party}, len(m.ids) > 0
		}
		return nobody, false
	}
	return r.spokenOf(start)
}

// maxPanelWords is how many unknown characters may stand between a name and its value.
const maxPanelWords = 24

// spokenOf returns whom the last sentence before pos is about: whom it begins with, or
// else the last one that it names, if nobody untracked comes after.
func (r *Reading) spokenOf(pos int) (subject, bool) {
	i := r.sentenceAt(pos - 1)
	for i >= 0 && r.strangeText(r.sentences[i].start, pos) == 0 && r.skipMarks(r.sentences[i].start, pos) >= pos {
		i--
	}
	if i < 0 {
		return nobody, false
	}
	s := r.sentences[i]
	if m, ok := r.opener(s.span); ok && m.end <= pos {
		return subject{ids: m.ids, party: m.party}, true
	}
	m, ok := r.lastCalled(s.start, min(pos, s.end))
	if !ok || len(m.ids) == 0 || r.words.has(m.end, min(pos, s.end), creature) {
		return nobody, false
	}
	return subject{ids: m.ids, party: m.party}, true
}

// skipMarks moves past spaces, brackets and marks of panels and quotations.
func (r *Reading) skipMarks(pos, limit int) int {
	for pos < limit && r.isOneOf(pos, " 【[（(>-•*|｜#:\n") {
		pos++
	}
	return pos
}

// panelPart returns where the part of a panel begins that holds pos: after a bar, a
// bracket that is still open, the mark of a sentence or the beginning of the line.
func (r *Reading) panelPart(pos int) (start int, bracket bool) {
	closed := false
	for p := pos - 1; p >= max(0, pos-maxPanel); p-- {
		switch c := r.text[p]; c {
		case '|', '｜', '\n', '。', '！', ';', '；', '!', '/':
			if c != '/' || r.is(p-1, ' ') {
				return p + 1, false
			}
		case ']', '】', ')', '）':
			closed = true
		case '[', '【', '(', '（':
			if !closed {
				return p + 1, true
			}
			closed = false
		case '.':
			if r.is(p+1, ' ') {
				return p + 1, false
			}
		}
	}
	return max(0, pos-maxPanel), false
}

func (r *Reading) lineOf(pos int) int {
	for p := pos - 1; p >= max(0, pos-maxPanel); p-- {
		if r.text[p] == '\n' {
			return p + 1
		}
	}
	return max(0, pos-maxPanel)
}

// strangeText counts the letters and characters in [start, end) that belong to no word
// of panels, no name and no number.
func (r *Reading) strangeText(start, end int) int {
	n := 0
	for p := start; p < end; {
		longest := p
		for _, t := range []tag{panelLabel, hpWord, filler, valueVerb, downTo, damage, lossVerb, gainVerb} {
			if w, ok := r.words.at(t, p); ok {
				longest = max(longest, w.end)
			}
		}
		if longest > p {
			p = longest
			continue
		}
		if isLetter(r.text[p]) || isHan(r.text[p]) && !isNumeral(r.text[p]) {
			n++
		}
		p++
	}
	return n
}

// lastCalled returns the last mention that lies in [start, end), whatever its place in
// the sentence: also a possessor or an object.
func (r *Reading) lastCalled(start, end int) (mention, bool) {
	best, ok := mention{}, false
	for _, list := range [][]mention{r.mentions, r.possessors, r.named} {
		i, _ := slices.BinarySearchFunc(list, end, func(m mention, at int) int { return m.start - at })
		if i > 0 && list[i-1].start >= start && (!ok || list[i-1].start > best.start) {
			best, ok = list[i-1], true
		}
	}
	return best, ok
}

// tableClaims reads the hit points in tables whose head has a column for them.
func (r *Reading) tableClaims() []hpClaim {
	var out []hpClaim
	column := -1
	for _, s := range r.sentences {
		if !r.is(s.start, '|') {
			column = -1
			continue
		}
		cells := r.cells(s.span)
		if column < 0 {
			column = slices.IndexFunc(cells, func(c span) bool { return r.words.has(c.start, c.end, hpWord) })
			continue
		}
		if column >= len(cells) {
			continue
		}
		m, ok := r.lastCalled(cells[0].start, cells[0].end)
		cell, filled := trimmed(r.text, cells[column])
		if !ok || !filled || len(m.ids) == 0 {
			continue
		}
		if c, ok := r.valueAt(cell.start, cell.start); ok {
			c.target = &m
			out = append(out, c)
		}
	}
	return out
}

// cells returns what stands between the bars of a line.
func (r *Reading) cells(s span) []span {
	var out []span
	start := s.start
	for p := s.start; p <= s.end; p++ {
		if p < s.end && r.text[p] != '|' {
			continue
		}
		if p > start {
			out = append(out, span{start, p})
		}
		start = p + 1
	}
	return out
}
