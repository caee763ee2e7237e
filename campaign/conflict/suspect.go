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
		if m.Pattern.Strict || m.Pattern.Kind == askAlive && !n.mayRaise(m) {
			continue
		}
		i, d := n.passage.SentenceAt(m.Start), rowOf(m.Pattern.Kind)
		if i < 0 || !n.isTold(m) || n.countsOther(m) || m.Pattern.Own && n.passage.IsAnothers(m.Start) && !n.meansKnown(m) {
			continue
		}
		who, likely := n.candidates(m)
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
