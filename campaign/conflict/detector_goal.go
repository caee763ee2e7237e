package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/claims"
	"github.com/talewright/talewright/campaign/conflict/internal/secret"
)

// detectGoal reports another goal, and the words of a hidden one.
func detectGoal(r *Reading) []Conflict {
	var out []Conflict
	if !r.View.affected(FieldGoal) {
		for _, claim := range claims.Goals(r.passage) {
			out = append(out, Conflict{
				Kind:        GoalRewrite,
				Severity:    Block,
				Field:       "goal",
				Expected:    Facts{"changed": false},
				Found:       Facts{"changed": true},
				Quote:       r.passage.Quote(claim),
				Instruction: r.instruction(GoalRewrite),
			})
		}
	}
	if leak := r.goalLeak(); leak != "" {
		out = append(out, Conflict{
			Kind:        HiddenGoalLeak,
			Severity:    Block,
			Field:       "goal",
			Expected:    Facts{"hidden": true},
			Found:       Facts{"told": true},
			Quote:       leak,
			Instruction: r.instruction(HiddenGoalLeak),
		})
	}
	return out
}

// goalLeak returns the first place where the narration, speech included, has a run of the
// hidden goal, empty if there is none.
func (r *Reading) goalLeak() string {
	if !r.View.Goal.Hidden {
		return ""
	}
	run, _ := secret.Find(r.passage.Plain, r.View.Goal.Text)
	return r.passage.Quote(run)
}
