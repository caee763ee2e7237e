package campaign_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// twoPlayers lets both heroes of the cave act, with a visibility mode.
func twoPlayers(mode state.AudienceMode) string {
	return `{"settings": {"turn.order": "free", "visibility.mode": "` + string(mode) + `", "conflict.mode": "off"}}`
}

// keyContent is lore and a law that only Ren knows.
func keyContent() game.Content {
	return game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "secrets", Entries: []worldbook.Entry{{
		UID: "1", Keys: []string{"key"}, Content: "The KEY-LORE turns twice.", Order: 100, Position: worldbook.PositionBeforeCharacter, Probability: 100,
		Extensions: []byte(`{"visible_to": ["ren"]}`),
	}}}}}}}
}

// secretRule is a world with a rule that only Ren knows.
const secretRule = `{"world": {"rules": [{"id": "r1", "text": "The dead stay dead."},
	{"id": "r2", "text": "RULE-OF-REN: doors love him.", "visible_to": ["ren"]}]}}`

// TestTwoPlayersOneSecret: CA-44. A private line of one player is not in any prompt for the other
// in strict mode, and is marked in the game master's prompt.
func TestTwoPlayersOneSecret(t *testing.T) {
	t.Parallel()
	const mark = "[known only to Ren] "
	for _, c := range []struct {
		mode   state.AudienceMode
		dialog string
		sees   bool // Mei's prompt has the secret
		marked bool // Ren's next prompt has it with a mark
		reason string
	}{
		{state.AudienceMarked, "scene", true, true, "the game master knows everything"},
		{state.AudienceMarked, "action", false, true, "other prompts are the acting character's"},
		{state.AudienceStrict, "scene", false, true, "strict holds for the game master too"},
		{state.AudienceStrict, "free_chat", false, true, "and for talk"},
		{state.AudienceOff, "action", true, false, "nobody asked for it"},
	} {
		t.Run(string(c.mode)+"/"+c.dialog, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted("You hide the KEY-REPLY.", "Mei sees pillars.", "The key is there.", "More."),
				Game: compile(t, keyContent())}
			requests := observed(&cfg)
			e := newEngine(t, cfg, twoPlayers(c.mode), secretRule)
			do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"dialog.manual_type": tree.Text(c.dialog)}})
			secret := turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I hide the key KEY-LINE.", Audience: []string{"ren"}})
			turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I look for a key."})
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Is my key there?"})

			own, mei, ren := jsonOf(t, (*requests)[0]), jsonOf(t, (*requests)[1]), jsonOf(t, (*requests)[2])
			if c.dialog != "free_chat" { // it has no rules
				wantHas(t, "Ren's own prompt", own, "KEY-LINE", "KEY-LORE", "RULE-OF-REN")
			}
			for _, word := range []string{"KEY-LINE", "KEY-REPLY", "KEY-LORE"} {
				if strings.Contains(mei, word) != c.sees {
					t.Errorf("%s: %s in Mei's prompt: %t\n%s", c.reason, word, !c.sees, mei)
				}
				wantHas(t, "Ren's next prompt", ren, word)
			}
			if !c.sees {
				wantHasNot(t, "Mei's prompt", mei, "RULE-OF-REN", mark)
			}
			if got := strings.Contains(ren, mark+"I hide the key KEY-LINE.") && strings.Contains(ren, mark+"You hide the KEY-REPLY.") &&
				strings.Contains(ren, mark+"The KEY-LORE turns twice."); got != c.marked {
				t.Errorf("Ren's prompt has marks: %t\n%s", got, ren)
			}
			if has := strings.Contains(own, "is a secret of those who are named") && strings.Contains(own, "heard by nobody but Ren."); has != c.marked {
				t.Errorf("Ren's own prompt says what marks mean: %t\n%s", has, own)
			}
			if diff := cmp.Diff([]string{"ren"}, secret.Audience); diff != "" {
				t.Error(diff)
			}
			all := campaignOf(t, e)
			if len(all.TurnsFor("ren")) != 3 || len(all.TurnsFor("mei")) != 2 || all.TurnsFor("mei")[0].ID != "turn_0002" {
				t.Errorf("turns for ren %d, for mei %d", len(all.TurnsFor("ren")), len(all.TurnsFor("mei")))
			}
			if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, all) {
				t.Errorf("the rebuilt campaign is another: %v", err)
			}
		})
	}
}

// TestPrivateTurnStaysPrivate: CA-44. A new answer to a private line, a continuation, an edit and a
// report about it have the audience of the line. The stream names who may see what.
func TestPrivateTurnStaysPrivate(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("One SECRET.", "[known only to Ren, Mei] Two SECRET.", "More SECRET.", "A public thing.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, twoPlayers(state.AudienceStrict), `{"settings": {"turn.order": "free", "visibility.mode": "strict", "conflict.intercept_output": false}}`)
	stream := func(in turn.Input, events int) {
		t.Helper()
		var heard [][]string
		for p, err := range e.Stream(t.Context(), "cave", in) {
			if err != nil {
				t.Fatal(err)
			}
			switch p := p.(type) {
			case campaign.Narration:
				heard = append(heard, p.Audience)
			case campaign.Provisional:
				heard = append(heard, p.Audience)
			case campaign.Finished:
				heard = append(heard, p.Outcome.Audience)
			}
		}
		if len(heard) < events || slices.ContainsFunc(heard, func(a []string) bool { return !slices.Equal(a, []string{"ren", "mei"}) }) {
			t.Errorf("the stream of %T is for %v", in, heard)
		}
	}
	stream(turn.Submit{ActorID: "ren", Text: "Psst.", ClientTurnID: "c1", Audience: []string{"ren", "mei", "ren"}}, 3)
	if again := turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Psst.", ClientTurnID: "c1", Audience: []string{"ren", "mei", "ren"}}); !again.Replayed || len(again.Audience) != 2 {
		t.Errorf("repeated: %s", jsonOf(t, again))
	}
	if o, err := e.Turn(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "Psst.", ClientTurnID: "c1"}); err != nil || o.Reason != string(state.IdempotencyConflict) {
		t.Errorf("the same id for another audience: %v %s", err, jsonOf(t, o))
	}
	swiped := do(t, e, turn.Regenerate{})
	longer := do(t, e, turn.Continue{})
	for _, o := range []turn.Outcome{swiped, longer} {
		if o.Turn == nil || !slices.Equal(o.Turn.Audience, []string{"ren", "mei"}) {
			t.Errorf("audience %v", o.Turn)
		}
	}
	if swiped.Turn.Text != "Two SECRET." {
		t.Errorf("the mark that the model copied is shown: %q", swiped.Turn.Text)
	}
	stream(turn.EditText{TurnID: "turn_0001", Text: "One SECRET, edited."}, 2)
	stream(turn.PreviousAnswer{}, 2)
	stream(turn.NextAnswer{}, 2)
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I look."})
	wantHas(t, "what Mei has heard", jsonOf(t, (*requests)[3]), "Two SECRET.", "More SECRET.")
}

// TestUnknownAudience: CA-44. An audience with a character who is not in the campaign is refused
// with a code, and nothing changes.
func TestUnknownAudience(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{})
	before := jsonOf(t, m.Campaign())
	o := play(t, m, turn.Submit{Text: "Psst.", Audience: []string{"ren", "nobody"}})
	if o.Status != turn.Refused || o.Reason != state.UnknownCharacter || jsonOf(t, m.Campaign()) != before {
		t.Errorf("%s", jsonOf(t, o))
	}
}

// TestSummariesApart: CA-44. Turns that only some have heard are summarized separately, for each
// group, and are in the prompts of the characters who know them. Facts may have their own
// witnesses.
func TestSummariesApart(t *testing.T) {
	t.Parallel()
	var asked [][]string // of each question: witnesses, then the lines
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "Four.", "Five.", "Six."), Game: compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 2}}),
		Services: campaign.Services{Summarize: func(_ context.Context, q question.Summarize) (state.Summary, error) {
			lines := []string{strings.Join(q.Witnesses, "+") + "<" + q.Old.Text + ">"}
			for _, one := range q.Turns {
				lines = append(lines, one.UserInput)
			}
			asked = append(asked, lines)
			return state.Summary{Text: "SUM(" + strings.Join(lines[1:], "|") + ")", Facts: tree.Array(tree.Object(
				tree.Member{Key: "fact", Value: tree.Text("FACT-OF-REN")},
				tree.Member{Key: "witnesses", Value: tree.Array(tree.Text("ren"))}))}, nil
		}}}
	requests := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict", "context.compress_enabled": true,
		"context.full_context_enabled": false, "context.recent_turns": 1}}`)
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Public one"})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "PRIVATE-REN", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "PRIVATE-MEI", Audience: []string{"mei"}})
	want := [][]string{{"<>", "Public one"}, {"ren<>", "PRIVATE-REN"}, {"mei<>", "PRIVATE-MEI"}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Ren asks."})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "Mei asks."})
	wantHas(t, "Ren's prompt", blocks((*requests)[3])["summary"], "SUM(Public one)", "[known only to Ren] SUM(PRIVATE-REN)", "FACT-OF-REN")
	wantHas(t, "Mei's prompt", jsonOf(t, (*requests)[4]), "SUM(Public one)", "SUM(PRIVATE-MEI)")
	wantHasNot(t, "Ren's prompt", jsonOf(t, (*requests)[3]), "PRIVATE-MEI")
	wantHasNot(t, "Mei's prompt", jsonOf(t, (*requests)[4]), "PRIVATE-REN", "FACT-OF-REN")
	asked = nil
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "AGAIN-REN", Audience: []string{"ren"}})
	want = [][]string{{"<SUM(Public one)>", "Ren asks.", "Mei asks."}, {"ren<SUM(PRIVATE-REN)>", "AGAIN-REN"}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	if s := campaignOf(t, e).State.Summary; len(s.Private) != 2 || s.CoversThrough != "turn_0006" {
		t.Errorf("the summary is %s", jsonOf(t, s))
	}
}

// TestMemoriesHaveWitnesses: CA-44. A private turn is stored with its witnesses. If a memory
// returns it for a different character, it is not shown.
func TestMemoriesHaveWitnesses(t *testing.T) {
	t.Parallel()
	var index memory.Index
	cfg := campaign.Config{Model: scripted("The idol is under the WILLOW.", "Nothing.", "Nothing.", "Nothing."), Services: campaign.Services{Memory: &index}}
	requests := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict", "context.full_context_enabled": false, "context.recent_turns": 1}}`)
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Where is the idol?", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I wait."})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "Where is the idol?"})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Where was the idol?"})
	wantHasNot(t, "Mei's prompt", jsonOf(t, (*requests)[2]), "WILLOW")
	wantHas(t, "Ren's memory", blocks((*requests)[3])["memory"], "Turn 1: [known only to Ren] ", "WILLOW")
}

// TestCommonKnowledge: CA-44. In the mode "common" a public prompt of a character has nothing that
// the character heard in private, so no reply can give it away. A whisper has what its listeners
// have heard together. Suggestions have everything that the actor knows.
func TestCommonKnowledge(t *testing.T) {
	t.Parallel()
	content := keyContent()
	content.Lore.Books[0].Book.Entries[0].Sticky = 9
	cfg := campaign.Config{Game: compile(t, content), Services: campaign.Services{Memory: &memory.Index{}},
		Model: scripted("REPLY-TO-BOTH.", "REPLY-TO-REN.", "Public.", "Both again.", "Ren again.", `["I wait."]`, "Mei.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, twoPlayers(state.AudienceCommon), secretRule)
	for _, audience := range [][]string{{"mei"}, {"ren"}, nil, {"mei"}, {"ren"}} {
		turnOf(t, e, turn.Submit{ActorID: "ren", Text: "A key for " + strings.Join(audience, ""), Audience: audience})
	}
	do(t, e, turn.Suggest{ActorID: "ren", N: 1})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I look for a key."})
	both, own, rule := []string{"A key for mei", "REPLY-TO-BOTH"}, []string{"A key for ren", "REPLY-TO-REN"}, []string{"KEY-LORE", "RULE-OF-REN"}
	for at, c := range []struct{ has, not [][]string }{
		{nil, [][]string{rule}},
		{[][]string{both, rule}, nil},
		{nil, [][]string{both, own, rule, {"known only"}}},
		{[][]string{both, {"[known only to Mei, Ren] ", "heard by nobody but Mei, Ren."}}, [][]string{own, rule}},
		{[][]string{both, own, rule}, nil},
		{[][]string{both, own, rule}, nil},
		{nil, [][]string{both, own, rule}},
	} {
		text := jsonOf(t, (*requests)[at])
		wantHas(t, fmt.Sprint("request ", at), text, slices.Concat(c.has...)...)
		wantHasNot(t, fmt.Sprint("request ", at), text, slices.Concat(c.not...)...)
	}
}
