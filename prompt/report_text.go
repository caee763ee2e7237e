package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// String writes the report as stable text, one line per block:
//
//	kept      main              31 tok  #0
//	truncated summary          300 tok  #5  412 -> 300, first 9 lines removed
//	dropped   history.0 … 2      - tok      older than a line that did not fit
//	dropped   history.3         95 tok      room 40
//
// The columns are the status, the key, the size ("-": not counted), the message and a remark. The
// remark has the removed lines, the free tokens, or the depth of a text. Runs of three and more
// history lines with one status share a line. Then follow totals (which count whole messages with
// their overhead), problems of macros, and variables. The format of the text may change between
// versions; programs should read the fields or the JSON.
func (r Report) String() string {
	var b strings.Builder
	rows := r.rows()
	status, key, message := 0, 0, 0
	for _, row := range rows {
		status = max(status, len(row.status))
		key = max(key, utf8.RuneCountInString(row.key))
		message = max(message, len(row.message))
	}
	key = min(key, 40)
	for _, row := range rows {
		size := strconv.Itoa(row.tokens)
		if row.uncounted {
			size = "-"
		}
		line := fmt.Sprintf("%-*s %-*s %6s tok  %-*s  %s",
			status, row.status, key, row.key, size, message, row.message, row.remark)
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	if len(rows) > 0 {
		b.WriteByte('\n')
	}
	r.writeTotals(&b)
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "problem:   %v\n", p)
	}
	r.writeVariables(&b)
	return b.String()
}

// row is a printed line.
type row struct {
	status, key, message, remark string
	tokens                       int
	uncounted                    bool
}

// rows turns lines into rows, and runs of history lines into one row. A run of two stays two rows:
// a range would say less and would not be shorter.
func (r Report) rows() []row {
	var rows []row
	for i := 0; i < len(r.Lines); {
		n := r.run(i)
		row := r.Lines[i].row()
		if n >= 3 {
			last := r.Lines[i+n-1]
			row.key += " … " + strings.TrimPrefix(last.Key, keyPrefix)
			for _, l := range r.Lines[i+1 : i+n] {
				row.tokens += l.Tokens
			}
			if last.Message >= 0 {
				row.message += fmt.Sprintf("-%d", last.Message)
			}
		} else {
			n = 1
		}
		rows = append(rows, row)
		i += n
	}
	return rows
}

// run returns the number of history lines from i on with the same status.
func (r Report) run(i int) int {
	first := r.Lines[i]
	n := 1
	for first.Source.Kind == KindHistory && i+n < len(r.Lines) {
		l := r.Lines[i+n]
		if l.Count > 1 || first.Count > 1 || l.Source.Kind != KindHistory ||
			l.Status != first.Status || l.Reason != first.Reason {
			break
		}
		n++
	}
	return n
}

// row returns the line with its remark in words.
func (l ReportLine) row() row {
	row := row{status: string(l.Status), key: l.Key, tokens: l.Tokens, uncounted: l.Count > 0}
	if _, first, ok := cutNumber(l.Key); ok && l.Count > 1 {
		row.key += " … " + strconv.Itoa(first+l.Count-1)
	}
	if l.Message >= 0 {
		row.message = fmt.Sprintf("#%d", l.Message)
	}
	var remarks []string
	if l.Status == statusTruncated {
		remarks = append(remarks, fmt.Sprintf("%d -> %d, %s removed", l.Before, l.Tokens, l.cutLines()))
	}
	if l.Depth != nil {
		remarks = append(remarks, fmt.Sprintf("depth %d", *l.Depth))
	}
	if why := l.why(); why != "" {
		remarks = append(remarks, why)
	}
	row.remark = strings.Join(remarks, ", ")
	return row
}

// cutLines describes the removed lines of a block.
func (l ReportLine) cutLines() string {
	end := "last"
	if l.Cut == CutStart {
		end = "first"
	}
	switch l.Removed {
	case 0:
		return "part of the " + end + " line"
	case 1:
		return end + " line"
	}
	return fmt.Sprintf("%s %d lines", end, l.Removed)
}

// why returns the reason in words. A reason from the host stays as it is.
func (l ReportLine) why() string {
	switch l.Reason {
	case reasonBudget:
		return fmt.Sprintf("room %d", l.Room)
	case reasonHistoryStop:
		if l.Source.Kind == KindHistory {
			return "older than a line that did not fit"
		}
		return "after an example that did not fit"
	case reasonGroupCap:
		return "beyond the cap of its group"
	case reasonDuplicate:
		return "a later block has the same key"
	case reasonNoTools:
		return "the request has no tools"
	case reasonNoSpeaker:
		return "no known speaker begins a line"
	case "":
	default:
		return l.Reason
	}
	switch {
	case l.Status == statusBeforeStart:
		return "older than the history start"
	case l.Status == statusUnused:
		return "no text shows the outlet"
	case l.Status == Trigger:
		return "for a different kind of generation"
	case l.Status == Unlisted && l.Slot != "":
		return fmt.Sprintf("the layout has no slot %q", l.Slot)
	case l.Status == Unlisted:
		return "the layout has no place for it"
	}
	return ""
}

// writeTotals writes how the budget was used.
func (r Report) writeTotals(b *strings.Builder) {
	fmt.Fprintf(b, "used:      %d", r.Used)
	if r.Room > 0 {
		fmt.Fprintf(b, " of %d tokens, %d left", r.Room, r.Room-r.Used)
	} else {
		b.WriteString(" tokens, no limit")
	}
	b.WriteByte('\n')
	for _, group := range [...]struct {
		name string
		list []Total
	}{{"slots:    ", r.Slots}, {"sources:  ", r.Sources}} {
		if len(group.list) == 0 {
			continue
		}
		b.WriteString(group.name)
		for i, t := range group.list {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, " %s %d", t.Name, t.Tokens)
		}
		b.WriteByte('\n')
	}
	if r.Shared != nil {
		fmt.Fprintf(b, "shared:    %d messages, %d tokens as in the previous request\n",
			r.Shared.Messages, r.Shared.Tokens)
	}
}

// writeVariables writes which variables the templates used, in order of use.
func (r Report) writeVariables(b *strings.Builder) {
	if len(r.Variables) == 0 {
		return
	}
	b.WriteString("variables:")
	for i, v := range r.Variables {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
		if v.Global {
			b.WriteString("global ")
		}
		b.WriteString(v.Name)
		switch {
		case v.Read && v.Write:
			b.WriteString(" (read, written)")
		case v.Write:
			b.WriteString(" (written)")
		default:
			b.WriteString(" (read)")
		}
	}
	b.WriteByte('\n')
}
