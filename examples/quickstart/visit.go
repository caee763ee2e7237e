package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// visit makes a campaign from the player's own book and card: one player, no map, and a script that
// mentions the topics of the book.
func (l *loaded) visit(o options) (imports.Start, talewright.Problems, error) {
	options := imports.Options{ID: "visit", Player: l.texts.traveller}
	start, errs := imports.Begin(options), []error(nil)
	var problems talewright.Problems
	own := func(file string, read func(data []byte) talewright.Problems) {
		data, err := os.ReadFile(file)
		if e, ok := errors.AsType[*os.PathError](err); ok {
			err = fmt.Errorf("cannot be read: %w; check the path", e.Err)
		}
		if err == nil {
			found := read(data)
			problems, err = append(problems, found...), found.Err()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
		}
	}
	if o.card != "" {
		own(o.card, func(data []byte) (odd talewright.Problems) { start, odd = imports.Parse(data, options); return odd })
	}
	if o.book != "" {
		name := strings.TrimSuffix(filepath.Base(o.book), filepath.Ext(o.book))
		own(o.book, func(data []byte) talewright.Problems { return start.AddBook(name, data) })
	}
	if len(errs) > 0 {
		return start, problems, errors.Join(errs...)
	}
	var err error
	start.Setup.Variables, err = tree.ParseDocument([]byte(`{"stat_data": {}, "assa_data": {}}`)) // for the commands of the model
	start.Setup.Title, l.script = "Visit", visitScript(l.texts, start)
	return start, problems, err
}

// foreign reports whether the player uses their own book or card.
func (o options) foreign() bool { return o.book != "" || o.card != "" }

// where returns the folder of the campaign.
func (o options) where() string {
	if o.folder != "" {
		return o.folder
	}
	return "campaigns/" + o.lang
}

// file returns the name of the file that a part of the content was read from.
func (o options) file(path string) string {
	part := path[:max(strings.IndexAny(path+".", ".[("), 0)]
	if part == "books" {
		part = "book"
	}
	switch {
	case part == "book" && o.book != "":
		return o.book
	case o.foreign():
		return o.card
	}
	return o.where() + ": " + part + ".json"
}

// visitScript makes a script that mentions the topics of the books: one line for each entry with a
// key, and simple answers of the model.
func visitScript(w words, start imports.Start) []step {
	topics := topicsOf(start.Content.Lore.Books)
	const turns = 12
	var out []step
	for i := range turns {
		say, answer := w.smallTalk[i%len(w.smallTalk)], w.smallAnswer
		if i < len(topics) {
			say = fmt.Sprintf(w.askAbout, topics[i])
		}
		outputs := []json.RawMessage{quoted(answer)}
		if i == 5 { // a contradiction, and its repair
			call := `{"text": %s, "tool_calls": [{"id": "call_001", "tool": "hp_delta", ` +
				`"args": {"target_character_id": %s, "delta": -2, "cause": "a fall"}}]}`
			outputs = []json.RawMessage{quoted(w.stumble), json.RawMessage(
				fmt.Sprintf(call, quoted(w.stumble), quoted(start.Setup.Characters[0].ID)))}
		}
		out = append(out, step{Say: say, Outputs: outputs})
		if i == 8 {
			out = append(out, step{Do: "rollback", To: "turn_0007"}, step{Do: "undo"})
		}
	}
	return out
}

// topicsOf returns the first usable key of each entry.
func topicsOf(books []worldbook.Attachment) (topics []string) {
	for _, b := range books {
		for _, e := range b.Book.Entries {
			at := slices.IndexFunc(e.Keys, func(key string) bool {
				key = strings.TrimSpace(key)
				return key != "" && !strings.HasPrefix(key, "/")
			})
			if at < 0 {
				continue
			}
			if key := strings.TrimSpace(e.Keys[at]); !slices.Contains(topics, key) {
				topics = append(topics, key)
			}
		}
	}
	return topics
}

func quoted(text string) json.RawMessage {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return data
}
