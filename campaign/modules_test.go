package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// lore is a book with one entry that is always active.
func lore(name, content string) worldbook.Attachment {
	return worldbook.Attachment{Book: worldbook.Book{Name: name, Entries: []worldbook.Entry{{
		UID: "1", Constant: true, Content: content, Probability: 100, GroupWeight: 100,
	}}}}
}

// counting is a rule of a module that counts turns.
func counting(module string) rules.Rule {
	return rules.Rule{ID: "count_" + module, BookID: module,
		Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: effect.Actions{effect.SetVariable{Path: "turns_" + module, Operation: effect.Add, Value: tree.Int(1)}}}
}

// promptOf plays a turn and returns the text of its first request.
func promptOf(t testing.TB, m *turn.Machine, text string) string {
	t.Helper()
	var first string
	step(t, m, turn.Submit{Text: text})
	for m.Phase() != turn.Idle {
		todo := m.Todo()
		switch {
		case todo.Generate != nil:
			var b strings.Builder
			for _, msg := range todo.Generate.Request.Messages {
				b.WriteString(msg.Message.Text + "\n")
			}
			first = b.String()
			step(t, m, turn.Replied{Text: "Time passes."})
		case todo.Hooks != nil:
			step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
		case todo.Commit != nil:
			step(t, m, turn.Committed{})
		default:
			t.Fatalf("no answer to %+v", todo)
		}
	}
	return first
}

// TestModuleKeywords: a word of the player opens a module, with its book and its rules, from its
// turn on, until a different word closes it.
func TestModuleKeywords(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{
		Rules: game.Rules{
			Modules: []rules.Module{{ID: "cellar", Activation: rules.Activation{
				Mode: rules.ModeKeywords, Keywords: []string{"stairs"}, LeaveKeywords: []string{"daylight"}}}},
			Rules: []rules.Rule{counting("cellar")},
		},
		Lore: game.Lore{Books: []worldbook.Attachment{lore("cellar", "It smells of wine."), lore("house", "The house is old.")}},
	}, `{"variables": {"turns_cellar": 0}}`)
	for i, row := range []struct {
		reason, say    string
		open           bool
		turns          string
		opened, closed string
	}{
		{"nobody has said the word", "I look around.", false, "0", "", ""},
		{"the word is said", "I go down the stairs.", true, "1", "cellar", ""},
		{"the module stays open", "I look around.", true, "2", "", ""},
		{"the other word is said", "Back to daylight!", false, "2", "", "cellar"},
		{"the module stays closed", "I look around.", false, "2", "", ""},
	} {
		text := promptOf(t, m, row.say)
		if got := strings.Contains(text, "It smells of wine."); got != row.open {
			t.Errorf("%d, %s: the module's book in the prompt: %v", i, row.reason, got)
		}
		if !strings.Contains(text, "The house is old.") {
			t.Errorf("%d: a book of no module is gone", i)
		}
		if got := m.Campaign().State.Variables.Root().Get("turns_cellar").String(); got != row.turns {
			t.Errorf("%d, %s: the module's rule counted %s turns, want %s", i, row.reason, got, row.turns)
		}
		trace := m.Todo().Outcome.Turn.Trace
		if got := strings.Join(trace.Opened, " "); got != row.opened {
			t.Errorf("%d: opened %q", i, got)
		}
		if got := strings.Join(trace.Closed, " "); got != row.closed {
			t.Errorf("%d: closed %q", i, got)
		}
	}
}

// TestModuleModes: in every mode a module's book and rules are active exactly while the module is
// active.
func TestModuleModes(t *testing.T) {
	t.Parallel()
	night := []rules.Condition{{VariableID: "night", Operator: rules.Eq, Value: value(t, "true")}}
	for _, row := range []struct {
		name       string
		activation rules.Activation
		setup      string
		open       bool
	}{
		{"always", rules.Activation{}, `{}`, true},
		{"manual", rules.Activation{Mode: rules.ModeManual}, `{}`, true},
		{"conditions hold", rules.Activation{Mode: rules.ModeConditions, Conditions: night},
			`{"variables": {"night": true}}`, true},
		{"conditions do not hold", rules.Activation{Mode: rules.ModeConditions, Conditions: night},
			`{"variables": {"night": false}}`, false},
		{"greeting", rules.Activation{Mode: rules.ModeGreeting, GreetingIDs: []string{"storm"}},
			`{"greeting_id": "storm"}`, true},
		{"another greeting", rules.Activation{Mode: rules.ModeGreeting, GreetingIDs: []string{"storm"}},
			`{"greeting_id": "calm"}`, false},
		{"no greeting", rules.Activation{Mode: rules.ModeGreeting, GreetingIDs: []string{"storm"}}, `{}`, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			m := begin(t, game.Content{
				Rules: game.Rules{
					Modules: []rules.Module{{ID: "part", Activation: row.activation}},
					Rules:   []rules.Rule{counting("part")},
				},
				Lore: game.Lore{Books: []worldbook.Attachment{lore("part", "A part of the story.")}},
			}, row.setup)
			if got := strings.Contains(promptOf(t, m, "I wait."), "A part of the story."); got != row.open {
				t.Errorf("the book is in the prompt: %v", got)
			}
			if got := m.Campaign().State.Variables.Root().Get("turns_part").Exists(); got != row.open {
				t.Errorf("the rule fired: %v", got)
			}
		})
	}
}

// TestModuleOfAddedLore: an entry that is added to the book of a closed module is inactive until
// the module opens.
func TestModuleOfAddedLore(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{Rules: game.Rules{
		Modules: []rules.Module{{ID: "cellar", Activation: rules.Activation{
			Mode: rules.ModeKeywords, Keywords: []string{"stairs"}}}},
		Rules: []rules.Rule{{ID: "note", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Actions: effect.Actions{effect.AddEntry{BookID: "cellar", Name: "rats", Content: "Rats!", AlwaysOn: true}}}},
	}})
	promptOf(t, m, "I wait.")
	if strings.Contains(promptOf(t, m, "I wait."), "Rats!") {
		t.Error("an entry of a closed module is in the prompt")
	}
	if !strings.Contains(promptOf(t, m, "Down the stairs."), "Rats!") {
		t.Error("an entry of an open module is not in the prompt")
	}
}

// TestGreetingOfLore: lore that belongs to one of the card's greetings is active if the story began
// with it, by its number or by its text.
func TestGreetingOfLore(t *testing.T) {
	t.Parallel()
	content := game.Content{
		People: game.People{Card: &card.Card{Name: "Orin", FirstMes: "Hello.", AlternateGreetings: []string{"Go away.", "It rains."}}},
		Lore:   game.Lore{Books: []worldbook.Attachment{lore("orin", "@@is_greeting 2\nThe roof leaks.")}},
	}
	content.Lore.Settings = worldbook.Exact()
	content.Lore.Settings.Decorators = worldbook.DecoratorsCardV3
	for _, row := range []struct {
		setup string
		want  bool
	}{
		{`{"greeting": "Hello."}`, false},
		{`{"greeting": "It rains."}`, true},
		{`{"greeting": "Go away."}`, false},
		{`{"greeting": "It rains cats and dogs.", "greeting_id": "2"}`, true},
	} {
		m := begin(t, content, row.setup)
		if got := strings.Contains(promptOf(t, m, "I wait."), "The roof leaks."); got != row.want {
			t.Errorf("%s: the lore is in the prompt: %v", row.setup, got)
		}
	}
}
