package campaign_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// TestScanInput: the turn sets everything that an entry can be limited to, or searched in.
func TestScanInput(t *testing.T) {
	t.Parallel()
	orin := &card.Card{Name: "Orin", Tags: []string{"keeper"}, Extensions: map[string]json.RawMessage{
		"depth_prompt": json.RawMessage(`{"prompt": "Orin hides a brass key.", "depth": 2}`)}}
	for _, row := range []struct {
		name   string
		entry  worldbook.Entry
		submit turn.Submit
		want   bool
	}{
		{"no trigger", worldbook.Entry{Constant: true}, turn.Submit{Generation: worldbook.Swipe}, true},
		{"a trigger, normal", worldbook.Entry{Constant: true, Triggers: []string{"swipe"}}, turn.Submit{}, false},
		{"a trigger, that kind", worldbook.Entry{Constant: true, Triggers: []string{"swipe"}},
			turn.Submit{Generation: worldbook.Swipe}, true},
		{"normal only, quiet", worldbook.Entry{Constant: true, Triggers: []string{"normal"}},
			turn.Submit{Generation: worldbook.Quiet}, false},
		{"normal only", worldbook.Entry{Constant: true, Triggers: []string{"normal"}}, turn.Submit{}, true},
		{"an icon", worldbook.Entry{Constant: true, Content: "@@is_user_icon cat\nLORE"}, turn.Submit{Icon: "cat"}, true},
		{"another icon", worldbook.Entry{Constant: true, Content: "@@is_user_icon cat\nLORE"}, turn.Submit{}, false},
		{"the speaker", worldbook.Entry{Constant: true,
			CharacterFilter: &worldbook.CharacterFilter{Names: []string{"Orin"}}}, turn.Submit{}, true},
		{"another speaker", worldbook.Entry{Constant: true,
			CharacterFilter: &worldbook.CharacterFilter{Names: []string{"Mara"}}}, turn.Submit{}, false},
		{"the speaker's tags", worldbook.Entry{Constant: true,
			CharacterFilter: &worldbook.CharacterFilter{Tags: []string{"sailor"}}}, turn.Submit{}, false},
		{"the depth prompt is searched", worldbook.Entry{Keys: []string{"brass"}, MatchCharacterDepthPrompt: true},
			turn.Submit{}, true},
		{"the depth prompt is not", worldbook.Entry{Keys: []string{"brass"}}, turn.Submit{}, false},
	} {
		row.entry.UID, row.entry.Probability = "1", 100
		if row.entry.Content == "" {
			row.entry.Content = "LORE"
		}
		settings := worldbook.Exact()
		settings.Decorators = worldbook.DecoratorsCardV3
		m := begin(t, game.Content{People: game.People{Card: orin}, Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{{
			Book: worldbook.Book{Name: "main", Entries: []worldbook.Entry{row.entry}}}}}})
		row.submit.Text = "I wait."
		o := play(t, m, row.submit, "Time passes.")
		if got := len(o.Turn.Trace.Lore) > 0; got != row.want {
			t.Errorf("%s: the entry is active: %v", row.name, got)
		}
	}
}

// TestHiddenKeys: {{hidden_key}} in a greeting and in the card is searched for the keys of entries,
// and is not shown.
func TestHiddenKeys(t *testing.T) {
	t.Parallel()
	orin := &card.Card{Name: "Orin", FirstMes: "Welcome.{{hidden_key:black {{char}}}} Sit down.",
		Description: "A keeper.{{Hidden_Key::brass key}} He is {{char}}."}
	for _, row := range []struct {
		name  string
		entry worldbook.Entry
		turns int
		want  bool
	}{
		{"in the greeting", worldbook.Entry{Keys: []string{"black Orin"}}, 1, true},
		{"the greeting is too old", worldbook.Entry{Keys: []string{"black Orin"}}, 3, false},
		{"the name of the macro", worldbook.Entry{Keys: []string{"hidden_key"}, MatchCharacterDescription: true}, 1, false},
		{"in the description", worldbook.Entry{Keys: []string{"brass key"}, MatchCharacterDescription: true}, 1, true},
		{"a name in the description", worldbook.Entry{Keys: []string{"is Orin"}, MatchCharacterDescription: true}, 1, true},
		{"not searched", worldbook.Entry{Keys: []string{"brass key"}}, 1, false},
	} {
		row.entry.UID, row.entry.Probability, row.entry.Content = "1", 100, "LORE"
		row.entry.ScanDepth = new(2)
		m := begin(t, game.Content{People: game.People{Card: orin}, Lore: game.Lore{Settings: worldbook.Exact(),
			Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "main", Entries: []worldbook.Entry{row.entry}}}}}}, `{"greeting_id": "0"}`)
		if got := m.Campaign().State.Greeting; got != "Welcome. Sit down." {
			t.Errorf("greeting %q", got)
		}
		var o turn.Outcome
		for range row.turns {
			o = play(t, m, turn.Submit{Text: "I wait."}, "Time passes.")
		}
		if got := len(o.Turn.Trace.Lore) > 0; got != row.want {
			t.Errorf("%s: the entry is active: %v", row.name, got)
		}
	}
}

// TestAutomation: the host receives what an active entry asks it to run.
func TestAutomation(t *testing.T) {
	t.Parallel()
	book := lore("main", "Rain.")
	book.Book.Entries[0].AutomationID = "play-rain"
	m := begin(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{book, lore("other", "Sun.")}}})
	o := say(t, m, "I wait.", "Time passes.")
	if got := jsonOf(t, o.Turn.Trace.Lore); !strings.Contains(got, `"automation_id":"play-rain"`) {
		t.Errorf("trace %s", got)
	}
	host := m.Todo().Host
	if len(host) != 1 || host[0].Source != "main.1" {
		t.Fatalf("host effects %+v", host)
	}
	c, ok := host[0].Effect.(effect.Custom)
	if !ok || c.Type != game.EffectAutomation || jsonOf(t, c.Data) != `{"automationId":"play-rain","entry":"main.1"}` {
		t.Errorf("host effect %+v", host[0].Effect)
	}
}

// everyByte counts bytes.
type everyByte struct{ prompt.TokenEstimator }

func (everyByte) Count(text string) int { return len(text) }

// TestScanCounter: lore is counted with the prompt's token counter, and without one by the
// estimate of prompts.
func TestScanCounter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("雾", 400)
	book := worldbook.Attachment{Book: worldbook.Book{Name: "main", Entries: []worldbook.Entry{
		{UID: "1", Constant: true, Content: long, Probability: 100}}}}
	settings := worldbook.Exact()
	settings.Budget, settings.BudgetCap = 100, 1000 // tokens: about 400 estimated, 1200 bytes
	for _, row := range []struct {
		name string
		c    game.Content
		want bool
	}{
		{"the estimate", game.Content{}, true},
		{"the counter of the budget", game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Counter: everyByte{}}}}, false},
	} {
		row.c.Lore.Books, row.c.Lore.Settings = []worldbook.Attachment{book}, settings
		o := say(t, begin(t, row.c), "I wait.", "Time passes.")
		if got := len(o.Turn.Trace.Lore) > 0; got != row.want {
			t.Errorf("%s: the entry is active: %v", row.name, got)
		}
	}
}

// TestNativeToolsOff: for a model without tool support the request has no tools. The prompt
// describes them in the same way, and calls in its text are applied.
func TestNativeToolsOff(t *testing.T) {
	t.Parallel()
	const walk = `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "hall"}}`
	for _, native := range []bool{true, false} {
		m := begin(t, game.Content{}, `{"settings": {"tools.native": `+jsonOf(t, native)+`}}`)
		step(t, m, turn.Submit{Text: "I go to the hall."})
		request := m.Todo().Generate.Request
		if got := len(request.LLM().Tools) > 0; got != native {
			t.Errorf("tools.native %v: the request has tools: %v", native, got)
		}
		wantHas(t, "the tools block", blocks(request)["tools"], "move", "to_area_id")
		step(t, m, turn.Replied{Text: output("You step into the Hall.", walk)}, turn.Committed{})
		if ren, _ := m.Campaign().State.Character("ren"); ren.AreaID != "hall" {
			t.Errorf("tools.native %v: ren is in %s", native, ren.AreaID)
		}
	}
}
