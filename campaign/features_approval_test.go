package campaign_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestApproval shows the approval of calls by people (CA-41), with one subtest for each possible
// result of a question.
func TestApproval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"approved", testApproved},
		{"edited", testEdited},
		{"an edit that is refused goes back to the person", testEditRefused},
		{"denied with the person's words", testDenied},
		{"denials have a budget of their own", testDenialBudget},
		{"what a narration can do without is told when the budget is gone", testDenialDelivered},
		{"discarded", testApprovalDiscarded},
		{"another engine goes on", testApprovalMovesOn},
		{"the same submission again", testApprovalAgain},
		{"nothing else goes on meanwhile", testApprovalBlocks},
		{"asked in each round of calls", testApprovalRounds},
		{"an approver answers at once, later, or wrongly", testApprover},
		{"tools say when", testDeclaredApproval},
		{"answers that do not fit", testApprovalMisfits},
		{"shown text is taken back with the turn", testApprovalProvisional},
		{"a tool is asked outside once", testApprovalOutside},
		{"a hook's work stays with an edit", testApprovalHooks},
		{"another answer to the line", testApprovalAlternative},
		{"with other content it can only be discarded", testApprovalOutdated},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t)
		})
	}
}

// askAll makes people approve every call.
const askAll = `{"settings": {"tools.approval": "all"}}`

// answer returns an answer to the waiting question.
func answer(t testing.TB, e *campaign.Engine, v state.ApprovalVerdict, reason string) turn.Approve {
	t.Helper()
	q, err := e.Pending(t.Context(), "cave")
	if err != nil || q == nil {
		t.Fatalf("no question: %v", err)
	}
	return turn.Approve{Question: q.ID, Decisions: q.All(v, reason), By: "Ada"}
}

func approved(t testing.TB, e *campaign.Engine, in turn.Approve) turn.Outcome {
	t.Helper()
	o, err := e.Do(t.Context(), "cave", in)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// wantExact checks that the log replays to the same bytes, and that it can be restored.
func wantExact(t testing.TB, e *campaign.Engine) {
	t.Helper()
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

func hpOf(t testing.TB, e *campaign.Engine, id string) int {
	t.Helper()
	c, _ := campaignOf(t, e).State.Character(id)
	return c.HP.Current
}

func testApproved(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"en", "A bat bites you. You lose 3 HP."},
		{"zh", "蝙蝠扑来，你失去3点生命值。"},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := game.Content{}
			if c.name == "zh" {
				content.Extensions.Texts = new(game.Chinese())
			}
			e := newEngine(t, campaign.Config{Game: compile(t, content), Model: scripted(output(c.text,
				strings.Replace(hurt("ren", "-3"), `{`, `{"reason": "it bites", `, 1)))}, askAll)
			var seen strings.Builder
			for p, err := range e.Stream(t.Context(), "cave", turn.Submit{Text: "I go on."}) {
				if err != nil {
					t.Fatal(err)
				}
				seen.WriteString(jsonOf(t, p))
			}
			if strings.Contains(seen.String(), c.text[:9]) {
				t.Errorf("players see the text before anybody has approved: %s", &seen)
			}
			if hp := hpOf(t, e, "ren"); hp != 10 {
				t.Errorf("hp %d before anybody has approved", hp)
			}
			q, _ := e.Pending(t.Context(), "cave")
			if len(q.Calls) != 1 || q.Narration != c.text || q.ActorID != "ren" || q.UserInput != "I go on." {
				t.Errorf("the question: %s", jsonOf(t, q))
			}
			const asked = `[{"id":"call_001","tool":"hp_delta","args":{"target_character_id":"ren","delta":-3,"cause":"bat"},"reason":"it bites",` +
				`"result":{"target_character_id":"ren","hp_before":10,"hp_after":7,"applied_delta":-3,"alive_before":"alive","alive_after":"alive"},` +
				`"effects":[{"type":"hp-delta","characterId":"ren","delta":-3,"cause":"bat"}],"affects":["hp","alive_state"]}]`
			if diff := cmp.Diff(asked, jsonOf(t, q.Calls)); diff != "" {
				t.Errorf("the calls (-want +got):\n%s", diff)
			}
			o := approved(t, e, answer(t, e, state.Approve, ""))
			wantOutcome(t, o, "completed turn_0001")
			if o.Turn.Text != c.text || hpOf(t, e, "ren") != 7 {
				t.Errorf("%q, hp %d", o.Turn.Text, hpOf(t, e, "ren"))
			}
			const want = `[{"question_id":"approval_0002","attempt":1,"call_id":"call_001","tool":"hp_delta",` +
				`"asked":{"target_character_id":"ren","delta":-3,"cause":"bat"},"verdict":"approve","by":"Ada","at":"2026-05-01T12:00:00Z"}]`
			if diff := cmp.Diff(want, jsonOf(t, o.Turn.Approvals)); diff != "" {
				t.Errorf("who decided what (-want +got):\n%s", diff)
			}
			if q, _ := e.Pending(t.Context(), "cave"); q != nil {
				t.Errorf("still waits: %s", jsonOf(t, q))
			}
			wantExact(t, e)
		})
	}
}

func testEdited(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted(output("You lose 3 HP.", hurt("ren", "-3"), moveHall))}, askAll)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go."}), "awaiting_approval")
	in := answer(t, e, state.Approve, "")
	in.Decisions[0] = state.ApprovalDecision{CallID: "call_001", Verdict: state.Edit,
		Args: value(t, `{"target_character_id": "ren", "delta": -1, "cause": "bat"}`)}
	o := approved(t, e, in)
	wantOutcome(t, o, "completed turn_0001")
	if hpOf(t, e, "ren") != 9 || o.Turn.Applied[0].Args.Get("delta").String() != "-1" || len(o.Turn.Applied) != 2 {
		t.Errorf("hp %d, applied %s", hpOf(t, e, "ren"), jsonOf(t, o.Turn.Applied))
	}
	// The text mentions a different wound, as a person decided.
	if len(o.Turn.Overridden) != 1 || o.Turn.Overridden[0].Kind != "hp_amount_mismatch" {
		t.Errorf("overridden: %s", jsonOf(t, o.Turn.Overridden))
	}
	if a := o.Turn.Approvals; len(a) != 2 || a[0].Verdict != state.Edit || a[0].Asked.Get("delta").String() != "-3" {
		t.Errorf("approvals: %s", jsonOf(t, a))
	}
	wantExact(t, e)
}

func testEditRefused(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted(output("You go.", moveHall, hurt("ren", "-3")))}, askAll)
	turnOf(t, e, turn.Submit{Text: "I go."})
	in := answer(t, e, state.Approve, "")
	in.Decisions[0] = state.ApprovalDecision{CallID: "call_001", Verdict: state.Edit,
		Args: value(t, `{"actor_id": "ren", "to_area_id": "vault"}`)}
	o := approved(t, e, in)
	wantOutcome(t, o, "awaiting_approval")
	if r := o.Approval.Refused; len(r) != 1 || r[0].ID != "call_001" || r[0].Reason != "area_locked" {
		t.Errorf("refused: %s", jsonOf(t, r))
	}
	if len(o.Approval.Calls) != 2 || o.Approval.Calls[0].Args.Get("to_area_id").String() != `"hall"` {
		t.Errorf("the calls: %s", jsonOf(t, o.Approval.Calls))
	}
	// An answer to the first question does not answer the second.
	if _, err := e.Do(t.Context(), "cave", in); !isRefused(err, state.NoPendingApproval, `the question is approval_0003, not "approval_0002"`) {
		t.Errorf("an old answer: %v", err)
	}
	o = approved(t, e, answer(t, e, state.Approve, ""))
	wantOutcome(t, o, "completed turn_0001")
	if c := campaignOf(t, e); c.State.Characters[0].AreaID != "hall" || hpOf(t, e, "ren") != 7 {
		t.Errorf("%+v", c.State.Characters[0])
	}
	if len(o.Turn.Approvals) != 2 || len(o.Attempts) != 1 || len(o.Turn.Unresolved) != 0 {
		t.Errorf("approvals %s, attempts %s", jsonOf(t, o.Turn.Approvals), jsonOf(t, o.Attempts))
	}
	wantExact(t, e)
}

func testDenied(t *testing.T) {
	for _, c := range []struct{ name, words, title string }{
		{"en", "She is too young for that.", "Some of your tool calls were refused"},
		{"zh", "她还太小，别伤害她。", "你的部分工具调用被拒绝"},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := game.Content{}
			if c.name == "zh" {
				content.Extensions.Texts = new(game.Chinese())
			}
			cfg := campaign.Config{Game: compile(t, content),
				Model: scripted(output("A bat bites you.", hurt("ren", "-3"), moveHall), "Dust falls.")}
			seen := observed(&cfg)
			e := newEngine(t, cfg, askAll)
			turnOf(t, e, turn.Submit{Text: "I go."})
			in := answer(t, e, state.Approve, "")
			in.Decisions[0] = state.ApprovalDecision{CallID: "call_001", Verdict: state.Deny, Reason: c.words}
			o := approved(t, e, in)
			wantOutcome(t, o, "completed turn_0001")
			if o.RetriesUsed != 0 || len(o.Attempts) != 2 || len(o.Turn.Applied) != 0 || hpOf(t, e, "ren") != 10 {
				t.Errorf("%d retries, %d attempts, applied %s", o.RetriesUsed, len(o.Attempts), jsonOf(t, o.Turn.Applied))
			}
			told := (*seen)[1].Messages
			feedback := told[len(told)-1]
			wantHas(t, "the feedback", feedback.Message.Text, c.title, `"reason":"denied"`, c.words,
				`"rolled_back_calls":["call_002"]`, `"retries_left":2`)
			if f := o.Attempts[0].FailedCalls; len(f) != 1 || f[0].Reason != tool.CallDenied {
				t.Errorf("the audit: %s", jsonOf(t, f))
			}
			if a := o.Turn.Approvals; len(a) != 2 || a[0].Reason != c.words {
				t.Errorf("approvals: %s", jsonOf(t, a))
			}
			wantExact(t, e)
		})
	}
}

func testDenialBudget(t *testing.T) {
	again := output("You lose 3 HP.", hurt("ren", "-3"))
	e := newEngine(t, campaign.Config{Model: scripted(again, again, again)},
		`{"settings": {"tools.approval": "all", "tools.max_denials": 2, "retry.max_retries": 0}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go.", ClientTurnID: "c1"}), "awaiting_approval")
	for range 2 {
		wantOutcome(t, approved(t, e, answer(t, e, state.Deny, "no")), "awaiting_approval")
	}
	o := approved(t, e, answer(t, e, state.Deny, "no"))
	wantOutcome(t, o, "conflict")
	if r := o.Report; r == nil || len(r.FailedCalls) != 1 || r.FailedCalls[0].Reason != tool.CallDenied || len(r.Conflicts) != 1 {
		t.Errorf("the report: %s", jsonOf(t, r))
	}
	if hpOf(t, e, "ren") != 10 || campaignOf(t, e).PendingApproval != nil {
		t.Error("something has changed, or waits")
	}
	wantExact(t, e)
}

func testDenialDelivered(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted(output("A bat flutters by.", hurt("ren", "-3"), hurt("mei", "-1")))},
		`{"settings": {"tools.approval": "all", "tools.max_denials": 0}}`)
	turnOf(t, e, turn.Submit{Text: "I go."})
	in := answer(t, e, state.Approve, "")
	in.Decisions[0].Verdict = state.Deny
	o := approved(t, e, in)
	wantOutcome(t, o, "completed turn_0001")
	if hpOf(t, e, "ren") != 10 || hpOf(t, e, "mei") != 5 || !slices.Equal(o.Turn.Unresolved, []state.CallCode{"denied"}) {
		t.Errorf("hp %d and %d, unresolved %v", hpOf(t, e, "ren"), hpOf(t, e, "mei"), o.Turn.Unresolved)
	}
	wantExact(t, e)
}

func testApprovalDiscarded(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted("Dust.", output("You lose 3 HP.", hurt("ren", "-3")), "Quiet.")}, askAll)
	in := turn.Submit{Text: "I go.", ClientTurnID: "c2"}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if _, err := e.Do(t.Context(), "cave", turn.Discard{}); !isRefused(err, state.NoPendingApproval, "") {
		t.Errorf("nothing waits: %v", err)
	}
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: state.StartTurnID}); err != nil {
		t.Fatal(err)
	}
	before := campaignOf(t, e).State
	turnOf(t, e, in)
	wantOutcome(t, do(t, e, turn.Discard{By: "Ada"}), "discarded")
	c := campaignOf(t, e)
	if diff := cmp.Diff(jsonOf(t, before), jsonOf(t, c.State)); diff != "" {
		t.Errorf("the state changed (-before +after):\n%s", diff)
	}
	if c.PendingApproval != nil || c.RollbackPending.CanUndo {
		t.Error("it still waits, or the undo window is open")
	}
	wantOutcome(t, turnOf(t, e, in), "completed turn_0002") // the id is free
	wantExact(t, e)
}

func testApprovalMovesOn(t *testing.T) {
	store := &campaign.MemoryStore{}
	first := newEngine(t, campaign.Config{Store: store, SnapshotEvery: 1,
		Model: scripted(output("", hurt("ren", "-3")))}, askAll)
	next := func(texts ...string) *campaign.Engine {
		e, err := campaign.New(campaign.Config{Store: store, Game: compile(t, game.Content{}), Model: scripted(texts...)})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	wantOutcome(t, turnOf(t, first, turn.Submit{Text: "I go."}), "awaiting_approval")
	second := next(output("You lose 3 HP, and go on.", moveHall))
	wantOutcome(t, approved(t, second, answer(t, second, state.Approve, "")), "awaiting_approval")
	// The first engine has a machine that waits for the answer to an outdated question.
	q, _ := first.Pending(t.Context(), "cave")
	if len(q.Calls) != 1 || q.Calls[0].Tool != "move" || len(q.Settled) != 1 {
		t.Errorf("the second question: %s", jsonOf(t, q))
	}
	third := next()
	wantOutcome(t, approved(t, third, answer(t, third, state.Approve, "")), "completed turn_0001")
	for _, e := range []*campaign.Engine{first, second, third} {
		if _, err := e.Do(t.Context(), "cave", turn.Approve{}); !isRefused(err, state.NoPendingApproval, "") {
			t.Errorf("an answer too many: %v", err)
		}
		if hpOf(t, e, "ren") != 7 || campaignOf(t, e).State.Characters[0].AreaID != "hall" {
			t.Errorf("%+v", campaignOf(t, e).State.Characters[0])
		}
		wantExact(t, e)
	}
}

func testApprovalAgain(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted(output("You lose 3 HP.", hurt("ren", "-3")))}, askAll)
	in := turn.Submit{Text: "I go.", ClientTurnID: "c1"}
	wantOutcome(t, turnOf(t, e, in), "awaiting_approval")
	o := turnOf(t, e, in)
	wantOutcome(t, o, "awaiting_approval replayed")
	if o.Approval == nil || o.Approval.ID != "approval_0002" || !errors.Is(o.Err(), turn.ErrApproval) {
		t.Errorf("%s", o)
	}
	in.Text = "I stay."
	wantOutcome(t, turnOf(t, e, in), "refused idempotency_conflict")
	in.ClientTurnID = ""
	wantOutcome(t, turnOf(t, e, in), "refused awaiting_approval")
	wantOutcome(t, approved(t, e, answer(t, e, state.Approve, "")), "completed turn_0001")
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go.", ClientTurnID: "c1"}), "completed turn_0001 replayed")
}

func testApprovalBlocks(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted("Dust.", output("You lose 3 HP.", hurt("ren", "-3")))},
		`{"settings": {"tools.approval": "all", "turn.concurrency": "queue"}}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	turnOf(t, e, turn.Submit{Text: "I go."})
	before := jsonOf(t, campaignOf(t, e))
	for _, in := range []turn.Input{
		turn.RollBack{To: state.StartTurnID}, turn.UndoRollBack{}, turn.MakeCheckpoint{}, turn.SelectActor{ActorID: "mei"},
		turn.PatchSettings{Patch: setting.Snapshot{"tools.approval": tree.Text("off")}}, turn.SetTools{}, turn.SetLocks{},
		turn.EndCampaign{}, turn.AdvanceMilestone{}, turn.PassTime{Elapsed: 1}, turn.RaiseEvents{}, turn.Summarized{},
		turn.ResolveConflict{Decision: state.DecideDiscard}, turn.SwitchBranch{BranchID: "main"},
	} {
		if _, err := e.Do(t.Context(), "cave", in); !isRefused(err, state.CampaignBusy, `a turn waits for approval`) {
			t.Errorf("%T while people are asked: %v", in, err)
		}
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go on."}), "refused awaiting_approval")
	if diff := cmp.Diff(before, jsonOf(t, campaignOf(t, e))); diff != "" {
		t.Errorf("something changed (-before +after):\n%s", diff)
	}
}

func testApprovalRounds(t *testing.T) {
	cfg := campaign.Config{Model: scripted(output("", hurt("ren", "-3")), output("", moveHall), "You lose 1 HP and enter the Hall.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, askAll)
	turnOf(t, e, turn.Submit{Text: "I go."})
	in := answer(t, e, state.Edit, "")
	in.Decisions[0].Args = value(t, `{"target_character_id": "ren", "delta": -1, "cause": "bat"}`)
	wantOutcome(t, approved(t, e, in), "awaiting_approval")
	o := approved(t, e, answer(t, e, state.Approve, ""))
	wantOutcome(t, o, "completed turn_0001")
	if len(o.Turn.Overridden) != 0 || len(o.Turn.Approvals) != 2 || o.Turn.Approvals[1].Attempt != 2 {
		t.Errorf("overridden %s, approvals %s", jsonOf(t, o.Turn.Overridden), jsonOf(t, o.Turn.Approvals))
	}
	told := (*seen)[1].Messages
	wantHas(t, "what the model hears", told[len(told)-1].Message.Text, `"args_as_approved":`, `"delta":-1`)
	wantExact(t, e)
}

func testApprover(t *testing.T) {
	var asked []state.ApprovalQuestion
	var answers []*turn.Approve
	var fail error
	cfg := campaign.Config{Model: scripted(output("You lose 3 HP.", hurt("ren", "-3")), output("You lose 1 HP.", hurt("ren", "-1"))),
		Services: campaign.Services{Approver: func(_ context.Context, q state.ApprovalQuestion) (*turn.Approve, error) {
			asked = append(asked, q)
			if len(answers) == 0 {
				return nil, fail
			}
			a := answers[0]
			answers = answers[1:]
			return a, nil
		}}}
	e := newEngine(t, cfg, askAll)
	at := func(v state.ApprovalVerdict) *turn.Approve {
		return &turn.Approve{Decisions: []state.ApprovalDecision{{CallID: "call_001", Verdict: v}}, By: "host"}
	}
	answers = []*turn.Approve{at(state.Approve)}
	o := turnOf(t, e, turn.Submit{Text: "I go."})
	wantOutcome(t, o, "completed turn_0001")
	if o.Turn.Approvals[0].By != "host" || !o.Turn.Approvals[0].At.Equal(noon) || asked[0].Narration == "" {
		t.Errorf("approvals %s", jsonOf(t, o.Turn.Approvals))
	}
	in := turn.Submit{Text: "I go on.", ClientTurnID: "c2"}
	wantOutcome(t, turnOf(t, e, in), "awaiting_approval")
	fail = errors.New("nobody is here")
	wantOutcome(t, turnOf(t, e, in), "awaiting_approval replayed")
	answers = []*turn.Approve{at("perhaps")}
	wantOutcome(t, turnOf(t, e, in), "awaiting_approval replayed")
	bad := at(state.Edit)
	bad.Decisions[0].Args = value(t, `{"target_character_id": "nobody"}`)
	answers = []*turn.Approve{bad, bad, bad}
	wantOutcome(t, turnOf(t, e, in), "awaiting_approval replayed")
	if len(answers) != 2 {
		t.Errorf("after an answer that is refused %d are left: it was asked again", len(answers))
	}
	wantOutcome(t, approved(t, e, answer(t, e, state.Approve, "")), "completed turn_0002")
	if hp := hpOf(t, e, "ren"); hp != 6 {
		t.Errorf("hp %d", hp)
	}
	wantExact(t, e)
}

// gift is a tool whose calls people approve as its Approval says.
func gift(asks func(tool.Call, tool.View) bool) tool.Tool {
	return tool.Tool{
		Name: "gift", Description: "Give gold.", Manual: "Gives gold.", Affects: []string{tool.AffectsNothing},
		Params:   map[string]tool.Param{"gold": {Type: tool.IntegerParam, Required: true}},
		Reasons:  map[state.CallCode]string{},
		Approval: asks,
		Judge: func(c tool.Call, v tool.View) tool.Judgement {
			return tool.Judgement{Result: tree.Int(int64(c.Int("gold"))), Effects: effect.List{
				effect.SetVariable{Path: "gold", Value: tree.Int(int64(c.Int("gold")))}}}
		},
	}
}

func testDeclaredApproval(t *testing.T) {
	give := func(gold string) string {
		return output("You give it away.", `{"tool": "gift", "args": {"gold": `+gold+`}}`)
	}
	much := func(c tool.Call, v tool.View) bool {
		return c.Int("gold") > 10 || v.State.Variables.Root().Get("gold").String() == "9"
	}
	for _, c := range []struct {
		name, mode string
		asks       func(tool.Call, tool.View) bool
		gold       []string
		want       string
	}{
		{"no tool says so", "declared", nil, []string{"99"}, "completed turn_0001"},
		{"always", "declared", tool.Always, []string{"1"}, "awaiting_approval"},
		{"by the call", "declared", much, []string{"11"}, "awaiting_approval"},
		{"not by the call", "declared", much, []string{"10"}, "completed turn_0001"},
		{"by the state", "declared", much, []string{"9", "1"}, "awaiting_approval"},
		{"off", "off", tool.Always, []string{"99"}, "completed turn_0001"},
		{"all", "all", nil, []string{"1"}, "awaiting_approval"},
		{"a panic asks", "declared", func(tool.Call, tool.View) bool { panic("oh") }, []string{"1"}, "awaiting_approval"},
		{"a roll asks", "declared", func(_ tool.Call, v tool.View) bool { return v.Roll(6) > 9 }, []string{"1"}, "awaiting_approval"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var replies []string
			for _, g := range c.gold {
				replies = append(replies, give(g))
			}
			e := newEngine(t, campaign.Config{Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{gift(c.asks)}}}), Model: scripted(replies...)},
				`{"allowlist": ["gift"], "settings": {"tools.approval": "`+c.mode+`"}}`)
			var o turn.Outcome
			for range c.gold {
				o = turnOf(t, e, turn.Submit{Text: "I give."})
			}
			wantOutcome(t, o, c.want)
			wantExact(t, e)
		})
	}
}

func testApprovalMisfits(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted(output("You go.", hurt("ren", "-3"), moveHall))}, askAll)
	turnOf(t, e, turn.Submit{Text: "I go."})
	good := answer(t, e, state.Approve, "")
	before := jsonOf(t, campaignOf(t, e))
	for _, c := range []struct {
		reason string
		change func(*turn.Approve)
		code   state.RefusalCode
		says   string
	}{
		{"no question", func(a *turn.Approve) { a.Question = "" }, state.NoPendingApproval, `the question is approval_0002, not ""`},
		{"another question", func(a *turn.Approve) { a.Question = "approval_0001" }, state.NoPendingApproval, `the question is approval_0002, not "approval_0001"`},
		{"no decision", func(a *turn.Approve) { a.Decisions = nil }, state.InvalidApproval, `nothing is decided about call_001; nothing is decided about call_002`},
		{"one is missing", func(a *turn.Approve) { a.Decisions = a.Decisions[:1] }, state.InvalidApproval, `nothing is decided about call_002`},
		{"one comes twice", func(a *turn.Approve) { a.Decisions[1] = a.Decisions[0] }, state.InvalidApproval, `decisions[1]: decisions[0] is about call_001 too; nothing is decided about call_002`},
		{"one is too many", func(a *turn.Approve) {
			a.Decisions = append(a.Decisions, state.ApprovalDecision{CallID: "call_009", Verdict: state.Approve})
		}, state.InvalidApproval, `decisions[2]: no call "call_009" waits`},
		{"no verdict", func(a *turn.Approve) { a.Decisions[0].Verdict = "" }, state.InvalidApproval, `decisions[0]: the verdict "" must be approve, edit or deny; nothing is decided about call_001`},
		{"unknown verdict", func(a *turn.Approve) { a.Decisions[0].Verdict = "yes" }, state.InvalidApproval, `decisions[0]: the verdict "yes" must be approve, edit or deny`},
		{"an edit without arguments", func(a *turn.Approve) { a.Decisions[0].Verdict = state.Edit }, state.InvalidApproval, `decisions[0]: an edit, and nothing else, has args, an object`},
		{"arguments without an edit", func(a *turn.Approve) { a.Decisions[0].Args = tree.Object() }, state.InvalidApproval, `decisions[0]: an edit, and nothing else, has args, an object`},
	} {
		bad := good
		bad.Decisions = slices.Clone(good.Decisions)
		c.change(&bad)
		if _, err := e.Do(t.Context(), "cave", bad); !isRefused(err, c.code, c.says) {
			t.Errorf("%s: %v, want %s", c.reason, err, c.says)
		}
	}
	if diff := cmp.Diff(before, jsonOf(t, campaignOf(t, e))); diff != "" {
		t.Errorf("something changed (-before +after):\n%s", diff)
	}
	wantOutcome(t, approved(t, e, good), "completed turn_0001")
}

func testApprovalProvisional(t *testing.T) {
	store := &campaign.MemoryStore{}
	const open = `{"settings": {"tools.approval": "all", "conflict.intercept_output": false}}`
	e := newEngine(t, campaign.Config{Store: store, Model: scripted(output("You lose 3 HP.", hurt("ren", "-3")), "Dust falls.")}, open)
	told := func(e *campaign.Engine, in turn.Input) string {
		var words []string
		for p, err := range e.Stream(t.Context(), "cave", in) {
			if err != nil {
				t.Fatal(err)
			}
			switch p := p.(type) {
			case campaign.Provisional:
				words = append(words, "text")
			case campaign.Retracted:
				words = append(words, "retract")
			case campaign.Finished:
				words = append(words, string(p.Outcome.Status))
			}
		}
		return strings.Join(slices.Compact(words), " ")
	}
	if got := told(e, turn.Submit{Text: "I go."}); got != "text awaiting_approval" {
		t.Errorf("the question: %s", got)
	}
	if got := told(e, answer(t, e, state.Deny, "no")); got != "retract text completed" {
		t.Errorf("after a denial: %s", got)
	}
	again := newEngine(t, campaign.Config{Model: scripted(output("You lose 3 HP.", hurt("ren", "-3")))}, open)
	told(again, turn.Submit{Text: "I go."})
	if got := told(again, turn.Discard{}); got != "retract discarded" {
		t.Errorf("after a discard: %s", got)
	}
}

func testApprovalOutside(t *testing.T) {
	asked := 0
	g := gift(tool.Always)
	g.Outside = func(_ context.Context, c tool.Call) tool.Answer {
		asked++
		return tool.Answer{Value: c.Args.Get("gold")}
	}
	g.Judge = func(c tool.Call, v tool.View) tool.Judgement {
		return tool.Judgement{Result: v.Answer}
	}
	call := `{"tool": "gift", "args": {"gold": 5}}`
	e := newEngine(t, campaign.Config{Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{g}}}),
		Model: scripted(output("You give.", call, call))}, `{"allowlist": ["gift"]}`)
	turnOf(t, e, turn.Submit{Text: "I give."})
	in := answer(t, e, state.Approve, "")
	in.Decisions[1] = state.ApprovalDecision{CallID: "call_002", Verdict: state.Edit, Args: value(t, `{"gold": 6}`)}
	o := approved(t, e, in)
	wantOutcome(t, o, "completed turn_0001")
	if asked != 3 || o.Turn.Applied[0].Result.String() != "5" || o.Turn.Applied[1].Result.String() != "6" {
		t.Errorf("asked %d times, applied %s", asked, jsonOf(t, o.Turn.Applied))
	}
	wantExact(t, e)
}

func testApprovalOutdated(t *testing.T) {
	store := &campaign.MemoryStore{}
	newGame := func(desc string) *game.Game {
		g := gift(tool.Always)
		if desc != "" {
			g.Approval = nil
		}
		return compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{g}}})
	}
	e := newEngine(t, campaign.Config{Store: store, Game: newGame(""),
		Model: scripted(output("You give.", `{"tool": "gift", "args": {"gold": 5}}`))}, `{"allowlist": ["gift"]}`)
	turnOf(t, e, turn.Submit{Text: "I give."})
	in := answer(t, e, state.Approve, "")
	other, err := campaign.New(campaign.Config{Store: store, Game: newGame("other"), Model: scripted("Dust.")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Do(t.Context(), "cave", in); !isRefused(err, state.ApprovalOutdated, "") {
		t.Errorf("%v", err)
	}
	wantOutcome(t, turnOf(t, other, turn.Submit{Text: "I wait."}), "refused awaiting_approval")
	if _, err := other.Do(t.Context(), "cave", turn.RollBack{To: state.StartTurnID}); !isRefused(err, state.CampaignBusy, `a turn waits for approval`) {
		t.Errorf("%v", err)
	}
	wantOutcome(t, do(t, other, turn.Discard{}), "discarded")
	wantOutcome(t, turnOf(t, other, turn.Submit{Text: "I wait."}), "completed turn_0001")
}

func testApprovalAlternative(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted("Dust falls.", output("You lose 3 HP.", hurt("ren", "-3")),
		output("You lose 2 HP.", hurt("ren", "-2")))}, askAll)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	again := turn.Regenerate{ClientTurnID: "r1"}
	wantOutcome(t, do(t, e, again), "awaiting_approval")
	wantOutcome(t, do(t, e, again), "awaiting_approval replayed")
	wantOutcome(t, do(t, e, turn.Regenerate{Swipe: true}), "refused awaiting_approval")
	wantOutcome(t, do(t, e, turn.Discard{}), "discarded")
	if c := campaignOf(t, e); c.State.HeadTurnID != "turn_0001" {
		t.Errorf("the head is %s", c.State.HeadTurnID)
	}
	wantOutcome(t, do(t, e, again), "awaiting_approval")
	wantOutcome(t, approved(t, e, answer(t, e, state.Approve, "")), "completed turn_0002")
	if hpOf(t, e, "ren") != 8 {
		t.Errorf("hp %d", hpOf(t, e, "ren"))
	}
	do(t, e, turn.Choose{TurnID: "turn_0001"})
	if hpOf(t, e, "ren") != 10 {
		t.Errorf("hp %d in the first answer", hpOf(t, e, "ren"))
	}
	wantExact(t, e)
}

func testApprovalHooks(t *testing.T) {
	note := func(event string) hooks.Hook {
		return hooks.Hook{ID: event, Name: event, Event: hooks.On(event), Actions: []act.Action{
			act.New(act.MemoryWrite, tree.Member{Key: "content", Value: tree.Text(event)})}}
	}
	g := compile(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{note(act.AfterModelCall), note(act.AfterToolCall)}}})
	e := newEngine(t, campaign.Config{Game: g, Model: scripted(output("You go.", hurt("ren", "-3"), hurt("mei", "-1")))}, askAll)
	turnOf(t, e, turn.Submit{Text: "I go."})
	in := answer(t, e, state.Approve, "")
	in.Decisions[0] = state.ApprovalDecision{CallID: "call_001", Verdict: state.Edit,
		Args: value(t, `{"target_character_id": "ren", "delta": -1, "cause": "bat"}`)}
	o := approved(t, e, in)
	wantOutcome(t, o, "completed turn_0001")
	var done []string
	for _, h := range o.Host {
		done = append(done, h.Effect.(effect.WriteMemory).Content)
	}
	want := []string{act.AfterModelCall, act.AfterToolCall} // one memory is written once
	if diff := cmp.Diff(want, done); diff != "" {
		t.Errorf("what hooks did (-want +got):\n%s", diff)
	}
	wantExact(t, e)
}
