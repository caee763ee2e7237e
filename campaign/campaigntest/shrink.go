package campaigntest

import (
	"context"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
)

// maxTrials limits how often a finding is played while it is reduced.
const maxTrials = 1000

// shrink removes parts of a scenario as long as the same law is still broken. It returns the smallest
// scenario that it has found, with its breach.
func (g *Game) shrink(ctx context.Context, e Exploration, s Scenario, b breach) (Scenario, breach) {
	trials := 0
	for smaller := true; smaller; {
		smaller = false
		for _, candidate := range smallerScenarios(s) {
			if trials++; trials > maxTrials || ctx.Err() != nil {
				return s, b
			}
			played, candidateBreach, err := g.playTrial(ctx, e, func(n int, _ state.Campaign) (ScenarioStep, bool) {
				if n >= len(candidate.Steps) {
					return ScenarioStep{}, false
				}
				return candidate.Steps[n], true
			})
			if err == nil && candidateBreach.law == b.law && weight(played) < weight(s) {
				s, b, smaller = played, candidateBreach, true
				break
			}
		}
	}
	return s, b
}

// weight measures how much there is to read in a scenario. A player's line counts less than a step
// that needs an earlier step.
func weight(s Scenario) int {
	notLines := 0
	withoutWants := Scenario{Steps: slices.Clone(s.Steps)}
	for i := range withoutWants.Steps {
		withoutWants.Steps[i].Wants = nil
		if withoutWants.Steps[i].Do != "say" {
			notLines++
		}
	}
	return len(withoutWants.String()) + 20*(len(s.Steps)+notLines)
}

// smallerScenarios returns scenarios with fewer or smaller steps, the smallest ones first.
func smallerScenarios(s Scenario) (list []Scenario) {
	for size := len(s.Steps) / 2; size > 0; size /= 2 {
		for from := 0; from+size <= len(s.Steps); from += size {
			list = append(list, Scenario{Steps: slices.Delete(slices.Clone(s.Steps), from, from+size)})
		}
	}
	for i, step := range s.Steps {
		for _, less := range smallerSteps(step) {
			list = append(list, Scenario{Steps: replaced(s.Steps, i, less)})
		}
	}
	return list
}

// smallerSteps returns variants of a step, each with one part removed or replaced by a shorter one.
func smallerSteps(s ScenarioStep) (list []ScenarioStep) {
	if s.As != "" {
		less := s
		less.As = ""
		list = append(list, less)
	}
	if s.With != nil {
		less := s
		less.With = nil
		list = append(list, less)
	}
	switch s.Do {
	case "decide", "swipe", "approve": // perhaps a plain turn shows the fault too
		list = append(list, ScenarioStep{Do: "say", Args: []string{"I wait."}, Replies: s.Replies})
	case "say":
		for _, line := range append([]string{"I wait."}, withoutEachPart(s.Args[0])...) {
			if less := s; line != "" && len(line) < len(s.Args[0]) {
				less.Args = []string{line}
				list = append(list, less)
			}
		}
	}
	for i, reply := range s.Replies {
		less := s
		less.Replies = slices.Delete(slices.Clone(s.Replies), i, i+1)
		list = append(list, less)
		for _, reply := range smallerReplies(reply) {
			less.Replies = replaced(s.Replies, i, reply)
			list = append(list, less)
		}
	}
	return list
}

// smallerReplies returns variants of a reply, each with one part removed or replaced by a shorter one.
func smallerReplies(r ScenarioReply) (list []ScenarioReply) {
	for i := range r.Calls {
		calls := slices.Delete(slices.Clone(r.Calls), i, i+1)
		// Without the call the reply may have no narration, which a turn needs: so also add some.
		list = append(list, ScenarioReply{Text: r.Text, Calls: calls}, ScenarioReply{Text: r.Text + " " + silence.Text, Calls: calls})
	}
	for _, text := range append([]string{silence.Text}, withoutEachPart(r.Text)...) {
		if len(text) < len(r.Text) {
			list = append(list, ScenarioReply{Text: text, Calls: r.Calls})
		}
	}
	return list
}

// replaced returns a copy of a list with a different element i.
func replaced[T any](list []T, i int, by T) []T {
	list = slices.Clone(list)
	list[i] = by
	return list
}

// withoutEachPart returns variants of a text, each without one sentence or line.
func withoutEachPart(text string) (list []string) {
	parts := sentences(text)
	for i := range parts {
		if len(parts) > 1 {
			list = append(list, strings.TrimSpace(strings.Join(slices.Delete(slices.Clone(parts), i, i+1), "")))
		}
	}
	return list
}

// sentences splits a text after the end of each sentence and at line feeds.
func sentences(text string) (list []string) {
	from := 0
	for i, r := range text {
		if strings.ContainsRune(".!?。！？\n]", r) {
			end := i + len(string(r))
			list = append(list, text[from:end])
			from = end
		}
	}
	if strings.TrimSpace(text[from:]) != "" {
		list = append(list, text[from:])
	}
	return list
}
