package conflict

import (
	"cmp"
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

// maxBack is the maximum number of sentences between a claim and the name that it is about.
const maxBack = 4

// maxPronoun is the maximum number of characters between a pronoun for the party and a claim.
const maxPronoun = 32

// maxCandidates limits the characters of a question.
const maxCandidates = 6

// maxListed limits the values and the places of a question.
const maxListed = 8

// candidates returns the characters that a match may be about, the likeliest first. The first subjects of
// them are what the match says; the others are only choices for the answer.
func (r *Reading) candidates(match parse.Match) (out []string, subjects int) {
	p, pos := r.passage, match.Start
	add := func(ids ...string) {
		for _, id := range ids {
			if id != "" && r.View.character(id) != nil {
				out = addNew(out, maxCandidates, id)
			}
		}
	}
	// The character whom the match mentions, or else the subject of the clause.
	if i := slices.IndexFunc(match.Pattern.Elements, func(e lexicon.Element) bool { return e.Slot == '@' }); i >= 0 {
		if m, ok := p.CalledAt(match.Parts[i].Start); ok {
			add(m.IDs...)
		}
	} else if match.Pattern.Own || rowOf(match.Pattern.Kind).field != FieldPosition {
		add(p.Subject(pos).IDs...)
	}
	subjects = len(out)
	// Then come the other characters of the sentence. If the sentence may be about somebody else, the
	// characters of the earlier sentences come last.
	i := p.SentenceAt(pos)
	here := p.Sentences[i].Span
	for _, m := range p.NamedIn(here) {
		add(m.IDs...)
	}
	m, ok := p.LastCalled(p.ClauseStart(pos), pos+1)
	isAnybody := ok && m.Pronoun && len(m.IDs) == 0
	if isAnybody || !p.Words.Has(here.Start, pos, lexicon.Creature) || p.Words.Has(here.Start, pos, lexicon.Epithet) {
		add(r.namedBefore(i)...)
	}
	// The party: By midnight they were inside the Hall.
	c := max(p.ClauseStart(pos), pos-maxPronoun)
	if isAnybody && len(out) > 0 || len(out) == 0 && (p.HasWord(c, pos, "they") || p.HasWord(c, pos, "we")) {
		add(r.View.Party...)
	}
	// Nobody is named: the acting character, or else the party.
	isUnnamed := len(out) == 0 && r.mayMeanActor(match)
	if isUnnamed {
		add(r.View.ActorID)
	}
	subjects = cmp.Or(subjects, len(out))
	if len(out) > 0 {
		add(r.namedBefore(min(i+3, len(p.Sentences)))...)
	}
	if isUnnamed {
		add(r.View.Party...)
	}
	return out, subjects
}

// mayMeanActor reports whether a match that names nobody may be about the acting character. A display may
// show anything: 【状态】药水：4.
func (r *Reading) mayMeanActor(match parse.Match) bool {
	p, pos, first := r.passage, match.Start, match.Parts[0]
	here := p.Sentences[p.SentenceAt(pos)]
	opensLine := p.OpensLine(pos) && !p.BeginsWithOther(pos) && !p.Words.Has(p.ClauseStart(pos), match.End, lexicon.Pronoun)
	return !p.Words.Has(here.Start, here.End, lexicon.Creature) && !p.Words.Has(first.Start, first.End, lexicon.Display) &&
		(opensLine || !match.Pattern.Chinese && p.Words.Has(match.Start, match.End, lexicon.HPWord))
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

// addSpoken adds the characters whom the sentences of a question name, also in speech, to the choices of the answer.
func (r *Reading) addSpoken(q *Question) {
	for i := range r.View.Characters {
		is := &r.View.Characters[i]
		named := func(name string) bool { return name != "" && strings.Contains(q.Sentences, name) }
		if named(is.Name) || slices.ContainsFunc(is.Aliases, named) {
			q.Who = addNew(q.Who, maxCandidates, is.ID)
		}
	}
}

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
			if n, ok := p.NumberAt(at.Start); ok && !p.Is(at.Start-1, '/') {
				q.Values = addNew(q.Values, maxListed, n.Value)
			}
		case '%':
			q.Places = addNew(q.Places, maxListed, placeAt(p.Places, at)...)
		}
	}
}

// quote sets the quote of a question to a span, and its sentences to those around it.
func (r *Reading) quote(q *Question, s lexicon.Span) {
	p := r.passage
	q.Quote, q.Sentences = p.Quote(s), p.Quote(r.around(s))
}

// placeAt returns the IDs that the name of an area or a keyword at a position may mean.
func placeAt(list []parse.Place, at lexicon.Span) []string {
	if k, ok := slices.BinarySearchFunc(list, at.Start, func(p parse.Place, start int) int { return p.Start - start }); ok {
		return list[k].IDs
	}
	return nil
}

// addNew appends the values that a list does not have, up to a limit of its length.
func addNew[V comparable](list []V, limit int, values ...V) []V {
	for _, v := range values {
		if len(list) < limit && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// isPart reports whether one of some amounts and those told next to it are together an amount that is settled
// for a character: three, then two, for a loss of five.
func (r *Reading) isPart(id string, amounts []int, s lexicon.Span) bool {
	e := r.View.evidenceOf(id, map[string]*hpEvidence{})
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

// shareWords reports whether one quote contains the other, or ends with the beginning of the other.
func shareWords(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	for n := min(len(a), len(b)) - 1; n >= minShared; n-- {
		if strings.HasSuffix(a, b[:n]) || strings.HasSuffix(b, a[:n]) {
			return true
		}
	}
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// minShared is the minimum number of bytes that two quotes share.
const minShared = 5
