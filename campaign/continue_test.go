package campaign_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// CA-42, CA-52: the longer turn replaces the head turn. Its calls are judged in the state after the
// head turn.
func TestContinue(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, line, one, more, want, repeat, next string }{
		{"en", "I fight.", "Ren loses 3 hit points.", "Then Ren loses 2 hit points more.",
			"Ren loses 3 hit points. Then Ren loses 2 hit points more.", "He stands.", "Over."},
		{"zh", "我战斗。", "Ren失去3点生命。", "接着Ren又失去2点生命。", "Ren失去3点生命。接着Ren又失去2点生命。", "他站着。", "结束了。"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted(wound(tc.one, 3), wound(tc.more, 2), tc.want+tc.repeat, tc.next)}
			seen := observed(&cfg)
			e := newEngine(t, cfg)
			turnOf(t, e, turn.Submit{Text: tc.line, ClientTurnID: "s"})
			in := turn.Continue{Instructions: "No {{char}}.", ClientTurnID: "c", ExpectedHead: "turn_0001"}
			o, err := e.Do(t.Context(), "cave", in)
			if err != nil || o.Err() != nil || o.Turn.ID != "turn_0001" || o.Turn.Text != tc.want || len(o.Turn.Applied) != 2 ||
				len(o.Attempts) != 2 || len(o.Turn.Continued) != 1 || o.Turn.Text[:o.Turn.Continued[0].At] != tc.one {
				t.Fatalf("continued: %v %s", err, jsonOf(t, o))
			}
			asked := (*seen)[1].Messages
			if got := asked[len(asked)-1].Message.Text; !strings.Contains(got, in.Instructions) {
				t.Errorf("the last message is %q", got)
			}
			if got := asked[len(asked)-2]; got.Message.Text != tc.one || got.Message.Role != "assistant" {
				t.Errorf("what goes on is %+v", got)
			}
			if n := strings.Count(askedText((*seen)[1]), tc.line); n != 1 {
				t.Errorf("the line is %d times in the prompt", n)
			}
			c := campaignOf(t, e)
			if hp := c.State.Characters[0].HP.Current; hp != 5 || c.State.TurnCount != 1 || c.TurnCounter != 1 || len(c.Turns) != 1 {
				t.Errorf("%d hit points after %d turns, %d kept", hp, c.State.TurnCount, len(c.Turns))
			}
			if again, err := e.Do(t.Context(), "cave", in); err != nil || !again.Replayed || again.Turn.Text != tc.want {
				t.Errorf("repeated: %v %s", err, jsonOf(t, again))
			}
			if again := turnOf(t, e, turn.Submit{Text: tc.line, ClientTurnID: "s"}); !again.Replayed || again.Turn.Text != tc.want {
				t.Errorf("the line repeated: %s", jsonOf(t, again))
			}
			// A model that repeats the existing text has not said it twice.
			o = do(t, e, turn.Continue{})
			if want := tc.want + tc.repeat; o.Turn == nil || o.Turn.Text != want {
				t.Fatalf("repeating: %s", jsonOf(t, o))
			}
			turnOf(t, e, turn.Submit{Text: "On."})
			if text := askedText((*seen)[3]); !strings.Contains(text, tc.want+tc.repeat) {
				t.Errorf("the next prompt lacks the whole:\n%s", text)
			}
			rebuilt(t, e)
		})
	}
}

// CA-42: the whole text is judged as one output. Calls of the first part support no claim of the
// second, and claims of the first part are not checked again.
func TestContinueIsJudged(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted(wound("Ren loses 3 hit points.", 3), "Again Ren loses 3 hit points.", "Ren loses 3 hit points.")}, `{"settings": {"retry.max_retries": 1}}`)
	turnOf(t, e, turn.Submit{Text: "I fight."})
	before := campaignOf(t, e)
	o := do(t, e, turn.Continue{})
	if o.Status != turn.Conflict || o.Report.Ask == nil || o.Report.Ask.Instruction != "continue" {
		t.Fatalf("a second wound without a call: %s", jsonOf(t, o))
	}
	if c := campaignOf(t, e); jsonOf(t, c.State) != jsonOf(t, before.State) || c.Turns[0].Text != before.Turns[0].Text {
		t.Errorf("something has changed:\n%s", cmp.Diff(jsonOf(t, before), jsonOf(t, c)))
	}
	o = do(t, e, turn.ResolveConflict{Decision: state.DecideOverride, Text: "Ren sits down."})
	if o.Turn == nil || o.Turn.Text != "Ren loses 3 hit points. Ren sits down." || o.Turn.ID != "turn_0001" {
		t.Fatalf("overridden: %s", jsonOf(t, o))
	}
	rebuilt(t, e)
}

// CA-42: a continued turn keeps its place among the answers, and its labelled checkpoint.
func TestContinueAndChoose(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("One.", "Two.", wound("Ren loses 1 hit points.", 1), "Three.")})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	do(t, e, turn.Regenerate{})
	if o := do(t, e, turn.Continue{}); o.Turn == nil || o.Turn.Text != "Two. Ren loses 1 hit points." {
		t.Fatal(jsonOf(t, o))
	}
	long := jsonOf(t, campaignOf(t, e).State)
	do(t, e, turn.Choose{TurnID: "turn_0001"})
	if hp := campaignOf(t, e).State.Characters[0].HP.Current; hp != 10 {
		t.Errorf("%d hit points", hp)
	}
	do(t, e, turn.Choose{TurnID: "turn_0002"})
	c := campaignOf(t, e)
	if jsonOf(t, c.State) != long {
		t.Errorf("not as it was left:\n%s", cmp.Diff(long, jsonOf(t, c.State)))
	}
	if n := len(slices.DeleteFunc(slices.Clone(c.Checkpoints), func(cp state.Checkpoint) bool { return cp.TurnID != "turn_0002" })); n != 1 {
		t.Errorf("%d checkpoints of the turn", n)
	}
	turnOf(t, e, turn.Submit{Text: "On."})
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0002"}); err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, campaignOf(t, e).State); got != long {
		t.Errorf("rolled back:\n%s", cmp.Diff(long, got))
	}
	rebuilt(t, e)
}

// CA-42: an edit replaces the shown and prompted text, keeps the original, and does not change the
// state.
func TestEditText(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "It lifts.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	turnOf(t, e, turn.Submit{Text: "I wait longer."})
	before := campaignOf(t, e)
	o, err := e.Do(t.Context(), "cave", turn.EditText{TurnID: "turn_0001", Text: "Ren loses 4 hit points. set_status('purse', 9)"})
	if err != nil || o.Turn.Original != "One." || len(o.Turn.EditFindings) == 0 || o.Turn.EditFindings[0].EntityID != "ren" {
		t.Fatalf("%v %s", err, jsonOf(t, o))
	}
	c := campaignOf(t, e)
	if jsonOf(t, c.State) != jsonOf(t, before.State) || len(c.Turns) != 2 {
		t.Errorf("the state has changed:\n%s", cmp.Diff(jsonOf(t, before.State), jsonOf(t, c.State)))
	}
	if r, err := e.Report(t.Context(), "cave", "turn_0001"); err != nil || !strings.Contains(r.String(), "One.") || len(r.Section("prompt").Items) == 0 {
		t.Errorf("a report on the edited turn: %v, %s", err, r)
	}
	turnOf(t, e, turn.Submit{Text: "And now?"})
	if text := askedText((*seen)[2]); strings.Contains(text, "One.") || !strings.Contains(text, "Ren loses 4 hit points.") {
		t.Errorf("the prompt:\n%s", text)
	}
	if o, err = e.Do(t.Context(), "cave", turn.EditText{TurnID: "turn_0001", Text: "One."}); err != nil || o.Turn.Original != "" || o.Turn.EditFindings != nil {
		t.Errorf("edited back: %v %s", err, jsonOf(t, o))
	}
	if o, err = e.Do(t.Context(), "cave", turn.EditText{TurnID: "turn_0001", Text: "One."}); err != nil || !o.Replayed {
		t.Errorf("the same again: %v %s", err, jsonOf(t, o))
	}
	do(t, e, turn.EditText{TurnID: "turn_0003", Text: "Fog."})
	if o = do(t, e, turn.Continue{}); o.Turn == nil || o.Turn.Text != "Fog. It lifts." || o.Turn.Original != "" {
		t.Errorf("an edited text is continued: %s", jsonOf(t, o))
	}
	for _, tc := range []struct {
		id, text string
		code     state.RefusalCode
		detail   string
	}{
		{"turn_0009", "x", state.UnknownTurn, `no turn "turn_0009"`}, {"", "x", state.UnknownTurn, `no turn ""`},
		{"0001", "x", state.UnknownTurn, `no turn "0001"`}, {"turn_0000", "x", state.UnknownTurn, `no turn "turn_0000"`},
		{"turn_0001", " \n", state.EmptyInput, "the text is blank: write the new text of the reply"}, {"turn_0001", strings.Repeat("x", turn.MaxReplyBytes+1), state.TextTooLong, ""},
	} {
		if _, err := e.Do(t.Context(), "cave", turn.EditText{TurnID: tc.id, Text: tc.text}); !isRefused(err, tc.code, tc.detail) {
			t.Errorf("%s %.5q: %v", tc.id, tc.text, err)
		}
	}
	rebuilt(t, e)
}

// CA-42: the greetings of the card are alternatives too, before the first turn.
func TestGreetingIsChosen(t *testing.T) {
	t.Parallel()
	card := &card.Card{Name: "Mei", FirstMes: "Hello. {{setvar::mood::calm}}{{random::A::B::C}}",
		AlternateGreetings: []string{"Go away, {{user}}. {{setvar::anger::9}}", "嗯。"}}
	cfg := campaign.Config{Game: compile(t, game.Content{People: game.People{Card: card}}), Model: scripted("One.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"greeting_id": "0"}`)
	first := jsonOf(t, campaignOf(t, e).State)
	if _, err := e.Do(t.Context(), "cave", turn.Choose{Greeting: new(1)}); err != nil {
		t.Fatal(err)
	}
	c := campaignOf(t, e)
	if c.State.Greeting != "Go away, Ren. " || c.State.GreetingID != "1" || !strings.Contains(jsonOf(t, c.State.Macros), "anger") ||
		strings.Contains(jsonOf(t, c.State.Macros), "mood") || c.State.Random != 0 {
		t.Errorf("the second greeting: %s", jsonOf(t, c.State))
	}
	if _, err := e.Do(t.Context(), "cave", turn.Choose{Greeting: new(0)}); err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, campaignOf(t, e).State); got != first {
		t.Errorf("not as it began:\n%s", cmp.Diff(first, got))
	}
	if o, err := e.Do(t.Context(), "cave", turn.Choose{Greeting: new(0)}); err != nil || !o.Replayed {
		t.Errorf("what is chosen already: %v %s", err, jsonOf(t, o))
	}
	for _, n := range []int{-1, 3} {
		if _, err := e.Do(t.Context(), "cave", turn.Choose{Greeting: new(n)}); !isRefused(err, state.UnknownAlternative, fmt.Sprintf("the game has no greeting %d", n)) {
			t.Errorf("greeting %d: %v", n, err)
		}
	}
	do(t, e, turn.Choose{Greeting: new(2)})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if text := askedText((*seen)[0]); !strings.Contains(text, "嗯。") || strings.Contains(text, "Go away") {
		t.Errorf("the prompt:\n%s", text)
	}
	if _, err := e.Do(t.Context(), "cave", turn.Choose{Greeting: new(0)}); !isRefused(err, state.UnknownAlternative, `the greeting is chosen before the first turn`) {
		t.Errorf("after the first turn: %v", err)
	}
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: state.StartTurnID}); err != nil {
		t.Fatal(err)
	}
	if c := campaignOf(t, e); c.State.Greeting != "嗯。" {
		t.Errorf("the start is the one that was chosen, not %q", c.State.Greeting)
	}
	rebuilt(t, e)
}

// TestGreetingTakesItsVariablesBack: what the templates of a greeting wrote goes with it: the campaign is
// then as if it had begun with the chosen greeting. Changes of the host stay. After a turn and a
// rollback to the start this still holds (CA-42).
func TestGreetingTakesItsVariablesBack(t *testing.T) {
	t.Parallel()
	greetings := []string{"<% setvar('mood', 'calm'); setvar('door.open', true) %>Hello.", "<% setvar('mood', getvar('mood') + ', cross') %>Go away.", "Hm."}
	content := game.Content{People: game.People{Card: &card.Card{Name: "Mei", FirstMes: greetings[0], AlternateGreetings: greetings[1:]}}}
	begun := func(first int) *campaign.Engine {
		return newEngine(t, campaign.Config{Game: compile(t, content), Model: scripted("One.")},
			fmt.Sprintf(`{"greeting_id": "%d", "variables": {"mood": "dull", "door": {"open": false}}}`, first))
	}
	var want []string
	for n := range greetings {
		want = append(want, jsonOf(t, campaignOf(t, begun(n)).State))
	}
	for first := range greetings {
		e := begun(first)
		for _, n := range []int{1, 0, 2, 1, 2, 0, 1} {
			do(t, e, turn.Choose{Greeting: &n})
			if got := jsonOf(t, campaignOf(t, e).State); got != want[n] {
				t.Errorf("greeting %d, begun with %d:\n%s", n, first, cmp.Diff(want[n], got))
			}
		}
		turnOf(t, e, turn.Submit{Text: "I wait."})
		if c := campaignOf(t, e); c.State.BeforeGreeting != nil {
			t.Error("the first turn keeps the variables before the greeting")
		}
		do(t, e, turn.RollBack{To: state.StartTurnID})
		do(t, e, turn.Choose{Greeting: new(0)})
		if got := campaignOf(t, e).State.Variables.String(); got != `{"mood":"calm","door":{"open":true}}` {
			t.Errorf("after a rollback: %s", got)
		}
		do(t, e, turn.ApplyEffects{By: "editor", Effects: effect.List{effect.SetVariable{Path: "lamp", Operation: effect.Set, Value: tree.Int(1)}}})
		do(t, e, turn.Choose{Greeting: new(2)})
		if got := campaignOf(t, e).State.Variables.String(); got != `{"mood":"dull","door":{"open":false},"lamp":1}` {
			t.Errorf("after a change of the host: %s", got)
		}
		rebuilt(t, e)
	}
}

// CA-42, CA-43: an answer that was not chosen is not recalled, and neither is a text from before an
// edit. A continued text is recalled.
func TestMemoryOfAlternatives(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Services: campaign.Services{Memory: &memory.Index{}}, Model: scripted("The pearl is in the well.", "The pearl is in the oven.",
		"And the heron saw it.", "Rain.", "Snow.", "Hail.", "It is there.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, window)
	turnOf(t, e, turn.Submit{Text: "Where is the pearl?"})
	do(t, e, turn.Regenerate{})
	do(t, e, turn.Choose{TurnID: "turn_0001"})
	do(t, e, turn.Continue{})
	for range 3 {
		turnOf(t, e, turn.Submit{Text: "I walk."})
	}
	do(t, e, turn.EditText{TurnID: "turn_0003", Text: "A pearl of dew."})
	turnOf(t, e, turn.Submit{Text: "Did the heron see the pearl?"})
	got := blocks((*seen)[6])["memory"]
	if strings.Contains(got, "oven") || !strings.Contains(got, "The pearl is in the well. And the heron saw it.") || !strings.Contains(got, "dew") {
		t.Errorf("recalled: %s", got)
	}
}

// CA-42, CA-49: in a turn with several speakers the last reply is continued, and each reply can be
// edited.
func TestContinueOfACast(t *testing.T) {
	t.Parallel()
	cards := []game.CastMember{
		{CharacterID: "ren", Card: &card.Card{Name: "Ren"}}, {CharacterID: "mei", Card: &card.Card{Name: "Mei"}}}
	cfg := campaign.Config{Game: compile(t, game.Content{People: game.People{Cast: cards}}), Model: scripted("I wait.", "So do I.", "But not for long.", "Yes.", "No.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"cast.order": "list"}, "selected": {"party_character_ids": ["ren", "mei"], "active_actor_id": "ren"}}`)
	turnOf(t, e, turn.Submit{Text: "What do you do?"})
	o := do(t, e, turn.Continue{})
	if o.Turn == nil || o.Turn.Text != "I wait.\n\nSo do I. But not for long." || len(o.Turn.Replies) != 2 ||
		o.Turn.Replies[1].Text != "So do I. But not for long." || o.Turn.Replies[0].Text != "I wait." {
		t.Fatalf("continued: %s", jsonOf(t, o))
	}
	o = do(t, e, turn.EditText{TurnID: "turn_0001", Reply: 0, Text: "I go."})
	if o.Turn == nil || o.Turn.Text != "I go.\n\nSo do I. But not for long." || o.Turn.Original == "" {
		t.Fatalf("edited: %s", jsonOf(t, o))
	}
	if _, err := e.Do(t.Context(), "cave", turn.EditText{TurnID: "turn_0001", Reply: 2, Text: "I go."}); !isRefused(err, state.UnknownTurn, `turn_0001 has no reply 2`) {
		t.Errorf("a third reply: %v", err)
	}
	if _, err := e.Do(t.Context(), "cave", turn.EditText{TurnID: "turn_0001", Reply: -1, Text: "I go."}); !isRefused(err, state.UnknownTurn, `turn_0001 has no reply -1`) {
		t.Errorf("a reply before the first: %v", err)
	}
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"cast.order": tree.Text("manual")}})
	turnOf(t, e, turn.Submit{Text: "Silence."})
	if _, err := e.Do(t.Context(), "cave", turn.EditText{TurnID: "turn_0002", Text: "I go."}); !isRefused(err, state.UnknownTurn, `turn_0002 has no reply 0`) {
		t.Errorf("the reply of nobody: %v", err)
	}
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"cast.order": tree.Text("list")}})
	turnOf(t, e, turn.Submit{Text: "Really?"})
	if text := askedText((*seen)[3]); !strings.Contains(text, "I go.") || strings.Contains(text, "I wait.") || !strings.Contains(text, "But not for long.") {
		t.Errorf("the next prompt:\n%s", text)
	}
	rebuilt(t, e)
}

// silentCast returns an engine with a cast of three, of whom nobody speaks uncalled. The third is muted.
func silentCast(t *testing.T) *campaign.Engine {
	t.Helper()
	people := three()
	people[2].Muted = true
	g := compile(t, game.Content{People: game.People{Cast: people}})
	return newEngine(t, campaign.Config{Game: g, Model: numbered()}, `{"settings": {"cast.order": "manual"}}`)
}

// TestContinueWhereNobodySpoke: if a cast gave no reply, the member who spoke last continues the turn,
// muted or not. Before the first reply it is any member who hears the turn (CA-42, CA-49).
func TestContinueWhereNobodySpoke(t *testing.T) {
	t.Parallel()
	e := silentCast(t)
	for i, c := range []struct {
		say  turn.Submit
		want string // an expression
	}{
		{turn.Submit{Text: "Well?"}, "^(ash|reed|chen): It is quiet. \\(1\\)$"},
		{turn.Submit{Text: "You.", Speaker: "chen"}, "^chen: It is quiet. \\(2\\) It is quiet. \\(3\\)$"},
		{turn.Submit{Text: "And?"}, "^chen: It is quiet. \\(4\\)$"},
		{turn.Submit{Text: "Between us?", Audience: []string{"reed"}}, "^reed: It is quiet. \\(5\\)$"},
	} {
		turnOf(t, e, c.say)
		o := do(t, e, turn.Continue{})
		if got := spoken(o.Turn); !regexp.MustCompile(c.want).MatchString(got) || o.Turn.Trace.Cast == nil || o.Turn.Text != strings.SplitN(got, ": ", 2)[1] {
			t.Errorf("turn %d: %q with the choice %v, want %s", i+1, got, o.Turn.Trace.Cast, c.want)
		}
	}
	rebuilt(t, e)
}

// TestSwipeWhereNobodySpoke: if a cast gave no reply, a swipe is answered by the member who spoke last,
// before the first reply by any member who hears the turn. A regeneration asks those whom the line calls
// (CA-42, CA-49).
func TestSwipeWhereNobodySpoke(t *testing.T) {
	t.Parallel()
	e := silentCast(t)
	for i, c := range []struct {
		say  turn.Submit
		want string // an expression
	}{
		{turn.Submit{Text: "Well?"}, "^(ash|reed|chen): It is quiet. \\(1\\)$"},
		{turn.Submit{Text: "You.", Speaker: "chen"}, "^chen: It is quiet. \\(4\\)$"},
		{turn.Submit{Text: "And?"}, "^chen: It is quiet. \\(5\\)$"},
		{turn.Submit{Text: "Between us?", Audience: []string{"reed"}}, "^reed: It is quiet. \\(6\\)$"},
	} {
		turnOf(t, e, c.say)
		if o := do(t, e, turn.Regenerate{}); c.say.Speaker == "" && (o.Turn == nil || spoken(o.Turn) != "") {
			t.Errorf("turn %d: regenerated by %s", i+1, jsonOf(t, o))
		}
		o := do(t, e, turn.Regenerate{Swipe: true})
		if got := spoken(o.Turn); !regexp.MustCompile(c.want).MatchString(got) || o.Turn.Trace.Cast == nil {
			t.Errorf("turn %d: %q with the choice %v, want %s", i+1, got, o.Turn.Trace.Cast, c.want)
		}
	}
	rebuilt(t, e)
}

// TestContinuationKeepsTheDialog: a turn that is continued keeps its dialog type and what has chosen
// it, and no router is asked again.
func TestContinuationKeepsTheDialog(t *testing.T) {
	t.Parallel()
	asked := 0
	e := newEngine(t, campaign.Config{Model: scripted("One.", " And more."), Services: campaign.Services{
		Route: func(context.Context, question.Route) (state.RouteDecision, error) {
			asked++
			return state.RouteDecision{DialogType: game.ChatDialog}, nil
		}}}, `{"settings": {"dialog.auto_route_enabled": true}}`)
	before := turnOf(t, e, turn.Submit{Text: "I wait."}).Turn
	outcome := do(t, e, turn.Continue{})
	after := outcome.Turn
	if before.DialogType != game.ChatDialog || before.DialogTypeSource == "" || after.DialogType != before.DialogType ||
		after.DialogTypeSource != before.DialogTypeSource || outcome.DialogTypeSource != before.DialogTypeSource || asked != 1 {
		t.Errorf("%s by %q, then %s by %q, after %d questions", before.DialogType, before.DialogTypeSource, after.DialogType, after.DialogTypeSource, asked)
	}
}

// TestReportOnAChangedTurn: a report explains the last answer of the model. It skips an edit by hand.
func TestReportOnAChangedTurn(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{optionBook(t, [3]string{"bell", "bell", `"delayRounds":9`})}}})
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("The rain falls.", " The fog lifts.")})
	for _, in := range []turn.Input{turn.Submit{Text: "The bell."}, turn.EditText{TurnID: "turn_0001", Text: "The rain stops."}, turn.Continue{}} {
		do(t, e, in)
		r, err := e.Report(t.Context(), "cave", "turn_0001")
		if lore := r.Section("lore").Items; err != nil || len(lore) != 1 || lore[0].Mark != observe.Near || lore[0].Name != "b.bell" {
			t.Errorf("after %T: %v, %v", in, lore, err)
		}
	}
}

// TestContinueKeepsHooks: a continued turn has the injected texts of its beginning, and its hooks do not
// run again.
func TestContinueKeepsHooks(t *testing.T) {
	t.Parallel()
	list, problems := hooks.Parse([]byte(`[{"name": "bell", "event": "turn.accepted", "trigger_mode": "once_per_conversation",
		"actions": [{"type": "message", "content": "A bell."}, {"type": "prompt_inject", "content": "Fog lies here."}]}]`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg := campaign.Config{Model: scripted("Dust falls.", " It lies.", "Quiet."), Game: compile(t, game.Content{Rules: game.Rules{Hooks: list}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	for i, step := range []struct {
		in   turn.Input
		want []string
		fog  bool
	}{{turn.Submit{Text: "I wait."}, []string{"A bell."}, true}, {turn.Continue{}, nil, true}, {turn.Submit{Text: "I wait on."}, nil, false}} {
		if diff := cmp.Diff(step.want, do(t, e, step.in).Messages); diff != "" {
			t.Errorf("%T (-want +got):\n%s", step.in, diff)
		}
		if got := strings.Contains(askedText((*seen)[i]), "Fog lies here."); got != step.fog {
			t.Errorf("%T: the injected text is in the prompt: %v", step.in, got)
		}
	}
}

// The milestone counts the tokens of a turn's whole text, also of a continuation. A step follows with
// the next turn, and a different answer counts instead of the old one (CA-28).
func TestContinuationCountsForTheMilestone(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("风雪漫过山口。", "远处有狼在叫。", "云遮住了月亮。", "火堆渐渐熄灭。")}, // 7 tokens each
		`{"milestone": {"advance_policy": {"type": "by_token_estimate", "threshold": 20}}}`)
	for _, tc := range []struct {
		in          turn.Input
		value       float64
		tokensSince int
	}{
		{turn.Submit{Text: "我等待。"}, 0, 11},
		{turn.Continue{}, 0, 18},
		{turn.Regenerate{}, 0, 11},
		{turn.PreviousAnswer{}, 0, 18},
		{turn.Submit{Text: "我等待。"}, 1, 9},
	} {
		do(t, e, tc.in)
		if m := campaignOf(t, e).State.Milestone; m.Value != tc.value || m.TokensSince != tc.tokensSince {
			t.Errorf("%T: value %v and %d tokens, want %v and %d", tc.in, m.Value, m.TokensSince, tc.value, tc.tokensSince)
		}
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}
