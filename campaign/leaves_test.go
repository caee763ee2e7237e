package campaign_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook/format"
)

// sentTexts are the texts of the messages of the latest request.
func sentTexts(model interface{ Requests() []llm.Request }) string {
	requests := model.Requests()
	var b strings.Builder
	for _, m := range requests[len(requests)-1].Messages {
		b.WriteString(m.Text + "\n")
	}
	return b.String()
}

// TestListsOfTwoTextsPlay: a rule removes one of two people from a list in a module of pairs.
// Without a declaration the write is refused and the list stays. With leaf_paths, or with a
// declared list, it is applied, in rules and in commands of the model.
func TestListsOfTwoTextsPlay(t *testing.T) {
	t.Parallel()
	leave := rules.Rule{ID: "leave", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"farewell"}},
		Actions: effect.Actions{set("stat_data.队", effect.Delete, tree.Int(1))}}
	join := rules.Rule{ID: "join", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"welcome"}},
		Actions: effect.Actions{set("stat_data.队", effect.Push, tree.Text("丙"))}}
	lists := memvars.DefaultProfile()
	lists.LeafRules = []memvars.LeafRule{{Path: tree.Path{"stat_data", "队"}}}
	told := game.Content{Rules: game.Rules{Rules: []rules.Rule{leave, join}}}
	told.Rules.Commands.Profile = &lists
	for _, c := range []struct {
		name    string
		content game.Content
		want    []string // the list after each turn
	}{
		{"nobody says that it is a list", game.Content{Rules: game.Rules{Rules: []rules.Rule{leave, join}}}, []string{`["甲","乙"]`, `["甲","乙"]`}},
		{"leaf_paths say so", told, []string{`["甲","乙","丙"]`, `["甲","丙"]`}},
		{"it is declared as a list", game.Content{Rules: game.Rules{Rules: []rules.Rule{leave, join}, Variables: []rules.Variable{
			{ID: "队", Path: "stat_data.队", Type: rules.TypeJSON, Default: tree.Array(tree.Text("甲"))}}}},
			[]string{`["甲","乙","丙"]`, `["甲","丙"]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, campaign.Config{Game: compile(t, c.content), Model: scripted("They nod.", "They part.")},
				`{"variables": {"stat_data": {"队": ["甲", "乙"]}}}`)
			for i, line := range []string{"I bid 丙 welcome.", "I bid them farewell."} {
				wantOutcome(t, turnOf(t, e, turn.Submit{Text: line}), "completed turn_000"+string(rune('1'+i)))
				if got := campaignOf(t, e).State.Variables.Root().Get("stat_data").Get("队").String(); got != c.want[i] {
					t.Errorf("%s: %s, want %s", line, got, c.want[i])
				}
			}
		})
	}
}

// TestThresholdsWithDescriptionsPlay: a threshold in the form of the other leaves of the document
// sets the flag of the summaries, and the next prompt asks for a summary.
func TestThresholdsWithDescriptionsPlay(t *testing.T) {
	t.Parallel()
	model := scripted("Rain. memory('summary.small', 'b', 'it rains');", "Still rain.")
	e := newEngine(t, campaign.Config{Model: model}, `{"variables": {"assa_data": {"summary": {"small": {"a": "dusk"}, "big": {}},
		"config": {"small_to_big_count": [2, "阈值"]}}}}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	flags := campaignOf(t, e).State.Variables.Root().Get("assa_data").Get("config").Get("flags")
	if up, _ := flags.Get("clean_small_flag").AsBool(); !up {
		t.Errorf("flags %s", flags)
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if text := sentTexts(model); !strings.Contains(text, "The short memory is full") {
		t.Errorf("no summary is asked for in\n%s", text)
	}
}

// TestNumericUIDsPlay: a rule switches the entry with this number as uid, not the entry at this
// index of the list. Each active entry has its row.
func TestNumericUIDsPlay(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(`{"worldBookEntries": [
		{"uid": 1, "constant": true, "content": "Rain falls."},
		{"uid": 2, "constant": true, "content": "Wind howls."},
		{"uid": "bell", "keywords": ["bell"], "content": "It is cracked."}]}`), imports.Options{Name: "b"})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	start.Content.Rules.Rules = []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"umbrella"}},
		Actions: effect.Actions{effect.ToggleEntry{ID: "1"}}}}
	model := scripted("You open it.", "Time passes.", "It rings.")
	e := newEngine(t, campaign.Config{Game: compile(t, start.Content), Model: model})
	for _, line := range []string{"I open my umbrella.", "I wait."} {
		turnOf(t, e, turn.Submit{Text: line})
	}
	if text := sentTexts(model); strings.Contains(text, "Rain falls.") || !strings.Contains(text, "Wind howls.") {
		t.Errorf("the wrong entry is off in\n%s", text)
	}
	turnOf(t, e, turn.Submit{Text: "I ring the bell."})
	var rows []string
	for _, row := range format.RoleplayRows(campaignOf(t, e).State.Lore, "b", 5, func(int) time.Time { return noon }) {
		if row.LastActivatedAt != nil {
			rows = append(rows, row.EntryUID)
		}
	}
	if got := strings.Join(rows, " "); got != "1 2 bell" {
		t.Errorf("rows of %s", got)
	}
}

// TestUnreadMembersOfASetupAreTold: a policy with the words of a different program is kept and
// logged, and the milestone advances by the default.
func TestUnreadMembersOfASetupAreTold(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e := newEngine(t, campaign.Config{Model: scripted("Rain."), Logger: slog.New(slog.NewTextHandler(&log, nil))},
		`{"milestone": {"advance_policy": {"kind": "by_turn_count", "every": 1}}}`)
	for _, member := range []string{"milestone.advance_policy.every", "milestone.advance_policy.kind"} {
		if !strings.Contains(log.String(), member) {
			t.Errorf("%s is not told in\n%s", member, log.String())
		}
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if c := campaignOf(t, e); c.State.Milestone.Value != 0 || len(c.State.Milestone.Policy.Extra) != 2 {
		t.Errorf("milestone %+v", c.State.Milestone)
	}
}

// TestCreateAsksForATurnOrder: creating a party of two without an order logs a warning. With the
// order from the warning, the second member acts.
func TestCreateAsksForATurnOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		settings string
		warns    bool
		status   turn.OutcomeStatus
	}{
		{`{"retry.max_retries": 1}`, true, turn.Refused},
		{`{"turn.order": "active_actor"}`, false, turn.Refused},
		{`{"turn.order": "free"}`, false, turn.Completed},
	} {
		var log bytes.Buffer
		e := newEngine(t, campaign.Config{Model: scripted("Rain."), Logger: slog.New(slog.NewTextHandler(&log, nil))},
			`{"selected": {"party_character_ids": ["ren", "mei"], "active_actor_id": "ren"}, "settings": `+c.settings+`}`)
		if warned := strings.Contains(log.String(), "settings.turn.order"); warned != c.warns {
			t.Errorf("%s: the log is\n%s", c.settings, log.String())
		}
		o, err := e.Do(t.Context(), "cave", turn.Submit{ActorID: "mei", Text: "I wait."})
		if err != nil || o.Status != c.status {
			t.Errorf("%s: %v %v", c.settings, o.Status, err)
		}
	}
}

// TestUseRegexOfSillyTavernPlays: the keys of the lore in a V3 card exported by SillyTavern match
// as written.
func TestUseRegexOfSillyTavernPlays(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(`{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Orin", "description": "A keeper.",
		"first_mes": "Come in.", "character_book": {"entries": [{"keys": ["蔡夫人(蔡氏)"], "content": "She is a widow.", "use_regex": true,
		"enabled": true, "insertion_order": 1, "extensions": {"position": 0, "probability": 100, "useProbability": true}}]}}}`), imports.Options{})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	model := scripted("She nods.")
	e := newEngine(t, campaign.Config{Game: compile(t, start.Content), Model: model})
	turnOf(t, e, turn.Submit{Text: "我去见蔡夫人(蔡氏)。"})
	if text := sentTexts(model); !strings.Contains(text, "She is a widow.") {
		t.Errorf("the lore is not in\n%s", text)
	}
}

// TestHooksChangeTheCharacterTheyMean: without a name it is the character of the card, for any
// order of the setup. With a name it is the named character.
func TestHooksChangeTheCharacterTheyMean(t *testing.T) {
	t.Parallel()
	list, problems := hooks.Parse([]byte(`[
		{"id": "kind", "name": "kind", "event": "character.after_turn.finished", "actions": [
			{"type": "relationship_delta", "field": "affection", "delta": 5},
			{"type": "relationship_delta", "field": "trust", "delta": 2, "character": "安"}]}]`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, campaign.Config{Game: compile(t, game.Content{People: game.People{Card: &card.Card{Name: "Orin"}}, Rules: game.Rules{Hooks: list}}), Model: scripted("He nods.")},
		`{"characters": [{"character_id": "an", "name": "安", "hp": {"current": 5, "max": 5}, "relationship": {"affection": 1}},
			{"character_id": "orin", "name": "Orin", "hp": {"current": 5, "max": 5}, "relationship": {"affection": 40}}],
		"selected": {"party_character_ids": ["an"], "active_actor_id": "an"}}`)
	turnOf(t, e, turn.Submit{Text: "I thank him."})
	s := campaignOf(t, e).State
	for id, want := range map[string]string{"an": `{"affection":1,"trust":2}`, "orin": `{"affection":45}`} {
		if c, _ := s.Character(id); c.Relationship.String() != want {
			t.Errorf("%s: %s, want %s", id, c.Relationship, want)
		}
	}
}

// TestCommandsInCommentsAreNotShown: a command in a comment has no effect, and players do not see
// it. Other comments stay.
func TestCommandsInCommentsAreNotShown(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		"Rain falls. <!-- set_status('天气', '雨'); --> It is late.": "Rain falls. It is late.",
		"Rain falls.\n/* set_status('天气', '雨'); */":               "Rain falls.",
		"Rain falls.\n// set_status('天气', '雨');\nIt is late.":     "Rain falls.\nIt is late.",
		"Rain falls. <!-- a mark --> See https://a.b/*c*/.":       "Rain falls. <!-- a mark --> See https://a.b/*c*/.",
	} {
		e := newEngine(t, campaign.Config{Model: scripted(reply)}, `{"variables": {"stat_data": {"天气": "晴"}}}`)
		o := turnOf(t, e, turn.Submit{Text: "I wait."})
		if o.Turn.Text != want {
			t.Errorf("%q: shown %q, want %q", reply, o.Turn.Text, want)
		}
		if got := campaignOf(t, e).State.Variables.Root().Get("stat_data").Get("天气").String(); got != `"晴"` {
			t.Errorf("%q: the weather is %s", reply, got)
		}
	}
}
