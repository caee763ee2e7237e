package campaign_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// TestContinuationEndsTheCampaign: a party that falls in the continuation of a reply is defeated,
// as in a turn.
func TestContinuationEndsTheCampaign(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("It grows dark.", output("You are struck.", hurt("ren", "-10")))},
		`{"characters": [{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "status": {"alive_state": "alive"}}],
		"settings": {"conflict.mode": "off"}}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if o := do(t, e, turn.Continue{}); o.Err() != nil || hpOf(t, e, "ren") != 0 {
		t.Fatalf("%v, ren has %d", o.Err(), hpOf(t, e, "ren"))
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I rise."}), "refused campaign_ended")
}

// TestNobodySpeaksInATurnWithoutALine: no rule fires for a message of a player in a turn without a
// line.
func TestNobodySpeaksInATurnWithoutALine(t *testing.T) {
	t.Parallel()
	heard := func(id, what string) reactions.Reaction {
		return reactions.Reaction{ID: id, When: reactions.Pattern{EventType: what},
			Then: reactions.Effects{set(id, effect.Set, tree.Int(1))}}
	}
	e := newEngine(t, campaign.Config{Model: scripted("Dust falls.", "More dust."), Game: compile(t, game.Content{
		Rules: game.Rules{Reactions: []reactions.Reaction{heard("line", event.TypePlayerMessage), heard("reply", event.TypeModelMessage)}}})})
	do(t, e, turn.Proceed{})
	if got := campaignOf(t, e).State.Variables.Root().String(); strings.Contains(got, `"line"`) || !strings.Contains(got, `"reply"`) {
		t.Errorf("without a line: %s", got)
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if got := campaignOf(t, e).State.Variables.Root().String(); !strings.Contains(got, `"line"`) {
		t.Errorf("with one: %s", got)
	}
}

// TestPrivateContextWaits: a text that a private turn sends to the next prompt waits for a prompt
// for its witnesses only, with at most the amount that fits.
func TestPrivateContextWaits(t *testing.T) {
	t.Parallel()
	var sent effect.Actions
	for i := range 70 {
		sent = append(sent, effect.SendContext{Message: fmt.Sprintf("OMEN-%d.", i)})
	}
	sent = append(sent[:69], effect.SendContext{Message: "OMEN-69.", Role: "user"})
	cfg := campaign.Config{Model: scripted("Hm.", "Hm.", "Hm.", "Hm."), Game: compile(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{
		{ID: "omen", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"raven"}}, Actions: sent}}}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"visibility.mode": "strict", "turn.order": "free"}}`)
	turnOf(t, e, turn.Submit{Text: "A raven!", ActorID: "ren", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{Text: "I wait.", ActorID: "mei"})
	if got := askedText((*seen)[1]); strings.Contains(got, "OMEN") {
		t.Errorf("everybody reads:\n%s", got)
	}
	if n := len(campaignOf(t, e).State.Ledger.Pending); n != 64 {
		t.Errorf("%d contexts wait", n)
	}
	turnOf(t, e, turn.Submit{Text: "I look.", ActorID: "ren", Audience: []string{"ren"}})
	wantHas(t, "the prompt of the witness", askedText((*seen)[2]), "OMEN-69.")
	for _, m := range (*seen)[2].Messages {
		if text := m.Message.Text; strings.Contains(text, "OMEN-68.") && m.Message.Role != llm.System || strings.Contains(text, "OMEN-69.") && m.Message.Role != llm.User {
			t.Errorf("the %s says %q", m.Message.Role, text)
		}
	}
	if n := len(campaignOf(t, e).State.Ledger.Pending); n != 0 {
		t.Errorf("%d contexts wait after they were read", n)
	}
}

// TestDepthPromptOfACastMemberOnce: the note of the speaker's card is in the prompt once.
func TestDepthPromptOfACastMemberOnce(t *testing.T) {
	t.Parallel()
	members := three()
	members[1].Card.Extensions = map[string]json.RawMessage{
		"depth_prompt": json.RawMessage(`{"prompt": "Reed is drunk.", "depth": 1, "role": "system"}`)}
	m := begin(t, game.Content{People: game.People{Cast: members}})
	step(t, m, turn.Submit{Text: "Reed?"})
	if got := ask(t, m); strings.Count(got, "Reed is drunk.") != 1 {
		t.Errorf("%d times in\n%s", strings.Count(got, "Reed is drunk."), got)
	}
}

// TestSkippedHooksAreInTheTrace: the trace lists hooks that did not run because of the limit of a
// turn.
func TestSkippedHooksAreInTheTrace(t *testing.T) {
	t.Parallel()
	note := func(id string) hooks.Hook {
		return hooks.Hook{ID: id, Name: id, Event: hooks.On(act.AfterTurnFinished),
			Actions: []act.Action{act.New("notify-player", tree.Member{Key: "message", Value: tree.Text(id)})}}
	}
	e := newEngine(t, campaign.Config{Model: scripted("Dust."), Game: compile(t, game.Content{Rules: game.Rules{
		Hooks: []hooks.Hook{note("one"), note("two")}, HookLimits: hooks.Limits{MaxHooksPerTurn: new(1)},
	}})})
	got := jsonOf(t, turnOf(t, e, turn.Submit{Text: "I wait."}).Turn.Trace.Hooks)
	wantHas(t, "the trace", got, `"one"`, `"two"`, `"skipped"`)
}

// TestNoMacrosInTheWorldFromAModel: a host's tool that adds a place from a model's words adds none
// with a macro in it. A rule may.
func TestNoMacrosInTheWorldFromAModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		want int
	}{{"Cellar", 5}, {"{{user}}s Cellar", 4}} {
		e := newEngine(t, campaign.Config{Model: scripted(`{"narration": "You look.", "tool_calls": [{"tool": "say", "args": {"text": "`+c.name+`"}}]}`, quiet),
			Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(text string) effect.List {
				return effect.List{effect.AddArea{ID: "cellar", Name: text}}
			})}}})}, `{"allowlist": ["say"]}`)
		o := turnOf(t, e, turn.Submit{Text: "I look."})
		if got := len(campaignOf(t, e).State.Map.Areas); got != c.want {
			t.Errorf("%q: %d areas, refused %s", c.name, got, jsonOf(t, o.Turn.Trace.Refused))
		}
	}
}

// TestFeedbackIsSaidOnce: feedback on the commands of a reply is in the next prompt, and not in the
// one after it.
func TestFeedbackIsSaidOnce(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("Dust. @gold", "Dust.", "Dust."), Game: compile(t, game.Content{Rules: game.Rules{Dialects: []game.Dialect{picky}}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	for n, want := range []int{0, 1, 0} {
		turnOf(t, e, turn.Submit{Text: "I wait."})
		if got := strings.Count(askedText((*seen)[n]), "there is no gold here"); got != want {
			t.Errorf("prompt %d says it %d times", n, got)
		}
	}
}

// picky is a dialect that refuses @gold.
var picky = game.Dialect{Name: "picky", Read: func(text string, _ game.Scope) []game.Span {
	if at := strings.Index(text, "@gold"); at >= 0 {
		return []game.Span{{From: at, To: at + len("@gold"), Refused: "there is no gold here"}}
	}
	return nil
}}

// TestEveryReplyOfACastAsks: requests in a dialect are read from each member's reply, also if a
// different member speaks after it. The feedback is in the first prompt of the next turn only.
func TestEveryReplyOfACastAsks(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{People: game.People{Cast: three()}, Rules: game.Rules{Dialects: []game.Dialect{picky}}})
	step(t, m, turn.Submit{Text: "Reed?"}, turn.Replied{Text: "I paid. @gold"}, turn.Replied{Text: "Did you?"}, turn.Committed{})
	if got := jsonOf(t, m.Campaign().State.Feedback); !strings.Contains(got, "there is no gold here") {
		t.Errorf("feedback %s", got)
	}
	step(t, m, turn.Submit{Text: "Reed?"})
	wantHas(t, "the prompt for Reed", ask(t, m), "there is no gold here")
	step(t, m, turn.Replied{Text: "I did."})
	wantHasNot(t, "the prompt for Ash", ask(t, m), "there is no gold here")
}

// TestRouterSaysMoreThanIsKnown: guards and a context profile that the game does not have are
// warnings.
func TestRouterSaysMoreThanIsKnown(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("Dust."), Services: campaign.Services{Route: func(context.Context, question.Route) (state.RouteDecision, error) {
		return state.RouteDecision{DialogType: game.SceneDialog, Guards: []string{"no_magic"}, ContextProfile: "short"}, nil
	}}}, `{"settings": {"dialog.auto_route_enabled": true}}`)
	wantHas(t, "the warnings", strings.Join(turnOf(t, e, turn.Submit{Text: "I wait."}).Turn.Trace.Warnings, "\n"), "no_magic", "short")
}

// TestFeedbackAboutTools: the feedback about a refused call lists the tools that are switched off.
// A quote of a host's detector in it is limited.
func TestFeedbackAboutTools(t *testing.T) {
	t.Parallel()
	long := conflict.Named{Name: "long", Kinds: []string{"long"}, Detector: conflict.DetectorFunc(func(r *conflict.Reading) []conflict.Conflict {
		if !strings.Contains(r.Narration, "struck") {
			return nil
		}
		return []conflict.Conflict{{Kind: "long", Severity: conflict.Block, Quote: strings.Repeat("x", 1<<20)}}
	})}
	cfg := campaign.Config{Model: scripted(output("You are struck.", hurt("ren", "-1")), quiet), Game: compile(t, game.Content{Extensions: game.Extensions{Detectors: []conflict.Named{long}}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	do(t, e, turn.SetTools{Allowlist: []string{"move", "hp_delta"}, Disabled: map[string]state.DisabledTool{"hp_delta": {Reason: "asleep"}}})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	got := askedText((*seen)[1])
	wantHas(t, "the feedback", got[max(0, len(got)-8<<10):], `"disabled_tools":["hp_delta"]`)
	if len(got) > 64<<10 {
		t.Errorf("the second request has %d bytes", len(got))
	}
}

// TestApprovalSeesWhatWasFoundOutside: a tool decides from its outside answer whether people are
// asked. The request after their denial gives the reason.
func TestApprovalSeesWhatWasFoundOutside(t *testing.T) {
	t.Parallel()
	oracle := tool.Tool{Name: "oracle", Description: "Asks.", Manual: "Asks.", Affects: []string{tool.AffectsNothing},
		Params: map[string]tool.Param{}, Reasons: map[state.CallCode]string{},
		Outside:  func(context.Context, tool.Call) tool.Answer { return tool.Answer{Value: tree.Text("doom")} },
		Approval: func(_ tool.Call, view tool.View) bool { return view.Answer.String() == `"doom"` },
		Judge:    func(_ tool.Call, view tool.View) tool.Judgement { return tool.Judgement{Result: view.Answer} }}
	cfg := campaign.Config{Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{oracle}}}),
		Model: scripted(`{"narration": "You ask.", "tool_calls": [{"tool": "oracle", "args": {}}]}`, quiet)}
	e := newEngine(t, cfg, `{"allowlist": ["oracle"]}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I ask."}), "awaiting_approval")
	var why []string
	for p, err := range e.Stream(t.Context(), "cave", answer(t, e, state.Deny, "not now")) {
		if err != nil {
			t.Fatal(err)
		}
		if begun, is := p.(campaign.AttemptStarted); is {
			why = append(why, begun.Retry)
		}
	}
	if fmt.Sprint(why) != "[denied_calls]" {
		t.Errorf("the request after the denial says %q", why)
	}
}

// TestDelayCountsWhatIsNotShown: an entry with a delay also counts the messages that its prompt
// does not show.
func TestDelayCountsWhatIsNotShown(t *testing.T) {
	t.Parallel()
	const turns, delay = 40, 70
	model := scripted()
	for range turns {
		model.Add(llmtest.Text("Dust."))
	}
	cfg := campaign.Config{Model: model, Game: compile(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{
		Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1", Constant: true, Content: "LATE-LORE.", Delay: delay, Probability: 100}}}}}}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "context.recent_turns": 1}}`)
	for range turns {
		turnOf(t, e, turn.Submit{Text: "I wait."})
	}
	if strings.Contains(askedText((*seen)[delay/2-2]), "LATE-LORE") || !strings.Contains(askedText((*seen)[turns-1]), "LATE-LORE") {
		t.Errorf("the last prompt:\n%s", askedText((*seen)[turns-1]))
	}
}

// TestScriptFailsOnTheHistory: a script that fails on a line of the history is in the trace of each
// turn whose prompt has the line.
func TestScriptFailsOnTheHistory(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 400)
	e := newEngine(t, campaign.Config{Model: scripted(long, "Dust.", "Dust."), Game: compile(t, game.Content{Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global,
		Scripts: []script.Script{{Name: "slow", Find: `/(a+)+\1b/`, Prompt: true, Placement: []script.Placement{script.AIOutput}}}}}}})})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	for range 2 {
		o := turnOf(t, e, turn.Submit{Text: "I wait."})
		wantHas(t, "the trace", jsonOf(t, o.Turn.Trace.Scripts), "slow", `"problem"`)
	}
}

// TestRepeatedCallIsNoProgress: an attempt makes no progress if its calls are refused like the
// calls of the previous attempt. A call that was refused earlier counts with its first refusal.
func TestRepeatedCallIsNoProgress(t *testing.T) {
	t.Parallel()
	locked, unknown := output("No.", moveLock), output("No.", `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "moon"}}`)
	e := newEngine(t, campaign.Config{Model: scripted(locked, locked, unknown, unknown, locked)}, `{"settings": {"retry.max_retries": 4}}`)
	var got []bool
	for _, a := range turnOf(t, e, turn.Submit{Text: "In!"}).Attempts {
		got = append(got, a.NoProgress)
	}
	if diff := cmp.Diff([]bool{false, true, false, true, false}, got); diff != "" {
		t.Errorf("no progress (-want +got):\n%s", diff)
	}
}

// TestConflictIsAnnounced: hooks receive the kinds of a conflict. Their effects for a private turn
// are for the characters who heard the turn.
func TestConflictIsAnnounced(t *testing.T) {
	t.Parallel()
	omen := hooks.Hook{ID: "omen", Name: "omen", Event: hooks.On(game.EventTurnConflict),
		Conditions: tree.Object(tree.Member{Key: "payload.kinds", Value: tree.Text("hp_change_unsettled")}),
		Actions: []act.Action{act.New(act.PromptInject, tree.Member{Key: "key", Value: tree.Text("omen")},
			tree.Member{Key: "content", Value: tree.Text("OMEN.")}, tree.Member{Key: "scope", Value: tree.Text("session")})}}
	for _, c := range []struct {
		heard []string
		mei   bool // whether she reads the result of the hook
	}{{nil, true}, {[]string{"ren"}, false}} {
		cfg := campaign.Config{Model: scripted("You lose 3 HP.", "Dust.", "Dust."), Game: compile(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{omen}}})}
		seen := observed(&cfg)
		e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict", "retry.max_retries": 0}}`)
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I fight.", ActorID: "ren", Audience: c.heard}), "conflict")
		turnOf(t, e, turn.Submit{Text: "I wait.", ActorID: "mei"})
		turnOf(t, e, turn.Submit{Text: "I wait.", ActorID: "ren"})
		for n, reads := range []bool{c.mei, true} {
			if got := askedText((*seen)[n+1]); strings.Contains(got, "OMEN") != reads {
				t.Errorf("heard by %v: prompt %d has what the hook made of it: %t\n%s", c.heard, n+1, !reads, got)
			}
		}
	}
}

// TestEntriesOfOneIDForDifferentPeople: entries with the same ID are hidden from a reader who may
// not see all of them.
func TestEntriesOfOneIDForDifferentPeople(t *testing.T) {
	t.Parallel()
	entry := func(content, who string) worldbook.Entry {
		return worldbook.Entry{UID: "1", Constant: true, Content: content, Probability: 100, Extensions: []byte(`{"visible_to": [` + who + `]}`)}
	}
	for _, c := range []struct {
		first, second string
		ren, mei      bool // whether they read the entries
	}{
		{`"ren"`, `"mei"`, false, false},
		{`"ren", "mei"`, `"mei"`, false, true},
		{`"ren"`, ``, true, false},
	} {
		cfg := campaign.Config{Model: scripted("Dust.", "Dust."), Game: compile(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{
			Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{entry("FIRST-LORE.", c.first), entry("SECOND-LORE.", c.second)}}}}}})}
		seen := observed(&cfg)
		e := newEngine(t, cfg, twoPlayers(state.AudienceStrict))
		turnOf(t, e, turn.Submit{Text: "I wait.", ActorID: "ren"})
		turnOf(t, e, turn.Submit{Text: "I wait.", ActorID: "mei"})
		for n, reads := range []bool{c.ren, c.mei} {
			if got := askedText((*seen)[n]); strings.Contains(got, "-LORE") != reads {
				t.Errorf("for %s and %s: prompt %d has the lore: %t\n%s", c.first, c.second, n, !reads, got)
			}
		}
	}
}

// TestMacrosOfAPrivatePrompt: a variable that a macro wrote into a prompt with private content is
// known to the reader of that prompt only. It stays when prompts for others write variables.
func TestMacrosOfAPrivatePrompt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		heard []string // who hears the line with the raven; the line before it is private
	}{{"the line is private", []string{"ren"}}, {"only the history is private", nil}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted("Hm.", "Hm.", "Hm.", "Hm."), Game: compile(t, game.Content{Lore: game.Lore{Books: townBook(
				withKey("raven", "raven", "{{setvar::omen::WINGS}}"), withKey("bell", "bell", "{{setvar::n::1}}"),
				constant("omen", "Omen: {{getvar::omen}}. Bell: {{getvar::n}}."))}})}
			seen := observed(&cfg)
			e := newEngine(t, cfg, twoPlayers(state.AudienceStrict))
			turnOf(t, e, turn.Submit{Text: "I hide the key.", ActorID: "ren", Audience: []string{"ren"}})
			turnOf(t, e, turn.Submit{Text: "A raven!", ActorID: "ren", Audience: c.heard})
			turnOf(t, e, turn.Submit{Text: "I ring the bell.", ActorID: "mei"})
			turnOf(t, e, turn.Submit{Text: "I look.", ActorID: "ren"})
			wantHas(t, "Mei's prompt", askedText((*seen)[2]), "Omen: . Bell: ")
			wantHas(t, "Ren's prompt", askedText((*seen)[3]), "Omen: WINGS. Bell: 1.")
			rebuilt(t, e)
		})
	}
}
