package campaign_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// tally returns a text with a template that counts, so that the order of the templates is visible.
func tally(text string) string { return text + " <%- incvar('n') %>." }

// TestTemplatesOfEveryPlace compares whole prompts with testdata/templates.golden. Every place of a
// prompt has a template that counts, and a macro that stores a number.
func TestTemplatesOfEveryPlace(t *testing.T) {
	t.Parallel()
	preset := tavern.Default()
	preset.Prompts = append(preset.Prompts,
		tavern.Prompt{ID: "deep", System: new(false), Content: tally("Deep"), Position: tavern.InChat, Depth: new(1), Order: new(50), Role: "user"},
		tavern.Prompt{ID: "deeper", System: new(false), Content: tally("Deeper"), Position: tavern.InChat, Depth: new(2)},
		tavern.Prompt{ID: "early", System: new(false), Content: tally("Early"), Position: tavern.InChat, Depth: new(1), Order: new(1), Role: "user"},
		tavern.Prompt{ID: "plain", System: new(false), Content: "{{addvar::m::1}}Plain {{getvar::m}} <%- getvar('m') %>"})
	preset.Orders[0].Order = append(preset.Orders[0].Order, tavern.Entry{ID: "deep", Enabled: true}, tavern.Entry{ID: "deeper", Enabled: true},
		tavern.Entry{ID: "early", Enabled: true}, tavern.Entry{ID: "plain", Enabled: true})
	preset.Prefill, preset.NewChat, preset.NewExample = tally("Prefill"), tally("Chat"), tally("Example")
	bare := preset
	bare.Orders = slices.Clone(preset.Orders)
	bare.Orders[0].Order = slices.DeleteFunc(slices.Clone(bare.Orders[0].Order), func(e tavern.Entry) bool { return strings.HasPrefix(e.ID, "worldInfo") })
	bare.Prefill, bare.NewChat, bare.NewExample = "<% nothere.a %>", "<% nothere.b %>", "<% nothere.c %>"
	instruct, err := tavern.ParseInstruct([]byte(`{"name": "plain", "input_sequence": "> ", "output_sequence": "< "}`))
	if err != nil {
		t.Fatal(err)
	}
	own := &card.Card{Name: "Orin", Description: tally("Card {{outlet::here}}"), Personality: tally("Person"), Scenario: tally("Scene"),
		MesExample: "<START>\n{{user}}: " + tally("Hi"), SystemPrompt: tally("System"), PostHistoryInstructions: tally("Post")}
	around := []worldbook.Entry{
		off(constant("[GENERATE:BEFORE] first", "F<%- incvar('n') %>|")), off(constant("[GENERATE:AFTER] last", "|L<%- incvar('n') %>")),
		off(constant("[GENERATE:1:BEFORE] second", "S<%- incvar('n') %>|")),
	}
	tiny := prompt.Budget{Context: 1500, Response: 100}
	cbs := game.Prompt{CBS: []string{"Orin", "b"}}
	var got strings.Builder
	for _, v := range []struct {
		name    string
		prompt  game.Prompt
		around  bool
		inject  bool
		changed func(*worldbook.Entry)
	}{
		{"narrator", game.Prompt{Note: prompt.AuthorNote{Text: tally("Note"), Depth: new(1)}}, false, false, nil},
		{"narrator with texts around", game.Prompt{}, true, false, nil},
		{"narrator with little room", game.Prompt{Budget: tiny}, true, false, nil},
		{"narrator for caches", game.Prompt{Layout: new(game.CacheLayout())}, false, false, nil},
		{"injected lore", game.Prompt{}, false, true, nil},
		{"preset", game.Prompt{Preset: &preset}, false, false, nil},
		{"preset with texts around", game.Prompt{Preset: &preset}, true, true, nil},
		{"preset without lore, and broken", game.Prompt{Preset: &bare}, false, false, nil},
		{"instruct", game.Prompt{Instruct: &instruct}, false, false, nil},
		{"instruct with texts around", game.Prompt{Instruct: &instruct}, true, false, nil},
		{"instruct with little room", game.Prompt{Instruct: &instruct, Budget: tiny}, true, false, nil},
		{"language of RisuAI", cbs, false, true, nil},
		{"a macro in lore", game.Prompt{}, false, false, func(e *worldbook.Entry) { e.Content = "{{addvar::m::1}}" + e.UID }},
		{"a broken template", game.Prompt{}, false, false, func(e *worldbook.Entry) { e.Content = "<% nothere.x %>" + e.UID }},
		{"an empty result", game.Prompt{}, false, false, func(e *worldbook.Entry) { e.Content = "<% incvar('n') %>" }},
		{"before the scan", game.Prompt{}, false, false, func(e *worldbook.Entry) { e.Content = "@@preprocessing\n" + tally(e.UID) }},
	} {
		books := everyPosition(false)
		book := &books[0].Book
		for i := range book.Entries {
			e := &book.Entries[i]
			if e.Content = tally(e.Content); v.changed != nil {
				v.changed(e)
			}
		}
		settings := worldbook.Exact()
		if v.inject {
			settings.Decorators = worldbook.DecoratorsCardV3
			book.Entries = append(book.Entries, worldbook.Entry{UID: "in", Constant: true, Probability: 100,
				Content: "@@inject_at description\n" + tally("Injected {{user}}")},
				worldbook.Entry{UID: "plain", Constant: true, Probability: 100, Content: "@@inject_at description\nPlain {{user}}."})
		}
		if v.around {
			book.Entries = append(book.Entries, around...)
		}
		content := game.Content{Prompt: v.prompt, People: game.People{Card: own}, Lore: game.Lore{Books: books}}
		if v.inject {
			content.Lore.Settings = settings
		}
		m := begin(t, content)
		fmt.Fprintf(&got, "%s\n", v.name)
		for range 2 {
			step(t, m, turn.Submit{Text: "I wait.", At: noon})
			for m.Phase() != turn.Idle {
				todo := m.Todo()
				switch {
				case todo.Generate != nil:
					for _, msg := range todo.Generate.Request.Messages {
						fmt.Fprintf(&got, "\t%s: %.200q (%d)\n", msg.Message.Role, msg.Message.Text, len(msg.Message.Text))
					}
					fmt.Fprintf(&got, "\tprefill %q\n", todo.Generate.Request.Prefill)
					step(t, m, turn.Replied{Text: "Time passes."})
				case todo.Commit != nil:
					step(t, m, turn.Committed{})
				default:
					t.Fatalf("%s: %s", v.name, m.Phase())
				}
			}
		}
		c := m.Campaign()
		played := c.Turns[len(c.Turns)-1].Trace
		fmt.Fprintf(&got, "\tvariables %s, %s\n\twarnings %q\n", c.State.Variables.Root(), c.State.Macros.Chat, played.Warnings)
		for _, p := range played.Prompt {
			fmt.Fprintf(&got, "\t%s: %s, %d tokens\n", p.Key, p.Status, p.Tokens)
		}
	}
	testkit.Golden(t, "testdata/templates.golden", got.String())
}

// moon is an engine that prints how often it ran.
type moon struct{ runs *int }

func (m moon) Run(_ context.Context, _ template.Program, host template.Host) (string, error) {
	*m.runs++
	_, err := host.Call("incvar", []any{tree.Text("runs")})
	return fmt.Sprintf("Moon %d.", *m.runs), err
}

// TestEngineRunsOnce: a conflict, a turn that waits for people and a dropped turn keep what the engine
// printed. A replay of them, and a restart while people are asked, needs no engine (SC-03).
func TestEngineRunsOnce(t *testing.T) {
	t.Parallel()
	runs := new(int)
	content := game.Content{Lore: game.Lore{Books: townBook(constant("moon", "<% class Moon {} %>x"))}, Extensions: game.Extensions{Engine: moon{runs}}}
	for name, c := range map[string]struct {
		settings string
		status   turn.OutcomeStatus
	}{
		"conflict": {`{"settings": {"retry.max_retries": 0}}`, turn.Conflict},
		"retried":  {`{"settings": {"retry.max_retries": 2}}`, turn.Conflict},
		"waiting":  {askAll, turn.Waiting},
	} {
		reply := "You lose 3 HP."
		if name == "waiting" {
			reply = output("You lose 3 HP.", hurt("ren", "-3"))
		}
		store := &campaign.MemoryStore{}
		cfg := campaign.Config{Model: scripted(reply, reply, reply), Store: store, Game: compile(t, content)}
		e := newEngine(t, cfg, c.settings)
		*runs = 0
		if out, err := e.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."}); err != nil || out.Status != c.status {
			t.Errorf("%s: %v, %v", name, out.Status, err)
		}
		before := *runs
		bare := content
		bare.Extensions.Engine = nil
		g, _ := game.Compile(bare)
		if _, err := campaign.Rebuild(g, store.Records(t.Context(), "cave", 0)); err != nil || *runs != before || before == 0 {
			t.Errorf("%s: rebuilt without an engine: %v, %d runs after %d", name, err, *runs, before)
		}
		saved, err := store.Load(t.Context(), "cave")
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := campaign.Restore(saved)
		if err != nil {
			t.Fatal(err)
		}
		if m := turn.NewMachine(cfg.Game, loaded); *runs != before || name == "waiting" && m.Phase() != turn.Approving {
			t.Errorf("%s: after a restart %d runs instead of %d, %v", name, *runs, before, m.Phase())
		}
	}
}

// TestPreprocessedLoreKeepsItsPlace: an entry that is evaluated before the scan keeps its other decorators.
func TestPreprocessedLoreKeepsItsPlace(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Decorators = worldbook.DecoratorsCardV3
	for _, first := range []string{"", "@@preprocessing\n", "@@if 1 < 2\n@@preprocessing\n"} {
		book := worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1", Constant: true, Probability: 100,
			Content: first + "@@inject_at description\nShe counts <%= 1 + 1 %>."}}}
		cfg := campaign.Config{Model: scripted("Dust falls."), Game: compile(t, game.Content{
			People: game.People{Card: &card.Card{Name: "Orin", Description: "A smith."}},
			Lore:   game.Lore{Books: []worldbook.Attachment{{Book: book}}, Settings: settings}})}
		seen := observed(&cfg)
		turnOf(t, newEngine(t, cfg), turn.Submit{Text: "I wait."})
		if text := askedText((*seen)[0]); !strings.Contains(text, "A smith.\nShe counts 2.") {
			t.Errorf("%q:\n%s", first, text)
		}
	}
}
