package conflict

import (
	"slices"
	"strings"
	"unicode"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// MaxQuestions is the maximum number of questions about one narration.
const MaxQuestions = 8

// A Question asks what a part of a narration says. It has nothing of the state: the answer says what
// the text says, and [Decide] compares it with the state.
type Question struct {
	// N is the number of the question, from 1.
	N int `json:"n"`
	// Kind says what the text may claim: hp_loss, hp_gain, hp, hp_value, hp_full, hp_empty, dead,
	// unconscious, fallen, alive, arrival, presence, rule, map, card, goal or dice. A part of the hit points,
	// such as half of them, has the kind hp_part and its value in per cent.
	Kind string `json:"kind"`
	// Quote is an exact substring of the narration. Sentences is the text around it.
	Quote     string `json:"quote"`
	Sentences string `json:"sentences,omitempty"`
	// Who lists the IDs of the characters that the quote may be about, the likeliest first.
	Who []string `json:"who,omitempty"`
	// Values lists the numbers of the quote, Places the IDs of its areas.
	Values []int    `json:"values,omitempty"`
	Places []string `json:"places,omitempty"`
}

// Text returns the question in words, in Chinese or English.
func (q Question) Text(chinese bool) string { return lexicon.Texts()[chinese][q.Kind] }

// A net collects the suspicions about a text.
type net struct {
	*Reading
	found   []Conflict
	opts    Options
	settled map[string]*hpEvidence // the amounts that quotes have used
	list    []suspicion
	last    suspicion   // the one that the next match may widen
	clear   []suspicion // those that the state explains
}

// A suspicion is a question and its place. subjects is the number of its characters that are the subject
// of the sentence.
type suspicion struct {
	Question
	lexicon.Span
	subjects int
}

// keep ends the widening of the last suspicion, and drops it if it is no question.
func (n *net) keep() {
	last := n.last
	n.last = suspicion{}
	if last.Kind == "" || len(n.list) == MaxQuestions || isBlocked(last.Question, n.found) || n.opts.askSeverity(last.Kind) == "" {
		return
	}
	isPart := func() bool {
		return rowOf(last.Kind).field == FieldHP && len(last.Values) > 0 && n.isPart(last.Who[0], last.Values, last.Span)
	}
	if n.opts.Ask != askAll && (n.explains(last.Question, last.subjects, n.settled) || isPart()) {
		n.clear = append(n.clear, last)
		return
	}
	if rowOf(last.Kind).who {
		n.addSpoken(&last.Question)
	}
	n.list = append(n.list, last)
}

// addSpoken adds the characters whom the sentences of a question name, also in speech, to the choices of the answer.
func (r *Reading) addSpoken(q *Question) {
	for i := range r.View.Characters {
		is := &r.View.Characters[i]
		named := func(name string) bool { return name != "" && strings.Contains(q.Sentences, name) }
		if len(q.Who) < maxCandidates && !slices.Contains(q.Who, is.ID) && (named(is.Name) || slices.ContainsFunc(is.Aliases, named)) {
			q.Who = append(q.Who, is.ID)
		}
	}
}

// isPart reports whether one of some amounts and those told next to it are together an amount that is settled
// for a character: three, then two, for a loss of five.
func (r *Reading) isPart(id string, amounts []int, s lexicon.Span) bool {
	e := r.View.evidenceOf(id, map[string]*hpEvidence{})
	if len(e.changes) == 0 {
		return false
	}
	told := r.amountsIn(r.around(s))
	for i, sum := range told {
		isNear := slices.Contains(amounts, sum)
		for _, more := range told[i+1:] {
			sum += more
			isNear = isNear || slices.Contains(amounts, more)
			if isNear && (e.amounts[sum] != nil || e.amounts[-sum] != nil) {
				return true
			}
		}
	}
	return false
}

// isSettledPart reports whether a conflict is about an amount that is part of a settled one.
func (r *Reading) isSettledPart(c Conflict, s lexicon.Span) bool {
	delta, _ := c.Found["claimed_delta"].(int)
	return c.Kind == hpAmountMismatch && r.isPart(c.EntityID, []int{abs(delta)}, s)
}

// around returns the sentences of a span, with the one before and the one after them.
func (r *Reading) around(s lexicon.Span) lexicon.Span {
	all := r.passage.Sentences
	if len(all) == 0 {
		return lexicon.Span{}
	}
	first, last := r.passage.SentenceAt(s.Start), r.passage.SentenceAt(max(s.Start, s.End-1))
	return lexicon.Between(all[max(0, first-1)].Start, all[min(last+1, len(all)-1)].End)
}

// isTold reports whether a match is stated as a fact, and no word in the clause of its last part cancels it.
func (r *Reading) isTold(m parse.Match) bool {
	last := m.Parts[len(m.Parts)-1]
	p, field := r.passage, rowOf(m.Pattern.Kind).field
	if p.IsOneOf(m.End, "也都") && p.Is(m.End+1, '没') || field == FieldHP && (p.Is(m.End-1, '没') || p.Is(m.Start, '没') && !p.Is(m.Start+1, '了')) { // 一点血也没掉
		return false
	}
	whose, _ := p.LastCalled(m.Start, last.Start)
	switch verb := p.WordAt(p.SkipSpace(m.Parts[0].End)); {
	case field == FieldAliveState && m.Pattern.Elements[0].Slot == '@' && p.Words.Has(verb.End, last.Start, lexicon.Creature):
		return false // you knock the guard out cold
	case p.WordIs(last.Start, "eyes") && slices.Equal(whose.IDs, p.Subject(m.Start).IDs):
		return false // he closes his eyes
	case field == FieldPosition && m.Pattern.Elements[0].Slot == '@' && p.IsPossessor(parse.Mention{Span: m.Parts[0]}):
		return false // her letter has reached the Hall
	case field == "dice" && p.Words.Has(p.Sentences[max(0, p.SentenceAt(m.Start)-1)].Start, m.End, lexicon.Gambling):
		return false
	}
	return p.Suspected(m.Span) &&
		!p.Words.Has(max(m.Parts[0].End, p.ClauseStart(last.Start)), last.Start, lexicon.Unreal, lexicon.Negation, lexicon.Intention, lexicon.Doubt)
}

// countsOther reports whether a match about hit points or dice ends with a number of something else,
// such as coins or steps.
func (r *Reading) countsOther(m parse.Match) bool {
	p, f, last := r.passage, rowOf(m.Pattern.Kind).field, len(m.Pattern.Elements)-1
	if c := p.Clauses[p.ClauseAt(m.Start)]; f == FieldHP && p.Words.Has(c.Start, c.End, lexicon.Resource) && !p.Words.Has(c.Start, c.End, lexicon.HPWord) {
		return true
	}
	if f != FieldHP && f != "dice" || !strings.ContainsRune("#M", rune(m.Pattern.Elements[last].Slot)) {
		return false
	}
	n, ok := p.NumberAt(m.Parts[last].Start)
	return ok && r.isOfOther(n.End)
}

// amountsIn returns the numbers in a span that may be amounts of hit points.
func (r *Reading) amountsIn(s lexicon.Span) (out []int) {
	for _, n := range r.passage.NumbersIn(s) {
		if len(out) < maxListed && !n.Vague && !r.isOfOther(n.End) {
			out = append(out, n.Value)
		}
	}
	return out
}

// isOfOther reports whether the word after a number says that it counts something else than hit points.
func (r *Reading) isOfOther(from int) bool {
	p := r.passage
	from = p.SkipSpace(from)
	if from == len(p.Chars) || !unicode.IsLetter(p.Chars[from]) {
		return false
	}
	return !p.IsOneOf(from, "血生的了这那") && !slices.ContainsFunc(afterAmount, func(c lexicon.Class) bool { return p.Words.HasAt(c, from) })
}

// afterAmount are the classes of the words after an amount that may be one of hit points.
var afterAmount = []lexicon.Class{lexicon.AfterAmount, lexicon.HPWord, lexicon.Damage, lexicon.Preposition, lexicon.Connective,
	lexicon.Determiner, lexicon.Along, lexicon.InPlace, lexicon.Filler}

// maxListed limits the values and the places of a question.
const maxListed = 8

// widen sets the quote of a question to a span, and adds the values and places of a match.
func (r *Reading) widen(q *Question, m parse.Match, s lexicon.Span) {
	p := r.passage
	r.quote(q, s)
	for i, e := range m.Pattern.Elements {
		switch at := m.Parts[i]; e.Slot {
		case '^':
			n, _ := p.PartAt(at.Start)
			q.Values = []int{n.Value}
		case '#', '*':
			if n, ok := p.NumberAt(at.Start); ok && !p.Is(at.Start-1, '/') && len(q.Values) < maxListed && !slices.Contains(q.Values, n.Value) {
				q.Values = append(q.Values, n.Value)
			}
		case '%':
			q.addPlaces(placeAt(p.Places, at))
		}
	}
}

// quote sets the quote of a question to a span, and its sentences to those around it.
func (r *Reading) quote(q *Question, s lexicon.Span) {
	p := r.passage
	q.Quote, q.Sentences = p.Quote(s), p.Quote(r.around(s))
}

// addPlaces adds areas that a question does not list.
func (q *Question) addPlaces(ids []string) {
	for _, id := range ids {
		if len(q.Places) < maxListed && !slices.Contains(q.Places, id) {
			q.Places = append(q.Places, id)
		}
	}
}

// placeAt returns the IDs that the name of an area or a keyword at a position may mean.
func placeAt(list []parse.Place, at lexicon.Span) []string {
	k, ok := slices.BinarySearchFunc(list, at.Start, func(p parse.Place, start int) int { return p.Start - start })
	if !ok {
		return nil
	}
	return list[k].IDs
}

// maxBack is the maximum number of sentences between a claim and the name that it is about.
const maxBack = 4

// maxPronoun is the maximum number of characters between a pronoun for the party and a claim.
const maxPronoun = 32

// maxCandidates limits the characters of a question.
const maxCandidates = 6

// candidates returns the characters that a match may be about: its mention or else its subject, the characters
// mentioned in its sentence, and those of the sentence before if the claim names nobody. subjects is
// the number of subjects.
func (r *Reading) candidates(match parse.Match) (out []string, subjects int) {
	pos := match.Start
	add := func(ids ...string) {
		for _, id := range ids {
			if id != "" && len(out) < maxCandidates && !slices.Contains(out, id) && r.View.character(id) != nil {
				out = append(out, id)
			}
		}
	}
	p := r.passage
	if i := slices.IndexFunc(match.Pattern.Elements, func(e lexicon.Element) bool { return e.Slot == '@' }); i >= 0 {
		if m, ok := p.CalledAt(match.Parts[i].Start); ok {
			add(m.IDs...)
		}
	} else if match.Pattern.Own || rowOf(match.Pattern.Kind).field != FieldPosition {
		add(p.Subject(pos).IDs...)
	}
	subjects = len(out)
	i := p.SentenceAt(pos)
	here := p.Sentences[i].Span
	for _, m := range p.NamedIn(here) {
		add(m.IDs...)
	}
	m, ok := p.LastCalled(p.ClauseStart(pos), pos+1)
	anybody := ok && m.Pronoun && len(m.IDs) == 0
	if anybody || !p.Words.Has(here.Start, pos, lexicon.Creature) || p.Words.Has(here.Start, pos, lexicon.Epithet) {
		add(r.namedBefore(i)...)
	}
	if anybody && len(out) > 0 {
		add(r.View.Party...)
	}
	// By midnight they were inside the Hall.
	if c := max(p.ClauseStart(pos), pos-maxPronoun); len(out) == 0 && (p.HasWord(c, pos, "they") || p.HasWord(c, pos, "we")) {
		add(r.View.Party...)
	}
	// A line without a name is about the acting character, but a display may show anything: 【状态】药水：4.
	of := match.Parts[0]
	unnamed := len(out) == 0 && !p.Words.Has(here.Start, here.End, lexicon.Creature) && !p.Words.Has(of.Start, of.End, lexicon.Display) &&
		(p.OpensLine(pos) && !p.BeginsWithOther(pos) && !p.Words.Has(p.ClauseStart(pos), match.End, lexicon.Pronoun) || !match.Pattern.Chinese && p.Words.Has(match.Start, match.End, lexicon.HPWord))
	if unnamed {
		add(r.View.ActorID)
	}
	if subjects == 0 {
		subjects = len(out)
	}
	if len(out) > 0 { // the rest are choices of the answer only
		add(r.namedBefore(min(i+3, len(p.Sentences)))...)
	}
	if unnamed {
		add(r.View.Party...)
	}
	return out, subjects
}

// mayRaise reports whether a match may be about a dead character. It looks at the mention only.
func (r *Reading) mayRaise(match parse.Match) bool {
	m, ok := r.passage.CalledAt(match.Parts[0].Start)
	return match.Pattern.Elements[0].Slot != '@' || ok && slices.ContainsFunc(m.IDs, r.isDead)
}

// isDead reports whether a text that lets a character live contradicts the state.
func (r *Reading) isDead(id string) bool {
	return !r.View.supportsLife(r.View.character(id), lifeStates[askAlive])
}

// namedBefore returns the characters that the sentences before the i-th one mention, the last ones first.
func (r *Reading) namedBefore(i int) (out []string) {
	for k := i - 1; k >= max(0, i-maxBack); k-- {
		for _, m := range r.passage.NamedIn(r.passage.Sentences[k].Span) {
			out = append(out, m.IDs...)
		}
	}
	return out
}

// meansKnown reports whether a match about an untracked subject may still be about a tracked character.
// It reports true in two cases. The rest of the clause names a character (the trap takes 5 hit points off
// you). Or the subject is a noun for a character of an earlier sentence (the old nun).
func (r *Reading) meansKnown(m parse.Match) bool {
	p := r.passage
	c := p.Clauses[p.ClauseAt(m.Start)]
	if _, named := p.LastCalled(m.Start, c.End); named && rowOf(m.Pattern.Kind).field == FieldHP {
		return true
	}
	isNamed := func(id string) bool { return id != r.View.ActorID }
	return p.Words.Has(c.Start, m.Start, lexicon.Epithet) && slices.ContainsFunc(r.namedBefore(c.Sentence+1), isNamed)
}

// isBlocked reports whether a finding blocks the same words for the same reason.
func isBlocked(q Question, found []Conflict) bool {
	return slices.ContainsFunc(found, func(c Conflict) bool {
		return c.Severity == Block && rowOf(q.Kind).field == rowOf(c.Kind).field && shareWords(c.Quote, q.Quote) &&
			(c.Kind != hpAmountMismatch || len(q.Values) < 2)
	})
}

// shareWords reports whether one quote contains the other, or ends with the beginning of the other.
func shareWords(a, b string) bool {
	if a == "" || b == "" || strings.Contains(a, b) || strings.Contains(b, a) {
		return a != "" && b != ""
	}
	for n := min(len(a), len(b)) - 1; n >= minShared; n-- {
		if strings.HasSuffix(a, b[:n]) || strings.HasSuffix(b, a[:n]) {
			return true
		}
	}
	return false
}

// minShared is the minimum number of bytes that two quotes share.
const minShared = 5
