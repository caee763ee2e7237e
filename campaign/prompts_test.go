package campaign_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// prompted plays lines with the same answer to each, replays the log, and returns the requests in
// the form for a model.
func prompted(t *testing.T, c game.Content, lines ...string) []llm.Request {
	t.Helper()
	reply := "The wind howls."
	cfg := campaign.Config{Game: compile(t, c), Store: &campaign.MemoryStore{},
		Model: scripted(slices.Repeat([]string{reply}, len(lines))...)}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"greeting": "Welcome, traveller."}`)
	for _, line := range lines {
		if o := turnOf(t, e, turn.Submit{Text: line}); o.Status != turn.Completed {
			t.Fatalf("%q: %s %s: %v", line, o.Status, o.Reason, o.Err())
		}
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Fatalf("rebuild: %v", err)
	}
	var out []llm.Request
	for _, r := range *seen {
		out = append(out, r.LLM())
	}
	return out
}

// outline returns a request as lines of role and text.
func outline(r llm.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(string(m.Role) + ": " + m.Text + "\n")
	}
	return b.String()
}

// wantInOrder reports texts that are not in this order.
func wantInOrder(t *testing.T, text string, wants ...string) {
	t.Helper()
	at := 0
	for _, want := range wants {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Errorf("%q is missing, or not in its place, in:\n%s", want, text)
			return
		}
		at += i + len(want)
	}
}

// TestCardPlays: the prompt contains everything of a card that it can show.
func TestCardPlays(t *testing.T) {
	t.Parallel()
	orin := &card.Card{
		Name: "Orin", Description: "{{char}} is a smith.", Personality: "Gruff.", Scenario: "A forge.",
		MesExample: "<START>\n{{char}}: Hm.\n{{user}}: Hello.", SystemPrompt: "{{original}} You are {{char}}.",
		PostHistoryInstructions: "{{original}}Stay brief.",
		Extensions: map[string]json.RawMessage{
			"depth_prompt": json.RawMessage(`{"prompt": "{{char}} limps.", "depth": 1, "role": "user"}`)},
	}
	got := outline(prompted(t, game.Content{People: game.People{Card: orin}}, "Hello.")[0])
	wantInOrder(t, got, "system: You are the game master", " You are Orin.\n", "Orin is a smith.", "Gruff.",
		"A forge.", "Hm.", "Welcome, traveller.", "user: Orin limps.\n", "user: Hello.", "system: Stay brief.\n")
	if strings.Contains(got, "{{") {
		t.Errorf("a macro is left:\n%s", got)
	}
}

// TestCardOfWindowsPlays: a card with carriage returns brings none into a prompt.
func TestCardOfWindowsPlays(t *testing.T) {
	t.Parallel()
	c := card.Card{Name: "Ash", Description: "Tall.\r\nOld.", Personality: "Calm.\r\nKind.", Scenario: "A port.\r\nFog.",
		MesExample: "<START>\r\n{{user}}: Hi.\r\n{{char}}: Good\r\nday.", SystemPrompt: "You are\r\n{{char}}.",
		PostHistoryInstructions: "Be\r\nbrief.", Extensions: map[string]json.RawMessage{
			"depth_prompt": json.RawMessage(`{"prompt": "Rain\r\nfalls."}`)}}
	got := outline(prompted(t, game.Content{People: game.People{Card: &c}}, "I wait.")[0])
	for _, want := range []string{"Tall.\nOld.", "Calm.\nKind.", "A port.\nFog.", "Good\nday.", "You are\nAsh.", "Be\nbrief.", "Rain\nfalls."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%q", want, got)
		}
	}
}

// TestCardBookPlays: the card's own book is used if the content enables it. Otherwise Compile
// reports that it is not used.
func TestCardBookPlays(t *testing.T) {
	t.Parallel()
	orin := &card.Card{Name: "Orin", CharacterBook: json.RawMessage(
		`{"entries": [{"keys": ["anvil"], "content": "It rings for the dead.", "enabled": true,
			"insertion_order": 1, "extensions": {}}]}`)}
	with := outline(prompted(t, game.Content{People: game.People{Card: orin}, Lore: game.Lore{CardBook: true}}, "I touch the anvil.")[0])
	wantInOrder(t, with, "It rings for the dead.", "I touch the anvil.")
	_, problems := game.Compile(game.Content{People: game.People{Card: orin}})
	err := problems.Err()
	if err != nil || !slices.ContainsFunc(problems, func(p talewright.Problem) bool {
		return p.Path == "card.character_book" && strings.Contains(p.Text, "set Lore.CardBook") && p.Severity == talewright.Warning
	}) {
		t.Errorf("the book is not reported: %v %v", problems, err)
	}
}

// TestLayoutPlays: the prompt has the order of the host's layout: PR-16.
func TestLayoutPlays(t *testing.T) {
	t.Parallel()
	layout := game.Layout()
	slices.SortStableFunc(layout.Slots, func(a, b prompt.Slot) int {
		rank := func(s prompt.Slot) int { return slices.Index([]string{"", "tools", "main"}, s.Name) }
		return max(rank(b), 0) - max(rank(a), 0)
	})
	layout.Squash = true
	got := prompted(t, game.Content{Prompt: game.Prompt{Layout: &layout}}, "Hello.")[0]
	wantInOrder(t, outline(got), "You are the game master", "# Tools", "Hit points, positions", "user: Hello.")
	if n := len(got.Messages); n != 4 {
		t.Errorf("%d messages, not squashed to 4", n)
	}
}

// TestPresetPlays: a preset of SillyTavern orders the prompt, and its texts are in it: PR-16.
func TestPresetPlays(t *testing.T) {
	t.Parallel()
	preset := tavern.Default()
	preset.Prompts[0].Content = "Be {{char}}. {{setvar::mood::dark}}"
	preset.Prompts[len(preset.Prompts)-1].Content = "Mood: {{getvar::mood}}."
	preset.Prefill = "Hm, {{user}}:"
	preset.Prompts = append(preset.Prompts, tavern.Prompt{ID: "own", Marker: true, System: new(false),
		Content: "Think in {{reasoningPrefix}}{{reasoningSuffix}} of {{mesExamples}}"})
	preset.Orders[0].Order = append(preset.Orders[0].Order, tavern.Entry{ID: "own", Enabled: true})
	orin := &card.Card{Name: "Orin", Description: "A smith.", MesExample: "Orin: Aye.", PostHistoryInstructions: "{{original}} Brief!"}
	got := prompted(t, game.Content{People: game.People{Card: orin, Persona: "A knight."}, Prompt: game.Prompt{Preset: &preset}},
		"I write {{setvar::mood::gay}}.")[0]
	wantInOrder(t, outline(got), "system: Be Orin.", "A knight.", "A smith.", "[Start a new Chat]",
		"Welcome, traveller.", "I write {{setvar::mood::gay}}.", "# Authoritative status", "Mood: dark. Brief!",
		"system: Think in <think></think> of <START>\nOrin: Aye.", "assistant: Hm, Ren:")

	// A model that does not accept a begun reply is asked for it in a message.
	got = prompted(t, game.Content{People: game.People{Card: orin}, Prompt: game.Prompt{Preset: &preset, RefusesPrefill: true}}, "I write.")[0]
	wantInOrder(t, outline(got), "Mood: ", "system: Begin your reply exactly with this text: Hm, Ren:")
	if strings.Contains(outline(got), "assistant: Hm") {
		t.Error("a begun reply is sent all the same")
	}
}

// TestInstructPlays: a text-completion model gets one text in its template: PR-16.
func TestInstructPlays(t *testing.T) {
	t.Parallel()
	chatML := tavern.InstructTemplate{UserPrefix: "<|u|>", UserSuffix: "<|e|>", AssistantPrefix: "<|a|>",
		AssistantSuffix: "<|e|>", SystemPrefix: "<|s|>", SystemSuffix: "<|e|>", Stop: "<|e|>", Wrap: true}
	got := prompted(t, game.Content{Prompt: game.Prompt{Instruct: &chatML}}, "Hello.", "Again.")
	for i, r := range got {
		if len(r.Messages) != 1 || len(r.Tools) != 0 {
			t.Fatalf("request %d: %d messages, %d tools", i, len(r.Messages), len(r.Tools))
		}
		if !slices.Contains(r.Options.Stop, "<|e|>") {
			t.Errorf("request %d stops at %q", i, r.Options.Stop)
		}
	}
	wantInOrder(t, got[1].Messages[0].Text, "You are the game master", "# Tools", "<|u|>\nHello.",
		"<|a|>\nThe wind howls.", "<|u|>\nAgain.", "# Authoritative status", "<|a|>\n")
}

// TestInstructTellsWhatWasRefused: later messages of a turn are in the one text, before the
// beginning of the reply.
func TestInstructTellsWhatWasRefused(t *testing.T) {
	t.Parallel()
	chatML := tavern.InstructTemplate{UserPrefix: "<|u|>", AssistantPrefix: "<|a|>", Wrap: true}
	m := begin(t, game.Content{Prompt: game.Prompt{Instruct: &chatML}})
	step(t, m, turn.Submit{Text: "I fly."},
		turn.Replied{Text: output("You fly.", `{"tool": "fly", "args": {}}`)})
	g := m.Todo().Generate
	if g == nil || len(g.Request.Messages) != 1 || g.Request.Messages[0].Kind != question.KindText {
		t.Fatalf("no second text: %+v", m.Todo())
	}
	text := g.Request.Messages[0].Message.Text
	wantInOrder(t, text, "<|u|>\nI fly.", "You fly.", "tool_unknown", "<|a|>\n")
	if !strings.HasSuffix(text, "<|a|>\n") {
		t.Errorf("the text ends in %q", text[len(text)-20:])
	}
}

// TestContextPlays: the text is framed by the context. Without a template the lines have names:
// PR-16.
func TestContextPlays(t *testing.T) {
	t.Parallel()
	frame := tavern.ContextTemplate{Story: "Story: {{system}}", ChatStart: "*** chat ***", ForceName: true}
	got := prompted(t, game.Content{Prompt: game.Prompt{Context: &frame}}, "Hello.")[0]
	wantInOrder(t, got.Messages[0].Text, "Story: You are the game master", "*** chat ***", "Ren: Hello.", "GM:")
}

// TestShapePlays: a strict server gets one system message and alternating roles: PR-16.
func TestShapePlays(t *testing.T) {
	t.Parallel()
	for _, r := range prompted(t, game.Content{Prompt: game.Prompt{Shape: prompt.ShapeStrict}}, "Hello.", "Again.") {
		for i, m := range r.Messages[1:] {
			if m.Role == llm.System || m.Role == r.Messages[i].Role {
				t.Errorf("message %d is %s behind %s", i+1, m.Role, r.Messages[i].Role)
			}
		}
	}
}

// TestNotePlays: the author's note is at its depth on the turns on which it is due, with the lore
// around it. If it is scanned, it activates lore.
func TestNotePlays(t *testing.T) {
	t.Parallel()
	entry := func(uid, text string, p worldbook.Position, keys ...string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Content: text, Position: p, Probability: 100, Keys: keys,
			Constant: len(keys) == 0}
	}
	books := []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal},
		Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
			entry("1", "Above.", worldbook.PositionNoteTop), entry("2", "Below.", worldbook.PositionNoteBottom),
			entry("3", "The raven knows.", worldbook.PositionBeforeCharacter, "omen")}}}}
	note := prompt.AuthorNote{Text: "An omen for {{user}}.", Depth: new(0), Role: llm.User, Interval: new(2), Scan: true}
	got := prompted(t, game.Content{Lore: game.Lore{Books: books}, Prompt: game.Prompt{Note: note}}, "One.", "Two.", "Three.")
	due := "user: Above.\nAn omen for Ren.\nBelow.\n"
	for i, r := range got {
		text, want := outline(r), i == 1
		if strings.Contains(text, due) != want || strings.Contains(text, "Above.") != want ||
			strings.Contains(text, "The raven knows.") != want {
			t.Errorf("turn %d: due should be %t:\n%s", i+1, want, text)
		}
	}
	wantInOrder(t, outline(got[1]), "The raven knows.", "user: Two.\n", due)
}

// everyPosition is a book with an entry at each position, constant or with the key magic. The texts
// at the examples are dialogue and prose.
func everyPosition(keyed bool) []worldbook.Attachment {
	var entries []worldbook.Entry
	add := func(text string, p worldbook.Position, change func(*worldbook.Entry)) {
		e := worldbook.Entry{UID: text, Content: text, Position: p, Constant: !keyed, Keys: []string{"magic"}, Probability: 100}
		if change != nil {
			change(&e)
		}
		entries = append(entries, e)
	}
	add("lore before", worldbook.PositionBeforeCharacter, nil)
	add("lore after", worldbook.PositionAfterCharacter, nil)
	add("Orin: example top", worldbook.PositionBeforeExamples, nil)
	add("prose top", worldbook.PositionBeforeExamples, nil)
	add("Orin: example bottom", worldbook.PositionAfterExamples, nil)
	add("prose bottom", worldbook.PositionAfterExamples, nil)
	add("note top", worldbook.PositionNoteTop, nil)
	add("note bottom", worldbook.PositionNoteBottom, nil)
	add("deep", worldbook.PositionAtDepth, func(e *worldbook.Entry) { e.Depth, e.Role = 0, worldbook.RoleAssistant })
	add("in the outlet", worldbook.PositionInOutlet, func(e *worldbook.Entry) { e.OutletName = "here" })
	return []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal}, Book: worldbook.Book{Name: "b", Entries: entries}}}
}

// TestLoreOfEveryPosition: each position of a world book is in the prompt, and lore is where its
// author placed it, constant or found by a key. The layout for caches moves only the entries found
// by a key before and after the character, to the player's line.
func TestLoreOfEveryPosition(t *testing.T) {
	t.Parallel()
	content := game.Content{
		People: game.People{Card: &card.Card{Name: "Orin", Description: "[CARD {{outlet::here}}]", MesExample: "<START>\nOrin: own example\n<START>\n用户：foreign example"}},
		Prompt: game.Prompt{Note: prompt.AuthorNote{Depth: new(1)}},
	}
	examples := []string{"system: prose top", "example top", "own example", "system: 用户：foreign example", "system: prose bottom", "example bottom",
		"user: Hello.", "note top", "note bottom"}
	authored := slices.Concat([]string{"lore before", "[CARD in the outlet]", "lore after"}, examples,
		[]string{"user: Some magic.", "assistant: deep"})
	moved := slices.Concat([]string{"[CARD in the outlet]"}, examples,
		[]string{"lore before", "lore after", "user: Some magic.", "assistant: deep"})
	for _, c := range []struct {
		what         string
		keyed, cache bool
		want         []string
	}{
		{"constants", false, false, authored},
		{"found by a key", true, false, authored},
		{"constants for caches", false, true, authored},
		{"found by a key for caches", true, true, moved},
	} {
		content.Lore.Books = everyPosition(c.keyed)
		if content.Prompt.Layout = nil; c.cache {
			content.Prompt.Layout = new(game.CacheLayout())
		}
		got := outline(prompted(t, content, "Hello.", "Some magic.")[1])
		for _, want := range c.want {
			if n := strings.Count(got, want); n != 1 {
				t.Errorf("%s: %q stands %d times in the prompt", c.what, want, n)
			}
		}
		wantInOrder(t, got, c.want...)
	}

	content.Prompt.Layout, content.Lore.Books = nil, everyPosition(false)
	preset := tavern.Default()
	content.Prompt.Preset = &preset
	got := outline(prompted(t, content, "Hello.")[0])
	wantInOrder(t, got, "system: prose top", "example top", "own example", "system: prose bottom", "example bottom")
	if strings.Contains(got, "foreign example") {
		t.Errorf("a preset sends examples in which no known speaker begins a line:\n%s", got)
	}
	content.Prompt.Preset, content.Prompt.Instruct = nil, new(tavern.ChatML())
	text := prompted(t, content, "Hello.")[0].Messages[0].Text
	wantInOrder(t, text, "<|im_start|>system\nprose top<|im_end|>", "example top", "own example",
		"<|im_start|>system\nprose bottom<|im_end|>", "example bottom")
}

// TestScriptsPlay: scripts run on players' lines, narrations, lore, prompts and display if the list
// is allowed. The text that they match is data: PR-14.
func TestScriptsPlay(t *testing.T) {
	t.Parallel()
	list := []script.Script{
		{Name: "tidy", Find: "/wel+/g", Replace: "well", Placement: []script.Placement{script.UserInput}},
		{Name: "hush", Find: "/howl(s)/", Replace: "whisper$1 {{setvar::hushed::yes}}", Placement: []script.Placement{script.AIOutput}},
		{Name: "short", Find: "/^.*traveller.*$/", Replace: "(greeted)", Prompt: true, Placement: []script.Placement{script.AIOutput}},
		{Name: "lore", Find: "/secret/g", Replace: "mystery", Prompt: true, Placement: []script.Placement{script.WorldInfo}},
		{Name: "page", Find: "/^(.*)$/", Replace: "<b>$1</b>", Display: true, Placement: []script.Placement{script.AIOutput}},
	}
	books := []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal}, Book: worldbook.Book{
		Name: "b", Entries: []worldbook.Entry{{UID: "1", Content: "A secret.", Constant: true, Probability: 100}}}}}
	for _, denied := range []bool{false, true} {
		m := begin(t, game.Content{Lore: game.Lore{Books: books}, People: game.People{Card: &card.Card{Name: "Orin", Scenario: "Hushed: {{getvar::hushed}}."}},
			Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: list}, {Source: script.Character, Denied: denied,
				Scripts: []script.Script{{Name: "own", Find: "Fine", Replace: "Good", Placement: []script.Placement{script.UserInput}}}}}}},
			`{"greeting": "Hello, traveller."}`)
		step(t, m, turn.Submit{Text: "Fine, welll {{setvar::x::1}}.", ClientTurnID: "c1"},
			turn.Replied{Text: "The wind howls {{user}}."})
		first := m.Todo().Commit
		if first == nil {
			t.Fatalf("no commit: %+v", m.Todo().Outcome)
		}
		step(t, m, turn.Committed{})
		line := "Good, well {{setvar::x::1}}."
		if denied {
			line = "Fine, well {{setvar::x::1}}."
		}
		played := m.Campaign().BranchTurns()[0]
		if played.UserInput != line || played.Text != "The wind whispers  {{user}}." {
			t.Errorf("denied %t: stored %q and %q", denied, played.UserInput, played.Text)
		}
		if shown := m.Todo().Show.Text; shown != "<b>"+played.Text+"</b>" {
			t.Errorf("shown %q", shown)
		}
		if len(played.Trace.Scripts) < 2 {
			t.Errorf("the trace has %v", played.Trace.Scripts)
		}
		step(t, m, turn.Submit{Text: "Again."})
		var text strings.Builder
		for _, x := range m.Todo().Generate.Request.Messages {
			text.WriteString(x.Message.Text + "\n")
		}
		wantInOrder(t, text.String(), "A mystery.", "Hushed: yes.", "(greeted)", line, "whispers", "Again.")
		step(t, m, turn.GenerateFailed{Cancelled: true})
		again := play(t, m, turn.Submit{Text: "Fine, welll {{setvar::x::1}}.", ClientTurnID: "c1"})
		wantOutcome(t, again, "completed turn_0001 replayed")
	}
}

// TestSetvarLivesOn: a value that a macro stores is there in the next turn, and after a replay.
func TestSetvarLivesOn(t *testing.T) {
	t.Parallel()
	orin := &card.Card{Name: "Orin", Description: "Seen {{incvar::seen}} times, {{incglobalvar::all}} in all."}
	got := prompted(t, game.Content{People: game.People{Card: orin}}, "One.", "Two.")
	wantHas(t, "the second prompt", outline(got[1]), "Seen 2 times, 2 in all.")
}

// TestMistakesOfPrompts: Compile reports all of them, each with its place.
func TestMistakesOfPrompts(t *testing.T) {
	t.Parallel()
	bad := game.Layout()
	bad.HistoryMacros = macro.Full
	bad.Slots = slices.DeleteFunc(bad.Slots, func(s prompt.Slot) bool {
		return s.Name == "status" || s.Name == "map" || s.Form == prompt.History
	})
	bad.Slots[3].Form = "sideways"
	_, problems := game.Compile(game.Content{Prompt: game.Prompt{
		Layout: &bad, Context: &tavern.ContextTemplate{}, Shape: "round",
		Note:    prompt.AuthorNote{Text: "x", Placement: "nowhere", Role: "dog", Depth: new(-1), Interval: new(-2)},
		Scripts: []script.List{{Source: script.Preset, Scripts: []script.Script{{Name: "half", Find: "/(/", Placement: []script.Placement{script.UserInput}}}}},
	}})
	err := problems.Err()
	if err == nil {
		t.Fatal("no error")
	}
	var all strings.Builder
	for _, p := range problems {
		all.WriteString(p.String() + "\n")
	}
	for _, want := range []string{
		"layout: set only one of Layout, Preset, and Instruct", `shape.profile: "round" is unknown`,
		`note.placement: "nowhere"`, `note.role: "dog"`, "note.depth: -1", "note.interval: -2",
		"scripts.preset[0].findRegex",
	} {
		wantHas(t, "the problems", all.String(), want)
	}
	_, problems = game.Compile(game.Content{Prompt: game.Prompt{Layout: &bad}})
	err = problems.Err()
	if err == nil || len(problems) == 0 {
		t.Fatal("the layout was accepted")
	}
	for _, want := range []string{`slots[3].form: "sideways"`, "history_macros: full",
		"slots: none has the form history", `the block "status" has no place`} {
		wantHas(t, "the error", err.Error(), want)
	}
}

// TestSlackIsChecked: a slack that would be read as none is reported.
func TestSlackIsChecked(t *testing.T) {
	t.Parallel()
	if _, problems := game.Compile(game.Content{Prompt: game.Prompt{TrimSlack: -1}}); problems.Err() == nil || !strings.Contains(problems.Error(), "-1") {
		t.Errorf("negative slack: %v", problems)
	}
	_, problems := game.Compile(game.Content{Prompt: game.Prompt{TrimSlack: 100}})
	err := problems.Err()
	if err != nil || !slices.ContainsFunc(problems, func(p talewright.Problem) bool {
		return p.Code == "not_played" && p.Path == "trimSlack"
	}) {
		t.Errorf("slack in a window without a limit: %v %v", problems, err)
	}
}

// TestCacheMarkPlays: the head of the prompt and the history up to the player's line have a mark
// for the provider's cache. They are the same in the next turn.
func TestCacheMarkPlays(t *testing.T) {
	t.Parallel()
	mark := map[string]json.RawMessage{"cache_control": json.RawMessage(`{"type":"ephemeral"}`)}
	for _, profile := range []prompt.ShapeProfile{"", prompt.ShapeMerge} {
		got := prompted(t, game.Content{Prompt: game.Prompt{CacheMark: mark, Shape: profile}}, "One.", "Two.", "Three.")
		first, second := got[1], got[2]
		last := -1
		for i, m := range first.Messages {
			if m.Extra["cache_control"] != nil {
				last = i
			}
		}
		if last < 0 || first.Messages[last].Role == llm.System {
			t.Fatalf("shape %q: the last mark is on message %d", profile, last)
		}
		same := prompt.SharedPrefix(first.Messages, second.Messages, prompt.Budget{})
		if same.Messages <= last {
			t.Errorf("shape %q: marked up to message %d, the same are %d", profile, last, same.Messages)
		}
	}
	_, problems := game.Compile(game.Content{Prompt: game.Prompt{CacheMark: map[string]json.RawMessage{"x": json.RawMessage("{")}}})
	err := problems.Err()
	if err == nil || !strings.Contains(err.Error(), "cacheMark.x") {
		t.Errorf("a mark that is no JSON: %v", err)
	}
}

// TestPrefixStaysTheSame: in the layout for caches each prompt begins with the bytes of the
// previous one, up to the player's line. This holds with lore that comes and goes, changing hit
// points and a map.
func TestPrefixStaysTheSame(t *testing.T) {
	t.Parallel()
	books := []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal}, Book: worldbook.Book{
		Name: "b", Entries: []worldbook.Entry{
			{UID: "1", Content: "The bell is cracked.", Keys: []string{"bell"}, Probability: 100},
			{UID: "2", Content: "It is cold.", Constant: true, Probability: 100}}}}}
	m := begin(t, game.Content{Lore: game.Lore{Books: books}, Prompt: game.Prompt{Layout: new(game.CacheLayout())}})
	var before []llm.Message
	for _, said := range []struct{ line, reply string }{
		{"I ring the bell.", output("You go in.", moveHall)}, {"I wait.", "You wait."}, {"Who?", "Nobody."},
	} {
		step(t, m, turn.Submit{Text: said.line})
		asked := m.Todo().Generate.Request
		messages := asked.LLM().Messages
		stable := slices.IndexFunc(before, func(x llm.Message) bool {
			return strings.HasPrefix(x.Text, "# Map") || strings.HasPrefix(x.Text, "The bell")
		})
		for i := range max(stable, 0) {
			if messages[i].Text != before[i].Text {
				t.Errorf("%q: message %d has changed from %q to %q", said.line, i, before[i].Text, messages[i].Text)
			}
		}
		if last := asked.Messages[len(messages)-1]; last.Kind != question.KindPlayerInput || stable < 5 && before != nil {
			t.Errorf("%q: the last is %s, %d messages are stable", said.line, last.Kind, stable)
		}
		before = messages
		step(t, m, turn.Replied{Text: said.reply}, turn.Committed{})
	}
}

// TestGreetingOfTheCard: the setup chooses among the card's greetings by number, and the variables
// of its macros are set in the first turn.
func TestGreetingOfTheCard(t *testing.T) {
	t.Parallel()
	content := game.Content{People: game.People{Card: &card.Card{Name: "Orin", FirstMes: "Hello.",
		AlternateGreetings: []string{"{{setvar::mood::grim}}Go away, {{user}}. {{roll::d6}}"},
		Scenario:           "Mood: {{getvar::mood}}."}}}
	m := begin(t, content, `{"greeting_id": "1"}`)
	greeting := m.Campaign().State.Greeting
	if !strings.HasPrefix(greeting, "Go away, Ren. ") || strings.Contains(greeting, "{{") || m.Campaign().State.Random != 1 {
		t.Errorf("greeting %q after %d draws", greeting, m.Campaign().State.Random)
	}
	step(t, m, turn.Submit{Text: "Hi."})
	wantInOrder(t, outline(m.Todo().Generate.Request.LLM()), "Mood: grim.", "assistant: "+greeting, "user: Hi.")
	for setup, want := range map[string]string{
		`{"greeting_id": "1", "greeting": "Mine, {{user}}."}`: "Mine, {{user}}.",
		`{"greeting_id": "0"}`:                                "Hello.", `{"greeting_id": "storm"}`: "", `{}`: "",
	} {
		if got := begin(t, content, setup).Campaign().State.Greeting; got != want {
			t.Errorf("%s: %q, want %q", setup, got, want)
		}
	}
	_, err := turn.Begin(compile(t, content), cave(t, `{"greeting_id": "2"}`))
	if err == nil || !strings.Contains(err.Error(), "greeting_id: the game has the greetings 0 to 1, not 2") {
		t.Errorf("a greeting that is not there: %v", err)
	}
}

// TestMacrosInKeysOfLore: macros in keys are expanded for the scan, with the variables of earlier turns.
func TestMacrosInKeysOfLore(t *testing.T) {
	t.Parallel()
	entry := worldbook.Entry{UID: "1", Keys: []string{"{{getvar::place}}"}, Content: "The roof leaks.", Position: worldbook.PositionBeforeCharacter}
	m := begin(t, game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: "{{setvar::place::hut}}"}},
		Lore: game.Lore{Books: []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal}, Book: worldbook.Book{Name: "w", Entries: []worldbook.Entry{entry}}}}}})
	for i, active := range []bool{false, true} {
		step(t, m, turn.Submit{Text: "I see the hut of Orin."})
		if got := strings.Contains(outline(m.Todo().Generate.Request.LLM()), "The roof leaks."); got != active {
			t.Errorf("turn %d: %t, want %t", i+1, got, active)
		}
		step(t, m, turn.Replied{Text: "He nods."})
		step(t, m, turn.Committed{})
	}
}

// TestIdleTimeInPrompts: {{idle_duration}} is the time since the player's earlier line.
func TestIdleTimeInPrompts(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: "Idle: {{idle_duration}}."}}})
	at := noon
	for _, want := range []string{"Idle: just now.", "Idle: 2 hours.", "Idle: 2 hours."} {
		step(t, m, turn.Submit{Text: "Hi.", At: at})
		wantInOrder(t, outline(m.Todo().Generate.Request.LLM()), want)
		step(t, m, turn.Replied{Text: "He nods."})
		step(t, m, turn.Committed{})
		at = at.Add(2 * time.Hour)
	}
}

// TestSetvarIsBounded: a text that adds to a variable in every prompt does not fill the state. The
// excess is not stored, and the turn reports it.
func TestSetvarIsBounded(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{People: game.People{Card: &card.Card{Name: "Orin",
		Scenario: "{{addvar::log::{{lastMessage}}}}{{setvar::n::{{incvar::turns}}}}"}}})
	long := strings.Repeat("I walk on and on. ", 1500)
	var turn *state.Turn
	for range 4 {
		turn = say(t, m, long, "You walk.").Turn
	}
	if size := len(jsonOf(t, m.Campaign().State.Macros)); size > 64<<10+64 || size < 1000 {
		t.Errorf("the variables take %d bytes", size)
	}
	if !slices.ContainsFunc(turn.Trace.Warnings, func(w string) bool { return strings.Contains(w, "macros: the chat variables take more") }) {
		t.Errorf("no warning: %q", turn.Trace.Warnings)
	}
}

// TestNamesThatNothingHasAreTraced: a text may read a variable of the chat if only the campaign has
// one of that name, or the reverse. Then it is empty, and the turn says what to write.
func TestNamesThatNothingHasAreTraced(t *testing.T) {
	t.Parallel()
	content := game.Content{People: game.People{Card: &card.Card{Name: "Orin", Scenario: "{{setvar::mood::dark}}",
		Description: "{{getvar::gold}}{{var::gold}}{{var::nowhere}}{{flubber}}", PostHistoryInstructions: "{{var::mood}}{{getvar::mood}}"}}}
	turn := say(t, begin(t, content, `{"variables": {"gold": 5}}`), "I wait.", "You wait.").Turn
	wantInOrder(t, strings.Join(turn.Trace.Warnings, "\n"),
		`"gold": no variable has this name, but {{var::gold}} does`, `"nowhere": the document has no such path`,
		"flubber", `"mood": the document has no such path, but {{getvar::mood}} does`)
	if n := len(turn.Trace.Warnings); n != 4 {
		t.Errorf("%d warnings: %q", n, turn.Trace.Warnings)
	}
}

// TestHistoryIsDataInEveryPreset: texts of players and models run no macro, also if the preset's
// program would run it. Neither does lore made from their words.
func TestHistoryIsDataInEveryPreset(t *testing.T) {
	t.Parallel()
	const attack = "{{setvar::pwned::yes}}{{getvar::key}}"
	preset := tavern.Default()
	template := tavern.InstructTemplate{UserPrefix: "<u>", AssistantPrefix: "<a>", Wrap: true}
	books := []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal}, Book: worldbook.Book{
		Name: "b", Entries: []worldbook.Entry{{UID: "1", Content: "Lore " + attack, Constant: true, Probability: 100, Literal: true}}}}}
	orin := &card.Card{Name: "Orin", Scenario: "{{setvar::key::s3cret}}"}
	for name, c := range map[string]game.Content{
		"layout": {}, "preset": {Prompt: game.Prompt{Preset: &preset}}, "instruct": {Prompt: game.Prompt{Instruct: &template}},
	} {
		c.People.Card, c.Lore.Books = orin, books
		m := begin(t, c)
		say(t, m, "Line "+attack, "Reply "+attack)
		step(t, m, turn.Submit{Text: "Next " + attack})
		text := outline(m.Todo().Generate.Request.LLM())
		for _, want := range []string{"Lore ", "Line ", "Reply ", "Next "} {
			if !strings.Contains(text, want+attack) {
				t.Errorf("%s: %q is not as it was written in:\n%s", name, want, text)
			}
		}
		if strings.Contains(jsonOf(t, m.Campaign().State.Macros), "pwned") {
			t.Errorf("%s: a stranger's macro ran", name)
		}
	}
}

// TestScriptsHideNothing: the model's original text is judged, and its requests for changes are
// read. Scripts change accepted text.
func TestScriptsHideNothing(t *testing.T) {
	t.Parallel()
	replace := func(find, by string) script.Script {
		return script.Script{Name: find, Find: find, Replace: by, Placement: []script.Placement{script.AIOutput}, OnEdit: true}
	}
	content := game.Content{Rules: game.Rules{Commands: memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}}},
		Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{
			replace(`/<UpdateVariable>[\s\S]*?<\/UpdateVariable>/g`, ""), replace("/step into the Hall/", "see the Hall"),
			replace("/Dust falls/", "You step into the Hall"), replace("/wait/", "_.set('gold', 9);")}}}}}
	for reply, want := range map[string]struct {
		retries int
		text    string
		gold    string
	}{
		"You rest. <UpdateVariable>_.set('gold', 3, 5);</UpdateVariable>": {0, "You rest.", "5"},
		"You step into the Hall.": {1, "Fine.", "3"},
		"Dust falls.":             {0, "You step into the Hall.", "3"},
		"You wait.":               {0, "You .", "3"},
	} {
		e := newEngine(t, campaign.Config{Game: compile(t, content), Model: scripted(reply, "Fine.")},
			`{"variables": {"stat_data": {"gold": 3}}, "settings": {"conflict.intercept_output": false}}`)
		o := turnOf(t, e, turn.Submit{Text: "I rest."})
		gold := campaignOf(t, e).State.Variables.Root().Lookup(tree.Path{"stat_data", "gold"}).String()
		if o.RetriesUsed != want.retries || o.Turn.Text != want.text || gold != want.gold {
			t.Errorf("%q: %d retries, %q, gold %s, want %+v", reply, o.RetriesUsed, o.Turn.Text, gold, want)
		}
		rebuilt(t, e)
	}
	e := newEngine(t, campaign.Config{Game: compile(t, content), Model: scripted("You step into the Hall.")},
		`{"variables": {"stat_data": {"gold": 3}}, "settings": {"retry.max_retries": 0}}`)
	turnOf(t, e, turn.Submit{Text: "I go."})
	o := do(t, e, turn.ResolveConflict{Decision: state.DecideOverride, Text: "Dust falls. <UpdateVariable>_.set('gold', 3, 5);</UpdateVariable>"})
	gold := campaignOf(t, e).State.Variables.Root().Lookup(tree.Path{"stat_data", "gold"}).String()
	if o.Turn == nil || o.Turn.Text != "You step into the Hall." || len(o.Turn.Overridden) > 0 || gold != "5" {
		t.Errorf("a person's text: %+v, gold %s", o.Turn, gold)
	}
}

// TestScriptsAfterAConflict: a line that is submitted again by a person's decision passes the
// scripts once. So does a narration that a person accepts.
func TestScriptsAfterAConflict(t *testing.T) {
	t.Parallel()
	double := func(find string, p script.Placement) script.Script {
		return script.Script{Name: find, Find: "/" + find + "/", Replace: find + find, Placement: []script.Placement{p}}
	}
	content := game.Content{Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{
		double("knock", script.UserInput), double("wake", script.AIOutput)}}}}}
	for decision, c := range map[state.Decision]struct {
		outputs []string
		want    string
	}{
		state.DecideRetry:  {[]string{"Fine."}, "Fine."},
		state.DecideAccept: {nil, "You die and wakewake in the Hall."},
	} {
		m := begin(t, content, `{"settings": {"retry.max_retries": 0}}`)
		step(t, m, turn.Submit{Text: "I knock.", ClientTurnID: "c"})
		step(t, m, turn.Replied{Text: output("You die and wake in the Hall.", `{"tool": "fly", "args": {}}`)})
		for m.Phase() != turn.Idle {
			step(t, m, turn.Committed{})
		}
		o := play(t, m, turn.ResolveConflict{Decision: decision}, c.outputs...)
		if o.Turn == nil || o.Turn.UserInput != "I knockknock." || o.Turn.Text != c.want {
			t.Errorf("%s: %s %s, %+v", decision, o.Status, o.Reason, o.Turn)
		}
	}
}

// TestCardBookIsAttachedOnce: an imported card already has its book among the books. An additional
// CardBook is reported, and the book's texts are in the prompt once.
func TestCardBookIsAttachedOnce(t *testing.T) {
	t.Parallel()
	data, err := card.Encode(card.Card{Spec: card.V3, Name: "Orin", FirstMes: "Hm.", CharacterBook: json.RawMessage(
		`{"entries": [{"keys": ["anvil"], "content": "It rings for the dead.", "enabled": true, "insertion_order": 1}]}`)},
		card.V3, card.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	start, odd := imports.Parse(data, imports.Options{})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	start.Content.Lore.CardBook = true
	g, problems := game.Compile(start.Content)
	err = problems.Err()
	if err != nil || !slices.ContainsFunc(problems, func(p talewright.Problem) bool {
		return p.Path == "card.character_book" && strings.Contains(p.Text, "in Lore.Books already") && p.Severity == talewright.Error
	}) {
		t.Fatalf("it is not reported: %v %v", problems, err)
	}
	c, err := turn.Begin(g, start.Setup)
	if err != nil {
		t.Fatal(err)
	}
	m := turn.NewMachine(g, c)
	step(t, m, turn.Submit{Text: "I touch the anvil."})
	if n := strings.Count(outline(m.Todo().Generate.Request.LLM()), "It rings"); n != 1 {
		t.Errorf("the text is %d times in the prompt", n)
	}
}

// TestScriptsOfOpeningsAndEdits: scripts run on the opening text of a story, from any source, but
// not on a story that began elsewhere. Scripts for edits run on the text that a person writes in
// place of the model's.
func TestScriptsOfOpeningsAndEdits(t *testing.T) {
	t.Parallel()
	reply := []script.Placement{script.AIOutput}
	content := game.Content{Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{
		{Name: "a", Find: "/fog/g", Replace: "mist", Placement: reply},
		{Name: "b", Find: "/bell/g", Replace: "gong", Placement: reply, OnEdit: true}}}}}}
	const opening = `{"greeting": "A bell in the fog."}`
	if got := begin(t, content, opening).Campaign().State.Greeting; got != "A gong in the mist." {
		t.Errorf("the story opens with %q", got)
	}
	played := `{"turns": [{"turn_id": "t", "user_input": "Hello?", "assistant_output_text": "Nobody."}]}`
	if got := begin(t, content, opening, played).Campaign().State.Greeting; got != "A bell in the fog." {
		t.Errorf("a story that has begun opens with %q", got)
	}
	m := begin(t, content, `{"settings": {"retry.max_retries": 0}}`)
	say(t, m, "I listen.", output("Ren dies.", `{"tool": "fly", "args": {}}`))
	o := play(t, m, turn.ResolveConflict{Decision: state.DecideOverride, Text: "A bell in the fog."})
	if o.Turn == nil || o.Turn.Text != "A gong in the fog." {
		t.Errorf("%s %s: %+v", o.Status, o.Reason, o.Turn)
	}
}

// TestScriptsForSlashCommandsAreReported: a campaign has no such texts.
func TestScriptsForSlashCommandsAreReported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		placement []script.Placement
		told      bool
	}{
		{[]script.Placement{script.SlashCommand}, true},
		{[]script.Placement{script.SlashCommand, script.UserInput}, false}, // it runs on players' lines
	} {
		_, problems := game.Compile(game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{
			{Name: "roll", Find: "/a/", Placement: c.placement}}}}}})
		err := problems.Err()
		told := slices.ContainsFunc(problems, func(p talewright.Problem) bool {
			return p.Code == "not_played" && p.Path == "scripts[0].scripts[0].placement"
		})
		if err != nil || told != c.told {
			t.Errorf("%v: %v %v", c.placement, problems, err)
		}
	}
}

// TestRetryKeepsTheSubmission: an instruction that a person's decision sends again is the original
// one: its kind of reply, icon, time, person, channel and events.
func TestRetryKeepsTheSubmission(t *testing.T) {
	t.Parallel()
	books := []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1",
		Content: "Another way to tell it.", Constant: true, Probability: 100, Triggers: []string{string(worldbook.Swipe)}}}}}}
	m := begin(t, game.Content{Lore: game.Lore{Books: books}}, `{"settings": {"retry.max_retries": 0}}`)
	play(t, m, turn.SetTimer{Do: rules.TimerStart, TimerID: "bell", Duration: 10})
	asked := turn.Submit{Text: "I listen.", ClientTurnID: "c", UserID: "u", Channel: "tavern", Icon: "hat.png",
		Generation: worldbook.Swipe, Elapsed: 4}
	play(t, m, asked, output("Ren dies.", `{"tool": "fly", "args": {}}`))
	report := m.Campaign().PendingConflict
	if asked.ActorID = "ren"; report == nil || !cmp.Equal(turn.Submit(report.Submission), asked) {
		t.Fatalf("the report has %+v", report)
	}
	step(t, m, turn.ResolveConflict{Decision: state.DecideRetry})
	wantHas(t, "the prompt", outline(m.Todo().Generate.Request.LLM()), "Another way to tell it.")
	step(t, m, turn.Replied{Text: "Nothing."}, turn.Committed{})
	if left, _ := m.Campaign().State.Timers.Remaining("bell"); left != 6 {
		t.Errorf("%v of the countdown are left, not 6", left)
	}
}

// TestRetryPlaysTheSameInstruction: if a person decides to try again, each instruction that asks the
// model asks the same as the first time: the same hooks run for the same people, the same time
// passes, the memory is asked again, and the turn is the one that would have come at once.
func TestRetryPlaysTheSameInstruction(t *testing.T) {
	t.Parallel()
	var list []hooks.Hook
	for _, event := range everyEvent {
		list = append(list, hooks.Hook{ID: event, Name: event, Event: hooks.On(event),
			Actions: []act.Action{act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text(event)})}})
	}
	content := game.Content{People: game.People{Cast: three()},
		Rules: game.Rules{Hooks: list, HookLimits: hooks.Limits{MaxHooksPerTurn: new(len(everyEvent))}}}
	events := []state.HostEvent{{Event: act.AfterKnowledge, Payload: tree.Object(tree.Member{Key: "hits", Value: tree.Int(2)})}}
	for _, in := range []turn.Input{
		turn.Submit{ActorID: "ren", UserID: "u", Text: "I wait.", ClientTurnID: "c", Speaker: "reed", Audience: []string{"mei"},
			Channel: "tavern", Elapsed: 4, Events: events, Recall: true},
		turn.Proceed{ActorID: "ren", UserID: "u", Instructions: "Rain falls.", ClientTurnID: "c", Speaker: "reed", Audience: []string{"mei"},
			Channel: "tavern", Elapsed: 4, Events: events, Recall: true},
		turn.Continue{Instructions: "Shorter.", ClientTurnID: "c", Recall: true},
		turn.Regenerate{Instructions: "Shorter.", ClientTurnID: "c", Speaker: "reed", Swipe: true, Recall: true},
	} {
		played := func(decisions ...turn.Input) (story []string) {
			m := begin(t, content, `{"settings": {"retry.max_retries": 0, "cast.auto_replies": 5}}`)
			play(t, m, turn.SetTimer{Do: rules.TimerStart, TimerID: "bell", Duration: 10})
			play(t, m, turn.Submit{ActorID: "ren", Text: "Ash?", Speaker: "ash"}, "Hm.")
			for _, in := range append([]turn.Input{in}, decisions...) {
				story = nil
				for step(t, m, in); m.Phase() != turn.Idle; {
					switch todo := m.Todo(); {
					case todo.Generate != nil && len(decisions) > 0 && m.Campaign().PendingConflict == nil:
						step(t, m, turn.Replied{Text: "Ren loses 3 HP."})
					case todo.Generate != nil:
						story = append(story, outline(todo.Generate.Request.LLM()))
						step(t, m, turn.Replied{Text: "Yes."})
					case todo.Recall != nil:
						story = append(story, "the memory is asked for "+todo.Recall.Viewer)
						step(t, m, turn.Recalled{})
					case todo.Hooks != nil:
						e := todo.Hooks.Event
						story = append(story, fmt.Sprintln(e.Type, "by", e.UserID, e.Payload))
						step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
					default:
						step(t, m, turn.Committed{})
					}
				}
			}
			c := m.Campaign()
			left, _ := c.State.Timers.Remaining("bell")
			last := c.Turns[len(c.Turns)-1]
			return append(story, fmt.Sprint("bell ", left), fmt.Sprintln(last.ID, last.ClientTurnID, last.Generation, last.Instructions, last.Audience, spoken(&last)))
		}
		once := played()
		if diff := cmp.Diff(once, played(turn.ResolveConflict{Decision: state.DecideRetry})); diff != "" {
			t.Errorf("%T tried again (-at once +again):\n%s", in, diff)
		}
		wantHas(t, fmt.Sprintf("%T", in), strings.Join(once, "\n"), "the memory is asked for ren")
		if _, is := in.(turn.Continue); !is {
			wantHas(t, fmt.Sprintf("%T", in), strings.Join(once, "\n"), "turn_0002 c", "reed: Yes.")
		}
		switch in.(type) {
		case turn.Submit, turn.Proceed:
			wantHas(t, fmt.Sprintf("%T", in), strings.Join(once, "\n"), "by u", `"channel":"tavern"`, `{"hits":2`, "bell 6", "[mei ren]")
		}
	}
}

// TestStopTextsReachTheModel: the texts that end a reply are in the request, after the host's.
func TestStopTextsReachTheModel(t *testing.T) {
	t.Parallel()
	model := scripted("The wind howls.")
	e := newEngine(t, campaign.Config{Game: compile(t, game.Content{Prompt: game.Prompt{Instruct: &tavern.InstructTemplate{Stop: "<|e|>"}}}),
		Store: &campaign.MemoryStore{}, Model: model, Options: llm.Options{Stop: []string{"THE END"}}})
	turnOf(t, e, turn.Submit{Text: "Hello."})
	if got := model.Requests()[0].Options.Stop; len(got) < 2 || got[0] != "THE END" || !slices.Contains(got, "<|e|>") {
		t.Errorf("the model stops at %q", got)
	}
}
