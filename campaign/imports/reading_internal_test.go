package imports

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
)

// TestChatsOfCampaigns has a row for each part of a campaign that a chat leaves out or replaces.
func TestChatsOfCampaigns(t *testing.T) {
	t.Parallel()
	f, problems := ParseChat([]byte(`{"user_name":"Mara","character_name":"Orin"}` + "\n" +
		`{"name":"Orin","mes":"Welcome."}` + "\n" + `{"name":"Note","is_system":true,"mes":"hidden"}` + "\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	setup := state.Setup{Extra: map[string]json.RawMessage{"own": json.RawMessage("1")}}
	if f.AddTo(&setup); string(setup.Extra["own"]) != "1" || setup.Greeting != "Welcome." {
		t.Errorf("%s, %q", setup.Extra, setup.Greeting)
	}
	first, second := state.TurnID(1), state.TurnID(2)
	for name, row := range map[string]struct {
		c     state.Campaign
		turns []state.Turn
		want  []string
	}{
		"the opening":     {state.Campaign{Extra: setup.Extra, State: state.State{Greeting: "Welcome."}}, nil, []string{"Welcome.", "hidden"}},
		"a new greeting":  {state.Campaign{Extra: setup.Extra, State: state.State{Greeting: "Go away."}}, nil, []string{"Go away."}},
		"no greeting":     {state.Campaign{Extra: setup.Extra}, nil, nil},
		"no line":         {state.Campaign{}, []state.Turn{{ID: first, Text: "Dust."}}, []string{"Dust."}},
		"a line":          {state.Campaign{}, []state.Turn{{ID: first, UserInput: "I wait.", Text: "Dust."}}, []string{"I wait.", "Dust."}},
		"broken messages": {state.Campaign{Extra: map[string]json.RawMessage{member: json.RawMessage(`{"messages":[5]}`)}}, nil, nil},
	} {
		var got []string
		for _, m := range ChatOf(row.c, row.turns, ChatNames{}).Messages {
			got = append(got, m.Text)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	// The messages of a turn are replaced if the turn says something else. The rest of the file stays.
	for _, change := range []func(*state.Turn){
		func(t *state.Turn) {}, func(t *state.Turn) { t.UserInput = "I stand." }, func(t *state.Turn) { t.Text = "Rain." },
	} {
		read := state.Setup{}
		ChatFile{Messages: []ChatMessage{{Name: "M", User: true, Text: "I wait."}, {Name: "O", Text: "Dust."}, {Name: "O", Text: "Sand."}}}.AddTo(&read)
		turn := read.Turns[0]
		change(&turn)
		var got []string
		for _, m := range ChatOf(state.Campaign{}, []state.Turn{turn}, ChatNames{}).Messages {
			got = append(got, m.Text)
		}
		if want := turn.UserInput + "\n\n" + turn.Text; strings.Join(got, "\n\n") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	sent := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	if got := (line{{Text: "a", Sent: sent(1)}, {Hidden: true, Text: "x", Sent: sent(2)}}).turn(nil); !got.Timestamp.Equal(sent(1)) || got.Text != "a" {
		t.Errorf("a hidden message has its part in %+v", got)
	}
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if m := ChatOf(state.Campaign{CreatedAt: began, State: state.State{Greeting: "Hail."}}, nil, ChatNames{}).Messages; !m[0].Sent.Equal(began) {
		t.Errorf("a greeting is sent at %v, when the campaign began", m[0].Sent)
	}
	swiped, _ := ParseChat([]byte(`{"user_name":"Mara"}` + "\n" + `{"name":"Orin","mes":"a","swipes":["a","a"],"swipe_id":0}` + "\n"))
	swiped.Messages[0].Swipe = 1
	if text := string(swiped.Encode()); !strings.Contains(text, `"swipe_id":1`) {
		t.Errorf("the chosen swipe is not written: %s", text)
	}
	c := state.Campaign{Turns: []state.Turn{{ID: second, Text: "Dust."}}, State: state.State{HeadTurnID: second},
		Alternatives: &state.Alternatives{First: first, Chosen: second, Others: []state.Alternative{{TurnID: first}}}}
	if m := ChatOf(c, c.Turns, ChatNames{}).Messages; len(m) != 1 || !slices.Equal(m[0].Swipes, []string{"Dust."}) {
		t.Errorf("an answer that is not held: %+v", m)
	}
}

// TestBooksOfAnOpening: the books of the character come last, the others keep their order.
func TestBooksOfAnOpening(t *testing.T) {
	t.Parallel()
	book := func(name string, from ...worldbook.Source) worldbook.Attachment {
		return worldbook.Attachment{Book: worldbook.Book{Name: name}, Sources: from}
	}
	var got []string
	for _, b := range mvuBooks([]worldbook.Attachment{book("own", worldbook.SourceCharacter), book("b"), book("a"), book("b", worldbook.SourceCharacter)}) {
		got = append(got, fmt.Sprint(b.Name, b.Own))
	}
	if !slices.Equal(got, []string{"bfalse", "afalse", "owntrue", "b (2)true"}) {
		t.Errorf("%q", got)
	}
}

// TestReportedReading: the code of a problem stays when an error wraps it. Scripts that are switched
// off are not reported.
func TestReportedReading(t *testing.T) {
	t.Parallel()
	if got := fatal(fmt.Errorf("book.json: %w", talewright.Problems{{Code: "broken", Text: "x"}})); len(got) != 1 || got[0].Code != "broken" || got[0].Severity != talewright.Fatal {
		t.Errorf("%+v", got)
	}
	if got := changes([]script.Script{{Disabled: true}}); got != "" {
		t.Errorf("%q", got)
	}
	page := script.Script{Replace: "<b><script>x</script>"}
	shown, sent := page, page
	shown.Display, shown.Prompt, sent.Prompt = true, true, true
	if got, none := changes([]script.Script{shown}), changes([]script.Script{sent}); !strings.Contains(got, "HTML") || strings.Contains(none, "HTML") {
		t.Errorf("shown: %q, only sent: %q", got, none)
	}
	quiet := Begin(Options{Regex: func(script.List) bool { return true }})
	if quiet.addScriptList(script.Global, "", "scripts", []script.Script{{Disabled: true}}); len(quiet.problems) > 0 || len(quiet.Content.Prompt.Scripts) != 1 {
		t.Errorf("scripts that are switched off: %v", quiet.problems)
	}
	for order, want := range map[float64]float64{math.NaN(): 100, 7: 7} {
		book := worldbook.Book{Entries: []worldbook.Entry{{Order: order, Position: worldbook.PositionNone}}}
		if addPositions(&book); book.Entries[0].Order != want || book.Entries[0].Position != worldbook.PositionBeforeCharacter {
			t.Errorf("order %v: %+v", order, book.Entries[0])
		}
	}
}

// TestSchemaAsData compares the code that is made of a schema, and the problems, with
// testdata/schema.golden.
func TestSchemaAsData(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for _, extension := range []string{
		`{"schema": {"type": "object", "properties": {"gold": {"type": "integer", "minimum": 0, "maximum": 9, "clamp": true, "default": 3}, "name": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a/b\n", "default": "a"}, "n": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 5, "multipleOf": 0.5, "coerce": true}, "ok": {"type": "boolean", "default": false}, "none": {"type": "null"}, "c": {"const": 5}, "e": {"enum": ["a", "b"], "odd": 1}, "u": {"anyOf": [{"type": "string"}, {"type": "number", "strange": 2}]}, "t": {"type": ["string", "null"], "default": "x"}, "list": {"type": "array", "items": {"type": "string", "wrong": 3}, "minItems": 1, "maxItems": 4}, "rec": {"type": "object", "additionalProperties": {"type": "number", "bad": 1}}, "shut": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}, "open": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "number", "worse": 1}}, "what": {"type": "colour"}}, "required": ["gold"]}}`,
		`{"schema": {"type": "object"}}`, `{"schema": {"type": "object", "properties": {"a": {"type": "array"}}, "additionalProperties": true}}`,
		`{"schema": []}`, `{"schema": {"type": "string"}}`, `{}`, `[`, `{"schema": {"odd1": 1, "odd2": 2}}`,
	} {
		script, problems := schemaData("extensions", []byte(extension))
		got.WriteString(strings.ReplaceAll(script, ", ", ",\n\t") + "\n")
		for _, p := range problems {
			fmt.Fprintf(&got, "\t%s %s %s %s: %s\n", p.Severity, p.Code, p.Path, p.ID, p.Text)
		}
	}
	testkit.Golden(t, "testdata/schema.golden", got.String())
}
