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

// textField is a text. It is mandatory in every version that has it.
func textField(name string, since Spec, at func(*Card) *string) cardField {
	return cardField{
		name: name, since: since,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) (ok bool) {
			*at(c), ok = r.text(path, raw)
			return ok
		},
		value: func(c *Card) (any, bool) { return *at(c), *at(c) != "" },
	}
}

// listField is a list of texts. It is written as [] rather than null.
func listField(name string, since Spec, at func(*Card) *[]string) cardField {
	return cardField{
		name: name, since: since,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) (ok bool) {
			*at(c), ok = r.texts(path, raw)
			return ok
		},
		value: func(c *Card) (any, bool) {
			if list := *at(c); len(list) > 0 {
				return list, true
			}
			return []string{}, false
		},
	}
}

// dateField is a time in Unix seconds; 0 means unknown.
func dateField(name string, at func(*Card) *int64) cardField {
	return cardField{
		name: name, since: V3, optional: true,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) (ok bool) {
			*at(c), ok = r.whole(path, raw)
			return ok
		},
		value: func(c *Card) (any, bool) { return *at(c), *at(c) != 0 },
	}
}

// extensionsField keeps every extension raw: most belong to other programs.
func extensionsField() cardField {
	return cardField{
		name: "extensions", since: V2,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) (ok bool) {
			c.Extensions, ok = r.object(path, raw)
			return ok
		},
		value: func(c *Card) (any, bool) {
			if len(c.Extensions) > 0 {
				return c.Extensions, true
			}
			return map[string]json.RawMessage{}, false
		},
	}
}

// notesField has the notes by language code.
func notesField() cardField {
	return cardField{
		name: "creator_notes_multilingual", since: V3, optional: true,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) (ok bool) {
			c.CreatorNotesMultilingual, ok = r.textMap(path, raw)
			return ok
		},
		value: func(c *Card) (any, bool) {
			return c.CreatorNotesMultilingual, len(c.CreatorNotesMultilingual) > 0
		},
	}
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
	return cardField{
		name: "assets", since: V3, optional: true,
		read: func(r *reader, path string, raw json.RawMessage, c *Card) (ok bool) {
			c.Assets, ok = r.assets(path, raw)
			return ok
		},
		value: func(c *Card) (any, bool) { return c.Assets, c.Assets != nil },
	}
}
