package prompt

import (
	"cmp"
	"math"
	"slices"
)

// candidate is a block or a line that may be kept. It is a line, a run of lines, or an item.
type candidate struct {
	keep, slot int
	newest     int // index of the newest line, -1 for an item
	line       *line
	run        *run
	at         int // index of an item
}

// choice is a candidate that was kept: a line or an item.
type choice struct {
	line *line
	item int // index, if line is nil
}

// chooser takes candidates in order as long as they fit.
type chooser struct {
	meter
	d      *draft
	budget Budget
	room   int    // -1: no limit
	fixed  []Part // required parts that are not blocks
	frames []int  // tokens of the formats of the slots

	left  int // free tokens, math.MaxInt without a limit
	slack int // tokens that optional lines must leave free
	start int // history start: older lines are not used

	stop     bool         // a line did not fit
	lineStop int          // lines below this index are not tried any more
	capLeft  int          // tokens of the history's own cap
	stopped  map[int]bool // example slots in which one part did not fit
	groups   []int        // kept items per group at a depth
	sent     bitset       // kept items that are in slots
	taken    []choice     // in the order of choice
}

// choose measures a draft and decides which parts are kept. It fails with a [*BudgetError] if the
// required parts do not fit.
func choose(d *draft, budget Budget) (*chooser, error) {
	c := &chooser{meter: budget.meter(), d: d, budget: budget, room: -1}
	if budget.Context > 0 {
		c.room = max(budget.Context-budget.Response-budget.TurnReserve-priming, 0)
	}
	c.items(d)
	c.fixed, c.frames = c.meter.fixed(d), c.meter.frames(d.formats)
	c.start = min(max(d.in.HistoryStart, 0), max(d.chat.visible-1, 0))
	candidates := d.candidates()
	capped := d.applyCaps(budget)
	if err := c.attempt(candidates); err != nil {
		return nil, err
	}
	// Once lines have to be dropped, dropping one line on every turn would change the head of the
	// prompt on every turn. Dropping several at once keeps the head the same for some turns.
	if d.in.TrimSlack > 0 && c.stop {
		d.reset(capped)
		c.slack = d.in.TrimSlack
		if err := c.attempt(candidates); err != nil {
			return nil, err
		}
	}
	d.chat.gather()
	return c, nil
}

// candidates lists the optional parts: larger keep first, then the order of the layout, newest
// lines first.
func (d *draft) candidates() []candidate {
	list := make([]candidate, 0, len(d.items)+len(d.chat.lines)+len(d.chat.runs))
	for i := range d.chat.runs {
		r := &d.chat.runs[i]
		list = append(list, candidate{keep: r.keep, slot: d.chat.slot, newest: r.next, run: r})
	}
	for _, l := range d.chat.lines {
		if !l.required {
			list = append(list, candidate{keep: l.keep, slot: d.chat.slot, newest: l.index, line: l})
		}
	}
	for i := range d.items {
		if it := d.items[i]; !it.required && it.status == "" {
			list = append(list, candidate{keep: it.keep, slot: it.slot, newest: -1, at: i})
		}
	}
	slices.SortStableFunc(list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.keep, x.keep), cmp.Compare(x.slot, y.slot),
			cmp.Compare(y.newest, x.newest))
	})
	return list
}

// attempt takes the required parts and then the candidates.
func (c *chooser) attempt(list []candidate) error {
	d := c.d
	c.left, c.capLeft = math.MaxInt, d.historyCap(c.budget)
	c.stop, c.lineStop, c.stopped, c.taken = false, 0, nil, nil
	c.groups, c.sent = make([]int, len(d.items)), newBitset(len(d.items))
	if c.room >= 0 {
		c.left = c.room
	}
	// All required parts are counted before the optional ones, so that the error can list them all.
	for _, p := range c.fixed {
		c.left -= p.Tokens
	}
	for i := range d.items {
		if it := d.items[i]; it.required && it.status == "" {
			c.takeItem(i, c.extra(i))
		}
	}
	if d.chat.slot >= 0 {
		for _, l := range d.chat.lines {
			if l.required {
				c.takeLine(l, c.line(d.chat, l))
			}
		}
	}
	if c.left < 0 {
		return c.tooLarge(c.room - c.left)
	}
	for _, x := range list {
		switch {
		case x.run != nil:
			c.tryRun(x.run)
		case x.line != nil:
			c.tryLine(x.line)
		default:
			c.tryItem(x.at)
		}
	}
	return nil
}

// tooLarge lists all required parts: blocks in the order of the layout, the fixed parts, then
// lines, the newest last.
func (c *chooser) tooLarge(tokens int) *BudgetError {
	e := &BudgetError{Tokens: tokens, Room: max(c.room, 0)}
	for i := range c.d.items {
		if it := c.d.items[i]; it.required && it.status != statusEmpty {
			e.Required = append(e.Required, Part{it.key, it.block.kind(), it.tokens})
		}
	}
	e.Required = append(e.Required, c.fixed...)
	for _, l := range c.d.chat.lines {
		if l.required && l.tokens > 0 {
			e.Required = append(e.Required, Part{l.id(), KindHistory, l.tokens})
		}
	}
	return e
}

// reset clears the choice but keeps the drops by caps.
func (d *draft) reset(capped []bool) {
	for i := range d.items {
		it := d.items[i]
		if it.whole != nil {
			it.size, it.whole = *it.whole, nil
		}
		switch it.status {
		case statusTruncated, Kept, Dropped:
			if !capped[i] {
				it.status, it.reason, it.left = "", it.block.remark(), 0
			}
		}
	}
	for _, list := range [...][]*line{d.chat.lines, d.chat.runs[0].lines, d.chat.runs[1].lines} {
		for _, l := range list {
			l.status, l.reason, l.left = "", "", 0
		}
	}
}

// takeItem keeps an item and reduces the free tokens.
func (c *chooser) takeItem(i, extra int) {
	it := c.d.items[i]
	it.status = Kept
	if it.before > 0 {
		it.status = statusTruncated
	}
	c.left -= it.tokens + extra
	if it.depth >= 0 {
		c.groups[it.group]++
	} else {
		c.sent.add(i)
	}
}

// takeLine keeps a line. A line without text adds nothing to the prompt.
func (c *chooser) takeLine(l *line, tokens int) {
	l.status = Kept
	if tokens == 0 {
		l.status = statusEmpty
	}
	c.left -= tokens
	c.capLeft -= tokens
}

// tryRun keeps the lines of a run, newest first, as long as they fit.
func (c *chooser) tryRun(r *run) {
	for n := 0; c.d.chat.slot >= 0; n++ {
		// Check before a line is loaded, not after: the rest may be long.
		if n == len(r.lines) && c.passed(r.next) != "" {
			return
		}
		l := c.d.chat.lineOf(r, n)
		if l == nil || c.passed(l.index) != "" {
			return
		}
		c.tryLine(l)
	}
}

// passed returns the status of a line that is skipped, or "" if it is not skipped.
func (c *chooser) passed(index int) Status {
	switch {
	case c.d.chat.slot < 0:
		return Unlisted
	case index < c.start:
		return statusBeforeStart
	case index < c.lineStop:
		return Dropped
	}
	return ""
}

// tryLine keeps an optional line if it fits. The first line that does not fit ends the history: a
// gap in a conversation is worse than a short conversation.
func (c *chooser) tryLine(l *line) {
	if c.passed(l.index) != "" {
		return
	}
	tokens := c.line(c.d.chat, l)
	if tokens > 0 && (tokens > c.left-c.slack || tokens > c.capLeft) {
		l.status, l.reason, l.left = Dropped, reasonBudget, max(c.left, 0)
		if tokens > c.capLeft {
			l.reason = reasonGroupCap
		}
		c.lineStop, c.stop = l.index, true
		return
	}
	c.takeLine(l, tokens)
	c.taken = append(c.taken, choice{line: l})
}

// tryItem keeps an optional item if it fits, as a whole or cut.
func (c *chooser) tryItem(i int) {
	it := c.d.items[i]
	if it.status != "" { // a cap already dropped it
		return
	}
	if it.turns != nil && c.stopped[it.slot] {
		it.status, it.reason = Dropped, reasonHistoryStop
		return
	}
	extra := c.extra(i)
	if it.tokens+extra > c.left && !it.truncate(c.count, c.left-extra) {
		it.status, it.reason, it.left = Dropped, reasonBudget, c.left
		if it.turns != nil {
			if c.stopped == nil {
				c.stopped = map[int]bool{}
			}
			c.stopped[it.slot] = true
		}
		return
	}
	c.takeItem(i, extra)
	c.taken = append(c.taken, choice{item: i})
}

// extra returns the cost of an item in addition to its text. It is the joiner if the item joins a
// message, else the overhead of its own message. If the item splits a message, it is the overhead
// of two messages.
func (c *chooser) extra(i int) int {
	it := c.d.items[i]
	if it.turns != nil {
		return 0
	}
	own := c.overhead + c.count(it.block.Name)
	if it.depth >= 0 {
		if c.groups[it.group] > 0 {
			return c.count("\n")
		}
		return own
	}
	slot := &c.d.layout.Slots[it.slot]
	own += c.frames[it.slot]
	if slot.Form == Separate {
		return own
	}
	// Candidates do not come in the order of the prompt, so an item can be placed between two items
	// that are already there.
	before, after := c.neighbours(i)
	joiner := c.count(slot.joiner())
	switch {
	case before != nil && joins(before, it), after != nil && joins(after, it):
		return joiner
	case before != nil && after != nil && joins(before, after):
		// The item after it becomes a separate message.
		return own + max(c.overhead+c.count(after.block.Name)-joiner, 0)
	}
	return own
}

// neighbours returns the kept items of the slot directly before and after item i. They are nil if
// there are none.
func (c *chooser) neighbours(i int) (before, after *item) {
	same := func(j int) *item {
		if j < 0 || c.d.items[j].slot != c.d.items[i].slot {
			return nil
		}
		return c.d.items[j]
	}
	return same(c.sent.before(i)), same(c.sent.after(i))
}

// joins reports whether two blocks of a joined slot may share a message.
func joins(x, y *item) bool {
	return x.block.role() == y.block.role() && x.block.Name == y.block.Name
}

// giveUp drops the latest choices until about so many tokens are free. It reports whether there was
// anything to drop.
func (c *chooser) giveUp(tokens int) bool {
	if len(c.taken) == 0 {
		return false
	}
	for n := len(c.taken); n > 0 && tokens > 0; n-- {
		x := c.taken[n-1]
		c.taken = c.taken[:n-1]
		if l := x.line; l != nil {
			l.status, l.reason = Dropped, reasonBudget
			tokens -= l.tokens
		} else {
			it := c.d.items[x.item]
			it.status, it.reason = Dropped, reasonBudget
			tokens -= it.tokens
		}
	}
	return true
}
