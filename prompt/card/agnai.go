package card

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// agnaiNames are the names that Agnai gives to the members of a V2 card.
var agnaiNames = [][2]string{{"greeting", "first_mes"}, {"sampleChat", "mes_example"}, {"systemPrompt", "system_prompt"},
	{"postHistoryInstructions", "post_history_instructions"}, {"alternateGreetings", "alternate_greetings"},
	{"characterVersion", "character_version"}}

// isAgnai reports whether a root object is a character of Agnai: it has a persona with attributes.
func isAgnai(root map[string]json.RawMessage) bool {
	return kindOf(root["name"]) == isText && kindOf(root["persona"]) == isObject
}

// agnai reads a character of Agnai as a V2 card. Its description is a note for people; what the
// model reads is the persona.
func (r *reader) agnai(root map[string]json.RawMessage) Card {
	data := renamed(root, agnaiNames)
	if notes, ok := data["description"]; ok && kindOf(data["creator_notes"]) == isNull {
		data["creator_notes"] = notes
	}
	data["description"] = marshalValid(persona(root["persona"]))
	if book := agnaiBook(root["characterBook"]); book != nil {
		data["character_book"] = book
		delete(data, "characterBook")
	}
	c := Card{Spec: V2}
	r.members(&c, "", data)
	return c
}

// persona returns the text of a persona: its attributes, one on a line, in the order of the file. The
// attribute text is written without its name.
func persona(raw json.RawMessage) string {
	var p struct{ Attributes json.RawMessage }
	_ = json.Unmarshal(raw, &p) // without attributes the text is empty
	var lines []string
	for _, m := range openjson.Members(p.Attributes) {
		var values []string
		if json.Unmarshal(m.Value, &values) != nil && kindOf(m.Value) == isText {
			values = []string{openjson.Unquote(m.Value)}
		}
		line := strings.Join(values, ", ")
		if m.Name != "text" && line != "" {
			line = m.Name + ": " + line
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// agnaiBook returns a memory book of Agnai in the form of a card, nil if there is none.
func agnaiBook(raw json.RawMessage) json.RawMessage {
	var book struct {
		Name    string            `json:"name"`
		Entries []json.RawMessage `json:"entries"`
	}
	if json.Unmarshal(raw, &book) != nil || len(book.Entries) == 0 {
		return nil
	}
	out := map[string]any{"name": book.Name, "extensions": struct{}{}}
	var entries []map[string]any
	for _, e := range book.Entries {
		var old map[string]json.RawMessage
		if json.Unmarshal(e, &old) != nil {
			continue
		}
		entry := map[string]any{"extensions": struct{}{}}
		for name, from := range map[string]string{"keys": "keywords", "content": "entry", "comment": "name",
			"insertion_order": "weight", "enabled": "enabled", "priority": "priority"} {
			if v, ok := old[from]; ok {
				entry[name] = v
			}
		}
		entries = append(entries, entry)
	}
	out["entries"] = entries
	return marshalValid(out)
}
