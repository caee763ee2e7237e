package prompt

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

// Result is an assembled prompt. It shares no slice or map with the input, except the values of
// variables, which are read-only.
type Result struct {
	Messages []llm.Message `json:"messages"`
	Origins  []Origin      `json:"origins"` // one for each message
	Report   Report        `json:"report"`
	// Breakpoints are the indexes of messages after which a cache mark is useful. They are the end
	// of the stable head, and the end of the history before the first message that changes every
	// turn.
	Breakpoints []int `json:"breakpoints,omitempty"`
	// HistoryStart is the index of the oldest line used, not counting hidden lines. Pass it to the
	// next build as [Input.HistoryStart].
	HistoryStart int `json:"history_start"`
	Tokens       int `json:"tokens"` // of all messages, priming not included
	// Prefill is the expanded prefill, sent or not.
	Prefill string `json:"prefill,omitempty"`

	// Vars and Globals are all variables after the build, nil if no text wrote any. Draws are the
	// random numbers that were drawn.
	Vars    map[string]any `json:"vars,omitempty"`
	Globals map[string]any `json:"globals,omitempty"`
	Draws   []macro.Draw   `json:"draws,omitempty"`
}

// Extend returns the prompt with further follow-ups, for the next request of the same turn.
// Everything before them stays the same, byte for byte, also under a budget: the choices of the
// first request are kept. Only a control prompt and a prefill, which always come last, move to
// after the follow-ups.
//
// The budget must be the one of the first request; Extend uses its TurnReserve. If that is too
// small, the error is a [*BudgetError] and r is still valid.
func (r Result) Extend(budget Budget, followUps ...llm.Message) (Result, error) {
	at := len(r.Messages)
	for at > 0 && at <= len(r.Origins) && isAfterFollowUps(r.Origins[at-1].Slot) {
		at--
	}
	meter := budget.meter()
	newOrigins := make([]Origin, len(followUps))
	lines := make([]ReportLine, len(followUps))
	first := r.followUps()
	followUps = slices.Clone(followUps)
	total := r.Tokens
	for i, m := range followUps {
		followUps[i] = m.Clone()
		key := fmt.Sprintf("follow_up.%d", first+i)
		tokens := meter.messageTokens(m)
		total += tokens
		newOrigins[i] = Origin{Slot: slotFollowUps, Kind: kindFollowUp, Keys: []string{key}, Stability: Turn, Tokens: tokens}
		lines[i] = ReportLine{
			Key: key, Source: Source{kindFollowUp, key}, Role: m.Role, Slot: slotFollowUps,
			Tokens: tokens, Status: Kept, Message: at + i,
		}
	}
	if budget.Context > 0 {
		room := max(budget.Context-budget.Response-priming, 0)
		if total > room {
			return Result{}, r.extendError(lines, total, room)
		}
		r.Report.Room = room
	}
	shared := Shared{Messages: at}
	for _, o := range r.Origins[:at] {
		shared.Tokens += o.Tokens
	}
	r.Messages = slices.Concat(r.Messages[:at], followUps, r.Messages[at:])
	r.Origins = slices.Concat(r.Origins[:at], newOrigins, r.Origins[at:])
	r.Tokens = total
	r.Report = r.Report.extended(lines, at, total)
	r.Report.setTotals(r.Origins)
	r.Report.Shared = &shared
	return r, nil
}

// followUps counts the follow-ups so far. Their numbers are their keys.
func (r Result) followUps() int {
	n := 0
	for _, o := range r.Origins {
		if o.Slot == slotFollowUps {
			n++
		}
	}
	return n
}

// extendError lists the request as a whole and each new message.
func (r Result) extendError(lines []ReportLine, total, room int) error {
	e := &BudgetError{Tokens: total, Room: room}
	e.Required = append(e.Required, Part{"request", KindHost, r.Tokens})
	for _, l := range lines {
		e.Required = append(e.Required, Part{l.Key, kindFollowUp, l.Tokens})
	}
	return e
}

// breakpoints returns the ends of the stable head and of the stable history.
func breakpoints(origins []Origin) []int {
	head := 0
	for head < len(origins) && origins[head].stable() {
		head++
	}
	history := -1
	for i, o := range origins {
		if o.Stability == Turn {
			break
		}
		if o.Kind == KindHistory {
			history = i
		}
	}
	var list []int
	if head > 0 {
		list = append(list, head-1)
	}
	if history >= 0 && history != head-1 {
		list = append(list, history)
	}
	return list
}

// stable reports whether a cache may keep the message for more than a turn.
func (o Origin) stable() bool { return o.Stability == Static || o.Stability == Session }

// SharedPrefix counts the messages at the beginning of a request that equal the messages of the
// previous request, and their tokens, overhead included. A provider's cache can serve this part.
// budget defines how tokens are counted.
func SharedPrefix(previous, current []llm.Message, budget Budget) Shared {
	meter := budget.meter()
	var s Shared
	for s.Messages < min(len(previous), len(current)) &&
		sameMessage(previous[s.Messages], current[s.Messages]) {
		s.Tokens += meter.messageTokens(current[s.Messages])
		s.Messages++
	}
	return s
}

// sameMessage compares the parts of a message that a provider receives.
func sameMessage(a, b llm.Message) bool {
	return a.Role == b.Role && a.Name == b.Name && a.Text == b.Text &&
		a.ToolCallID == b.ToolCallID &&
		slices.EqualFunc(a.Images, b.Images, func(x, y llm.Image) bool {
			return x.MIME == y.MIME && x.URL == y.URL && bytes.Equal(x.Data, y.Data)
		}) &&
		slices.EqualFunc(a.ToolCalls, b.ToolCalls, func(x, y llm.ToolCall) bool {
			return x.ID == y.ID && x.Name == y.Name && x.Arguments == y.Arguments
		})
}
