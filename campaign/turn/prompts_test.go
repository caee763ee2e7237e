package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// table is a campaign of a test, with a model that always replies "Time passes."
type table struct {
	*testing.T
	*turn.Machine
	replies []turn.Replied // the next replies of the model
	decide  func(*state.ApprovalQuestion) []state.ApprovalDecision
	items   []memory.Item // in the memory
	query   memory.Query  // the last query
	outcome turn.Outcome
}

// newTable begins a campaign of Ren and Mei.
func newTable(t *testing.T, content game.Content, change func(*state.Setup)) *table {
	t.Helper()
	g, problems := game.Compile(content)
	for _, p := range problems {
		if p.Severity != talewright.Warning {
			t.Fatal(p)
		}
	}
	s := state.Setup{ID: "inn", Characters: []state.Character{
		{ID: "ren", Name: "Ren", HP: state.HP{Current: 9, Max: 9}}, {ID: "mei", Name: "Mei", HP: state.HP{Current: 9, Max: 9}}},
		Settings: setting.Snapshot{"turn.order": tree.Text("free"), "conflict.mode": tree.Text(string(conflict.Off))}}
	if change != nil {
		change(&s)
	}
	c, err := turn.Begin(g, s)
	if err != nil {
		t.Fatal(err)
	}
	return &table{T: t, Machine: turn.NewMachine(g, c)}
}

// private lets a character hear only what it witnesses.
func private(s *state.Setup) {
	s.Settings["visibility.mode"] = tree.Text(string(state.AudienceStrict))
}

// play runs an instruction and returns the text of each request to the model.
func (m *table) play(in turn.Input) (requests []string) {
	m.Helper()
	for {
		if err := m.Step(in); err != nil {
			m.Fatal(err)
		}
		switch todo := m.Todo(); {
		case todo.Outcome != nil:
			m.outcome = *todo.Outcome
			return requests
		case todo.Generate != nil:
			var b strings.Builder
			for _, msg := range todo.Generate.Request.Messages {
				b.WriteString(msg.Message.Text + "\n")
			}
			requests, in = append(requests, b.String()), turn.Replied{Text: "Time passes."}
			if len(m.replies) > 0 {
				in, m.replies = m.replies[0], m.replies[1:]
			}
		case todo.Approve != nil:
			in = turn.Approve{Question: todo.Approve.ID, Decisions: m.decide(todo.Approve)}
		case todo.Recall != nil:
			m.query, in = *todo.Recall, turn.Recalled{Items: m.items}
		case todo.Commit != nil:
			in = turn.Committed{}
		default:
			m.Fatalf("no answer to %+v", todo)
		}
	}
}

// wait plays a line of a character and returns the text of its first request.
func (m *table) wait(who string) string {
	m.Helper()
	return m.play(turn.Submit{ActorID: who, Text: "I wait."})[0]
}

// want checks the parts that a text has, and after a part "NOT" the parts that it does not have.
func (m *table) want(text string, parts ...string) {
	m.Helper()
	has := true
	for _, part := range parts {
		if part == "NOT" {
			has = false
		} else if strings.Contains(text, part) != has {
			m.Errorf("%q: %t, want %t in\n%s", part, !has, has, text)
		}
	}
}

// warnings returns the warnings of the last turn.
func (m *table) warnings() string {
	turns := m.Campaign().Turns
	return strings.Join(turns[len(turns)-1].Trace.Warnings, "\n")
}

// always returns a book with entries that are always active.
func always(entries ...worldbook.Entry) []worldbook.Attachment {
	for i := range entries {
		entries[i].Constant, entries[i].Probability = len(entries[i].Keys) == 0, 100
		if entries[i].UID == "" {
			entries[i].UID = fmt.Sprint(i)
		}
	}
	return []worldbook.Attachment{{Book: worldbook.Book{Name: "town", Entries: entries}}}
}

// around is lore for places around the messages of a prompt.
func around(place, text string) worldbook.Entry {
	return worldbook.Entry{UID: place, Comment: "[GENERATE:" + place + "]", Content: text, Disable: true}
}

// TestTemplatesOfACast: the card of the speaker has templates, which write variables. A mistake in one
// names the card. The control prompt of a continued reply knows the cast and the reply, also if two
// members have the same name.
func TestTemplatesOfACast(t *testing.T) {
	t.Parallel()
	preset := tavern.Default()
	preset.ContinueNudge = "<% %>Not {{notChar}}: go on after {{lastChatMessage}}"
	m := newTable(t, game.Content{Prompt: game.Prompt{Preset: &preset}, People: game.People{Cast: []game.CastMember{
		{CharacterID: "ash", Card: &card.Card{Name: "Ash", Description: "<% incvar('seen'); setLocalVar('mood', 'calm') %>Seen <%= getvar('seen') %>.",
			Personality: "She is {{getvar::mood}}.", Scenario: "<% none.x %>"}},
		{CharacterID: "twin", Card: &card.Card{Name: "Ash"}},
		{CharacterID: "bo", Card: &card.Card{Name: "Bo"}}}}}, nil)
	m.want(m.play(turn.Submit{Text: "Ash?", Speaker: "ash"})[0], "Seen 1.", "She is calm.", "NOT", "<%")
	m.want(m.warnings(), "cast.ash")
	m.want(m.play(turn.Continue{})[0], "Seen 2.", "Not Ash, Bo: go on after Time passes.")
}

// TestFormOfATextWithTemplates: a prompt in one text needs no instruct template and no history.
func TestFormOfATextWithTemplates(t *testing.T) {
	t.Parallel()
	form := tavern.DefaultContext()
	form.Story = "<% incvar('n') %>STORY <%= getvar('n') %> " + form.Story
	m := newTable(t, game.Content{Prompt: game.Prompt{Context: &form}, Lore: game.Lore{Books: always(around("AFTER", "|AFTER"))}}, nil)
	m.want(m.play(turn.Suggest{})[0], "STORY 1 ")
	m.want(m.play(turn.Submit{Text: "I wait."})[0], "STORY 1 ", "I wait.|AFTER")
}

// TestPromptsWithTemplatesThatDoNotFit: a prompt that does not fit is not sent. Lore around a text is
// left out if it does not fit.
func TestPromptsWithTemplatesThatDoNotFit(t *testing.T) {
	t.Parallel()
	form, long := tavern.DefaultContext(), strings.Repeat("fog ", 2000)
	for name, c := range map[string]struct {
		prompt game.Prompt
		lore   worldbook.Entry
		fits   bool
	}{
		"messages":             {game.Prompt{Budget: prompt.Budget{Context: 60}}, around("BEFORE", "FOG"), false},
		"one text":             {game.Prompt{Context: &form, Budget: prompt.Budget{Context: 60}}, around("BEFORE", "FOG"), false},
		"lore around a text":   {game.Prompt{Context: &form, Budget: prompt.Budget{Context: 2000}}, around("BEFORE", long), true},
		"lore around messages": {game.Prompt{Budget: prompt.Budget{Context: 2000}}, around("BEFORE", long), true},
	} {
		m := newTable(t, game.Content{Prompt: c.prompt, Lore: game.Lore{Books: always(c.lore)}}, nil)
		requests := m.play(turn.Submit{Text: "I wait."})
		switch {
		case !c.fits && (len(requests) > 0 || m.outcome.Status != turn.Failed):
			t.Errorf("%s: %q, %+v", name, requests, m.outcome)
		case c.fits && len(requests) != 1:
			t.Errorf("%s: %q, %+v", name, requests, m.outcome)
		case c.fits:
			m.want(requests[0], "I wait.", "NOT", "fog")
			m.want(m.warnings(), "does not fit: it is left out")
		}
	}
}

// TestTemplatesWithoutASlot: a template runs only in a text that the layout has a slot for.
func TestTemplatesWithoutASlot(t *testing.T) {
	t.Parallel()
	layout := game.Layout()
	for i, s := range layout.Slots {
		if s.Name == "world_after" {
			layout.Slots = append(layout.Slots[:i:i], layout.Slots[i+1:]...)
			break
		}
	}
	m := newTable(t, game.Content{Prompt: game.Prompt{Layout: &layout}, Lore: game.Lore{Books: always(
		worldbook.Entry{Position: worldbook.PositionBeforeCharacter, Content: "<% incvar('before') %>BEFORE"},
		worldbook.Entry{Position: worldbook.PositionAfterCharacter, Content: "<% incvar('after') %>AFTER"})}}, nil)
	m.want(m.wait("ren"), "BEFORE", "NOT", "AFTER")
	m.want(m.Campaign().State.Variables.Root().String(), `"before":1`, "NOT", "after")
}

// TestEntriesOfOtherBooks: the templates of an entry that belongs to a different book run once.
func TestEntriesOfOtherBooks(t *testing.T) {
	t.Parallel()
	m := newTable(t, game.Content{Lore: game.Lore{Books: always(
		worldbook.Entry{World: new("sea"), Content: "@@preprocessing\n<% incvar('n') %>Tide <%= getvar('n') %>."},
		worldbook.Entry{World: new("sea"), Content: "Wind <%= 40 + 2 %>."})}}, nil)
	m.want(m.wait("ren"), "Tide 1.", "Wind 42.", "NOT", "<%")
}

// TestEntriesThatTemplatesRead: a template reads an entry that play has switched or given other keys,
// and no entry of a book whose module is not active.
func TestEntriesThatTemplatesRead(t *testing.T) {
	t.Parallel()
	books := always(worldbook.Entry{Content: "GATE:<%- getwi('gate') %>.CELLAR:<%- getwi('cellar', 'rats') %>."},
		worldbook.Entry{UID: "gate", Comment: "gate", Content: "The gate is low.", Keys: []string{"gate"}})
	cellar := always(worldbook.Entry{UID: "rats", Comment: "rats", Content: "Rats live there.", Keys: []string{"rats"}})
	cellar[0].Book.Name = "cellar"
	module := rules.Module{ID: "cellar", Activation: rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"stairs"}}}
	m := newTable(t, game.Content{Rules: game.Rules{Modules: []rules.Module{module}}, Lore: game.Lore{Books: append(books, cellar...)}}, nil)
	m.want(m.wait("ren"), "GATE:The gate is low..CELLAR:.")
	gate := worldbook.ID{Book: "town", UID: "gate"}.String()
	m.play(turn.ApplyEffects{Effects: effect.List{effect.UpdateEntry{ID: gate, Keywords: []string{"door"}}}})
	m.want(m.wait("ren"), "GATE:The gate is low..CELLAR:.")
	m.want(m.play(turn.Submit{Text: "I take the stairs."})[0], "GATE:The gate is low..CELLAR:Rats live there..")
}

// TestLoreOfPlayBesideTemplates: lore has the content that play gave it, also if other lore has
// templates. One entry goes into the card, the other into the message of the templates.
func TestLoreOfPlayBesideTemplates(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Decorators = worldbook.DecoratorsCardV3
	m := newTable(t, game.Content{People: game.People{Card: &card.Card{Name: "Orin", Description: "A smith."}},
		Lore: game.Lore{Settings: settings, Books: always(worldbook.Entry{UID: "leg", Content: "@@inject_at description\nHe limps."}, worldbook.Entry{Content: "<%= 6 * 7 %>"})}}, nil)
	m.want(m.wait("ren"), "He limps.", "42")
	m.play(turn.ApplyEffects{Effects: effect.List{effect.UpdateEntry{ID: worldbook.ID{Book: "town", UID: "leg"}.String(), Content: new("@@inject_at description\nHe dances.")},
		effect.AddEntry{BookID: "notes", Content: "The bell rings.", AlwaysOn: true}}})
	m.want(m.wait("ren"), "He dances.", "The bell rings.", "NOT", "He limps.")
}

// TestPartyInThePrompt: a prompt has the attributes of the party as they are, and the area of a
// character also if the campaign has no map.
func TestPartyInThePrompt(t *testing.T) {
	t.Parallel()
	m := newTable(t, game.Content{}, func(s *state.Setup) {
		s.Characters[0].AreaID = "harbour"
		s.Characters[0].Attributes = tree.Object(tree.Member{Key: "eyes", Value: tree.Text("grey")}, tree.Member{Key: "strength", Value: tree.Int(14)})
	})
	m.want(m.wait("ren"), "eyes grey", "strength 14", "9/9, alive, harbour")
}

// TestLoreOfAPrivateTurn: an entry that a private turn has added is only for the characters who heard
// the turn, after their names. The names are data.
func TestLoreOfAPrivateTurn(t *testing.T) {
	t.Parallel()
	m := newTable(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "note", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"hide"}},
		Actions: effect.Actions{effect.AddEntry{BookID: "notes", Content: "The idol is in the well.", AlwaysOn: true},
			effect.AddEntry{BookID: "notes", Content: "So is {{user}}.", AlwaysOn: true, Literal: true}}}}}},
		func(s *state.Setup) { private(s); s.Characters[0].Name = "{{char}}" })
	m.play(turn.Submit{ActorID: "ren", Text: "I hide the idol.", Audience: []string{"ren"}})
	m.want(m.wait("ren"), "[known only to {{char}}] The idol is in the well.", "[known only to {{char}}] So is {{user}}.")
	m.want(m.wait("mei"), "NOT", "The idol is in the well.", "So is")
}

// twoRequests is a game with a second request in each turn, for changes of variables.
func twoRequests(entries ...worldbook.Entry) game.Content {
	books := always(append(entries, worldbook.Entry{UID: "rules", Comment: "[mvu_update] rules", Content: "RULES"})...)
	books[0].Sources = []worldbook.Source{worldbook.SourceCharacter}
	return game.Content{Lore: game.Lore{Books: books}, Rules: game.Rules{Dialects: []game.Dialect{game.CommandLanguage(mvu.Dialect(mvu.Options{}))}}}
}

// TestTemplatesOfTwoRequests: both requests of a turn have the same results of the templates that run
// before the scan, and the second request changes no random number.
func TestTemplatesOfTwoRequests(t *testing.T) {
	t.Parallel()
	var dice [2]string
	for i, second := range []bool{false, true} {
		m := newTable(t, twoRequests(
			worldbook.Entry{Content: "@@preprocessing\n<% incvar('n') %>Count <%= getvar('n') %>, dice <%= Math.random() %>."}),
			func(s *state.Setup) {
				s.Settings["variables.second_model"] = tree.Bool(second)
				s.Variables, _ = tree.ParseDocument([]byte(`{"stat_data": {"trust": 1}}`))
			})
		requests := m.play(turn.Submit{Text: "I wait."})
		for _, text := range requests {
			_, rest, _ := strings.Cut(text, "Count 1, dice ")
			result, _, _ := strings.Cut(rest, "\n")
			if dice[i] == "" {
				dice[i] = result
			}
			if result == "" || result != dice[0] {
				t.Errorf("second model %t: the dice %q, want %q in\n%s", second, result, dice[0], text)
			}
		}
		if len(requests) != 1+i {
			t.Errorf("second model %t: %d requests", second, len(requests))
		}
	}
}

// TestSecondRequestThatDoesNotFit: a turn ends without a second request that does not fit. Only the
// second request has the changes of variables that a player wrote.
func TestSecondRequestThatDoesNotFit(t *testing.T) {
	t.Parallel()
	content := twoRequests()
	content.Prompt.Budget.Context = 1500
	m := newTable(t, content, func(s *state.Setup) { s.Settings["variables.second_model"] = tree.Bool(true) })
	long := "I wait.\n<UpdateVariable>" + strings.Repeat("fog ", 4000) + "</UpdateVariable>"
	if requests := m.play(turn.Submit{Text: long}); len(requests) != 1 || m.outcome.Status != turn.Completed {
		t.Errorf("%d requests, %+v", len(requests), m.outcome)
	}
	m.want(m.warnings(), "updater: ")
}

// TestSharedLoreByTemplates: an entry that templates activate for everybody stays active for
// everybody, also if the acting character knows more.
func TestSharedLoreByTemplates(t *testing.T) {
	t.Parallel()
	m := newTable(t, game.Content{Lore: game.Lore{ScanTemplates: "evaluated", Books: always(
		worldbook.Entry{Comment: "[GENERATE:BEFORE]", Disable: true, Content: "<% if (generateBuffer == '') {} %>"},
		worldbook.Entry{Content: "@@preprocessing\nThe <%= getvar('seen') ? 'end' : 'cel' + 'lar' %>."},
		worldbook.Entry{Content: "A <%= getvar('seen') ? 'end' : 'tow' + 'er' %>.<% setvar('seen', 1) %>"},
		worldbook.Entry{Keys: []string{"cellar"}, Content: "Rats live there.", Sticky: 9},
		worldbook.Entry{Keys: []string{"tower"}, Content: "Bats live there.", Sticky: 9},
		worldbook.Entry{Keys: []string{"never"}, Content: "A secret.", Extensions: []byte(`{"visible_to": ["ren"]}`)})}}, private)
	m.want(m.wait("ren"), "Rats live there.", "Bats live there.")
	m.want(m.wait("mei"), "Rats live there.", "Bats live there.", "The end.", "A end.")
}

// hit returns a call that changes the hit points of Mei.
func hit(id string, delta int) string {
	return fmt.Sprintf(`{"id": %q, "tool": "hp_delta", "args": {"target_character_id": "mei", "delta": %d, "cause": "a wolf"}}`, id, delta)
}

// TestTwoQuestionsAboutAnOutput: an edit of people makes a different call of the output possible, and
// people are asked about it. The edit stays.
func TestTwoQuestionsAboutAnOutput(t *testing.T) {
	t.Parallel()
	m := newTable(t, game.Content{}, func(s *state.Setup) {
		s.Settings["tools.approval"], s.Settings["retry.max_retries"] = tree.Text("all"), tree.Int(0)
		s.Map = state.Map{Areas: []state.MapArea{{ID: "gate", Name: "Gate"}, {ID: "hall", Name: "Hall"}, {ID: "tower", Name: "Tower"}, {ID: "roof", Name: "Roof"}},
			Paths: []state.MapPath{{ID: "1", From: "gate", To: "hall"}, {ID: "2", From: "gate", To: "tower"}, {ID: "3", From: "tower", To: "roof"}}}
		s.Characters[0].AreaID, s.Characters[1].AreaID = "gate", "gate"
	})
	var asked []string
	m.decide = func(q *state.ApprovalQuestion) []state.ApprovalDecision {
		asked = append(asked, "question")
		list := q.All(state.Approve, "")
		for i, c := range q.Calls {
			if asked = append(asked, c.ID); c.ID == "a" {
				list[i].Verdict, list[i].Args = state.Edit, c.Args.With("to_area_id", tree.Text("tower"))
			}
		}
		return list
	}
	m.replies = []turn.Replied{{Text: `{"text": "Ren goes up.", "tool_calls": [
		{"id": "a", "tool": "move", "args": {"actor_id": "ren", "to_area_id": "hall"}}, {"id": "b", "tool": "move", "args": {"actor_id": "ren", "to_area_id": "roof"}}]}`}}
	m.play(turn.Submit{Text: "I climb."})
	ren, _ := m.Campaign().State.Character("ren")
	if fmt.Sprint(asked) != "[question a question b]" || ren.AreaID != "roof" {
		t.Errorf("asked about %s, Ren is in %s, %+v", asked, ren.AreaID, m.outcome)
	}
}

// TestRequestsThatGrowTooLong: a request that would be too long with the results of calls, or with a
// rejected output, is not sent. A long rejected output is shortened first.
func TestRequestsThatGrowTooLong(t *testing.T) {
	t.Parallel()
	form, long := tavern.DefaultContext(), strings.Repeat("fog ", 3000)
	call := turn.Replied{Text: `{"note": "` + long + `", "tool_calls": [` + hit("a", -1) + `]}`}
	wrong := turn.Replied{Text: `{"text": "` + long + `", "tool_calls": [{"id": "a", "tool": "fly"}]}`}
	for name, c := range map[string]struct {
		prompt   game.Prompt
		reply    turn.Replied
		requests int
	}{
		"results":           {game.Prompt{Budget: prompt.Budget{Context: 1500}}, call, 1},
		"results in text":   {game.Prompt{Context: &form, Budget: prompt.Budget{Context: 1500}}, call, 1},
		"a rejected output": {game.Prompt{Budget: prompt.Budget{Context: 1500}}, wrong, 2},
	} {
		m := newTable(t, game.Content{Prompt: c.prompt}, nil)
		m.replies = []turn.Replied{c.reply}
		requests := m.play(turn.Submit{Text: "I wait."})
		if len(requests) != c.requests || (c.requests == 1) != (m.outcome.Status == turn.Failed) {
			t.Errorf("%s: %d requests, %+v", name, len(requests), m.outcome)
		}
	}
}

// TestMemoryQueries: a query has the newest texts that the acting character has heard, without
// empty ones. An item about the start of the campaign is not shown.
func TestMemoryQueries(t *testing.T) {
	t.Parallel()
	m := newTable(t, game.Content{}, func(s *state.Setup) {
		private(s)
		s.Turns = []state.Turn{{ActorID: "ren", UserInput: " ", Text: "Rain."}}
	})
	m.play(turn.Submit{ActorID: "ren", Text: "I hide the idol.", Audience: []string{"ren"}})
	m.items = []memory.Item{{ID: "old", TurnID: state.StartTurnID, Text: "It was dark."}}
	m.want(m.play(turn.Submit{ActorID: "mei", Text: "I wait.", Recall: true})[0], "NOT", "It was dark.")
	if fmt.Sprint(m.query.Texts) != "[I wait. Rain.]" {
		t.Errorf("the query has %q", m.query.Texts)
	}
	if list := m.outcome.Turn.Trace.Memories; len(list) != 1 || list[0].Status != state.MemoryUndone {
		t.Errorf("memories %+v", list)
	}
}

// TestSwipeAfterAMemberHasLeft: a new answer has the same speakers, without a member who has left the
// cast.
func TestSwipeAfterAMemberHasLeft(t *testing.T) {
	t.Parallel()
	cast := []game.CastMember{{CharacterID: "ash", Card: &card.Card{Name: "Ash"}}, {CharacterID: "bo", Card: &card.Card{Name: "Bo"}}}
	m := newTable(t, game.Content{People: game.People{Cast: cast}}, nil)
	m.play(turn.Submit{Text: "Ash and Bo?"})
	later := newTable(t, game.Content{People: game.People{Cast: cast[1:]}}, nil)
	g, problems := game.Compile(game.Content{People: game.People{Cast: cast[1:]}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	later.Machine = turn.NewMachine(g, m.Campaign())
	later.play(turn.Regenerate{Swipe: true})
	if replies := later.outcome.Turn.Replies; len(replies) != 1 || replies[0].Speaker != "bo" {
		t.Errorf("replies %+v", replies)
	}
}
