package campaign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// townBook attaches a book with the given entries, in their order.
func townBook(entries ...worldbook.Entry) []worldbook.Attachment {
	for i := range entries {
		e := &entries[i]
		e.UID, e.Order = fmt.Sprint(i), float64(100-i) // texts come in the reverse order
	}
	return []worldbook.Attachment{{Book: worldbook.Book{Name: "town", Entries: entries}}}
}

// messageTexts returns the texts of a request.
func messageTexts(r question.Request) (list []string) {
	for _, m := range r.Messages {
		list = append(list, m.Message.Text)
	}
	return list
}

// constant returns an entry that is always active.
func constant(title, content string) worldbook.Entry {
	return worldbook.Entry{Comment: title, Content: content, Constant: true}
}

// withKey returns an entry that a key activates.
func withKey(title, key, content string) worldbook.Entry {
	return worldbook.Entry{Comment: title, Content: content, Keys: []string{key}}
}

// off returns the entry switched off.
func off(e worldbook.Entry) worldbook.Entry {
	e.Disable = true
	return e
}

// SC-01, SC-02: a book of a scripted card is played through the engine. Its templates run before the
// scan, in lore, and around the finished messages. A rebuild gives the same campaign.
func TestTemplatesOfABuild(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three."), Game: compile(t, game.Content{Lore: game.Lore{Books: townBook(
		off(constant("[GENERATE:BEFORE] first", "<% incvar('builds'); setvar('season', 'winter'); activewi(null, 'Cellar') %>[Build <%= getvar('builds') %>] ")),
		off(constant("[GENERATE:AFTER] last", "\n(<%= getvar('season') %>, {{user}})")),
		off(constant("last by key", "@@generate_after\nSEEN<% setvar('seen', generateBuffer.includes('I wait')) %>")),
		off(worldbook.Entry{Comment: "[GENERATE:0:AFTER] keyed", Keys: []string{"never found"}, Content: "NEVER"}),
		off(constant("[GENERATE:0:AFTER] place", "|0 after|")),
		off(constant("[InitialVariables]", `{"gold": 7, "builds": 0}`)),
		off(constant("[RENDER:BEFORE] bar", "RENDERED")),
		off(constant("@INJECT pos=1,role=system", "<% incvar('builds') %>INJECTED")),
		constant("@INJECT target=user,index=1,at=before", "INJECTED <%= getvar('gold') %>"),
		withKey("@INJECT regex=wait", "wait", "@@always_enabled\nINJECTED"),
		constant("[GENERATE:BEFORE] not switched off", "ENABLED"),
		constant("a", "@@if getvar('builds') > 1\nSecond build only."),
		constant("b", "@@preprocessing\nGold: <%= getvar('gold') %>."),
		withKey("c", "zzz", "@@activate\nForced."),
		off(withKey("Cellar", "wait", "The cellar is open.")),
		constant("library", "@@only_preload\n<% define('twice', x => 2 * x) %>LIBRARY"),
		constant("d", "Twice: <%= twice(4) %>."),
	)}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	first := messageTexts((*seen)[0])
	all := strings.Join(first, "\n")
	wantHas(t, "the first prompt", all, "Gold: 7.", "Forced.", "The cellar is open.", "Twice: 8.", "|0 after|")
	if !strings.HasPrefix(first[0], "[Build 1] ") || !strings.HasSuffix(first[len(first)-1], "I wait.\n(winter, Ren)SEEN") {
		t.Errorf("the places are wrong: %q … %q", first[0], first[len(first)-1])
	}
	for _, not := range []string{"<%", "@@", "RENDERED", "INJECTED", "ENABLED", "NEVER", "Second build", "LIBRARY"} {
		if strings.Contains(all, not) {
			t.Errorf("%q is in the prompt:\n%s", not, all)
		}
	}
	turnOf(t, e, turn.Submit{Text: "I look."})
	second := strings.Join(messageTexts((*seen)[1]), "\n")
	wantHas(t, "the second prompt", second, "[Build 2] ", "Second build only.")
	if strings.Contains(second, "cellar is open") {
		t.Errorf("the key of the cellar is not there:\n%s", second)
	}
	c := campaignOf(t, e)
	if n, _ := c.State.Variables.Float("builds"); n != 2 {
		t.Errorf("builds is %v, want 2", n)
	}
	rebuilt(t, e)
	if again, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, again) != jsonOf(t, c) {
		t.Errorf("rebuilt: %v\n%s", err, gocmp.Diff(jsonOf(t, c), jsonOf(t, again)))
	}
}

// SC-01: the budget of the world book counts lore after its templates. Counting writes nothing and
// draws no number. A text that fails alone counts as written.
func TestBudgetCountsTextsAfterTemplates(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.BudgetCap = 60
	code := strings.Repeat("/* a long remark about nothing */", 20)
	cfg := campaign.Config{Model: scripted("One.", "Two."), Game: compile(t, game.Content{Lore: game.Lore{Settings: settings, Books: townBook(
		constant("code", "<% "+code+" incvar('n') %>Count <%= getvar('n') %>, {{user}}."),
		constant("short", "Short.<% if (getvar('n') >= 1) for (let i = 0; i < 90; i++) { %> long text<% } %>"),
		constant("dice", "Dice <%= Math.random() %>."),
		constant("fails", "Fails <%= unknown.member %>"+strings.Repeat(" and is long", 30)),
	)}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	first := strings.Join(messageTexts((*seen)[0]), "\n")
	wantHas(t, "the first prompt", first, "Count 1, Ren.", "Short.", "Dice 0.")
	turnOf(t, e, turn.Submit{Text: "I wait."})
	second := strings.Join(messageTexts((*seen)[1]), "\n")
	wantHas(t, "the second prompt", second, "Count 2, Ren.")
	c := campaignOf(t, e)
	if strings.Contains(second, "Dice") || strings.Contains(second, "Short.") || strings.Contains(first, "Fails") {
		t.Errorf("lore beyond the budget is in the prompts:\n%s\n%s", first, second)
	}
	rebuilt(t, e)
	if again, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, again) != jsonOf(t, c) {
		t.Errorf("rebuilt: %v", err)
	}
}

// SC-02: a rejected turn drops the writes of its templates, and a new answer starts from the state
// before.
func TestTemplateWritesBelongToTheTurn(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("One.", "You lose 3 HP.", "You lose 3 HP.", "Two.", "Three."), Game: compile(t, game.Content{Lore: game.Lore{Books: townBook(
		off(constant("[GENERATE:BEFORE]", "<% incvar('n') %>Build <%= getvar('n') %>. ")),
		off(constant("[GENERATE:AFTER]", "<% incLocalVar('m') %> (<%= getLocalVar('m') %>)")),
		constant("a", "@@preprocessing\n<% incvar('p') %>Seen <%= getvar('p') %>."),
	)}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"retry.max_retries": 0}}`)
	want := func(prompt int, count string) {
		t.Helper()
		wantHas(t, "the prompt", strings.Join(messageTexts((*seen)[prompt]), "\n"), "Build "+count+". ", "("+count+")", "Seen "+count+".")
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	want(0, "1")
	before := jsonOf(t, campaignOf(t, e).State)
	if o := turnOf(t, e, turn.Submit{Text: "I fight."}); o.Status != turn.Conflict {
		t.Fatal(jsonOf(t, o))
	}
	want(1, "2")
	if o := do(t, e, turn.ResolveConflict{Decision: state.DecideDiscard}); o.Turn != nil {
		t.Fatal(jsonOf(t, o))
	}
	if after := jsonOf(t, campaignOf(t, e).State); after != before {
		t.Errorf("the rejected turn has changed the state:\n%s", gocmp.Diff(before, after))
	}
	if o := do(t, e, turn.Regenerate{}); o.Status != turn.Conflict {
		t.Fatal(jsonOf(t, o))
	}
	want(2, "1") // the new answer to the first line
	do(t, e, turn.ResolveConflict{Decision: state.DecideDiscard})
	do(t, e, turn.Regenerate{})
	want(3, "1")
	turnOf(t, e, turn.Submit{Text: "I look."})
	want(4, "2")
	rebuilt(t, e)
}

// SC-01: the lore of one position is one text: names and conditions reach from entry to entry. If the
// text fails, its writes are undone and each entry runs alone.
func TestLoreOfOnePositionIsOneText(t *testing.T) {
	t.Parallel()
	depth := func(e worldbook.Entry, n int) worldbook.Entry {
		e.Position, e.Depth = worldbook.PositionAtDepth, n
		return e
	}
	for _, row := range []struct {
		why        string
		entries    []worldbook.Entry // the last comes first
		want, miss []string
	}{
		{"a constant is known in the next entry", []worldbook.Entry{constant("b", "Price <%= price %>."), constant("a", "<% const price = 3 %>Coins.")},
			[]string{"Coins.", "Price 3."}, nil},
		{"an if spans an entry without tags", []worldbook.Entry{constant("c", "<% } %>After."), constant("b", "Between {{user}}."), constant("a", "<% if (getvar('x')) { %>")},
			[]string{"After."}, []string{"Between"}},
		{"a taken if shows it, with names", []worldbook.Entry{constant("c", "<% } %>After."), constant("b", "Between {{user}}."), constant("a", "<% if (!getvar('x')) { %>")},
			[]string{"After.", "Between Ren."}, nil},
		{"other positions are other texts", []worldbook.Entry{depth(constant("b", "<%= typeof price %>"), 2), constant("a", "<% const price = 3 %>Coins.")},
			[]string{"Coins.", "undefined"}, nil},
		{"a failure undoes the writes of the whole, and entries run alone", []worldbook.Entry{constant("b", "<% incvar('n'); const k = 2 %>n <%= getvar('n') %>."), constant("a", "<% incvar('n'); const k = 1 %>")},
			[]string{"n 2."}, nil},
		{"only the entry that fails alone is left out", []worldbook.Entry{constant("c", "Works: <%= 1 + 1 %>."), constant("b", "<%= nothere %>BROKEN"), constant("a", "{{user}} <% const k = 1 %>waits.")},
			[]string{"Works: 2.", "Ren waits."}, []string{"BROKEN", "nothere"}},
		{"getwi without a book seeks in the book of its own entry", []worldbook.Entry{constant("b", "<%= world_info.comment %>!"), constant("a", "<%= world_info.comment %>?")},
			[]string{"a?", "b!"}, nil},
	} {
		m := begin(t, game.Content{Lore: game.Lore{Books: townBook(row.entries...)}})
		text := promptOf(t, m, "I wait.")
		wantHas(t, row.why, text, row.want...)
		for _, not := range row.miss {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q is in\n%s", row.why, not, text)
			}
		}
	}
}

// SC-01, SC-03: the names of players and the values of variables in lore never complete a tag, and never run
// before the scan.
func TestTemplatesBeforeTheScanKeepValuesData(t *testing.T) {
	t.Parallel()
	evil := `{"variables": {"evil": "@@activate\n<%= 6 * 7 %>{{setvar::stolen::1}}{{user}}", "lt": "<", "name": "x"}}`
	m := begin(t, game.Content{Lore: game.Lore{Books: townBook(
		constant("a", "@@preprocessing\n<%= getvar('evil') %>"),
		withKey("k<%= 1 %>", "<%= getvar('name') %>yz", "@@preprocessing\nFound by its evaluated key."),
		constant("open", "<% const k = 1 %><%= getvar('lt') %>"),
		constant("percent", "%= 6 * 7 %>"),
		off(constant("[GENERATE:BEFORE]", "<%= getvar('evil') %>")),
	)}}, evil)
	text := promptOf(t, m, "I say xyz.")
	wantHas(t, "the prompt", text, "<%= 6 * 7 %>{{setvar::stolen::1}}{{user}}", "Found by its evaluated key.")
	if strings.Contains(text, "42") || m.Campaign().State.Macros.Chat.Get("stolen").Exists() {
		t.Errorf("a value ran:\n%s", text)
	}
}

// SC-01: macros and templates share variables in the order of a build: macros of all texts come first,
// then templates from the first message to the last.
func TestMacrosAndTemplatesInTheOrderOfABuild(t *testing.T) {
	t.Parallel()
	p := tavern.Default()
	p.Prompts = append(p.Prompts,
		tavern.Prompt{ID: "late", System: new(false), Content: "Late: <%= getvar('style') %>, {{getvar::style}}, <%= getvar('mood') %>."},
		tavern.Prompt{ID: "sets", System: new(false), Content: "{{setvar::style::terse}}{{addvar::count::1}}Sets."},
		tavern.Prompt{ID: "broken", System: new(false), Content: "{{addvar::count::10}}<% setLocalVar('mood', 'lost'); nothere %>"},
		tavern.Prompt{ID: "both", System: new(false), Content: "{{addvar::count::1}}Both: <% incLocalVar('count') %><%= getvar('count') %>."},
		tavern.Prompt{ID: "off", System: new(false), Content: "<% setvar('off', 1) %>"})
	p.Orders[0].Order = append([]tavern.Entry{{ID: "late", Enabled: true}, {ID: "broken", Enabled: true}, {ID: "both", Enabled: true}, {ID: "sets", Enabled: true}, {ID: "off"}}, p.Orders[0].Order...)
	cfg := campaign.Config{Model: scripted("One.", "Two."), Game: compile(t, game.Content{Prompt: game.Prompt{Preset: &p}, Lore: game.Lore{Books: townBook(
		constant("a", "{{setvar::mood::calm}}Lore."),
	)}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	wantHas(t, "the first prompt", strings.Join(messageTexts((*seen)[0]), "\n"), "Late: terse, terse, calm.", "Both: 13.", "Sets.", "Lore.")
	c := campaignOf(t, e)
	if got := c.State.Macros.Chat.String(); !strings.Contains(got, `"count":13`) && !strings.Contains(got, `"count":"13"`) || strings.Contains(got, "lost") {
		t.Errorf("chat variables %s", got)
	}
	if c.State.Variables.Root().Get("off").Exists() {
		t.Error("a prompt that is switched off has run")
	}
	turnOf(t, e, turn.Submit{Text: "I look."})
	rebuilt(t, e)
}

// SC-01: templates run in the form of a prompt in one text. Its macros and blocks stay, and values are
// data.
func TestTemplatesInTheForm(t *testing.T) {
	t.Parallel()
	context, no := tavern.DefaultContext(), false
	context.Story = "<% if (getvar('n') > 4) { %>{{#if system}}S: {{system}}{{/if}} N<%= getvar('n') %><% } else { %>{{description}}<% } %> <%= getvar('evil') %> end {{char}}"
	context.ChatStart = "[<%= 1 + 1 %> {{user}}]"
	cfg := campaign.Config{Model: scripted("One."), Game: compile(t, game.Content{
		People: game.People{Card: &card.Card{Name: "Orin", Description: "A smith."}},
		Prompt: game.Prompt{Context: &context, Instruct: &tavern.InstructTemplate{Name: "i", UserPrefix: "U<%= getvar('evil') %> ", AssistantPrefix: "A: ", Macros: &no}},
		Lore:   game.Lore{Books: townBook(off(constant("[GENERATE:BEFORE]", "<% setvar('n', 5); setvar('evil', '{'+'{char}} \\uFDD1char\\uFDD1') %>")))}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	text := strings.Join(messageTexts((*seen)[0]), "\n")
	wantHas(t, "the prompt", text, " N5", "{{char}} char", "end Orin", "[2 Ren]", "U{{char}} ")
	if strings.Contains(text, "<%") {
		t.Errorf("%q", text)
	}
}

// SC-01: the control texts of a preset run where they are sent.
func TestTemplatesInControlTexts(t *testing.T) {
	t.Parallel()
	p := tavern.Default()
	p.NewChat = "[Chat <%= getvar('n') %>]"
	p.NewExample = "[Example <%= 1 + 1 %>]"
	p.ContinueNudge = "[Continue <%= 'on' %>: {{lastChatMessage}}]"
	p.Impersonation = "[Write as <%= userName %>, <%= getvar('n') %>]"
	p.Prefill = "Orin<%= ':' %>"
	g := compile(t, game.Content{Prompt: game.Prompt{Preset: &p},
		People: game.People{Card: &card.Card{Name: "Orin", MesExample: "<START>\n{{user}}: Hi.\n{{char}}: Hm."}},
		Lore:   game.Lore{Books: townBook(off(constant("[GENERATE:BEFORE]", "<% setvar('n', 5) %>")))}})
	cfg := campaign.Config{Model: scripted("One.", "1. A\n2. B", "And more."), Game: g}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	first := strings.Join(messageTexts((*seen)[0]), "\n")
	wantHas(t, "the prompt", first, "[Chat 5]", "[Example 2]")
	if (*seen)[0].Prefill != "Orin:" {
		t.Errorf("prefill %q", (*seen)[0].Prefill)
	}
	do(t, e, turn.Suggest{Kind: state.SuggestLines, N: 1})
	wantHas(t, "the suggestion", strings.Join(messageTexts((*seen)[1]), "\n"), "[Write as Ren, 5]")
	do(t, e, turn.Continue{})
	wantHas(t, "the continuation", strings.Join(messageTexts((*seen)[2]), "\n"), "[Continue on: One.]")
	rebuilt(t, e)
}

// SC-01: the text of a preset for a turn without a line is a template.
func TestTemplateInPlaceOfALine(t *testing.T) {
	t.Parallel()
	p := tavern.Default()
	p.Replacement = "[Go on, <%= userName %>: {{char}} has <%= 2 + 3 %>]"
	m := begin(t, game.Content{Prompt: game.Prompt{Preset: &p}, People: game.People{Cast: three()[:2]}}, `{"greeting": "Fog.",
		"settings": {"cast.order": "pooled", "cast.auto_replies": 3}}`)
	step(t, m, turn.Submit{Auto: true})
	wantHas(t, "the prompt", strings.Join(messageTexts(m.Todo().Generate.Request), "\n"), "[Go on, Ren: Ash has 5]")
}

// SC-01: entries around a prompt in one text, and in a window that is too small for them.
func TestTemplatesAroundPrompts(t *testing.T) {
	t.Parallel()
	book := townBook(off(constant("[GENERATE:BEFORE]", "FRONT ")), off(constant("[GENERATE:AFTER]", " BACK")))
	instruct, err := tavern.ParseInstruct([]byte(`{"name": "plain", "input_sequence": "> ", "output_sequence": "< "}`))
	if err != nil {
		t.Fatal(err)
	}
	m := begin(t, game.Content{Lore: game.Lore{Books: book}, Prompt: game.Prompt{Instruct: &instruct}})
	text := promptOf(t, m, "I wait.")
	if !strings.HasPrefix(text, "FRONT ") || !strings.Contains(text, "I wait. BACK") {
		t.Errorf("the prompt in one text: %s", text)
	}
	long := strings.Repeat("A long text. ", 2000)
	m = begin(t, game.Content{Lore: game.Lore{Books: townBook(off(constant("[GENERATE:BEFORE]", long)))}, Prompt: game.Prompt{Budget: prompt.Budget{Context: 4000, Response: 100}}})
	if text = promptOf(t, m, "I wait."); strings.Contains(text, "A long text.") || !strings.Contains(text, "I wait.") {
		t.Errorf("a text that does not fit: %s", text)
	}
	if warnings := m.Campaign().Turns[0].Trace.Warnings; !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "lore around the messages") }) {
		t.Errorf("warnings %q", warnings)
	}
}

// SC-01: templates of two books with one name are played, and their code is not in the
// prompt. The second book has a different name in the campaign.
func TestTemplatesOfTwoBooksWithOneName(t *testing.T) {
	t.Parallel()
	books := append(townBook(constant("a", "One <%= 1 + 0 %>.")), townBook(constant("b", "Two <%= 1 + 1 %>."), constant("c", "@@if false\nHIDDEN"))...)
	books[1].Book.Entries[0].UID, books[1].Book.Entries[1].UID = "0", "1"
	cfg := campaign.Config{Model: scripted("Dust."), Game: compile(t, game.Content{Lore: game.Lore{Books: books}})}
	seen := observed(&cfg)
	turnOf(t, newEngine(t, cfg), turn.Submit{Text: "I wait."})
	all := strings.Join(messageTexts((*seen)[0]), "\n")
	for text, want := range map[string]bool{"One 1.": true, "Two 2.": true, "HIDDEN": false, "<%": false} {
		if strings.Contains(all, text) != want {
			t.Errorf("%q is in the prompt: %v\n%s", text, !want, all)
		}
	}
}

// SC-03: tags in lines of players and models are cut out of the history of a game with templates. They
// never run, and other games keep them.
func TestTagsInTheHistory(t *testing.T) {
	t.Parallel()
	for _, templates := range []bool{true, false} {
		entry := constant("a", "Quiet.")
		if templates {
			entry = constant("a", "Quiet<%= '.' %>")
		}
		cfg := campaign.Config{Model: scripted("One <%= 1 %> two <%% three %%> four %> five <% six.", "Done."),
			Game: compile(t, game.Content{Lore: game.Lore{Books: townBook(entry)}})}
		seen := observed(&cfg)
		e := newEngine(t, cfg)
		turnOf(t, e, turn.Submit{Text: "I say <% setvar('x', 1) %>hello."})
		turnOf(t, e, turn.Submit{Text: "<% all %>"})
		prompt := strings.Join(messageTexts((*seen)[1]), "\n")
		if templates {
			wantHas(t, "the prompt", prompt, "I say hello.", "One  two <%% three %%> four %> five <% six.", "<% all %>")
		} else {
			wantHas(t, "the prompt", prompt, "I say <% setvar('x', 1) %>hello.", "One <%= 1 %> two")
		}
		rebuilt(t, e)
	}
}
