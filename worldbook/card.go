package worldbook

import "github.com/talewright/talewright/worldbook/internal/match"

// cardRules are what the decorators of a Card V3 or RisuAI entry ask for.
type cardRules struct {
	placed         bool // position or depth come from a decorator
	role           *Role
	depth          *int
	reverseDepth   *int // counted from the oldest message
	keepAfterMatch bool
	stopAfterMatch bool
	onlyAfter      int // assistant messages
	every          int
	greeting       *int
	icon           string
	hides          []string
	wholeWords     *bool
	lastInLine     bool // the first to go when the budget is short
	priority       *int
	injectLore     string    // the entry to stand inside
	inject         Injection // Into is empty without inject_at
	additional     [][]string
	exclude        []string
	excludeAll     []string

	additionalRefs [][]match.Ref
	excludeRefs    []match.Ref
	excludeAllRefs []match.Ref
}

// keys compiles the keys that decorators bring.
func (v *cardRules) keys(b *builder, rules match.KeyRules, kind match.Kind) {
	add := func(list []string) []match.Ref {
		refs := make([]match.Ref, len(list))
		for i, k := range list {
			refs[i], _ = b.keys.Add(match.Valid(k), rules, kind)
		}
		return refs
	}
	for _, list := range v.additional {
		v.additionalRefs = append(v.additionalRefs, add(list))
	}
	if kind == match.Pattern {
		return // use_regex switches the exclusions off
	}
	v.excludeRefs, v.excludeAllRefs = add(v.exclude), add(v.excludeAll)
}

// matchedBefore reports whether an entry was active on an earlier turn.
func (t *timing) matchedBefore(e *entry) bool {
	_, ok := t.lastActive(e)
	return ok
}

// cardGate says which condition of its decorators stops an entry.
func (s *scan) cardGate(e *entry) gate {
	v := e.v3
	switch {
	case s.in.Replies < v.onlyAfter,
		v.every > 0 && s.in.Replies%v.every != 0,
		v.greeting != nil && *v.greeting != s.in.Greeting,
		v.icon != "" && v.icon != s.in.Icon,
		v.stopAfterMatch && s.timing.matchedBefore(e):
		return gateCard
	case v.keepAfterMatch && s.timing.matchedBefore(e):
		return gateNone
	}
	w := s.windowOf(e)
	for _, refs := range v.additionalRefs {
		if s.search.Count(refs, w) == 0 {
			return gateAdditional
		}
	}
	if s.search.Count(v.excludeRefs, w) > 0 ||
		len(v.excludeAllRefs) > 0 && s.search.Count(v.excludeAllRefs, w) == len(v.excludeAllRefs) {
		return gateExcludeKeys
	}
	return gateNone
}

// depthIn is the depth at which an entry stands in a chat of so many messages.
func (e *entry) depthIn(length int) int {
	if e.v3 != nil && e.v3.reverseDepth != nil {
		return max(0, length-*e.v3.reverseDepth)
	}
	return e.depth
}
