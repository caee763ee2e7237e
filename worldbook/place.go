package worldbook

import "slices"

// place sorts the activated entries into the result.
//
// They are walked by descending order; each stands in front of the earlier ones
// of its list, so that lists ascend and equal orders stand in reverse activation
// order. Outlets are appended to and descend (Q11).
//
// As long as entries are activated in that order, each is placed at once, see
// [scan.activate].
func (s *scan) place() {
	if !s.placing {
		s.mergeInjected()
		s.rank()
		s.unplace()
		for _, i := range s.order {
			s.placeOne(s.activated[i], &s.out.Activated[i])
		}
	}
	if s.c.quirk[quirkReversedTies] {
		s.out.reverse()
	}
}

// rank fills order with the activated entries, sorted for placing. One loop
// activates in list order, which is the order already; several do not.
func (s *scan) rank() {
	s.order = s.order[:0]
	for i := range int32(len(s.activated)) {
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(i, k int32) int {
		return s.compareOrders(s.out.Activated[i].Order, s.out.Activated[k].Order)
	})
}

// compareOrders ranks for placing. A missing order equals every other.
func (s *scan) compareOrders(a, b float64) int {
	switch {
	case a != a || b != b:
		return 0
	case s.c.quirk[quirkReversedTies]:
		a, b = b, a
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// show writes an activated entry into the result, field by field: books are
// large, and an [Activation] made on the stack first would be copied.
func (s *scan) show(c *candidate, content string, to *Activation) {
	e := c.entry
	to.ID, to.Comment, to.AutomationID = e.id, e.comment, ""
	if e.automated {
		to.AutomationID = e.automationID
	}
	to.Order, to.Text, to.Loop = e.order, content, s.loops
	to.Reason.Kind = reasonKinds[c.why]
	to.Reason.Key, to.Reason.Place = "", Place{}
	if c.why == whyKey {
		to.Reason.Key, to.Reason.Place = c.text, c.place.public()
	}
	to.Hides, to.Inject, to.Literal = nil, nil, e.literal
	if e.gated && e.v3 != nil {
		to.Hides = slices.Clone(e.v3.hides)
	}
}

// placeOne puts the text of an active entry where it belongs.
func (s *scan) placeOne(e *entry, a *Activation) {
	if a.Text == "" || e.injected() {
		return
	}
	r := s.out
	var to *Placed
	switch p := Position(e.position); p {
	case BeforeCharacter:
		to = another(&r.Before)
	case AfterCharacter:
		to = another(&r.After)
	case NoteTop:
		to = another(&r.NoteTop)
	case NoteBottom:
		to = another(&r.NoteBottom)
	case AtDepth:
		to = another(s.atDepth(depthAndRole{s.depthOf(e), e.depthText, e.role, e.missingDepth}))
	case BeforeExamples, AfterExamples:
		example := another(&r.Examples)
		example.After = p == AfterExamples
		to = &example.Placed
	case InOutlet:
		if e.src.OutletName != "" {
			to = another(s.outlet(e.src.OutletName))
		}
	}
	if to != nil {
		to.ID, to.Text, to.Order, to.Constant, to.Literal = a.ID, a.Text, a.Order, e.constant, a.Literal
	}
}

// defaultDepth is where a missing depth is looked up.
const defaultDepth = 4

// atDepth returns the list of a depth and a role. A missing depth joins a group at
// depth 4, else opens one that nothing joins (Q7).
func (s *scan) atDepth(at depthAndRole) *[]Placed {
	r := s.out
	depth, missing := at.depth, at.missing
	at.missing = false
	if i := s.depths.find(at); i >= 0 {
		return &r.Depth[i].Entries
	}
	at.missing = missing
	s.depths.add(at)
	g := another(&r.Depth)
	g.Role, g.Entries = at.role, g.Entries[:0]
	switch {
	case missing:
		g.Depth = nil
	case g.Depth == nil:
		g.Depth = new(depth)
	default:
		*g.Depth = depth
	}
	return &g.Entries
}

// depthAndRole tells the groups inside the chat apart.
type depthAndRole struct {
	depth   int
	text    string // of a depth that is no number
	role    Role
	missing bool
}

// outlet returns the list of a named outlet, opening it on first use.
func (s *scan) outlet(name string) *[]Placed {
	r := s.out
	if i := s.outlets.find(name); i >= 0 {
		return &r.Outlets[i].Entries
	}
	s.outlets.add(name)
	o := another(&r.Outlets)
	o.Name, o.Entries = name, o.Entries[:0]
	return &o.Entries
}

// reverse turns the lists that were filled from their end.
func (r *Result) reverse() {
	slices.Reverse(r.Before)
	slices.Reverse(r.After)
	slices.Reverse(r.NoteTop)
	slices.Reverse(r.NoteBottom)
	slices.Reverse(r.Examples)
	for i := range r.Depth {
		slices.Reverse(r.Depth[i].Entries)
	}
}

// unplace empties the lists of texts.
func (s *scan) unplace() {
	r := s.out
	r.Before, r.After = r.Before[:0], r.After[:0]
	r.NoteTop, r.NoteBottom = r.NoteTop[:0], r.NoteBottom[:0]
	r.Depth, r.Examples, r.Outlets = r.Depth[:0], r.Examples[:0], r.Outlets[:0]
	s.depths.reset()
	s.outlets.reset()
}

// emptied returns a result without content that keeps the memory of its slices.
func (r *Result) emptied() Result {
	if r.Activated == nil {
		r.Activated = []Activation{} // an empty list in JSON too
	}
	return Result{
		Activated: r.Activated[:0],
		Before:    r.Before[:0], After: r.After[:0], Depth: r.Depth[:0],
		NoteTop: r.NoteTop[:0], NoteBottom: r.NoteBottom[:0],
		Examples: r.Examples[:0], Outlets: r.Outlets[:0], Cut: r.Cut[:0],
		Rolls: r.Rolls[:0], Loops: r.Loops[:0], Fuses: r.Fuses[:0],
	}
}

// finish writes what the scan knows at its end.
func (s *scan) finish() {
	s.out.Budget = s.budget
	s.out.Used = s.spent.tokens()
	s.out.Fuses = append(s.out.Fuses, s.fuses.names...)
	if s.explain != nil {
		s.out.Trace = s.explain.trace()
	}
}
