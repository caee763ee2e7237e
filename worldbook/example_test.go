package worldbook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	wb "github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// The short form, for small uses.
func ExampleScan() {
	entries := []wb.Entry{{UID: "1", Keys: []string{"dragon"}, Content: "Dragons sleep a hundred years."}}
	result, _ := wb.Scan(entries, []wb.Message{{Name: "Ann", Text: "Is that a dragon?"}}, wb.State{})
	fmt.Println(wb.Join(result.Before))
	// Output: Dragons sleep a hundred years.
}

// Compile once, scan on every turn. Pass the state of the chat, and store the returned one.
func ExampleCompile() {
	book := wb.Book{Name: "world", Entries: []wb.Entry{
		{UID: "inn", Keys: []string{"inn"}, Content: "The inn is warm.", Order: 10},
		{UID: "rules", Constant: true, Content: "Magic is rare.", Order: 20},
	}}
	compiled, problems := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	fmt.Println("problems:", len(problems))

	result, _ := compiled.Scan(wb.Input{
		Messages:    []wb.Message{{Name: "Ann", Text: "We enter the inn."}},
		ContextSize: 4096,
	}, wb.State{})
	for _, p := range result.Before {
		fmt.Println(p.ID, p.Text)
	}
	// Output:
	// problems: 0
	// world.inn The inn is warm.
	// world.rules Magic is rare.
}

// WB-25: every entry explains itself.
func ExampleTrace() {
	book := wb.Book{Name: "b", Entries: []wb.Entry{
		{UID: "1", Keys: []string{"dragon"}, Content: "It hoards gold."},
		{UID: "2", Keys: []string{"gold"}, Content: "Gold is cursed."},
		{UID: "3", Keys: []string{"elf"}, Content: "Elves are tall."},
		{UID: "4", Keys: []string{"dragon"}, Content: "Later.", Delay: 4},
	}}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	result, _ := compiled.Scan(wb.Input{
		Messages: []wb.Message{{Text: "A dragon!"}}, ContextSize: 4096, Explain: true,
	}, wb.State{})
	fmt.Print(result.Trace)
	// Output:
	// b.1: active by key "dragon" in message 0
	// b.2: active by key "gold" in recursion via b.1
	// b.3: stopped: no key found
	// b.4: stopped: delay 3 more
}

// WB-15: sticky over turns. The state is a JSON value that belongs to the chat.
func ExampleState() {
	entries := []wb.Entry{{UID: "1", Keys: []string{"forest"}, Content: "Tall trees.", Sticky: 3}}
	settings := wb.Exact()
	settings.Depth = 1
	compiled, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, settings)

	var chat []wb.Message
	var state wb.State
	for _, text := range []string{"Into the forest.", "Nice weather.", "A deer.", "Onwards."} {
		chat = append(chat, wb.Message{Name: "Ann", Text: text})
		var result wb.Result
		result, state = compiled.Scan(wb.Input{Messages: chat, ContextSize: 4096}, state)
		fmt.Println(text, len(result.Activated))
	}
	out, _ := json.Marshal(state)
	fmt.Println(string(out))
	// Output:
	// Into the forest. 1
	// Nice weather. 1
	// A deer. 1
	// Onwards. 0
	// {}
}

// A character card brings its book along.
func ExampleCompile_cardBook() {
	book, found := format.ParseCard([]byte(`{"name": "Seraphina", "entries": [
		{"id": 7, "keys": ["glade"], "content": "A safe place.", "enabled": true,
		 "insertion_order": 100, "position": "before_char", "extensions": {}}]}`))
	if err := found.Err(); err != nil {
		fmt.Println(err)
		return
	}
	compiled, _ := wb.Compile([]wb.Attachment{
		{Book: book, Sources: []wb.Source{wb.SourceCharacter}},
	}, wb.Exact())
	result, _ := compiled.Scan(wb.Input{
		Messages: []wb.Message{{Text: "Back to the glade."}}, ContextSize: 4096,
	}, wb.State{})
	fmt.Println(result.Activated[0].ID, wb.Join(result.Before))
	// Output: Seraphina.7 A safe place.
}

// sharedWords is a retriever that counts the common words of an entry and the chat. Real retrievers
// ask a vector store: they embed the contents once, and the messages on every turn.
type sharedWords struct {
	ids   []wb.ID
	words [][]string
}

// index takes the entries that are marked for retrieval.
func index(c *wb.Compiled) *sharedWords {
	r := new(sharedWords)
	for id, e := range c.Entries() {
		if e.Vectorized && !e.Disable {
			r.ids, r.words = append(r.ids, id), append(r.words, strings.Fields(strings.ToLower(e.Content)))
		}
	}
	return r
}

// Retrieve implements [wb.Retriever].
func (r *sharedWords) Retrieve(ctx context.Context, chat []wb.Message, limit int) ([]wb.ID, error) {
	said := map[string]bool{}
	for _, m := range chat {
		for _, word := range strings.Fields(strings.ToLower(m.Text)) {
			said[word] = true
		}
	}
	score := map[wb.ID]int{}
	var found []wb.ID
	for i, words := range r.words {
		for _, word := range words {
			if said[word] {
				score[r.ids[i]]++
			}
		}
		if score[r.ids[i]] > 0 {
			found = append(found, r.ids[i])
		}
	}
	// The best comes first. Equally good ones keep the order of the book: the sort is stable.
	slices.SortStableFunc(found, func(a, b wb.ID) int { return score[b] - score[a] })
	return found[:min(len(found), limit)], ctx.Err()
}

// WB-30: entries found by meaning are forced into the scan.
func ExampleRetriever() {
	book := wb.Book{Name: "b", Entries: []wb.Entry{
		{UID: "1", Content: "Wyrms breathe fire and hoard gold", Vectorized: true},
		{UID: "2", Content: "The old king hides his gold", Vectorized: true},
		{UID: "3", Content: "fire gold", Keys: []string{"never said"}},
	}}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	retriever := index(compiled)

	chat := []wb.Message{{Text: "There is fire behind the gold"}}
	forced, err := wb.Retrieve(context.Background(), retriever, chat, 4, 1)
	if err != nil {
		fmt.Println("no lore by meaning on this turn:", err)
	}
	result, _ := compiled.Scan(wb.Input{Messages: chat, ContextSize: 4096, Forced: forced}, wb.State{})
	fmt.Println(len(result.Activated), result.Activated[0].Reason, result.Activated[0].ID)
	// Output: 1 forced b.1
}

// WB-36, WB-37: rules switch and add entries without touching the book.
func ExampleOverlay() {
	book := wb.Book{Name: "b", Entries: []wb.Entry{
		{UID: "1", Keys: []string{"king"}, Content: "The king lives."},
		{UID: "2", Keys: []string{"king"}, Content: "The king is dead.", Disable: true},
	}}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	rumour := wb.Book{Name: "rumours", Entries: []wb.Entry{{UID: "9", Keys: []string{"dead"}, Content: "It was poison."}}}
	result, _ := compiled.Scan(wb.Input{
		Messages: []wb.Message{{Text: "Where is the king?"}}, ContextSize: 4096,
		Overlay: wb.Overlay{
			Switch: map[string]bool{"b.1": false, "b.2": true},
			Add:    []wb.Attachment{{Book: rumour}},
		},
	}, wb.State{})
	for _, a := range result.Activated {
		fmt.Println(a.ID, a.Text)
	}
	// Output:
	// b.2 The king is dead.
	// rumours.9 It was poison.
}

// WB-41: Vet finds mistakes that Compile accepts.
func ExampleCompiled_Vet() {
	settings := wb.Exact()
	book := wb.Book{Name: "b", Entries: []wb.Entry{
		{UID: "1", Keys: []string{"sun"}, Content: "The moon follows."},
		{UID: "2", Keys: []string{"moon"}, Content: "The sun follows."},
		{UID: "2", Keys: []string{"/^star$/"}, Content: "A star.", Group: "sky"},
	}}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: book}}, settings)
	for _, p := range compiled.Vet(4096, nil) {
		fmt.Println(p.Code, p.Path)
	}
	// Output:
	// duplicate_uid b.entries[2].uid
	// dead_key b.entries[2].key[0]
	// unreachable b.entries[2]
	// group_of_one b.entries[2].group
	// recursion_cycle b.entries[0]
}

// An edited entry loses its running effects, as in SillyTavern, unless the host
// adopts the state for the new book.
func ExampleCompiled_Adopt() {
	entry := wb.Entry{UID: "1", Keys: []string{"curse"}, Content: "Cursed.", Sticky: 5}
	compile := func() *wb.Compiled {
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{entry}}}}, wb.Exact())
		return c
	}
	chat := []wb.Message{{Text: "A curse!"}}
	_, state := compile().Scan(wb.Input{Messages: chat, ContextSize: 4096}, wb.State{})

	entry.Content = "Badly cursed."
	edited := compile()
	chat = append(chat, wb.Message{Text: "…"}, wb.Message{Text: "Well."})
	in := wb.Input{Messages: chat, ContextSize: 4096}
	lost, _ := edited.Scan(in, state)
	kept, _ := edited.Scan(in, edited.Adopt(state))
	fmt.Println(len(lost.Activated), len(kept.Activated))
	// Output: 0 1
}

// A host's command can set an effect by hand. In SillyTavern such an effect never
// acts (Q13), so that quirk has to be off.
func ExampleCompiled_SetSticky() {
	settings := wb.Exact()
	settings.QuirksOff = []wb.Quirk{"hand-set-effect"}
	entry := wb.Entry{UID: "1", Keys: []string{"rain"}, Content: "It rains.", Sticky: 4}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{entry}}}}, settings)

	state := compiled.SetSticky(wb.State{}, wb.ID{Book: "b", UID: "1"}, true, 1)
	chat := []wb.Message{{Text: "Hello."}, {Text: "Hi."}}
	result, _ := compiled.Scan(wb.Input{Messages: chat, ContextSize: 4096}, state)
	fmt.Println(result.Activated[0].Reason)
	// Output: sticky
}

// Entries around the author's note.
func ExampleResult_Note() {
	entries := []wb.Entry{
		{UID: "1", Constant: true, Position: wb.PositionNoteTop, Content: "It is night."},
		{UID: "2", Constant: true, Position: wb.PositionInOutlet, OutletName: "map", Content: "North: the sea."},
	}
	result, _ := wb.Scan(entries, nil, wb.State{})
	fmt.Println(result.Note("Stay grim."))
	fmt.Println(result.Outlet("map"))
	// Output:
	// It is night.
	// Stay grim.
	// North: the sea.
}

// With a reused result nothing is allocated.
func ExampleCompiled_ScanInto() {
	entries := []wb.Entry{{UID: "1", Keys: []string{`/dragons?/i`}, Content: "Hot."}}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, wb.Exact())
	var result wb.Result
	var state wb.State
	for _, text := range []string{"Dragons!", "Elves!"} {
		in := wb.Input{Messages: []wb.Message{{Text: text}}, ContextSize: 4096}
		state = compiled.ScanInto(&result, in, state)
		fmt.Println(text, len(result.Activated))
	}
	// Output:
	// Dragons! 1
	// Elves! 0
}

// Members of an old book with an unusual form act as in SillyTavern, and are kept.
func ExampleKept() {
	var e wb.Entry
	_ = json.Unmarshal([]byte(`{"uid": 1, "order": "90", "constant": "false", "sticky": null}`), &e)
	fmt.Println(e.Order, e.Constant)
	e.Order = 80
	text, _ := json.Marshal(e)
	fmt.Println(string(text))
	// Output:
	// 90 true
	// {"uid":1,"constant":"false","order":80,"sticky":null}
}
