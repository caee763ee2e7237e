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

// Suspect returns the questions about a narration, in the order of the text, at most [MaxQuestions].
// found are the findings of [Detect] about it. The rules, in order: a quote that blocks already is
// no question; nor is a quote whose detector is off; nor is a quote that the state or an action of
// the turn explains, unless the options say all.
func Suspect(r *Reading, found []Conflict, opts Options) []Question {
	if opts.Mode == Off || opts.Ask == askOff {
		return nil
	}
	out := r.questions(found, opts)
	if opts.Ask != askAll {
		out = r.withoutSettled(out, found)
	}
	for i := range out {
		out[i].N = i + 1
	}
	return out
}

// questions returns the questions of [Suspect] without their numbers, and with those about settled parts.
// The wide patterns come last: they ask about the sentences that the others leave.
func (r *Reading) questions(found []Conflict, opts Options) (out []Question) {
	n := net{Reading: r, found: found, opts: opts, settled: map[string]*hpEvidence{}}
	n.collect(false)
	n.collect(true)
	slices.SortStableFunc(n.list, func(a, b suspicion) int { return a.Start - b.Start })
	for _, s := range n.list {
		out = append(out, s.Question)
	}
	return out
}

// A net collects the suspicions about a text.
type net struct {
	*Reading
	found   []Conflict
	opts    Options
	settled map[string]*hpEvidence // the amounts that quotes have used
	list    []suspicion
	last    suspicion // the one that the next match may widen
}

// A suspicion is a question and its place. subjects is the number of its characters that are the subject
// of the sentence.
type suspicion struct {
	Question
	lexicon.Span
	subjects int
}

// collect adds the suspicions of the wide patterns, or of the others.
func (n *net) collect(wide bool) {
	for _, m := range n.matches(wide) {
		if m.Pattern.Strict || m.Pattern.Kind == askAlive && !n.mayRaise(m) {
			continue
		}
		i, d := n.passage.SentenceAt(m.Start), rowOf(m.Pattern.Kind)
		if i < 0 || !n.isTold(m) || n.countsOther(m) || m.Pattern.Own && n.passage.IsAnothers(m.Start) && !n.meansKnown(m) {
			continue
		}
		who, likely := n.candidates(m)
		if m.Pattern.Kind == askAlive && !slices.ContainsFunc(who[:likely], n.isDead) {
			continue
		}
		span := m.Span
		if wide {
			span = n.passage.Sentences[i].Span
			if n.asksNear(i, d.field) || d.who && len(n.passage.NamedIn(span)) == 0 {
				continue
			}
		}
		s := suspicion{Question{Kind: m.Pattern.Kind, Who: who}, span, likely}
		n.widen(&s.Question, m, span)
		// Two suspicions of one family that overlap are one question. A text that kills and one that raises are
		// two, and so are two places: an answer names one.
		if last := &n.last; last.Kind != "" && rowOf(last.Kind).field == d.field && (last.Kind == askAlive) == (s.Kind == askAlive) &&
			(d.field != FieldPosition || slices.Equal(last.Places, s.Places)) && m.Start < last.End {
			last.End = max(last.End, span.End)
			for _, id := range who {
				if !slices.Contains(last.Who, id) && len(last.Who) < maxCandidates {
					last.Who = append(last.Who, id)
				}
			}
			n.widen(&last.Question, m, last.Span)
			continue
		}
		if len(who) == 0 && d.who {
			continue
		}
		if n.keep(); len(n.list) == MaxQuestions {
			return
		}
		n.last = s
	}
	n.keep()
}

// keep ends the widening of the last suspicion, and drops it if it is no question.
func (n *net) keep() {
	last := n.last
	n.last = suspicion{}
	if last.Kind != "" && len(n.list) < MaxQuestions && !isBlocked(last.Question, n.found) && n.opts.askSeverity(last.Kind) != "" &&
		(n.opts.Ask == askAll || !n.explains(last.Question, last.subjects, n.settled)) {
		n.list = append(n.list, last)
	}
}

// asksNear reports whether a suspicion of a part of the state is in the i-th sentence or beside it.
func (n *net) asksNear(i int, field string) bool {
	from, to := n.passage.Sentences[max(0, i-1)].Start, n.passage.Sentences[min(i+1, len(n.passage.Sentences)-1)].End
	return slices.ContainsFunc(n.list, func(c suspicion) bool { return c.Start < to && from < c.End && rowOf(c.Kind).field == field })
}

// withoutSettled removes the questions about amounts that are together a settled amount, unless a finding
// blocks one of the amounts: the answer shows that it is a part.
func (r *Reading) withoutSettled(list []Question, found []Conflict) []Question {
	parts, i := r.settledParts(list), -1
	return slices.DeleteFunc(list, func(q Question) bool {
		i++
		return parts[i] && !slices.ContainsFunc(found, func(c Conflict) bool { return c.Severity == Block && shareWords(c.Quote, q.Quote) })
	})
}

// settledParts returns the indexes of the questions about amounts that are together a settled amount.
func (r *Reading) settledParts(list []Question) map[int]bool {
	return r.View.completed(len(list), func(i int) (string, int, int) {
		q, sum := list[i], 0
		if rowOf(q.Kind).field != FieldHP || q.Kind == askPart {
			return "", 0, 0
		}
		for _, v := range q.Values {
			sum += v
		}
		return q.Who[0], sum, len(q.Values)
	})
}

// withPartsLowered makes warnings of the amounts that may be parts of a settled amount: the rest of it is in
// words that only a question finds.
func (r *Reading) withPartsLowered(list []Conflict) []Conflict {
	isAmount := func(c Conflict) bool { return c.Kind == hpAmountMismatch && c.Severity == Block }
	if !slices.ContainsFunc(list, isAmount) {
		return list
	}
	questions := r.questions(nil, Options{})
	for k := range r.settledParts(questions) {
		for i := range list {
			if isAmount(list[i]) && shareWords(list[i].Quote, questions[k].Quote) {
				list[i].Severity = Warn
			}
		}
	}
	return list
}

// isTold reports whether a match is stated as a fact, and no word in the clause of its last part cancels it.
func (r *Reading) isTold(m parse.Match) bool {
	last := m.Parts[len(m.Parts)-1]
	p, field := r.passage, rowOf(m.Pattern.Kind).field
	if p.IsOneOf(m.End, "也都") && p.Is(m.End+1, '没') || field == FieldHP && (p.Is(m.End-1, '没') || p.Is(m.Start, '没') && !p.Is(m.Start+1, '了')) { // 一点血也没掉
		return false
	}
	switch verb := p.WordAt(p.SkipSpace(m.Parts[0].End)); {
	case field == FieldAliveState && m.Pattern.Elements[0].Slot == '@' && p.Words.Has(verb.End, last.Start, lexicon.Creature):
		return false // you knock the guard out cold
	case field == FieldPosition && m.Pattern.Elements[0].Slot == '@' && p.IsPossessor(parse.Mention{Span: m.Parts[0]}):
		return false // her letter has reached the Hall
	case field == "dice" && p.Words.Has(p.Sentences[max(0, p.SentenceAt(m.Start)-1)].Start, m.End, lexicon.Gambling):
		return false
	}
	if to := p.WordBefore(0, m.Start); field == FieldPosition && p.Word(to) == "to" && !strings.HasPrefix(p.Word(p.WordBefore(0, to.Start)), "manage") {
		return false // you mean to reach the Hall
	}
	return p.Suspected(m.Span, m.Pattern.Kind == askArrival) &&
		!p.Words.Has(max(m.Parts[0].End, p.ClauseStart(last.Start)), last.Start, lexicon.Unreal, lexicon.Negation, lexicon.Intention, lexicon.Doubt)
}

// countsOther reports whether a match about hit points or dice ends with a number of something else,
// such as coins or steps.
func (r *Reading) countsOther(m parse.Match) bool {
	p, f, last := r.passage, rowOf(m.Pattern.Kind).field, len(m.Pattern.Elements)-1
	if c := p.Clauses[p.ClauseAt(m.Start)]; f == FieldHP && p.Words.Has(c.Start, c.End, lexicon.Resource) && !p.Words.Has(c.Start, c.End, lexicon.HPWord) {
		return true
	}
	if f != FieldHP && f != "dice" || m.Pattern.Elements[last].Slot != '#' {
		return false
	}
	n, ok := p.NumberAt(m.Parts[last].Start)
	if !ok {
		return false
	}
	from := n.End
	for from < len(p.Chars) && p.Chars[from] == ' ' {
		from++
	}
	to := from
	for to < len(p.Chars) && to-from < 16 && unicode.IsLetter(p.Chars[to]) {
		to++
	}
	switch {
	case from == to:
		return false
	case unicode.Is(unicode.Han, p.Chars[from]):
		return !strings.ContainsRune("点滴格血生的了这那", p.Chars[from])
	}
	return !slices.Contains(afterAmount, strings.ToLower(string(p.Chars[from:to])))
}

// afterAmount lists the English words after an amount that may be one of hit points.
var afterAmount = []string{"hp", "hit", "health", "life", "point", "points", "damage", "heart", "hearts", "more", "full", "good", "whole",
	"of", "from", "to", "and", "or", "but", "then", "as", "when", "while", "before", "after", "again", "at", "on", "in", "into", "with",
	"for", "by", "if", "off", "that", "this", "total", "left", "because", "until", "under", "vs", "versus", "against", "dc", "success", "back", "out", "away", "there", "here", "now"}

// maxListed limits the values and the places of a question.
const maxListed = 8

// widen sets the quote of a question to a span, and adds the values and places of a match.
func (r *Reading) widen(q *Question, m parse.Match, s lexicon.Span) {
	p := r.passage
	q.Quote = p.Quote(s)
	first, last := p.SentenceAt(s.Start), p.SentenceAt(max(s.Start, s.End-1))
	around := lexicon.Between(p.Sentences[max(0, first-1)].Start, p.Sentences[min(last+1, len(p.Sentences)-1)].End)
	q.Sentences = p.Quote(around)
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
			for _, id := range placeAt(p.Places, at) {
				if len(q.Places) < maxListed && !slices.Contains(q.Places, id) {
					q.Places = append(q.Places, id)
				}
			}
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
	add(r.titled(here)...)
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

// titled returns the characters of whose names a span has a word, such as a title: the captain, 道长.
func (r *Reading) titled(s lexicon.Span) (out []string) {
	text := strings.ToLower(r.passage.Quote(s))
	for _, c := range r.View.Characters {
		name := []rune(c.Name)
		if n := len(name); n > 2 && lexicon.IsHan(name[n-1]) {
			if title := string(name[n-2:]); !slices.Contains(c.Aliases, title) && strings.Contains(text, title) && !strings.Contains(text, c.Name) {
				out = append(out, c.ID)
			}
			continue
		}
		for word := range strings.FieldsSeq(strings.ToLower(c.Name)) {
			if len(word) > 3 && len(word) < len(c.Name) && !slices.ContainsFunc(c.Aliases, func(a string) bool { return strings.EqualFold(a, word) }) && r.passage.HasWord(s.Start, s.End, word) {
				out = append(out, c.ID)
				break
			}
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
	if rowOf(m.Pattern.Kind).field == FieldHP {
		if said := strings.ToLower(p.Quote(lexicon.Between(max(c.Start, m.Start-8), m.Start))); p.WordIs(c.Start, "who") ||
			slices.ContainsFunc(expletives, func(w string) bool { return strings.HasSuffix(said, w) }) {
			return true
		}
		if _, named := p.LastCalled(m.Start, c.End); named {
			return true
		}
	}
	return len(r.titled(lexicon.Between(c.Start, m.Start))) > 0 || p.Words.Has(c.Start, m.Start, lexicon.Epithet) &&
		slices.ContainsFunc(r.namedBefore(c.Sentence+1), func(id string) bool { return id != r.View.ActorID })
}

// expletives are the subjects of claims that name nobody: Su is hit, and it's eight damage.
var expletives = []string{"it's ", "it’s ", "it is ", "it was ", "that's ", "that’s ", "that is ", "that was "}

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
