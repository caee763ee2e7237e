package observe_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// edgeTurn has values that are rare: missing parts, unknown words, equal results, odd keys.
const edgeTurn = `{"turn_id": "turn_0007", "index": 7, "branch_id": " ", "actor_id": "ann", "user_input": "I take the Key and the LAMP, [and] the key.", "assistant_output_text": "You take it.",
	"trace": {"lore": [{"id": "b.9", "why": "key \"a\\\"b\" in message 2"}, {"id": "b.8", "why": "key \"x\" in message two"}, {"id": "b.7", "why": "key broken"}, {"id": "b.1", "why": "constant"},
		{"id": "b.5", "comment": "Five", "why": "key \"x\" in scenario"}],
		"prompt": [{"key": "history", "tokens": 9, "status": "truncated", "count": 3, "reason": "budget"}, {"key": "world", "tokens": 3, "status": "kept"},
			{"key": "world.b.5", "tokens": 2, "status": "kept"}, {"key": "world.b.9", "tokens": 0, "status": "kept"}, {"key": "update.world", "tokens": 3, "status": "empty"},
			{"key": "odd", "tokens": 0, "status": "dropped", "reason": "rain"}, {"key": "note", "tokens": 4, "status": "kept", "speaker": "ann"}, {"key": "history", "tokens": 0, "status": "kept", "count": 2}],
		"fired": [{"id": "r", "event": {"type": "turn:complete"}, "hop": 0}, {"id": "r2", "event": {"type": "turn:complete"}, "hop": 1, "effects": [{"type": "emit", "event": {"type": "bell"}}]}],
		"cast": {"speakers": [], "trace": [{"id": "ann", "reason": "muted"}]}},
	"attempts": [{"output": "Ann loses 3 HP.", "failed_calls": [{"id": "c1", "tool": "move", "reason": "unknown_area"}], "conflicts": [{"kind": "hp_change_unsettled", "quote": ""},
			{"kind": "hp_change_unsettled", "entity_id": "ann", "quote": "3 HP", "found": {"hp": 3}}, {"kind": "other", "quote": "not there"}],
			"questions": [{"n": 1, "kind": "hp", "quote": "3 HP"}, {"n": 2, "kind": "hp", "quote": "x"}], "answers": [{"n": 1, "asserted": "yes", "who": "ann", "place": "yard", "value": 4}]},
		{"output": "B.", "updates": true}],
	"changes": [{"path": ["hp.ann"], "old": 3, "new": 3.5}, {"path": ["hp.bo"], "old": 3, "new": "dead"}, {"path": ["x", "y"], "old": true, "new": {"a": 1, "hp": {"b": [1, null]}}}, {"path": ["gone"], "old": 3},
		{"path": ["came"], "new": false, "by": "tool.move"}, {"path": ["mood.ann"], "old": "a", "new": "yard", "by": "tool.odd"}],
	"applied": [{"id": "c2", "tool": "odd", "args": {"who": "ann", "deep": {"a": 1}, "none": null}, "result": {"hp_before": 3, "hp_after": 3, "x_before": 1, "y_after": 2, "area_before": "yard", "area_after": "shed"}}]}`

// edgeExplanation goes with edgeTurn.
const edgeExplanation = `{"talk": [{"name": "Ann", "text": "An old key."}, {"name": "GM", "text": "No lamp. A KEY (key)."}, {"name": "Ann", "text": "I take the Key and the LAMP, [and] the key."}],
	"lore": [
		{"id": {"book": "b", "uid": "1"}, "comment": "One", "active": true, "reason": {"kind": "key", "key": "key", "place": {"kind": "message", "message": 0}}},
		{"id": {"book": "b", "uid": "2"}, "active": true, "reason": {"kind": "key", "key": "/l(a)mp/i", "place": {"kind": "message", "message": 1}}},
		{"id": {"book": "b", "uid": "3"}, "active": false, "gate": "cooldown 2 left", "reason": {"kind": "key", "key": "/(/", "place": {"kind": "message", "message": 2}}, "path": [{"book": "b", "uid": "1"}]},
		{"id": {"book": "b", "uid": "4"}, "active": false, "gate": "odd words"},
		{"id": {"book": "b", "uid": "5"}, "comment": "Five", "active": true, "reason": {"kind": "key", "key": "take the key", "place": {"kind": "message", "message": 0}}},
		{"id": {"book": "b", "uid": "6"}, "active": false, "gate": "disabled"},
		{"id": {"book": "b", "uid": "7"}, "active": true, "reason": {"kind": "key", "key": "key", "place": {"kind": "message", "message": 9}}},
		{"id": {"book": "b", "uid": "8"}, "active": true, "reason": {"kind": "constant"}}, {"id": {"book": "b", "uid": "9"}, "active": true, "reason": {"kind": "key", "key": "", "place": {"kind": "message", "message": 0}}}],
	"rules": [{"id": "a", "gate": "condition", "text": "condition 2: gold > 3"}, {"id": "b", "gate": "other", "text": "odd 3: x"}, {"id": "c", "gate": "disabled", "text": "x"}]}`

// TestReportsOfEdges compares reports and pages of rare values with testdata/edges.golden: a turn, a
// line that is not played, and a campaign.
func TestReportsOfEdges(t *testing.T) {
	t.Parallel()
	read := func(text string, into any) {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	var of state.Turn
	var why turn.Explanation
	var c state.Campaign
	read(edgeTurn, &of)
	read(edgeExplanation, &why)
	read(`{"campaign_id": "mill", "branch_id": "main", "state": {"characters": [{"character_id": "ann", "name": "Ann"}], "map": {"areas": [{"id": "yard", "name": "Yard"}]}}}`, &c)
	g, problems := game.Compile(tales[0].content())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	show := func(what string, r observe.Report) {
		fmt.Fprintf(&got, "== %s\n%s== its page\n%s", what, r.String(), page{write: r.WriteHTML}.body(t))
	}
	show("a turn", observe.Of(of, why).For(g, c, "en"))
	show("a line", observe.Of(state.Turn{}, why).Warn("r.changed").Warn("one").Warn("one"))
	turns := func(yield func(state.HistoryTurn, error) bool) {
		for i := 4; i > 0; i-- {
			one := state.HistoryTurn{Turn: state.Turn{ID: state.TurnID(i), Index: i, BranchID: "main", Text: "Dust."}}
			change := fmt.Sprintf(`{"changes": [{"path": ["lit"], "old": %t, "new": %t}, {"path": ["still"], "old": 2, "new": 2}, {"path": ["word"], "old": "a", "new": 3}, {"path": ["new"], "new": %d},
				{"path": ["twice"], "old": %d, "new": %d}, {"path": ["twice"], "old": %d, "new": %d}], "trace": {"lore": [{"id": "gone.%d", "why": "constant", "comment": "G"}]}}`, i%2 == 0, i%2 == 1, i, i, i+5, i+5, i-1, i%2)
			read(change, &one.Turn)
			if i == 3 {
				one.Others, one.Audience = []state.Turn{{ID: "turn_0009"}}, []string{"ann", "nobody"}
			}
			if !yield(one, nil) {
				return
			}
		}
	}
	branch := func(id string, b state.Branch) state.HistoryBranch {
		return state.HistoryBranch{ID: id, Branch: b, Present: id == "main"}
	}
	branches := func(yield func(state.HistoryBranch, error) bool) {
		_ = yield(branch("main", state.Branch{HeadTurnID: "turn_0004"}), nil) &&
			yield(branch("branch_1", state.Branch{Parent: "main", ForkTurnID: "turn_0002", HeadTurnID: "turn_0003"}), nil) &&
			yield(branch("a branch with a very long name", state.Branch{Parent: "gone", HeadTurnID: "turn_0002"}), nil)
	}
	for _, language := range []string{"", "zh"} {
		whole := observe.CampaignReport{Game: g, Campaign: c, Turns: turns, Branches: branches, Language: language}
		fmt.Fprintf(&got, "== a campaign %s\n%s", language, page{write: whole.WriteHTML}.body(t))
		graph := observe.RuleGraph{Title: "Rules", Rules: g.Content().Rules, Texts: g.Texts(), Language: language}
		fmt.Fprintf(&got, "== rules %s\n%s", language, page{write: graph.WriteHTML}.body(t))
	}
	none := func(func(state.HistoryTurn, error) bool) {}
	empty := observe.CampaignReport{Game: g, Campaign: c, Turns: none, Branches: func(func(state.HistoryBranch, error) bool) {}}
	fmt.Fprintf(&got, "== an empty campaign\n%s", page{write: empty.WriteHTML}.body(t))
	testkit.Golden(t, "testdata/edges.golden", got.String())
}
