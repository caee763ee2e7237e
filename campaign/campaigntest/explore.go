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

// Exploration configures how to explore a game. The zero value is useful.
type Exploration struct {
	// Seeds is the number of games; 0 means 100. First is the first seed. A seed gives the same
	// game every time.
	Seeds, First int
	// Steps is the number of steps of a game; 0 means 12.
	Steps int
	// Always are checks of the state that must hold after every step, for example an author's own
	// law Between("purse", 0, 99).
	Always []ScenarioCheck
	// Secrets are texts that no narration may contain.
	Secrets []string
	// Shown are the IDs of hidden variables that the author's texts show on purpose. No request may
	// contain the value of any other hidden variable.
	Shown []string
}

// Finding is a fault and a small scenario that reproduces it.
type Finding struct {
	Seed int
	// Fault says what was wrong.
	Fault string
	// Steps is the number of steps of the game in which the fault was found.
	Steps    int
	Scenario Scenario
}

// String returns the fault and the scenario as a file.
func (f Finding) String() string {
	return fmt.Sprintf("seed %d: %s\nthe game of %s, made small:\n\n%s", f.Seed, strings.TrimRight(f.Fault, "\n"),
		count(f.Steps, "step", "steps"), f.Scenario)
}

// Explore plays games with random players and a random hostile model. It fails if one of these laws
// is broken:
//
//   - Hit points stay within their bounds.
//   - A turn that does not end well changes nothing.
//   - A turn changes no character without an accepted call, a rule or a hook. It changes no
//     variable that the model may not write to. It does not change goal, settings, tools or world.
//   - No request contains the value of a variable that models may not see. No narration contains
//     the hidden goal.
//   - A replay of the log, and an engine that loads the game, give the same campaign.
//   - Nothing panics.
//   - The checks of the Exploration hold.
//
// The lines of players and the replies of the model are made from the content: keys of lore, words
// of rules, names, variables and tools. Explore removes everything unnecessary from the first game
// with a fault, and reports the rest as a scenario for [Run].
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

// Explore plays random games like the function [Explore]. It returns the first finding, or
// nil. An error comes from the setup or the context.
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
		f := generator{rand.New(rand.NewPCG(uint64(seed), 0)), words}
		played, fault, err := g.playTrial(ctx, e, func(n int, c state.Campaign) (ScenarioStep, bool) {
			return f.nextStep(c), n < e.Steps
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

// breach is a broken law.
type breach struct {
	law   string         // identifies the law; "": no law is broken
	text  string         // the fault, for people
	check *ScenarioCheck // shows the breach in a scenario; nil if every scenario checks this law anyway
}

// playTrial plays a game until a law is broken or next reports false. next returns the step with the
// number n, from 0, for the present campaign. The returned scenario is the game as it was played: with
// the replies that the model gave and the ends of its steps.
func (g *Game) playTrial(ctx context.Context, e Exploration, next func(n int, c state.Campaign) (ScenarioStep, bool)) (s Scenario, b breach, err error) {
	p, err := g.begin(s, true)
	if err != nil {
		return s, b, err
	}
	for n := 0; ; n++ {
		step, more := next(n, p.last.after)
		if !more {
			break
		}
		var m snapshot
		if m, b = p.tryStep(ctx, step); b.law == "" {
			b = e.firstBreach(&m)
		}
		s.Steps = append(s.Steps, asPlayed(step, m, b))
		if b.law != "" {
			return s, b, nil
		}
	}
	if faults := p.checkEnd(ctx); len(faults) > 0 {
		b = breach{law: "end", text: strings.Join(faults, "\n")}
	}
	return s, b, nil
}

// tryStep plays a step. A panic or an error is a breach.
func (p *session) tryStep(ctx context.Context, s ScenarioStep) (m snapshot, b breach) {
	defer func() {
		if what := recover(); what != nil {
			b = breach{law: "panic", text: fmt.Sprintf("%s: panic: %v", title(s), what)}
		}
	}()
	m, err := p.playStep(ctx, s)
	failure := err
	if m.outcome != nil && failure == nil {
		failure = m.outcome.Err()
	}
	if panicked, ok := errors.AsType[*turn.Panic](failure); ok { // in the content: the engine has recovered it
		return m, breach{law: "panic", text: fmt.Sprintf("%s: %v", title(s), panicked)}
	}
	if err != nil {
		return m, breach{law: "error", text: fmt.Sprintf("%s: %v", title(s), err)}
	}
	return m, b
}

// asPlayed returns a step with its actual replies and its end.
func asPlayed(s ScenarioStep, m snapshot, b breach) ScenarioStep {
	if len(m.replies) > 0 || m.outcome != nil {
		s.Replies = m.replies
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

// firstBreach returns the first law that is broken after a step.
func (e Exploration) firstBreach(m *snapshot) breach {
	if faults := (laws{m}).broken(); len(faults) > 0 {
		return breach{law: "always", text: m.describeFaults(faults[:1])}
	}
	for _, c := range e.checksAfter(m) {
		if fault := m.verify(c); fault != "" {
			return breach{law: c.String(), text: m.describeFaults([]string{fault}), check: &c}
		}
	}
	return breach{}
}

// checksAfter returns the checks that must hold after a step.
func (e Exploration) checksAfter(m *snapshot) []ScenarioCheck {
	laws := slices.Clone(e.Always)
	for _, secret := range e.Secrets {
		laws = append(laws, Not(Text(secret)))
	}
	if goal := m.before.Goal; goal.Hidden && goal.Text != "" {
		laws = append(laws, Not(Text(goal.Text)))
	}
	for _, v := range m.game.Content().Rules.Variables {
		if !isHidden(v) || slices.Contains(e.Shown, v.ID) {
			continue
		}
		for _, c := range []state.Campaign{m.before, m.after} {
			value, err := (&snapshot{game: m.game, after: c}).variable(v.ID)
			if secret, ok := value.AsText(); err == nil && ok && utf8.RuneCountInString(secret) >= minSecret {
				laws = append(laws, Not(Prompt(secret)))
			}
		}
	}
	return laws
}

// minSecret is the minimum length of a secret in characters. A shorter text may be in a request by
// chance.
const minSecret = 8

// isHidden reports whether a model may not see a variable.
func isHidden(v rules.Variable) bool { return v.Internal || v.AIAccess == rules.AINone }
