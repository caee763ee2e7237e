package card

import (
	"encoding/json"

	"github.com/talewright/talewright"
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
	// Extra holds the members that are none of these. It also keeps the value of
	// one of these that is unusable, or an optional one that is empty or null,
	// until that field is set.
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
	// Extra holds the members that are none of these. It also keeps the value of
	// one of these that is null, empty or unusable, until that field is set.
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
func DecodeBook(data []byte) (Book, talewright.Problems, error) {
	var r reader
	root, err := r.root(data, "book")
	if err != nil {
		return Book{}, nil, err
	}
	path, members := "", root
	if kindOf(root["spec"]) == aText && unquote(root["spec"]) == specLorebook &&
		kindOf(root["data"]) == anObject {
		path = "data"
		members, _ = r.object(path, root["data"])
	}
	if kindOf(members["entries"]) == aNull {
		return Book{}, nil, notA("book", "it has no entries")
	}
	b := r.bookMembers(path, members)
	return b, r.problems, nil
}

// MarshalJSON writes the book with its Extra members. Optional fields that are
// empty are left out, unless they were read as such.
func (b Book) MarshalJSON() ([]byte, error) { return encodeMembers(b.members(), b.Extra) }

// members lists the members in the order of writing.
func (b Book) members() []memberValue {
	extensions, entries := b.Extensions, b.Entries
	if extensions == nil {
		extensions = map[string]json.RawMessage{}
	}
	if entries == nil {
		entries = []BookEntry{}
	}
	return []memberValue{
		{"name", b.Name, b.Name != "", false},
		{"description", b.Description, b.Description != "", false},
		{"scan_depth", b.ScanDepth, b.ScanDepth != nil, false},
		{"token_budget", b.TokenBudget, b.TokenBudget != nil, false},
		{"recursive_scanning", b.RecursiveScanning, b.RecursiveScanning != nil, false},
		{"extensions", extensions, len(extensions) > 0, true},
		{"entries", entries, len(entries) > 0, true},
	}
}

// UnmarshalJSON reads a bare book leniently and drops the problems.
func (b *Book) UnmarshalJSON(data []byte) error {
	var r reader
	members, err := r.root(data, "book")
	if err != nil {
		return err
	}
	*b = r.bookMembers("", members)
	return nil
}

// MarshalJSON writes the entry with its Extra members. Optional fields that are
// empty, and a position that is AfterChar, are left out unless they were read as
// such.
func (e BookEntry) MarshalJSON() ([]byte, error) { return encodeMembers(e.members(), e.Extra) }

// members lists the members in the order of writing.
func (e BookEntry) members() []memberValue {
	keys, extensions := e.Keys, e.Extensions
	if keys == nil {
		keys = []string{}
	}
	if extensions == nil {
		extensions = map[string]json.RawMessage{}
	}
	return []memberValue{
		{"keys", keys, len(keys) > 0, true},
		{"content", e.Content, e.Content != "", true},
		{"extensions", extensions, len(extensions) > 0, true},
		{"enabled", e.Enabled, !e.Enabled, true},
		{"insertion_order", e.InsertionOrder, e.InsertionOrder != 0, true},
		{"case_sensitive", e.CaseSensitive, e.CaseSensitive != nil, false},
		{"use_regex", e.UseRegex, e.UseRegex, true},
		{"constant", e.Constant, e.Constant, false},
		{"name", e.Name, e.Name != "", false},
		{"priority", e.Priority, e.Priority != nil, false},
		{"id", e.ID, len(e.ID) > 0, false},
		{"comment", e.Comment, e.Comment != "", false},
		{"selective", e.Selective, e.Selective, false},
		{"secondary_keys", e.SecondaryKeys, len(e.SecondaryKeys) > 0, false},
		{"position", e.Position, e.Position != "" && e.Position != AfterChar, false},
	}
}

// UnmarshalJSON reads an entry leniently and drops the problems.
func (e *BookEntry) UnmarshalJSON(data []byte) error {
	var r reader
	members, err := r.root(data, "book")
	if err != nil {
		return err
	}
	*e = r.entry("", members)
	return nil
}
