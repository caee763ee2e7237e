package campaign_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

const poolSetup = `{"allowlist": ["hp_delta", "pool_check"], "settings": {"retry.max_retries": 1},
	"variables": {"stat_data": {"检定属性": ["力量;白刃", "check"], "检定难度": [2, "difficulty"], "敌方攻击骰池": ["力量:2;白刃:2", "enemy"],
		"world_shard": {"level": ["低", "level"]}}},
	"characters": [{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "area_id": "gate",
		"attributes": {"力量": 9, "strength": 3}, "skills": [{"name": "白刃", "level": 2}, {"name": "luck"}], "status": {"alive_state": "alive"}}],
	"selected": {"party_character_ids": ["ren"], "active_actor_id": "ren"}}`

func poolGame(t *testing.T) *game.Game {
	return compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{tool.PoolCheck(tool.PoolRules{
		Pool: "stat_data.检定属性", Difficulty: "stat_data.检定难度", EnemyPool: "stat_data.敌方攻击骰池",
		MaxDifficulty: func(v tool.View) int {
			word, _ := v.State.Variables.Root().Get("stat_data").Get("world_shard").Get("level").At(0).AsText()
			most, _ := tool.PoolLevel(word)
			return most
		},
	})}}})
}

// TestDicePools: the engine rolls pools of attribute and skill, given or named, and pools of
// enemies. They are recorded and kept in a re-generation, and the narration must match the result
// (CA-54).
func TestDicePools(t *testing.T) {
	t.Parallel()
	ask := func(members string) string {
		return `{"tool": "pool_check", "args": {"actor_id": "ren"` + members + `}}`
	}
	e := newEngine(t, campaign.Config{Game: poolGame(t), Model: scripted(
		output("", ask(``), ask(`, "enemy": true`)),
		output("You rolled a 77."), output("You strike home.", ask(``)))}, poolSetup)
	o := turnOf(t, e, turn.Submit{Text: "I strike."})
	wantOutcome(t, o, "completed turn_0001")
	if len(o.Turn.Applied) != 3 || len(o.Attempts) != 3 {
		t.Fatalf("applied %s", jsonOf(t, o.Turn.Applied))
	}
	for i, want := range []struct{ dice, automatic int }{{10, 1}, {4, 0}} {
		got := o.Turn.Applied[i].Result
		successes, tens := want.automatic, 0
		for _, d := range got.Get("dice").Elements() {
			n, _ := d.AsFloat()
			if n >= 8 {
				successes++
			}
			if n == 10 {
				tens++
			}
		}
		counted, _ := got.Get("successes").AsFloat()
		if got.Get("dice").Len() != want.dice+tens || int(counted) != successes {
			t.Errorf("call %d: %s, want %d dice and a die for each 10", i, got, want.dice)
		}
	}
	if c := o.Attempts[1].Conflicts; len(c) != 1 || c[0].Kind != "dice_claim_unsettled" {
		t.Errorf("an invented roll passes: %s", jsonOf(t, o.Attempts[1]))
	}
	wantExact(t, e)

	again := newEngine(t, campaign.Config{Game: poolGame(t), Model: scripted(
		output("You lose 3 HP.", ask(``)), output("You strike.", ask(``)))}, poolSetup)
	o = turnOf(t, again, turn.Submit{Text: "I strike."})
	wantOutcome(t, o, "completed turn_0001")
	if draws := len(o.Turn.Trace.Draws); draws != o.Turn.Applied[0].Result.Get("dice").Len() {
		t.Errorf("%d draws for %s: a re-generation rolls again", draws, o.Turn.Applied[0].Result)
	}
	wantExact(t, again)
}

// TestDicePoolRefused: the sheet decides about the dice of a character, never the model. A world
// limits the difficulty (CA-54).
func TestDicePoolRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, members, want string }{
		{"two pools", `"pool": "力量", "enemy_pool": "力量:2"`, "one_pool_required"},
		{"points of its own", `"pool": "力量:50"`, "own_points"},
		{"a trait that is not on the sheet", `"pool": "力量;飞行"`, "unknown_trait"},
		{"an enemy without points", `"enemy_pool": "力量"`, "invalid_pool"},
		{"no name", `"pool": ";"`, "invalid_pool"},
		{"points that are no number", `"enemy_pool": "力量:x"`, "invalid_pool"},
		{"a negative enemy", `"enemy_pool": "力量:-2"`, "invalid_pool"},
		{"a huge enemy", `"enemy_pool": "力量:999999999999999999999"`, "too_many_dice"},
		{"many dice", `"enemy_pool": "力量:50;白刃:50"`, "too_many_dice"},
		{"many traits", `"pool": "` + strings.Repeat("力量;", 8) + `力量"`, "invalid_pool"},
		{"more than a low world has", `"pool": "力量", "difficulty": 6`, "difficulty_out_of_range"},
		{"below zero", `"pool": "力量", "difficulty": -1`, "invalid_args"},
	} {
		call := `{"tool": "pool_check", "args": {"actor_id": "ren", ` + c.members + `}}`
		e := newEngine(t, campaign.Config{Game: poolGame(t), Model: scripted(output("Dust.", call), "Dust.")}, poolSetup)
		o := turnOf(t, e, turn.Submit{Text: "I strike."})
		f := o.Attempts[0].FailedCalls
		if len(f) != 1 || string(f[0].Reason) != c.want || len(o.Turn.Applied) != 0 {
			t.Errorf("%s: %s, want %s", c.reason, jsonOf(t, f), c.want)
		}
		if limit := f[0].Expected.Get("max_difficulty"); limit.Exists() != (c.want == "difficulty_out_of_range") {
			t.Errorf("%s: the model reads of the limit %s", c.reason, limit)
		}
	}
	words := []string{"无", "low", "中", "HIGH", "神话", "vast"}
	var got []int
	for _, w := range words {
		n, _ := tool.PoolLevel(w)
		got = append(got, n)
	}
	if diff := cmp.Diff([]int{3, 5, 7, 12, 16, 0}, got); diff != "" {
		t.Error(diff)
	}
	// A host with its own sheet, and without variables.
	own := tool.PoolCheck(tool.PoolRules{Points: func(tool.View, string) (int, bool) { return 2, true }})
	j := own.Judge(tool.Call{Args: value(t, `{"actor_id": "a", "pool": "x；y"}`)}, tool.View{State: state.State{}, Roll: func(int) int { return 8 }})
	if !j.Result.Get("successes").Equal(tree.Int(4)) {
		t.Errorf("%+v", j)
	}
	if j = own.Judge(tool.Call{Args: value(t, `{"actor_id": "a"}`)}, tool.View{}); j.Reason != "one_pool_required" {
		t.Errorf("without a pool: %+v", j)
	}
}
