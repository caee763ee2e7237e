package worldbook

import (
	"math"
	"slices"
)

// Scan decides which entries are active now. It returns the result and the next
// state; in and st stay as they are. The same input, state and random numbers
// give the same result.
//
// A scan passes over the entry list in loops. In each loop the first rule that
// decides about an entry wins:
//
//  1. it is active, or failed its roll, in this scan already: skipped
//  2. Disable, or switched off by the overlay: skipped
//  3. Triggers without the current type: skipped
//  4. CharacterFilter by name, then by tag: skipped
//  5. Conditions that do not hold: skipped
//  6. Delay: skipped
//  7. Cooldown running and not sticky: skipped
//  8. DelayUntilRecursion, outside recursion or at a lower level, not sticky:
//     skipped
//  9. ExcludeRecursion during recursion, not sticky: skipped
//  10. decorator @@activate: candidate; @@dont_activate: skipped
//  11. forced by the host, Constant, or sticky: candidate
//  12. a primary key and the secondary rule: candidate
//
// Candidates stand sticky ones first, then in list order. Inclusion groups thin
// them out, then each rolls for its probability and pays from the budget. The
// texts of those that are left may start another loop (recursion, minimum
// activations, delay levels).
func (c *Compiled) Scan(in Input, st State) (Result, State) {
	var r Result
	st = c.ScanInto(&r, in, st)
	return r, st
}

// ScanInto is [Compiled.Scan] into a result whose slices are used again. Texts
// and ids in it stay valid, the slices change with the next scan.
func (c *Compiled) ScanInto(r *Result, in Input, st State) State {
	if len(in.Overlay.Add) > 0 {
		c = c.withAdded(in.Overlay.Add)
	}
	s := c.pool.Get().(*scan)
	s.input = in
	s.begin(c, &s.input, st, r)
	s.applyTimed()
	if len(c.entries) > 0 {
		s.run()
		s.place()
		s.storeTimed()
	}
	s.finish()
	next := State{
		Sticky: s.sticky.done(), Cooldown: s.cooldown.done(), Last: s.last.done(), Fuses: st.Fuses,
	}
	if !in.DryRun {
		next.Fuses = s.fuses.next(st.Fuses, s.length)
	}
	s.release()
	c.pool.Put(s)
	return next
}

// Scan is the short form for small uses: the entries as one book, the exact
// profile, a context of 8192 tokens.
func Scan(entries []Entry, history []Message, state State) (Result, State) {
	c, _ := Compile([]Attachment{{Book: Book{Name: "book", Entries: entries}}}, Exact())
	return c.Scan(Input{Messages: history, ContextSize: 8192}, state)
}

// scan is the working memory of one scan.
type scan struct {
	c     *Compiled
	in    *Input
	input Input // what in points to
	out   *Result

	length     int       // of the chat
	messages   []Message // oldest first
	read       int       // messages whose keys are looked up, from the newest
	slots      int       // messages of the window: empty ones at its far end do not count
	dataTexts  [6]string
	injections []string
	cache      *Cache

	base, extra  hitSet
	extraKeys    extraKeys // of extra, for namesOf
	namesOf      namesOf
	inUse        [2]*hitSet
	dynamic      []keySpec // keys with macros, and those of forced copies
	extraRefs    []keyRef  // of the dynamic keys
	touched      bitset    // entries to look at: with a found key, or for another reason
	keyed        bitset    // those whose keys were found before the first loop
	settled      bool      // they are known
	keyBits      []keyBits // by entry
	active       bitset    // by the first entry of the same id
	failed       bitset    // entries that lost their roll
	failedCopies []*entry  // forced copies that did
	refused      bitset    // by the first entry of the same id: those that the budget cut
	contents     map[*entry]string

	sticky, cooldown      draft[Record] // of the next state
	last                  draft[Past]
	stickyNow, coolingNow hashes
	records               []string
	switches              []switched // by entry, empty without any
	forced                map[ID]*entry

	usual     window // of most entries in this loop
	loop      ScanState
	loops     int
	skew      int
	level     float64
	levels    []float64 // still waiting
	recursion []recursionText
	feeders   []*entry // of all recursion texts, one after the other

	cands   []candidate
	grouped bool // some are in inclusion groups
	grouper
	queued     bool                // cands stand in list order and have no say in it
	fresh      []*entry            // what feeds the next loop
	activated  []*entry            // beside out.Activated
	special    []int32             // those of them that are forced or have gates
	titled     map[string][]int    // places in out.Activated by comment, once asked for
	placing    bool                // activated is sorted for placing, and is placed
	order      []int32             // of placing, if it is not
	twins      map[int32]twin      // active entries by the first of the same id, if there are doubles
	forcedIn   map[*entry]int      // the loop after the one in which a forced copy was a candidate
	replaced   bool                // one has taken another's place since groups were closed
	depths     keyed[depthAndRole] // of out.Depth
	outlets    keyed[string]       // of out.Outlets
	budget     int
	charged    tally // base of later loops
	spent      tally // texts of all activated entries
	fuses      fuses
	verdicts   map[verdict]bool
	joinedText []byte // the window asked for last
	joinedAs   joinedAs
	explain    *explainer
}

// candidate is an entry on its way to activation. It is kept small: its [Reason] is
// spelled out at the end only.
type candidate struct {
	*entry
	text   string // for whyKey: the primary key that was found
	key    int32  // and its number
	at     int32  // place in the entry list, -1 for a forced copy
	place  place
	why    why
	sticky bool
}

func (s *scan) begin(c *Compiled, in *Input, st State, out *Result) {
	*out = out.emptied()
	out.noteOmitted = in.NoteOmitted
	s.c, s.in, s.out = c, in, out
	s.sticky, s.cooldown = draft[Record]{m: st.Sticky}, draft[Record]{m: st.Cooldown}
	s.last = draft[Past]{m: st.Last}
	s.messages = in.Messages
	s.length = len(in.Messages)
	s.cache = in.Cache
	if s.cache == nil {
		s.cache = c.cache
	}
	s.fuses.begin(st.Fuses, s.length)
	s.base.reset(c.match, c.users.first)
	s.touched = s.touched.reset(len(c.entries))
	copy(s.touched, c.always)
	s.settled = false
	s.active = s.active.reset(len(c.entries))
	s.failed = s.failed.reset(len(c.entries))
	s.refused = s.refused.reset(len(c.entries))
	s.budget = c.budgetFor(in.ContextSize)
	s.charged = tally{in: in}
	s.spent = tally{in: in}
	s.loop, s.loops, s.skew = StateInitial, 0, 0
	s.placing = c.settings.Decorators != DecoratorsCardV3 // theirs may merge texts first
	s.level, s.levels = 0, c.levels
	if len(s.levels) > 0 {
		s.level, s.levels = s.levels[0], s.levels[1:]
	}
	s.dynamic = c.dynamic
	s.readSwitches()
	s.compileExtra()
	s.readTexts()
	if in.Explain {
		s.explain = newExplainer(s)
	}
}

// release drops everything that belongs to the caller.
func (s *scan) release() {
	s.input = Input{}
	s.in, s.out, s.messages = nil, nil, nil
	s.sticky, s.cooldown, s.last = draft[Record]{}, draft[Record]{}, draft[Past]{}
	clear(s.injections)
	clear(s.recursion)
	if len(s.forced) > 0 { // all other entries are the book's
		clear(s.fresh[:cap(s.fresh)])
		clear(s.cands[:cap(s.cands)])
		clear(s.activated[:cap(s.activated)])
		s.groups = nil
	}
	s.recursion, s.activated, s.special = s.recursion[:0], s.activated[:0], s.special[:0]
	s.dataTexts = [6]string{}
	s.titled = nil
	s.depths.reset()
	s.outlets.reset()
	clear(s.contents)
	clear(s.verdicts)
	clear(s.stickyNow)
	clear(s.coolingNow)
	clear(s.closed)
	clear(s.twins)
	clear(s.forcedIn)
	s.replaced = false
	s.forced = nil
	s.dynamic = nil
	s.explain, s.failedCopies = nil, nil
	clear(s.feeders)
	s.feeders = s.feeders[:0]
	clear(s.records)
	s.joinedAs = joinedAs{}
	s.charged, s.spent = tally{}, tally{}
	s.cache = nil
}

// budgetFor is the number of tokens that entries may use.
func (c *Compiled) budgetFor(context int) int {
	b := math.Floor(c.settings.Budget*float64(context)/100 + 0.5)
	if b == 0 || math.IsNaN(b) {
		b = 1
	}
	if c.settings.BudgetCap > 0 {
		b = math.Min(b, float64(c.settings.BudgetCap))
	}
	// A host may well say math.MaxInt where it has no limit.
	return int(max(-math.MaxInt32, min(b, math.MaxInt32)))
}

// run passes over the entries until nothing starts another loop.
func (s *scan) run() {
	for s.loop != StateStop {
		if limit := s.c.settings.MaxRecursionSteps; limit != 0 && s.loops >= limit {
			return
		}
		s.collect()
		s.orderCandidates()
		s.applyGroups()
		s.recordLoop()
		before := len(s.activated)
		s.pay()
		s.next(before)
	}
}

// recordLoop writes the loop into the result.
func (s *scan) recordLoop() {
	l := another(&s.out.Loops)
	l.State, l.Next = s.loop, StateStop
	l.New = slices.Grow(l.New[:0], len(s.cands))
	for i := range s.cands {
		l.New = append(l.New, s.cands[i].id)
	}
}
