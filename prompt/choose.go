package prompt

import (
	"cmp"
	"math"
	"slices"
)

// candidate is an optional part of the prompt: a line, a run of lines, or an item.
type candidate struct {
	keep, slot int // the priority, and the index of the slot in the layout
	newest     int // index of the newest line, -1 for an item
	line       *line
	run        *run
	item       int // index of an item
}

// choice is a candidate that was kept: a line or an item.
type choice struct {
	line *line
	item int // index, if line is nil
}

// chooser decides which parts of a draft are kept. It tries the candidates in order and keeps those that fit.
type chooser struct {
	meter
	draft  *draft
	budget Budget
	room   int    // -1: no limit
	fixed  []Part // required parts that are not blocks
	frames []int  // tokens of the formats of the slots

	freeTokens   int // math.MaxInt without a limit
	reserve      int // tokens that optional lines must leave free, see [Input.TrimSlack]
	historyStart int // lines with a smaller index are not used, see [Input.HistoryStart]

	historyStopped  bool     // a line did not fit
	oldestLine      int      // lines with a smaller index are not tried any more
	historyCapLeft  int      // free tokens under the caps on the history
	stoppedExamples []bool   // by slot: a part of its examples did not fit
	keptPerGroup    []int    // by item.group: the number of kept items at a depth
	sentItems       []int    // kept items that are in slots, by index, ascending
	choices         []choice // the kept candidates, in the order in which they were kept
}

// choose measures a draft and decides which parts are kept. It fails with a [*BudgetError] if the
// required parts do not fit.
func choose(d *draft, budget Budget) (*chooser, error) {
	c := &chooser{meter: budget.meter(), draft: d, budget: budget, room: -1}
	if budget.Context > 0 {
		c.room = max(budget.Context-budget.Response-budget.TurnReserve-priming, 0)
	}
	c.measureItems(d)
	c.fixed, c.frames = c.meter.fixedParts(d), c.meter.formatTokens(d.formats)
	c.historyStart = min(max(d.in.HistoryStart, 0), max(d.chat.visible-1, 0))
	candidates := d.candidates()
	capped := d.applyCaps(budget)
	if err := c.choose(candidates); err != nil {
		return nil, err
	}
	// Once lines have to be dropped, dropping one line on every turn would change the head of the
	// prompt on every turn. Dropping several at once keeps the head the same for some turns.
	if d.in.TrimSlack > 0 && c.historyStopped {
		d.resetChoice(capped)
		c.reserve = d.in.TrimSlack
		if err := c.choose(candidates); err != nil {
			return nil, err
		}
	}
	d.chat.gatherLines()
	return c, nil
}

// candidates lists the optional parts: larger keep first, then the order of the layout, newest
// lines first.
func (d *draft) candidates() []candidate {
	list := make([]candidate, 0, len(d.items)+len(d.chat.lines)+len(d.chat.runs))
	for i := range d.chat.runs {
		r := &d.chat.runs[i]
		list = append(list, candidate{keep: r.keep, slot: d.chat.slot, newest: r.nextLine, run: r})
	}
	for _, l := range d.chat.lines {
		if !l.required {
			list = append(list, candidate{keep: l.keep, slot: d.chat.slot, newest: l.index, line: l})
		}
	}
	for i := range d.items {
		if it := d.items[i]; !it.required && it.status == "" {
			list = append(list, candidate{keep: it.keep, slot: it.slot, newest: -1, item: i})
		}
	}
	slices.SortStableFunc(list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.keep, x.keep), cmp.Compare(x.slot, y.slot),
			cmp.Compare(y.newest, x.newest))
	})
	return list
}

// choose keeps the required parts and then the candidates that fit.
func (c *chooser) choose(list []candidate) error {
	d := c.draft
	c.freeTokens, c.historyCapLeft = math.MaxInt, d.historyCap(c.budget)
	c.historyStopped, c.oldestLine, c.stoppedExamples, c.choices = false, 0, make([]bool, len(d.layout.Slots)), nil
	c.keptPerGroup, c.sentItems = make([]int, len(d.items)), make([]int, 0, len(d.items))
	if c.room >= 0 {
		c.freeTokens = c.room
	}
	// All required parts are counted before the optional ones, so that the error can list them all.
	for _, p := range c.fixed {
		c.freeTokens -= p.Tokens
	}
	for i := range d.items {
		if it := d.items[i]; it.required && it.status == "" {
			c.keepItem(i, c.extraTokens(i))
		}
	}
	if d.chat.slot >= 0 {
		for _, l := range d.chat.lines {
			if l.required {
				c.keepLine(l, c.lineTokens(d.chat, l))
			}
		}
	}
	if c.freeTokens < 0 {
		return c.tooLarge(c.room - c.freeTokens)
	}
	for _, x := range list {
		switch {
		case x.run != nil:
			c.tryRun(x.run)
		case x.line != nil:
			c.tryLine(x.line)
		default:
			c.tryItem(x.item)
		}
	}
	return nil
}

// tooLarge lists all required parts: blocks in the order of the layout, the fixed parts, then
// lines, the newest last.
func (c *chooser) tooLarge(tokens int) *BudgetError {
	e := &BudgetError{Tokens: tokens, Room: max(c.room, 0)}
	for i := range c.draft.items {
		if it := c.draft.items[i]; it.required && it.status != statusEmpty {
			e.Required = append(e.Required, Part{it.key, it.block.kind(), it.tokens})
		}
	}
	e.Required = append(e.Required, c.fixed...)
	for _, l := range c.draft.chat.lines {
		if l.required && l.tokens > 0 {
			e.Required = append(e.Required, Part{l.id(), KindHistory, l.tokens})
		}
	}
	return e
}

// resetChoice clears the choice but keeps the drops by caps.
func (d *draft) resetChoice(capped []bool) {
	for i := range d.items {
		it := d.items[i]
		if it.uncut != nil {
			it.sizedText, it.uncut = *it.uncut, nil
		}
		switch it.status {
		case statusTruncated, Kept, Dropped:
			if !capped[i] {
				it.status, it.reason, it.freeTokens = "", it.block.remark(), 0
			}
		}
	}
	for _, list := range [...][]*line{d.chat.lines, d.chat.runs[0].lines, d.chat.runs[1].lines} {
		for _, l := range list {
			l.status, l.reason, l.freeTokens = "", "", 0
		}
	}
}

// keepItem keeps an item and reduces the free tokens.
func (c *chooser) keepItem(i, extra int) {
	it := c.draft.items[i]
	it.status = Kept
	if it.tokensBeforeCut > 0 {
		it.status = statusTruncated
	}
	c.freeTokens -= it.tokens + extra
	if it.depth >= 0 {
		c.keptPerGroup[it.group]++
	} else {
		at, _ := slices.BinarySearch(c.sentItems, i)
		c.sentItems = slices.Insert(c.sentItems, at, i)
	}
}

// keepLine keeps a line. A line without text adds nothing to the prompt.
func (c *chooser) keepLine(l *line, tokens int) {
	l.status = Kept
	if tokens == 0 {
		l.status = statusEmpty
	}
	c.freeTokens -= tokens
	c.historyCapLeft -= tokens
}

// tryRun keeps the lines of a run, newest first, as long as they fit.
func (c *chooser) tryRun(r *run) {
	for n := 0; c.draft.chat.slot >= 0; n++ {
		// Check before a line is loaded, not after: the rest may be long.
		if n == len(r.lines) && c.skipStatus(r.nextLine) != "" {
			return
		}
		l := c.draft.chat.lineOf(r, n)
		if l == nil || c.skipStatus(l.index) != "" {
			return
		}
		c.tryLine(l)
	}
}

// skipStatus returns the status of a line that is skipped, or "" if it is not skipped.
func (c *chooser) skipStatus(index int) Status {
	switch {
	case c.draft.chat.slot < 0:
		return Unlisted
	case index < c.historyStart:
		return statusBeforeStart
	case index < c.oldestLine:
		return Dropped
	}
	return ""
}

// tryLine keeps an optional line if it fits. The first line that does not fit ends the history: a
// gap in a conversation is worse than a short conversation.
func (c *chooser) tryLine(l *line) {
	if c.skipStatus(l.index) != "" {
		return
	}
	tokens := c.lineTokens(c.draft.chat, l)
	if tokens > 0 && (tokens > c.freeTokens-c.reserve || tokens > c.historyCapLeft) {
		l.status, l.reason, l.freeTokens = Dropped, reasonBudget, max(c.freeTokens, 0)
		if tokens > c.historyCapLeft {
			l.reason = reasonGroupCap
		}
		c.oldestLine, c.historyStopped = l.index, true
		return
	}
	c.keepLine(l, tokens)
	c.choices = append(c.choices, choice{line: l})
}

// tryItem keeps an optional item if it fits, as a whole or cut.
func (c *chooser) tryItem(i int) {
	it := c.draft.items[i]
	if it.status != "" { // a cap already dropped it
		return
	}
	if it.turns != nil && c.stoppedExamples[it.slot] {
		it.status, it.reason = Dropped, reasonHistoryStop
		return
	}
	extra := c.extraTokens(i)
	if it.tokens+extra > c.freeTokens && !it.truncate(c.count, c.freeTokens-extra) {
		it.status, it.reason, it.freeTokens = Dropped, reasonBudget, c.freeTokens
		if it.turns != nil {
			c.stoppedExamples[it.slot] = true
		}
		return
	}
	c.keepItem(i, extra)
	c.choices = append(c.choices, choice{item: i})
}

// extraTokens returns the cost of an item in addition to its text. There are three cases: an item that joins a
// message costs the joiner, an item that is a message costs the overhead of a message, and an item that splits
// a message into two costs the overhead of two messages.
func (c *chooser) extraTokens(i int) int {
	it := c.draft.items[i]
	if it.turns != nil {
		return 0
	}
	own := c.overhead + c.count(it.block.Name)
	if it.depth >= 0 {
		if c.keptPerGroup[it.group] > 0 {
			return c.count("\n")
		}
		return own
	}
	slot := &c.draft.layout.Slots[it.slot]
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
	same := func(at int) *item {
		if at < 0 || at == len(c.sentItems) || c.draft.items[c.sentItems[at]].slot != c.draft.items[i].slot {
			return nil
		}
		return c.draft.items[c.sentItems[at]]
	}
	at, _ := slices.BinarySearch(c.sentItems, i)
	return same(at - 1), same(at)
}

// joins reports whether two blocks of a joined slot may share a message.
func joins(x, y *item) bool {
	return x.block.role() == y.block.role() && x.block.Name == y.block.Name
}

// dropLatest drops the latest choices until about so many tokens are free. It reports whether there was
// anything to drop.
func (c *chooser) dropLatest(tokens int) bool {
	if len(c.choices) == 0 {
		return false
	}
	for n := len(c.choices); n > 0 && tokens > 0; n-- {
		x := c.choices[n-1]
		c.choices = c.choices[:n-1]
		if l := x.line; l != nil {
			l.status, l.reason = Dropped, reasonBudget
			tokens -= l.tokens
		} else {
			it := c.draft.items[x.item]
			it.status, it.reason = Dropped, reasonBudget
			tokens -= it.tokens
		}
	}
	return true
}
