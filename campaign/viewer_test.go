package campaign_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/audience"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/history"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/suggestion"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/rules/declare"
)

// What goes on before one of the players is not told to the other: not in prompts, nor in the history
// that is shown to them.
func ExampleEngine_Do_private() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("Rain."), llmtest.Text("Ann finds a key.")), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "We look out."})
	o, err := engine.Do(ctx, "mill", turn.Proceed{Instructions: "Ann finds something.", Audience: []string{"ann"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("for", o.Audience)
	for _, viewer := range []string{"ann", "bob"} {
		for t, err := range engine.History(ctx, "mill", history.Page{Viewer: viewer}) {
			fmt.Println(viewer, "has read:", t.Text, err)
		}
	}
	// Output:
	// for [ann]
	// ann has read: Ann finds a key. <nil>
	// ann has read: Rain. <nil>
	// bob has read: Rain. <nil>
}

// TestProceedInPrivate: CA-44. A turn without a line that only some hear is as private as one with
// a line: for prompts, for more answers, for the report of a conflict and what is decided about it.
func TestProceedInPrivate(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("SECRET-ONE comes.", "SECRET-TWO comes.", "You lose 3 HP, SECRET-THREE.", "SECRET-FOUR.", "Mei sees pillars.", "So it is.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict", "retry.max_retries": 0}}`)
	in := turn.Proceed{ActorID: "ren", Instructions: "A SECRET-WISH.", Audience: []string{"ren", "ren"}, ClientTurnID: "c1"}
	first := do(t, e, in)
	if again := do(t, e, in); !again.Replayed || !slices.Equal(again.Audience, []string{"ren"}) {
		t.Errorf("repeated: %s", jsonOf(t, again))
	}
	in.Audience = nil
	if o := do(t, e, in); o.Reason != string(state.IdempotencyConflict) {
		t.Errorf("the same id for everybody: %s", jsonOf(t, o))
	}
	swiped := do(t, e, turn.Regenerate{})
	report := do(t, e, turn.Proceed{ActorID: "ren", Audience: []string{"ren"}, ClientTurnID: "c2"})
	retried := do(t, e, turn.ResolveConflict{Decision: state.DecideRetry})
	for what, o := range map[string]turn.Outcome{"first": first, "swiped": swiped, "report": report, "retried": retried} {
		if !slices.Equal(o.Audience, []string{"ren"}) || o.Turn != nil && !slices.Equal(o.Turn.Audience, []string{"ren"}) {
			t.Errorf("%s is for %v: %s", what, o.Audience, jsonOf(t, o))
		}
	}
	if report.Status != turn.Conflict || retried.Turn == nil {
		t.Fatalf("%s, %s", report.Status, jsonOf(t, retried))
	}
	if o := do(t, e, turn.Proceed{ActorID: "ren", Audience: []string{"ren"}, ClientTurnID: "c2"}); !o.Replayed {
		t.Errorf("the turn that was decided about, again: %s", jsonOf(t, o))
	}
	if o := do(t, e, turn.Proceed{ActorID: "ren", Audience: []string{"nobody"}}); o.Reason != audience.UnknownCharacter {
		t.Errorf("%s", jsonOf(t, o))
	}
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I look."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "And?"})
	wantHasNot(t, "Mei's prompt", jsonOf(t, (*requests)[4]), "SECRET")
	wantHas(t, "Ren's prompt", jsonOf(t, (*requests)[5]), "SECRET-TWO", "SECRET-FOUR")
	rebuilt, err := e.Rebuild(t.Context(), "cave")
	if err != nil || jsonOf(t, rebuilt) != jsonOf(t, campaignOf(t, e)) {
		t.Errorf("the rebuilt campaign is another: %v", err)
	}
}

// TestHistoryForAViewer: CA-44, CA-51. Pages and comparisons for a character hold what it has heard
// and may know, page by page, and no word of the rest.
func TestHistoryForAViewer(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("Reply %d CANARY-%d.\nset_attribute('note', 'CANARY-NOTE-%d');", i, i, i))
	}
	cfg := campaign.Config{Model: scripted(texts...), Game: compile(t, game.Content{Variables: []declare.Variable{
		{ID: "note", Type: declare.String, AIAccess: declare.AIWrite}, {ID: "plot", Type: declare.String, Default: value(t, `"CANARY-PLOT"`), Internal: true}}})}
	e := newEngine(t, cfg, secretRule, `{"settings": {"turn.order": "free", "visibility.mode": "strict"}}`)
	for i := range 40 {
		in := turn.Submit{ActorID: "mei", Text: fmt.Sprint("Line ", i)}
		if i%4 != 0 { // of four turns Mei hears one
			in.ActorID, in.Audience = "ren", []string{"ren"}
		}
		turnOf(t, e, in)
	}
	page := func(p history.Page) (out []history.Turn) {
		for one, err := range e.History(t.Context(), "cave", p) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, one)
		}
		return out
	}
	all := page(history.Page{Viewer: "mei"})
	if len(all) != 10 || len(page(history.Page{Viewer: "ren"})) != 40 || len(page(history.Page{})) != 40 {
		t.Fatalf("Mei has heard %d turns", len(all))
	}
	var paged []history.Turn
	for before := ""; ; before = paged[len(paged)-1].ID {
		next := page(history.Page{Viewer: "mei", Before: before, Limit: 3})
		if paged = append(paged, next...); len(next) < 3 {
			break
		}
	}
	if jsonOf(t, paged) != jsonOf(t, all) {
		t.Errorf("page by page it is another history: %d turns", len(paged))
	}
	seen := jsonOf(t, all)
	for i := range 40 {
		if heard := strings.Contains(seen, fmt.Sprintf("CANARY-%d.", i)); heard != (i%4 == 0) {
			t.Errorf("turn %d is in Mei's history: %t", i+1, heard)
		}
	}
	wantHasNot(t, "Mei's history", seen, "CANARY-NOTE", "attempts", "trace")
	between, err := e.Compare(t.Context(), "cave", history.Between{A: "turn_0001", B: "turn_0040", Viewer: "mei"})
	if err != nil {
		t.Fatal(err)
	}
	wantHasNot(t, "what Mei sees of the difference", jsonOf(t, between), "CANARY-NOTE-39", "CANARY-PLOT", "secrets", "RULE-OF-REN", "hook_state")
	own, err := e.Compare(t.Context(), "cave", history.Between{A: "turn_0001", B: "turn_0040", Viewer: "ren"})
	if err != nil {
		t.Fatal(err)
	}
	wantHas(t, "what Ren sees of it", jsonOf(t, own), "CANARY-NOTE-39")
}

// TestSuggestionsAreForTheActor: CA-44. What is suggested may tell what the actor alone knows, so
// it is for that one; without secrets it is for everybody.
func TestSuggestionsAreForTheActor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode    audience.Mode
		private []string
		want    []string
	}{
		{audience.Strict, []string{"ren"}, []string{"ren"}},
		{audience.Marked, []string{"ren"}, []string{"ren"}},
		{audience.Off, []string{"ren"}, nil},
		{audience.Strict, nil, nil},
	} {
		e := newEngine(t, campaign.Config{Model: scripted("A key.", `["I take it."]`)}, twoPlayers(c.mode))
		turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I look.", Audience: c.private})
		o := do(t, e, turn.Suggest{ActorID: "ren", N: 1, Kind: suggestion.Lines})
		if len(o.Suggestions) != 1 || !slices.Equal(o.Audience, c.want) {
			t.Errorf("%s %v: %s", c.mode, c.private, jsonOf(t, o))
		}
	}
}
