package worldbook_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// TestGrowth: reading books, settings and states, and scanning texts with every kind of key, takes
// time in proportion to their length.
func TestGrowth(t *testing.T) {
	members := func(head, item, tail string) testkit.Atom {
		return testkit.Atom{Head: head, Open: item, Tail: tail}
	}
	entryWith := func(member string) []testkit.Atom {
		return []testkit.Atom{
			members(`{"entries":[{"`+member+`":"`, "a,", `"}]}`),
			members(`{"entries":[{"`+member+`":[`, `"/a{1,9}/",`, `"x"]}]}`),
			members(`{"entries":[{"`+member+`":[`, `[0],`, `1]}]}`),
			testkit.Nest(`{"entries":[{"`+member+`":`, "[", "]"),
			members(`{"entries":[{"`+member+`":[`, `"{{user}}b",`, `"x"]}]}`),
		}
	}
	books := []testkit.Atom{
		members(`{"entries":[`, `{"uid":0,"key":["cat"],"constant":true,"content":"x"},`, `{}]}`),
		members(`{"entries":[`, `{"key":["/(a|b)+c/"],"content":"ab"},`, `{}]}`),
		members(`{"entries":{`, `"1":{"sticky":2},`, `"2":{}}}`),
		members(`{"entries":[{`, `"a":1,`, `"b":2}]}`),
		members(`{"entries":[{"content":"`, `@@depth 1\n`, `"}]}`),
		members(`{"entries":[{"content":"`, `@@@x\n`, `"}]}`),
		members(`{"entries":[{"constant":true,"content":"`, `{{user}}`, `"}]}`),
		members(`{"entries":[{"constant":true,"content":"`, `{`, `"}]}`),
		members(`{"entries":[{"constant":true,"content":"`, `<`, `"}]}`),
		members(`{"entries":[{"constant":true,"group":"`, `g,`, `","content":"x"}]}`),
		testkit.Repeat("["), testkit.Repeat(`{"entries":`),
	}
	for _, member := range []string{"key", "keysecondary", "uid", "group", "characterFilter", "order", "triggers", "extensions"} {
		books = append(books, entryWith(member)...)
	}
	scan := func(settings wb.ProfileSettings, in wb.Input) func(string) {
		return func(text string) {
			var book wb.Book
			if json.Unmarshal([]byte(text), &book) != nil {
				return
			}
			book.Name = "b"
			c, _ := wb.Compile([]wb.Attachment{{Book: book}}, settings)
			in.Messages = []wb.Message{{Text: "a cat"}}
			in.ContextSize, in.User = 1<<20, "Bo"
			c.Scan(in, wb.State{})
			_ = c.Vet(4096, nil)
		}
	}
	card := wb.Exact()
	card.Decorators = wb.DecoratorsCardV3
	testkit.Growth(t,
		testkit.Reader{Name: "book", Read: scan(wb.Exact(), wb.Input{}), Atoms: books},
		testkit.Reader{Name: "book, card decorators", Read: scan(card, wb.Input{}), Atoms: books[:10]},
		testkit.Reader{Name: "decorators", Size: 128 << 10, Read: func(s string) { wb.ParseDecorators(s) }, Atoms: []testkit.Atom{
			testkit.Repeat("@@a\n"), testkit.Repeat("@@depth 1\n"), testkit.Repeat("@@@a\n"),
			{Head: "@@a\n", Open: "@@@a\n"}, testkit.Repeat("\n"), testkit.Repeat("@"), testkit.Repeat("@@\n"),
			{Head: "@@additional_keys ", Open: "a,"}, testkit.Repeat("@@additional_keys a\n"),
			{Head: "@@depth ", Open: " "}, {Head: "@@depth ", Open: "9"},
		}},
		testkit.Reader{Name: "settings", Read: func(text string) {
			var s wb.ProfileSettings
			_ = json.Unmarshal([]byte(text), &s)
		}, Atoms: []testkit.Atom{
			members(`{"world_info_depth":"`, "1", `"}`), members(`{`, `"a":1,`, `"b":2}`),
			members(`{"quirks_off":[`, `"blank_key",`, `"x"]}`), testkit.Nest(`{"a":`, "[", "]}"),
		}},
		testkit.Reader{Name: "state", Read: func(text string) {
			var s wb.State
			if json.Unmarshal([]byte(text), &s) == nil {
				c, _ := wb.Compile(nil, wb.Exact())
				c.Scan(wb.Input{Messages: make([]wb.Message, 5)}, s)
			}
		}, Atoms: []testkit.Atom{
			members(`{"fuses":[`, `{"key":"/a/","start":1,"end":9},`, `{"key":"b"}]}`),
			members(`{"sticky":{`, `"b.1":{"start":1,"end":9},`, `"b.2":{"start":1,"end":9}}}`),
		}},
		testkit.Reader{Name: "chat", Read: chatReader(t), Atoms: []testkit.Atom{
			testkit.Repeat("a"), testkit.Repeat("ab "), testkit.Repeat("魔法，"), testkit.Repeat("dragon "),
			testkit.Repeat("e"), testkit.Repeat("ſK"), testkit.Repeat("\n\x01"), testkit.Repeat("🐉"),
			testkit.Repeat("İ"), testkit.Repeat(" "), {Open: "a", Tail: "!"},
		}},
	)
}

// chatReader scans a text as a message, an injection and a forced content, with keys of every kind.
// The memory of a regex search is measured in the package of the regexes.
func chatReader(t *testing.T) func(string) {
	t.Helper()
	var entries []wb.Entry
	whole := true
	for i, key := range []string{
		"dragon", "魔法", " a", "a\nb", "{{user}}", `/\ba+$/m`, `/^\x01a*$/`, `/k/iu`, `/[^]\n\x01b/`, `/dragon|wyrm/i`,
		`/a b.a/s`, `/[魔龙].术/`,
	} {
		e := wb.Entry{UID: string(rune('a' + i)), Keys: []string{key}, Content: key}
		if i%2 == 0 {
			e.MatchWholeWords = &whole
		}
		entries = append(entries, e, wb.Entry{UID: string(rune('A' + i)), Keys: []string{key}, Literal: true})
	}
	compile := func(s wb.ProfileSettings) *wb.Compiled {
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, s)
		return c
	}
	return func(text string) {
		// Compiled again, so that no buffer is left from a shorter text.
		exact, roleplay := compile(wb.Exact()), compile(wb.Roleplay())
		override, _ := json.Marshal(map[string]string{"content": text})
		in := wb.Input{
			Messages: []wb.Message{{Name: "Ann", Text: text}}, Injections: []string{text}, User: "Bo", ContextSize: 4096,
			Forced: []wb.Forced{{ID: wb.ID{Book: "b", UID: "a"}, Override: override}}, Cache: wb.NewCache(-1),
		}
		exact.Scan(in, wb.State{})
		in.Explain = true
		roleplay.Scan(in, wb.State{})
	}
}
