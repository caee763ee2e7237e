package imports_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

func lighthouse(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/lighthouse.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, data []byte) imports.ChatFile {
	t.Helper()
	f, problems := imports.ParseChat(data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return f
}

// begin returns a campaign that continues a chat, with a model that answers with the texts.
func begin(t testing.TB, f imports.ChatFile, texts ...string) *campaign.Engine {
	t.Helper()
	return beginWith(t, f, nil, texts...)
}

func beginWith(t testing.TB, f imports.ChatFile, settings setting.Snapshot, texts ...string) *campaign.Engine {
	t.Helper()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var replies []llmtest.Reply
	for _, text := range texts {
		replies = append(replies, llmtest.Text(text))
	}
	e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(replies...),
		Now: func() time.Time { return time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	setup := state.Setup{ID: "chat", Settings: settings, Characters: []state.Character{{ID: "mara", Name: "Mara"}, {ID: "orin", Name: "Orin"}}}
	f.AddTo(&setup)
	if _, err := e.Create(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	return e
}

// written returns the campaign as a chat.
func written(t testing.TB, e *campaign.Engine) []byte {
	t.Helper()
	c, err := e.Campaign(t.Context(), "chat")
	if err != nil {
		t.Fatal(err)
	}
	return imports.ChatOf(c, c.BranchTurns(), imports.ChatNames{User: "Mara", Character: "Orin"}).Encode()
}

// TestNothingIsLost: a chat that becomes a campaign and a chat again is the same, byte for byte,
// including unknown members.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	data := lighthouse(t)
	if got := parse(t, data).Encode(); string(got) != string(data) {
		t.Error(cmp.Diff(string(data), string(got)))
	}
	if got := written(t, begin(t, parse(t, data))); string(got) != string(data) {
		t.Error(cmp.Diff(string(data), string(got)))
	}
}

// TestNamesOfAChat: a new name is written into the header, beside the unchanged members of the file.
func TestNamesOfAChat(t *testing.T) {
	t.Parallel()
	const head = `{"user_name":"Ann","create_date":"2026-1-2","character_name":"Osk","chat_metadata":{"note":1}}`
	for _, c := range []struct{ user, character, want string }{
		{"Ann", "Osk", head},
		{"Mei", "Osk", `{"user_name":"Mei","create_date":"2026-1-2","character_name":"Osk","chat_metadata":{"note":1}}`},
		{"Ann", "守塔人", `{"user_name":"Ann","create_date":"2026-1-2","character_name":"守塔人","chat_metadata":{"note":1}}`},
	} {
		f := parse(t, []byte(head+"\n"))
		f.UserName, f.CharacterName = c.user, c.character
		if got := strings.TrimSpace(string(f.Encode())); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	for _, header := range []string{`{"user_name":"Ann"}`, `{"character_name":"Osk"}`, `{"chat_metadata":{}}`} {
		if got := strings.TrimSpace(string(parse(t, []byte(header+"\n")).Encode())); got != header {
			t.Errorf("got %s, want %s", got, header)
		}
	}
}

// swiped returns a chat whose answer has n swipes. The first is chosen.
func swiped(n int) []byte {
	swipes := make([]string, n)
	for i := range swipes {
		swipes[i] = fmt.Sprintf("Answer %d.", i)
	}
	list, _ := json.Marshal(swipes) // texts never fail
	return []byte(`{"user_name":"Mara","character_name":"Orin","chat_metadata":{}}` + "\n" +
		`{"name":"Mara","is_user":true,"is_system":false,"mes":"Well?","extra":{}}` + "\n" +
		fmt.Sprintf(`{"name":"Orin","is_user":false,"is_system":false,"mes":"Answer 0.","extra":{},"swipes":%s,"swipe_id":0}`+"\n", list))
}

// TestManySwipes: a campaign keeps the last answers, and the written chat has all of them. The cost
// is linear in their number.
func TestManySwipes(t *testing.T) {
	t.Parallel()
	data := swiped(2000)
	e := begin(t, parse(t, data), "A new one.")
	c, err := e.Campaign(t.Context(), "chat")
	if err != nil || c.TurnCounter > 101 || len(c.Answers()) != 10 {
		t.Fatalf("%d turns, %d answers, %v", c.TurnCounter, len(c.Answers()), err)
	}
	if got := written(t, e); string(got) != string(data) {
		t.Error("written again it is another chat")
	}
	if _, err := e.Do(t.Context(), "chat", turn.Choose{TurnID: c.Answers()[0]}); err != nil {
		t.Fatal(err)
	}
	m := parse(t, written(t, e)).Messages[1]
	if m.Text != "Answer 1991." || m.Swipe != 1991 || len(m.Swipes) != 2000 {
		t.Errorf("after a choice: %q, %d of %d", m.Text, m.Swipe, len(m.Swipes))
	}
	if _, err := e.Do(t.Context(), "chat", turn.Regenerate{}); err != nil {
		t.Fatal(err)
	}
	m = parse(t, written(t, e)).Messages[1]
	if m.Text != "A new one." || m.Swipe != 2000 || len(m.Swipes) != 2001 || m.Swipes[1999] != "Answer 1999." {
		t.Errorf("after another answer: %q, %d of %d", m.Text, m.Swipe, len(m.Swipes))
	}
}

// TestChatGoesOn: the history is in the prompt, and the last answer's swipes can be chosen. A new
// answer and a new turn follow, and the written chat has all of it.
func TestChatGoesOn(t *testing.T) {
	t.Parallel()
	e := begin(t, parse(t, lighthouse(t)), "A light, far out.", "She turns at the last moment.")
	c, err := e.Campaign(t.Context(), "chat")
	if err != nil {
		t.Fatal(err)
	}
	if c.State.Greeting != "The lamp has gone out." || c.State.TurnCount != 2 || len(c.Answers()) != 3 {
		t.Fatalf("greeting %q, %d turns, answers %v", c.State.Greeting, c.State.TurnCount, c.Answers())
	}
	if _, err := e.Do(t.Context(), "chat", turn.Choose{TurnID: c.Answers()[0]}); err != nil {
		t.Fatal(err)
	}
	f := parse(t, written(t, e))
	last := f.Messages[len(f.Messages)-1]
	if last.Text != "Nothing but grey." || last.Swipes[last.Swipe] != last.Text || len(last.Swipes) != 3 {
		t.Errorf("after a choice: %+v", last)
	}
	if _, err := e.Do(t.Context(), "chat", turn.Regenerate{}); err != nil {
		t.Fatal(err)
	}
	f = parse(t, written(t, e))
	last = f.Messages[len(f.Messages)-1]
	if want := []string{"Nothing but grey.", "A whale!", "A ship, close to the rocks.", "A light, far out."}; last.Text != want[3] ||
		!slices.Equal(slices.Sorted(slices.Values(last.Swipes)), slices.Sorted(slices.Values(want))) {
		t.Errorf("after another answer: %+v", last)
	}
	if o, err := e.Turn(t.Context(), "chat", turn.Submit{ActorID: "mara", Text: "I ring the bell."}); err != nil || o.Err() != nil {
		t.Fatal(err, o.Err())
	}
	f = parse(t, written(t, e))
	var lines []string
	for _, m := range f.Messages {
		lines = append(lines, fmt.Sprintf("%s: %s", m.Name, m.Text))
	}
	want := []string{"Orin: The lamp has gone out.", "Mara: 我点亮灯。", "Orin: It burns, but weakly.",
		"SillyTavern System: Chat backed up.", "Mara: I look out to the sea.", "Orin: A light, far out.",
		"Mara: I ring the bell.", "Orin: She turns at the last moment."}
	if d := cmp.Diff(want, lines); d != "" {
		t.Error(d)
	}
	again, err := e.Rebuild(t.Context(), "chat")
	if c, err2 := e.Campaign(t.Context(), "chat"); err != nil || err2 != nil || turn.Same(again, c) != nil {
		t.Error(err, err2, turn.Same(again, c))
	}
}

// TestLongChatIsWrittenWhole: the head holds only the end of a long chat. Written from the pages of
// its history, it is the same, byte for byte. It can be forked after turns that were played here;
// an earlier fork is refused with the reason (ST-11, CA-51).
func TestLongChatIsWrittenWhole(t *testing.T) {
	t.Parallel()
	data := `{"user_name":"Mara","character_name":"Orin","chat_metadata":{}}` + "\n"
	for i := range 80 {
		data += fmt.Sprintf(`{"name":"Mara","is_user":true,"is_system":false,"mes":"第%d句","extra":{"n":%d}}`+"\n", i, i)
		data += fmt.Sprintf(`{"name":"Orin","is_user":false,"is_system":false,"mes":"答%d","extra":{},"swipes":["答%d","或%d"],"swipe_id":0}`+"\n", i, i, i)
	}
	e := beginWith(t, parse(t, []byte(data)), setting.Snapshot{
		"context.full_context_enabled": tree.Bool(false), "context.recent_turns": tree.Int(2)}, "A light, far out.")
	c, err := e.Campaign(t.Context(), "chat")
	if err != nil {
		t.Fatal(err)
	}
	var turns []state.Turn
	for one, err := range e.History(t.Context(), "chat", state.HistoryPage{}) {
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, one.Turn)
	}
	slices.Reverse(turns)
	if len(turns) != 80 || len(c.BranchTurns()) > 20 {
		t.Fatalf("%d turns, of which %d are held", len(turns), len(c.BranchTurns()))
	}
	if got := imports.ChatOf(c, turns, imports.ChatNames{User: "Mara", Character: "Orin"}).Encode(); string(got) != data {
		t.Error(cmp.Diff(data, string(got)))
	}
	if o, err := e.Turn(t.Context(), "chat", turn.Submit{ActorID: "mara", Text: "我敲钟。"}); err != nil || o.Err() != nil {
		t.Fatal(err, o.Err())
	}
	if c, err = e.Campaign(t.Context(), "chat"); err != nil {
		t.Fatal(err)
	}
	if fork, err := e.Fork(t.Context(), "chat", c.State.HeadTurnID, "fork"); err != nil || fork.State.TurnCount != 81 {
		t.Errorf("a fork has %d turns, %v", fork.State.TurnCount, err)
	}
	_, err = e.Fork(t.Context(), "chat", "turn_0040", "early")
	if refused, is := errors.AsType[*state.Refusal](err); !is || refused.Code != state.CheckpointNotFound || !strings.Contains(refused.Detail, "began with that turn") {
		t.Errorf("a fork at a turn of the chat: %v", err)
	}
}

// TestTurnsOfChats has a row for each order of messages.
func TestTurnsOfChats(t *testing.T) {
	t.Parallel()
	m := func(name, text string) imports.ChatMessage {
		return imports.ChatMessage{Name: name, User: name == "Mara", Hidden: name == "sys", Text: text}
	}
	for _, c := range []struct {
		reason   string
		messages []imports.ChatMessage
		want     string
	}{
		{"nothing", nil, ""},
		{"a greeting alone", []imports.ChatMessage{m("Orin", "Hail.")}, "greeting Hail."},
		{"no greeting", []imports.ChatMessage{m("Mara", "a"), m("Orin", "b")}, "[a > b]"},
		{"what is hidden stands nowhere", []imports.ChatMessage{m("sys", "x"), m("Orin", "Hail."), m("sys", "y"), m("Mara", "a"), m("sys", "z"), m("Orin", "b")},
			"greeting Hail. [a > b]"},
		{"two openings: the second is a turn", []imports.ChatMessage{m("Orin", "Hail."), m("Orin", "Well?"), m("Mara", "a")}, "greeting Hail. [ > Well?] [a > ]"},
		{"two lines: the first has no answer", []imports.ChatMessage{m("Mara", "a"), m("Mara", "b"), m("Orin", "c")}, "[a > ] [b > c]"},
		{"one who speaks twice", []imports.ChatMessage{m("Mara", "a"), m("Orin", "b"), m("Orin", "c")}, "[a > b\n\nc]"},
		{"a hidden line of the player is no line", []imports.ChatMessage{m("Mara", "a"), {Name: "Mara", User: true, Hidden: true, Text: "x"}, m("Orin", "b")}, "[a > b]"},
		{"several speak, by their ids; who is nobody by the name", []imports.ChatMessage{m("Mara", "a"), m("Orin", "b"), m("Ghost", "c")},
			"[a > b\n\nc orin:b Ghost:c]"},
	} {
		setup := state.Setup{GreetingID: "0", Characters: []state.Character{{ID: "mara", Name: "Mara"}, {ID: "orin", Name: "Orin"}}}
		imports.ChatFile{Messages: c.messages}.AddTo(&setup)
		// A chat that begins with the player's line does not get the card's greeting.
		if want := setup.Greeting == "" && len(setup.Turns) > 0; (setup.GreetingID == "") != want {
			t.Errorf("%s: greeting id %q", c.reason, setup.GreetingID)
		}
		var got []string
		if setup.Greeting != "" {
			got = append(got, "greeting "+setup.Greeting)
		}
		for _, t := range setup.Turns {
			line := t.UserInput + " > " + t.Text
			for _, r := range t.Replies {
				line += " " + r.Speaker + ":" + r.Text
			}
			got = append(got, "["+line+"]")
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.reason, s, c.want)
		}
	}
}

// TestSwipesOfACast: each swipe of the last answer is an alternative with a reply of the same speaker.
func TestSwipesOfACast(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	setup := state.Setup{Characters: []state.Character{{ID: "mara", Name: "Mara"}, {ID: "orin", Name: "Orin"}, {ID: "sella", Name: "Sella"}}}
	imports.ChatFile{Messages: []imports.ChatMessage{{Name: "Sella", Text: "Hail."}, {Name: "Mara", User: true, Text: "Well?"},
		{Name: "Orin", Text: "Yes.", Sent: sent, Swipes: []string{"No.", "Yes.", "Perhaps."}, Swipe: 1}}}.AddTo(&setup)
	var got []string
	for _, one := range setup.Turns {
		line := fmt.Sprintf("%s %s %s", one.ActorID, one.UserInput, one.Text)
		for _, r := range one.Replies {
			line += fmt.Sprintf(" [%s %s]", r.Speaker, r.Text)
		}
		got = append(got, line+fmt.Sprintf(" %q %t %t", one.AlternativeOf, one.Timestamp.Equal(sent), one.Extra != nil))
	}
	both := state.Setup{Selected: state.Selected{ActorID: "sella"}, Characters: setup.Characters}
	imports.ChatFile{Messages: []imports.ChatMessage{{Name: "Mara", User: true, Text: "Well?"}, {Name: "Orin", Text: "Hm."},
		{Name: "Sella", Text: "Yes.", Swipes: []string{"No.", "Yes."}, Swipe: 1}}}.AddTo(&both)
	if len(both.Turns) != 1 || both.Turns[0].ActorID != "sella" {
		t.Errorf("an answer of two speakers has no alternatives, and the setup's actor asks: %+v", both.Turns)
	}
	want := []string{`mara Well? No. [orin No.] "" true false`, `mara Well? Perhaps. [orin Perhaps.] "again" true false`,
		`mara Well? Yes. [orin Yes.] "again" true true`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestRepliesOfACastAreMessages: each reply is a message with the name of its speaker. A changed reply
// replaces the message that the turn was read from.
func TestRepliesOfACastAreMessages(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	setup := state.Setup{Characters: []state.Character{{ID: "mara", Name: "Mara"}, {ID: "orin", Name: "Orin"}}}
	imports.ChatFile{Messages: []imports.ChatMessage{{Name: "Mara", User: true, Text: "a"}, {Name: "Orin", Text: "b"}, {Name: "Ghost", Text: "c"}}}.AddTo(&setup)
	read := setup.Turns[0]
	merged := read
	merged.Replies = read.Replies[:1]
	lines := func(turns ...state.Turn) (out []string) {
		c := state.Campaign{CreatedAt: at, State: state.State{Characters: setup.Characters}}
		for _, m := range imports.ChatOf(c, turns, imports.ChatNames{User: "You", Character: "Teller"}).Messages {
			out = append(out, fmt.Sprintf("%s %t %s %t", m.Name, m.User, m.Text, m.Sent.Equal(at)))
		}
		return out
	}
	for _, c := range []struct {
		name string
		turn state.Turn
		want []string
	}{
		{"played", state.Turn{ActorID: "mara", UserInput: "a", Text: "b c", Timestamp: at, Replies: []state.Reply{{Speaker: "orin", Text: "b"}, {Speaker: "Ghost", Text: "c"}}},
			[]string{"Mara true a true", "Orin false b true", "Ghost false c true"}},
		{"played by nobody", state.Turn{ActorID: "x", UserInput: "a", Text: "b", Timestamp: at}, []string{"You true a true", "Teller false b true"}},
		{"without an answer", state.Turn{ActorID: "mara", UserInput: "a", Timestamp: at}, []string{"Mara true a true"}},
		{"read", read, []string{"Mara true a false", "Orin false b false", "Ghost false c false"}},
		{"read, with fewer replies", merged, []string{"Mara true a false", "Orin false b false"}},
	} {
		if d := cmp.Diff(c.want, lines(c.turn)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestPrivateTurnsStayPrivate: a chat says who hears a message. Its turns have the same audience in the
// campaign that continues it, also if the private line has no text of the player or is the first one.
func TestPrivateTurnsStayPrivate(t *testing.T) {
	t.Parallel()
	private := []string{"orin", "mara"}
	c := state.Campaign{State: state.State{Characters: []state.Character{{ID: "mara", Name: "Mara"}, {ID: "orin", Name: "Orin"}}}}
	turns := []state.Turn{
		{ActorID: "mara", Text: "A shadow winks.", Audience: private},
		{ActorID: "mara", UserInput: "Good evening.", Text: "Evening."},
		{ActorID: "mara", Text: "Orin whispers a name.", Audience: private},
		{ActorID: "mara", UserInput: "Who?", Text: "Not here.", Audience: []string{"mara"}},
		{ActorID: "mara", UserInput: "Well.", Text: "Well."},
	}
	file := imports.ChatOf(c, turns, imports.ChatNames{User: "Mara", Character: "Orin"}).Encode()
	if want := `"extra":{"talewright":{"audience":["orin","mara"]}}`; strings.Count(string(file), want) != 2 || strings.Count(string(file), "audience") != 4 {
		t.Errorf("no mark %s in\n%s", want, file)
	}
	engine := begin(t, parse(t, file))
	again, err := engine.Campaign(t.Context(), "chat")
	if err != nil {
		t.Fatal(err)
	}
	var got []state.Turn
	for _, one := range again.BranchTurns() {
		got = append(got, state.Turn{ActorID: "mara", UserInput: one.UserInput, Text: one.Text, Audience: one.Audience})
	}
	if diff := cmp.Diff(turns, got); diff != "" || again.State.Greeting != "" {
		t.Errorf("greeting %q, turns %s", again.State.Greeting, diff)
	}
	if back := written(t, engine); string(back) != string(file) {
		t.Error(cmp.Diff(string(file), string(back)))
	}
	parsed := parse(t, file)
	parsed.Messages[0].Audience = nil
	if line := string(parsed.Encode()); strings.Count(line, "audience") != 3 {
		t.Errorf("the mark that was taken away is still in\n%s", line)
	}
}

// TestMistakesOfChats: each is reported with its line, and the rest is read.
func TestMistakesOfChats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, file string
		messages     int
		problems     string
	}{
		{"no file", "", 0, "not_a_chat"},
		{"another file", "a,b\n1,2\n", 0, "1 unreadable 2 unreadable not_a_chat"},
		{"a card", `{"name":"Orin","description":"d","first_mes":"a"}`, 0, "1 unreadable not_a_chat"},
		{"a header of a group", `{"chat_metadata":{}}`, 0, ""},
		{"bytes that are not UTF-8", "{\"mes\":\"a\xff\"}", 1, "bad_text"},
		{"no header", `{"name":"Orin","mes":"a"}`, 1, ""},
		{"a line that is cut", "{\"user_name\":\"u\"}\n{\"name\":\"Orin\",\"mes\":\"a\"}\n{\"name\":\"Or", 1, "3 unreadable"},
		{"a line that is a number", "{\"user_name\":\"u\"}\n5\n{\"mes\":\"a\"}", 1, "2 unreadable"},
		{"blank lines and other ends of lines", "\ufeff{\"user_name\":\"u\"}\r\n\r\n{\"mes\":\"a\"}\r\n", 1, ""},
		{"a member twice", `{"name":"A","name":"Orin","mes":"a","extra":{"x":1,"x":2}}`, 1, "1 duplicate"},
		{"a comma too many", `{"name":"Orin","mes":"a",}`, 1, "1 mended_json"},
		{"types", `{"mes":5,"name":{},"is_user":"yes","swipes":"a"}`, 1, "1.name wrong_type 1.is_user wrong_type 1.mes wrong_type 1.swipes wrong_type"},
		{"a swipe that is not there", `{"mes":"a","swipes":["b"],"swipe_id":7}`, 1, "1.swipe_id no_such_swipe"},
		{"a swipe that says something else", `{"mes":"a","swipes":["b","a"],"swipe_id":0}`, 1, "1.swipe_id no_such_swipe"},
	} {
		f, problems := imports.ParseChat([]byte(c.file))
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimSpace(p.Path+" "+string(p.Code)))
		}
		if s := strings.Join(got, " "); s != c.problems || len(f.Messages) != c.messages {
			t.Errorf("%s: %d messages, problems %q, want %q", c.reason, len(f.Messages), s, c.problems)
		}
		if (problems.Err() != nil) != strings.Contains(c.problems, "not_a_chat") {
			t.Errorf("%s: %v", c.reason, problems.Err())
		}
		if again, _ := imports.ParseChat(f.Encode()); len(again.Messages) != len(f.Messages) {
			t.Errorf("%s: written, it has %d messages", c.reason, len(again.Messages))
		}
	}
	var problem talewright.Problem
	_, problems := imports.ParseChat([]byte(`{"mes":"a","swipes":["b"],"swipe_id":7}`))
	if problem = problems[0]; problem.Severity != talewright.Warning {
		t.Errorf("%v", problem)
	}
}

// TestDatesOfChats: each format that SillyTavern has written is read; other texts are not dates.
func TestDatesOfChats(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 15, 6, 7, 0, time.UTC)
	for _, c := range []struct {
		date string
		want time.Time
	}{
		{`"2026-03-04T15:06:07.000Z"`, at},
		{`"2026-03-04T16:06:07+01:00"`, at},
		{`"2026-3-4@15h6m7s"`, at},
		{`"2026-03-04@15h06m07s"`, at},
		{`"2026-3-4 @15h 6m 7s 89ms"`, at},
		{`"March 4, 2026 3:06pm"`, at.Truncate(time.Minute)},
		{`"March 4, 2026 3:06PM"`, at.Truncate(time.Minute)},
		{fmt.Sprint(at.UnixMilli()), at},
		{`"yesterday"`, time.Time{}},
		{`-5`, time.Time{}},
		{`1e300`, time.Time{}},
		{`null`, time.Time{}},
	} {
		f, _ := imports.ParseChat([]byte(`{"mes":"a","send_date":` + c.date + `}`))
		if got := f.Messages[0].Sent; !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", c.date, got, c.want)
		}
	}
}

// FuzzParse: a chat that can be read is written to a file that reads the same, and begins a
// campaign.
func FuzzParse(f *testing.F) {
	f.Add(string(lighthouse(f)))
	f.Add("{\"mes\":\"a\",\"swipes\":[\"b\"],\"swipe_id\":1e9}\n{\"is_user\":true,\"mes\":\"\\ud800\"}")
	f.Fuzz(func(t *testing.T, text string) {
		file, problems := imports.ParseChat([]byte(text))
		if problems.Err() != nil {
			return
		}
		again, more := imports.ParseChat(file.Encode())
		if more.Err() != nil || string(again.Encode()) != string(file.Encode()) {
			t.Fatalf("%v\n%s\n%s", more, file.Encode(), again.Encode())
		}
		setup := state.Setup{Characters: []state.Character{{ID: "mara", Name: "Mara"}}}
		file.AddTo(&setup)
		data, err := json.Marshal(setup)
		if err != nil {
			t.Fatal(err)
		}
		var back state.Setup
		if err := json.Unmarshal(data, &back); err != nil || len(back.Turns) != len(setup.Turns) {
			t.Fatal(err)
		}
	})
}

// TestHostileChats: invalid data is reported with its line or kept, and the rest begins a campaign
// that can be played. A text beyond the limits of a setup is refused with its place, and nothing is
// created.
func TestHostileChats(t *testing.T) {
	t.Parallel()
	const header, end = `{"user_name":"Mara"}` + "\n", "\n" + `{"name":"Orin","mes":"The end."}`
	said := func(text string) string { return `{"name":"Orin","mes":"` + text + `"}` }
	many := func(n int, line func(int) string) string {
		var out []string
		for i := range n {
			out = append(out, line(i))
		}
		return strings.Join(out, "\n")
	}
	var types []string
	for _, value := range []string{"null", "true", "-1", "1e999", `""`, `"x"`, "[]", "[[[1]]]", "{}", `{"a":{}}`} {
		for _, member := range []string{"name", "is_user", "is_system", "mes", "send_date", "swipes", "swipe_id", "swipe_info", "extra", "gen_started", "title", "force_avatar"} {
			if types = append(types, `{"`+member+`":`+value+`}`); member != "mes" && member != "swipes" {
				types = append(types, `{"`+member+`":`+value+`,"mes":"a","swipes":["a","b"]}`)
			}
		}
	}
	for _, c := range []struct {
		reason, lines string
		problem       string // the first problem, "" for none
	}{
		{"a line of 1 MB", said(strings.Repeat("long ", 200_000)), ""},
		{"deep lists", `{"mes":"a","extra":` + strings.Repeat("[", 1<<17) + strings.Repeat("]", 1<<17) + `}`, "2 unreadable"},
		{"deep objects that never end", strings.Repeat(`{"mes":`, 1<<16), "2 unreadable"},
		{"every member of every type", strings.Join(types, "\n"), "24.name wrong_type"},
		{"one line again and again", many(2000, func(int) string { return `{"name":"Mara","is_user":true,"mes":"Hello?","extra":{"id":1}}` }), ""},
		{"one member again and again", `{"mes":"a"` + strings.Repeat(`,"mes":"b","name":"c"`, 5000) + `}`, "2 duplicate"},
		{"bytes that are no text", said("\xff\xfe\xc0 \xed\xa0\x80") + "\n\xff\xff\n" + said(`\ud800 \u0000`), " bad_text"},
		{"thousands of swipes", `{"name":"Mara","is_user":true,"mes":"Well?"}` + "\n" + `{"name":"Orin","mes":"7","swipe_id":7,"swipes":[` +
			strings.ReplaceAll(many(5000, func(i int) string { return fmt.Sprintf("%q", fmt.Sprint(i)) }), "\n", ",") + `]}`, ""},
		{"a swipe far away", `{"mes":"a","swipes":["a"],"swipe_id":9223372036854775807}`, "2.swipe_id"},
		{"junk without end", many(20_000, func(i int) string { return fmt.Sprint("junk ", i) }), "2 unreadable"},
		{"speakers without end", many(2000, func(i int) string { return fmt.Sprintf(`{"name":"speaker %d","mes":"a"}`, i) }), ""},
		{"names that are no ids", `{"name":"../..\u0000\u202e","mes":"a"}` + "\n" + `{"name":"` + strings.Repeat("n", 1<<16) + `","mes":"a"}`, ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			f, problems := imports.ParseChat([]byte(header + c.lines + end))
			if problems.Err() != nil || len(problems) > 1001 {
				t.Fatalf("%d problems, %v", len(problems), problems.Err())
			}
			if got := fmt.Sprint(problems); c.problem == "" && len(problems) > 0 || c.problem != "" && len(problems) == 0 {
				t.Errorf("problems %.300s, want %s", got, c.problem)
			} else if p := problems; len(p) > 0 && !strings.HasPrefix(p[0].Path+" "+string(p[0].Code), c.problem) {
				t.Errorf("the first problem is %v, want %s", p[0], c.problem)
			}
			if last := f.Messages[len(f.Messages)-1]; last.Text != "The end." {
				t.Errorf("the last message is %.80q", last.Text)
			}
			again, _ := imports.ParseChat(f.Encode())
			if len(again.Messages) != len(f.Messages) {
				t.Errorf("written, it has %d messages of %d", len(again.Messages), len(f.Messages))
			}
			setup := state.Setup{ID: "chat", Characters: []state.Character{{ID: "mara", Name: "Mara"}, {ID: "orin", Name: "Orin"}}}
			f.AddTo(&setup)
			g, _ := game.Compile(game.Content{})
			e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(llmtest.Text("Rain falls."))})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Create(t.Context(), setup); err != nil {
				t.Fatalf("not created: %.300v", err)
			}
			out, err := e.Turn(t.Context(), "chat", turn.Submit{Text: "I look up."})
			if err = errors.Join(err, out.Err()); err != nil || out.Turn.Text != "Rain falls." {
				t.Errorf("it does not play on: %q, %.300v", out.Turn.Text, err)
			}
		})
	}
	f, _ := imports.ParseChat([]byte(header + said(strings.Repeat("long ", 1<<20)) + end))
	setup := state.Setup{ID: "chat", Characters: []state.Character{{ID: "orin", Name: "Orin"}}}
	f.AddTo(&setup)
	g, _ := game.Compile(game.Content{})
	e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Create(t.Context(), setup); err == nil || !strings.Contains(err.Error(), "greeting: ") {
		t.Errorf("a greeting of 5 MB: %v", err)
	}
	if _, err := e.Campaign(t.Context(), "chat"); err == nil {
		t.Error("refused, and yet there is a campaign")
	}
	_, problems := imports.ParseChat([]byte(header + many(3000, func(int) string { return "junk" })))
	if p := problems[len(problems)-1]; p.Path != "1002" || p.Code != "too_many" || !strings.HasPrefix(p.Text, "2000 ") {
		t.Errorf("the last problem is %v", p)
	}
}

func TestGrowthChatfile(t *testing.T) {
	testkit.Growth(t, testkit.Reader{
		Name: "Parse",
		Atoms: []testkit.Atom{
			testkit.Repeat("{\"mes\":\"a\"}\n"), testkit.Repeat("\n"), testkit.Repeat("x"),
			{Head: `{"mes":"a","swipes":[`, Open: `"a",`, Tail: `"b"]}`},
			testkit.Nest(`{"mes":`, "1", "}"),
			testkit.Repeat("{\"name\":\"a\",\"mes\":\"a\"}\n{\"is_user\":true,\"mes\":\"b\"}\n"),
		},
		Read: func(text string) {
			f, _ := imports.ParseChat([]byte(text))
			var setup state.Setup
			f.AddTo(&setup)
			_ = f.Encode()
		},
	})
}

// A chat continues as a campaign, and is written as a chat again.
func Example_chatfile() {
	data, err := os.ReadFile("testdata/lighthouse.jsonl")
	if err != nil {
		panic(err)
	}
	chat, problems := imports.ParseChat(data)
	fmt.Println(problems.Err(), len(chat.Messages))

	setup := state.Setup{ID: "lighthouse", Characters: []state.Character{{ID: "mara", Name: "Mara"}, {ID: "orin", Name: "Orin"}}}
	chat.AddTo(&setup)
	g, _ := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{},
		Model: llmtest.NewScripted(llmtest.Text("She turns at the last moment."))})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	if _, err := engine.Create(ctx, setup); err != nil {
		panic(err)
	}
	if _, err := engine.Turn(ctx, "lighthouse", turn.Submit{ActorID: "mara", Text: "I ring the bell."}); err != nil {
		panic(err)
	}
	c, err := engine.Campaign(ctx, "lighthouse")
	if err != nil {
		panic(err)
	}
	out := imports.ChatOf(c, c.BranchTurns(), imports.ChatNames{User: "Mara", Character: "Orin"})
	for _, m := range out.Messages[5:] {
		fmt.Printf("%s: %s\n", m.Name, m.Text)
	}
	// Output:
	// <nil> 6
	// Orin: A ship, close to the rocks.
	// Mara: I ring the bell.
	// Orin: She turns at the last moment.
}

func ExampleParseChat() {
	_, problems := imports.ParseChat([]byte("{\"user_name\":\"Mara\"}\n{\"mes\": \"The lamp"))
	fmt.Println(problems[0].Path, problems[0].Code)
	// Output: 2 unreadable
}

func ExampleChatFile_AddTo() {
	chat := imports.ChatFile{Messages: []imports.ChatMessage{
		{Name: "Orin", Text: "The lamp has gone out."},
		{Name: "Mara", User: true, Text: "I light it."},
		{Name: "Orin", Text: "It burns."},
	}}
	setup := state.Setup{Variables: tree.Document{}, Characters: []state.Character{{ID: "mara", Name: "Mara"}}}
	chat.AddTo(&setup)
	fmt.Println(setup.Greeting, setup.Turns[0].UserInput, setup.Turns[0].Text)
	// Output: The lamp has gone out. I light it. It burns.
}

func ExampleChatFile_Encode() {
	chat := imports.ChatFile{UserName: "Mara", CharacterName: "Orin", Messages: []imports.ChatMessage{{Name: "Orin", Text: "Hail."}}}
	fmt.Print(string(chat.Encode()))
	// Output:
	// {"user_name":"Mara","character_name":"Orin","chat_metadata":{}}
	// {"name":"Orin","is_user":false,"is_system":false,"mes":"Hail.","extra":{}}
}

func ExampleChatOf() {
	c := state.Campaign{State: state.State{Greeting: "Hail."}}
	turns := []state.Turn{{ActorID: "mara", UserInput: "I nod.", Text: "He nods too."}}
	for _, m := range imports.ChatOf(c, turns, imports.ChatNames{User: "Mara", Character: "Orin"}).Messages {
		fmt.Printf("%s: %s\n", m.Name, m.Text)
	}
	// Output:
	// Orin: Hail.
	// Mara: I nod.
	// Orin: He nods too.
}

// TestChatReplacesTheHistory: a setup has no greeting and no turn from before the chat, also if the
// chat has no greeting and no turn.
func TestChatReplacesTheHistory(t *testing.T) {
	t.Parallel()
	setup := state.Setup{Characters: []state.Character{{ID: "ann", Name: "Ann"}}, Greeting: "You wake up.",
		Turns: []state.Turn{{UserInput: "I sleep on."}}}
	chat, problems := imports.ParseChat([]byte(`{"user_name": "Ann", "character_name": "Iva"}
{"name": "Ann", "is_user": true, "mes": "I ring the bell."}
{"name": "Iva", "is_user": false, "mes": "It rings."}
`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	chat.AddTo(&setup)
	if setup.Greeting != "" || len(setup.Turns) != 1 || setup.Turns[0].UserInput != "I ring the bell." {
		t.Errorf("%q, %+v", setup.Greeting, setup.Turns)
	}
}
