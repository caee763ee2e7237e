package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// TestFeatures shows features of the catalogue that no other test covers, one subtest for each,
// through the API of a host.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for _, f := range []struct {
		name string
		test func(*testing.T)
	}{
		{"CA-03 summary of text, facts and pins", testSummaryState},
		{"CA-04 party with an active actor", testParty},
		{"CA-05 character with every field", testCharacterFields},
		{"CA-12 route decision is kept, manual mode unharmed", testRouteDecision},
		{"CA-12 a decision goes with its turn", testRoutedInVain},
		{"CA-18 failed calls are appended as feedback", testToolFeedback},
		{"CA-19 one retry budget", testOneBudget},
		{"CA-25 conflict report without a change", testConflictReport},
		{"CA-26 the player decides", testDecisions},
		{"CA-29 acceleration urges and grants nothing", testAcceleration},
		{"CA-30 checkpoints and their limit", testCheckpoints},
		{"CA-31 rollback and undo", testRollbackWindow},
		{"CA-32 branches and forks", testBranches},
		{"CA-46 machine in a loop of the host's", testMachineAlone},
		{"CA-47 audit of calls and requests", testAudit},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.test(t)
		})
	}
}

const defaultK1 = `{"settings": {"retry.max_retries": 1}}`

// blocks returns the system blocks of a request by their ID.
func blocks(r question.Request) map[string]string {
	out := map[string]string{}
	for _, m := range r.Messages {
		if m.Kind == question.KindSystemBlock {
			out[m.Block] = m.Message.Text
		}
	}
	return out
}

// requests is an observer of the requests to the model.
func requests(see func(campaignID string, g question.Generate)) observe.Observer {
	return observe.Verbose(observe.Func(func(p observe.Place, m observe.Moment) {
		if asked, ok := m.(observe.ModelAsked); ok {
			see(p.Campaign, *asked.Generation)
		}
	}))
}

// observed collects the requests of an engine.
func observed(cfg *campaign.Config) *[]question.Request {
	var seen []question.Request
	cfg.Observe = requests(func(_ string, g question.Generate) { seen = append(seen, g.Request) })
	return &seen
}

// wantHas reports the texts that are missing in a longer one.
func wantHas(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", what, want, text)
		}
	}
}

// reopened returns the campaign as a second process loads it.
func reopened(t *testing.T, store campaign.Store) state.Campaign {
	t.Helper()
	e, err := campaign.New(campaign.Config{Store: store, Model: scripted(),
		Game: compile(t, game.Content{})})
	if err != nil {
		t.Fatal(err)
	}
	return campaignOf(t, e)
}

func texts(turns []state.Turn) string {
	var out []string
	for _, turn := range turns {
		out = append(out, turn.Text)
	}
	return strings.Join(out, " ")
}

func testSummaryState(t *testing.T) {
	store := &campaign.MemoryStore{}
	cfg := campaign.Config{Store: store, Model: scripted("One.", "Two.", "Three."),
		Game: compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}}),
		Services: campaign.Services{Summarize: func(context.Context, question.Summarize) (state.Summary, error) {
			return state.Summary{Text: "They met a bat.", Facts: value(t, `{"door": "ajar"}`),
				Pins: []string{"Bats fear light."}}, nil
		}}}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"context.compress_enabled": true}}`)
	for range 3 {
		turnOf(t, e, turn.Submit{Text: "I wait."})
	}
	if first := blocks((*seen)[0]); first["summary"] != "" || first["pins"] != "" {
		t.Errorf("a summary before there is one: %q", first)
	}
	last := blocks((*seen)[2])
	wantHas(t, "the summary block", last["summary"], "They met a bat.", "door", "ajar")
	wantHas(t, "the pins block", last["pins"], "Bats fear light.")
	got := jsonOf(t, reopened(t, store).State.Summary)
	const want = `{"summary_text":"They met a bat.","facts_json":{"door":"ajar"},` +
		`"pins":["Bats fear light."],"version":1,"covers_through_turn":"turn_0002"}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored summary (-want +got):\n%s", diff)
	}
}

func testParty(t *testing.T) {
	const walk = `{"tool": "move", "args": {"actor_id": "mei", "to_area_id": "hall"}}`
	cfg := campaign.Config{Model: scripted(output("You step into the Hall.", walk), "Dust falls.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg,
		`{"selected": {"party_character_ids": ["ren", "mei"], "active_actor_id": "mei"}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I go."}),
		"refused not_active_actor")
	wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "kai", Text: "I go."}),
		"refused actor_not_in_party")
	o := turnOf(t, e, turn.Submit{Text: "I go."})
	wantOutcome(t, o, "completed turn_0001")
	s := campaignOf(t, e).State
	ren, _ := s.Character("ren")
	mei, _ := s.Character("mei")
	if o.Turn.ActorID != "mei" || ren.AreaID != "gate" || mei.AreaID != "hall" {
		t.Errorf("%s acted; ren in %s, mei in %s", o.Turn.ActorID, ren.AreaID, mei.AreaID)
	}
	do(t, e, turn.SelectActor{ActorID: "ren"})
	if o := turnOf(t, e, turn.Submit{Text: "I wait."}); o.Turn.ActorID != "ren" {
		t.Errorf("%s acted", o.Turn.ActorID)
	}
	wantHas(t, "the status block", blocks((*seen)[1])["status"],
		"Ren (ren): HP 10/10, alive, Gate (gate)", "Mei (mei): HP 6/8, alive, Hall (hall)")
}

func testCharacterFields(t *testing.T) {
	const full = `{"character_id":"ren","name":"Ren","aliases":["Fox"],"title":"Warden",
		"background":"Born at sea.","job":"scout","race":"elf","hp":{"current":7,"max":10},
		"skills":[{"name":"climbing","level":2},{"name":"whistling"}],
		"attributes":{"strength":14,"sanity":16},"area_id":"gate","shoe_size":43,
		"status":{"alive_state":"alive","flags":["cursed"]}}`
	const roll = `{"tool": "check", "args": {"actor_id": "ren", "attribute": "sanity", "dc": 10}}`
	store := &campaign.MemoryStore{}
	cfg := campaign.Config{Store: store, Model: scripted(output("", roll), "You shiver.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"allowlist": ["check"], "characters": [`+full+`]}`)
	o := turnOf(t, e, turn.Submit{Text: "I look down."})
	if len(o.Turn.Applied) != 1 || o.Turn.Applied[0].Result.Get("modifier").String() != "3" {
		t.Errorf("no check of the game's own attribute: %s", jsonOf(t, o.Turn.Applied))
	}
	var want, got any
	if err := json.Unmarshal([]byte(full), &want); err != nil {
		t.Fatal(err)
	}
	stored := jsonOf(t, reopened(t, store).State.Characters[0])
	if err := json.Unmarshal([]byte(stored), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored character (-want +got):\n%s", diff)
	}
	wantHas(t, "the party block", blocks((*seen)[0])["party"],
		"Ren", "Warden", "Born at sea.", "scout", "elf", "climbing", "whistling", "sanity")
}

func testRouteDecision(t *testing.T) {
	decision := state.RouteDecision{DialogType: game.RulesDialog, Variant: "terse",
		ContextProfile: "small", Guards: []string{"no_spoilers"}}
	asked := 0
	store := &campaign.MemoryStore{}
	e := newEngine(t, campaign.Config{Store: store, Model: replying("Dust falls."),
		Services: campaign.Services{Route: func(context.Context, question.Route) (state.RouteDecision, error) {
			asked++
			if asked > 1 {
				return state.RouteDecision{}, errors.New("no idea")
			}
			return decision, nil
		}}}, `{"settings": {"dialog.manual_type": "action"}}`)
	route := func(on bool, want string) {
		t.Helper()
		do(t, e, turn.PatchSettings{Patch: setting.Snapshot{
			"dialog.auto_route_enabled": tree.Bool(on)}})
		o := turnOf(t, e, turn.Submit{Text: "How do checks work?"})
		if got := o.DialogType + " by " + string(o.DialogTypeSource); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	route(false, "action by manual")
	if d := campaignOf(t, e).Dialog; asked != 0 || d.RouteDecision != nil {
		t.Errorf("asked %d times with routing off: %+v", asked, d.RouteDecision)
	}
	route(true, "rules by router")
	if d := campaignOf(t, e).Dialog; d.TypeSelected != game.ActionDialog {
		t.Errorf("the router selected %q", d.TypeSelected)
	}
	route(true, "action by fallback")
	route(false, "action by manual")
	d := reopened(t, store).Dialog
	if diff := cmp.Diff(&decision, d.RouteDecision); diff != "" {
		t.Errorf("kept decision (-want +got):\n%s", diff)
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

// testRoutedInVain: a decision stays with its turn.
func testRoutedInVain(t *testing.T) {
	routes := []string{game.RulesDialog}
	e := newEngine(t, campaign.Config{Model: scripted("Dust falls.", "You lose 3 hit points."),
		Services: campaign.Services{Route: func(context.Context, question.Route) (state.RouteDecision, error) {
			routes = append(routes, game.FreeChatDialog)
			return state.RouteDecision{DialogType: routes[len(routes)-2]}, nil
		}}}, `{"settings": {"dialog.auto_route_enabled": true, "retry.max_retries": 0}}`)
	was := jsonOf(t, campaignOf(t, e).Dialog)
	wantDialog := func(after, want string) {
		t.Helper()
		if got := jsonOf(t, campaignOf(t, e).Dialog); got != want {
			t.Errorf("after %s: %s, want %s", after, got, want)
		}
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	decided := jsonOf(t, campaignOf(t, e).Dialog)
	if decided == was {
		t.Error("a decision is not kept")
	}
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"dialog.manual_type": tree.Text(game.ActionDialog)}})
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "conflict")
	wantDialog("a conflict", decided)
	wantOutcome(t, do(t, e, turn.ResolveConflict{Decision: state.DecideAccept}), "completed turn_0002")
	wantDialog("an accepted text", strings.Replace(decided, game.SceneDialog, game.ActionDialog, 1))
	wantExact(t, e)
}

func testToolFeedback(t *testing.T) {
	const refused = `{"id": "c7", "tool": "move", "args": {"actor_id": "ren", "to_area_id": "hall"}}`
	model := scripted(output("You go.", refused), "You wait.", "Dust falls.")
	cfg := campaign.Config{Model: model}
	seen := observed(&cfg)
	e := newEngine(t, cfg,
		`{"disabled_tools": {"move": {"reason": "a net", "disabled_until": "dawn"}}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go."}), "completed turn_0001")
	turnOf(t, e, turn.Submit{Text: "I wait."})
	first, second := (*seen)[0].Messages, (*seen)[1].Messages
	n := len(first)
	if diff := cmp.Diff(jsonOf(t, first), jsonOf(t, second[:n])); diff != "" {
		t.Fatalf("the second request does not begin with the first:\n%s", diff)
	}
	added := strings.Join(kinds(second[n:]), " ")
	if added != "assistant_rejected tool_feedback" {
		t.Fatalf("appended %s", added)
	}
	text := second[n+1].Message.Text
	var told struct {
		FailedCalls []state.FailedCall `json:"failed_calls"`
	}
	if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &told); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(told.FailedCalls) != 1 {
		t.Fatalf("told of %d failed calls: %s", len(told.FailedCalls), text)
	}
	got := told.FailedCalls[0]
	got.Message = "" // prose for the model
	want := state.FailedCall{ID: "c7", Tool: "move", Status: state.CallRejected,
		Reason: "tool_disabled", DisabledUntil: "dawn"}
	if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" {
		t.Errorf("failed call (-want +got):\n%s", diff)
	}
	if later := jsonOf(t, (*seen)[2]); strings.Contains(later, "tool_disabled") {
		t.Error("the next turn is told of it again")
	}
}

func testOneBudget(t *testing.T) {
	refused, told := output("You go.", moveLock), "You lose 3 HP."
	for _, c := range []struct {
		name    string
		outputs []string
		want    turn.OutcomeStatus
	}{
		{"enough", []string{refused, told, "Dust falls."}, turn.Completed},
		{"gone", []string{refused, told, told}, turn.Conflict},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := scripted(c.outputs...)
			e := newEngine(t, campaign.Config{Model: model}, `{"settings": {"retry.max_retries": 2}}`)
			o := turnOf(t, e, turn.Submit{Text: "I go."})
			if o.Status != c.want {
				t.Errorf("%s, want %s", o.Status, c.want)
			}
			if o.RetriesUsed != 2 || len(o.Attempts) != 3 || model.Remaining() != 0 {
				t.Errorf("%d retries, %d attempts", o.RetriesUsed, len(o.Attempts))
			}
			if len(o.Attempts[0].FailedCalls) != 1 || len(o.Attempts[1].Conflicts) != 1 {
				t.Errorf("attempts %s", jsonOf(t, o.Attempts))
			}
		})
	}
}

func testConflictReport(t *testing.T) {
	cfg := campaign.Config{Model: scripted("You lose 3 HP.", "You lose 4 HP.", "Dust falls.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, defaultK1)
	before := jsonOf(t, campaignOf(t, e).State)
	o := turnOf(t, e, turn.Submit{Text: "I fight."})
	if o.Status != turn.Conflict || o.Turn != nil || o.Report == nil {
		t.Fatalf("outcome %s", jsonOf(t, o))
	}
	r := o.Report
	if r.CampaignID != "cave" || r.ActorID != "ren" || r.UserInput != "I fight." || r.Attempts != 2 ||
		r.MaxRetries != 1 || len(r.History) != 2 || len(r.Options) != 4 || !r.Expected.Exists() {
		t.Errorf("report %s", jsonOf(t, r))
	}
	if len(r.Conflicts) != 1 || !strings.Contains(r.Conflicts[0].Quote, "lose 4 HP") {
		t.Errorf("conflicts of the last output: %s", jsonOf(t, r.Conflicts))
	}
	c := campaignOf(t, e)
	if diff := cmp.Diff(before, jsonOf(t, c.State)); diff != "" || len(c.Turns) != 0 {
		t.Errorf("%d turns, and the state changed:\n%s", len(c.Turns), diff)
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
	if last := jsonOf(t, (*seen)[2]); strings.Contains(last, "lose") {
		t.Error("the rejected text is in a later prompt")
	}
}

func testDecisions(t *testing.T) {
	calls := func(list ...string) tree.Value { return value(t, "["+strings.Join(list, ", ")+"]") }
	for _, c := range []struct {
		in         turn.ResolveConflict
		want       string
		hp         int
		overridden int
	}{
		{turn.ResolveConflict{Decision: state.DecideRetry}, "completed turn_0001", 10, 0},
		{turn.ResolveConflict{Decision: state.DecideOverride, Text: "You lose 3 HP.",
			ToolCalls: calls(hurt("ren", "-3"))}, "completed turn_0001", 7, 0},
		{turn.ResolveConflict{Decision: state.DecideAccept}, "completed turn_0001", 10, 1},
		{turn.ResolveConflict{Decision: state.DecideDiscard}, "discarded", 10, 0},
	} {
		t.Run(string(c.in.Decision), func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, campaign.Config{Model: scripted("You lose 3 HP.", "Dust falls.")},
				`{"settings": {"retry.max_retries": 0}}`)
			turnOf(t, e, turn.Submit{Text: "I fight."})
			do(t, e, turn.SelectActor{ActorID: "mei"}) // the decision is about the line of ren
			bad := turn.ResolveConflict{Decision: state.DecideOverride, Text: "In!",
				ToolCalls: calls(moveLock)}
			if _, err := e.Do(t.Context(), "cave", bad); !isRefused(err, state.OverrideRejected, "") {
				t.Errorf("an override with a refused call: %v", err)
			}
			o := do(t, e, c.in)
			wantOutcome(t, o, c.want)
			if hp := campaignOf(t, e).State.Characters[0].HP.Current; hp != c.hp {
				t.Errorf("hp %d, want %d", hp, c.hp)
			}
			if o.Turn != nil && (len(o.Turn.Overridden) != c.overridden || o.Turn.ActorID != "ren") {
				t.Errorf("actor %s, overridden %s", o.Turn.ActorID, jsonOf(t, o.Turn.Overridden))
			}
			if _, err := e.Do(t.Context(), "cave", c.in); !isRefused(err, state.NoPendingConflict, "") {
				t.Errorf("deciding twice: %v", err)
			}
		})
	}
}

// TestMapShowsEveryExit: a scene describes the actor's area and all its exits, with the locks of
// ways and of areas, and nothing more. A map of all areas mentions the lock of an area once, in the
// line of the area.
func TestMapShowsEveryExit(t *testing.T) {
	t.Parallel()
	for dialog, want := range map[string]string{
		"scene": "# Map\nHall (hall)\n  Exits: Gate (gate), Vault (vault) [locked until midnight], Tower (tower)",
		"action": "# Map\n- Gate (gate): Two stone pillars.\n  Exits: Hall (hall), Tower (tower) [locked until dawn]\n" +
			"- Hall (hall)\n  Exits: Gate (gate), Vault (vault), Tower (tower)\n- Vault (vault) [locked until midnight]\n" +
			"  Exits: Hall (hall)\n- Tower (tower)\n  Exits: Gate (gate) [locked until dawn]",
	} {
		m := begin(t, game.Content{}, `{"characters": [{"character_id": "ren", "name": "Ren", "area_id": "hall",
			"hp": {"current": 1, "max": 1}}], "settings": {"dialog.manual_type": "`+dialog+`"}}`)
		step(t, m, turn.Submit{Text: "I look around."})
		if diff := cmp.Diff(want, blocks(m.Todo().Generate.Request)["map"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dialog, diff)
		}
	}
}

// TestAcceptedTextKeepsTheReport: the errors of the last output are recorded, also errors that its
// text alone does not show.
func TestAcceptedTextKeepsTheReport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ output, want, reason string }{
		{`{"text": "The wind dies.", "hp": 3}`, "structured_state_write", "a structured write"},
		{output("You enter the Hall and lose 3 HP.", moveHall), "hp_change_unsettled",
			"the report's conflicts, though the move goes with the state"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			m := begin(t, game.Content{}, `{"settings": {"retry.max_retries": 0}}`)
			if o := say(t, m, "I wait.", c.output); o.Status != turn.Conflict {
				t.Fatalf("outcome %s", jsonOf(t, o))
			}
			o := play(t, m, turn.ResolveConflict{Decision: state.DecideAccept})
			var kinds []string
			for _, k := range o.Turn.Overridden {
				kinds = append(kinds, k.Kind)
			}
			if got := strings.Join(kinds, " "); got != c.want || len(o.Turn.Applied) != 0 {
				t.Errorf("overridden %q with %d actions, want %q", got, len(o.Turn.Applied), c.want)
			}
		})
	}
}
