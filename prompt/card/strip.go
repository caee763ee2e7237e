package card

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// withoutDecorators returns the book as V2 knows it: without V3 decorators on
// top of the contents and without use_regex. All other members stay as they
// are. A book that is not shaped like one is returned as it is.
func withoutDecorators(book json.RawMessage) json.RawMessage {
	// The raw members are changed rather than a Book, which would leave out
	// optional members that are empty.
	members := membersOf(clean(book))
	var entries any
	switch kindOf(members["entries"]) {
	case aList:
		list := elementsOf(members["entries"])
		for i, e := range list {
			list[i] = entryWithoutDecorators(e)
		}
		entries = list
	case anObject:
		byKey := membersOf(members["entries"])
		for key, e := range byKey {
			byKey[key] = entryWithoutDecorators(e)
		}
		entries = byKey
	default: // also a book that is no object, which has no members
		return book
	}
	members["entries"] = marshalValid(entries)
	return marshalValid(members)
}

// entryWithoutDecorators does the same for one entry.
func entryWithoutDecorators(entry json.RawMessage) json.RawMessage {
	if kindOf(entry) != anObject {
		return entry
	}
	members := membersOf(entry)
	delete(members, "use_regex")
	if kindOf(members["content"]) == aText {
		_, rest, _ := ParseDecorators(unquote(members["content"]))
		members["content"] = marshalValid(rest)
	}
	return marshalValid(members)
}

// marshalValid encodes values made of strings and valid raw JSON, which cannot
// fail.
func marshalValid(v any) json.RawMessage {
	text, _ := openjson.Marshal(v)
	return text
}
