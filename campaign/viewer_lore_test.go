package campaign_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// idolLore is an entry of lore with a keyword.
func idolLore(e worldbook.Entry) game.Content {
	e.UID, e.Probability, e.Position, e.Content = "1", 100, worldbook.PositionBeforeCharacter, "CANARY lore"
	if e.Keys == nil {
		e.Keys = []string{"idol"}
	}
	return game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{e}}}}}}
}

// noteSays is the condition that a note contains a word.
func noteSays(word string) []rules.Condition {
	return []rules.Condition{{VariableID: "note", Operator: rules.Contains, Value: tree.Text(word)}}
}

// TestLoreOfTheViewer: CA-44. Lore that a private line of Ren has activated or opened is active for
// Ren. Mei's next prompts do not have it until she hears the word herself.
func TestLoreOfTheViewer(t *testing.T) {
	t.Parallel()
	note := rules.Variable{ID: "note", Type: rules.TypeString}
	module := func(a rules.Activation) game.Content {
		return game.Content{Rules: game.Rules{
			Modules:   []rules.Module{{ID: "cellar", Activation: a}},
			Variables: []rules.Variable{note},
		}, Lore: game.Lore{Books: []worldbook.Attachment{lore("cellar", "CANARY lore")}}}
	}
	byNote := rules.Activation{Mode: rules.ModeConditions, Conditions: noteSays("idol")}
	for _, c := range []struct {
		name    string
		content game.Content
		kept    bool // Ren's prompt two turns later still has it
	}{
		{"sticky", idolLore(worldbook.Entry{Sticky: 20}), true},
		{"sticky, then cooldown", idolLore(worldbook.Entry{Sticky: 2, Cooldown: 20}), false},
		{"module by keyword", module(rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"idol"}}), true},
		{"exclusive module", module(rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"idol"}, Exclusive: true}), true},
		{"module by a variable", module(byNote), true},
		{"variable with an activation", game.Content{Rules: game.Rules{Variables: []rules.Variable{note,
			{ID: "vault", Type: rules.TypeString, Default: tree.Text("CANARY"), Activation: byNote}}}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "Four.", "Five.", "Six."), Game: compile(t, c.content)}
			requests := observed(&cfg)
			e := newEngine(t, cfg, twoPlayers(state.AudienceStrict), `{"settings": {"turn.order": "free", "visibility.mode": "strict", "conflict.mode": "off",
				"context.full_context_enabled": false, "context.recent_turns": 1}}`)
			has := func(what string, want bool) {
				t.Helper()
				text := jsonOf(t, (*requests)[len(*requests)-1])
				if strings.Contains(text, "CANARY") != want {
					t.Errorf("%s: has it: %t\n%s", what, !want, text)
				}
			}
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I hide the idol. set_attribute('note', 'the idol is here')", Audience: []string{"ren"}})
			has("Ren's own prompt", true)
			for range 2 {
				turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I wait."})
				has("Mei's prompt", false)
			}
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I wait."})
			has("Ren's later prompt", c.kept)
			turnOf(t, e, turn.Submit{ActorID: "mei", Text: "An idol? set_attribute('note', 'the idol of Mei')"})
			has("Mei's prompt once she has said the word", true)
			all := campaignOf(t, e)
			if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, all) {
				t.Errorf("the rebuilt campaign is another: %v", err)
			}
		})
	}
}

// TestGroupsOfPlayers: CA-44. What two characters have heard is active for these two. What only the
// game master can combine is active for no player. A public line acts for everybody, also if the
// actor knows more.
func TestGroupsOfPlayers(t *testing.T) {
	t.Parallel()
	const kai = `{"characters": [{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "area_id": "gate"},
		{"character_id": "mei", "name": "Mei", "hp": {"current": 8, "max": 8}, "area_id": "gate"},
		{"character_id": "kai", "name": "Kai", "hp": {"current": 8, "max": 8}, "area_id": "hall"}]}`
	type line struct {
		actor, text string
		audience    []string
		sees        bool // the prompt of this turn has the lore
	}
	for _, c := range []struct {
		name, mode string
		lines      []line
		groups     int
	}{
		{"two heard it", "strict", []line{{"ren", "The idol.", []string{"mei"}, true}, {"kai", "I wait.", nil, false}, {"mei", "I wait.", nil, true}}, 1},
		{"the public line of one who knows more", "strict", []line{{"ren", "I whistle.", []string{"ren"}, false}, {"ren", "An idol!", nil, true},
			{"kai", "I wait.", nil, true}}, 0},
		{"both know it apart", "strict", []line{{"ren", "The idol.", []string{"ren"}, true}, {"kai", "The idol.", []string{"kai"}, true},
			{"mei", "I wait.", nil, false}, {"kai", "I wait.", nil, true}, {"ren", "I wait.", nil, true}}, 2},
		{"a game master reads a private line", "marked", []line{{"ren", "The idol.", []string{"ren"}, true}, {"kai", "I wait.", nil, true}}, 1},
		{"nobody asks for it", "off", []line{{"ren", "The idol.", []string{"ren"}, true}, {"kai", "I wait.", nil, true}}, 0},
	} {
		for kind, content := range map[string]game.Content{"sticky": idolLore(worldbook.Entry{Sticky: 20}), "module": {
			Rules: game.Rules{Modules: []rules.Module{{ID: "cellar", Activation: rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"idol"}}}}},
			Lore:  game.Lore{Books: []worldbook.Attachment{lore("cellar", "CANARY lore")}}}} {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "Four.", "Five."), Game: compile(t, content)}
				requests := observed(&cfg)
				e := newEngine(t, cfg, kai, `{"settings": {"turn.order": "free", "visibility.mode": "`+c.mode+`", "conflict.mode": "off",
					"context.full_context_enabled": false, "context.recent_turns": 1}}`)
				for i, l := range c.lines {
					turnOf(t, e, turn.Submit{ActorID: l.actor, Text: l.text, Audience: l.audience})
					if got := strings.Contains(jsonOf(t, (*requests)[i]), "CANARY"); got != l.sees {
						t.Errorf("line %d, %s: the lore in the prompt: %t", i, l.actor, got)
					}
				}
				groups := campaignOf(t, e).State.Groups
				if want := c.groups; kind == "sticky" && len(groups) != want || kind == "module" && c.mode == "strict" && len(groups) != want {
					t.Errorf("%d groups, want %d: %+v", len(groups), want, groups)
				}
			})
		}
	}
}

// TestWhispersMakeStrict: CA-44. A turn that only some hear makes its campaign strict, unless the
// host has chosen a mode.
func TestWhispersMakeStrict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, setup string
		mode        string
		sees        bool // the other's next prompt has the whisper
	}{
		{"nobody has chosen", `{}`, "strict", false},
		{"the host has chosen the default", `{"settings": {"visibility.mode": "marked"}}`, "marked", true},
		{"the host has chosen for all campaigns", `{"global_settings": {"visibility.mode": "off"}}`, "off", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.")}
			requests := observed(&cfg)
			e := newEngine(t, cfg, `{"settings": {"turn.order": "free"}}`, c.setup)
			mode := func() string {
				all := campaignOf(t, e)
				return setting.Builtin().Freeze(all.GlobalSettings, all.Settings).Text("visibility.mode")
			}
			do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"turn.order": tree.Text("free")}})
			turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I wait."})
			before := mode()
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I steal the RING.", Audience: []string{"ren"}})
			turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I look around."})
			if got := strings.Contains(jsonOf(t, (*requests)[2]), "RING"); got != c.sees || mode() != c.mode || c.mode == "strict" && before != "marked" {
				t.Errorf("the whisper in the other's prompt: %t, mode %s, before %s", got, mode(), before)
			}
			all := campaignOf(t, e)
			if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, all) {
				t.Errorf("the rebuilt campaign is another: %v", err)
			}
		})
	}
	imported, err := turn.Begin(compile(t, game.Content{}), cave(t, `{"turns": [{"turn_id": "turn_0001", "actor_id": "ren", "audience": ["ren"],
		"user_input": "I steal the ring.", "assistant_output_text": "It is yours."}]}`))
	if mode, _ := imported.Settings["visibility.mode"].AsText(); err != nil || mode != "strict" {
		t.Errorf("a history with a whisper: mode %q, %v", mode, err)
	}
}

// TestHintsOfTheViewer: CA-44. The hint and the reason of a refused call contain only what the
// viewer may know. An area that a private turn has added is unknown to others.
func TestHintsOfTheViewer(t *testing.T) {
	t.Parallel()
	call := func(to string) string {
		return `{"text": "You walk.", "tool_calls": [{"tool": "move", "args": {"actor_id": "mei", "to_area_id": "` + to + `"}}]}`
	}
	cfg := campaign.Config{Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{tool.GenerateMap(tool.GenerateLimits{})}}}), Model: scripted(
		`{"text": "A trap door.", "tool_calls": [{"tool": "map_generate", "args": {"areas": [{"id": "crypt", "name": "Crypt"}, {"id": "well", "name": "Well"}],
			"paths": [{"from": "gate", "to": "crypt"}, {"from": "crypt", "to": "well"}]}}]}`,
		call("well"), call("nowhere"), call("attic"), `{"text": "You wait."}`, `{"text": "You wait."}`)}
	e := newEngine(t, cfg, `{"map": {"areas": [{"id": "gate", "name": "Gate"}, {"id": "hall", "name": "Hall"}, {"id": "attic", "name": "Attic"}],
		"paths": [{"id": "p1", "from": "gate", "to": "hall"}]}}`, `{"allowlist": ["move", "map_generate"], "settings": {"turn.order": "free",
		"visibility.mode": "strict", "retry.max_retries": 4, "conflict.mode": "off"}}`)
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I dig.", Audience: []string{"ren"}})
	if areas := campaignOf(t, e).State.Map.Areas; areas[len(areas)-1].ID != "well" {
		t.Fatalf("the private turn added no area: %+v", areas)
	}
	o := turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I walk."})
	if len(o.Attempts) < 3 {
		t.Fatalf("%d attempts: %s", len(o.Attempts), jsonOf(t, o))
	}
	codes := []state.CallCode{o.Attempts[0].FailedCalls[0].Reason, o.Attempts[1].FailedCalls[0].Reason}
	if codes[0] != codes[1] {
		t.Errorf("an area that Mei does not know and one that does not exist: %v", codes)
	}
	wantHas(t, "the hint of another refusal", jsonOf(t, o.Attempts[2].FailedCalls), "reachable_area_ids", "hall")
	for i, a := range o.Attempts {
		a.Output = ""
		wantHasNot(t, fmt.Sprintf("attempt %d", i), jsonOf(t, a), "crypt", "well")
	}
	shown, ok := o.ForPlayers("mei")
	if !ok || shown.Turn == nil || shown.Turn.Text != "You wait." {
		t.Errorf("Mei is shown %s, %t", jsonOf(t, shown), ok)
	}
}

// TestFeedbackNamesNothingPrivate: CA-44. The feedback on refused commands suggests no name that a
// private turn has written, however short it is.
func TestFeedbackNamesNothingPrivate(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("You hide it. memory('global_set', 'vault', {'owner': 'Ren'});", "set_status('nowhere', 1); memory('global_set.vaul', 'global_set.x'); Done.",
		"set_status('nowhere', 1); memory('global_set.vaul', 'global_set.x'); Done.", "Fine.", "Fine.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict", "conflict.mode": "off"},
		"variables": {"play_character_data": {}, "stat_data": {"day": 1}, "assa_data": {"global_set": {"hat": 1}}}}`)
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I hide it.", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I look."})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I look again."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I look too."})
	mei, ren := blocks((*requests)[2])["command_feedback"], blocks((*requests)[3])["command_feedback"]
	wantHas(t, "Mei's feedback", mei, "source_not_found")
	wantHasNot(t, "Mei's feedback", mei, "vault")
	wantHas(t, "Ren's feedback", ren, "source_not_found", "vault")
}

// TestGreenLightsOfTheViewer: CA-44. A subject of a private reply is shown to the characters who
// heard it, until it is mentioned publicly.
func TestGreenLightsOfTheViewer(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("Amy waves.", "The wind blows.", "The wind blows.", "Amy comes back.", "Done.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict", "conflict.mode": "off"},
		"variables": {"play_character_data": {}, "stat_data": {}, "assa_data": {"global_set": {"npc": {"amy": {"clue": "CANARY", "_filter": true, "_showInEJS": false}}},
		"config": {"hide_latest_count": 4}}}}`)
	for i, l := range []struct {
		actor string
		to    []string
		sees  bool
	}{{"ren", []string{"ren"}, false}, {"mei", nil, false}, {"ren", nil, true}, {"mei", nil, false}, {"mei", nil, true}} {
		turnOf(t, e, turn.Submit{ActorID: l.actor, Text: "I look.", Audience: l.to})
		if got := strings.Contains(jsonOf(t, (*requests)[i]), "CANARY"); got != l.sees {
			t.Errorf("line %d, %s: the node in the prompt: %t", i, l.actor, got)
		}
	}
	all := campaignOf(t, e)
	if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, all) {
		t.Errorf("the rebuilt campaign is another: %v", err)
	}
}

// TestGreenLightsOfAdoptedTurns: the replies of an imported chat count for green lights, as if they had
// been played here.
func TestGreenLightsOfAdoptedTurns(t *testing.T) {
	t.Parallel()
	const setup = `{"turns": [{"user_input": "Who?", "assistant_output_text": "Amy waves.", "actor_id": "ren"}, {"user_input": "And?", "assistant_output_text": "Bea nods.", "actor_id": "ren"}],
		"variables": {"play_character_data": {}, "stat_data": {}, "assa_data": {"config": {"hide_latest_count": 2},
			"global_set": {"npc": {"amy": {"_filter": true, "_showInEJS": true}, "bea": {"_filter": true, "_showInEJS": true}}}}}}`
	m := begin(t, game.Content{}, setup)
	play(t, m, turn.Submit{Text: "I wait."}, "Dust falls.")
	npcs := m.Campaign().State.Variables.Root().Lookup(tree.Path{"assa_data", "global_set", "npc"})
	const want = `{"amy":{"_filter":true,"_showInEJS":false},"bea":{"_filter":true,"_showInEJS":true}}`
	if got := npcs.String(); got != want {
		t.Errorf("after a turn: %s, want %s", got, want)
	}
}

// TestGreenLightsCountReplies: MV-23. A reply counts with its continuation and with the answers that
// have only commands. Lines of players that nobody answers do not use up the window.
func TestGreenLightsCountReplies(t *testing.T) {
	t.Parallel()
	const hidden, unknown = `{"amy": {"clue": "CANARY", "_filter": true, "_showInEJS": false}}`, `{}`
	say, toMei := turn.Submit{Text: "I look."}, turn.Submit{Text: "I ask.", Speaker: "mei"}
	for _, c := range []struct {
		name, npc string
		order     string
		replies   []string
		acts      []turn.Input
		sees      string // for each request: whether the prompt has the node
	}{
		{"a continued reply", hidden, "", []string{"Wind.", "Amy waves.", "Wind.", "Wind.", "Wind."}, []turn.Input{say, turn.Continue{}, say, say, say}, "--++-"},
		{"only commands", unknown, "", []string{"memory('global_set.npc', 'amy', {'clue': 'CANARY', '_filter': true});", "You nod.", "Wind."}, []turn.Input{say, say}, "--+"},
		{"lines without a reply", hidden, "manual", []string{"Amy waves.", "Wind.", "Wind.", "Wind."},
			[]turn.Input{toMei, say, say, say, toMei, say, say, toMei, toMei}, "-++-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			content := game.Content{}
			if c.order != "" {
				content.People.Cast = []game.CastMember{{CharacterID: "mei", Card: &card.Card{Name: "Mei"}}}
			}
			cfg := campaign.Config{Game: compile(t, content), Model: scripted(c.replies...)}
			requests := observed(&cfg)
			e := newEngine(t, cfg, `{"settings": {"cast.order": "`+cmp.Or(c.order, "list")+`", "conflict.mode": "off"}, "variables": {"assa_data":
				{"global_set": {"npc": `+c.npc+`}, "config": {"hide_latest_count": 2}}}}`)
			for _, in := range c.acts {
				if o := do(t, e, in); o.Err() != nil {
					t.Fatal(o.Err())
				}
			}
			got := ""
			for _, r := range *requests {
				if strings.Contains(blocks(r)["variables"], "CANARY") {
					got += "+"
				} else {
					got += "-"
				}
			}
			if got != c.sees {
				t.Errorf("the prompts have the node: %s, want %s", got, c.sees)
			}
			if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, campaignOf(t, e)) {
				t.Errorf("the rebuilt campaign is another: %v", err)
			}
		})
	}
}

// TestSummaryKeepsUnseenEntries: MV-18, CA-44. A summary clears the entries of the short memory that its
// writer knows. Nobody is asked to sum up entries that are hidden, and their witness still is.
func TestSummaryKeepsUnseenEntries(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("memory('summary.small', 'm1', 'sesame'); memory('summary.small', 'm2', 'poppy'); Mei whispers.", "Ren waits.",
		"memory('summary.big', 'r', 'dusk'); Ren waits.", "Ren waits.", "Ren waits.", "memory('summary.big', 'm', 'seeds'); Mei whispers.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, twoPlayers(state.AudienceStrict), `{"variables": {"assa_data": {"summary": {"small": {"a": "dusk"}, "big": {}}, "config": {"small_to_big_count": 2}}}}`)
	for i, l := range []struct {
		actor string
		to    []string
		asked bool
		small string // after the turn
	}{
		{"mei", []string{"mei"}, false, `{"a":"dusk","m1":"sesame","m2":"poppy"}`}, {"ren", nil, true, `{"a":"dusk","m1":"sesame","m2":"poppy"}`},
		{"ren", nil, true, `{"m1":"sesame","m2":"poppy"}`}, {"ren", nil, false, `{"m1":"sesame","m2":"poppy"}`},
		{"ren", nil, false, `{"m1":"sesame","m2":"poppy"}`}, {"mei", []string{"mei"}, true, `{}`},
	} {
		turnOf(t, e, turn.Submit{ActorID: l.actor, Text: "I wait.", Audience: l.to})
		if got := strings.Contains(blocks((*requests)[i])["languages"], "The short memory is full"); got != l.asked {
			t.Errorf("turn %d: asked for a summary: %t", i+1, got)
		}
		c := campaignOf(t, e)
		if got := c.State.Variables.Root().Get("assa_data").Get("summary").Get("small").String(); got != l.small {
			t.Errorf("turn %d: %s, want %s", i+1, got, l.small)
		}
		if l.actor == "ren" {
			wantHasNot(t, "Ren's prompt", askedText((*requests)[i]), "sesame", "poppy")
		}
		if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, c) {
			t.Errorf("the rebuilt campaign is another: %v", err)
		}
	}
}

// TestWorldsEndKeepsSecrets: MV-12, CA-44. The entries of a cleared branch have all of its nodes, also
// those that a green light hides. A private part is in an entry for its witnesses, however short it
// is. A private node that a public turn moves stays private.
func TestWorldsEndKeepsSecrets(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted(
		"Mei: memory('world_set.npc', 'Ann', {'word': 'sesame'}); memory('world_set.npc.Bob', 'word', 'sesame'); memory('world_set.npc.Cay', 'word', 'sesame');", "You go.", "Ren sees fog.", "Mei sees fog.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, twoPlayers(state.AudienceStrict), `{"variables": {"stat_data": {"world_shard": {"name": ["The Mill of the Fog", ""]}}, "assa_data": {"global_set": {"npc": {}},
		"world_set": {"npc": {"Bob": {"trade": "miller"}, "Cay": {"trade": "smith"}, "Dan": {"trade": "baker", "_filter": true}}, "settings": {}}}}}`)
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I whisper.", Audience: []string{"mei"}})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I leave. memory('world_set.npc.Cay', 'global_set.npc.Kay'); delete('world_set.npc', 'all');"})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Back to The Mill of the Fog."})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "Back to The Mill of the Fog."})
	ren, mei := askedText((*requests)[2]), askedText((*requests)[3])
	for _, text := range []string{`{"Bob":{"trade":"miller"},"Dan":{"trade":"baker"}}`, `"Kay":{"trade":"smith"`} {
		wantHas(t, "Ren's prompt", ren, text)
		wantHas(t, "Mei's prompt", mei, text)
	}
	wantHasNot(t, "Ren's prompt", ren, "sesame", "Ann", "已隐藏")
	wantHas(t, "Mei's prompt", mei, `{"Bob":{"word":"sesame"},"Ann":{"word":"sesame"}}`, `"Kay":{"trade":"smith","word":"sesame"}`)
	if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, campaignOf(t, e)) {
		t.Errorf("the rebuilt campaign is another: %v", err)
	}
}

// TestPublicLineOfOneWhoKnowsMore: CA-44. Lore that a private line activates in the actor's later
// public turn is sticky for the actor alone.
func TestPublicLineOfOneWhoKnowsMore(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "Four."), Game: compile(t, idolLore(worldbook.Entry{
		Sticky: 20, Delay: 3, ScanDepth: new(4)}))}
	requests := observed(&cfg)
	e := newEngine(t, cfg, twoPlayers(state.AudienceStrict))
	for i, l := range []struct {
		actor, text string
		to          []string
		sees        bool
	}{{"ren", "The idol.", []string{"ren"}, false}, {"ren", "I wait.", nil, true}, {"mei", "I wait.", nil, false}, {"ren", "I wait.", nil, true}} {
		turnOf(t, e, turn.Submit{ActorID: l.actor, Text: l.text, Audience: l.to})
		if got := strings.Contains(jsonOf(t, (*requests)[i]), "CANARY"); got != l.sees {
			t.Errorf("line %d, %s: the lore in the prompt: %t", i, l.actor, got)
		}
	}
}

// TestPrivateQuestion: CA-44. A question about the calls of a private turn has its audience, and
// only the acting player receives it.
func TestPrivateQuestion(t *testing.T) {
	t.Parallel()
	hurt := `{"text": "Ouch.", "tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": -1, "cause": "x"}}]}`
	e := newEngine(t, campaign.Config{Model: scripted(hurt)}, `{"settings": {"turn.order": "free", "tools.approval": "all"}}`)
	in := turn.Submit{ActorID: "ren", Text: "I fall.", Audience: []string{"ren", "mei"}, ClientTurnID: "c1"}
	for range 2 { // also when it is requested again
		o := turnOf(t, e, in)
		if o.Status != turn.Waiting || !state.SameAudience(o.Audience, in.Audience) {
			t.Fatalf("%s", jsonOf(t, o))
		}
		ren, _ := o.ForPlayers("ren")
		mei, hears := o.ForPlayers("mei")
		_, other := o.ForPlayers("kai")
		if ren.Approval == nil || ren.Approval.Narration != "" || mei.Approval != nil || !hears || other {
			t.Errorf("Ren gets %s, Mei %s (%t), another one something: %t", jsonOf(t, ren), jsonOf(t, mei), hears, other)
		}
	}
}

// TestRulesOfTheViewersModules: CA-44. The rules of a module that a private line has opened are
// active in the turns of the characters who heard it. A rule's switches apply to everybody.
func TestRulesOfTheViewersModules(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "Four.", "Five."), Game: compile(t, game.Content{Rules: game.Rules{
		Modules: []rules.Module{{ID: "cellar", Activation: rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"idol"}}}},
		Rules: []rules.Rule{counting("cellar"), {ID: "wall", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Conditions: []rules.Condition{is("turns_cellar", tree.Int(2))}, Actions: effect.Actions{effect.ToggleBook{ID: "cellar", Enabled: true}}}},
	}})}
	e := newEngine(t, cfg, twoPlayers(state.AudienceStrict), `{"variables": {"turns_cellar": 0}}`)
	for i, l := range []struct {
		actor, text string
		to          []string
		want        string
	}{{"ren", "The idol.", []string{"ren"}, "1"}, {"mei", "I wait.", nil, "1"}, {"ren", "I wait.", nil, "2"}, {"mei", "I wait.", nil, "2"}, {"mei", "I wait.", nil, "3"}} {
		turnOf(t, e, turn.Submit{ActorID: l.actor, Text: l.text, Audience: l.to})
		if got := campaignOf(t, e).State.Variables.Root().Get("turns_cellar").String(); got != l.want {
			t.Errorf("line %d, %s: the rule of the module has counted %s turns, want %s", i, l.actor, got, l.want)
		}
	}
	if groups := campaignOf(t, e).State.Groups; groups != nil {
		t.Errorf("a rule has opened the module for everybody: %+v", groups)
	}
}

// TestLastMessagesOfTheViewer: the macros and the names of templates for the last messages skip a turn
// that the acting player did not hear.
func TestLastMessagesOfTheViewer(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("For all.", "For Ren.", "Third."), Game: compile(t, game.Content{People: game.People{Card: &card.Card{Name: "Orin",
		Description: "{{lastCharMessage}} <%= lastCharMessage %> {{lastMessage}}"}}})}
	requests := observed(&cfg)
	e := newEngine(t, cfg, twoPlayers(state.AudienceStrict), `{"settings": {"turn.order": "free", "conflict.mode": "off"}}`)
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I wait."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I whisper.", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "And?"})
	wantHas(t, "Mei's prompt", jsonOf(t, (*requests)[2]), "For all. For all. And?")
}
