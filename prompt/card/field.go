package card

import (
	"encoding/json"
	"slices"
)

// field links a member of an object to a field of T, which is a card, an asset, a book or an entry. One
// table is used for reading, for writing and for the fields of each version, so that they stay
// consistent. Struct tags are not enough: they do not support versions, lenient types, or the
// difference between missing and empty.
type field[T any] struct {
	name  string
	since Spec // the first version of a card that has it
	// optional members are left out if empty. The others are always written.
	optional bool
	// read stores raw, which is not null. If raw is unusable, the field does not change.
	read func(r *reader, path string, raw json.RawMessage, to *T)
	// value returns the value to write, and reports whether it differs from the meaning of a missing
	// member.
	value func(from *T) (v any, set bool)
}

// cardFields lists the members in the order in which they are read, reported and
// written.
var cardFields = slices.Concat(
	since(V1,
		textField("name", func(c *Card) *string { return &c.Name }),
		textField("description", func(c *Card) *string { return &c.Description }),
		textField("personality", func(c *Card) *string { return &c.Personality }),
		textField("scenario", func(c *Card) *string { return &c.Scenario }),
		textField("first_mes", func(c *Card) *string { return &c.FirstMes }),
		textField("mes_example", func(c *Card) *string { return &c.MesExample }),
	),
	since(V2,
		textField("creator_notes", func(c *Card) *string { return &c.CreatorNotes }),
		textField("system_prompt", func(c *Card) *string { return &c.SystemPrompt }),
		textField("post_history_instructions", func(c *Card) *string { return &c.PostHistoryInstructions }),
		listField("alternate_greetings", func(c *Card) *[]string { return &c.AlternateGreetings }, (*reader).texts),
		// The book stays raw. It is read so that its problems are reported together with the problems of
		// the card.
		optional(rawField("character_book", func(c *Card) *json.RawMessage { return &c.CharacterBook }, (*reader).rawBook)),
		listField("tags", func(c *Card) *[]string { return &c.Tags }, (*reader).texts),
		textField("creator", func(c *Card) *string { return &c.Creator }),
		textField("character_version", func(c *Card) *string { return &c.CharacterVersion }),
		extensionsField(func(c *Card) *map[string]json.RawMessage { return &c.Extensions }),
	),
	since(V3,
		optional(textField("nickname", func(c *Card) *string { return &c.Nickname })),
		// An empty list counts as set: there are no assets. A missing list means the default icon.
		optional(fieldOf("assets", func(c *Card) *[]Asset { return &c.Assets }, (*reader).assets,
			func(list []Asset) (any, bool) { return list, list != nil })),
		listField("group_only_greetings", func(c *Card) *[]string { return &c.GroupOnlyGreetings }, (*reader).texts),
		optional(fieldOf("creator_notes_multilingual", func(c *Card) *map[string]string { return &c.CreatorNotesMultilingual },
			(*reader).textMap, func(m map[string]string) (any, bool) { return m, len(m) > 0 })),
		optional(listField("source", func(c *Card) *[]string { return &c.Source }, (*reader).texts)),
		optional(valueField("creation_date", 0, func(c *Card) *int64 { return &c.CreationDate }, (*reader).whole)),
		optional(valueField("modification_date", 0, func(c *Card) *int64 { return &c.ModificationDate }, (*reader).whole)),
	),
)

// fieldsOf returns the fields that are read and written in a version. Fields of newer versions are
// optional. The root of a V1 card has no place for them.
func fieldsOf(spec Spec) []field[Card] {
	var list []field[Card]
	for _, f := range cardFields {
		if spec > V1 || f.since == V1 {
			f.optional = f.optional || f.since > spec
			list = append(list, f)
		}
	}
	return list
}

// fieldNamed returns the field for a member name of a version.
func fieldNamed(name string, spec Spec) (field[Card], bool) {
	for _, f := range cardFields {
		if f.name == name && f.since <= spec {
			return f, true
		}
	}
	return field[Card]{}, false
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

// since sets the first version of fields.
func since(spec Spec, fields ...field[Card]) []field[Card] {
	for i := range fields {
		fields[i].since = spec
	}
	return fields
}

// optional makes a mandatory field an optional one.
func optional[T any](f field[T]) field[T] {
	f.optional = true
	return f
}

// fieldOf is a mandatory member that is stored in one field of T. value returns what is written,
// and reports whether it differs from the meaning of a missing member.
func fieldOf[T, V any](name string, at func(*T) *V,
	read func(*reader, string, json.RawMessage) (V, bool), value func(V) (any, bool)) field[T] {
	return field[T]{
		name: name,
		read: func(r *reader, path string, raw json.RawMessage, to *T) {
			if v, ok := read(r, path, raw); ok {
				*at(to) = v
			}
		},
		value: func(from *T) (any, bool) { return value(*at(from)) },
	}
}

// valueField is a member whose absence means a value.
func valueField[T any, V comparable](name string, absent V, at func(*T) *V,
	read func(*reader, string, json.RawMessage) (V, bool)) field[T] {
	return fieldOf(name, at, read, func(v V) (any, bool) { return v, v != absent })
}

func textField[T any](name string, at func(*T) *string) field[T] {
	return valueField(name, "", at, (*reader).text)
}

// listField is a list, which is written as [] rather than null.
func listField[T, E any](name string, at func(*T) *[]E,
	read func(*reader, string, json.RawMessage) ([]E, bool)) field[T] {
	return fieldOf(name, at, read, func(list []E) (any, bool) {
		if len(list) > 0 {
			return list, true
		}
		return []E{}, false
	})
}

// extensionsField keeps every extension raw: most belong to other programs.
func extensionsField[T any](at func(*T) *map[string]json.RawMessage) field[T] {
	return fieldOf("extensions", at, (*reader).object, func(m map[string]json.RawMessage) (any, bool) {
		if len(m) > 0 {
			return m, true
		}
		return map[string]json.RawMessage{}, false
	})
}

// rawField is a value that stays as written.
func rawField[T any](name string, at func(*T) *json.RawMessage,
	read func(*reader, string, json.RawMessage) (json.RawMessage, bool)) field[T] {
	return fieldOf(name, at, read, func(raw json.RawMessage) (any, bool) { return raw, len(raw) > 0 })
}

// pointerField is an optional member whose absence has a meaning of its own.
func pointerField[T, V any](name string, at func(*T) **V, read func(*reader, string, json.RawMessage) (V, bool)) field[T] {
	point := func(r *reader, path string, raw json.RawMessage) (*V, bool) {
		v, ok := read(r, path, raw)
		return &v, ok
	}
	return optional(fieldOf(name, at, point, func(p *V) (any, bool) { return p, p != nil }))
}

// readFields fills the fields of to from the members of an object. It removes the stored members from the map
// and returns the rest of the map. It returns nil for an empty rest.
func readFields[T any](r *reader, path string, members map[string]json.RawMessage, fields []field[T],
	to *T) map[string]json.RawMessage {
	for _, f := range fields {
		f.take(r, path, members, to)
	}
	if len(members) == 0 {
		return nil
	}
	return members
}

// take fills the field of to from its member, and removes the member. A member whose value the field
// does not write back stays: a value that the field could not store, and an empty optional one.
func (f field[T]) take(r *reader, path string, members map[string]json.RawMessage, to *T) {
	raw := members[f.name]
	if kindOf(raw) != isNull {
		f.read(r, member(path, f.name), raw, to)
	}
	if v, set := f.value(to); set || !f.optional && (kindOf(raw) == isNull || sameText(raw, marshalValid(v))) {
		delete(members, f.name)
	}
}
