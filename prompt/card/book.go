package card

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/openjson"
)

// Positions of a book entry.
const (
	BeforeChar = "before_char" // before the description of the character
	AfterChar  = "after_char"  // after it
)

// Book is the lorebook of a card. A nil pointer means that the member is missing.
type Book struct {
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// ScanDepth is the number of messages that are searched for keys.
	ScanDepth *int `json:"scan_depth,omitempty"`
	// TokenBudget bounds the text of all active entries together.
	TokenBudget *int `json:"token_budget,omitempty"`
	// RecursiveScanning lets the text of active entries activate others.
	RecursiveScanning *bool                      `json:"recursive_scanning,omitempty"`
	Extensions        map[string]json.RawMessage `json:"extensions"`
	Entries           []BookEntry                `json:"entries"`
	// Extra holds the members that are none of these, or of an unusable type.
	// The former are written back.
	Extra map[string]json.RawMessage `json:"-"`
}

// BookEntry is one entry of a [Book].
type BookEntry struct {
	// Keys activate the entry: any one of them. With UseRegex each is a regular
	// expression, and SecondaryKeys are ignored.
	Keys []string `json:"keys"`
	// Content is the text for the prompt; in V3 with decorators on top, see
	// ParseDecorators.
	Content    string                     `json:"content"`
	Extensions map[string]json.RawMessage `json:"extensions"`
	// Enabled is true when the file does not say.
	Enabled bool `json:"enabled"`
	// InsertionOrder: smaller stands earlier in the prompt.
	InsertionOrder float64 `json:"insertion_order"`
	// CaseSensitive is left to the host when the file does not say.
	CaseSensitive *bool `json:"case_sensitive,omitempty"`
	UseRegex      bool  `json:"use_regex"`
	// Constant entries are always active.
	Constant bool   `json:"constant,omitempty"`
	Name     string `json:"name,omitempty"`
	// Priority: lower is dropped first when the budget is short.
	Priority *float64 `json:"priority,omitempty"`
	// ID is a number or a text, as it stands in the file; nil when missing.
	ID      json.RawMessage `json:"id,omitempty"`
	Comment string          `json:"comment,omitempty"`
	// Selective entries ask for one of the SecondaryKeys besides a key.
	Selective     bool     `json:"selective,omitempty"`
	SecondaryKeys []string `json:"secondary_keys,omitempty"`
	// Position is BeforeChar or AfterChar; AfterChar when missing. Programs
	// write other texts too, which count as AfterChar.
	Position string `json:"position"`
	// Extra holds the members that are none of these, or of an unusable type.
	// The former are written back.
	Extra map[string]json.RawMessage `json:"-"`
}

// Book reads the card's lorebook into fields. The result is false if the card
// has none, or one that is not a JSON object. Its problems are among those that
// decoding the card gave. The card's book is used together with the books of
// the host and has precedence over them.
//
// To change the book, set CharacterBook to the json.Marshal of a changed one.
func (c Card) Book() (Book, bool) {
	var r reader
	return r.book("", clean(c.CharacterBook))
}

// DecodeBook reads a lorebook that stands alone: {"spec": "lorebook_v3", "data":
// book}, or a bare book, which is an object with entries. Reading is as lenient
// as that of cards. Errors: [BadJSON], [NotABook], [TooLarge], [TooDeep].
func DecodeBook(data []byte) (Book, []Problem, error) {
	root, err := decodeRoot(data, "book")
	if err != nil {
		return Book{}, nil, err
	}
	path, members := "", root
	if kindOf(root["spec"]) == aText && unquote(root["spec"]) == specLorebook &&
		kindOf(root["data"]) == anObject {
		path, members = "data", membersOf(root["data"])
	}
	if kindOf(members["entries"]) == aNull {
		return Book{}, nil, notA("book", "it has no entries")
	}
	var r reader
	b := r.bookMembers(path, members)
	return b, r.problems, nil
}

// MarshalJSON writes the book with its Extra members. Optional fields that are
// empty are left out.
func (b Book) MarshalJSON() ([]byte, error) {
	type plain Book
	if b.Extensions == nil {
		b.Extensions = map[string]json.RawMessage{}
	}
	if b.Entries == nil {
		b.Entries = []BookEntry{}
	}
	return openjson.Encode(plain(b), b.Extra)
}

// UnmarshalJSON reads a bare book leniently and drops the problems.
func (b *Book) UnmarshalJSON(data []byte) error {
	members, err := decodeRoot(data, "book")
	if err != nil {
		return err
	}
	var r reader
	*b = r.bookMembers("", members)
	return nil
}

// MarshalJSON writes the entry with its Extra members. Optional fields that are
// empty are left out.
func (e BookEntry) MarshalJSON() ([]byte, error) {
	type plain BookEntry
	if e.Keys == nil {
		e.Keys = []string{}
	}
	if e.Extensions == nil {
		e.Extensions = map[string]json.RawMessage{}
	}
	if e.Position == "" {
		e.Position = AfterChar
	}
	return openjson.Encode(plain(e), e.Extra)
}

// UnmarshalJSON reads an entry leniently and drops the problems.
func (e *BookEntry) UnmarshalJSON(data []byte) error {
	members, err := decodeRoot(data, "book")
	if err != nil {
		return err
	}
	var r reader
	*e = r.entry("", members)
	return nil
}

// book reads a book from a value. The second result is false for other kinds
// than objects.
func (r *reader) book(path string, raw json.RawMessage) (Book, bool) {
	members, ok := r.object(path, raw)
	if !ok {
		return Book{}, false
	}
	return r.bookMembers(path, members), true
}

// bookMembers reads a book from its members, which become Extra. The calls stand
// in the order in which problems are reported.
func (r *reader) bookMembers(path string, members map[string]json.RawMessage) Book {
	at := source{r, path, members}
	b := Book{
		Name:              take(at, "name", (*reader).text),
		Description:       take(at, "description", (*reader).text),
		ScanDepth:         takeOptional(at, "scan_depth", (*reader).count),
		TokenBudget:       takeOptional(at, "token_budget", (*reader).count),
		RecursiveScanning: takeOptional(at, "recursive_scanning", (*reader).truth),
		Extensions:        take(at, "extensions", (*reader).object),
		Entries:           take(at, "entries", (*reader).entries),
	}
	if len(members) > 0 {
		b.Extra = members
	}
	return b
}

// entries reads the list of entries. An object counts as one too: its members
// in the order of their number keys, then the other keys by text.
func (r *reader) entries(path string, raw json.RawMessage) ([]BookEntry, bool) {
	var names []string
	var values map[string]json.RawMessage
	switch kindOf(raw) {
	case aList:
		values = map[string]json.RawMessage{}
		for i, element := range elementsOf(raw) {
			names = append(names, strconv.Itoa(i))
			values[names[i]] = element
		}
	case anObject:
		r.add(BadType, path, "an object where a list is asked; read in the order of its keys")
		values = membersOf(raw)
		names = slices.SortedFunc(maps.Keys(values), compareKeys)
	default:
		r.add(BadType, path, kindOf(raw).String()+" where a list is asked; read as empty")
		return nil, false
	}
	if len(names) > maxBookEntries {
		r.add(TooLarge, path, fmt.Sprintf("%d entries; the first %d are read",
			len(names), maxBookEntries))
		names = names[:maxBookEntries]
	}
	list := make([]BookEntry, 0, len(names))
	for _, name := range names {
		if kindOf(values[name]) == aNull {
			continue
		}
		at := member(path, name)
		if members, ok := r.object(at, values[name]); ok {
			list = append(list, r.entry(at, members))
		}
	}
	return list, true
}

// compareKeys orders whole numbers by value and puts them before other keys.
func compareKeys(a, b string) int {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// entry reads an entry from its members, which become Extra.
func (r *reader) entry(path string, members map[string]json.RawMessage) BookEntry {
	at := source{r, path, members}
	e := BookEntry{
		Keys:           take(at, "keys", (*reader).texts),
		Content:        take(at, "content", (*reader).text),
		Extensions:     take(at, "extensions", (*reader).object),
		Enabled:        takeOr(at, "enabled", true, (*reader).truth),
		InsertionOrder: take(at, "insertion_order", (*reader).number),
		CaseSensitive:  takeOptional(at, "case_sensitive", (*reader).truth),
		UseRegex:       take(at, "use_regex", (*reader).truth),
		Constant:       take(at, "constant", (*reader).truth),
		Name:           take(at, "name", (*reader).text),
		Priority:       takeOptional(at, "priority", (*reader).number),
		ID:             take(at, "id", (*reader).id),
		Comment:        take(at, "comment", (*reader).text),
		Selective:      take(at, "selective", (*reader).truth),
		SecondaryKeys:  take(at, "secondary_keys", (*reader).texts),
		Position:       cmp.Or(take(at, "position", (*reader).text), AfterChar),
	}
	if len(members) > 0 {
		e.Extra = members
	}
	return e
}

// id reads an entry's id, which stays as it is written.
func (r *reader) id(path string, raw json.RawMessage) (json.RawMessage, bool) {
	if k := kindOf(raw); k == aNumber || k == aText {
		return raw, true
	}
	r.add(BadType, path, kindOf(raw).String()+" where an id is asked; read as missing")
	return nil, false
}

// count reads a whole number that fits an int on every platform.
func (r *reader) count(path string, raw json.RawMessage) (int, bool) {
	n, ok := r.whole(path, raw)
	if ok && (n < -1<<31 || n > 1<<31-1) {
		r.add(BadType, path, "a number out of range; read as missing")
		return 0, false
	}
	return int(n), ok
}

// source is an object that fields are taken from. What is left when all are
// taken is what no field could use.
type source struct {
	r       *reader
	path    string
	members map[string]json.RawMessage
}

// take removes the member from its object and returns it as read; the zero
// value if it is missing, null or unreadable. An unreadable one stays.
func take[T any](s source, name string,
	read func(*reader, string, json.RawMessage) (T, bool)) T {
	var zero T
	return takeOr(s, name, zero, read)
}

// takeOr is take with another value than the zero one for what is missing.
func takeOr[T any](s source, name string, otherwise T,
	read func(*reader, string, json.RawMessage) (T, bool)) T {
	if v := takeOptional(s, name, read); v != nil {
		return *v
	}
	return otherwise
}

// takeOptional is take for members whose absence has a meaning.
func takeOptional[T any](s source, name string,
	read func(*reader, string, json.RawMessage) (T, bool)) *T {
	raw := s.members[name]
	if kindOf(raw) == aNull {
		delete(s.members, name)
		return nil
	}
	v, ok := read(s.r, member(s.path, name), raw)
	if !ok {
		return nil
	}
	delete(s.members, name)
	return &v
}
