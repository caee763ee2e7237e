package campaign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// powerful returns content with one hook of one action, or without it for an empty text.
func powerful(t *testing.T, event, action string) game.Content {
	t.Helper()
	c := game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
		{UID: "crypt", Constant: true, Disable: true, Content: "The crypt lies below."}}}}}}}
	list, found := rules.Parse([]byte(`[{"id": "echo", "name": "echo", "trigger": {"type": "manual"}, "conditions": [],
			"actions": [{"type": "notify-player", "message": "An echo."}]},
		{"id": "omens", "name": "omens", "trigger": {"type": "every-turn"}, "conditions": [],
			"actions": [{"type": "notify-player", "message": "Ravens gather."}]}]`))
	if len(found) > 0 {
		t.Fatal(found)
	}
	c.Rules.Rules = list
	if action != "" {
		hook, found := hooks.Parse([]byte(`[{"id": "h", "name": "h", "event": "` + event + `", "actions": [` + action + `]}]`))
		if len(found) > 0 {
			t.Fatal(found)
		}
		c.Rules.Hooks = hook
	}
	return c
}

// played is the visible result of one turn.
type played struct {
	Outcome, Line, Text, Prompt, Variables string
	Notices, Host                          []string
}

func playLine(t *testing.T, c game.Content, line string) (played, turn.Outcome, *campaign.Engine) {
	t.Helper()
	model := llmtest.NewScripted(llmtest.Text("The elf bows."))
	e := newEngine(t, campaign.Config{Model: model, Game: compile(t, c)})
	o, err := e.Turn(t.Context(), "cave", turn.Submit{Text: line})
	if err != nil {
		t.Fatal(err)
	}
	p := played{Outcome: string(o.Status) + " " + o.Reason, Variables: campaignOf(t, e).State.Variables.Root().String()}
	if o.Turn != nil {
		p.Line, p.Text = o.Turn.UserInput, o.Turn.Text
		for _, n := range o.Turn.Trace.Notices {
			p.Notices = append(p.Notices, n.Message)
		}
	}
	for _, h := range o.Host {
		p.Host = append(p.Host, h.Effect.EffectType())
	}
	for _, r := range model.Requests() {
		p.Prompt += fmt.Sprint(r.Messages)
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
	return p, o, e
}

// TestHooksDoWhatRulesDo: each action of rules changes the turn if a hook does it (HK-24).
func TestHooksDoWhatRulesDo(t *testing.T) {
	t.Parallel()
	without, _, _ := playLine(t, powerful(t, "", ""), "I wait.")
	for _, tc := range []struct {
		reason, event, action string
		differs               func(p played) bool
	}{
		{"set a variable", act.BeforeTurnStarted, `{"type": "modify-variable", "variableId": "gold", "operation": "set", "value": 7}`,
			func(p played) bool { return strings.Contains(p.Variables, `"gold":7`) }},
		{"toggle an entry", act.BeforeTurnStarted, `{"type": "toggle-entry", "entryId": "crypt", "enabled": true}`,
			func(p played) bool { return strings.Contains(p.Prompt, "The crypt lies below.") }},
		{"toggle a rule", act.BeforeTurnStarted, `{"type": "toggle-rule", "ruleId": "omens", "enabled": false}`,
			func(p played) bool { return !slices.Contains(p.Notices, "Ravens gather.") }},
		{"fire a rule", act.BeforeTurnStarted, `{"type": "trigger-rule", "ruleId": "echo"}`,
			func(p played) bool { return slices.Contains(p.Notices, "An echo.") }},
		{"emit", act.BeforeTurnStarted, `{"type": "emit", "event": {"type": "ui:notification", "message": "Bong."}}`,
			func(p played) bool { return slices.Contains(p.Notices, "Bong.") }},
		{"notify", act.AfterTurnStarted, `{"type": "notify-player", "message": "A bell."}`,
			func(p played) bool { return slices.Contains(p.Notices, "A bell.") }},
		{"audio", act.AfterTurnStarted, `{"type": "play-audio", "trackId": "storm"}`,
			func(p played) bool { return slices.Contains(p.Host, "play-audio") }},
		{"a directive", act.BeforeTurnStarted, `{"type": "inject-directive", "directiveId": "d", "content": "Whisper, please."}`,
			func(p played) bool { return strings.Contains(p.Prompt, "Whisper, please.") }},
		{"context", act.BeforeTurnStarted, `{"type": "send-context", "message": "It has begun to rain."}`,
			func(p played) bool { return strings.Contains(p.Prompt, "It has begun to rain.") }},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			with, o, _ := playLine(t, powerful(t, tc.event, tc.action), "I wait.")
			if o.Turn == nil || !tc.differs(with) || tc.differs(without) {
				t.Errorf("%+v", with)
			}
		})
	}
}

// TestHooksRewriteAndVeto: a hook rewrites the player's line, the context or the reply, or stops
// the generation. The record says which hook did it and where (HK-25).
func TestHooksRewriteAndVeto(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, event, action string
		want                  func(p played, o turn.Outcome) bool
		trace                 string // of the first rewrite, or of the first refusal
	}{
		{"the line", act.BeforeReceive, `{"type": "rewrite", "target": "line", "find": "kill", "text": "greet"}`,
			func(p played, o turn.Outcome) bool {
				return p.Line == "I greet the elf." && strings.Contains(p.Prompt, "I greet the elf.") && !strings.Contains(p.Prompt, "kill")
			}, "hooks line kill>greet 1"},
		{"the line as a whole", act.BeforeTurnFinished, `{"type": "rewrite", "target": "line", "text": "I wait {{user}}."}`,
			func(p played, o turn.Outcome) bool { return p.Line == "I wait {{user}}." }, "hooks line >I wait {{user}}. 1"},
		{"the line, of which nothing would be left", act.BeforeReceive, `{"type": "rewrite", "target": "line", "text": " "}`,
			func(p played, o turn.Outcome) bool { return p.Line == "I kill the elf." }, "refused rewrite empty"},
		{"the line when it has been read", act.AfterPromptRender, `{"type": "rewrite", "target": "line", "text": "I wait."}`,
			func(p played, o turn.Outcome) bool { return p.Line == "I kill the elf." }, "refused rewrite too_late"},
		{"the context", act.BeforePromptRender, `{"type": "rewrite", "target": "prompt", "find": "elf", "text": "faerie"}`,
			func(p played, o turn.Outcome) bool {
				return p.Line == "I kill the elf." && strings.Contains(p.Prompt, "I kill the faerie.") && !strings.Contains(p.Prompt, "elf")
			}, "hooks prompt elf>faerie 1"},
		{"the context at the last moment", act.BeforeModelCall, `{"type": "rewrite", "target": "prompt", "find": "I kill", "text": "I greet"}`,
			func(p played, o turn.Outcome) bool { return strings.Contains(p.Prompt, "I greet the elf.") }, "hooks prompt I kill>I greet 1"},
		{"the context when there is none", act.AfterTurnFinished, `{"type": "rewrite", "target": "prompt", "find": "elf", "text": "x"}`,
			func(p played, o turn.Outcome) bool { return p.Text == "The elf bows." }, "refused rewrite too_late"},
		{"the reply before it is judged", act.AfterModelCall, `{"type": "rewrite", "target": "reply", "find": "elf", "text": "faerie"}`,
			func(p played, o turn.Outcome) bool { return p.Text == "The faerie bows." }, "hooks reply elf>faerie 1"},
		{"the reply before it is shown", act.BeforeSend, `{"type": "rewrite", "target": "reply", "find": "bows", "text": "bows low"}`,
			func(p played, o turn.Outcome) bool {
				return p.Text == "The elf bows low." && o.Attempts[0].Output == "The elf bows."
			}, "hooks reply bows>bows low 1"},
		{"the reply before there is one", act.BeforeReceive, `{"type": "rewrite", "target": "reply", "text": "x"}`,
			func(p played, o turn.Outcome) bool { return p.Text == "The elf bows." }, "refused rewrite too_early"},
		{"stopped at once", act.BeforeReceive, `{"type": "veto", "reason": "No violence."}`,
			func(p played, o turn.Outcome) bool {
				return p.Outcome == "refused vetoed" && o.Detail == "No violence." && p.Prompt == "" && o.Turn == nil
			}, ""},
		{"stopped before the prompt", act.BeforePromptRender, `{"type": "veto", "reason": "No violence."}`,
			func(p played, o turn.Outcome) bool { return p.Outcome == "refused vetoed" && p.Prompt == "" }, ""},
		{"stopped at the last moment", act.BeforeModelCall, `{"type": "veto", "reason": "No violence."},
			{"type": "message", "content": "The guards look at you."}`,
			func(p played, o turn.Outcome) bool {
				return p.Outcome == "refused vetoed" && p.Prompt == "" && slices.Equal(o.Messages, []string{"The guards look at you."})
			}, ""},
		{"stopped when the model has answered", act.AfterModelCall, `{"type": "veto", "reason": "No violence."}`,
			func(p played, o turn.Outcome) bool { return p.Text == "The elf bows." }, "refused veto too_late"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			p, o, e := playLine(t, powerful(t, tc.event, tc.action), "I kill the elf.")
			if !tc.want(p, o) {
				t.Errorf("%+v", p)
			}
			if o.Turn != nil {
				if changed := len(o.Turn.Trace.Rewrites) > 0; changed != strings.Contains(o.String(), "rewritten") {
					t.Errorf("nothing is said of it in\n%s", o)
				}
				if got := meddled(*o.Turn); got != tc.trace {
					t.Errorf("the trace says %q, want %q", got, tc.trace)
				}
			} else if c := campaignOf(t, e); c.State.TurnCount != 0 || c.Version != 1 {
				t.Errorf("%d turns, version %d: a turn that was stopped left something", c.State.TurnCount, c.Version)
			}
		})
	}
}

// meddled returns the rewrites and refusals in the trace of a turn.
func meddled(rec state.Turn) string {
	for _, r := range rec.Trace.Rewrites {
		return fmt.Sprintf("%s %s %s>%s %d", r.By, r.Target, r.Find, r.Text, r.Times)
	}
	for _, r := range rec.Trace.Refused {
		return fmt.Sprintf("refused %s %s", r.Path, r.Reason)
	}
	return ""
}

// TestRulesRewriteAndVeto: rules and reactions do the same, for the player's line and for the reply
// (HK-25).
func TestRulesRewriteAndVeto(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, reaction string
		want             func(p played) bool
	}{
		{"the line", `{"when": {"eventType": "turn:accepted"}, "then": [
			{"type": "rewrite", "target": "line", "find": "kill", "text": "greet"}]}`,
			func(p played) bool { return p.Line == "I greet the elf." }},
		{"the context", `{"when": {"eventType": "turn:accepted"}, "then": [
			{"type": "rewrite", "target": "prompt", "find": "kill", "text": "greet"}]}`,
			func(p played) bool { return strings.Contains(p.Prompt, "I greet the elf.") }},
		{"the reply", `{"when": {"eventType": "message:ai"}, "then": [
			{"type": "rewrite", "target": "reply", "find": "elf", "text": "faerie"}]}`,
			func(p played) bool { return p.Text == "The faerie bows." }},
		{"stopped", `{"when": {"eventType": "turn:accepted"}, "then": [{"type": "veto", "reason": "No violence."}]}`,
			func(p played) bool { return p.Outcome == "refused vetoed" && p.Prompt == "" }},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			list, problems := reactions.Parse([]byte(`[` + strings.Replace(tc.reaction, "{", `{"id": "r", `, 1) + `]`))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if p, _, _ := playLine(t, game.Content{Rules: game.Rules{Reactions: list}}, "I kill the elf."); !tc.want(p) {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestScheduledAndIdleHooks: hooks run when the host lets time pass, once for each due time. A
// rollback does not make a hook due again (HK-26).
func TestScheduledAndIdleHooks(t *testing.T) {
	t.Parallel()
	list, problems := hooks.Parse([]byte(`[
		{"id": "dawn", "name": "dawn", "event": "clock.passed", "conditions": {"clock_reaches": "06:00"},
			"actions": [{"type": "message", "content": "The sun rises."}]},
		{"id": "bored", "name": "bored", "event": "clock.passed", "conditions": {"idle_reaches": 30},
			"actions": [{"type": "message", "content": "Are you still there?"},
				{"type": "modify-variable", "variableId": "bored", "operation": "set", "value": true}]}]`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e := newEngine(t, campaign.Config{Model: scripted("Dust falls."), Game: compile(t, game.Content{Rules: game.Rules{Hooks: list}})})
	at := func(d time.Duration) time.Time { return noon.Add(d) }
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait.", At: noon}), "completed turn_0001")
	for _, step := range []struct {
		reason string
		in     turn.Input
		want   []string
	}{
		{"not yet", turn.PassTime{At: at(29 * time.Minute)}, nil},
		{"idle", turn.PassTime{At: at(31 * time.Minute)}, []string{"Are you still there?"}},
		{"it was said", turn.PassTime{At: at(2 * time.Hour)}, nil},
		{"an earlier time", turn.PassTime{At: at(29 * time.Minute)}, nil},
		{"it was said before", turn.PassTime{At: at(3 * time.Hour)}, nil},
		{"the morning", turn.PassTime{At: at(20 * time.Hour)}, []string{"The sun rises."}},
		{"the morning after, without a turn", turn.PassTime{At: at(44 * time.Hour)}, []string{"The sun rises."}},
		{"a rollback", turn.RollBack{To: state.StartTurnID, At: at(45 * time.Hour)}, nil},
		{"is no new morning", turn.PassTime{At: at(46 * time.Hour)}, nil},
	} {
		o := do(t, e, step.in)
		if diff := cmp.Diff(step.want, o.Messages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.reason, diff)
		}
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
	if c := campaignOf(t, e); !c.ClockPassed.Equal(at(46 * time.Hour)) {
		t.Errorf("the clock stands at %s", c.ClockPassed)
	}
}
