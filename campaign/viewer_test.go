package campaign_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// Private turns of one player are hidden from the other: in prompts, and in the history.
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
		for t, err := range engine.History(ctx, "mill", state.HistoryPage{Viewer: viewer}) {
			fmt.Println(viewer, "has read:", t.Text, err)
		}
	}
	// Output:
	// for [ann]
	// ann has read: Ann finds a key. <nil>
	// ann has read: Rain. <nil>
	// bob has read: Rain. <nil>
}

// TestProceedInPrivate: CA-44. A private turn without a line is as private as a turn with a line.
// This is so in prompts, in new answers, in the report of a conflict and in its decision.
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
	if o := do(t, e, turn.Proceed{ActorID: "ren", Audience: []string{"nobody"}}); o.Reason != state.UnknownCharacter {
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

// TestHistoryForAViewer: CA-44, CA-51. Pages and comparisons for a character contain what it has
// heard and may know, page by page, and no word of the rest.
func TestHistoryForAViewer(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("Reply %d CANARY-%d.\nset_attribute('note', 'CANARY-NOTE-%d');", i, i, i))
	}
	cfg := campaign.Config{Model: scripted(texts...), Game: compile(t, game.Content{Rules: game.Rules{Variables: []rules.Variable{
		{ID: "note", Type: rules.TypeString, AIAccess: rules.AIWrite}, {ID: "plot", Type: rules.TypeString, Default: value(t, `"CANARY-PLOT"`), Internal: true}}}})}
	e := newEngine(t, cfg, secretRule, `{"settings": {"turn.order": "free", "visibility.mode": "strict"}}`)
	for i := range 40 {
		in := turn.Submit{ActorID: "mei", Text: fmt.Sprint("Line ", i)}
		if i%4 != 0 { // of four turns Mei hears one
			in.ActorID, in.Audience = "ren", []string{"ren"}
		}
		turnOf(t, e, in)
	}
	page := func(p state.HistoryPage) (out []state.HistoryTurn) {
		for one, err := range e.History(t.Context(), "cave", p) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, one)
		}
		return out
	}
	all := page(state.HistoryPage{Viewer: "mei"})
	if len(all) != 10 || len(page(state.HistoryPage{Viewer: "ren"})) != 40 || len(page(state.HistoryPage{})) != 40 {
		t.Fatalf("Mei has heard %d turns", len(all))
	}
	var paged []state.HistoryTurn
	for before := ""; ; before = paged[len(paged)-1].ID {
		next := page(state.HistoryPage{Viewer: "mei", Before: before, Limit: 3})
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
	between, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: "turn_0001", B: "turn_0040", Viewer: "mei"})
	if err != nil {
		t.Fatal(err)
	}
	wantHasNot(t, "what Mei sees of the difference", jsonOf(t, between), "CANARY-NOTE-39", "CANARY-PLOT", "secrets", "RULE-OF-REN", "hook_state")
	own, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: "turn_0001", B: "turn_0040", Viewer: "ren"})
	if err != nil {
		t.Fatal(err)
	}
	wantHas(t, "what Ren sees of it", jsonOf(t, own), "CANARY-NOTE-39")
	var heard []string
	for i := 4; i < 40; i += 4 {
		heard = append(heard, state.TurnID(i+1))
	}
	if !slices.Equal(between.B, heard) || between.Ancestor != "turn_0001" || len(own.B) != 39 {
		t.Errorf("Mei sees that the turns %v lie between, of %s; Ren %d", between.B, between.Ancestor, len(own.B))
	}
	if unheard, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: "turn_0002", B: "turn_0005", Viewer: "mei"}); err != nil ||
		unheard.Ancestor != "" || !slices.Equal(unheard.B, []string{"turn_0005"}) {
		t.Errorf("behind a turn that Mei did not hear: %+v, %v", unheard, err)
	}
}

// TestEffectsOfPrivateTurns: CA-44. Effects for the host name their audience: in the stream, again
// after a process has died, and if hooks run for the turn later.
func TestEffectsOfPrivateTurns(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{everyTurn("r", effect.Notify{Message: "A bell."})}}})
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("Rain.", "A key.")}, twoPlayers(state.AudienceStrict))
	var heard []string
	listen := func(seq iter.Seq2[campaign.Progress, error]) {
		t.Helper()
		for p, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			if h, ok := p.(campaign.HostEffect); ok {
				heard = append(heard, strings.Join(h.Audience, ","))
			}
		}
	}
	listen(e.Stream(t.Context(), "cave", turn.Submit{ActorID: "mei", Text: "We look."}))
	listen(e.Stream(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "I look.", Audience: []string{"ren"}}))
	listen(e.Handover(t.Context(), "cave", 1))
	if want := []string{"", "ren", "", "ren"}; !slices.Equal(heard, want) {
		t.Errorf("the effects are for %q, want %q", heard, want)
	}
}

// TestSuggestionsAreForTheActor: CA-44. Suggestions may contain what only the actor knows, so they
// are for the actor alone. Without secrets they are for everybody.
func TestSuggestionsAreForTheActor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode    state.AudienceMode
		private []string
		want    []string
	}{
		{state.AudienceStrict, []string{"ren"}, []string{"ren"}},
		{state.AudienceMarked, []string{"ren"}, []string{"ren"}},
		{state.AudienceOff, []string{"ren"}, nil},
		{state.AudienceStrict, nil, nil},
	} {
		e := newEngine(t, campaign.Config{Model: scripted("A key.", `["I take it."]`)}, twoPlayers(c.mode))
		turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I look.", Audience: c.private})
		o := do(t, e, turn.Suggest{ActorID: "ren", N: 1, Kind: state.SuggestLines})
		if len(o.Suggestions) != 1 || !slices.Equal(o.Audience, c.want) {
			t.Errorf("%s %v: %s", c.mode, c.private, jsonOf(t, o))
		}
	}
}

// TestLoreKeepsPrivateVariables: CA-44. An active entry or a module's book reveals the variables of
// its conditions. For a viewer who may not know a variable the conditions do not hold through it.
func TestLoreKeepsPrivateVariables(t *testing.T) {
	t.Parallel()
	entry := func(id, condition, text string) worldbook.Entry {
		return worldbook.Entry{UID: id, Constant: true, Content: text, Probability: 100, Position: worldbook.PositionBeforeCharacter,
			Conditions: []byte(condition)}
	}
	content := game.Content{
		Rules: game.Rules{
			Variables: []rules.Variable{{ID: "note", Type: rules.TypeString, AIAccess: rules.AIWrite}},
			Modules: []rules.Module{{ID: "sworn", Activation: rules.Activation{Mode: rules.ModeConditions,
				Conditions: []rules.Condition{is("note", tree.Text("canary"))}}}},
		},
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
			entry("1", `{"variableId": "note", "operator": "eq", "value": "canary"}`, "LORE-SWORN"),
			entry("2", `{"variableId": "note", "operator": "contains", "value": "can"}`, "LORE-PART"),
		}}}, lore("sworn", "LORE-MODULE")}},
	}
	for _, c := range []struct {
		mode state.AudienceMode
		sees bool // Mei's prompt has them
	}{{state.AudienceStrict, false}, {state.AudienceMarked, true}, {state.AudienceOff, true}} {
		cfg := campaign.Config{Game: compile(t, content), Model: scripted("So be it.\nset_attribute('note', 'canary');", "Nothing.", "Nothing.")}
		requests := observed(&cfg)
		e := newEngine(t, cfg, twoPlayers(c.mode))
		turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I swear.", Audience: []string{"ren"}})
		turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I wait."})
		turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I wait."})
		mei, ren := jsonOf(t, (*requests)[1]), jsonOf(t, (*requests)[2])
		wantHas(t, "Ren's prompt", ren, "LORE-SWORN", "LORE-PART", "LORE-MODULE")
		for _, word := range []string{"LORE-SWORN", "LORE-PART", "LORE-MODULE"} {
			if strings.Contains(mei, word) != c.sees {
				t.Errorf("%s: %s in Mei's prompt: %t", c.mode, word, !c.sees)
			}
		}
	}
}

// TestShortSecretsThatRulesCopy: CA-44. A value that a rule, a reaction or a formula may have
// copied from a private variable is equally private, however short it is. The same word from a
// different source is not.
func TestShortSecretsThatRulesCopy(t *testing.T) {
	t.Parallel()
	onBell := func(id string, actions ...effect.Effect) rules.Rule {
		return rules.Rule{ID: id, Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"bell"}}, Actions: actions}
	}
	text := func(id, path string) rules.Variable {
		return rules.Variable{ID: id, Path: path, Type: rules.TypeString, AIAccess: rules.AIWrite}
	}
	content := game.Content{Rules: game.Rules{
		Variables: []rules.Variable{text("note", "stat_data.note"), text("echo", "stat_data.deep.echo"), text("list", ""), text("mood", "")},
		Rules: []rules.Rule{
			onBell("copy", effect.SetVariable{Path: "echo", Operation: effect.Set, ValueRef: "note"}),
			onBell("add", effect.SetVariable{Path: "list", Operation: effect.Append, ValueRef: "note"}),
			onBell("word", set("mood", effect.Set, tree.Text("brass"))),
		},
	}}
	cfg := campaign.Config{Game: compile(t, content), Model: scripted("So be it.\nset_status('note', 'brass');", "It rings.", "Nothing.", "Nothing.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, twoPlayers(state.AudienceStrict), `{"variables": {"stat_data": {"note": "", "deep": {"echo": ""}}}}`)
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I swear.", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I ring the bell."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I wait."})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I wait."})
	ren, mei := jsonOf(t, (*requests)[2]), jsonOf(t, (*requests)[3])
	for text, private := range map[string]bool{`note\":\"brass`: true, `echo\":\"brass`: true, `list\":\"brass`: true, `mood\":\"brass`: false} {
		if !strings.Contains(ren, text) || strings.Contains(mei, text) == private {
			t.Errorf("%s: Ren is told %t, Mei %t", text, strings.Contains(ren, text), strings.Contains(mei, text))
		}
	}
}

// TestRecentTurnsAreThoseHeard: CA-44. A prompt has as many of the newest turns as configured that
// the viewer has heard, however many others are between them and wherever they are stored. The
// search has a limit.
func TestRecentTurnsAreThoseHeard(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	for _, c := range []struct {
		between int
		want    []string
		reason  string
	}{
		{0, []string{"LINE-B", "LINE-C"}, "nothing between"},
		{5, []string{"LINE-B", "LINE-C"}, "a few between"},
		{40, []string{"LINE-B", "LINE-C"}, "more than the head holds"},
		{90, nil, "more than are passed over"},
	} {
		texts := make([]string, c.between+5)
		for i := range texts {
			texts[i] = fmt.Sprint("Reply ", i)
		}
		var requests []string
		cfg := campaign.Config{Model: scripted(texts...), Store: &campaign.MemoryStore{}}
		cfg.Observe = requestsAsText(&requests)
		e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict", "context.full_context_enabled": false,
			"context.recent_turns": 2, "rollback.max_checkpoints": 2}}`)
		for _, line := range []string{"LINE-A", "LINE-B", "LINE-C"} {
			turnOf(t, e, turn.Submit{ActorID: "mei", Text: line})
		}
		for range c.between {
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "SECRET", Audience: []string{"ren"}})
		}
		cfg.Game, cfg.Now = compile(t, game.Content{}), func() time.Time { return noon }
		fresh, err := campaign.New(cfg) // it has read nothing yet
		if err != nil {
			t.Fatal(err)
		}
		turnOf(t, fresh, turn.Submit{ActorID: "mei", Text: "And now?"})
		last := requests[len(requests)-1]
		for _, line := range []string{"LINE-A", "LINE-B", "LINE-C", "SECRET"} {
			if strings.Contains(last, line) != slices.Contains(c.want, line) {
				t.Errorf("%d between, %s: %s is there: %t", c.between, c.reason, line, strings.Contains(last, line))
			}
		}
		rebuilt, err := fresh.Rebuild(t.Context(), "cave")
		if err != nil || jsonOf(t, rebuilt) != jsonOf(t, campaignOf(t, fresh)) {
			t.Errorf("%d between: the rebuilt campaign is another: %v", c.between, err)
		}
	}
}

// requestsAsText returns all requests to the model as one text.
func requestsAsText(all *[]string) observe.Observer {
	return requests(func(_ string, g question.Generate) { *all = append(*all, fmt.Sprint(g.Request.Messages)) })
}
