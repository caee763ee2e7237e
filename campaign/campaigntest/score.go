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
)

// Scores are what a model did in scenarios.
type Scores struct {
	Scenarios []Scored `json:"scenarios"`
	Total     Scored   `json:"total"`
}

// Scored is what a model did in one scenario, or in all of them. Times and tokens are those that
// engine and provider report; a provider that reports no tokens has none here.
type Scored struct {
	File      string `json:"file,omitempty"`
	Turns     int    `json:"turns"`     // that the model was asked for
	Completed int    `json:"completed"` // that ended well
	Clean     int    `json:"clean"`     // of these, without a re-generation and with nothing unresolved
	Requests  int    `json:"requests"`
	Retries   int    `json:"retries"` // re-generations
	// Refused counts the calls that were refused, by tool and code, as in "move not_connected",
	// Conflicts the contradictions to the state, by their kind, of all outputs.
	Refused   map[string]int `json:"refused,omitempty"`
	Conflicts map[string]int `json:"conflicts,omitempty"`
	// Unresolved counts calls that stayed refused in turns that ended well all the same, Reports
	// the turns about which a person would have to decide, Failures those in which the model
	// could not be asked.
	Unresolved int `json:"unresolved"`
	Reports    int `json:"reports"`
	Failures   int `json:"failures"`
	// Goals are those that were to be reached: what was so at the beginning counts only if it
	// was lost. Reached are those that the state reached, whatever the text says.
	Goals   int `json:"goals"`
	Reached int `json:"reached"`

	PromptTokens     int           `json:"prompt_tokens"`
	CompletionTokens int           `json:"completion_tokens"`
	Time             time.Duration `json:"time"` // in nanoseconds, of all turns
	// Points are 100 where all goals are reached in clean turns, 50 where all are and no turn is
	// clean, 0 where none is.
	Points float64 `json:"points"`
}

// Score plays scenarios with a real model: what the players do, and the dice and answers that
// stand there; the replies and checks of the script do not count, the goals do. A turn about which
// a person has to decide is left undecided. To pay once and to score often, put an
// llmtest.Recorder around the model, and give an llmtest.Player later.
//
// The error is that of a scenario which cannot be played, or of the context; what was scored
// before is returned with it. A model that fails is no error, but a count.
func (g *Game) Score(ctx context.Context, model llm.Model, scenarios []Scenario) (Scores, error) {
	var all Scores
	for _, s := range scenarios {
		one, err := g.score(ctx, model, s)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			all.total()
			return all, err
		}
		all.Scenarios = append(all.Scenarios, one)
	}
	all.total()
	return all, nil
}

// score plays one scenario.
func (g *Game) score(ctx context.Context, model llm.Model, s Scenario) (Scored, error) {
	one := Scored{File: s.File, Refused: map[string]int{}, Conflicts: map[string]int{}}
	p, err := g.begin(s, false)
	if err != nil {
		return one, err
	}
	p.outside.real = model
	start := p.last
	for _, step := range s.Steps {
		before := time.Now()
		m, err := p.play(ctx, step)
		if err != nil {
			return one, fmt.Errorf("%s: %s: %w", place(s.File, step.Line), title(step), err)
		}
		if m.outcome != nil && len(m.requests) > 0 && step.Do != "hear" {
			one.Time += time.Since(before)
			one.count(&m)
		}
	}
	end := moment{game: p.game, before: p.last.after, after: p.last.after}
	for _, c := range s.Goals {
		given, reached := start.verify(c) == "", end.verify(c) == ""
		if given && reached {
			continue
		}
		one.Goals++
		if reached {
			one.Reached++
		}
	}
	one.points()
	return one, nil
}

// count adds a turn.
func (s *Scored) count(m *moment) {
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

// points works out what all of it comes to.
func (s *Scored) points() {
	reached, clean := 1.0, 0.0
	if s.Goals > 0 {
		reached = float64(s.Reached) / float64(s.Goals)
	}
	if s.Turns > 0 {
		clean = float64(s.Clean) / float64(s.Turns)
	}
	s.Points = 50 * reached * (1 + clean)
}

// total sums the scenarios up. The points are their mean.
func (all *Scores) total() {
	t := Scored{File: "total", Refused: map[string]int{}, Conflicts: map[string]int{}}
	for _, s := range all.Scenarios {
		t.Turns, t.Completed, t.Clean = t.Turns+s.Turns, t.Completed+s.Completed, t.Clean+s.Clean
		t.Requests, t.Retries = t.Requests+s.Requests, t.Retries+s.Retries
		t.Unresolved, t.Reports, t.Failures = t.Unresolved+s.Unresolved, t.Reports+s.Reports, t.Failures+s.Failures
		t.Goals, t.Reached = t.Goals+s.Goals, t.Reached+s.Reached
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

// String returns a table: a line for each scenario and one for all, and then what was refused.
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

// sum adds counts up.
func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
