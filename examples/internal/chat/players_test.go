package chat

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm/llmtest"
)

// newGame returns a bot that plays the game in testdata, and what its users read.
func newGame(t *testing.T, flags Flags, replies ...llmtest.Reply) (*Bot, *service, func()) {
	t.Helper()
	flags.Game = "testdata/ferry"
	engine, store, err := flags.Open(t.Context(), campaign.Config{Model: llmtest.NewScripted(replies...)})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{places: map[Place][]Message{}}
	return &Bot{Engine: engine, Service: s, Begin: flags.Begin, Closed: flags.Closed, Quote: true, Now: s.Now, Sleep: s.Sleep}, s, func() { _ = store.Close() }
}

// read returns the texts of a place of the room.
func (s *service) read(user string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, m := range s.places[Place{"sea", user}] {
		all = append(all, m.Text)
	}
	return strings.Join(all, "|")
}

// roles returns who plays whom, and the party.
func roles(t *testing.T, b *Bot) (string, []string, state.Campaign) {
	t.Helper()
	c, err := b.Engine.Campaign(t.Context(), "sea")
	if err != nil {
		t.Fatal(err)
	}
	return c.Settings[playersKey].String(), c.State.Selected.Party, c
}

// TestGame (EX-05): users play the characters of a game folder. The calls of the model, questions, secrets
// and names use the characters. Nobody acts or reads as the character of a different user, also after a
// restart and a rollback.
func TestGame(t *testing.T) {
	flags := Flags{Store: filepath.Join(t.TempDir(), "sea.db")}
	hurt := func(who, name string) llmtest.Reply {
		return llmtest.Text(name+" slips: "+name+" loses 2 hit points.").AndCall("hp_delta", "target_character_id", who, "delta", -2, "cause", "tar")
	}
	b, s, stop := newGame(t, flags, llmtest.Text("Waves."), llmtest.Text("Gulls."), hurt("mira", "Old Mira"), llmtest.Text("The coin is warm."))
	handle(t, b, Update{ID: "1", Room: "sea", User: "mira", Name: "Ann", Text: "I look at the cargo."}, // the ID of a character, by chance
		Update{ID: "2", Room: "sea", User: "7", Name: "Bob", Text: "I wait."})
	if got, party, _ := roles(t, b); got != `{"mira":"ren","7":"mira"}` || !slices.Equal(party, []string{"ren", "mira"}) {
		t.Fatalf("%s, %q", got, party)
	}
	want := "The ferry leaves. The wind turns.|(Ann plays Ren)|Waves.\n[The crates smell of tar.]|(Bob plays Old Mira)|Gulls."
	if got := s.read(""); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if m := s.last("sea", ""); m.By != "Old Mira" || m.Line != "I wait." {
		t.Errorf("%+v", m)
	}

	handle(t, b, Update{ID: "3", Room: "sea", User: "7", Name: "Bob", Text: "I climb."})
	question := s.last("sea", "7")
	if !strings.Contains(question.Text, `"delta":-2`) || s.read("mira") != "" {
		t.Fatalf("%q", s.log)
	}
	for _, user := range []string{"mira", "eve"} { // the user with the ID of the character, and a stranger
		handle(t, b, Update{ID: "p", Room: "sea", User: user, Press: question.Buttons[0].Press})
	}
	if _, _, c := roles(t, b); c.PendingApproval == nil {
		t.Fatal("a different user has approved a call")
	}
	press(t, b, "7", "", true, question, "Agree")
	if _, _, c := roles(t, b); c.State.Characters[2].HP.Current != 4 {
		t.Errorf("%+v, %q", c.State.Characters, s.log)
	}
	handle(t, b, Update{ID: "4", User: "mira", Text: "@7 I give you the coin.", Private: true})
	stop()

	b, s, stop = newGame(t, flags, llmtest.Text("It has a hole."), llmtest.Text("It is dark."), llmtest.Text("Nothing."))
	defer stop()
	secret := Update{ID: "5", Room: "sea", User: "7", Name: "Bob", Text: "@mira @7 I look at the coin.", Private: true}
	handle(t, b, secret)
	if got := s.read("7"); got != "(no player, or more than one, is called mira)" { // a character, and a user
		t.Errorf("%q", got)
	}
	secret.ID, secret.Text = "6", "@ren I look at the coin."
	handle(t, b, secret)
	if s.last("sea", "7").Text != "It has a hole." || s.last("sea", "mira").Text != "Old Mira: I look at the coin.\n\nIt has a hole." || s.read("") != "" {
		t.Errorf("%q", s.log)
	}
	handle(t, b, Update{ID: "7", Room: "sea", User: "ferryman", Name: "Cy", Text: "I board.", Private: true})
	got, party, c := roles(t, b)
	if got != `{"mira":"ren","7":"mira","ferryman":"ferryman_"}` || !slices.Equal(party, []string{"ren", "mira", "ferryman_"}) {
		t.Fatalf("%s, %q", got, party)
	}
	if cy, _ := c.State.Character("ferryman_"); cy.Name != "Cy" || cy.AreaID != "deck" || s.read("ferryman") != "It is dark." {
		t.Errorf("%+v, %q", cy, s.log)
	}
	for user, want := range map[string]string{"mira": "I give you the coin. I look at the coin.", "7": "I give you the coin. I look at the coin.", "ferryman": "I board.", "eve": ""} {
		past, err := b.History(t.Context(), "sea", user)
		if err != nil || past[0].Text != "The ferry leaves. The wind turns." || past[1].By != "Ren" || past[1].Line != "I look at the cargo." {
			t.Errorf("%s reads %+v, %v", user, past, err)
		}
		var secrets []string
		for _, p := range past {
			if p.Private {
				secrets = append(secrets, p.Line)
			}
			if head := p.Text == "It is dark."; head != (len(p.Buttons) > 0) {
				t.Errorf("%s may press %+v", user, p)
			}
		}
		if got := strings.Join(secrets, " "); got != want {
			t.Errorf("%s reads %q", user, got)
		}
	}

	if _, err := b.Engine.Do(t.Context(), "sea", campaign.RollBack{To: state.StartTurnID}); err != nil {
		t.Fatal(err)
	}
	handle(t, b, Update{ID: "8", Room: "sea", User: "ferryman", Name: "Cy", Text: "I board again."})
	if again, party, _ := roles(t, b); again != got || !slices.Equal(party, []string{"ren", "mira", "ferryman_"}) {
		t.Errorf("after a rollback: %s, %q", again, party)
	}
}

// TestRoomFull: users who join at the same moment get different characters. If the room is closed,
// nobody joins after them.
func TestRoomFull(t *testing.T) {
	b, s, stop := newGame(t, Flags{Closed: true}, llmtest.Text("Waves."), llmtest.Text("Gulls."))
	defer stop()
	var users sync.WaitGroup
	for i := range 6 {
		users.Go(func() {
			u := Update{ID: fmt.Sprint(i), Room: "sea", User: fmt.Sprint("user", i), Text: "I come aboard."}
			if err := b.Handle(context.Background(), u); err != nil {
				t.Error(err)
			}
		})
	}
	users.Wait()
	if got, party, _ := roles(t, b); strings.Count(got, `"ren"`) != 1 || strings.Count(got, `"mira"`) != 1 || strings.Count(got, "user") != 2 || len(party) != 2 {
		t.Errorf("%s, %q", got, party)
	}
	if n := strings.Count(s.read(""), "(this room is full)"); n != 4 {
		t.Errorf("%d users are refused: %q", n, s.log)
	}
}

// TestLeave (EX-05): a player leaves with a command, in both languages. The player keeps the character,
// and joins again with a line. The last player cannot leave.
func TestLeave(t *testing.T) {
	b, s, stop := newGame(t, Flags{Store: ""}, llmtest.Text("Waves."), llmtest.Text("Gulls."), llmtest.Text("Fog."), llmtest.Text("Rain."))
	defer stop()
	handle(t, b, Update{ID: "0", Room: "sea", User: "ann", Text: "/leave"}, // there is no campaign yet
		Update{ID: "1", Room: "sea", User: "ann", Name: "Ann", Text: "I look."}, Update{ID: "2", Room: "sea", User: "bob", Name: "Bob", Text: "I wait."})
	users, all, _ := roles(t, b)
	handle(t, b, Update{ID: "3", Room: "sea", User: "bob", Text: " /离开 "})
	left, party, c := roles(t, b)
	bob := characterOf(c, "bob")
	if left != users || len(party) != len(all)-1 || c.State.InParty(bob) || !strings.Contains(s.read(""), "("+nameOf(c, bob)+" leaves; a line joins again)") {
		t.Errorf("bob has not left: %s, %q, %s", left, party, s.read(""))
	}
	handle(t, b, Update{ID: "4", Room: "sea", User: "bob", Text: "/leave"}, Update{ID: "5", Room: "sea", User: "cid", Name: "Cid", Text: "I come."})
	if users, party, c := roles(t, b); characterOf(c, "cid") == bob || slices.Contains(party, bob) {
		t.Errorf("cid plays the character of bob: %s, %q", users, party)
	}
	handle(t, b, Update{ID: "6", Room: "sea", User: "bob", Text: "I am back."})
	if _, party, c := roles(t, b); !slices.Contains(party, bob) || characterOf(c, "bob") != bob {
		t.Errorf("bob is not back: %q", party)
	}

	alone, told := newBot(t, nil, llmtest.Text("Dust."))
	handle(t, alone, Update{ID: "1", Room: "inn", User: "ann", Text: "I look."}, Update{ID: "2", Room: "inn", User: "ann", Text: "/leave@teller_bot"})
	if got := told.last("inn", "").Text; got != "(the last player cannot leave)" {
		t.Errorf("the last player: %q", got)
	}
}

// TestGameOption: a broken folder is an error with its place, and -card and -game exclude each other.
func TestGameOption(t *testing.T) {
	for _, flags := range []Flags{{Game: "testdata"}, {Game: "testdata/none"}, {Game: "testdata/ferry", Card: "x.png"}} {
		_, _, err := flags.Open(t.Context(), campaign.Config{Model: llmtest.NewScripted()})
		if err == nil || flags.Card == "" && !strings.HasPrefix(err.Error(), flags.Game+": ") {
			t.Errorf("%+v: %v", flags, err)
		}
	}
}
