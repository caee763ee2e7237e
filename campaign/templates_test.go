package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// templatedLore returns a book whose entries are always active.
func templatedLore(contents map[string]string) []worldbook.Attachment {
	book := worldbook.Book{Name: "town"}
	for _, title := range []string{"a", "b", "c", "d", "e", "hidden"} {
		if content, ok := contents[title]; ok {
			book.Entries = append(book.Entries, worldbook.Entry{UID: title, Comment: title, Content: content, Constant: true,
				Disable: title == "hidden", Order: float64(len(book.Entries))})
		}
	}
	return []worldbook.Attachment{{Book: book}}
}

// TestTemplatesInLore plays lore with templates: they read and write the variables of the campaign,
// pull in other entries, and know the names that others define.
func TestTemplatesInLore(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{
		People: game.People{Card: &card.Card{Name: "Orin"}},
		Lore: game.Lore{Books: templatedLore(map[string]string{
			"a":      "<% incvar('visits'); setvar('stat_data.seen', true); setLocalVar('mood', 'calm') %>Visit <%= getvar('visits') %> of {{char}} as <%= '{{char}}' %>.",
			"b":      "<%- getwi('hidden') %> The price is <%= price %>.",
			"c":      "<%= nothere %>secret code",
			"d":      "<%= getvar('evil') %>|<%= getvar('mood') %>|{{getvar::mood}}",
			"e":      "<% define('price', 3) %>In <%= chatId %>.",
			"hidden": "@@private\nThe forge is <%= getvar('visits') > 1 ? 'hot' : 'cold' %>.",
		})},
	})
	text := promptOf(t, m, "I enter.")
	for _, want := range []string{"Visit 1 of Orin as Orin.", "The forge is cold. The price is 3.", "|calm|", "In cave."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, not := range []string{"secret code", "nothere", "<%"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is in\n%s", not, text)
		}
	}
	if text = promptOf(t, m, "I wait."); !strings.Contains(text, "Visit 2 of Orin") || !strings.Contains(text, "The forge is hot.") {
		t.Errorf("the second turn does not see the writes of the first:\n%s", text)
	}
}

// TestTemplateValuesAreData checks that a variable that a model may write cannot bring code or
// macros into a prompt.
func TestTemplateValuesAreData(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{People: game.People{Card: &card.Card{Name: "Orin"}},
		Lore: game.Lore{Books: templatedLore(map[string]string{"a": "Rumour: <%= getvar('evil') %>"})}},
		`{"variables": {"evil": "<%= 6 * 7 %> {{setvar::stolen::1}}{{char}}"}}`)
	text := promptOf(t, m, "I listen.")
	if !strings.Contains(text, "Rumour: <%= 6 * 7 %> {{setvar::stolen::1}}{{char}}") {
		t.Errorf("the value was changed:\n%s", text)
	}
}

// TestTemplateResultsAreNotRunAgain checks that a value with tags stays data after it was printed.
// It may be in a field of a card that other texts contain, or a regex script may bring it into
// lore.
func TestTemplateResultsAreNotRunAgain(t *testing.T) {
	t.Parallel()
	evil := "<%= getvar('evil') %>"
	m := begin(t, game.Content{
		People: game.People{Card: &card.Card{Name: "Orin", Description: "Looks: " + evil, SystemPrompt: "Rules: " + evil,
			PostHistoryInstructions: "Last: " + evil}},
		Lore: game.Lore{Books: templatedLore(map[string]string{"a": "<% setvar('ran', 1) %>The rumour of RUMOUR. <%- getwi('hidden') %>", "hidden": "Hidden RUMOUR."})},
		Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{
			{Name: "rumour", Find: "/RUMOUR/g", Replace: "{{var::evil}}", Prompt: true, Placement: []script.Placement{script.WorldInfo}}}}}},
	}, `{"variables": {"evil": "<%= 6 * 7 %>"}}`)
	text := promptOf(t, m, "I listen.")
	for _, want := range []string{"Looks: <%= 6 * 7 %>", "Rules: <%= 6 * 7 %>", "Last: <%= 6 * 7 %>", "The rumour of RUMOUR. Hidden RUMOUR."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "42") {
		t.Errorf("a value ran as code:\n%s", text)
	}
}

// TestTemplateWritesPassTheGate checks that declared bounds apply to templates.
func TestTemplateWritesPassTheGate(t *testing.T) {
	t.Parallel()
	limit := 10.0
	m := begin(t, game.Content{
		Rules: game.Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber, Default: tree.Int(8), Max: &limit}}},
		Lore:  game.Lore{Books: templatedLore(map[string]string{"a": "<% setvar('hp', 99) %>hp <%= getvar('hp') %>"})},
	})
	promptOf(t, m, "I rest.")
	if hp, _ := m.Campaign().State.Variables.Float("hp"); hp != limit {
		t.Errorf("hp is %v, want its limit", hp)
	}
}

// TestTemplatesElsewhere plays templates in a card, its greeting, the system prompt and the author's
// note, and no template of a player.
func TestTemplatesElsewhere(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{
		People: game.People{Card: &card.Card{Name: "Orin", Description: "Orin is <%= getvar('age') %>, {{user}}.", MesExample: "<% if ( %>Orin: Hm.",
			FirstMes: "<% setvar('age', 40); setLocalVar('met', 'yes') %>Hello <%= '{{char}}' + '!' %> <%= getvar('nothing') %>"}},
		Prompt: game.Prompt{
			System: &tavern.SystemPrompt{Content: "<% if (getvar('age') > 30) { %>Old.<% } else { %>Young.<% } %> {{description}}"},
			Note:   prompt.AuthorNote{Text: "<% incvar('notes') %>Note <%= getvar('notes') %>, met: {{getvar::met}}"},
		},
	}, `{"greeting": "", "greeting_id": "0"}`)
	if got := m.Campaign().State.Greeting; got != "Hello Orin! " && got != "Hello Orin!" {
		t.Errorf("greeting %q", got)
	}
	text := promptOf(t, m, "I write <%= 6 * 7 %> on the wall.")
	for _, want := range []string{"Old. Orin is 40, ", "Note 1, met: yes", "Hm.", "I write  on the wall."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "if (") || strings.Contains(text, "42") {
		t.Errorf("code is in the prompt, or the player's ran:\n%s", text)
	}
	if text = promptOf(t, m, "I wait."); !strings.Contains(text, "Note 2, met: yes") {
		t.Errorf("the note does not count on:\n%s", text)
	}
}

// TestTemplatesReadOtherTexts: templates read the cards of a cast and prompts of the preset by name,
// and other entries. They do not read entries that were changed or removed during play, or that the
// players of the prompt may not know.
func TestTemplatesReadOtherTexts(t *testing.T) {
	t.Parallel()
	only := templatedLore(map[string]string{
		"a":      "<%- getchar('Bo Reed') %>|<%- getchar('Nobody') %>|<%- getpreset('Rules') %>|<%- getpreset('None') %>|",
		"b":      "KEY:<%- getwi('hidden') %>.",
		"c":      "GATE:<%- getwi('the gate') %>.",
		"d":      "The gate is low.",
		"hidden": "The key is under the stone.",
	})
	book := &only[0].Book
	book.Entries[3].Comment = "the gate"
	book.Entries[len(book.Entries)-1].Extensions = []byte(`{"visible_to": ["ren"]}`)
	preset := tavern.Default()
	preset.Prompts = append(preset.Prompts, tavern.Prompt{ID: "other", Name: "Other", Content: "No."},
		tavern.Prompt{ID: "rules", Name: "Rules", Content: "Play fair."})
	content := game.Content{
		People: game.People{Cast: three()},
		Lore:   game.Lore{Books: only},
		Prompt: game.Prompt{Preset: &preset},
	}
	m := begin(t, content, twoPlayers(state.AudienceStrict))
	ask := func(who string) string {
		t.Helper()
		step(t, m, turn.Submit{Text: "Reed?", ActorID: who})
		var b strings.Builder
		for _, msg := range m.Todo().Generate.Request.Messages {
			b.WriteString(msg.Message.Text + "\n")
		}
		for m.Phase() != turn.Idle {
			if m.Todo().Generate != nil {
				step(t, m, turn.Replied{Text: "Hm."})
			} else {
				step(t, m, turn.Committed{})
			}
		}
		return b.String()
	}
	wantHas(t, "the prompt of ren", ask("ren"), "owes", "||Play fair.||", "KEY:The key is under the stone.", "GATE:The gate is low.")
	wantHas(t, "the prompt of mei", ask("mei"), "KEY:.", "GATE:The gate is low.")
	gate := worldbook.ID{Book: "town", UID: "d"}.String()
	for _, e := range []effect.Effect{effect.UpdateEntry{ID: gate, Content: new("The gate is high.")}, effect.RemoveEntry{ID: gate}} {
		m = begin(t, content, twoPlayers(state.AudienceStrict))
		play(t, m, turn.ApplyEffects{Effects: effect.List{e}})
		wantHas(t, "the prompt after an edit", ask("ren"), "GATE:.", "KEY:The key is under the stone.")
	}
}

// TestTemplateWritesThatAreRefused: a write that the gate refuses is in the trace, and a template
// removes what it may remove.
func TestTemplateWritesThatAreRefused(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{
		Rules: game.Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber, Default: tree.Int(8)}}},
		Lore:  game.Lore{Books: templatedLore(map[string]string{"a": "<% setvar('hp', 'many'); delvar('gone'); setvar('kept', 2) %>Hm."})},
	}, `{"variables": {"gone": 1, "kept": 1, "hp": 8}}`)
	promptOf(t, m, "I rest.")
	if got := m.Campaign().State.Variables.String(); got != `{"kept":2,"hp":8}` && got != `{"hp":8,"kept":2}` {
		t.Errorf("variables %s", got)
	}
	last := m.Campaign().Turns[len(m.Campaign().Turns)-1]
	if r := last.Trace.Refused; len(r) != 1 || r[0].Path != "hp" || r[0].Reason != "template_write" || r[0].By == "" || r[0].Text == "" {
		t.Errorf("refused %s", jsonOf(t, r))
	}
}
