package conflict

import "slices"

// Suspect returns the questions about a narration, in the order of the text, at most [MaxQuestions].
// found are the findings of [Detect] about it. The rules, in order: a quote that blocks already is
// no question; nor is a quote whose detector is off; nor is a quote that the state or an action of
// the turn explains, unless the options say all.
func Suspect(r *Reading, found []Conflict, opts Options) []Question {
	if opts.Mode == Off || opts.Ask == askOff {
		return nil
	}
	n := net{Reading: r, found: found, opts: opts, settled: map[string]*hpEvidence{}}
	n.collect()
	n.collectWide() // asks about the sentences that the others leave
	slices.SortStableFunc(n.list, func(a, b suspicion) int { return a.Start - b.Start })
	var out []Question
	for i, s := range n.list {
		s.N = i + 1
		out = append(out, s.Question)
	}
	return out
}

// collect adds the suspicions of all patterns but the wide ones.
func (n *net) collect() {
	for _, m := range n.matches(false) {
		if n.isHarmless(m) {
			continue
		}
		who, subjects := n.candidates(m)
		s := suspicion{Question{Kind: m.Pattern.Kind, Who: who}, m.Span, subjects}
		n.widen(&s.Question, m, m.Span)
		if last := &n.last; last.isSameAs(s) {
			last.End = max(last.End, m.End)
			last.Who = addNew(last.Who, maxCandidates, who...)
			n.widen(&last.Question, m, last.Span)
			continue
		}
		if len(who) == 0 && rowOf(s.Kind).who {
			continue
		}
		if n.finishLast(); len(n.list) == MaxQuestions {
			return
		}
		n.last = s
	}
	n.finishLast()
}
