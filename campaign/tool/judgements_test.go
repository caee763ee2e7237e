package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// TestJudgements holds the whole judgement of each tool for many calls: testdata/judgements.txt.
// The command "given" sets the state and the rolls. The command "documents" prints what models and
// people read about the tools. Other commands are calls.
func TestJudgements(t *testing.T) {
	t.Parallel()
	testkit.Run(t, "testdata/judgements.txt", func(t *testing.T) func(testkit.Case) string {
		view := tool.View{}
		set := tool.Builtin()
		return func(c testkit.Case) string {
			switch c.Name {
			case "given":
				given := struct {
					State    state.State
					Actor    string
					MaxDelta int
					Dice     []int
					Pool     tool.PoolRules
					Highest  int
					Areas    int
					Paths    int
					People   int
				}{State: view.State}
				if err := json.Unmarshal([]byte(c.Input), &given); err != nil {
					t.Fatalf("%s: %v", c.Pos, err)
				}
				if given.Highest > 0 {
					given.Pool.MaxDifficulty = func(tool.View) int { return given.Highest }
				}
				limits := tool.GenerateLimits{Areas: given.Areas, Paths: given.Paths, Characters: given.People}
				var err error
				set, err = tool.Builtin().With(tool.PoolCheck(given.Pool), tool.GenerateMap(limits), tool.GenerateCharacter(limits))
				if err != nil {
					t.Fatalf("%s: %v", c.Pos, err)
				}
				life := map[state.AliveState]state.LifeRule{}
				for _, l := range state.BuiltinLifeRules() {
					life[l.State] = l
				}
				n := -1
				view = tool.View{State: given.State, ActorID: given.Actor, MaxHPDelta: given.MaxDelta, Life: life,
					Roll: func(sides int) int { n++; return min(given.Dice[n%len(given.Dice)], sides) }}
				return ""
			case "documents":
				of := set.In(c.Arg("in", "en"))
				return of.ForModels() + of.ForPeople()
			}
			one, known := set.Get(c.Name)
			if !known {
				t.Fatalf("%s: no tool %s", c.Pos, c.Name)
			}
			args, err := tree.ParseValue([]byte(c.Input))
			if err != nil {
				t.Fatalf("%s: %v", c.Pos, err)
			}
			if wrong := one.Violations(args); len(wrong) > 0 {
				return strings.Join(wrong, "\n")
			}
			j := one.Judge(tool.Call{ID: "c1", Tool: c.Name, Args: args}, view)
			if _, known := one.Reasons[j.Reason]; j.Reason != "" && !known {
				t.Errorf("%s: %s is not one of the reasons", c.Pos, j.Reason)
			}
			return judgement(j)
		}
	})
}

// judgement returns the members of a judgement that are set, in lines.
func judgement(j tool.Judgement) string {
	var out strings.Builder
	line := func(name string, v any) {
		if text := fmt.Sprint(v); text != "" {
			fmt.Fprintf(&out, "%s: %s\n", name, text)
		}
	}
	line("refused", j.Reason)
	line("expected", j.Expected)
	line("hint", j.Hint)
	line("disabled until", j.DisabledUntil)
	line("result", j.Result)
	for _, e := range j.Effects {
		line("effect", fmt.Sprintf("%+v", e))
	}
	return out.String()
}
