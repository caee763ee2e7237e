package prompt_test

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
)

// bytesOf returns the number of bytes that a call allocates, the smallest of several runs.
func bytesOf(call func()) uint64 {
	least := ^uint64(0)
	for range 5 {
		least = min(least, testkit.Bytes(call))
	}
	return least
}

// TestAllocationFollowsWhatIsKept gives ten times the history to the same budget. Lines that do not
// fit must not cost memory: 100 bytes for each of the 9,000 additional lines would be 900,000. It
// is not parallel, because it measures the process.
func TestAllocationFollowsWhatIsKept(t *testing.T) {
	in := largeInput()
	short, long := in, in
	long.History = nil
	for range 10 {
		long.History = append(long.History, in.History...)
	}
	for i := range long.History { // other elements that a history can have
		switch i % 100 {
		case 7:
			long.History[i].Hidden = true
		case 23:
			long.History[i].Calls = []llm.ToolCall{{ID: "c", Name: "roll"}}
		}
	}
	env := prompt.Env{User: "Mara", Char: "Orin", Compile: macro.NewCache(nil, 0).Compile}
	budget := prompt.Budget{Context: 8000, Response: 800, Counter: prompt.NewTokenCache(nil, 0)}
	chatML := tavern.ChatML()
	for _, c := range []struct {
		name     string
		assemble func(prompt.Input) (prompt.Result, error)
	}{
		{"default layout", func(in prompt.Input) (prompt.Result, error) {
			return prompt.Assemble(prompt.Default(), in, env, budget)
		}},
		{"previous start", func(in prompt.Input) (prompt.Result, error) {
			in.HistoryStart, in.TrimSlack = len(in.History)-300, 500
			return prompt.Assemble(prompt.Default(), in, env, budget)
		}},
		{"full macros in the history", func(in prompt.Input) (prompt.Result, error) {
			return tavern.Default().Assemble(prompt.Scene{}, in, env, budget)
		}},
		{"no history in the layout", func(in prompt.Input) (prompt.Result, error) {
			layout := prompt.Layout{Slots: []prompt.Slot{{Name: "main"}}}
			return prompt.Assemble(layout, in, env, budget)
		}},
		{"one text", func(in prompt.Input) (prompt.Result, error) {
			text, err := tavern.Render(prompt.Scene{}, in, env, budget,
				tavern.DefaultContext(), &chatML)
			return text.Result, err
		}},
	} {
		measure := func(in prompt.Input) uint64 {
			return bytesOf(func() {
				if _, err := c.assemble(in); err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
			})
		}
		few, many := measure(short), measure(long)
		if many > few+few/10 {
			t.Errorf("%s: %d bytes for %d lines, %d bytes for %d lines",
				c.name, few, len(short.History), many, len(long.History))
		}
	}
}
