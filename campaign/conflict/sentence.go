package conflict

import "sort"

// A sentence is a stretch without its final mark.
type sentence struct {
	span
	question bool
}

// A clause is a part of a sentence.
type clause struct {
	span
	sentence int // index of its sentence
	first    bool
}

// cutSentences cuts text at 。！？!?；;… and line ends, and at full stops before
// a space, a mask or the end. Empty sentences are left out.
func cutSentences(text []rune) []sentence {
	var out []sentence
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !endsSentence(text, i) {
			continue
		}
		if s, ok := trimmed(text, span{start, i}); ok {
			question := i < len(text) && (text[i] == '?' || text[i] == '？')
			last := text[s.end-1]
			out = append(out, sentence{s, question || last == '吗' || last == '么'})
		}
		start = i + 1
	}
	return out
}

func endsSentence(text []rune, i int) bool {
	if text[i] != '.' {
		return isStop(text[i])
	}
	return i+1 == len(text) || text[i+1] == ' ' || text[i+1] == maskRune || text[i+1] == '\n'
}

// trimmed cuts spaces at both ends and reports whether anything is left.
func trimmed(text []rune, s span) (span, bool) {
	for s.start < s.end && text[s.start] == ' ' {
		s.start++
	}
	for s.start < s.end && text[s.end-1] == ' ' {
		s.end--
	}
	return s, s.start < s.end
}

// cutClauses cuts sentences at commas, colons and dashes, and before the
// connectives. Empty clauses are left out.
func cutClauses(text []rune, sentences []sentence, connectives []span) []clause {
	out := make([]clause, 0, 2*len(sentences))
	for i, s := range sentences {
		first := true
		add := func(start, end int) {
			if c, ok := trimmed(text, span{start, end}); ok {
				out = append(out, clause{c, i, first})
				first = false
			}
		}
		start := s.start
		for p := s.start; p < s.end; p++ {
			for len(connectives) > 0 && connectives[0].start < p {
				connectives = connectives[1:]
			}
			switch {
			case isClauseMark(text[p]):
				add(start, p)
				start = p + 1
			case len(connectives) > 0 && connectives[0].start == p:
				add(start, p)
				start = p
			}
		}
		add(start, s.end)
	}
	return out
}

func isClauseMark(r rune) bool {
	return r == '，' || r == ',' || r == ':' || r == '—' || r == '|' || r == '｜'
}

// clauseAt returns the index of the last clause that begins at or before pos,
// or -1.
func (r *Reading) clauseAt(pos int) int {
	return sort.Search(len(r.clauses), func(i int) bool { return r.clauses[i].start > pos }) - 1
}

// sentenceAt returns the index of the last sentence that begins at or before pos, or -1.
func (r *Reading) sentenceAt(pos int) int {
	return sort.Search(len(r.sentences), func(i int) bool { return r.sentences[i].start > pos }) - 1
}
