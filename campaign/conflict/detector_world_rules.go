package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/claims"
	"github.com/talewright/talewright/campaign/conflict/internal/reading"
)

// detectWorldRules reports that the rules of the game are told changed: rules as such,
// or a rule of the world by one of its keywords. Without such a keyword or a word of
// the game's mechanics in the sentence it is a warning: a king may change the rules of
// his town.
func detectWorldRules(r *Reading) []Conflict {
	if r.View.affected(FieldWorldRules) {
		return nil
	}
	var out []Conflict
	for _, claim := range claims.Rules(r.passage, r.View.ruleNames()) {
		severity := Block
		if claim.Doubtful {
			severity = Warn
		}
		out = append(out, Conflict{
			Kind:        WorldRuleRewrite,
			Severity:    severity,
			Field:       "world.rules",
			EntityID:    claim.Rule,
			Expected:    Facts{"changed": false},
			Found:       Facts{"changed": true},
			Quote:       r.passage.Quote(claim.Span),
			Instruction: r.instruction(WorldRuleRewrite),
		})
	}
	return out
}

// ruleNames returns the rules of the world with the words that name them.
func (v *View) ruleNames() []reading.Named {
	out := make([]reading.Named, len(v.Rules))
	for i, rule := range v.Rules {
		out[i] = reading.Named{ID: rule.ID, Aliases: rule.Keywords}
	}
	return out
}
