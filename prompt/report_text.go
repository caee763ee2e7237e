package prompt

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// String writes the report as stable text, one line per block:
//
//	kept      main        31 tok  #0
//	truncated summary    300 tok  #5  412 -> 300, first 9 lines removed
//	dropped   history.3   95 tok      room 40
//
// Runs of three and more history lines with one fate share a line. Totals,
// problems of macros and variables follow. The layout of the text may change
// between versions; programs read the fields or the JSON.
func (r Report) String() string {
	var b strings.Builder
	rows := r.rows()
	status, key := 0, 0
	for _, row := range rows {
		status = max(status, len(row.status))
		key = max(key, utf8.RuneCountInString(row.key))
	}
	key = min(key, 40)
	for _, row := range rows {
		line := fmt.Sprintf("%-*s %-*s %6d tok  %-5s %s",
			status, row.status, key, row.key, row.tokens, row.message, row.remark)
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	r.writeTotals(&b)
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "macro %s in %s at %d: %s", p.Macro, p.Key, p.Offset, p.Code)
		if p.Detail != "" {
			b.WriteString(", " + p.Detail)
		}
		b.WriteByte('\n')
	}
	r.writeVariables(&b)
	return b.String()
}

// row is a printed line.
type row struct {
	status, key, message, remark string
	tokens                       int
}

// rows turns lines into rows, runs of history lines into one.
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

// run is the number of history lines from i on with the same fate.
func (r Report) run(i int) int {
	first := r.Lines[i]
	n := 1
	for first.Source.Kind == KindHistory && i+n < len(r.Lines) {
		l := r.Lines[i+n]
		if l.Count > 1 || first.Count > 1 || l.Source.Kind != KindHistory || l.Status != first.Status || l.Reason != first.Reason {
			break
		}
		n++
	}
	return n
}

// row is the line with its remark in words.
func (l ReportLine) row() row {
	row := row{status: string(l.Status), key: l.Key, tokens: l.Tokens}
	if first, ok := lineIndex(l.Key); ok && l.Count > 1 {
		row.key += " … " + itoa(first+l.Count-1)
	}
	if l.Message >= 0 {
		row.message = fmt.Sprintf("#%d", l.Message)
	}
	var remarks []string
	if l.Status == Truncated {
		end := "last"
		if l.Cut == CutStart {
			end = "first"
		}
		plural := "s"
		if l.Removed == 1 {
			plural = ""
		}
		remarks = append(remarks, fmt.Sprintf("%d -> %d, %s %d line%s removed",
			l.Before, l.Tokens, end, l.Removed, plural))
	}
	switch {
	case l.Reason == ReasonBudget:
		remarks = append(remarks, fmt.Sprintf("room %d", l.Room))
	case l.Reason != "":
		remarks = append(remarks, l.Reason)
	}
	row.remark = strings.Join(remarks, ", ")
	return row
}

// writeTotals writes how the room was used.
func (r Report) writeTotals(b *strings.Builder) {
	fmt.Fprintf(b, "used %d", r.Used)
	if r.Room > 0 {
		fmt.Fprintf(b, " of %d tokens, %d left", r.Room, r.Room-r.Used)
	} else {
		b.WriteString(" tokens, no limit")
	}
	b.WriteByte('\n')
	for _, group := range [...]struct {
		name string
		list []Total
	}{{"slots", r.Slots}, {"sources", r.Sources}} {
		if len(group.list) == 0 {
			continue
		}
		b.WriteString(group.name + ":")
		for i, t := range group.list {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, " %s %d", t.Name, t.Tokens)
		}
		b.WriteByte('\n')
	}
	if r.Shared != nil {
		fmt.Fprintf(b, "shared with the previous request: %d messages, %d tokens\n",
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
		b.WriteString(" " + v.Name)
		if v.Global {
			b.WriteString(" (global)")
		}
		switch {
		case v.Read && v.Write:
			b.WriteString(" read, written")
		case v.Write:
			b.WriteString(" written")
		default:
			b.WriteString(" read")
		}
	}
	b.WriteByte('\n')
}
