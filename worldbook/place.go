package worldbook

import "slices"

// place sorts the activated entries into the result.
//
// They are walked by descending order; each stands in front of the earlier ones
// of its list, so that lists ascend and equal orders stand in reverse activation
// order. Outlets are appended to and descend (Q11).
func (s *scan) place() {
	s.mergeInjected()
	if s.inOrder {
		for i, e := range s.activated {
			s.placeOne(e, &s.out.Activated[i])
		}
	} else {
		s.rank()
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
	to.ID, to.Comment, to.AutomationID = e.id, e.comment, e.automationID
	to.Order, to.Text, to.Loop = e.order, content, s.loops
	to.Reason.Kind = reasonKinds[c.why]
	to.Reason.Key, to.Reason.Place = "", Place{}
	if c.why == whyKey {
		to.Reason.Key, to.Reason.Place = e.texts[c.key], c.place.public()
	}
	to.Hides, to.Inject = nil, nil
	if e.v3 != nil {
		to.Hides = slices.Clone(e.v3.hides)
	}
}

// placeOne puts the text of an active entry where it belongs.
func (s *scan) placeOne(e *entry, a *Activation) {
	if a.Text == "" || e.injected() {
		return
	}
	r := s.out
	p := Placed{ID: a.ID, Text: a.Text, Order: a.Order, Constant: e.constant}
	switch Position(e.position) {
	case BeforeCharacter:
		r.Before = append(r.Before, p)
	case AfterCharacter:
		r.After = append(r.After, p)
	case NoteTop:
		r.NoteTop = append(r.NoteTop, p)
	case NoteBottom:
		r.NoteBottom = append(r.NoteBottom, p)
	case AtDepth:
		r.placeAtDepth(p, s.depthOf(e), e.missingDepth, e.role)
	case BeforeExamples, AfterExamples:
		r.Examples = append(r.Examples, Example{p, Position(e.position) == AfterExamples})
	case InOutlet:
		if name := e.src.OutletName; name != "" {
			r.placeInOutlet(p, name)
		}
	}
}

// defaultDepth is where a missing depth is looked up.
const defaultDepth = 4

// placeAtDepth adds to the group of a depth and a role. A missing depth joins a
// group at depth 4, else opens one that nothing joins (Q7).
func (r *Result) placeAtDepth(p Placed, depth int, missing bool, role Role) {
	if missing {
		depth = defaultDepth
	}
	for i := range r.Depth {
		if g := &r.Depth[i]; g.Depth != nil && *g.Depth == depth && g.Role == role {
			g.Entries = append(g.Entries, p)
			return
		}
	}
	g := DepthGroup{Role: role, Entries: []Placed{p}}
	if !missing {
		g.Depth = &depth
	}
	r.Depth = append(r.Depth, g)
}

// placeInOutlet appends to the named outlet, opening it on first use.
func (r *Result) placeInOutlet(p Placed, name string) {
	for i := range r.Outlets {
		if r.Outlets[i].Name == name {
			r.Outlets[i].Entries = append(r.Outlets[i].Entries, p)
			return
		}
	}
	r.Outlets = append(r.Outlets, Outlet{name, []Placed{p}})
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

// emptied returns a result without content that keeps the memory of its slices.
func (r *Result) emptied() Result {
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
	s.out.Fuses = append(s.out.Fuses, s.fuses...)
	if s.explain != nil {
		s.out.Trace = s.explain.trace()
	}
}
