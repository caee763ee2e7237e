package campaigntest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// control is a model with known quality.
type control func(req llm.Request) llmtest.Reply

func (c control) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	reply := c(req)
	reply.Usage = &llm.Usage{PromptTokens: 100, CompletionTokens: 10}
	return llmtest.NewScripted(reply).Generate(ctx, req)
}

// scored returns the scenarios with goals.
func scored(t *testing.T) (list []Scenario) {
	t.Helper()
	names, err := filepath.Glob("testdata/crypt/goals/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		list = append(list, parsed(t, name))
	}
	return list
}

// obeying follows the scripts of the scenarios.
func obeying(list []Scenario) control {
	return func(req llm.Request) llmtest.Reply {
		for _, s := range list {
			for _, step := range s.Steps {
				if last := req.Messages[len(req.Messages)-1]; strings.Contains(last.Text, step.Args[0]) {
					reply := llmtest.Text(step.Replies[0].Text)
					for _, c := range step.Replies[0].Calls {
						reply = reply.AndCall(c.Tool, c.Args)
					}
					return reply
				}
			}
		}
		return llmtest.Text("It is quiet.")
	}
}

// TestScoreTellsGoodModelsFromBad checks that a model that follows the rules gets all points.
// Models that call no tools, claim success, repeat themselves or fail get almost none (CA-45).
func TestScoreTellsGoodModelsFromBad(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatal(err)
	}
	scenarios := scored(t)
	var table strings.Builder
	for _, c := range []struct {
		name        string
		model       control
		least, most float64
		counts      [3]int // calls, repeated texts, broken goals
	}{
		{"plays by the rules", obeying(scenarios), 100, 100, [3]int{5, 0, 0}},
		{"never calls tools", func(llm.Request) llmtest.Reply { return llmtest.Text("The wind turns, and you go on.") }, 0, 0, [3]int{0, 2, 0}},
		{"always claims success", func(llm.Request) llmtest.Reply {
			return llmtest.Text("You step into the Crypt. Mara loses 2 HP. Oswin falls unconscious. The lantern burns brightly.")
		}, 0, 0, [3]int{}},
		{"repeats itself", func(llm.Request) llmtest.Reply {
			return llmtest.Text("You go up.").AndCall("move", "actor_id", "mara", "to_area_id", "tower")
		}, 0, 0, [3]int{0, 2, 0}},
		{"hurts the wrong person", func(llm.Request) llmtest.Reply {
			return llmtest.Text("Oswin stumbles.").AndCall("hp_delta", "target_character_id", "oswin", "delta", -1, "cause", "a stone")
		}, 0, 0, [3]int{5, 2, 1}},
		{"is not there", func(llm.Request) llmtest.Reply { return llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded}) }, 0, 0, [3]int{}},
	} {
		scores, err := g.Score(t.Context(), c.model, scenarios)
		if err != nil {
			t.Fatal(err)
		}
		if p := scores.Total.Points; p < c.least || p > c.most {
			t.Errorf("one that %s has %v points:\n%s", c.name, p, scores)
		}
		if got := [3]int{scores.Total.Calls, scores.Total.Repeated, scores.Total.Broken}; got != c.counts {
			t.Errorf("one that %s: calls, repeated texts and broken goals are %v, not %v", c.name, got, c.counts)
		}
		for i := range scores.Scenarios {
			scores.Scenarios[i].Time = 0
		}
		scores.Total.Time = 0
		fmt.Fprintf(&table, "# a model that %s\n%s\n", c.name, scores)
	}
	golden(t, "scores.golden", table.String())
}

// TestScoreOfARecording checks that a recording gives the same scores without the model, and that
// the scores are plain JSON.
func TestScoreOfARecording(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatal(err)
	}
	scenarios := scored(t)
	recorder := llmtest.NewRecorder(obeying(scenarios))
	first, err := g.Score(t.Context(), recorder, scenarios)
	if err != nil {
		t.Fatal(err)
	}
	recording, err := recorder.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	player, err := llmtest.NewPlayer(recording)
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.Score(t.Context(), player, scenarios)
	if diff := cmp.Diff(first, again, cmpopts.IgnoreFields(Scored{}, "Time")); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if first.Total.PromptTokens != 100*first.Total.Requests || first.Total.Requests == 0 {
		t.Errorf("tokens: %+v", first.Total)
	}
	data, err := json.Marshal(first)
	var back Scores
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if diff := cmp.Diff(first, back, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Score(ctx, player, scenarios); err == nil {
		t.Error("a cancelled score is no error")
	}
}
