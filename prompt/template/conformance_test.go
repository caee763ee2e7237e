package template_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// scriptingCase is one recorded case of a template.
type scriptingCase struct {
	ID, Kind, Tier, Run, Verdict string
	Template                     *string
	Texts                        []string
	State                        stores
	Preload                      bool
	Messages                     []message
	Env                          struct {
		User, Char string
		Chat       []struct {
			IsUser bool `json:"is_user"`
			Mes    string
		}
		Books     json.RawMessage
		Character map[string]string
		Others    []map[string]string
		Prompts   []struct{ Name, Content string }
		Random    []float64
		DryRun    bool `json:"dry_run"`
	}
	Options struct {
		OnError string `json:"on_error"`
	}
	Expect struct {
		Out            *string
		Outs           []string
		Error          string
		Name, Limit    string
		State          map[string]tree.Value
		StateUnchanged bool `json:"state_unchanged"`
		Lore           []map[string]json.RawMessage
		Messages       []message
		Failed         bool
		RandomUsed     *int `json:"random_used"`
	}
}

type stores struct{ Message, Chat, Global, Initial tree.Value }

// message is a message whose content is a text or a list of parts.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// TestConformanceCardScripting runs the recorded cases of templates: PR-18.
func TestConformanceCardScripting(t *testing.T) {
	dir := cmp.Or(os.Getenv("TALEWRIGHT_CARDSCRIPTING"), os.Getenv("TALEWRIGHT_CARD_SCRIPTING"), os.Getenv("TALEWRIGHT_CONFORMANCE"),
		filepath.Join("testdata", "conformance"))
	suite := testkit.Suite{Dir: dir}
	suite.Run(t, func(t *testing.T, file string, data []byte) (list []testkit.RecordedCase) {
		var all struct {
			Format string
			Cases  []scriptingCase
		}
		if err := json.Unmarshal(data, &all); err != nil || all.Format != "card-scripting-conformance/1" {
			return nil
		}
		for _, c := range all.Cases {
			if c.Kind != "ejs" {
				continue
			}
			list = append(list, testkit.RecordedCase{Name: c.ID, Run: c.play, Deviation: c.deviation})
		}
		return list
	})
}

// deviation returns why a case does not count.
func (c scriptingCase) deviation(*testing.T) string {
	switch {
	case c.Verdict == "info":
		return "recorded, not binding"
	case c.Tier == "engine":
		return "needs a JavaScript engine"
	}
	return ""
}

// books reads the books in their order in the file.
func (c scriptingCase) books(t *testing.T) (list []worldbook.Book) {
	if c.Env.Books == nil {
		return nil
	}
	all, err := tree.ParseValue(c.Env.Books)
	if err != nil {
		t.Fatal(err)
	}
	for name, entries := range all.Members() {
		book := worldbook.Book{Name: name}
		for i, e := range entries.Elements() {
			for key, v := range map[string]tree.Value{"uid": tree.Int(int64(i)), "constant": tree.Bool(true), "order": tree.Int(100),
				"position": tree.Int(0), "depth": tree.Int(4), "key": tree.Array(), "content": tree.Text("")} {
				if !e.Get(key).Exists() {
					e = e.With(key, v)
				}
			}
			var entry worldbook.Entry
			if err := json.Unmarshal([]byte(e.String()), &entry); err != nil {
				t.Fatal(err)
			}
			book.Entries = append(book.Entries, entry)
		}
		list = append(list, book)
	}
	return list
}

func cardOf(name string, fields map[string]string) card.Card {
	return card.Card{Name: cmp.Or(fields["name"], name), Description: fields["description"], Personality: fields["personality"],
		Scenario: fields["scenario"], FirstMes: fields["first_mes"], MesExample: fields["mes_example"],
		SystemPrompt: fields["system_prompt"], CreatorNotes: fields["creator_notes"]}
}

func (c scriptingCase) play(t *testing.T) {
	user, char := cmp.Or(c.Env.User, "Mara"), cmp.Or(c.Env.Char, "Orin")
	names := strings.NewReplacer("{{user}}", user, "{{char}}", char)
	drawn := 0
	env := template.Env{
		User: user, Char: char, DryRun: c.Env.DryRun, Books: c.books(t), Raw: c.Options.OnError == "raw",
		Cards:     []card.Card{cardOf(char, c.Env.Character)},
		Variables: template.Variables{Message: c.State.Message, Chat: c.State.Chat, Global: c.State.Global, Initial: c.State.Initial},
		Expand:    func(text, _ string, v template.Variables) (string, template.Variables) { return names.Replace(text), v },
		Random: func() float64 {
			drawn++
			if drawn <= len(c.Env.Random) {
				return c.Env.Random[drawn-1]
			}
			return 0.5
		},
		Prompt: func(name string) (string, bool) {
			for _, p := range c.Env.Prompts {
				if p.Name == name {
					return p.Content, true
				}
			}
			return "", false
		},
		Chat: macro.Messages{{Role: "assistant", Text: "Hello."}, {Role: "user", Text: "Hi."}},
	}
	for _, other := range c.Env.Others {
		env.Cards = append(env.Cards, cardOf(other["name"], other))
	}
	if c.Env.Chat != nil {
		var chat macro.Messages
		for _, m := range c.Env.Chat {
			role := map[bool]string{true: "user", false: "assistant"}[m.IsUser]
			chat = append(chat, macro.Message{Role: role, Text: m.Mes})
		}
		env.Chat = chat
	}
	b := template.NewBuild(env)
	if c.Run == "generation" {
		c.generation(t, b)
	} else {
		c.texts(t, b)
	}
	c.state(t, b)
	if c.Expect.RandomUsed != nil && drawn != *c.Expect.RandomUsed {
		t.Errorf("%d numbers drawn, want %d", drawn, *c.Expect.RandomUsed)
	}
}

// texts runs the texts of a case.
func (c scriptingCase) texts(t *testing.T, b *template.Build) {
	texts, want := c.Texts, c.Expect.Outs
	if c.Template != nil {
		texts = []string{*c.Template}
		if c.Expect.Out != nil {
			want = []string{*c.Expect.Out}
		}
	}
	var failed error
	var outs []string
	for _, text := range texts {
		compiled, problems := template.Compile(text)
		if compiled == nil {
			if c.Expect.Error == "" {
				t.Fatal(problems)
			}
			failed = compileError(problems[0])
			continue
		}
		out, err := compiled.Run(b)
		if err != nil {
			failed = err
		}
		outs = append(outs, out)
	}
	if c.Expect.Error != "" {
		var e *template.Error
		if !errors.As(failed, &e) {
			t.Fatalf("printed %q, want the error %s", outs, c.Expect.Error)
		}
		if string(e.Code) != c.Expect.Error || e.Name != c.Expect.Name+c.Expect.Limit {
			t.Errorf("error %s %q (%v), want %s %q", e.Code, e.Name, e, c.Expect.Error, c.Expect.Name+c.Expect.Limit)
		}
		return
	}
	if failed != nil {
		t.Fatal(failed)
	}
	if !slices.Equal(outs, want) {
		t.Errorf("printed %q, want %q", outs, want)
	}
}

// compileError returns the problem of a text that does not compile as an error.
func compileError(p talewright.Problem) error {
	e := &template.Error{Code: p.Code, Text: p.Text}
	if p.Code == template.Refused || p.Code == template.Limit {
		e.Name = p.ID
	}
	return e
}

// state compares the stores.
func (c scriptingCase) state(t *testing.T, b *template.Build) {
	got := b.Variables()
	for name, s := range map[string]struct{ before, after tree.Value }{
		"message": {c.State.Message, got.Message}, "chat": {c.State.Chat, got.Chat}, "global": {c.State.Global, got.Global},
	} {
		want, changed := c.Expect.State[name]
		if !changed {
			want = s.before
		}
		if !want.Exists() {
			want = tree.Object()
		}
		if !s.after.Equal(want) {
			t.Errorf("store %s: %s, want %s", name, s.after, want)
		}
	}
}

// generation plays a whole prompt.
func (c scriptingCase) generation(t *testing.T, b *template.Build) {
	if c.Preload {
		b.Load()
	}
	lore := scannedLore(c.books(t), b)
	var want []string
	for _, m := range c.Expect.Lore {
		var e struct {
			Book, Comment, Content     string
			Key                        []string
			Constant, Disable, Private bool
		}
		data, _ := json.Marshal(m)
		if err := json.Unmarshal(data, &e); err != nil {
			t.Fatal(err)
		}
		want = append(want, loreLine(e.Book, e.Comment, e.Content, e.Key, e.Constant, e.Disable, e.Private))
	}
	slices.Sort(lore)
	slices.Sort(want)
	if !slices.Equal(lore, want) {
		t.Errorf("lore %q, want %q", lore, want)
	}
	texts := make([]string, len(c.Messages))
	for i, m := range c.Messages {
		texts[i] = b.Unit(template.Piece{Text: m.text(nil)})[0]
	}
	before, after := b.Messages(texts)
	for i, text := range texts {
		text = before[i] + text + after[i]
		c.Messages[i].text(&text)
	}
	got, _ := json.Marshal(c.Messages)
	expected, _ := json.Marshal(c.Expect.Messages)
	if string(got) != string(expected) {
		t.Errorf("messages %s, want %s", got, expected)
	}
	if failed := len(b.Problems()) > 0; c.Expect.Failed && !failed {
		t.Error("no text failed")
	}
}

// scannedLore returns the entries that a scan would see.
func scannedLore(books []worldbook.Book, b *template.Build) (lines []string) {
	changed, hidden := b.Lore()
	for _, book := range books {
		for _, e := range book.Entries {
			if slices.Contains(hidden, worldbook.ID{Book: book.Name, UID: e.UID}) {
				continue
			}
			for _, other := range changed {
				if i := slices.IndexFunc(other.Entries, func(o worldbook.Entry) bool { return o.UID == e.UID }); other.Name == book.Name && i >= 0 {
					e = other.Entries[i]
				}
			}
			lines = append(lines, loreLine(book.Name, e.Comment, e.Content, e.Keys, e.Constant, e.Disable, strings.Contains(e.Content, "@@private")))
		}
	}
	return lines
}

func loreLine(book, title, content string, keys []string, constant, disable, private bool) string {
	for strings.HasPrefix(content, "@@") {
		_, content, _ = strings.Cut(content, "\n")
	}
	return strings.Join([]string{book, title, content, strings.Join(keys, ","), strconv.FormatBool(constant),
		strconv.FormatBool(disable), strconv.FormatBool(private)}, "|")
}

// text returns the text of a message, or replaces it.
func (m *message) text(to *string) string {
	content, _ := tree.ParseValue(m.Content)
	if s, ok := content.AsText(); ok {
		if to != nil {
			m.Content, _ = tree.Text(*to).MarshalJSON()
		}
		return s
	}
	found := ""
	changed := content.Map(func(_ int, part tree.Value) tree.Value {
		if s, ok := part.Get("text").AsText(); ok {
			if found = s; to != nil {
				return part.With("text", tree.Text(*to))
			}
		}
		return part
	})
	if to != nil {
		m.Content, _ = changed.MarshalJSON()
	}
	return found
}
