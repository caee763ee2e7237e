package prompt

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/llm"
)

// explainer writes a report.
type explainer struct {
	Report
	draft      *draft
	skipStatus func(index int) Status // the status of a line of the history that was not read
}

// report writes a line for everything, in the order of the layout. Markers come before the texts
// that they announce. The lines of the history come after the texts at depths. At the end come the
// parts after the last slot and everything that is not sent.
func (c *chooser) report(e *emitter, total int) Report {
	d := c.draft
	r := explainer{draft: d, skipStatus: c.skipStatus, Report: Report{
		Used: total, Room: max(c.room, 0), Problems: d.problems, Variables: d.run.Trace().Access,
	}}
	r.Lines = make([]ReportLine, 0, len(d.items)+len(d.reportOnly)+len(d.chat.lines)+4)
	from := 0
	for s := range d.layout.Slots {
		if s == d.chat.slot && d.sendsMarker() {
			r.addFixedParts(e, kindControl, d.layout.Slots[s].Name)
		}
		for from < len(d.items) && d.items[from].slot == s {
			r.addItem(d.items[from])
			from++
		}
		if s == d.chat.slot {
			r.addHistory()
		}
	}
	if d.chat.slot < 0 {
		r.addHistory()
	}
	r.addFixedParts(e, "", slotFollowUps, slotControl, slotPrefill)
	for _, it := range d.reportOnly {
		// Outlet use is known only after all texts are expanded.
		if it.status == statusUnused && d.run.OutletUsed(it.block.Outlet) {
			it.status = Kept
		}
		r.addItem(it)
	}
	if d.chat.omittedRounds > 0 {
		r.Lines = append(r.Lines, ReportLine{
			Key: roundPrefix + "0", Source: Source{Kind: KindHistory}, Role: llm.Assistant,
			Slot: d.historyName(), Status: Disabled, Reason: reasonNoTools, Message: -1,
			Count: d.chat.omittedRounds,
		})
	}
	r.setTotals(e.origins)
	if d.in.Previous != nil {
		shared := SharedPrefix(d.in.Previous, e.messages, c.budget)
		r.Shared = &shared
	}
	return r.Report
}

// addItem adds the line of an item and the lines of the pieces around its text. The tokens of the
// pieces are part of the item's tokens.
func (r *explainer) addItem(it *item) {
	line := r.draft.itemLine(it)
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

// itemLine returns the report line of an item.
func (d *draft) itemLine(it *item) ReportLine {
	l := ReportLine{
		Key: it.key, Source: it.block.Source, Role: it.block.role(),
		Tokens: it.tokens, Before: it.tokensBeforeCut, Removed: it.linesRemoved, Cut: it.block.cutEnd(),
		Status: it.status, Reason: it.reason, Room: it.freeTokens, Message: -1,
	}
	l.Source.Kind = it.block.kind()
	l.Source.ID = cmp.Or(l.Source.ID, it.block.Key)
	if it.depth >= 0 {
		l.Depth = new(it.depth)
	}
	if it.slot >= 0 {
		l.Slot = d.layout.Slots[it.slot].Name
	} else {
		l.Slot = it.block.Slot
	}
	if it.sent() && it.block.Outlet == "" {
		l.Message = it.message
	}
	if it.status != statusTruncated {
		l.Cut = ""
	}
	return l
}

// addHistory adds the lines of the history, oldest first. Lines that were skipped (older than the start,
// or after the stop) share one line, so that the report stays short.
func (r *explainer) addHistory() {
	c := r.draft.chat
	// c.lines has the lines that were read; the walk finds the lines between them.
	lines := c.lines
	for src, index := range c.all {
		if len(lines) > 0 && lines[0].index == index {
			l := lines[0]
			lines = lines[1:]
			if l.status != "" {
				r.addLine(l)
				continue
			}
		}
		l := ReportLine{Role: src.Role, Status: r.skipStatus(index)}
		if l.Status == Dropped {
			l.Reason = reasonHistoryStop
		}
		r.addSkippedLine(index, l)
	}
}

// addLine adds a line of the history that was read.
func (r *explainer) addLine(l *line) {
	line := ReportLine{
		Key: l.id(), Source: Source{Kind: KindHistory}, Role: l.src.Role,
		Slot: r.draft.historyName(), Tokens: l.tokens, Status: l.status, Reason: l.reason,
		Room: l.freeTokens, Message: -1,
	}
	if l.status == Kept {
		line.Message = l.message
	}
	r.Lines = append(r.Lines, line)
}

// addSkippedLine adds a line of the history that was skipped. If the line before has the same status
// and reason, it joins that line.
func (r *explainer) addSkippedLine(index int, l ReportLine) {
	if n := len(r.Lines); n > 0 {
		before := &r.Lines[n-1]
		if before.Count > 0 && before.Status == l.Status && before.Reason == l.Reason {
			before.Count++
			if before.Role != l.Role { // several roles
				before.Role = ""
			}
			return
		}
	}
	l.Key, l.Source.Kind, l.Slot = lineKey(index), KindHistory, r.draft.historyName()
	l.Message, l.Count = -1, 1
	r.Lines = append(r.Lines, l)
}

func (d *draft) historyName() string {
	if d.chat.slot < 0 {
		return ""
	}
	return d.layout.Slots[d.chat.slot].Name
}

// addFixedParts adds the messages that are not blocks, in the given slots. An empty kind means all kinds.
func (r *explainer) addFixedParts(e *emitter, kind Kind, slots ...string) {
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
