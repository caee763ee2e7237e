package campaigntest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
)

// Scores are the results of a model in scenarios.
type Scores struct {
	Scenarios []Scored `json:"scenarios"`
	Total     Scored   `json:"total"`
}

// Scored is the result of a model in one scenario, or in all of them. Time is measured around each
// turn. Tokens come from the provider; if it reports none, they are 0.
type Scored struct {
	File      string `json:"file,omitempty"`
	Turns     int    `json:"turns"`     // turns for which the model was asked
	Completed int    `json:"completed"` // turns that ended well
	Clean     int    `json:"clean"`     // completed turns without a re-generation and with nothing unresolved
	Requests  int    `json:"requests"`
	Retries   int    `json:"retries"` // re-generations
	// Refused counts refused calls by tool and code, as in "move not_connected". Conflicts counts
	// contradictions to the state by kind, in all outputs.
	Refused   map[string]int `json:"refused,omitempty"`
	Conflicts map[string]int `json:"conflicts,omitempty"`
	// Unresolved counts calls that stayed refused in turns that ended well. Reports counts the
	// turns that need a person's decision. Failures counts the turns in which the model could not
	// be asked.
	Unresolved int `json:"unresolved"`
	Reports    int `json:"reports"`
	Failures   int `json:"failures"`
	// Calls counts accepted tool calls and applied variable commands of committed turns. Repeated
	// counts the turns that ended well with the same text as an earlier turn of the scenario.
	Calls    int `json:"calls"`
	Repeated int `json:"repeated"`
	// Goals is the number of goals. A goal that was already true at the beginning counts only if it
	// became false later. Reached is the number of goals that the state reached; the text does not
	// matter. Broken is the number of goals that were true at the beginning and false at the end.
	Goals   int `json:"goals"`
	Reached int `json:"reached"`
	Broken  int `json:"broken"`

	PromptTokens     int           `json:"prompt_tokens"`
	CompletionTokens int           `json:"completion_tokens"`
	Time             time.Duration `json:"time"` // in nanoseconds, of all turns
	// Points are 100 if all goals are reached in clean turns, 50 if all are reached and no turn is
	// clean, 0 if no goal is reached.
	Points float64 `json:"points"`
}

// Score plays scenarios with a real model. It uses their player steps, dice and answers. It ignores
// their replies and checks, and counts their goals. A turn that needs a person's decision stays
// undecided. To pay once and score often, record the model with llmtest.Recorder and use
// llmtest.Player later.
//
// The error comes from a scenario that cannot be played, or from the context. It is returned with
// the scores so far. A failure of the model is counted and is not an error.
func (g *Game) Score(ctx context.Context, model llm.Model, scenarios []Scenario) (Scores, error) {
	var all Scores
	for _, s := range scenarios {
		one, err := g.score(ctx, model, s)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			all.computeTotal()
			return all, err
		}
		all.Scenarios = append(all.Scenarios, one)
	}
	all.computeTotal()
	return all, nil
}

// score plays one scenario.
func (g *Game) score(ctx context.Context, model llm.Model, s Scenario) (Scored, error) {
	one := Scored{File: s.File, Refused: map[string]int{}, Conflicts: map[string]int{}}
	p, err := g.begin(s, false)
	if err != nil {
		return one, err
	}
	p.outside.model = model
	start, texts := p.last, map[string]bool{}
	for _, step := range s.Steps {
		before := time.Now()
		m, err := p.playStep(ctx, step)
		if err != nil {
			return one, fmt.Errorf("%s: %s: %w", fileLine(s.File, step.Line), title(step), err)
		}
		if m.outcome != nil && len(m.requests) > 0 && step.Do != "hear" {
			one.Time += time.Since(before)
			one.addTurn(&m)
			if text := m.turn().Text; text != "" {
				if texts[text] {
					one.Repeated++
				}
				texts[text] = true
			}
		}
	}
	end := snapshot{game: p.game, before: p.last.after, after: p.last.after}
	for _, c := range s.Goals {
		atStart, atEnd := start.verify(c) == "", end.verify(c) == ""
		if atStart && atEnd {
			continue // the model had nothing to do for it
		}
		one.Goals++
		if atEnd {
			one.Reached++
		}
		if atStart {
			one.Broken++
		}
	}
	one.computePoints()
	return one, nil
}

// addTurn adds the results of a turn.
func (s *Scored) addTurn(m *snapshot) {
	o := m.outcome
	s.Turns++
	s.Requests += len(m.requests)
	s.Retries += o.RetriesUsed
	switch o.Status {
	case turn.Completed:
		s.Completed++
		if o.RetriesUsed == 0 && len(m.turn().Unresolved) == 0 {
			s.Clean++
		}
	case turn.Conflict:
		s.Reports++
	case turn.Failed, turn.Cancelled:
		s.Failures++
	}
	s.Unresolved += len(m.turn().Unresolved)
	s.Calls += len(m.turn().Applied)
	for _, c := range m.turn().Commands {
		if c.Status == memvars.Applied {
			s.Calls++
		}
	}
	for _, f := range m.failedCalls() {
		s.Refused[f.Tool+" "+string(f.Reason)]++
	}
	for _, c := range m.conflicts() {
		s.Conflicts[c.Kind]++
	}
	for _, a := range m.attempts() {
		if a.Usage != nil {
			s.PromptTokens += a.Usage.PromptTokens
			s.CompletionTokens += a.Usage.CompletionTokens
		}
	}
}

// computePoints sets Points.
func (s *Scored) computePoints() {
	reached, clean := 1.0, 0.0
	if s.Goals > 0 {
		reached = float64(s.Reached) / float64(s.Goals)
	}
	if s.Turns > 0 {
		clean = float64(s.Clean) / float64(s.Turns)
	}
	s.Points = 50 * reached * (1 + clean)
}

// computeTotal sets Total to the sum of the scenarios, and its points to their mean.
func (all *Scores) computeTotal() {
	t := Scored{File: "total", Refused: map[string]int{}, Conflicts: map[string]int{}}
	for _, s := range all.Scenarios {
		t.Turns, t.Completed, t.Clean = t.Turns+s.Turns, t.Completed+s.Completed, t.Clean+s.Clean
		t.Requests, t.Retries = t.Requests+s.Requests, t.Retries+s.Retries
		t.Unresolved, t.Reports, t.Failures = t.Unresolved+s.Unresolved, t.Reports+s.Reports, t.Failures+s.Failures
		t.Calls, t.Repeated = t.Calls+s.Calls, t.Repeated+s.Repeated
		t.Goals, t.Reached, t.Broken = t.Goals+s.Goals, t.Reached+s.Reached, t.Broken+s.Broken
		t.PromptTokens, t.CompletionTokens = t.PromptTokens+s.PromptTokens, t.CompletionTokens+s.CompletionTokens
		t.Time += s.Time
		t.Points += s.Points / float64(len(all.Scenarios))
		for what, n := range s.Refused {
			t.Refused[what] += n
		}
		for what, n := range s.Conflicts {
			t.Conflicts[what] += n
		}
	}
	all.Total = t
}

// String returns a table with a line for each scenario and a total, followed by the refused calls
// and the conflicts.
func (all Scores) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "scenario\tgoals\tturns\tclean\tretries\trefused\tconflicts\tunresolved\treports\tfailures\ttokens in\tout\ttime\tpoints\t")
	for _, s := range append(slices.Clone(all.Scenarios), all.Total) {
		fmt.Fprintf(w, "%s\t%d/%d\t%d/%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%.0f\t\n", s.File, s.Reached, s.Goals, s.Completed, s.Turns,
			s.Clean, s.Retries, sum(s.Refused), sum(s.Conflicts), s.Unresolved, s.Reports, s.Failures, s.PromptTokens, s.CompletionTokens,
			s.Time.Round(time.Millisecond), s.Points)
	}
	_ = w.Flush() // into memory
	for _, counts := range []map[string]int{all.Total.Refused, all.Total.Conflicts} {
		for _, what := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&b, "%6d %s\n", counts[what], what)
		}
	}
	return b.String()
}

// sum adds up counts.
func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
