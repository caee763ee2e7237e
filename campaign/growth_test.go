package campaign_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/rules/effect"
)

// TestGrowth: the cost of a turn is linear in its texts, and the cost of a stored campaign in its
// content.
func TestGrowth(t *testing.T) {
	content := game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(s string) effect.List {
		return effect.List{effect.AddEntry{BookID: "b", Content: s, Keywords: strings.Split(s, " ")}}
	}), castTool(castParams)}}}
	g := compile(t, content)
	start, err := turn.Begin(g, cave(t, vaultVariables, `{"allowlist": ["say", "hp_delta", "cast"]}`))
	if err != nil {
		t.Fatal(err)
	}
	play := func(text string) {
		m := turn.NewMachine(g, start)
		for _, in := range []turn.Input{turn.Submit{Text: "I wait."}, turn.Replied{Text: text},
			turn.Replied{Text: text}, turn.Replied{Text: text}, turn.Committed{}} {
			if m.Step(in) != nil || m.Phase() == turn.Idle {
				return
			}
		}
	}
	reply := func(head, open, tail string) testkit.Atom {
		return testkit.Atom{Head: head, Open: open, Tail: tail}
	}
	setup := func(head, open, tail string) testkit.Atom {
		return testkit.Atom{Head: `{"campaign_id":"a","characters":[{"character_id":"a"}],` + head, Open: open, Tail: tail + "}"}
	}
	read := func(dst func() any) func(string) {
		return func(text string) { _ = json.Unmarshal([]byte(text), dst()) }
	}
	testkit.Growth(t,
		testkit.Reader{Name: "a reply through the machine", Size: 2 << 10, Read: play, Atoms: []testkit.Atom{
			reply(`{"text":"`+quiet+`","tool_calls":[`, `{"tool":"fly"},`, "{}]}"),
			reply(`{"tool_calls":[`, `{},`, "{}]}"),
			reply(`{"tool_calls":[{"tool":"say","args":{`, `"a":1,`, `"text":"x"}}]}`),
			reply(`{"text":"`+quiet+`","tool_calls":[{"tool":"say","args":{"text":"`, "key ", `"}}]}`),
			reply(`{"text":"`+quiet+`","tool_calls":[{"tool":"cast","args":{"at":[`, `{"a":1},`, `0]}}]}`),
			reply(quiet, "\nset_status('nope.x',1)", ""), reply(quiet, "\n*.foo(1);", ""),
			reply(quiet, "\nmemory('world_set.npc.a', 1)", ""), reply(quiet+"\n", "memory(", ""),
			reply(quiet, " Ren takes 3 damage.", ""), reply("", "Wake the sleeping dragon below the mountain. ", ""),
			reply(quiet, "<UpdateVariable>", ""), reply(quiet, "{{var::a}}", ""),
			reply(`{"text":"x",`, `"hp":1,`, `"z":1}`),
		}},
		testkit.Reader{Name: "Setup", Read: func(text string) {
			var s state.Setup
			if json.Unmarshal([]byte(text), &s) == nil {
				_, _ = turn.Begin(g, s)
			}
		}, Atoms: []testkit.Atom{
			setup(`"map":{"areas":[`, `{"id":"x"},`, `{}]}`), setup(`"allowlist":[`, `"fly",`, `"a"]`),
			setup(`"variables":{`, `"hp.a":1,`, `"z":1}`), setup(`"turns":[`, `{"user_input":"a"},`, `{}]`),
			setup(`"goal":`, `{"x":`, strings.Repeat("}", 0)), setup(`"title":[`, `1,`, `1]`),
			setup(`"world":{"rules":[`, `{"text":1},`, `{}]}`),
		}},
		testkit.Reader{Name: "areas within areas", Read: func(text string) {
			s := state.Setup{ID: "a", Characters: []state.Character{{ID: "a"}}}
			for i := range len(text) / 32 {
				s.Map.Areas = append(s.Map.Areas, state.MapArea{ID: fmt.Sprint(i), Parent: fmt.Sprint(i + 1)})
			}
			if len(s.Map.Areas) > 0 { // the last one is inside the first
				s.Map.Areas[len(s.Map.Areas)-1].Parent = "0"
			}
			if _, err := turn.Begin(g, s); err == nil || !strings.Contains(err.Error(), "lies within itself") {
				t.Errorf("areas that lie within themselves: %v", err)
			}
		}, Atoms: []testkit.Atom{testkit.Repeat("area")}},
		testkit.Reader{Name: "Campaign", Read: read(func() any { return new(state.Campaign) }), Atoms: []testkit.Atom{
			{Head: `{"turns":[`, Open: `{"turn_id":"a"},`, Tail: `{}]}`},
			{Head: `{"snapshots":[{"ref":"a","state":{}}`, Open: `,{"ref":"b","delta":[]}`, Tail: `]}`},
			{Head: `{"x":`, Open: `[`, Close: "]", Tail: "}"},
		}},
		testkit.Reader{Name: "Restore", Read: func(text string) {
			_, _ = campaign.Restore(campaign.Saved{Snapshot: []byte(jsonOf(t, start)), SnapshotVersion: 1,
				Entries: []campaign.Entry{{Version: 2, Data: summed([]byte(text))}}})
		}, Atoms: []testkit.Atom{
			{Head: `{"layout":1,"version":2,"delta":[`, Open: `{"path":["x"],"value":1},`, Tail: `{"path":["y"],"value":1}]}`},
			{Head: `{"layout":1,"version":2,"delta":[`, Open: `{"path":["state","variables","a"],"value":1,"before":"assa_data"},`, Tail: `{"path":["y"],"value":1}]}`},
			{Head: `{"layout":1,"version":2,"delta":[{"path":[`, Open: `"a",`, Tail: `"b"],"value":1}]}`},
		}},
		testkit.Reader{Name: "Restore of a snapshot", Read: func(text string) {
			_, _ = campaign.Restore(campaign.Saved{Snapshot: summed([]byte(text)), SnapshotVersion: 1})
		}, Atoms: []testkit.Atom{
			{Head: `{"layout":1,"campaign":{"campaign_id":"a"},"inputs":[`, Open: `"juggle",`, Tail: `"submit"]}`},
			{Head: `{"layout":1,"campaign":{"turns":[`, Open: `{"turn_id":"a"},`, Tail: `{}]}}`},
		}},
		testkit.Reader{Name: "Restore of a beginning", Read: func(text string) {
			_, _ = campaign.Restore(campaign.Saved{Entries: []campaign.Entry{{Version: 1, Kind: "create", Data: summed([]byte(text))}}})
		}, Atoms: []testkit.Atom{
			{Head: `{"layout":1,"version":1,"kind":"create","campaign":{"checkpoints":[`, Open: `{"state_snapshot_ref":"state_1"},`, Tail: `{}]}}`},
			{Head: `{"layout":1,"version":1,"kind":"create","campaign":{"turns":[`, Open: `{"turn_id":"turn_0001"},`, Tail: `{}]}}`},
		}},
		testkit.Reader{Name: "a log of many records", Read: func(text string) {
			log := []campaign.Entry{{Version: 1, Kind: "create", Data: summed(fmt.Appendf(nil, `{"layout":1,"version":1,"kind":"create","campaign":%s}`, jsonOf(t, start)))}}
			for line := range strings.Lines(text) {
				n := int64(len(log) + 1)
				log = append(log, campaign.Entry{Version: n, Kind: "x", Data: summed(fmt.Appendf(nil, `{"layout":1,"version":%d,"kind":"x",%s`, n, strings.TrimSpace(line)))})
			}
			if c, err := campaign.Restore(campaign.Saved{Entries: log}); err != nil || c.ID != start.ID {
				t.Errorf("%d records: %v", len(log), err)
			}
			_, _ = turn.ReadPast(question.Past{State: "state_3", Turns: []string{"turn_0001"}, Jumps: true, Branch: "main"}, campaign.Decoded(listed(log)))
		}, Atoms: []testkit.Atom{
			testkit.Repeat(`"delta":[{"path":["title"],"value":"x"}]}` + "\n"),
			testkit.Repeat(`"turn":{"turn_id":"turn_0001","index":1}}` + "\n"),
			testkit.Repeat(`"archive":{"jumps":[[3,1],[5,2]],"rewritten":{"turn_0001":4},"branches":{"main":{"snapshot_ref":"state_1"}}}}` + "\n"),
			testkit.Repeat(`"delta":[{"path":["rollback_pending"],"value":{"is_pending":true,"from_snapshot_ref":"state_2"}}]}` + "\n"),
			{Head: `"texts":["` + strings.Repeat("a", 70) + `"],"x":[`, Open: `{"$text":0},`, Tail: "1]}\n"},
		}},
		testkit.Reader{Name: "Inputs", Read: read(func() any { return new(turn.Inputs) }), Atoms: []testkit.Atom{
			{Head: `[`, Open: `{"input":"committed"},`, Tail: `{"input":"committed"}]`},
			{Head: `[`, Open: `{"input":"juggle","balls":[3]},`, Tail: `{"input":"committed"}]`},
			{Head: `[{"input":"submit"`, Open: `,"a":[]`, Tail: `}]`},
			{Head: `[{"input":"raise_events","events":[`, Open: `{"type":"a"},`, Tail: `{}]}]`},
			{Head: `[{"input":"hooks_ran","result":{"effects":[`, Open: `{"type":"x"},`, Tail: `{}]}}]`},
		}},
	)
}
