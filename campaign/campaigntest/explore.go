package campaigntest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules"
)

// Exploration says how to explore a game. The zero value is useful.
type Exploration struct {
	// Seeds is the number of games, 0 means 100; First the seed of the first. A seed plays the
	// same game every time.
	Seeds, First int
	// Steps is the length of a game; 0 means 12.
	Steps int
	// Always are checks that have to hold after every step, of the state: an author's own laws,
	// such as Between("purse", 0, 99).
	Always []ScenarioCheck
	// Secrets are texts that no narration may have.
	Secrets []string
	// Shown are the ids of hidden variables that texts of the author's show on purpose. The
	// values of all others may be in no request.
	Shown []string
}

// Finding is what exploring has found: a scenario that shows it, made small.
type Finding struct {
	Seed int
	// Fault says what was not as it has to be.
	Fault string
	// Steps is how long the game was in which it was found.
	Steps    int
	Scenario Scenario
}

// String returns the fault, and the scenario as a file.
func (f Finding) String() string {
	return fmt.Sprintf("seed %d: %s\nthe game of %s, made small:\n\n%s", f.Seed, strings.TrimRight(f.Fault, "\n"),
		count(f.Steps, "step", "steps"), f.Scenario)
}

// Explore lets random players and a random hostile model play, and fails where something is
// not as it always has to be:
//
//   - hit points stay within their bounds,
//   - a turn that does not end well changes nothing,
//   - a turn changes no character without an accepted call, a rule or a hook, no variable that
//     the model may not write to, and nothing of goal, settings, tools and world,
//   - no request has the value of a variable that models may not see, and no narration the
//     hidden goal,
//   - a replay of the log, and an engine that loads the game, lead to the same campaign,
//   - nothing panics,
//   - and what the exploration itself wants.
//
// What the players say and the model writes is made of the content: keys of lore, words of rules,
// names, variables and tools. The first game with a fault is made small, by leaving out
// whatever it needs not, and reported as a scenario for [Run].
func Explore(t T, content game.Content, setup state.Setup, e Exploration) {
	t.Helper()
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatalf("the content has mistakes:\n%v", err)
	}
	found, err := g.Explore(context.Background(), e)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if found != nil {
		t.Errorf("%s", found)
	}
}

// Explore plays random games, see the function of the same name, and returns the first finding,
// nil if there is none. An error is one of the setup, or of the context.
func (g *Game) Explore(ctx context.Context, e Exploration) (*Finding, error) {
	if e.Seeds <= 0 {
		e.Seeds = 100
	}
	if e.Steps <= 0 {
		e.Steps = 12
	}
	words := vocabularyOf(g.compiled.game.Content(), g.setup)
	for seed := e.First; seed < e.First+e.Seeds; seed++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := fate{rand.New(rand.NewPCG(uint64(seed), 0)), words}
		played, fault, err := g.trial(ctx, e, func(n int, c state.Campaign) (ScenarioStep, bool) {
			return f.step(c), n < e.Steps
		})
		if err != nil {
			return nil, err
		}
		if fault.law != "" {
			small, fault := g.shrink(ctx, e, played, fault)
			return &Finding{Seed: seed, Fault: fault.text, Steps: len(played.Steps), Scenario: small}, nil
		}
	}
	return nil, nil
}

// breach is something that is not as it always has to be. law tells one from another, "" if there
// is none; check is the one that shows it in a scenario, if it is not among those that every
// scenario makes.
type breach struct {
	law, text string
	check     *ScenarioCheck
}

// trial plays a game step by step, until a law is broken, and returns it as it was played: with
// the replies that were given and the ends that steps had.
func (g *Game) trial(ctx context.Context, e Exploration, next func(n int, c state.Campaign) (ScenarioStep, bool)) (s Scenario, b breach, err error) {
	p, err := g.begin(s, true)
	if err != nil {
		return s, b, err
	}
	for n := 0; ; n++ {
		step, more := next(n, p.last.after)
		if !more {
			break
		}
		var m moment
		if m, b = p.attempt(ctx, step); b.law == "" {
			b = e.broken(&m)
		}
		s.Steps = append(s.Steps, asPlayed(step, m, b))
		if b.law != "" {
			return s, b, nil
		}
	}
	if faults := p.atEnd(ctx); len(faults) > 0 {
		b = breach{law: "end", text: strings.Join(faults, "\n")}
	}
	return s, b, nil
}

// attempt plays a step in which something may go wrong that never should.
func (p *party) attempt(ctx context.Context, s ScenarioStep) (m moment, b breach) {
	defer func() {
		if what := recover(); what != nil {
			b = breach{law: "panic", text: fmt.Sprintf("%s: panic: %v", title(s), what)}
		}
	}()
	m, err := p.play(ctx, s)
	failed := err
	if m.outcome != nil && failed == nil {
		failed = m.outcome.Err()
	}
	if panicked, is := errors.AsType[*turn.Panic](failed); is { // in the content: the engine has caught it
		return m, breach{law: "panic", text: fmt.Sprintf("%s: %v", title(s), panicked)}
	}
	if err != nil {
		return m, breach{law: "error", text: fmt.Sprintf("%s: %v", title(s), err)}
	}
	return m, b
}

// asPlayed is a step with what came of it.
func asPlayed(s ScenarioStep, m moment, b breach) ScenarioStep {
	if len(m.given) > 0 || m.outcome != nil {
		s.Replies = m.given
	}
	s.Wants = nil
	if o := m.outcome; o != nil && o.Err() != nil {
		s.Wants = []ScenarioCheck{Ends(o.Status, o.Reason)}
	}
	if b.check != nil {
		s.Wants = append(s.Wants, *b.check)
	}
	return s
}

// broken returns the first law that is broken after a step.
func (e Exploration) broken(m *moment) breach {
	if faults := (laws{m}).broken(); len(faults) > 0 {
		return breach{law: "always", text: m.tell(faults[:1])}
	}
	for _, c := range e.laws(m) {
		if fault := m.verify(c); fault != "" {
			return breach{law: c.String(), text: m.tell([]string{fault}), check: &c}
		}
	}
	return breach{}
}

// laws are the checks that have to hold after a step.
func (e Exploration) laws(m *moment) []ScenarioCheck {
	laws := slices.Clone(e.Always)
	for _, secret := range e.Secrets {
		laws = append(laws, Not(Text(secret)))
	}
	if goal := m.before.Goal; goal.Hidden && goal.Text != "" {
		laws = append(laws, Not(Text(goal.Text)))
	}
	for _, v := range m.game.Content().Variables {
		if !hidden(v) || slices.Contains(e.Shown, v.ID) {
			continue
		}
		for _, c := range []state.Campaign{m.before, m.after} {
			value, err := (&moment{game: m.game, after: c}).variable(v.ID)
			if said, is := value.AsText(); err == nil && is && utf8.RuneCountInString(said) >= shortSecret {
				laws = append(laws, Not(Prompt(said)))
			}
		}
	}
	return laws
}

// shortSecret is the number of characters below which a text may be in a request by chance.
const shortSecret = 8

// hidden reports whether a model may not see a variable.
func hidden(v rules.Variable) bool { return v.Internal || v.AIAccess == rules.AINone }
