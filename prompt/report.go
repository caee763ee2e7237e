package prompt

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

// Status says what became of a block.
type Status string

// The statuses.
const (
	Kept        Status = "kept"
	Truncated   Status = "truncated"
	Dropped     Status = "dropped"
	Empty       Status = "empty"        // only white space after expansion
	NotDue      Status = "not_due"      // the author's note has an interval
	Disabled    Status = "disabled"     // switched off, or a duplicate
	Unlisted    Status = "unlisted"     // the layout has no such slot
	Unused      Status = "unused"       // an outlet that no text shows
	BeforeStart Status = "before_start" // older than the history start
	Trigger     Status = "trigger"      // for another kind of generation
)

// Reasons of dropped and disabled blocks.
const (
	ReasonBudget      = "budget"
	ReasonHistoryStop = "history_stop" // a newer line, or an earlier example, did not fit
	ReasonGroupCap    = "group_cap"
	ReasonDuplicate   = "duplicate_key"
	ReasonNoTools     = "no_tools"
)

// ReportLine tells the fate of one block.
type ReportLine struct {
	Key    string   `json:"key"`
	Source Source   `json:"source"`
	Role   llm.Role `json:"role"`
	Slot   string   `json:"slot,omitempty"`
	Depth  *int     `json:"depth,omitempty"`
	// Tokens is the size of the text; of a truncated block after the cut, with
	// the size before in Before. Lines behind a history stop are not counted.
	Tokens int `json:"tokens"`
	Before int `json:"before,omitempty"`
	// Removed is the number of lines cut off, Cut the end they were cut from.
	Removed int    `json:"lines_removed,omitempty"`
	Cut     Cut    `json:"cut,omitempty"`
	Status  Status `json:"status"`
	Reason  string `json:"reason,omitempty"`
	// Room is what was left when a block was dropped, in tokens.
	Room int `json:"room,omitempty"`
	// Message is the index of the message that holds the block, -1 if none.
	Message int `json:"message"`
	// Count, if not 0, makes the line stand for so many lines of the history,
	// from Key on: those that nobody has looked at. See [Report.Line].
	Count int `json:"count,omitempty"`
}

// Total is the sum of a group of sent blocks.
type Total struct {
	Name   string `json:"name"`
	Blocks int    `json:"blocks"`
	Tokens int    `json:"tokens"`
}

// MacroProblem is a problem of a macro and the block it stands in.
type MacroProblem struct {
	Key string `json:"key"`
	macro.Problem
}

// Shared measures what a request has in common with the one before.
type Shared struct {
	Messages int `json:"messages"` // equal messages at the begin
	Tokens   int `json:"tokens"`   // their size
}

// Report explains a prompt: one line per block, in the order of the layout. It
// prints as stable text and encodes to JSON.
type Report struct {
	Lines []ReportLine `json:"lines"`
	// Slots and Sources sum up what is sent, in the order of the prompt.
	Slots   []Total `json:"slots,omitempty"`
	Sources []Total `json:"sources,omitempty"`
	Room    int     `json:"room"` // tokens available; 0 without a limit
	Used    int     `json:"used"` // tokens of all messages

	Problems  []MacroProblem `json:"problems,omitempty"`
	Variables []macro.Access `json:"variables,omitempty"`
	// Shared is set if [Input.Previous] was.
	Shared *Shared `json:"shared,omitempty"`
}

// Line returns the line of a block or of a history line, and whether there is
// one. A line that stands for several is returned as that of the one asked for.
func (r Report) Line(key string) (ReportLine, bool) {
	index, isLine := lineIndex(key)
	for _, l := range r.Lines {
		if l.Key == key {
			l.Count = 0
			return l, true
		}
		if first, ok := lineIndex(l.Key); isLine && ok && first < index && index < first+l.Count {
			l.Key, l.Count = key, 0
			return l, true
		}
	}
	return ReportLine{}, false
}

// report writes a line for everything, in the order of the layout.
func (c *chooser) report(e *emitter, total int) Report {
	r := Report{Used: total, Room: max(c.room, 0), Problems: c.problems}
	r.Lines = make([]ReportLine, 0, len(c.items)+len(c.apart)+len(e.messages)+4)
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
		if it.status == Unused && c.run.OutletUsed(it.block.Outlet) {
			it.status = Kept
		}
		c.reportItem(&r, it)
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
		Tokens: it.tokens, Before: it.before, Removed: it.removed, Cut: it.block.Truncate,
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

// reportLines adds the lines of the history, oldest first. Those that are not
// looked at, since they are older than the start or behind the stop, share one:
// a report is not longer than what it tells.
func (c *chooser) reportLines(r *Report) {
	slot := ""
	if c.history >= 0 {
		slot = c.layout.Slots[c.history].Name
	}
	for i := 0; i < len(c.lines); {
		l := &c.lines[i]
		line := ReportLine{
			Key: l.id(), Source: Source{Kind: KindHistory}, Role: l.src.Role,
			Slot: slot, Tokens: l.tokens, Status: l.status, Reason: l.reason,
			Room: l.left, Message: -1,
		}
		switch l.status {
		case "":
			line.Status = Unlisted
		case Kept:
			line.Message = l.message
		}
		n := 1
		for l.passedOver() && i+n < len(c.lines) && c.lines[i+n].status == l.status &&
			c.lines[i+n].reason == l.reason {
			n++
		}
		if n > 1 {
			line.Count, line.Tokens = n, 0
		}
		r.Lines = append(r.Lines, line)
		i += n
	}
}

// passedOver reports whether nobody has looked at the line.
func (l *line) passedOver() bool {
	return l.status == BeforeStart || l.reason == ReasonHistoryStop
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

// totals sums up messages by name, in the order of the prompt.
func totals(origins []Origin, name func(Origin) string) []Total {
	var list []Total
	for _, o := range origins {
		i := slices.IndexFunc(list, func(t Total) bool { return t.Name == name(o) })
		if i < 0 {
			i = len(list)
			list = append(list, Total{Name: name(o)})
		}
		list[i].Blocks += len(o.Keys)
		list[i].Tokens += o.Tokens
	}
	return list
}

// extended is the report with follow-ups at the place of message at.
func (r Report) extended(lines []ReportLine, at, total int) Report {
	i := len(r.Lines)
	for j, l := range r.Lines {
		if l.Message >= at && isTail(l.Slot) {
			i = min(i, j)
		}
	}
	old := slices.Clone(r.Lines)
	for j := range old {
		if old[j].Message >= at {
			old[j].Message += len(lines)
		}
	}
	r.Lines = slices.Concat(old[:i], lines, old[i:])
	r.Used = total
	r.Slots, r.Sources = slices.Clone(r.Slots), slices.Clone(r.Sources)
	for _, l := range lines {
		r.Slots = addTotal(r.Slots, slotFollowUps, l.Tokens)
		r.Sources = addTotal(r.Sources, string(KindFollowUp), l.Tokens)
	}
	return r
}

// addTotal adds a message to the sum with a name.
func addTotal(list []Total, name string, tokens int) []Total {
	i := slices.IndexFunc(list, func(t Total) bool { return t.Name == name })
	if i < 0 {
		i = len(list)
		list = append(list, Total{Name: name})
	}
	list[i].Blocks++
	list[i].Tokens += tokens
	return list
}
