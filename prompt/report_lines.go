package prompt

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/llm"
)

// report writes a line for everything, in the order of the layout: markers in front
// of what they announce, the lines of the history behind the texts at depths, which
// stand between them, and at the end what comes behind the last slot and what is
// not sent at all.
func (c *chooser) report(e *emitter, total int) Report {
	r := Report{Used: total, Room: max(c.room, 0), Problems: c.problems}
	r.Lines = make([]ReportLine, 0, len(c.items)+len(c.apart)+len(c.lines)+4)
	from := 0
	for s := range c.layout.Slots {
		if s == c.history && c.marker() {
			c.reportFixed(&r, e, KindControl, c.layout.Slots[s].Name)
		}
		for from < len(c.items) && c.items[from].slot == s {
			c.reportItem(&r, &c.items[from])
			from++
		}
		if s == c.history {
			c.reportLines(&r)
		}
	}
	if c.history < 0 {
		c.reportLines(&r)
	}
	c.reportFixed(&r, e, "", slotFollowUps, slotControl, slotPrefill)
	for _, it := range c.apart {
		// Whether an outlet was shown is known only now that all is expanded.
		if it.status == Unused && c.run.OutletUsed(it.block.Outlet) {
			it.status = Kept
		}
		c.reportItem(&r, it)
	}
	if c.rounds > 0 {
		r.Lines = append(r.Lines, ReportLine{
			Key: roundPrefix + "0", Source: Source{Kind: KindHistory}, Role: llm.Assistant,
			Slot: c.historyName(), Status: Disabled, Reason: ReasonNoTools, Message: -1,
			Count: c.rounds,
		})
	}
	r.Slots = totals(e.origins, func(o Origin) string { return o.Slot })
	r.Sources = totals(e.origins, func(o Origin) string { return string(o.Kind) })
	if c.in.Previous != nil {
		shared := SharedPrefix(c.in.Previous, e.messages, c.budget)
		r.Shared = &shared
	}
	return r
}

// reportItem adds the line of an item and those of the pieces around its text,
// whose tokens are part of the item's.
func (c *chooser) reportItem(r *Report, it *item) {
	line := c.itemLine(it)
	r.Lines = append(r.Lines, line)
	for _, list := range [...][]Block{it.block.Above, it.block.Below} {
		for i := range list {
			piece := line
			piece.Key, piece.Source = list[i].Key, list[i].Source
			piece.Source.ID = cmp.Or(piece.Source.ID, piece.Key)
			piece.Tokens, piece.Before, piece.Removed, piece.Cut = 0, 0, 0, ""
			piece.Reason = "part of " + it.key
			r.Lines = append(r.Lines, piece)
		}
	}
}

// itemLine is the line of an item.
func (c *chooser) itemLine(it *item) ReportLine {
	l := ReportLine{
		Key: it.key, Source: it.block.Source, Role: it.role(),
		Tokens: it.tokens, Before: it.before, Removed: it.removed, Cut: it.block.cut(),
		Status: it.status, Reason: it.reason, Room: it.left, Message: -1,
	}
	l.Source.Kind = it.kind()
	l.Source.ID = cmp.Or(l.Source.ID, it.block.Key)
	if it.depth >= 0 {
		l.Depth = new(it.depth)
	}
	if it.slot >= 0 {
		l.Slot = c.layout.Slots[it.slot].Name
	} else {
		l.Slot = it.block.Slot
	}
	if it.sent() && it.block.Outlet == "" {
		l.Message = it.message
	}
	if it.status != Truncated {
		l.Cut = ""
	}
	return l
}

// reportLines adds the lines of the history, oldest first. Those that nobody has
// looked at, since they are older than the start or behind the stop, share one:
// a report is not longer than what it tells.
func (c *chooser) reportLines(r *Report) {
	// The list has the lines that were looked at; the walk finds those between.
	lines := c.lines
	report := func(src *Line, index int) {
		if len(lines) > 0 && lines[0].index == index {
			l := lines[0]
			lines = lines[1:]
			if l.status != "" {
				c.reportLine(r, l)
				return
			}
		}
		l := ReportLine{Role: src.Role, Status: c.passed(index)}
		if l.Status == Dropped {
			l.Reason = ReasonHistoryStop
		}
		c.reportPassed(r, index, l)
	}
	index := 0
	for i := 0; index < c.said; i++ {
		if src := &c.in.History[i]; c.shown(src) {
			report(src, index)
			index++
		}
	}
	if c.replaced != nil {
		report(c.replaced, index)
	}
}

// reportLine adds a line of the history that was looked at.
func (c *chooser) reportLine(r *Report, l *line) {
	line := ReportLine{
		Key: l.id(), Source: Source{Kind: KindHistory}, Role: l.src.Role,
		Slot: c.historyName(), Tokens: l.tokens, Status: l.status, Reason: l.reason,
		Room: l.left, Message: -1,
	}
	if l.status == Kept {
		line.Message = l.message
	}
	r.Lines = append(r.Lines, line)
}

// reportPassed adds a line of the history that was passed over: to the line
// before, if that one tells the same.
func (c *chooser) reportPassed(r *Report, index int, l ReportLine) {
	if n := len(r.Lines); n > 0 {
		before := &r.Lines[n-1]
		if before.Count > 0 && before.Status == l.Status && before.Reason == l.Reason {
			before.Count++
			if before.Role != l.Role { // of several
				before.Role = ""
			}
			return
		}
	}
	l.Key, l.Source.Kind, l.Slot = lineKey(index), KindHistory, c.historyName()
	l.Message, l.Count = -1, 1
	r.Lines = append(r.Lines, l)
}

// historyName is the name of the slot of the history.
func (c *chooser) historyName() string {
	if c.history < 0 {
		return ""
	}
	return c.layout.Slots[c.history].Name
}

// reportFixed adds the messages that are no blocks: of one kind, or of any if
// the kind is empty, in the given slots.
func (c *chooser) reportFixed(r *Report, e *emitter, kind Kind, slots ...string) {
	for i, o := range e.origins {
		if kind != "" && kind != o.Kind || !slices.Contains(slots, o.Slot) {
			continue
		}
		r.Lines = append(r.Lines, ReportLine{
			Key: o.Keys[0], Source: Source{o.Kind, o.Keys[0]}, Role: e.messages[i].Role,
			Slot: o.Slot, Tokens: o.Tokens, Status: Kept, Message: i,
		})
	}
}
