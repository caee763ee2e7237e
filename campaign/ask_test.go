package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// Texts that only asking can decide, by language, and harmless ones after them.
var (
	doubtfulTexts = map[string]string{
		"en": "The bell tolls, and 4 hit points are what it costs Mei this time.",
		"zh": "钟声响过，四点生命值便是 Mei 付的账。",
	}
	harmlessTexts = map[string]string{"en": "Dust falls.", "zh": "尘土落下。"}
)

// A teller writes a doubtful text for every second line of the player. When it is asked to do so
// again, it writes a harmless one. asked answers the questions of the engine.
type teller struct {
	lang  string
	asked func(req llm.Request) (string, error)
	lines int
	tools int // questions with tools
}

func (m *teller) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	text, err := harmlessTexts[m.lang], error(nil)
	last := req.Messages[len(req.Messages)-1].Text
	switch {
	case req.Options.Format != nil:
		m.tools += len(req.Tools)
		text, err = m.asked(req)
	case !strings.Contains(last, "hp_change_unsettled") && !strings.Contains(last, "hp_delta"):
		if m.lines++; m.lines%2 == 0 {
			text = doubtfulTexts[m.lang]
		}
	}
	return func(yield func(llm.Chunk, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		if yield(llm.TextDelta{Text: text}, nil) && yield(llm.UsageReport{Usage: llm.Usage{PromptTokens: 9, CompletionTokens: 3}}, nil) {
			yield(llm.Done{Reason: llm.FinishStop}, nil)
		}
	}
}

// TestAskedCampaigns plays 20 turns in each language. The model of the campaign answers questions
// about its own texts rightly, wrongly, not at all, unreadably, or to do harm. Whatever it answers,
// the state does not change, and a replay without a model gives the same campaign: CA-59.
func TestAskedCampaigns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer  string
		err     error
		retries int // of a turn with a doubtful text
	}{
		"right":          {answer: `{"answers": [{"n": 1, "asserted": "yes", "who": "mei", "value": 4}]}`, retries: 1},
		"in a fence":     {answer: "Here:\n```json\n{\"answers\": [{\"n\": 1, \"asserted\": \"yes\", \"who\": \"Mei\", \"value\": 4,},]}\n```", retries: 1},
		"wrong":          {answer: `{"answers": [{"n": 1, "asserted": "no"}]}`},
		"unclear":        {answer: `{"answers": [{"n": 1, "asserted": "unclear"}]}`},
		"silent":         {answer: `{"answers": []}`},
		"late":           {err: context.DeadlineExceeded},
		"failing":        {err: errors.New("no such model")},
		"unreadable":     {answer: "I would rather not say."},
		"another person": {answer: `{"answers": [{"n": 1, "asserted": "yes", "who": "ren", "value": 4}]}`},
		"another number": {answer: `{"answers": [{"n": 1, "asserted": "yes", "who": "mei", "value": 400}]}`},
		"another quote":  {answer: `{"answers": [{"n": 7, "asserted": "yes", "who": "mei", "value": 4, "quote": "Mei is dead"}]}`},
		"twice":          {answer: `{"answers": [{"n": 1, "asserted": "yes", "who": "mei"}, {"n": 1, "asserted": "no"}]}`},
		"asks for tools": {answer: `{"tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "mei", "delta": -4}}], "answers": [{"n": 1, "asserted": "hp_delta"}]}`},
	} {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+" "+lang, func(t *testing.T) {
				t.Parallel()
				model := &teller{lang: lang, asked: func(req llm.Request) (string, error) { return c.answer, c.err }}
				e := newEngine(t, campaign.Config{Model: model})
				for n := range 20 {
					o := turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait %d.", n)})
					want := 0
					if n%2 == 1 {
						want = c.retries
					}
					if o.Status != turn.Completed || o.RetriesUsed != want {
						t.Fatalf("turn %d: %s after %d retries, want %d", n, o.Status, o.RetriesUsed, want)
					}
					checkAsked(t, o, n%2 == 1, want > 0)
				}
				now, err := e.Campaign(t.Context(), "cave")
				if err != nil {
					t.Fatal(err)
				}
				for _, one := range now.State.Characters {
					if one.ID == "mei" && one.HP.Current != 6 {
						t.Errorf("Mei has %d hit points", one.HP.Current)
					}
				}
				if model.tools > 0 {
					t.Errorf("questions offer %d tools", model.tools)
				}
				again, err := e.Rebuild(t.Context(), "cave")
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(jsonOf(t, now), jsonOf(t, again)); diff != "" {
					t.Errorf("replayed (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// checkAsked checks what the record of a turn says about the questions.
func checkAsked(t *testing.T, o turn.Outcome, doubtful, blocked bool) {
	t.Helper()
	first := o.Turn.Attempts[0]
	if doubtful != (len(first.Questions) > 0) {
		t.Errorf("%q: questions %+v", first.Output, first.Questions)
	}
	if !doubtful {
		return
	}
	if blocked != (len(first.Conflicts) == 1 && first.Conflicts[0].Asked != nil && first.Conflicts[0].EntityID == "mei") {
		t.Errorf("conflicts %+v", first.Conflicts)
	}
	if blocked && first.AskUsage == nil {
		t.Error("the tokens of asking are not counted")
	}
}

// TestJudgeAnswersQuestions: Services.Judge answers instead of the model, and sees nothing of the
// state. With conflict.judge both questions are one.
func TestJudgeAnswersQuestions(t *testing.T) {
	t.Parallel()
	for settings, sees := range map[string]bool{"": false, `{"settings": {"conflict.judge": "confirm"}}`: true} {
		var asked []question.Judge
		e := newEngine(t, campaign.Config{Model: scripted(doubtfulTexts["en"], "Dust falls."),
			Services: campaign.Services{Judge: func(_ context.Context, q question.Judge) ([]conflict.Verdict, error) {
				asked = append(asked, q)
				value := 4
				return []conflict.Verdict{{N: 1, Asserted: "yes", EntityID: "mei", Value: &value}}, nil
			}}}, settings)
		o := turnOf(t, e, turn.Submit{Text: "I wait."})
		if o.RetriesUsed != 1 || len(asked) == 0 || len(asked[0].Questions) != 1 || asked[0].Names["mei"] != "Mei" || asked[0].Expected.Exists() != sees {
			t.Errorf("%s: %d retries, asked %+v", settings, o.RetriesUsed, asked)
		}
	}
}

// TestAskSetting: off asks nothing, and all asks about what an action explains.
func TestAskSetting(t *testing.T) {
	t.Parallel()
	told := output("Ren takes 3 damage.", hurt("ren", "-3"))
	for mode, want := range map[string]int{"off": 0, "doubtful": 0, "all": 1} {
		asked := 0
		e := newEngine(t, campaign.Config{Model: scripted(told), Services: campaign.Services{Judge: func(context.Context, question.Judge) ([]conflict.Verdict, error) {
			asked++
			return nil, nil
		}}}, fmt.Sprintf(`{"settings": {"conflict.ask": %q}}`, mode))
		o := turnOf(t, e, turn.Submit{Text: "I fight."})
		if o.Status != turn.Completed || asked != want || len(o.Turn.Trace.Warnings) != want { // no answer is a warning
			t.Errorf("%s: %s, asked %d times, want %d, warnings %q", mode, o.Status, asked, want, o.Turn.Trace.Warnings)
		}
	}
	e := newEngine(t, campaign.Config{Model: scripted(told)}, `{"settings": {"conflict.ask": "all"}}`)
	o := turnOf(t, e, turn.Submit{Text: "I fight."})
	if w := o.Turn.Trace.Warnings; len(w) != 1 || !strings.HasPrefix(w[0], "judge: llm: invalid_request: request 2 has no reply") {
		t.Errorf("a model that fails when it is asked: warnings %q", w)
	}
}
