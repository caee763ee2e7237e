package card

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// Positions of a book entry.
const (
	beforeChar = "before_char" // before the description of the character
	afterChar  = "after_char"  // after it
)

// Book is the lorebook of a card. A nil pointer means that the member is missing.
type Book struct {
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// ScanDepth is the number of messages that are searched for keys.
	ScanDepth *int `json:"scan_depth,omitempty"`
	// TokenBudget limits the text of all active entries together.
	TokenBudget *int `json:"token_budget,omitempty"`
	// RecursiveScanning lets the text of active entries activate other entries.
	RecursiveScanning *bool                      `json:"recursive_scanning,omitempty"`
	Extensions        map[string]json.RawMessage `json:"extensions"`
	Entries           []BookEntry                `json:"entries"`
	// Extra has the other members. It also keeps unusable values of the fields above, and optional
	// values that are empty or null, until the field is set.
	Extra map[string]json.RawMessage `json:"-"`
}

// BookEntry is one entry of a [Book].
type BookEntry struct {
	// Keys activate the entry; one is enough. With UseRegex each is a regular expression, and
	// SecondaryKeys are ignored.
	Keys []string `json:"keys"`
	// Content is the text for the prompt; in V3 with decorators on top, see
	// [worldbook.ParseDecorators].
	Content    string                     `json:"content"`
	Extensions map[string]json.RawMessage `json:"extensions"`
	// Enabled is true if the file does not contain it.
	Enabled bool `json:"enabled"`
	// InsertionOrder: entries with smaller numbers come earlier in the prompt.
	InsertionOrder float64 `json:"insertion_order"`
	// CaseSensitive is nil if the file does not contain it; the host decides.
	CaseSensitive *bool `json:"case_sensitive,omitempty"`
	UseRegex      bool  `json:"use_regex"`
	// Constant entries are always active.
	Constant bool   `json:"constant,omitempty"`
	Name     string `json:"name,omitempty"`
	// Priority: entries with lower numbers are dropped first when the budget is short.
	Priority *float64 `json:"priority,omitempty"`
	// ID is a number or a text, as written in the file; nil if missing.
	ID      json.RawMessage `json:"id,omitempty"`
	Comment string          `json:"comment,omitempty"`
	// Selective entries need one of the SecondaryKeys in addition to a key.
	Selective     bool     `json:"selective,omitempty"`
	SecondaryKeys []string `json:"secondary_keys,omitempty"`
	// Position is before_char or after_char; after_char if missing. Programs also write other
	// texts, which count as after_char.
	Position string `json:"position"`
	// Extra has the other members. It also keeps the value of a field above that is null, empty or
	// unusable, until that field is set.
	Extra map[string]json.RawMessage `json:"-"`
}

// Book reads the card's lorebook into fields. It returns false if the card has no lorebook, or if
// its lorebook is not a JSON object. Decoding the card already reported the problems of the book.
// The card's book is used together with the books of the host and has precedence over them.
//
// To change the book, set CharacterBook to the json.Marshal of a changed one.
func (c Card) Book() (Book, bool) {
	var r reader
	return r.book("", clean(c.CharacterBook))
}

// ParseBook reads a stand-alone lorebook: {"spec": "lorebook_v3", "data": book}, or only a book,
// which is an object with entries. Reading is as lenient as for cards. Fatal problems: "bad_json",
// "not_a_book", "too_large", "too_deep".
func ParseBook(data []byte) (Book, talewright.Problems) {
	var r reader
	root, err := r.root(data, "book")
	if err != nil {
		return Book{}, fatal(err)
	}
	path, members := "", root
	if kindOf(root["spec"]) == isText && openjson.Unquote(root["spec"]) == specLorebook &&
		kindOf(root["data"]) == isObject {
		path = "data"
		members, _ = r.object(path, root["data"])
	}
	if kindOf(members["entries"]) == isNull {
		return Book{}, fatal(notA("book", "it has no entries"))
	}
	b := r.bookMembers(path, members)
	return b, r.problems
}

// MarshalJSON writes the book with its Extra members. Empty optional fields are left out, unless
// they were read as empty.
func (b Book) MarshalJSON() ([]byte, error) { return encodeFields(bookFields, &b, b.Extra) }

// bookFields lists the members in the order of reading and writing.
var bookFields = []field[Book]{
	optional(textField("name", func(b *Book) *string { return &b.Name })),
	optional(textField("description", func(b *Book) *string { return &b.Description })),
	pointerField("scan_depth", func(b *Book) **int { return &b.ScanDepth }, (*reader).count),
	pointerField("token_budget", func(b *Book) **int { return &b.TokenBudget }, (*reader).count),
	pointerField("recursive_scanning", func(b *Book) **bool { return &b.RecursiveScanning }, (*reader).truth),
	extensionsField(func(b *Book) *map[string]json.RawMessage { return &b.Extensions }),
	listField("entries", func(b *Book) *[]BookEntry { return &b.Entries }, (*reader).entries),
}

// UnmarshalJSON reads a book without a wrapper leniently and discards the problems.
func (b *Book) UnmarshalJSON(data []byte) error {
	var r reader
	members, err := r.root(data, "book")
	if err != nil {
		return err
	}
	*b = r.bookMembers("", members)
	return nil
}

// MarshalJSON writes the entry with its Extra members. Empty optional fields and the position
// after_char are left out, unless they were read so.
func (e BookEntry) MarshalJSON() ([]byte, error) { return encodeFields(entryFields, &e, e.Extra) }

// entryFields lists the members in the order of reading and writing.
var entryFields = []field[BookEntry]{
	listField("keys", func(e *BookEntry) *[]string { return &e.Keys }, (*reader).texts),
	textField("content", func(e *BookEntry) *string { return &e.Content }),
	extensionsField(func(e *BookEntry) *map[string]json.RawMessage { return &e.Extensions }),
	valueField("enabled", true, func(e *BookEntry) *bool { return &e.Enabled }, (*reader).truth),
	valueField("insertion_order", 0, func(e *BookEntry) *float64 { return &e.InsertionOrder }, (*reader).number),
	pointerField("case_sensitive", func(e *BookEntry) **bool { return &e.CaseSensitive }, (*reader).truth),
	valueField("use_regex", false, func(e *BookEntry) *bool { return &e.UseRegex }, (*reader).truth),
	optional(valueField("constant", false, func(e *BookEntry) *bool { return &e.Constant }, (*reader).truth)),
	optional(textField("name", func(e *BookEntry) *string { return &e.Name })),
	pointerField("priority", func(e *BookEntry) **float64 { return &e.Priority }, (*reader).number),
	optional(rawField("id", func(e *BookEntry) *json.RawMessage { return &e.ID }, (*reader).id)),
	optional(textField("comment", func(e *BookEntry) *string { return &e.Comment })),
	optional(valueField("selective", false, func(e *BookEntry) *bool { return &e.Selective }, (*reader).truth)),
	optional(listField("secondary_keys", func(e *BookEntry) *[]string { return &e.SecondaryKeys }, (*reader).texts)),
	optional(fieldOf("position", func(e *BookEntry) *string { return &e.Position }, (*reader).text,
		func(s string) (any, bool) { return s, s != "" && s != afterChar })),
}

// UnmarshalJSON reads an entry leniently and discards the problems.
func (e *BookEntry) UnmarshalJSON(data []byte) error {
	var r reader
	members, err := r.root(data, "book")
	if err != nil {
		return err
	}
	*e = r.entry("", members)
	return nil
}

// book reads a book from a value. The second result is false if the value is not an object.
func (r *reader) book(path string, raw json.RawMessage) (Book, bool) {
	members, ok := r.object(path, raw)
	if !ok {
		return Book{}, false
	}
	return r.bookMembers(path, members), true
}

// rawBook reports the problems of a book and returns it unchanged.
func (r *reader) rawBook(path string, raw json.RawMessage) (json.RawMessage, bool) {
	_, ok := r.book(path, raw)
	return raw, ok
}

// bookMembers reads a book from its members, which become Extra.
func (r *reader) bookMembers(path string, members map[string]json.RawMessage) (b Book) {
	b.Extra = readFields(r, path, members, bookFields, &b)
	return b
}

// entries reads the list of entries. An object is accepted as a list: its members in JavaScript's
// order, which is number keys ascending and then the others as written.
func (r *reader) entries(path string, raw json.RawMessage) ([]BookEntry, bool) {
	var names []string
	var values []json.RawMessage
	switch kindOf(raw) {
	case isList:
		values = elementsOf(raw)
	case isObject:
		r.add(codeBadType, path, "an object where a list is expected; read in the order of its keys")
		r.object(path, raw) // reports repeated names
		for _, m := range openjson.Members(raw) {
			names, values = append(names, m.Name), append(values, m.Value)
		}
	default:
		r.add(codeBadType, path, kindOf(raw)+" where a list is expected; read as empty")
		return nil, false
	}
	if len(values) > maxBookEntries {
		r.add(codeTooLarge, path, fmt.Sprintf("%d entries; the first %d are read", len(values), maxBookEntries))
		values = values[:maxBookEntries]
	}
	return objects(r, path, values, names, r.entry), true
}

// entry reads an entry from its members, which become Extra.
func (r *reader) entry(path string, members map[string]json.RawMessage) BookEntry {
	e := BookEntry{Enabled: true}
	e.Extra = readFields(r, path, members, entryFields, &e)
	e.Position = cmp.Or(e.Position, afterChar)
	return e
}

// id reads an entry's ID, which stays as written.
func (r *reader) id(path string, raw json.RawMessage) (json.RawMessage, bool) {
	if k := kindOf(raw); k == isNumber || k == isText {
		return raw, true
	}
	r.add(codeBadType, path, kindOf(raw)+" where an id is expected; read as missing")
	return nil, false
}

// count reads a whole number that fits in an int on every platform.
func (r *reader) count(path string, raw json.RawMessage) (int, bool) {
	n, ok := r.whole(path, raw)
	if ok && (n < -1<<31 || n > 1<<31-1) {
		r.add(codeBadType, path, "a number out of range; read as missing")
		return 0, false
	}
	return int(n), ok
}

// WorldBook converts the card's lorebook into a world book that can be compiled and scanned.
// [format.ParseCard] describes the conversion and its problems. A book without a name gets the
// character's name, because names distinguish books. A card without a lorebook gives an empty book.
//
// The conversion is SillyTavern's, which ignores use_regex. For the behaviour of the V3
// specification, pass CharacterBook to [format.ParseLorebookV3].
func (c Card) WorldBook() (worldbook.Book, talewright.Problems) {
	if len(c.CharacterBook) == 0 {
		return worldbook.Book{Name: c.Name}, nil
	}
	book, problems := format.ParseCard(c.CharacterBook)
	if book.Name == "" && problems.Err() == nil {
		book.Name = c.Name
	}
	return book, problems
}
