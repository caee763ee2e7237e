package game

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
)

// checkLifeRule reports a rule without a state, or one that leads to a state without a rule.
func checkLifeRule(l state.LifeRule, i int, known map[state.AliveState]state.LifeRule) error {
	if l.State == "" {
		return fmt.Errorf("campaign: life states[%d].state: no name; nobody can be in it; add one", i)
	}
	for field, next := range map[string]state.AliveState{"at_zero": l.AtZero, "above_zero": l.AboveZero} {
		if _, ok := known[next]; next != "" && !ok {
			return fmt.Errorf("campaign: life states[%d].%s: %q is no life state; add a rule for it, or name another",
				i, field, next)
		}
	}
	return nil
}
