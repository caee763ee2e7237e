package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// detectWorldRules reports claims that the rules of the game changed: the rules as such, or a rule
// of the world by one of its keywords. Without such a keyword, and without a word of the game's
// mechanics in the sentence, it is a warning, because a king may change the rules of his town.
func detectWorldRules(r *Reading) []Conflict {
	if r.View.affected(FieldWorldRules) {
		return nil
	}
	var out []Conflict
	for _, claim := range rules(r.passage, r.View.ruleNames()) {
		found := r.claimed(WorldRuleRewrite, claim.Span, claim.Doubtful)
		found.Field, found.EntityID = "world.rules", claim.Rule
		found.Expected, found.Found = Facts{"changed": false}, Facts{"changed": true}
		out = append(out, found)
	}
	return out
}

// ruleNames returns the rules of the world with their keywords.
func (v *View) ruleNames() []parse.Named {
	out := make([]parse.Named, len(v.Rules))
	for i, rule := range v.Rules {
		out[i] = parse.Named{ID: rule.ID, Aliases: rule.Keywords}
	}
	return out
}
