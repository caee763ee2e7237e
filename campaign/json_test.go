package campaign_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// TestCampaignRoundTrip: every campaign of the saga survives its JSON form byte for byte (CA-01,
// CA-02), with turns, checkpoints, branches, snapshots, a pending conflict and a pending rollback.
func TestCampaignRoundTrip(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	h := newHost(t, sagaGame(t))
	for i, a := range saga() {
		h.run(a)
		if i%11 != 0 && h.m.Campaign().PendingConflict == nil && !h.m.Campaign().RollbackPending.IsPending {
			continue
		}
		text := jsonOf(t, h.m.Campaign())
		var c state.Campaign
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatalf("act %d: %v", i, err)
		}
		if again := jsonOf(t, c); again != text {
			t.Fatalf("act %d (-first +second):\n%s", i, cmp.Diff(text, again))
		}
	}
	text := jsonOf(t, h.m.Campaign())
	for _, unknown := range []string{`"house_rule":"no dogs"`, `"shoe_size":43`} {
		if !strings.Contains(text, unknown) {
			t.Errorf("the unknown member %s is lost", unknown)
		}
	}
}

// TestUnknownMembers: content of other programs keeps its unknown members.
func TestUnknownMembers(t *testing.T) {
	t.Parallel()
	const extra = `"zz_unknown": {"b": 1.0, "a": [null]}`
	for _, v := range []any{
		new(state.Campaign), new(state.Setup), new(state.World), new(state.WorldRule),
		new(state.Map), new(state.MapArea), new(state.MapPath), new(state.Character),
		new(state.Turn), new(state.HP), new(state.Skill), new(state.Status), new(state.DisabledTool),
		new(state.StateRefs), new(state.RouteDecision), new(state.MapLock),
	} {
		if err := json.Unmarshal([]byte("{"+extra+"}"), v); err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		if got := jsonOf(t, v); !strings.Contains(got, `"zz_unknown":{"b":1.0,"a":[null]}`) {
			t.Errorf("%T lost it: %s", v, got)
		}
	}
}

// TestInputsRoundTrip: the closed set of inputs, with every field filled.
func TestInputsRoundTrip(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 1, 12, 0, 0, 1, time.UTC)
	v := tree.Object(tree.Member{Key: "k", Value: tree.Num("1.0")})
	all := turn.Inputs{
		turn.Submit{ActorID: "a", UserID: "u", Text: "药 <&>", ClientTurnID: "c",
			ExpectedHead: "turn_0001", Channel: "web", At: at},
		turn.Routed{Decision: &state.RouteDecision{DialogType: "scene", Guards: []string{"g"}}},
		turn.Routed{Error: "timeout"},
		turn.HooksRan{Result: hooks.Result{Effects: effect.List{
			effect.AddMessage{Content: "x"}, effect.Custom{Type: "own", Data: v}}}},
		turn.Replied{Text: "x", ToolCalls: []llm.ToolCall{{ID: "1", Name: "move", Arguments: "{}"}},
			Usage: &llm.Usage{}},
		turn.GenerateFailed{Reason: "overloaded", Cancelled: true},
		turn.Judged{Verdicts: []conflict.Verdict{{Kind: "k", Quote: "q"}}, Error: "e"},
		turn.Committed{}, turn.CommitFailed{Reason: "version_conflict"},
		turn.Summarized{Summary: state.Summary{Text: "s", Facts: v, Pins: []string{"p"},
			Version: 2, CoversThrough: "turn_0001"}, At: at},
		turn.PatchSettings{Patch: setting.Snapshot{"retry.max_retries": tree.Num("1.0")}, At: at},
		turn.SelectActor{ActorID: "a", At: at},
		turn.SetCharacter{CharacterID: "a", Fields: v, At: at},
		turn.SetTools{Allowlist: []string{}, Disabled: map[string]state.DisabledTool{}, At: at},
		turn.SetTools{Allowlist: []string{"move"},
			Disabled: map[string]state.DisabledTool{"move": {Reason: "r", DisabledUntil: "u"}}},
		turn.SetLocks{Movement: &state.MapLock{Locked: true, Reason: "r"},
			Areas: map[string]state.MapLock{"a": {}}, Paths: map[string]state.MapLock{"p": {}}, At: at},
		turn.RaiseEvents{Events: []rules.Event{event.New("drum:beat")}, At: at},
		turn.Announce{Event: "e", Payload: v, Channel: "web", At: at},
		turn.PassTime{Elapsed: 0.5, At: at}, turn.Retrieved{IDs: []worldbook.ID{{Book: "b", UID: "1"}}, Error: "e"},
		turn.Recalled{Items: []memory.Item{{ID: "i", TurnID: "turn_0001", Hash: "h", Text: "x", Score: 0.5, Witnesses: []string{"a"}}}, Error: "e"},
		turn.SetTimer{Do: rules.TimerStart, TimerID: "t", Name: "n", Duration: 0.1, Repeat: true, At: at},
		turn.Travel{Do: rules.SpatialEnter, SceneID: "s", X: 0.1, Y: -2, At: at},
		turn.AdvanceMilestone{At: at}, turn.EndCampaign{Reason: "r", At: at},
		turn.MakeCheckpoint{Label: "l", At: at}, turn.RollBack{To: "turn_0001", At: at},
		turn.UndoRollBack{At: at}, turn.SwitchBranch{BranchID: "main", At: at},
		turn.ResolveConflict{Decision: state.DecideOverride, Text: "x",
			ToolCalls: tree.Array(v), At: at},
		turn.Approve{Question: "approval_0002", Decisions: []state.ApprovalDecision{{CallID: "c", Verdict: state.Edit, Args: v, Reason: "r"}},
			By: "Ada", At: at}, turn.Discard{By: "Ada", At: at},
		turn.SetParty{Members: []string{"a"}, ActorID: "a", At: at},
		turn.SetWorld{Title: new("t"), World: &state.World{Background: "b"}, Map: &state.Map{Areas: []state.MapArea{{ID: "a"}}}, At: at},
		turn.ApplyEffects{Effects: effect.List{effect.AddArea{ID: "a"}, effect.AddPath{ID: "p", OneWay: true},
			effect.AddCharacter{CharacterID: "c", Fields: v}}, By: "Ada", At: at},
		turn.PatchSettings{Global: setting.Snapshot{"retry.max_retries": tree.Num("1.0")}, At: at},
		turn.Answered{Answer: tool.Answer{Value: v, Reason: "silent", Hint: v}},
	}
	text := jsonOf(t, all)
	var back turn.Inputs
	if err := json.Unmarshal([]byte(text), &back); err != nil {
		t.Fatal(err)
	}
	if again := jsonOf(t, back); again != text {
		t.Errorf("-first +second:\n%s", cmp.Diff(text, again))
	}
	for i := range all {
		if a, b := reflect.TypeOf(all[i]), reflect.TypeOf(back[i]); a != b {
			t.Errorf("input %d: %s became %s", i, a, b)
		}
	}
	if s := back[13].(turn.SetTools); s.Allowlist == nil || s.Disabled == nil {
		t.Error(`"none" became "as it was"`)
	}
	for _, bad := range []string{`{}`, `[5]`, `[null]`, `[{}]`,
		`[{"input": "submit", "text": 5}]`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// TestRecordRoundTrip: any store may keep a record as JSON.
func TestRecordRoundTrip(t *testing.T) {
	t.Parallel()
	for _, rec := range uncut(t).records {
		text := jsonOf(t, rec)
		var back turn.Record
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Fatal(err)
		}
		if again := jsonOf(t, back); again != text {
			t.Errorf("record %d (-first +second):\n%s", rec.Version, cmp.Diff(text, again))
		}
	}
}

// TestRestoreRefusesBrokenLogs: an invalid log is an error that names the record.
func TestRestoreRefusesBrokenLogs(t *testing.T) {
	t.Parallel()
	records := uncut(t).records
	broken := records[1]
	broken.Delta = state.Delta{{Path: tree.Path{"state", "nowhere", "x"}, Value: tree.Int(1)}}
	wrong := records[1]
	wrong.Delta = state.Delta{{Path: tree.Path{"state", "turn_count"}, Value: tree.Text("x")}}
	for name, saved := range map[string]campaign.Saved{
		"a gap":           {Entries: entries(t, records[1:]...)},
		"twice":           {Entries: entries(t, records[0], records[1], records[1])},
		"no JSON":         {Snapshot: []byte("{")},
		"another delta":   {Entries: entries(t, records[0], broken)},
		"another type":    {Entries: entries(t, records[0], wrong)},
		"an odd creation": {Entries: entries(t, turn.Record{Version: 1, Kind: "create", Campaign: []byte("[]")})},
	} {
		if _, err := campaign.Restore(saved); err == nil || !strings.HasPrefix(err.Error(), "campaign: ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := campaign.Rebuild(uncut(t).game, logOf(t, records[1:]...)); err == nil {
		t.Error("a log without a beginning was rebuilt")
	}
}
