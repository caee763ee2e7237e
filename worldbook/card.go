package worldbook

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

	additionalRefs [][]keyRef
	excludeRefs    []keyRef
	excludeAllRefs []keyRef
}

// keys compiles the keys that decorators bring.
func (v *cardRules) keys(b *builder, rules keyRules, kind keyKind) {
	add := func(list []string) []keyRef {
		refs := make([]keyRef, len(list))
		for i, k := range list {
			refs[i], _ = b.keys.add(valid(k), rules, kind)
		}
		return refs
	}
	for _, list := range v.additional {
		v.additionalRefs = append(v.additionalRefs, add(list))
	}
	if kind == keyPattern {
		return // use_regex switches the exclusions off
	}
	v.excludeRefs, v.excludeAllRefs = add(v.exclude), add(v.excludeAll)
}

// lastActive returns the length of the chat at the latest activation of an
// earlier turn.
func (s *scan) lastActive(e *entry) (int, bool) {
	past, ok := s.last.m[e.name]
	if !ok {
		return 0, false
	}
	return past.before(s.length)
}

// matchedBefore reports whether an entry was active on an earlier turn.
func (s *scan) matchedBefore(e *entry) bool {
	_, ok := s.lastActive(e)
	return ok
}

// cardGate applies the conditions of decorators.
func (s *scan) cardGate(i int, e *entry) bool {
	v := e.v3
	switch {
	case s.in.Replies < v.onlyAfter,
		v.every > 0 && s.in.Replies%v.every != 0,
		v.greeting != nil && *v.greeting != s.in.Greeting,
		v.icon != "" && v.icon != s.in.Icon,
		v.stopAfterMatch && s.matchedBefore(e):
		return s.stop(i, gateCard)
	case v.keepAfterMatch && s.matchedBefore(e):
		return false
	}
	w := s.windowOf(e)
	for _, refs := range v.additionalRefs {
		if s.count(refs, w) == 0 {
			return s.stop(i, gateAdditional)
		}
	}
	if s.count(v.excludeRefs, w) > 0 ||
		len(v.excludeAllRefs) > 0 && s.count(v.excludeAllRefs, w) == len(v.excludeAllRefs) {
		return s.stop(i, gateExcludeKeys)
	}
	return false
}

// depthOf is the depth at which an entry stands now.
func (s *scan) depthOf(e *entry) int {
	if e.v3 != nil && e.v3.reverseDepth != nil {
		return max(0, s.length-*e.v3.reverseDepth)
	}
	return e.depth
}

func (c *candidate) lastInLine() bool { return c.v3 != nil && c.v3.lastInLine }

func (c *candidate) hasPriority() bool { return c.v3 != nil && c.v3.priority != nil }

// priority is the order that decides who pays first, larger first.
func (c *candidate) priority(set *Settings) float64 {
	switch {
	case c.hasPriority():
		return float64(*c.v3.priority)
	case set.OrderAscending:
		return -c.order
	}
	return c.order
}
