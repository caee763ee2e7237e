package prompt

import (
	"errors"
	"fmt"
	"strings"
)

// priming is the number of tokens that providers add for the beginning of the reply.
const priming = 3

// Budget is the maximum size of a prompt. The zero value has no limit.
type Budget struct {
	// Context is the size of the model's window in tokens. 0 means no limit.
	Context int `json:"context,omitempty"`
	// Response is the part of the window that is left for the reply.
	Response int `json:"response,omitempty"`
	// TurnReserve stays free for the follow-ups of the turn, see [Result.Extend]. The first request
	// does not use it.
	TurnReserve int `json:"turn_reserve,omitempty"`
	// PerMessage is the overhead of each message, nil is 4.
	PerMessage *int  `json:"per_message,omitempty"`
	Caps       []Cap `json:"caps,omitempty"`
	// Counter counts tokens; nil is [TokenEstimator].
	Counter TokenCounter `json:"-"`
}

// Cap limits a group of blocks. Caps are checked before the blocks compete: blocks beyond the cap
// are dropped, smallest keep first. Required blocks use up the cap and are never dropped.
type Cap struct {
	// Slot or Kind selects the group. With both set, both must match.
	Slot string `json:"slot,omitempty"`
	Kind Kind   `json:"kind,omitempty"`
	// Percent is a share of the context, Max is in tokens. 0 means no limit. The smaller limit
	// applies.
	Percent int `json:"percent,omitempty"`
	Max     int `json:"max,omitempty"`
}

// Part is a required piece of a prompt and its size in tokens.
type Part struct {
	Key    string `json:"key"`
	Kind   Kind   `json:"kind"`
	Tokens int    `json:"tokens"`
}

// ErrBudget is the target for errors.Is that matches a [*BudgetError].
var ErrBudget = errors.New("prompt: the required blocks exceed the budget")

// BudgetError says that the required parts of a prompt are larger than the budget.
type BudgetError struct {
	// Required lists the required blocks in the order of the layout, then the markers, follow-ups,
	// control prompt and prefill. The newest line is last.
	Required []Part `json:"required"`
	Tokens   int    `json:"tokens"` // of all required parts, overhead included
	Room     int    `json:"room"`
}

// Error names the required blocks and their sizes.
func (e *BudgetError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "prompt: the required blocks need %d tokens, the budget is %d:", e.Tokens, e.Room)
	for i, p := range e.Required {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s (%d)", p.Key, p.Tokens)
	}
	return b.String()
}

// Is reports whether target is [ErrBudget].
func (e *BudgetError) Is(target error) bool { return target == ErrBudget }
