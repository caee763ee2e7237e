package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// UpdateEntry changes an entry of the world book from now on: an entry of a book, or an entry that
// was added during play. Absent members do not change.
type UpdateEntry struct {
	ID       string   `json:"entryId"` // book and uid, or only a uid
	Name     *string  `json:"name,omitempty"`
	Content  *string  `json:"content,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	Priority *int     `json:"priority,omitempty"`
	AlwaysOn *bool    `json:"alwaysOn,omitempty"`
	// Literal is as in [AddEntry]; it then applies to the whole entry.
	Literal bool `json:"literal,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "update-entry".
func (UpdateEntry) EffectType() string { return "update-entry" }

func (UpdateEntry) effect() {}

func (e UpdateEntry) asData() Effect {
	e.Literal = true
	return e
}

// entry changes or removes an entry. A text is its new content, an object contains the new members,
// and false removes it.
func (k command) entry(id string) {
	text, isText := k.value.AsText()
	on, isFlag := k.value.AsBool()
	switch {
	case isText:
		k.toHost(UpdateEntry{ID: id, Content: &text})
	case isFlag && !on:
		k.removeEntry(id)
	case k.value.IsObject():
		k.toHost(updateOf(id, k.value))
	default:
		k.refuse("a text, an object or false")
	}
}

// updateOf reads the object form.
func updateOf(id string, v tree.Value) UpdateEntry {
	f := authorjson.Of(v)
	e := UpdateEntry{ID: id, Priority: f.Whole("priority"), AlwaysOn: f.Flag("alwaysOn")}
	if name, ok := f.Peek("name").AsText(); ok {
		e.Name = &name
	}
	if content, ok := f.Peek("content").AsText(); ok {
		e.Content = &content
	}
	for _, k := range f.Peek("keywords").Elements() {
		if key, ok := k.AsText(); ok {
			e.Keywords = append(e.Keywords, key)
		}
	}
	return e
}
