package game

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/declare"
)

// Gate is what is declared about the variables of a state.
func (g *Game) Gate(s *state.State, turn int) memvars.Gate { return g.rules.Gate(g.RuleState(s, turn)) }

// Complete gives the variables that a state lacks their defaults, and formulas their values.
// Nobody hears of it: nothing has happened.
func (g *Game) Complete(s state.State) tree.Document {
	if len(g.content.Variables) == 0 {
		return s.Variables
	}
	return g.rules.Complete(g.RuleState(&s, s.TurnCount)).Variables
}

// KeepSetup carries over, into an older state that is restored, what the variables of scope
// setup hold now.
func (g *Game) KeepSetup(now, restored state.State) tree.Document {
	return g.rules.Rollback(rules.State{Variables: now.Variables},
		rules.State{Variables: restored.Variables}).Variables
}

// aboutCharacters reports whether a text speaks of a variable that the engine puts in,
// which no author declares.
func aboutCharacters(text string) bool {
	_, name, _ := strings.Cut(text, `"`)
	return state.IsView(name)
}

// aboutDirections reports whether a text speaks of an action that [turn.direct] carries out.
func aboutDirections(text string) bool {
	for _, action := range []string{"start-timer", "pause-timer", "resume-timer", "cancel-timer", "enter-scene"} {
		if strings.HasPrefix(text, `no action "`+action+`"`) || strings.Contains(text, `: no action "`+action+`"`) {
			return true
		}
	}
	return false
}

// RuleState is the state as rules see it.
func (g *Game) RuleState(s *state.State, turn int) rules.State {
	return rules.State{Variables: s.Variables, Turn: turn, Ledger: s.Ledger, GreetingID: s.GreetingID,
		Views: state.Views{State: s, Life: g.life}}
}

// withoutViews leaves out the declarations of what belongs to characters: there is one truth.
func withoutViews(list []declare.Variable, problems *findings) []declare.Variable {
	out := list
	for i, v := range list {
		if !state.IsView(v.ID) {
			continue
		}
		problems.unplayed(fmt.Sprintf("variables[%d]", i),
			"%q is a value of a character and needs no declaration; take it out", v.ID)
		if out = slices.DeleteFunc(slices.Clone(out), func(o declare.Variable) bool { return o.ID == v.ID }); out == nil {
			out = []declare.Variable{} // an empty schema is one
		}
	}
	return out
}
