package worldbook

import (
	"cmp"
	"slices"
)

// place sorts the activated entries into the result.
//
// They are walked by descending order; each stands in front of the earlier ones
// of its list, so that lists ascend and equal orders stand in reverse activation
// order. Outlets are appended to and descend (Q11).
func (s *scan) place() {
	s.out.Activated = slices.Grow(s.out.Activated, len(s.activated))
	for i := range s.activated {
		a := &s.activated[i]
		s.out.Activated = append(s.out.Activated, Activation{
			ID: a.id, Comment: a.src.Comment, Order: a.order, AutomationID: a.src.AutomationID,
			Text: a.text, Reason: a.reason(), Loop: int(a.loop), Hides: a.hides(),
		})
	}
	s.mergeInjected()
	s.rank()
	for _, i := range s.order {
		if a := &s.activated[i]; a.text != "" {
			s.placeOne(a)
		}
	}
	if s.c.quirk[quirkReversedTies] {
		s.out.reverse()
	}
}

// rank fills order with the activated entries, sorted for placing.
func (s *scan) rank() {
	ties := s.c.quirk[quirkReversedTies]
	compare := func(i, k int32) int {
		a, b := s.activated[i].order, s.activated[k].order
		if ties {
			return compareOrders(b, a)
		}
		return compareOrders(a, b)
	}
	s.order = s.order[:0]
	sorted := true
	for i := range int32(len(s.activated)) {
		s.order = append(s.order, i)
		sorted = sorted && (i == 0 || compare(i-1, i) <= 0)
	}
	// One loop activates in list order, which is the order already.
	if !sorted {
		slices.SortStableFunc(s.order, compare)
	}
}

// compareOrders treats a missing order as equal to every other.
func compareOrders(a, b float64) int {
	if a != a || b != b {
		return 0
	}
	return cmp.Compare(a, b)
}

func (s *scan) placeOne(a *candidate) {
	r := s.out
	p := Placed{ID: a.id, Text: a.text, Order: a.order, Constant: a.constant}
	switch a.position {
	case BeforeCharacter:
		r.Before = append(r.Before, p)
	case AfterCharacter:
		r.After = append(r.After, p)
	case NoteTop:
		r.NoteTop = append(r.NoteTop, p)
	case NoteBottom:
		r.NoteBottom = append(r.NoteBottom, p)
	case AtDepth:
		r.placeAtDepth(p, s.depthOf(a.entry), a.missingDepth, a.role)
	case BeforeExamples, AfterExamples:
		r.Examples = append(r.Examples, Example{p, a.position == AfterExamples})
	case InOutlet:
		if name := a.src.OutletName; name != "" {
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
