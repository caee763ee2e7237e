package prepare

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright"
)

// TestProblemsOfAPrompt: the same mistake gives one warning, and the mistakes after the limit are
// counted in one warning.
func TestProblemsOfAPrompt(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{1: 1, maxPromptProblems: maxPromptProblems, maxPromptProblems + 3: maxPromptProblems + 1} {
		var problems talewright.Problems
		for i := range n {
			for _, path := range []string{"a", "b"} {
				problems = append(problems, talewright.Problem{ID: fmt.Sprint("mill.", i), Path: path, Text: "unknown"})
			}
		}
		p := Prompter{Texts: new(Texts)}
		p.traceProblems(problems)
		last := "prompt: " + problems[2*(n-1)].String()
		if n > maxPromptProblems {
			last = "prompt: and 3 problems more"
		}
		if got := p.Trace.Warnings; len(got) != want || got[len(got)-1] != last {
			t.Errorf("%d problems: %q, want %q last", n, got, last)
		}
	}
}
