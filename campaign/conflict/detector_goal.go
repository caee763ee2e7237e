package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// detectGoal reports a changed goal and the words of a hidden goal.
func detectGoal(r *Reading) []Conflict {
	var out []Conflict
	if !r.View.affected(FieldGoal) {
		for _, claim := range goals(r.passage) {
			found := r.claimed(GoalRewrite, claim, false)
			found.Field, found.Expected, found.Found = "goal", Facts{"changed": false}, Facts{"changed": true}
			out = append(out, found)
		}
	}
	if run, ok := r.goalLeak(); ok {
		found := r.claimed(HiddenGoalLeak, run, false)
		found.Field, found.Expected, found.Found = "goal", Facts{"hidden": true}, Facts{"told": true}
		out = append(out, found)
	}
	return out
}

// goalLeak returns the first position where the narration, including speech, contains a run of the
// hidden goal.
func (r *Reading) goalLeak() (lexicon.Span, bool) {
	if !r.View.Goal.Hidden {
		return lexicon.Span{}, false
	}
	return find(r.passage.Plain, r.View.Goal.Text)
}
