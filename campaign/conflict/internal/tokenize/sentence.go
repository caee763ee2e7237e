package tokenize

import (
	"sort"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// A Sentence is a sentence without its final mark.
type Sentence struct {
	lexicon.Span
	Question bool
}

// A Clause is a part of a sentence.
type Clause struct {
	lexicon.Span
	Sentence int // index of its sentence
	First    bool
}

// maxSentence is the maximum length of a sentence, in characters outside speech. A longer sentence
// ends at its next comma, and at twice this length in any case. Readers search a sentence for each
// claim in it, so their work is linear in the text only if sentences have a limit.
const maxSentence = 300

// cutSentences splits text at 。！？!?；;… and line ends, and at full stops before a space, a mask or
// the end. It splits sentences that are too long. It leaves out empty sentences.
func cutSentences(text []rune) []Sentence {
	var out []Sentence
	start, spoken := 0, 0 // spoken counts the masked characters of the sentence
	for i := 0; i <= len(text); i++ {
		length := i - start - spoken
		if i < len(text) && !endsSentence(text, i) && !(length >= maxSentence && isClauseMark(text[i])) {
			if text[i] == MaskRune {
				spoken++
				continue
			}
			if length < 2*maxSentence {
				continue
			}
		}
		if s, ok := Trimmed(text, lexicon.Between(start, i)); ok {
			question := i < len(text) && (text[i] == '?' || text[i] == '？')
			out = append(out, Sentence{s, question || asks(text[s.Start:s.End])})
		}
		start, spoken = i, 0
		if i < len(text) && (endsSentence(text, i) || isClauseMark(text[i])) {
			start++
		}
	}
	return out
}

// asks reports whether a sentence ends in a particle that makes it a question: 吗 or 么. At the end of 什么,
// 怎么, 这么, 那么, 多么 and 要么, 么 is a part of the word.
func asks(sentence []rune) bool {
	last := len(sentence) - 1
	return sentence[last] == '吗' || sentence[last] == '么' && (last == 0 || !strings.ContainsRune("什怎这那多要", sentence[last-1]))
}

func endsSentence(text []rune, i int) bool {
	if text[i] != '.' {
		return IsStop(text[i])
	}
	if i+2 < len(text) && text[i+1] == ' ' && lexicon.IsLetter(text[i+2]) && abbreviated(text, i) {
		return false
	}
	return i+1 == len(text) || text[i+1] == ' ' || text[i+1] == MaskRune || text[i+1] == '\n'
}

// abbreviated reports whether the full stop at i belongs to a title before a name: Dr. Crane.
func abbreviated(text []rune, i int) bool {
	start := i
	for start > 0 && i-start < 5 && lexicon.IsLetter(text[start-1]) {
		start--
	}
	switch string(text[start:i]) {
	case "dr", "mr", "mrs", "ms", "mx", "st", "prof", "capt", "cpt", "sgt", "lt", "col", "gen", "cmdr", "maj", "cpl", "rev", "hon", "fr", "sr", "mme", "mlle":
		return true
	}
	return false
}

// Trimmed removes spaces at both ends and reports whether any text remains.
func Trimmed(text []rune, s lexicon.Span) (lexicon.Span, bool) {
	for s.Start < s.End && text[s.Start] == ' ' {
		s.Start++
	}
	for s.Start < s.End && text[s.End-1] == ' ' {
		s.End--
	}
	return s, s.Start < s.End
}

// cutClauses splits sentences at commas, colons and dashes, and before the connectives. It leaves
// out empty clauses.
func cutClauses(text []rune, sentences []Sentence, connectives []lexicon.Span) []Clause {
	most := len(sentences) + len(connectives)
	for _, c := range text {
		if isClauseMark(c) {
			most++
		}
	}
	out := make([]Clause, 0, most)
	for i, s := range sentences {
		first := true
		add := func(start, end int) {
			if c, ok := Trimmed(text, lexicon.Between(start, end)); ok {
				out = append(out, Clause{c, i, first})
				first = false
			}
		}
		start := s.Start
		for p := s.Start; p < s.End; p++ {
			for len(connectives) > 0 && connectives[0].Start < p {
				connectives = connectives[1:]
			}
			switch {
			case isClauseMark(text[p]):
				add(start, p)
				start = p + 1
			case len(connectives) > 0 && connectives[0].Start == p:
				add(start, p)
				start = p
			}
		}
		add(start, s.End)
	}
	return out
}

func isClauseMark(r rune) bool {
	return r == '，' || r == ',' || r == ':' || r == '—' || r == '|' || r == '｜'
}

// ClauseAt returns the index of the last clause that begins at or before pos,
// or -1.
func (t *Text) ClauseAt(pos int) int {
	return sort.Search(len(t.Clauses), func(i int) bool { return t.Clauses[i].Start > pos }) - 1
}

// ClauseStart returns the start of the clause that contains pos.
func (t *Text) ClauseStart(pos int) int {
	if i := t.ClauseAt(pos); i >= 0 {
		return t.Clauses[i].Start
	}
	return 0
}

// SentenceAt returns the index of the last sentence that begins at or before pos, or -1.
func (t *Text) SentenceAt(pos int) int {
	return sort.Search(len(t.Sentences), func(i int) bool { return t.Sentences[i].Start > pos }) - 1
}
