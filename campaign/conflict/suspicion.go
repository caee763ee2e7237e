package conflict

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// A net collects the suspicions about a text.
type net struct {
	*Reading
	found     []Conflict
	opts      Options
	settled   map[string]*hpEvidence // the amounts that quotes have used
	list      []suspicion
	last      suspicion   // the one that the next match may widen
	explained []suspicion // those that the state explains
	areaWords *lexicon.Hits
	areaEnds  []int // the ends of the names of areas in areaWords, see [net.areasOf]
}

// A suspicion is a question and its place. subjects is the number of its characters that are the subject
// of the sentence.
type suspicion struct {
	Question
	lexicon.Span
	subjects int
}

// isSameAs reports whether a suspicion and the next one, next, are one question: they overlap and are of one
// family. A text that kills and one that raises are two, and so are two places: an answer names one.
func (s *suspicion) isSameAs(next suspicion) bool {
	field := rowOf(next.Kind).field
	return s.Kind != "" && next.Start < s.End && rowOf(s.Kind).field == field && (s.Kind == askAlive) == (next.Kind == askAlive) &&
		(field != FieldPosition || slices.Equal(s.Places, next.Places))
}

// finishLast ends the widening of the last suspicion. It adds the suspicion to the list if it is a question.
func (n *net) finishLast() {
	last := n.last
	n.last = suspicion{}
	if last.Kind == "" || len(n.list) == MaxQuestions || isBlocked(last.Question, n.found) || n.opts.askSeverity(last.Kind) == "" {
		return
	}
	isPart := rowOf(last.Kind).field == FieldHP && len(last.Values) > 0 && n.isPart(last.Who[0], last.Values, last.Span)
	if n.opts.Ask != askAll && (n.explains(last.Question, last.subjects, n.settled) || isPart) {
		n.explained = append(n.explained, last)
		return
	}
	if rowOf(last.Kind).who {
		n.addSpoken(&last.Question)
	}
	n.list = append(n.list, last)
}

// isHarmless reports whether a match is no suspicion.
func (r *Reading) isHarmless(m parse.Match) bool {
	return m.Pattern.Strict || m.Pattern.Kind == askAlive && !r.mayRaise(m) || r.passage.SentenceAt(m.Start) < 0 || !r.isTold(m) ||
		r.countsOther(m) || m.Pattern.Own && r.passage.IsAnothers(m.Start) && !r.meansKnown(m)
}

// isTold reports whether a match is stated as a fact: it is not denied, no idiom gives it a different meaning,
// and no word in the clause of its last part cancels it.
func (r *Reading) isTold(m parse.Match) bool {
	p, last := r.passage, m.Parts[len(m.Parts)-1]
	return !r.isDenied(m) && !r.isIdiom(m) && p.Suspected(m.Span) &&
		!p.Words.Has(max(m.Parts[0].End, p.ClauseStart(last.Start)), last.Start, lexicon.Unreal, lexicon.Negation, lexicon.Intention, lexicon.Doubt)
}

// isDenied reports whether 没 denies a match: 一点血也没掉. 没了 denies nothing: it says that something is gone.
func (r *Reading) isDenied(m parse.Match) bool {
	p := r.passage
	return p.IsOneOf(m.End, "也都") && p.Is(m.End+1, '没') ||
		rowOf(m.Pattern.Kind).field == FieldHP && (p.Is(m.End-1, '没') || p.Is(m.Start, '没') && !p.Is(m.Start+1, '了'))
}

// isIdiom reports whether the words of a match mean something else here.
func (r *Reading) isIdiom(m parse.Match) bool {
	p, first, last := r.passage, m.Parts[0], m.Parts[len(m.Parts)-1].Start
	beginsWithName := m.Pattern.Elements[0].Slot == '@'
	switch field := rowOf(m.Pattern.Kind).field; {
	case field == FieldAliveState && beginsWithName && p.Words.Has(p.WordAt(p.SkipSpace(first.End)).End, last, lexicon.Creature):
		return true // you knock the guard out cold
	case field == FieldPosition && beginsWithName && p.IsPossessor(parse.Mention{Span: first}):
		return true // her letter has reached the Hall
	case field == "dice" && p.Words.Has(p.Sentences[max(0, p.SentenceAt(m.Start)-1)].Start, m.End, lexicon.Gambling):
		return true
	}
	whose, _ := p.LastCalled(m.Start, last)
	return p.WordIs(last, "eyes") && !strings.Contains(p.Quote(m.Span), "roll") && slices.Equal(whose.IDs, p.Subject(m.Start).IDs) // he closes his eyes
}

// countsOther reports whether a match about hit points or dice ends with a number of something else,
// such as coins or steps.
func (r *Reading) countsOther(m parse.Match) bool {
	p, field, last := r.passage, rowOf(m.Pattern.Kind).field, len(m.Parts)-1
	c := p.Clauses[p.ClauseAt(m.Start)]
	if field == FieldHP && p.Words.Has(c.Start, c.End, lexicon.Resource) && !p.Words.Has(c.Start, c.End, lexicon.HPWord) {
		return true
	}
	n, ok := p.NumberAt(m.Parts[last].Start)
	return ok && (field == FieldHP || field == "dice") && strings.ContainsRune("#M", rune(m.Pattern.Elements[last].Slot)) && r.isOfOther(n.End)
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
