package prompt

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/macro"
)

// BadLayout is the code of all mistakes of a layout.
const BadLayout talewright.Code = "bad_layout"

// Check returns all mistakes of the layout, each of them fatal and with a path such as
// slots[3].name: slots without a name, with the name of another one or of a reserved
// place, a second history, unknown words, a slot before the newest line that does not
// follow the history. [Assemble] calls it.
func (l Layout) Check() talewright.Problems {
	var problems talewright.Problems
	report := func(path, format string, args ...any) {
		problems = append(problems, talewright.Problem{
			Path: path, Code: BadLayout, Severity: talewright.Fatal, Text: fmt.Sprintf(format, args...)})
	}
	// Everything is checked, not up to the first mistake: layouts are written by
	// hand, often as JSON, and one round of corrections should do.
	history := -1
	first := l.places()
	for i, s := range l.Slots {
		if s.Name == "" {
			report(fmt.Sprintf("slots[%d].name", i), "is empty: blocks name their slot")
		} else if slices.Contains(reservedSlots[:], s.Name) {
			report(fmt.Sprintf("slots[%d].name", i),
				"%q is the name of a place behind the last slot: choose another", s.Name)
		}
		if j := first[s.Name]; j < i {
			report(fmt.Sprintf("slots[%d].name", i), "%q is also slot %d: rename one", s.Name, j)
		}
		switch s.Form {
		case "", Joined, Separate, Examples, ExampleTexts:
		case History:
			if history >= 0 {
				report(fmt.Sprintf("slots[%d].form", i),
					"slot %d already is the history: a layout has one at most", history)
			}
			history = i
		default:
			report(fmt.Sprintf("slots[%d].form", i),
				"%q is unknown: use joined, separate, examples, example_texts or history", s.Form)
		}
		if s.BeforeNewest && (i == 0 || l.Slots[i-1].Form != History && !l.Slots[i-1].BeforeNewest) {
			report(fmt.Sprintf("slots[%d].before_newest", i),
				"the slot before it is not the history: move it right behind that one")
		}
		switch s.Stability {
		case "", Static, Session, Turn:
		default:
			report(fmt.Sprintf("slots[%d].stability", i),
				"%q is unknown: use static, session or turn", s.Stability)
		}
	}
	switch l.Names {
	case "", NamesForced, NamesNone, NamesContent, NamesField:
	default:
		report("names", "%q is unknown: use default, none, content or completion", l.Names)
	}
	switch l.HistoryMacros {
	case "", macro.Full, macro.Names, macro.Off:
	default:
		report("history_macros", "%q is unknown: use full, names or off", l.HistoryMacros)
	}
	return problems
}

// Names of the places behind the last slot.
const (
	slotFollowUps = "follow_ups"
	slotControl   = "control"
	slotPrefill   = "prefill"
)

var reservedSlots = [...]string{slotFollowUps, slotControl, slotPrefill}

// places returns the indexes of the slots by name, of twins that of the first.
func (l *Layout) places() map[string]int {
	places := make(map[string]int, len(l.Slots))
	for i := range l.Slots {
		if _, twin := places[l.Slots[i].Name]; !twin {
			places[l.Slots[i].Name] = i
		}
	}
	return places
}

// historySlot returns the index of the slot of the history, -1 if there is none.
func (l *Layout) historySlot() int {
	for i := range l.Slots {
		if l.Slots[i].Form == History {
			return i
		}
	}
	return -1
}

// joiner is what stands between blocks of one message.
func (s *Slot) joiner() string {
	if s.Joiner == "" {
		return "\n\n"
	}
	return s.Joiner
}
