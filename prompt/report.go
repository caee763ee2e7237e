package prompt

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

// ReportLine says whether one block is in the prompt, and if not, why.
type ReportLine struct {
	Key    string   `json:"key"`
	Source Source   `json:"source"`
	Role   llm.Role `json:"role,omitempty"`
	Slot   string   `json:"slot,omitempty"`
	Depth  *int     `json:"depth,omitempty"`
	// Tokens is the size of the text. For a truncated block it is the size after the cut, and
	// Before is the size before the cut. Lines after a history stop are not counted.
	Tokens int `json:"tokens"`
	Before int `json:"before,omitempty"`
	// Removed is the number of removed lines, Cut the end from which they were removed.
	Removed int    `json:"lines_removed,omitempty"`
	Cut     Cut    `json:"cut,omitempty"`
	Status  Status `json:"status"`
	Reason  string `json:"reason,omitempty"`
	// Room is the number of free tokens when a block was dropped.
	Room int `json:"room,omitempty"`
	// Message is the index of the message that contains the block, or -1 if no message does.
	Message int `json:"message"`
	// Count is not 0 if the report line summarizes this number of history lines that were not
	// read, beginning with Key. Their keys are numbered. Role is empty if they have different
	// roles. [Report.Line] and [Report.All] return them one by one.
	Count int `json:"count,omitempty"`
}

// Origin describes the origin of a message of a [Result].
type Origin struct {
	// Slot is the slot of the layout. The marker, the lines and the blocks at a depth have the
	// history slot. After the last slot it is "follow_ups", "control" or "prefill".
	Slot string `json:"slot"`
	Kind Kind   `json:"kind"` // of the first block
	// Keys are the keys of the blocks in the message, in order.
	Keys []string `json:"keys"`
	// Stability is the stability of the least stable block. It is empty for history lines.
	Stability Stability `json:"stability,omitempty"`
	Tokens    int       `json:"tokens"`
	// Speaker is the name of who speaks a history line, also if the message does not show it.
	Speaker string `json:"speaker,omitempty"`
}

// Total is the sum over a group of sent blocks.
type Total struct {
	Name   string `json:"name"`
	Blocks int    `json:"blocks"`
	Tokens int    `json:"tokens"`
}

// Shared measures the common beginning of a request and the request before it.
type Shared struct {
	Messages int `json:"messages"` // equal messages at the beginning
	Tokens   int `json:"tokens"`   // their size
}

// Report explains a prompt: one line per block, in the order of the layout. It prints as stable
// text and encodes to JSON.
type Report struct {
	Lines []ReportLine `json:"lines"`
	// Slots and Sources are the totals of the sent blocks, in the order of the prompt.
	Slots   []Total `json:"slots,omitempty"`
	Sources []Total `json:"sources,omitempty"`
	Room    int     `json:"room"` // tokens available; 0 without a limit
	Used    int     `json:"used"` // tokens of all messages

	// Problems are problems of macros and of examples. The path of a macro problem is the key of
	// the block and the byte offset in it: "main@44". The path of an example problem (see
	// "no_speaker") is the key of the part.
	Problems  talewright.Problems `json:"problems,omitempty"`
	Variables []macro.Access      `json:"variables,omitempty"`
	// Shared is set if [Input.Previous] was.
	Shared *Shared `json:"shared,omitempty"`
}

// Line returns the report line of a block or of a history line, and reports whether it exists. If a
// report line summarizes several, Line returns one for the given key alone.
func (r Report) Line(key string) (ReportLine, bool) {
	prefix, number, numbered := cutNumber(key)
	for _, l := range r.Lines {
		if l.Key == key {
			l.Count = 0
			return l, true
		}
		if !numbered || l.Count == 0 {
			continue
		}
		if p, first, _ := cutNumber(l.Key); p == prefix && first < number && number < first+l.Count {
			l.Key, l.Count = key, 0
			return l, true
		}
	}
	return ReportLine{}, false
}

// All returns one line for each block and each line of the history, in the order of the layout.
// Lines that share a line in [Report.Lines] are returned one by one.
func (r Report) All() iter.Seq[ReportLine] {
	return func(yield func(ReportLine) bool) {
		for _, l := range r.Lines {
			prefix, first, _ := cutNumber(l.Key)
			n := max(l.Count, 1)
			l.Count = 0
			for i := range n {
				if i > 0 {
					l.Key = prefix + strconv.Itoa(first+i)
				}
				if !yield(l) {
					return
				}
			}
		}
	}
}

// cutNumber splits the number off the end of the key of a line.
func cutNumber(key string) (prefix string, number int, ok bool) {
	i := strings.LastIndexByte(key, '.') + 1
	number, err := strconv.Atoi(key[i:])
	return key[:i], number, err == nil
}

// setTotals sums up the messages by slot and by source.
func (r *Report) setTotals(origins []Origin) {
	r.Slots = totals(origins, func(o Origin) string { return o.Slot })
	r.Sources = totals(origins, func(o Origin) string { return string(o.Kind) })
}

// totals sums up messages by name, in the order of the prompt.
func totals(origins []Origin, name func(Origin) string) []Total {
	var list []Total
	places := map[string]int{}
	for _, o := range origins {
		i, known := places[name(o)]
		if !known {
			i = len(list)
			places[name(o)] = i
			list = append(list, Total{Name: name(o)})
		}
		list[i].Blocks += len(o.Keys)
		list[i].Tokens += o.Tokens
	}
	return list
}

// extended returns the report with follow-ups added at message index at.
func (r Report) extended(lines []ReportLine, at, total int) Report {
	i := len(r.Lines)
	for j, l := range r.Lines {
		if l.Message >= at && isAfterFollowUps(l.Slot) {
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
	return r
}

// isAfterFollowUps reports whether a slot comes after the follow-ups.
func isAfterFollowUps(slot string) bool { return slot == slotControl || slot == slotPrefill }
