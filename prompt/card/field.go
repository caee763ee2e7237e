package card

import "encoding/json"

// cardField links a member of the data object to a field of Card. One table is used for reading,
// for writing and for the fields of each version, so that they stay consistent. Struct tags are not
// enough: they do not support versions, lenient types, or the difference between missing and empty.
type cardField struct {
	name  string
	since Spec
	// optional members are left out if empty. The others are always written, from their first
	// version on.
	optional bool
	// read stores raw, which is not null, and reports whether that was possible.
	read func(r *reader, path string, raw json.RawMessage, c *Card) bool
	// value returns the value to write, and reports whether it is not the empty value.
	value func(c *Card) (v any, set bool)
}

// cardFields lists the members in the order in which they are read, reported and
// written.
var cardFields = []cardField{
	textField("name", V1, func(c *Card) *string { return &c.Name }),
	textField("description", V1, func(c *Card) *string { return &c.Description }),
	textField("personality", V1, func(c *Card) *string { return &c.Personality }),
	textField("scenario", V1, func(c *Card) *string { return &c.Scenario }),
	textField("first_mes", V1, func(c *Card) *string { return &c.FirstMes }),
	textField("mes_example", V1, func(c *Card) *string { return &c.MesExample }),

	textField("creator_notes", V2, func(c *Card) *string { return &c.CreatorNotes }),
	textField("system_prompt", V2, func(c *Card) *string { return &c.SystemPrompt }),
	textField("post_history_instructions", V2,
		func(c *Card) *string { return &c.PostHistoryInstructions }),
	listField("alternate_greetings", V2, func(c *Card) *[]string { return &c.AlternateGreetings }),
	bookField(),
	listField("tags", V2, func(c *Card) *[]string { return &c.Tags }),
	textField("creator", V2, func(c *Card) *string { return &c.Creator }),
	textField("character_version", V2, func(c *Card) *string { return &c.CharacterVersion }),
	extensionsField(),

	optional(textField("nickname", V3, func(c *Card) *string { return &c.Nickname })),
	assetsField(),
	listField("group_only_greetings", V3, func(c *Card) *[]string { return &c.GroupOnlyGreetings }),
	notesField(),
	optional(listField("source", V3, func(c *Card) *[]string { return &c.Source })),
	dateField("creation_date", func(c *Card) *int64 { return &c.CreationDate }),
	dateField("modification_date", func(c *Card) *int64 { return &c.ModificationDate }),
}

// fieldNamed returns the field for a member name of a version.
func fieldNamed(name string, spec Spec) (cardField, bool) {
	for _, f := range cardFields {
		if f.name == name && f.since <= spec {
			return f, true
		}
	}
	return cardField{}, false
}

// beyond returns the names of the non-empty fields that a version does not have.
func (c *Card) beyond(spec Spec) []string {
	var names []string
	for _, f := range cardFields {
		if _, set := f.value(c); set && f.since > spec {
			names = append(names, f.name)
		}
	}
	return names
}

// optional makes a mandatory field an optional one.
func optional(f cardField) cardField {
	f.optional = true
	return f
}

// fieldOf is a mandatory member that is stored in one field of Card. value returns what is written,
// and reports whether it is not the empty value.
func fieldOf[T any](name string, since Spec, at func(*Card) *T,
	read func(*reader, string, json.RawMessage) (T, bool), value func(T) (any, bool)) cardField {
	return cardField{
		name: name, since: since,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) (ok bool) {
			*at(c), ok = read(r, path, raw)
			return ok
		},
		value: func(c *Card) (any, bool) { return value(*at(c)) },
	}
}

// textField is a text. It is mandatory in every version that has it.
func textField(name string, since Spec, at func(*Card) *string) cardField {
	return fieldOf(name, since, at, (*reader).text, func(s string) (any, bool) { return s, s != "" })
}

// listField is a list of texts. It is written as [] rather than null.
func listField(name string, since Spec, at func(*Card) *[]string) cardField {
	return fieldOf(name, since, at, (*reader).texts, func(list []string) (any, bool) {
		if len(list) > 0 {
			return list, true
		}
		return []string{}, false
	})
}

// dateField is a time in Unix seconds; 0 means unknown.
func dateField(name string, at func(*Card) *int64) cardField {
	return optional(fieldOf(name, V3, at, (*reader).whole, func(n int64) (any, bool) { return n, n != 0 }))
}

// extensionsField keeps every extension raw: most belong to other programs.
func extensionsField() cardField {
	at := func(c *Card) *map[string]json.RawMessage { return &c.Extensions }
	return fieldOf("extensions", V2, at, (*reader).object, func(m map[string]json.RawMessage) (any, bool) {
		if len(m) > 0 {
			return m, true
		}
		return map[string]json.RawMessage{}, false
	})
}

// notesField has the notes by language code.
func notesField() cardField {
	at := func(c *Card) *map[string]string { return &c.CreatorNotesMultilingual }
	return optional(fieldOf("creator_notes_multilingual", V3, at, (*reader).textMap,
		func(m map[string]string) (any, bool) { return m, len(m) > 0 }))
}

// bookField keeps the book raw, but reads it once so that its problems are reported together with
// the problems of the card.
func bookField() cardField {
	return cardField{
		name: "character_book", since: V2, optional: true,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) bool {
			if _, ok := r.book(path, raw); !ok {
				return false
			}
			c.CharacterBook = raw
			return true
		},
		value: func(c *Card) (any, bool) { return c.CharacterBook, len(c.CharacterBook) > 0 },
	}
}

// assetsField counts an empty list as set: it means that there are no assets, while a missing list
// means the default icon.
func assetsField() cardField {
	at := func(c *Card) *[]Asset { return &c.Assets }
	return optional(fieldOf("assets", V3, at, (*reader).assets, func(list []Asset) (any, bool) { return list, list != nil }))
}
