package campaign_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// historyIn lists the messages of a request that are history or the player's line.
func historyIn(r question.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		if m.Kind == question.KindHistory || m.Kind == question.KindPlayerInput {
			b.WriteString(string(m.Message.Role) + ": " + m.Message.Text + "\n")
		}
	}
	return b.String()
}

// TestNamesOfPlayers: prompts name the speaker of each line if several players may speak, or have
// spoken.
func TestNamesOfPlayers(t *testing.T) {
	t.Parallel()
	const told = `"turns": [{"user_input": "One?", "assistant_output_text": "Yes.", "actor_id": "ren"}]`
	const named = "user: Ren: One?\nassistant: Yes.\nuser: Mei: Two?\n"
	for _, tc := range []struct{ reason, setup, actor, want string }{
		{"free", `"settings": {"turn.order": "free"}`, "mei", named},
		{"one player after the other", `"selected": {"active_actor_id": "mei"}, "settings": {"turn.order": "round_robin"}`, "mei", named},
		{"a different actor", `"selected": {"active_actor_id": "mei"}`, "mei", named},
		{"the same actor", `"settings": {}`, "ren", "user: One?\nassistant: Yes.\nuser: Two?\n"},
		{"one player", `"selected": {"party_character_ids": ["ren"]}, "settings": {"turn.order": "free"}`, "ren",
			"user: One?\nassistant: Yes.\nuser: Two?\n"},
	} {
		m := begin(t, game.Content{}, `{`+told+`, `+tc.setup+`}`)
		step(t, m, turn.Submit{ActorID: tc.actor, Text: "Two?"})
		if got := historyIn(m.Todo().Generate.Request); got != tc.want {
			t.Errorf("%s: got\n%swant\n%s", tc.reason, got, tc.want)
		}
	}
}

// TestPersonaOfTheActor: without a persona of the content, the background of the acting character is
// the persona of a talk and of the world book, as data. A prompt with the sheets of the party does not
// repeat it.
func TestPersonaOfTheActor(t *testing.T) {
	t.Parallel()
	const people = `"characters": [{"character_id": "ren", "name": "Ren", "hp": {"current": 1, "max": 1}, "background": "A monk. {{roll::1}}"},
		{"character_id": "mei", "name": "Mei", "hp": {"current": 1, "max": 1}, "background": "A guard."}], "map": {}`
	cards := game.People{Card: &card.Card{Name: "Orin", Description: "Meets: {{persona}}"}}
	books := []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
		{UID: "1", Keys: []string{"monk. {{roll", "guard", "mei is"}, Probability: 100, Content: "LORE", MatchPersonaDescription: true}}}}}
	for _, tc := range []struct {
		reason, dialog, actor, persona, want string
		times                                int
	}{
		{"a talk", "chat", "ren", "", "A monk. {{roll::1}}", 2}, // in the card and in the block
		{"a different player", "chat", "mei", "", "A guard.", 2},
		{"a persona of the content", "chat", "mei", "{{user}} is tall.", "Mei is tall.", 2},
		{"a scene", "scene", "mei", "", "A guard.", 1}, // in the party's sheets
	} {
		cards.Persona = tc.persona
		m := begin(t, game.Content{People: cards, Lore: game.Lore{Books: books, Settings: worldbook.Exact()}},
			`{`+people+`, "settings": {"turn.order": "free", "dialog.manual_type": "`+tc.dialog+`"}}`)
		step(t, m, turn.Submit{ActorID: tc.actor, Text: "Hello."})
		if !strings.Contains(askedText(m.Todo().Generate.Request), "LORE") {
			t.Errorf("%s: the world book does not find the persona", tc.reason)
		}
		if got := strings.Count(askedText(m.Todo().Generate.Request), tc.want); got != tc.times {
			t.Errorf("%s: %q %d times, want %d, in\n%s", tc.reason, tc.want, got, tc.times, askedText(m.Todo().Generate.Request))
		}
	}
}

// TestSeveralRepliesInTheHistory: later prompts show a turn with several speakers with the name of
// each speaker. A window of turns counts it as one turn.
func TestSeveralRepliesInTheHistory(t *testing.T) {
	t.Parallel()
	const told = `"greeting": "Fog.", "turns": [
		{"user_input": "One?", "assistant_output_text": "Alone.", "actor_id": "ren"},
		{"user_input": "Two?", "assistant_output_text": "Here.\n\nAnd here.", "actor_id": "ren", "replies": [
			{"speaker": "ash", "text": "Here."}, {"speaker": "reed", "text": "And here."}]}]`
	for _, tc := range []struct{ reason, settings, want string }{
		{"all of it", `{}`, "assistant: Fog.\nuser: One?\nassistant: Alone.\nuser: Two?\n" +
			"assistant: ash: Here.\nassistant: reed: And here.\nuser: Three?\n"},
		{"the newest turn", `{"context.full_context_enabled": false, "context.recent_turns": 1}`,
			"user: Two?\nassistant: ash: Here.\nassistant: reed: And here.\nuser: Three?\n"},
	} {
		m := begin(t, game.Content{}, `{`+told+`, "settings": `+tc.settings+`}`)
		step(t, m, turn.Submit{Text: "Three?"})
		if got := historyIn(m.Todo().Generate.Request); got != tc.want {
			t.Errorf("%s: got\n%swant\n%s", tc.reason, got, tc.want)
		}
	}
}

// three is a cast: Ash always speaks, the others if they are named.
func three() []game.CastMember {
	return []game.CastMember{
		{CharacterID: "ash", Talkativeness: new(1.0), Card: &card.Card{Name: "Ash",
			Description: "{{char}} keeps the ferry of {{group}}."}},
		{CharacterID: "reed", Talkativeness: new(0.0), Card: &card.Card{Name: "Bo Reed",
			Description: "{{char}} owes {{notChar}}.", PostHistoryInstructions: "Whisper, {{char}}."}},
		{CharacterID: "chen", Talkativeness: new(0.0), Card: &card.Card{Name: "老陈", Description: "{{char}}守着灯塔。"}},
	}
}

// spoken lists the speakers and replies of a turn.
func spoken(t *state.Turn) string {
	var b strings.Builder
	for _, r := range t.Replies {
		b.WriteString(r.Speaker + ": " + r.Text + "; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// numbered answers the n-th request with its number.
func numbered() llm.Model {
	n := 0
	return llm.ModelFunc(func(ctx context.Context, r llm.Request) iter.Seq2[llm.Chunk, error] {
		n++
		return replying(fmt.Sprintf("It is quiet. (%d)", n)).Generate(ctx, r)
	})
}

// TestCastSpeaks plays all orders of a cast with an engine, in English and Chinese (CA-49). It
// checks who speaks, in which order, and that a replay of the log gives the same campaign.
func TestCastSpeaks(t *testing.T) {
	t.Parallel()
	type line struct {
		in   turn.Input
		want string
	}
	muted := func(list []game.CastMember, id string) []game.CastMember {
		for i := range list {
			list[i].Muted = list[i].Muted || list[i].CharacterID == id
		}
		return list
	}
	for _, tc := range []struct {
		reason   string
		cast     []game.CastMember
		settings string
		lines    []line
	}{
		{"natural: who is named speaks first, who always speaks speaks too", three(), `{}`, []line{
			{turn.Submit{Text: "What do you say, Reed?"}, "reed: It is quiet. (1); ash: It is quiet. (2)"},
			{turn.Submit{Text: "问老陈吧。"}, "chen: It is quiet. (3); ash: It is quiet. (4)"},
			{turn.Submit{Text: "ashes, reeds"}, "ash: It is quiet. (5)"},
		}},
		{"natural: who is muted is not asked, unless the host does", muted(three(), "reed"), `{}`, []line{
			{turn.Submit{Text: "Reed?"}, "ash: It is quiet. (1)"},
			{turn.Submit{Text: "Reed?", Speaker: "reed"}, "reed: It is quiet. (2)"},
		}},
		{"list: everybody in order", muted(three(), "reed"), `{"cast.order": "list"}`, []line{
			{turn.Submit{Text: "你们好。"}, "ash: It is quiet. (1); chen: It is quiet. (2)"},
		}},
		{"a private line is answered only by members who hear it", muted(three(), "chen"), `{"cast.order": "list"}`, []line{
			{turn.Submit{Text: "Ash, keep this.", Audience: []string{"ash"}}, "ash: It is quiet. (1)"},
			{turn.Submit{Text: "Keep this.", Audience: []string{"mei"}}, "ash: It is quiet. (2); reed: It is quiet. (3)"},
			{turn.Submit{Text: "Keep this.", Audience: []string{"chen"}}, ""},
			{turn.Submit{Text: "Keep this.", Audience: []string{"ash"}, Speaker: "reed"}, "reed: It is quiet. (4)"},
		}},
		{"manual: the line stands alone until somebody is asked", three(), `{"cast.order": "manual"}`, []line{
			{turn.Submit{Text: "Hello, Ash."}, ""},
			{turn.Submit{Text: "老陈?", Speaker: "chen"}, "chen: It is quiet. (1)"},
		}},
		{"pooled: everybody once, before anybody speaks twice", three()[:2], `{"cast.order": "pooled", "cast.auto_replies": 3}`, []line{
			{turn.Submit{Text: "Well?"}, "ash: It is quiet. (1)"},
			{turn.Proceed{}, "reed: It is quiet. (2)"},
			{turn.Submit{Auto: true}, "ash: It is quiet. (3)"},
			{turn.Proceed{}, "reed: It is quiet. (4)"},
		}},
		{"natural without the player: who spoke last does not answer itself", three()[:2], `{"cast.auto_replies": 1}`, []line{
			{turn.Submit{Text: "The ferry, please."}, "ash: It is quiet. (1)"},
			{turn.Proceed{}, "ash: It is quiet. (2)"}, // no other member is willing
		}},
		{"a member without a card is passed over", append(three()[:1], game.CastMember{CharacterID: "gone"}),
			`{"cast.order": "list"}`, []line{{turn.Submit{Text: "Hello."}, "ash: It is quiet. (1)"}}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			g, problems := game.Compile(game.Content{People: game.People{Cast: tc.cast}, Extensions: game.Extensions{Random: func(seed, n uint64) float64 { return 0.25 }}})
			if problems.Err() != nil {
				t.Fatal(problems)
			}
			e := newEngine(t, campaign.Config{Game: g, Model: numbered()}, `{"settings": `+tc.settings+`}`)
			for _, l := range tc.lines {
				o := do(t, e, l.in)
				if o.Err() != nil {
					t.Fatalf("%+v: %v", l.in, o.Err())
				}
				if got := spoken(o.Turn); got != l.want {
					t.Errorf("%+v: %s\nwant %s\n%s", l.in, got, l.want, o.Turn.Trace.Cast)
				}
				if said, _ := l.in.(turn.Submit); o.Turn.UserInput != said.Text {
					t.Errorf("the line is %q", o.Turn.UserInput)
				}
			}
			if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
				t.Error(err)
			}
		})
	}
}

// ask returns the request of a machine in a readable form.
func ask(t *testing.T, m *turn.Machine) string {
	t.Helper()
	g := m.Todo().Generate
	if g == nil {
		t.Fatalf("no request at %s", m.Stop())
	}
	var b strings.Builder
	for _, msg := range g.Request.Messages {
		b.WriteString(string(msg.Kind) + "/" + msg.Block + ": " + msg.Message.Text + "\n")
	}
	return b.String()
}

// TestCastPrompts: each speaker has a separate prompt, with its name, its card and the earlier
// replies. Joined cards are expanded for their owners (CA-49).
func TestCastPrompts(t *testing.T) {
	t.Parallel()
	members := three()
	members[2].Muted = true
	members[1].Card.Extensions = map[string]json.RawMessage{
		"depth_prompt": json.RawMessage(`{"prompt": "{{char}} is drunk.", "depth": 1, "role": "system"}`)}
	members[0].Card.MesExample = "{{char}}: Step in."
	content := game.Content{People: game.People{Cast: members, CastTexts: game.CastTexts{Prefix: "[<FIELDNAME>, {{char}}] "}}}
	both := turn.Submit{Text: "Reed?"}

	m := begin(t, content)
	step(t, m, both)
	first := ask(t, m)
	wantHas(t, "the prompt for Reed", first, "Bo Reed owes Ash.", "Whisper, Bo Reed.", "Bo Reed is drunk.", "player_input/: Reed?")
	wantHasNot(t, "the prompt for Reed", first, "ferry", "[Description", "灯塔")
	step(t, m, turn.Replied{Text: "Bo Reed: I paid."})
	second := ask(t, m)
	wantHas(t, "the prompt for Ash", second, "Ash keeps the ferry of Ash, Bo Reed, 老陈.",
		"player_input/: Reed?\n", "history/: Bo Reed: I paid.\n")
	wantHasNot(t, "the prompt for Ash", second, "owes", "drunk", "Whisper")
	step(t, m, turn.Replied{Text: "Did you?"}, turn.Committed{})
	if got := spoken(m.Todo().Outcome.Turn); got != "reed: I paid.; ash: Did you?" {
		t.Error(got)
	}
	if got := m.Todo().Outcome.Turn.Text; got != "I paid.\n\nDid you?" {
		t.Errorf("the text is %q", got)
	}

	m = begin(t, content, `{"settings": {"cast.cards": "join"}}`)
	step(t, m, both)
	joined := ask(t, m)
	wantHas(t, "joined", joined, "[Description, Ash] Ash keeps the ferry of Ash, Bo Reed, 老陈.\n[Description, Bo Reed] Bo Reed owes Ash.",
		"examples: Ash: Step in.", "Bo Reed is drunk.", "Whisper, Bo Reed.")
	wantHasNot(t, "joined", joined, "灯塔")

	m = begin(t, content, `{"settings": {"cast.cards": "join_muted"}}`)
	step(t, m, both)
	wantHas(t, "joined with the muted", ask(t, m), "[Description, 老陈] 老陈守着灯塔。")
}

func wantHasNot(t *testing.T, what, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(text, w) {
			t.Errorf("%s has %q:\n%s", what, w, text)
		}
	}
}

// TestCastReplyIsDroppedAlone: a reply that contradicts the state until its retries are used up is
// left out, and the others stay. If none is left, a person decides, and the report names the
// speaker (CA-49).
func TestCastReplyIsDroppedAlone(t *testing.T) {
	t.Parallel()
	const lie = "Ren loses 3 HP."
	content := game.Content{People: game.People{Cast: three()}}
	setup := `{"settings": {"retry.max_retries": 1}}`
	m := begin(t, content, setup)
	o := play(t, m, turn.Submit{Text: "Reed?"}, lie, lie, "Ash shrugs.")
	if o.Err() != nil || spoken(o.Turn) != "ash: Ash shrugs." || !slices.Equal(o.Turn.Dropped, []string{"reed"}) {
		t.Fatalf("%v: %+v", o.Err(), o.Turn)
	}
	if a := o.Turn.Attempts; len(a) != 3 || a[1].Speaker != "reed" || len(a[1].Conflicts) != 1 || a[2].Speaker != "ash" {
		t.Errorf("attempts %+v", a)
	}
	if o.RetriesUsed != 1 {
		t.Errorf("%d retries", o.RetriesUsed)
	}
	o = play(t, m, turn.Submit{Text: "Reed?"}, "Aye.", lie, lie)
	if o.Err() != nil || spoken(o.Turn) != "reed: Aye." || !slices.Equal(o.Turn.Dropped, []string{"ash"}) {
		t.Fatalf("%v: %+v", o.Err(), o.Turn)
	}

	for _, tc := range []struct {
		in   turn.ResolveConflict
		want string
	}{
		{turn.ResolveConflict{Decision: state.DecideAccept}, "ash: " + lie},
		{turn.ResolveConflict{Decision: state.DecideOverride, Text: "Ash waits."}, "ash: Ash waits."},
	} {
		m = begin(t, content, setup)
		o = play(t, m, turn.Submit{Text: "Reed?"}, lie, lie, lie, lie)
		if o.Status != turn.Conflict || o.Report.Speaker != "ash" || o.Report.Attempts != 4 {
			t.Fatalf("%s %+v", o.Status, o.Report)
		}
		o = play(t, m, tc.in)
		if o.Err() != nil || spoken(o.Turn) != tc.want {
			t.Errorf("%s: %v %+v", tc.in.Decision, o.Err(), o.Turn)
		}
	}

	m = begin(t, game.Content{}, setup) // nobody of a cast speaks
	play(t, m, turn.Submit{Text: "Reed?"}, lie, lie)
	o = play(t, m, turn.ResolveConflict{Decision: state.DecideAccept})
	if o.Err() != nil || o.Turn.Text != lie || len(o.Turn.Replies) > 0 {
		t.Errorf("without a cast: %v %+v", o.Err(), o.Turn)
	}
}

// TestCastStateGoesOn: the next speaker finds the changes of a reply. Calls refused to one speaker
// are not repetitions of a different speaker's calls (CA-49).
func TestCastStateGoesOn(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{People: game.People{Cast: three()}, Rules: game.Rules{Variables: []rules.Variable{{ID: "gold", Type: rules.TypeNumber, Default: tree.Int(7)}}}})
	o := play(t, m, turn.Submit{Text: "Reed?"},
		output("Reed bars the way.", `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "vault"}}`), // it is locked
		output("Reed swings.", hurt("ren", "-2"))+"[gold: 3]",
		output("Ash bars the way.", `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "vault"}}`),
		output("Ash swings.", hurt("ren", "-1")))
	if o.Err() != nil {
		t.Fatal(o.Err())
	}
	if c, _ := m.Campaign().State.Character("ren"); c.HP.Current != 7 {
		t.Errorf("hp %d after -2 and -1", c.HP.Current)
	}
	for i, a := range o.Turn.Attempts {
		for _, f := range a.FailedCalls {
			if f.OriginalReason != "" {
				t.Errorf("attempt %d: %s was refused to another one", i, f.Tool)
			}
		}
	}
	if len(o.Turn.Attempts) != 4 || len(o.Turn.Applied) != 2 {
		t.Errorf("%d attempts, %d applied", len(o.Turn.Attempts), len(o.Turn.Applied))
	}
}

// TestCastHooks: hooks run for each speaker before the prompt is made and after the reply, with the
// mood of a speaker who is a character of the campaign. Rules run for each reply (CA-49).
func TestCastHooks(t *testing.T) {
	t.Parallel()
	begins := hooks.Hook{ID: "b", Name: "b", Event: hooks.On(game.EventSpeakerBegins), Actions: []act.Action{
		act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("begins")})}}
	note := hooks.Hook{ID: "a", Name: "a", Event: hooks.On(game.EventSpeakerDone), Actions: []act.Action{
		act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("said")})}}
	heard := reactions.Reaction{ID: "r", When: reactions.Pattern{EventType: event.TypeModelMessage},
		Then: reactions.Effects{effect.SetVariable{Path: "n", Operation: effect.Add, Value: tree.Int(1)}}}
	members := three()
	members[0].CharacterID = "mei" // of the campaign
	m := begin(t, game.Content{People: game.People{Cast: members}, Rules: game.Rules{Hooks: []hooks.Hook{begins, note}, Reactions: []reactions.Reaction{heard}}},
		`{"variables": {"n": 0}}`)
	var asked []string
	step(t, m, turn.Submit{Text: "Reed?"})
	for m.Phase() != turn.Idle {
		switch todo := m.Todo(); {
		case todo.Hooks != nil:
			if e := todo.Hooks.Event; e.Type == game.EventSpeakerBegins || e.Type == game.EventSpeakerDone {
				asked = append(asked, e.Type+" "+e.CharacterID+" "+e.Payload.String())
			}
			step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
		case todo.Generate != nil:
			asked = append(asked, "model")
			step(t, m, turn.Replied{Text: "Hm."})
		case todo.Commit != nil:
			step(t, m, turn.Committed{})
		}
	}
	want := []string{
		`character.before_turn reed {"speaker":"reed","name":"Bo Reed"}`, "model",
		`character.after_turn reed {"speaker":"reed","name":"Bo Reed","text":"Hm."}`,
		`character.before_turn mei {"speaker":"mei","name":"Ash"}`, "model",
		`character.after_turn mei {"speaker":"mei","name":"Ash","text":"Hm."}`,
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := m.Campaign().State.Variables.Root().Get("n").String(); n != "2" {
		t.Errorf("rules heard %s replies", n)
	}
}

// TestCastRefusals: an instruction that cannot be played is refused with its reason, and changes
// nothing (CA-49).
func TestCastRefusals(t *testing.T) {
	t.Parallel()
	g, _ := game.Compile(game.Content{People: game.People{Cast: append(three(), game.CastMember{CharacterID: "gone"})}}) // has no card
	c, err := turn.Begin(g, cave(t, `{"settings": {"cast.auto_replies": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	m := turn.NewMachine(g, c)
	for _, tc := range []struct {
		in   turn.Submit
		want string
	}{
		{turn.Submit{Text: "Hello.", Speaker: "nobody"}, "refused unknown_speaker"},
		{turn.Submit{Text: "Hello.", Speaker: "gone"}, "refused unknown_speaker"},
		{turn.Submit{Text: " "}, "refused empty_input"},
		{turn.Submit{Auto: true, ClientTurnID: "a"}, "completed turn_0001"},
		{turn.Submit{Auto: true}, "refused no_auto_round"},
		{turn.Submit{Auto: true, ClientTurnID: "a"}, "completed turn_0001 replayed"},
		{turn.Submit{Text: "Hello.", ClientTurnID: "a"}, "refused idempotency_conflict"},
		{turn.Submit{Text: "Hello.", ClientTurnID: "b", Speaker: "ash"}, "completed turn_0002"},
		{turn.Submit{Text: "Hello.", ClientTurnID: "b", Speaker: "reed"}, "refused idempotency_conflict"},
		{turn.Submit{Auto: true}, "completed turn_0003"},
	} {
		var outputs []string
		if strings.HasPrefix(tc.want, "completed") && !strings.HasSuffix(tc.want, "replayed") {
			outputs = []string{"Hm."}
		}
		wantOutcome(t, play(t, m, tc.in, outputs...), tc.want)
	}
	m = begin(t, game.Content{})
	wantOutcome(t, play(t, m, turn.Submit{Auto: true}), "refused no_auto_round")
	wantOutcome(t, play(t, m, turn.Submit{Text: "Hello.", Speaker: "ash"}), "refused unknown_speaker")
}

// TestCastProblems: the mistakes of a cast are reported all at once, each with its place (CA-49).
func TestCastProblems(t *testing.T) {
	t.Parallel()
	ash := &card.Card{Name: "Ash"}
	_, problems := game.Compile(game.Content{People: game.People{Card: ash, Cast: []game.CastMember{
		{CharacterID: "ash", Card: ash}, {CharacterID: "ash", Card: ash}, {Card: ash}, {CharacterID: "gone"},
		{CharacterID: "loud", Card: ash, Talkativeness: new(1.5)}, {CharacterID: "mute", Card: ash, Talkativeness: new(math.NaN())},
		{CharacterID: "none", Card: &card.Card{}},
		{CharacterID: "book", Card: &card.Card{Name: "B", CharacterBook: json.RawMessage(`{"entries": []}`)}},
	}}})
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprint(p.Severity, " ", p.Path))
	}
	want := []string{"fatal card", "fatal cast[1].characterId", "fatal cast[2].characterId", "error cast[3].card",
		"error cast[4].talkativeness", "error cast[5].talkativeness", "error cast[6].card.name",
		"warning cast[7].card.character_book"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, problems)
	}
	g, _ := game.Compile(game.Content{People: game.People{Cast: []game.CastMember{{CharacterID: "none", Card: &card.Card{}}}}})
	if name := g.Cast()[0].Name; name != "none" {
		t.Errorf("a member without a name is called %q", name)
	}
	if _, problems = game.Compile(game.Content{People: game.People{Cast: make([]game.CastMember, 257)}}); problems.Err() == nil {
		t.Error("a cast without end is accepted")
	}
	if _, problems = game.Compile(game.Content{People: game.People{CastTexts: game.CastTexts{Prefix: "a"}}}); len(problems) != 1 {
		t.Errorf("texts without a cast: %v", problems)
	}
}

// TestCastRestartsAnywhere: a new process gets the campaign and the inputs so far. At each stop of
// a round it has the same question, and it ends with the same campaign (CA-37, CA-49).
func TestCastRestartsAnywhere(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	every := hooks.Hook{ID: "h", Name: "h", Event: hooks.On("*"), Actions: []act.Action{
		act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("x")})}}
	g := compile(t, game.Content{People: game.People{Cast: three()}, Rules: game.Rules{Hooks: []hooks.Hook{every}}})
	c, err := turn.Begin(g, cave(t, `{"settings": {"cast.auto_replies": 2, "retry.max_retries": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	round := func(restart bool) (string, int) {
		m, stops := turn.NewMachine(g, c), 0
		for _, in := range []turn.Input{turn.Submit{Text: "Reed, 老陈?"}, turn.Submit{Auto: true}, turn.Proceed{Speaker: "chen"}} {
			step(t, m, in)
			for n := 0; m.Phase() != turn.Idle; {
				if stops++; restart {
					question, journal := describe(t, m), m.Journal()
					m = turn.NewMachine(g, restored(t, m.Campaign()))
					step(t, m, decoded(t, journal)...)
					if got := describe(t, m); got != question {
						t.Fatalf("(-want +got):\n%s", cmp.Diff(question, got))
					}
				}
				switch todo := m.Todo(); {
				case todo.Hooks != nil:
					step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
				case todo.Generate != nil:
					n++
					text := fmt.Sprintf("Reply %d.", n)
					if n == 2 || n == 3 { // of the second speaker
						text = "Ren loses 3 HP."
					}
					step(t, m, turn.Replied{Text: text})
				case todo.Commit != nil:
					step(t, m, turn.Committed{})
				}
			}
		}
		return jsonOf(t, m.Campaign()), stops
	}
	want, stops := round(false)
	if got, _ := round(true); got != want {
		t.Errorf("another end (-want +got):\n%s", cmp.Diff(want, got))
	}
	if stops < 40 || !strings.Contains(want, `"dropped_speakers"`) {
		t.Errorf("%d stops: %s", stops, want)
	}
}

// TestCastAnotherAnswer: a new answer to a line plays the round again. A swipe has the same
// speakers, and a choice restores what they said (CA-42, CA-49).
func TestCastAnotherAnswer(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{People: game.People{Cast: three()}})
	first := play(t, m, turn.Submit{Text: "Reed?", Speaker: "chen"}, "雾。")
	o := play(t, m, turn.Regenerate{Swipe: true}, "雨。")
	if o.Err() != nil || spoken(o.Turn) != "chen: 雨。" {
		t.Fatalf("%v %+v", o.Err(), o.Turn)
	}
	if c := o.Turn.Trace.Cast; c == nil || len(c.Trace) != 1 || c.Trace[0] != (cast.Note{ID: "chen", Reason: cast.Spoke}) {
		t.Errorf("the trace of the speakers is %+v", c)
	}
	o = play(t, m, turn.Choose{TurnID: first.Turn.ID})
	if o.Err() != nil || spoken(o.Turn) != "chen: 雾。" {
		t.Errorf("%v %+v", o.Err(), o.Turn)
	}
	if o = play(t, m, turn.Regenerate{}, "晴。"); o.Err() != nil || spoken(o.Turn) != "chen: 晴。" {
		t.Errorf("the host's choice of the speaker is lost: %v %+v", o.Err(), o.Turn)
	}
}

// TestCastProgress: the pieces of the narration name their speakers, and nothing is shown before
// all replies are accepted (CA-39, CA-49).
func TestCastProgress(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Game: compile(t, game.Content{People: game.People{Cast: three()}}), Model: numbered()},
		`{"settings": {"conflict.intercept_output": false}}`)
	var got []string
	for p, err := range e.Stream(t.Context(), "cave", turn.Submit{Text: "Reed?"}) {
		if err != nil {
			t.Fatal(err)
		}
		switch p := p.(type) {
		case campaign.Provisional, campaign.Retracted:
			t.Errorf("%T", p)
		case campaign.Narration:
			got = append(got, p.Speaker+": "+p.Text)
		}
	}
	want := []string{"reed: It is quiet.", "reed:  (1)\n\n", "ash: It is quiet.", "ash:  (2)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCastOpens: a campaign with a cast begins with a greeting of one of its members; greetings for
// groups come first. The member is its speaker: for macros, in later prompts, and if a different
// greeting is chosen (CA-49, CA-58).
func TestCastOpens(t *testing.T) {
	t.Parallel()
	content := game.Content{People: game.People{Cast: three()}}
	content.People.Cast[0].Card.FirstMes = "The ferry is late, {{user}}."
	content.People.Cast[1].Card.FirstMes = "Hm."
	content.People.Cast[1].Card.GroupOnlyGreetings = []string{"{{char}} nods at all of you.", " "}
	g := compile(t, content)
	if got, want := g.Openings(), []game.Opening{{Speaker: "ash", Text: "The ferry is late, {{user}}."},
		{Speaker: "reed", Text: "{{char}} nods at all of you."}, {Speaker: "reed", Text: "Hm."}}; !slices.Equal(got, want) {
		t.Fatalf("the openings are %+v", got)
	}
	cfg := campaign.Config{Game: g, Model: scripted("Soon.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"greeting_id": "0"}`)
	if got := campaignOf(t, e).State.Greeting; got != "The ferry is late, Ren." {
		t.Errorf("it opens with %q", got)
	}
	do(t, e, turn.Choose{Greeting: new(1)})
	turnOf(t, e, turn.Submit{Text: "When, Ash?"})
	if got, want := historyIn((*seen)[0]), "assistant: Bo Reed: Bo Reed nods at all of you.\nuser: When, Ash?\n"; got != want {
		t.Errorf("the history is\n%swant\n%s", got, want)
	}
	if _, err := e.Do(t.Context(), "cave", turn.Choose{Greeting: new(3)}); err == nil {
		t.Error("a greeting that does not exist is chosen")
	}
	rebuilt(t, e)
	if _, err := turn.Begin(g, cave(t, `{"greeting_id": "3"}`)); err == nil || !strings.Contains(err.Error(), "greetings 0 to 2") {
		t.Errorf("a setup with a greeting that does not exist: %v", err)
	}
}

// TestRepliesOfACastAreRewritten: a hook that runs after a member of the cast has spoken rewrites
// the reply of that member. After all have spoken, it rewrites the last reply.
func TestRepliesOfACastAreRewritten(t *testing.T) {
	t.Parallel()
	var actions act.Table
	if err := actions.Register("soften", act.Type{Internal: true, Handler: func(context.Context, act.Call) (act.Outcome, error) {
		return act.Outcome{Effects: []effect.Effect{effect.Rewrite{Target: effect.RewriteReply, Find: "Damn", Text: "Dear me"}}}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{game.EventSpeakerDone, act.AfterTurnStarted} {
		m := begin(t, game.Content{People: game.People{Cast: three()}, Rules: game.Rules{Actions: &actions, Hooks: []hooks.Hook{{ID: "h", Name: "h",
			Event: hooks.On(at), Actions: []act.Action{act.New("soften")}}}}})
		o := play(t, m, turn.Submit{Text: "Reed?"}, "Damn.", "Damn, Bo.")
		want := "reed: Dear me.; ash: Damn, Bo." // a hook runs once a turn
		if at == act.AfterTurnStarted {          // all have spoken
			want = "reed: Damn.; ash: Dear me, Bo."
		}
		if o.Turn == nil || spoken(o.Turn) != want {
			t.Errorf("%s: %s", at, jsonOf(t, o.Turn))
		}
	}
}
