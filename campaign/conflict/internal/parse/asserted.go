package parse

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// Asserted reports whether a claim is stated as a fact (step 7 in the comment of package conflict).
func (p *Passage) Asserted(claim lexicon.Span) bool { return p.asserted(claim, false) }

// Suspected reports whether a claim may be stated as a fact. It is less strict than Asserted. A mood such
// as a wish ends at the next clause with a name.
func (p *Passage) Suspected(claim lexicon.Span) bool { return p.asserted(claim, true) }

func (p *Passage) asserted(claim lexicon.Span, wide bool) bool {
	i := p.ClauseAt(claim.Start)
	if i < 0 {
		return false
	}
	c := p.Clauses[i]
	s := p.Sentences[c.Sentence]
	switch {
	case s.Question, p.inMood(lexicon.Unreal, s, c, claim.Start, wide):
		return false
	case p.Words.Has(c.Start, claim.Start, lexicon.Intention), p.doubted(c.Start, claim.Start, wide), denied(p, c.Start, claim.Start):
		return false
	case p.wasLongAgo(claim.End, s):
		return false
	case p.Words.HasAt(lexicon.General, c.Start), !wide && p.WordIs(c.Start, "when"):
		return false
	case fictional(p, c.Sentence, claim.Start, wide), isChoice(p, c.Sentence, claim.Start), unmasked(p, c.Sentence, claim.End):
		return false
	}
	return !checked(p, claim.Start) && !offered(p, i, claim) && !enabled(p, c.Start, claim.Start) && !conditional(p, claim.End, wide)
}

// doubted reports whether a word of doubt is in [start, end). The pluperfect is doubtful too, and what
// happens before or until a claim, unless wide.
func (p *Passage) doubted(start, end int, wide bool) bool {
	for w := range p.Words.After(lexicon.Doubt, start) {
		if w.End > end {
			return false
		}
		if word := p.Word(w); !wide || word != "had" && word != "before" && word != "until" {
			return true
		}
	}
	return false
}

// inMood reports whether a word of a class before pos in its sentence governs the claim at pos.
func (p *Passage) inMood(class lexicon.Class, s tokenize.Sentence, c tokenize.Clause, pos int, wide bool) bool {
	for w := range p.Words.After(class, s.Start) {
		if w.End > pos {
			break
		}
		if p.governsOn(w, c, pos, wide) {
			return true
		}
	}
	return false
}

// governsOn reports whether a word of a mood governs the claim at pos in clause c. The scope of a mood
// is its clause. It goes on if the word is a condition, if it is all of its clause (昨天，…), or if the
// clause of the claim has no subject of its own.
func (p *Passage) governsOn(w lexicon.Span, c tokenize.Clause, pos int, wide bool) bool {
	if w.Start >= c.Start || p.Words.HasAt(lexicon.Supposed, w.Start) {
		return true
	}
	of := p.Clauses[p.ClauseAt(w.Start)]
	lead, rest := w.Start-of.Start, of.End-w.End
	han := lexicon.IsHan(p.Chars[w.Start])
	switch {
	case of.Start == c.Start, slices.Contains(p.Chars[w.End:pos], ':'):
		return true
	case han && (lead == 0 && rest <= 3 || rest <= 2 && p.IsOneOf(of.End-1, "得说道起过梦为里中上下")),
		!han && rest <= 1 && (p.Words.HasAt(lexicon.InPlace, of.Start) || !p.Words.HasAt(lexicon.Fiction, w.Start)):
		return true
	}
	m, ok := p.LastCalled(c.Start, pos+1)
	return !ok || !wide && (m.Pronoun || !p.Opens(c.Start, m.Start))
}

// wasLongAgo reports whether the rest of a clause, or all of the next one, says that the claim that ends
// at pos was long ago.
func (p *Passage) wasLongAgo(pos int, s tokenize.Sentence) bool {
	w, ok := p.Words.Within(lexicon.Bygone, pos, min(s.End, pos+maxBygone))
	if !ok {
		return false
	}
	of := p.Clauses[p.ClauseAt(w.Start)]
	return of.Start <= pos || of.End-w.End <= 1
}

// enabled reports whether a modal word is before the person who is enabled to do the claim at pos:
// 能让你回复….
func enabled(p *Passage, start, pos int) bool {
	m, ok := p.LastCalled(start, pos)
	return ok && p.IsOneOf(m.Start-1, "让令使叫给为替帮") && checked(p, m.Start-1)
}

// offered reports whether the clause before the i-th one says what a character may do, and the
// claim says what would follow: 你可以喝下药水，恢复…; you can drink it, regaining …. With 了 it has happened.
func offered(p *Passage, i int, claim lexicon.Span) bool {
	c := p.Clauses[i]
	if _, named := p.LastCalled(c.Start, claim.Start); i == 0 || c.First || named {
		return false
	}
	before := p.Clauses[i-1].Span
	pos := p.SkipFillers(before.Start, before.End)
	if m, ok := p.Opener(before); ok {
		pos = p.SkipFillers(m.End, before.End)
	}
	hasHappened := slices.Contains(p.Chars[claim.Start:min(claim.End+1, len(p.Chars))], '了')
	return p.Words.HasAt(lexicon.Offer, pos) && !hasHappened
}

// maxBygone is the maximum distance after a claim of words that say it was long ago.
const maxBygone = 40

// denied reports whether a negation in [start, end) governs the text at end. 哼都没哼便昏死过去: only the
// part before 便 did not happen.
func denied(p *Passage, start, end int) bool {
	overtaking := -2 // start of what happened instead; computed at the first negation
	for w := range p.Words.After(lexicon.Negation, start) {
		if w.End > end {
			break
		}
		if overtaking == -2 {
			overtaking = lastOvertaking(p, w.End+1, end)
		}
		if !p.IsOneOf(w.Start, "没未") && !p.IsOneOf(w.Start+1, "没未") || overtaking <= w.End {
			return true
		}
	}
	return false
}

// lastOvertaking returns the position of the last 便 or 就 in [start, end) that begins what happened
// instead, -1 if there is none.
func lastOvertaking(p *Passage, start, end int) int {
	for i := end - 1; i >= start; i-- {
		if p.IsOneOf(i, "便就") && !p.IsOneOf(i+1, "会能要可算是") {
			return i
		}
	}
	return -1
}

// checked reports whether a word directly before pos cancels the claim. It may be a modal word that
// ends there, one character earlier, or before adverbs (会立刻), or a word of declaration.
func checked(p *Passage, pos int) bool {
	for end := pos; end > max(0, pos-6); end-- {
		w, ok := p.Words.EndsAt(lexicon.Modal, end)
		if !ok || !p.Unbroken(end, pos) {
			continue
		}
		switch {
		case end == pos, end == pos-1 && !p.Is(w.Start, '不'), // 不 cancels only the text directly after it
			end < pos-1 && p.Opens(end, pos):
			return true
		}
	}
	if p.Is(pos-1, ' ') {
		pos--
	}
	_, ok := p.Words.EndsAt(lexicon.Declared, pos)
	return ok
}

// conditional reports whether the claim that ends at pos is only a condition or a point of time: …时,
// …之前, …的话. If wide, a point of time does not count: the arrival in 你走进大厅时，… is a fact.
func conditional(p *Passage, pos int, wide bool) bool {
	for range 2 {
		if w, ok := p.Words.At(lexicon.Conditional, pos); ok {
			return !wide || !slices.Contains(p.Chars[w.Start:w.End], '时')
		}
		if !p.IsOneOf(pos, "了里中后") {
			return false
		}
		pos++
	}
	return false
}

// fictional reports whether a claim at pos in a sentence is about a picture, a play or a dream,
// which may have begun in an earlier sentence.
func fictional(p *Passage, sentence, pos int, wide bool) bool {
	s := p.Sentences[sentence]
	for w := range p.Words.After(lexicon.Fiction, s.Start) {
		if w.End > pos {
			break
		}
		if !isHandled(p, w) && p.governsOn(w, p.Clauses[p.ClauseAt(pos)], pos, wide) {
			return true
		}
	}
	if sentence == 0 || p.Words.Has(s.Start, pos, lexicon.Waking) {
		return false
	}
	if inDream(p, sentence, pos) {
		return true
	}
	before := p.Sentences[sentence-1]
	w, ok := p.Words.Within(lexicon.Fiction, before.Start, before.End)
	if !ok || isHandled(p, w) || p.Words.Has(w.End, before.End, lexicon.Waking) {
		return false
	}
	if slices.Contains(p.Chars[w.Start:w.End], '梦') || p.IsOneOf(w.Start, "dn") { // dream, diary, nightmare
		return true
	}
	// The tape is from last year. …: the subject of the sentence before.
	if w.Start == before.Start && !wide {
		return true
	}
	// In it …, 画里…: the sentence continues about the picture.
	first := p.WordAt(s.Start)
	second := p.WordAt(p.SkipSpace(first.End))
	return p.Word(first) == "in" && (p.Word(second) == "it" || p.Word(second) == "this")
}

// maxDream is the maximum number of sentences of a dream.
const maxDream = 4

// inDream reports whether an earlier sentence begins a dream and there was no waking since. A thing
// that only looks or sounds like a dream ends with its sentence: 像是某种野兽在梦里翻身.
func inDream(p *Passage, sentence, pos int) bool {
	start := p.Sentences[max(0, sentence-maxDream)].Start
	for w := range p.Words.After(lexicon.Fiction, start) {
		if w.End > pos {
			return false
		}
		if (p.IsOneOf(w.Start, "做梦") && slices.Contains(p.Chars[w.Start:w.End], '梦') || strings.HasPrefix(p.Word(w), "dream")) && !likened(p, w) {
			return !p.Words.Has(w.End, pos, lexicon.Waking)
		}
	}
	return false
}

// likened reports whether a word of likeness is before a word in its clause.
func likened(p *Passage, w lexicon.Span) bool {
	start := p.ClauseStart(w.Start)
	return p.Words.Has(start, w.Start, lexicon.Doubt, lexicon.Unreal) || p.HasWord(start, w.Start, "like")
}

// maxHandled is the maximum distance, in characters, between the verb and the name of a picture or
// a book.
const maxHandled = 24

// isHandled reports whether a word for a picture, a book or a play is only the object of an action:
// tiptoes past the snoring portrait, 合上日记, 绕过一尊石雕; not 合上日记里….
func isHandled(p *Passage, w lexicon.Span) bool {
	from := w.Start - maxHandled
	if lexicon.IsHan(p.Chars[w.Start]) {
		if from = w.Start - 6; p.IsOneOf(w.End, "里中上内的说写演讲") {
			return false
		}
	}
	v, ok := p.Words.Within(lexicon.Handles, max(p.ClauseStart(w.Start), from), w.Start)
	return ok && p.Clean(v.End, w.Start)
}

// maxUnmask is the maximum distance, in characters, between 只是 or "only" and the thing that it
// reveals.
const maxUnmask = 16

// unmasked reports whether the rest of the sentence, or the next one, cancels the claim up to pos:
// 其实那只是诱饵影像, but it was only a dream.
func unmasked(p *Passage, sentence, pos int) bool {
	end := p.Sentences[min(sentence+1, len(p.Sentences)-1)].End
	for w := range p.Words.After(lexicon.Unmasks, pos) {
		if w.Start >= end {
			return false
		}
		if s, ok := p.Words.Within(lexicon.Sham, w.End, min(w.End+maxUnmask, end)); ok && p.Unbroken(w.End, s.Start) {
			return true
		}
	}
	return false
}

// isChoice reports whether the claim at pos is in an item of a list of choices: A. …, (b) …, ② ….
func isChoice(p *Passage, sentence, pos int) bool {
	s := p.Sentences[sentence]
	if optionLetter(p, s.Start) {
		return true
	}
	for i := s.Start; i < pos; i++ {
		if c := p.Chars[i]; '①' <= c && c <= '⑨' || (c == '(' || c == '（') && p.IsOneOf(i+1, "abcde") && p.IsOneOf(i+2, ")）") {
			return true
		}
	}
	if sentence == 0 {
		return false
	}
	// A full stop after the letter ends the sentence before: 可以选择：A. ….
	before := p.Sentences[sentence-1]
	if numbersChoice(p, sentence-1) {
		return true
	}
	last := before.End - 1
	return p.IsOneOf(last, "abcde") && p.Is(before.End, '.') &&
		(last == before.Start || p.IsOneOf(last-1, " (（[【-•>:、\n"))
}

// maxChoices is the maximum number of sentences between a question and the last of its numbered answers.
const maxChoices = 12

// numbersChoice reports whether a sentence is only the number of an answer to a question: What do you do? 1. ….
func numbersChoice(p *Passage, sentence int) bool {
	s := p.Sentences[sentence]
	if s.End-s.Start != 1 || !lexicon.IsDigit(p.Chars[s.Start]) || !p.IsOneOf(s.End, ".") {
		return false
	}
	for i := sentence - 1; i >= max(0, sentence-maxChoices); i-- {
		if p.Sentences[i].Question {
			return true
		}
	}
	return false
}

// optionLetter reports whether a letter from a to e is at pos as the mark of a choice.
func optionLetter(p *Passage, pos int) bool {
	if p.IsOneOf(pos, "(（[【-•>") {
		pos = p.SkipSpace(pos + 1)
	}
	return p.IsOneOf(pos, "abcde") && (pos+1 == len(p.Chars) || p.IsOneOf(pos+1, ".)）、]】:"))
}
