package chat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// service records what is shown in each place, and refuses what the test wants.
type service struct {
	mu     sync.Mutex
	now    time.Time
	log    []string
	places map[Place][]Message
	refuse []error
}

func (s *service) Now() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now }

func (s *service) Sleep(_ context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
	s.log = append(s.log, "sleep "+d.String())
	return nil
}

func (s *service) Send(_ context.Context, p Place, m Message) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.failure(); err != nil {
		return "", err
	}
	s.places[p] = append(s.places[p], m)
	s.log = append(s.log, "send "+p.User+": "+m.Text)
	return fmt.Sprint(len(s.places[p]) - 1), nil
}

func (s *service) Edit(_ context.Context, p Place, id string, m Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.failure(); err != nil {
		return err
	}
	s.log = append(s.log, "edit "+p.User+": "+m.Text)
	var i int
	if _, err := fmt.Sscan(id, &i); err != nil || i >= len(s.places[p]) {
		return fmt.Errorf("there is no message %q", id)
	}
	s.places[p][i] = m
	return nil
}

func (s *service) failure() error {
	if len(s.refuse) == 0 {
		return nil
	}
	err := s.refuse[0]
	s.refuse = s.refuse[1:]
	if err != nil {
		s.log = append(s.log, err.Error())
	}
	return err
}

// last returns the newest message of a place.
func (s *service) last(room, user string) Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.places[Place{room, user}]
	if len(all) == 0 {
		return Message{}
	}
	return all[len(all)-1]
}

func newBot(t *testing.T, settings campaign.Settings, replies ...llmtest.Reply) (*Bot, *service) {
	t.Helper()
	engine, store, err := (&Flags{}).Open(t.Context(), campaign.Config{Model: llmtest.NewScripted(replies...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	s := &service{places: map[Place][]Message{}, now: time.Unix(0, 0)}
	return &Bot{Engine: engine, Service: s, Settings: settings, Every: time.Second, Now: s.Now, Sleep: s.Sleep}, s
}

func handle(t *testing.T, b *Bot, updates ...Update) {
	t.Helper()
	for _, u := range updates {
		if err := b.Handle(t.Context(), u); err != nil {
			t.Fatalf("%+v: %v", u, err)
		}
	}
}

func press(t *testing.T, b *Bot, user, room string, private bool, m Message, label string) {
	t.Helper()
	for _, button := range m.Buttons {
		if button.Label == label {
			if len(button.Press) > 64 {
				t.Errorf("%d bytes: %s", len(button.Press), button.Press)
			}
			u := Update{ID: "p", Room: room, User: user, Private: private, Press: button.Press, Message: "0"}
			handle(t, b, u, u) // delivered twice
			return
		}
	}
	t.Fatalf("no button %q in %+v", label, m)
}

// TestSecretsHold (EX-05): a private line, its answer, its buttons and its failures are shown only to the
// players who hear it, and the model of the others never reads it.
func TestSecretsHold(t *testing.T) {
	model := llmtest.NewScripted(llmtest.Text("Ann waves."), llmtest.Text("Bob nods."), llmtest.Text("Cy yawns."),
		llmtest.Text("The key is cold."), llmtest.Text("Cy sees a bare wall."))
	engine, store, err := (&Flags{}).Open(t.Context(), campaign.Config{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	s := &service{places: map[Place][]Message{}}
	b := &Bot{Engine: engine, Service: s, Now: s.Now, Sleep: s.Sleep}
	handle(t, b, Update{ID: "0", User: "ann", Text: "Hello?", Private: true}, // where?
		Update{ID: "1", Room: "inn", User: "ann", Name: "Ann", Text: "I wave."},
		Update{ID: "2", Room: "inn", User: "bob", Name: "Bob", Text: "I nod."},
		Update{ID: "3", Room: "inn", User: "cy", Name: "Cy", Text: "I yawn."},
		Update{ID: "4", User: "ann", Text: "@Bbo I show you the key.", Private: true},
		Update{ID: "5", User: "ann", Text: "@bob I show you the key.", Private: true},
		Update{ID: "6", User: "ann", Text: "And now?", Private: true, Press: "undo turn_0004 9 inn"},
		Update{ID: "7", User: "eve", Room: "inn", Press: "undo turn_0003 9 inn"},
		Update{ID: "8", User: "cy", Room: "inn", Press: "swipe turn_0004 9 inn"},
		Update{ID: "9", User: "eve", Room: "sea", Press: "undo turn_0004 9 inn"}) // a button of a different room
	for _, c := range []struct{ user, want string }{
		{"", "Ann waves.|Bob nods.|Cy yawns.|(only players may do this; write a line to become one)|(this is not the newest turn any more)"},
		{"ann", "(no player, or more than one, is called Bbo)|The key is cold.|Cy yawns."}, {"bob", "The key is cold."}, {"cy", ""},
	} {
		var got []string
		for _, m := range s.places[Place{"inn", c.user}] {
			got = append(got, m.Text)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q reads %q", c.user, got)
		}
	}
	if m := s.last("", "ann"); !strings.HasPrefix(m.Text, "(write in a room first") {
		t.Errorf("without a room: %+v", m)
	}
	handle(t, b, Update{ID: "9", Room: "inn", User: "cy", Text: "I look at the wall."})
	requests := model.Requests()
	for i, want := range map[int]bool{3: true, 4: false} {
		if got := strings.Contains(fmt.Sprint(requests[i].Messages), "show you the key"); got != want {
			t.Errorf("request %d has the secret: %v", i, got)
		}
	}
}

// TestOneEditASecond: the text is edited at most once a second while it is written. A service that
// refuses is asked again when it wants, and the last text is always shown.
func TestOneEditASecond(t *testing.T) {
	long := llmtest.Text("one two three four")
	long.Piece = 4
	b, s := newBot(t, nil, long)
	s.refuse = []error{nil, &Wait{For: 7 * time.Second}}
	handle(t, b, Update{ID: "1", Room: "inn", User: "ann", Name: "Ann", Text: "Count."})
	want := []string{"send : one", "sleep 1s", (&Wait{7 * time.Second}).Error(), "sleep 7s", "edit : one two three four"}
	if !slices.Equal(s.log, want) {
		t.Errorf("%q", s.log)
	}
	if m := s.last("inn", ""); len(m.Buttons) != 5 {
		t.Errorf("%+v", m)
	}
}

// TestDelivery: an update that is delivered twice is played once and shown once. A service that
// fails gets the answer with the next delivery.
func TestDelivery(t *testing.T) {
	b, s := newBot(t, nil, llmtest.Text("Rain."), llmtest.Text("Sun."))
	b.Every = 0
	line := Update{ID: "1", Room: "inn", User: "ann", Text: "The weather?"}
	handle(t, b, line, line)
	broken := errors.New("the service is down")
	s.refuse = []error{broken, broken} // while the text is written, and at its end
	line.ID = "2"
	if err := b.Handle(t.Context(), line); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	handle(t, b, line, line)
	if got := fmt.Sprint(s.log); got != "[send : Rain. edit : Rain. the service is down the service is down send : Sun.]" {
		t.Error(got)
	}
}

// TestDeliveredLate: an update that is delivered again is shown once, also if an answer to a later
// line was shown in between, and if several deliveries come at the same moment.
func TestDeliveredLate(t *testing.T) {
	b, s := newBot(t, nil, llmtest.Text("Rain."), llmtest.Text("Sun."), llmtest.Text("Hail."))
	b.Every = 0
	line := func(id string) Update { return Update{ID: id, Room: "inn", User: "ann", Text: "The weather?"} }
	handle(t, b, line("1"), line("2"), line("1"))
	var deliveries sync.WaitGroup
	for range 8 {
		deliveries.Go(func() {
			if err := b.Handle(t.Context(), line("3")); err != nil {
				t.Error(err)
			}
		})
	}
	deliveries.Wait()
	var shown []string
	for _, m := range s.places[Place{Room: "inn"}] {
		shown = append(shown, m.Text)
	}
	if !slices.Equal(shown, []string{"Rain.", "Sun.", "Hail."}) {
		t.Errorf("%q", shown)
	}
}

// TestButtons: swipe, the answers before and after, undo and branches act once for each press.
// Buttons below older turns do nothing.
func TestButtons(t *testing.T) {
	b, s := newBot(t, nil, llmtest.Text("A gull."), llmtest.Text("A crow."), llmtest.Text("It is late."), llmtest.Text("Noon."))
	b.Every = 0
	handle(t, b, Update{ID: "1", Room: "inn", User: "ann", Text: "I look up."})
	first := s.last("inn", "")
	press(t, b, "ann", "inn", false, first, "Other answer")
	crow := s.last("inn", "")
	press(t, b, "ann", "inn", false, crow, "◀")
	gull := s.places[Place{"inn", ""}][0]
	press(t, b, "ann", "inn", false, gull, "▶")
	again := s.places[Place{"inn", ""}][0]
	if crow.Text != "A crow." || gull.Text != "A gull." || again.Text != "A crow." {
		t.Errorf("%q, %q, %q", crow.Text, gull.Text, again.Text)
	}
	handle(t, b, Update{ID: "2", Room: "inn", User: "ann", Text: "I wait."})
	late := s.last("inn", "")
	press(t, b, "ann", "inn", false, first, "Undo")
	if m := s.last("inn", ""); m.Text != "(this is not the newest turn any more)" {
		t.Errorf("%+v", m)
	}
	press(t, b, "ann", "inn", false, late, "Undo")
	if m := s.places[Place{"inn", ""}][0]; m.Text != "A crow." {
		t.Errorf("after undo: %+v", m)
	}
	handle(t, b, Update{ID: "3", Room: "inn", User: "ann", Text: "I look at the clock."})
	press(t, b, "ann", "inn", false, s.last("inn", ""), "Branches")
	branches := s.last("inn", "")
	if len(branches.Buttons) != 2 || !strings.HasSuffix(branches.Buttons[0].Label, "(here)") {
		t.Fatalf("%+v", branches)
	}
	press(t, b, "ann", "inn", false, branches, branches.Buttons[1].Label)
	if c, err := b.Engine.Campaign(t.Context(), "inn"); err != nil || c.State.HeadTurnID != "turn_0003" {
		t.Errorf("on the other branch: %s, %v", c.State.HeadTurnID, err)
	}
	handle(t, b, Update{ID: "x", Room: "inn", User: "ann", Press: "\x00"}, Update{ID: "y", User: "ann", Press: "undo turn_0001 1 ship"})
}

// TestApproval: only the acting player is asked, and only this player can answer.
func TestApproval(t *testing.T) {
	hurt := llmtest.Text("You are hurt: you lose 2 hit points.").AndCall("hp_delta", "target_character_id", "ann", "delta", -2, "cause", "glass")
	b, s := newBot(t, campaign.Settings{"tools.approval": tree.Text("all")}, hurt, hurt, llmtest.Text("Nothing happens."))
	handle(t, b, Update{ID: "1", Room: "inn", User: "ann", Name: "Ann", Text: "I break the window."})
	question := s.last("inn", "ann")
	if !strings.Contains(question.Text, `"delta":-2`) || s.last("inn", "").Text != "(waiting for the decision of the player)" {
		t.Fatalf("%+v, %+v", question, s.last("inn", ""))
	}
	handle(t, b, Update{ID: "p", Room: "inn", User: "bob", Press: question.Buttons[0].Press})
	press(t, b, "ann", "", true, question, "Agree")
	if m := s.last("inn", ""); !strings.HasPrefix(m.Text, "You are hurt") {
		t.Errorf("%q", s.log)
	}
	if c, err := b.Engine.Campaign(t.Context(), "inn"); err != nil || c.State.Characters[0].HP.Current != 8 {
		t.Errorf("%+v, %v", c.State.Characters, err)
	}
	handle(t, b, Update{ID: "2", Room: "inn", User: "ann", Text: "Once more."})
	press(t, b, "ann", "", true, s.last("inn", "ann"), "Refuse")
	if c, err := b.Engine.Campaign(t.Context(), "inn"); err != nil || c.State.Characters[0].HP.Current != 8 || c.State.TurnCount != 2 {
		t.Errorf("%+v, %v, %q", c.State, err, s.log)
	}
}

// TestConflict: the acting player decides about a contradiction. A press that answers a different
// question does nothing.
func TestConflict(t *testing.T) {
	wrong := llmtest.Text("You lose 2 hit points.")
	b, s := newBot(t, campaign.Settings{"retry.max_retries": tree.Int(0), "conflict.intercept_output": tree.Bool(true)}, wrong, llmtest.Text("You are fine."))
	handle(t, b, Update{ID: "1", Room: "inn", User: "ann", Name: "Ann", Text: "I break the window."})
	question := s.last("inn", "ann")
	if !strings.HasPrefix(question.Text, "The story contradicts") || s.last("inn", "").Text != "(waiting for the decision of the player)" {
		t.Fatalf("%q", s.log)
	}
	handle(t, b, Update{ID: "2", Room: "inn", User: "ann", Press: "agree q 1 inn"}, Update{ID: "3", Room: "inn", User: "ann", Press: "deny q 1 inn"})
	press(t, b, "ann", "", true, question, "retry")
	if m := s.last("inn", ""); m.Text != "You are fine." {
		t.Errorf("%q", s.log)
	}
}

// TestSplit: a long text continues in more messages, and characters stay whole.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 5, "…"}, {"abcdef", 0, "abcdef"}, {"abcdef", 4, "abcd|ef"}, {"abc def", 5, "abc|def"}, {"a bcdef", 5, "a bcd|ef"},
		{"龍龍龍", 2, "龍龍|龍"}, {"😀😀", 3, "😀|😀"}, {"ab\ncd ", 5, "ab\ncd"},
	} {
		if got := strings.Join(split(c.text, c.limit), "|"); got != c.want {
			t.Errorf("split(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
	long := strings.Repeat("word ", 10)
	b, s := newBot(t, nil, llmtest.Text(long))
	b.Limit = 20
	handle(t, b, Update{ID: "1", Room: "inn", User: "ann", Text: "Talk."})
	all := s.places[Place{"inn", ""}]
	if len(all) != 3 || len(all[0].Buttons) != 0 || len(all[2].Buttons) != 5 {
		t.Errorf("%+v", all)
	}
}

// TestCard (EX-05): a new campaign plays the card of the options. Its greeting names the first player, who
// has the place of the card's player, and a second player joins. The model reads the card and its lore.
func TestCard(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	model := llmtest.NewScripted(llmtest.Text("Sabel pours."), llmtest.Text("Sabel nods."))
	flags := &Flags{Card: file("sabel.json", `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Sabel",
		"description": "Keeps the inn.", "first_mes": "Sabel looks up. \"Welcome, {{user}}.\"",
		"character_book": {"entries": [{"keys": ["cellar"], "content": "An iron door leads to the mine.", "enabled": true, "insertion_order": 1, "extensions": {}}]}}}`)}
	engine, store, err := flags.Open(t.Context(), campaign.Config{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	s := &service{places: map[Place][]Message{}}
	b := &Bot{Engine: engine, Service: s, Begin: flags.Begin, Now: s.Now, Sleep: s.Sleep}
	handle(t, b, Update{ID: "1", Room: "inn", User: "ann", Name: "Ann", Text: "What is in the cellar?"},
		Update{ID: "2", Room: "inn", User: "bob", Name: "Bob", Text: "I listen."})
	var got []string
	for _, m := range s.places[Place{"inn", ""}] {
		got = append(got, m.Text)
	}
	if want := []string{`Sabel looks up. "Welcome, Ann."`, "Sabel pours.", "Sabel nods."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	asked := fmt.Sprint(model.Requests()[0].Messages)
	for _, want := range []string{"Keeps the inn.", "An iron door leads to the mine.", "Welcome, Ann."} {
		if !strings.Contains(asked, want) {
			t.Errorf("the model does not read %q:\n%s", want, asked)
		}
	}
	now, err := engine.Campaign(t.Context(), "inn")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range now.State.Characters {
		names = append(names, c.ID+" "+c.Name)
	}
	if want := []string{"ann Ann", "bob Bob"}; !slices.Equal(names, want) {
		t.Errorf("the characters are %q, want %q", names, want)
	}

	name := "x\", \"gold\": 9, \"y\": \"{{setvar::q::1}}" // the name of a user is no code
	flags.file = []byte(`{"spec": "chara_card_v2", "data": {"name": "Sabel", "first_mes": "{{user}}", "character_book": {"entries": [
		{"keys": [], "comment": "[initvar]", "content": "{\"who\": \"{{user}}\", \"gold\": 5}", "enabled": false, "extensions": {}}]}}}`)
	hostile := flags.Begin(name)
	if data := hostile.Variables.Root().Get("stat_data"); data.Get("gold").String() != "5" || data.Get("who").String() != tree.Text(name).String() || hostile.Greeting != name {
		t.Errorf("a name changes the campaign: %s, %s", data, hostile.Greeting)
	}

	inYAML := &Flags{Card: file("sabel.yaml", "spec: chara_card_v2\ndata:\n  name: Sabel\n  first_mes: Welcome, {{user}}.\n")}
	_, store, err = inYAML.Open(t.Context(), campaign.Config{Model: model})
	if err != nil || inYAML.Begin("Ann").Greeting != "Welcome, Ann." {
		t.Errorf("a card in YAML: %v", err)
	}
	_ = store.Close()

	book := &Flags{Card: file("town.json", `{"entries": {"0": {"uid": 0, "key": ["mill"], "content": "It creaks.", "position": 0}}}`)}
	_, store, err = book.Open(t.Context(), campaign.Config{Model: model})
	if err != nil || len(book.Begin("Ann").Characters) != 1 {
		t.Errorf("a book: %v", err)
	}
	_ = store.Close()
	for _, wrong := range []string{file("broken.json", `{"spec": `), filepath.Join(dir, "none.png")} {
		if _, _, err := (&Flags{Card: wrong}).Open(t.Context(), campaign.Config{Model: model}); err == nil {
			t.Errorf("%s is played", wrong)
		}
	}
}

// TestChineseSentences: every sentence of the bot has a translation with the same parts, and a Chinese
// game uses them.
func TestChineseSentences(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"retry": true, "accept text": true, "discard": true} // decisions
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?:\.in|\bbutton)\("([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
		}
	}
	for english := range used {
		if there := chinese[english]; there == "" && strings.ContainsAny(english, "abcdefghijklmnopqrstuvwxyz") || strings.Count(there, "%s") != strings.Count(english, "%s") {
			t.Errorf("%q is %q in Chinese", english, there)
		}
	}
	for english := range chinese {
		if !used[english] {
			t.Errorf("no bot says %q", english)
		}
	}

	content := campaign.Content{Extensions: campaign.Extensions{Texts: new(game.Chinese())}}
	g, problems := campaign.Compile(content)
	engine, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted(llmtest.Text("门开了。"))})
	if err := errors.Join(problems.Err(), err); err != nil {
		t.Fatal(err)
	}
	s := &service{places: map[Place][]Message{}}
	b := &Bot{Engine: engine, Service: s, Now: s.Now, Sleep: s.Sleep}
	handle(t, b, Update{ID: "1", Room: "inn", User: "ann", Name: "安", Text: "我敲门。"}, Update{ID: "2", User: "bob", Text: "你好。"})
	var labels []string
	for _, button := range s.last("inn", "").Buttons {
		labels = append(labels, button.Label)
	}
	if got := strings.Join(labels, " "); got != "换个回答 ◀ ▶ 撤回 分支" {
		t.Errorf("the buttons are %s", got)
	}
	if got := s.last("", "bob").Text; !strings.HasPrefix(got, "（请先在一个房间里") {
		t.Errorf("a private line without a room: %s", got)
	}
}
