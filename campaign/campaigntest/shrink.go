package campaigntest

import (
	"context"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
)

// mostTrials limits how often a finding is played while it is reduced.
const mostTrials = 1000

// shrink removes parts of a scenario as long as the same law is still broken.
func (g *Game) shrink(ctx context.Context, e Exploration, s Scenario, b breach) (Scenario, breach) {
	trials := 0
	for smaller := true; smaller; {
		smaller = false
		for candidate := range lesser(s) {
			if trials++; trials > mostTrials || ctx.Err() != nil {
				return s, b
			}
			played, again, err := g.trial(ctx, e, func(n int, _ state.Campaign) (ScenarioStep, bool) {
				if n >= len(candidate.Steps) {
					return ScenarioStep{}, false
				}
				return candidate.Steps[n], true
			})
			if err == nil && again.law == b.law && weight(played) < weight(s) {
				s, b, smaller = played, again, true
				break
			}
		}
	}
	return s, b
}

// weight measures how much there is to read in a scenario. A player's line counts less than a step
// that needs an earlier step.
func weight(s Scenario) int {
	hard := 0
	plain := Scenario{Steps: slices.Clone(s.Steps)}
	for i := range plain.Steps {
		plain.Steps[i].Wants = nil
		if plain.Steps[i].Do != "say" {
			hard++
		}
	}
	return len(plain.String()) + 20*(len(s.Steps)+hard)
}

// lesser yields smaller scenarios, much smaller ones first.
func lesser(s Scenario) func(yield func(Scenario) bool) {
	return func(yield func(Scenario) bool) {
		for size := len(s.Steps) / 2; size > 0; size /= 2 {
			for from := 0; from+size <= len(s.Steps); from += size {
				if !yield(Scenario{Steps: slices.Delete(slices.Clone(s.Steps), from, from+size)}) {
					return
				}
			}
		}
		for i := range s.Steps {
			for step := range lesserStep(s.Steps[i]) {
				steps := slices.Clone(s.Steps)
				steps[i] = step
				if !yield(Scenario{Steps: steps}) {
					return
				}
			}
		}
	}
}

// lesserStep yields smaller steps.
func lesserStep(s ScenarioStep) func(yield func(ScenarioStep) bool) {
	return func(yield func(ScenarioStep) bool) {
		if s.As != "" {
			less := s
			less.As = ""
			if !yield(less) {
				return
			}
		}
		if s.Do == "decide" || s.Do == "swipe" || s.Do == "approve" { // perhaps any turn shows the fault
			if !yield(ScenarioStep{Do: "say", Args: []string{"I wait."}, Replies: s.Replies}) {
				return
			}
		}
		if s.Do == "say" {
			for _, line := range append([]string{"I wait."}, without(s.Args[0])...) {
				less := s
				less.Args = []string{line}
				if line != "" && len(line) < len(s.Args[0]) && !yield(less) {
					return
				}
			}
		}
		for i := range s.Replies {
			if !yield(withReplies(s, slices.Delete(slices.Clone(s.Replies), i, i+1))) {
				return
			}
			for reply := range lesserReply(s.Replies[i]) {
				replies := slices.Clone(s.Replies)
				replies[i] = reply
				if !yield(withReplies(s, replies)) {
					return
				}
			}
		}
	}
}

func withReplies(s ScenarioStep, list []ScenarioReply) ScenarioStep {
	s.Replies = list
	return s
}

// lesserReply yields smaller replies.
func lesserReply(r ScenarioReply) func(yield func(ScenarioReply) bool) {
	return func(yield func(ScenarioReply) bool) {
		for i := range r.Calls {
			calls := slices.Delete(slices.Clone(r.Calls), i, i+1)
			for _, text := range []string{r.Text, r.Text + " " + silence.Text} { // a turn needs some narration
				if !yield(ScenarioReply{Text: text, Calls: calls}) {
					return
				}
			}
		}
		for _, text := range append([]string{silence.Text}, without(r.Text)...) {
			if len(text) < len(r.Text) && !yield(ScenarioReply{Text: text, Calls: r.Calls}) {
				return
			}
		}
	}
}

// without returns the texts with one sentence or line removed.
func without(text string) (list []string) {
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
