package card

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
)

// EncodeOptions say how to write a card.
type EncodeOptions struct {
	// DropNewer leaves out the fields that the written version does not have, and removes V3
	// decorators from lorebook entries below V3. Without it they are written as well: readers skip
	// unknown fields. V1, whose root has no place for them, then refuses the card.
	DropNewer bool
}

// Encode returns the card as JSON of the given version. Texts keep <, > and & unescaped.
//
// Mandatory fields are always written, optional fields if they are not empty. The members of Extra
// follow in the order of their names, and at the root RootCopies and RootExtra. Decoding the result
// gives the same card, except for the version and the fields that DropNewer left out.
//
// Errors, all of type [*Error]: "would_lose" for a card with data that V1 cannot store, unless
// DropNewer is set. "bad_json" for a raw value that is not JSON. "bad_version" for a spec other
// than 1, 2, 3.
func Encode(c Card, spec Spec, opts EncodeOptions) ([]byte, error) {
	switch spec {
	case V1:
		return encodeV1(c, opts)
	case V2, V3:
		return encodeWrapped(c, spec, opts)
	}
	return nil, fail(codeBadVersion, "there is no card version "+strconv.Itoa(int(spec))+
		". Use card.V1, card.V2 or card.V3")
}

// encodeV1 writes all members at the root. RootExtra comes last; content members of the same name
// override it, because it may have stale copies.
func encodeV1(c Card, opts EncodeOptions) ([]byte, error) {
	if names := c.beyond(V1); len(names) > 0 && !opts.DropNewer {
		return nil, fail(codeWouldLose, "a V1 card has no place for "+strings.Join(names, ", ")+
			". Write V2 or V3, or ask to drop these fields")
	}
	o := newObject()
	for _, m := range contentOf(c, V1, opts) {
		o.add(m.name, m.value)
	}
	for _, name := range slices.Sorted(maps.Keys(c.RootExtra)) {
		_, inV1 := fieldNamed(name, V1)
		if _, inContent := c.Extra[name]; !inV1 && !inContent && !isWrapper(name) {
			o.add(name, c.RootExtra[name])
		}
	}
	return o.end()
}

// encodeWrapped writes the content into data, and the root members next to it.
func encodeWrapped(c Card, spec Spec, opts EncodeOptions) ([]byte, error) {
	if opts.DropNewer && spec < V3 {
		c.CharacterBook = withoutDecorators(c.CharacterBook)
	}
	content := contentOf(c, spec, opts)
	o, data := newObject(), newObject()
	for _, m := range content {
		data.add(m.name, m.value)
	}
	inner, err := data.end()
	if err != nil {
		return nil, err
	}
	name, version := specV3, "3.0"
	if spec == V2 {
		name, version = specV2, "2.0"
	}
	if c.Spec == spec && c.SpecVersion != "" {
		version = c.SpecVersion
	}
	o.add("spec", name)
	o.add("spec_version", version)
	o.addText("data", inner)
	// Copies and other members share one order: a change of the content can turn a member from one
	// kind into the other.
	root := map[string]any{}
	for name, value := range c.RootExtra {
		if !isWrapper(name) {
			root[name] = value
		}
	}
	for _, name := range c.RootCopies {
		delete(root, name)
	}
	for _, m := range content {
		if slices.Contains(c.RootCopies, m.name) {
			root[m.name] = m.value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(root)) {
		o.add(name, root[name])
	}
	return o.end()
}

// contentOf returns the members of the content object, in order: the members of the data object, or
// in V1 of the root.
func contentOf(c Card, spec Spec, opts EncodeOptions) []namedValue {
	fields := fieldsOf(spec)
	if opts.DropNewer {
		fields = slices.DeleteFunc(fields, func(f field[Card]) bool { return f.since > spec })
	}
	list := fieldValues(fields, &c, c.Extra)
	for _, name := range slices.Sorted(maps.Keys(c.Extra)) {
		if !leftOut(name, c.Spec, spec, opts) {
			list = append(list, namedValue{name, c.Extra[name]})
		}
	}
	return list
}

// leftOut reports whether a kept member does not belong to a card of a different version.
func leftOut(name string, from, to Spec, opts EncodeOptions) bool {
	f, known := fieldNamed(name, V3)
	switch {
	case known && (to > V1 || f.since == V1):
		return true // it is a field, and written as one
	case known && from != V1 && opts.DropNewer:
		return true // in a V1 card the same name is an ordinary member
	}
	return isWrapper(name) && to == V1 && from != V1 // it would turn the card into a different version
}

// isWrapper reports whether a root member belongs to the form of V2 and V3.
func isWrapper(name string) bool {
	return name == "spec" || name == "spec_version" || name == "data"
}

// withoutDecorators returns the book in V2 form: without V3 decorators at the top of the contents
// and without use_regex. All other members stay as they are. A value that does not have the form of
// a book is returned unchanged.
func withoutDecorators(book json.RawMessage) json.RawMessage {
	// The raw members are changed, not a Book, because a Book would leave out empty optional
	// members.
	members := membersOf(clean(book))
	var entries any
	switch kindOf(members["entries"]) {
	case isList:
		list := elementsOf(members["entries"])
		for i, e := range list {
			list[i] = entryWithoutDecorators(e)
		}
		entries = list
	case isObject:
		byKey := membersOf(members["entries"])
		for key, e := range byKey {
			byKey[key] = entryWithoutDecorators(e)
		}
		entries = byKey
	default: // also a book that is not an object: it has no members
		return book
	}
	members["entries"] = marshalValid(entries)
	return marshalValid(members)
}

// entryWithoutDecorators is withoutDecorators for one entry.
func entryWithoutDecorators(entry json.RawMessage) json.RawMessage {
	if kindOf(entry) != isObject {
		return entry
	}
	members := membersOf(entry)
	delete(members, "use_regex")
	if kindOf(members["content"]) == isText {
		_, rest, _ := worldbook.ParseDecorators(openjson.Unquote(members["content"]))
		members["content"] = marshalValid(rest)
	}
	return marshalValid(members)
}

// MarshalJSON writes the card in the form that Spec names. A V1 card that now has more than V1 can
// store is written as V2, so that no field is lost.
func (c Card) MarshalJSON() ([]byte, error) {
	spec := c.Spec
	switch {
	case spec == 0:
		spec = V3
	case spec == V1 && len(c.beyond(V1)) > 0:
		spec = V2
	}
	return Encode(c, spec, EncodeOptions{})
}
