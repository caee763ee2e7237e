package conflict

import (
	"slices"
	"strings"
)

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
	n.collect()
	n.collectWide()
	slices.SortStableFunc(n.list, func(a, b suspicion) int { return a.Start - b.Start })
	for _, s := range n.list {
		out = append(out, s.Question)
	}
	return out
}

// collect adds the suspicions of all patterns but the wide ones.
func (n *net) collect() {
	for _, m := range n.matches(false) {
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
		s := suspicion{Question{Kind: m.Pattern.Kind, Who: who}, m.Span, likely}
		n.widen(&s.Question, m, m.Span)
		// Two suspicions of one family that overlap are one question. A text that kills and one that raises are
		// two, and so are two places: an answer names one.
		if last := &n.last; last.Kind != "" && rowOf(last.Kind).field == d.field && (last.Kind == askAlive) == (s.Kind == askAlive) &&
			(d.field != FieldPosition || slices.Equal(last.Places, s.Places)) && m.Start < last.End {
			last.End = max(last.End, m.End)
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
	for i := range list {
		at := r.passage.CharAt(max(0, strings.Index(r.Narration, list[i].Quote)))
		if isAmount(list[i]) && r.isPart(list[i].EntityID, r.passage.SentenceAt(at)) {
			list[i].Severity = Warn
		}
	}
	return list
}
