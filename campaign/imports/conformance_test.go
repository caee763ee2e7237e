package imports_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// scriptedCard returns a card with a script of TavernHelper and books with entries.
func scriptedCard(t *testing.T, script string, greetings []string, entries []any) []byte {
	t.Helper()
	data := map[string]any{"name": "Orin", "description": "x", "first_mes": greetings[0], "alternate_greetings": greetings[1:],
		"extensions": map[string]any{"tavern_helper": map[string]any{"scripts": []any{
			map[string]any{"type": "script", "enabled": true, "name": "schema", "content": script}}}}}
	if len(entries) > 0 {
		data["character_book"] = map[string]any{"entries": entries}
	}
	card, err := json.Marshal(map[string]any{"spec": "chara_card_v2", "data": data})
	if err != nil {
		t.Fatal(err)
	}
	return card
}

// same compares JSON values without regard to the order of members.
func same(t *testing.T, what string, got, want tree.Value) {
	t.Helper()
	if !got.Equal(want) {
		t.Errorf("%s is %s, not %s", what, got, want)
	}
}

// TestConformanceCardScriptingSchema plays schema scripts in a card: the initial variables, and
// replies through the command language of the game.
func TestConformanceCardScriptingSchema(t *testing.T) {
	testkit.CardScripting(t, "testdata/conformance", "schema", func(t *testing.T, raw []byte) {
		var c struct {
			Script  string
			Data    json.RawMessage
			Updates []string
			Expect  struct {
				Initial tree.Value
				Refused bool `json:"initial_refused"`
				Steps   []struct {
					Data   tree.Value
					Warned int
				}
				Unread []string
				Read   *bool
				Loads  []string
			}
		}
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		if c.Data == nil {
			c.Data = json.RawMessage("{}")
		}
		start, odd := imports.Parse(scriptedCard(t, c.Script, []string{"Hi."}, []any{map[string]any{
			"keys": []any{}, "comment": "[initvar]", "content": string(c.Data), "enabled": false}}), imports.Options{})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		played(t, start)
		unread, refused, missed := map[string]bool{}, false, false
		for _, p := range odd {
			switch p.Code {
			case "schema_part":
				unread[p.ID] = true
			case "schema_unread":
				missed = true
			case "initial_refused":
				refused = true
			}
		}
		for _, path := range c.Expect.Unread {
			if path == "" {
				path = "the whole schema"
			}
			if !unread[path] {
				t.Errorf("%q is not reported: %v", path, odd)
			}
		}
		if c.Expect.Read != nil {
			if schema, _ := mvu.ReadZod(c.Script, nil); (schema != nil) != *c.Expect.Read || missed && *c.Expect.Read {
				t.Errorf("read is %v: %v", schema != nil, odd)
			}
			problems := fmt.Sprint(game.Unplayed(start.Content))
			for _, address := range c.Expect.Loads {
				if u, err := url.Parse(address); err != nil || !strings.Contains(problems, u.Host) {
					t.Errorf("%s is not reported: %s", address, problems)
				}
			}
			return
		}
		if len(c.Expect.Unread) == 0 && len(unread) > 0 && len(c.Expect.Steps) > 0 {
			t.Log(odd)
		}
		root := start.Setup.Variables.Root()
		same(t, "the initial data", root.Get("stat_data"), c.Expect.Initial)
		if refused != c.Expect.Refused {
			t.Errorf("refused %v: %v", refused, odd)
		}
		g, problems := game.Compile(start.Content)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		document := start.Setup.Variables
		for i, text := range c.Updates {
			var result memvars.Result
			document, result = g.Vars().Apply(document, text, memvars.AI)
			step := c.Expect.Steps[i]
			same(t, "the data after "+text, document.Root().Get("stat_data"), step.Data)
			warned := 0
			for _, call := range result.Calls {
				if call.Code != "" && call.Code != "readonly" {
					warned++
				}
			}
			if (warned > 0) != (step.Warned > 0) {
				t.Errorf("%s: %d warnings, not %d: %+v", text, warned, step.Warned, result.Calls)
			}
		}
	})
}

// initvarCase is a case of initial variables. Cases with a run are about the requests of a second
// model (SC-07, SC-10).
type initvarCase struct {
	Run       string
	Books     json.RawMessage
	CharBook  string   `json:"char_book"`
	Global    []string `json:"global_books"`
	Greetings []string
	Env       struct{ User, Char string }
	Expect    struct {
		Greetings []tree.Value
		Told      *int
		Messages  []messageCase
		Entries   []string
	}

	Mode     string
	During   bool `json:"during_extra"`
	Messages []messageCase
	Entries  []struct{ Comment string }
}

// messageCase is a message of a request.
type messageCase struct{ Role, Content string }

// cuts checks what a request leaves out of the history and of the lore.
func (c initvarCase) cuts(t *testing.T) {
	for i := range c.Messages {
		c.Messages[i].Content = mvu.CutHistory(c.Messages[i].Content, c.Mode == "extra" && !c.During)
	}
	if !slices.Equal(c.Messages, c.Expect.Messages) {
		t.Errorf("the messages are %q, not %q", c.Messages, c.Expect.Messages)
	}
	var book worldbook.Book
	for i, e := range c.Entries {
		book.Entries = append(book.Entries, worldbook.Entry{UID: strconv.Itoa(i), Comment: e.Comment})
	}
	g, problems := game.Compile(game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: book, Sources: []worldbook.Source{worldbook.SourceCharacter}}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	out, split := g.LoreLeftOut(c.During, nil)
	var left []string
	for id, e := range g.Book().Entries() {
		if c.Mode != "extra" || !split || !slices.Contains(out, id.String()) {
			left = append(left, e.Comment)
		}
	}
	if !slices.Equal(left, c.Expect.Entries) {
		t.Errorf("the entries are %q, not %q", left, c.Expect.Entries)
	}
}

// TestConformanceCardScriptingInitvar begins stories with books and greetings.
func TestConformanceCardScriptingInitvar(t *testing.T) {
	testkit.CardScripting(t, "testdata/conformance", "initvar", func(t *testing.T, raw []byte) {
		var c initvarCase
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		if c.Run == "messages" {
			c.cuts(t)
			return
		}
		books, err := tree.ParseValue(c.Books)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Greetings) == 0 {
			c.Greetings = []string{"Hi."}
		}
		if c.CharBook == "" {
			c.CharBook = books.KeyAt(0)
		}
		for i, want := range c.Expect.Greetings {
			data := scriptedCard(t, "", c.Greetings, entriesOf(books.Get(c.CharBook)))
			if c.Env.Char != "" {
				name, _ := json.Marshal(c.Env.Char)
				data = []byte(strings.Replace(string(data), `"Orin"`, string(name), 1))
			}
			start, odd := imports.Parse(data, imports.Options{Player: cmp.Or(c.Env.User, "Mara"), Greeting: i})
			if err := odd.Err(); err != nil {
				t.Fatal(err)
			}
			for _, name := range c.Global {
				book, err := json.Marshal(map[string]any{"name": name, "entries": entriesOf(books.Get(name))})
				if err != nil {
					t.Fatal(err)
				}
				if err := start.AddBook(name, book).Err(); err != nil {
					t.Fatal(err)
				}
			}
			got := start.Setup.Variables.Root().Get("stat_data")
			if !got.Exists() {
				got = tree.Object()
			}
			same(t, fmt.Sprintf("greeting %d", i), got, want)
			if c.Expect.Told != nil && len(odd) != *c.Expect.Told {
				t.Errorf("problems: %v", odd)
			}
		}
	})
}

// entriesOf returns entries in the form of a card.
func entriesOf(list tree.Value) []any {
	var out []any
	for _, e := range list.Elements() {
		entry := e.Any().(map[string]any)
		entry["keys"], entry["enabled"] = []any{}, entry["disable"] != true
		out = append(out, entry)
	}
	return out
}
