package worldbook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// Book is one world info file: entries in file order.
//
// Its JSON is SillyTavern's: {"name": ..., "entries": {"0": {...}, ...}}.
// Decoding takes entries in JavaScript property order: integer-like names ascending, then the
// others as written. A list of entries is also accepted.
type Book struct {
	// Name identifies the book. It is the first half of each entry's [ID].
	Name string
	// Entries are in file order. Entries of equal order keep it.
	Entries []Entry
	// Extra holds the other members of the file.
	Extra map[string]json.RawMessage
}

// ID names an entry: its book and its uid.
type ID struct {
	Book string `json:"book"`
	UID  string `json:"uid"`
}

// String returns "book.uid", the key of the entry's records in a [State].
func (id ID) String() string { return id.Book + "." + id.UID }

// UnmarshalJSON implements [json.Unmarshaler]. Invalid UTF-8 becomes U+FFFD, also in member names
// and in members that are only carried through.
func (b *Book) UnmarshalJSON(data []byte) error {
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	// A map, because a struct would match "Name" and "name" alike.
	var all map[string]json.RawMessage
	err := json.Unmarshal(data, &all)
	if err != nil {
		return err
	}
	var out Book
	if name, ok := all[memberName]; ok {
		if json.Unmarshal(name, &out.Name) != nil {
			out.Name = loose.Parse(name).String()
		}
		if out.Name != "" {
			delete(all, memberName) // an empty name stays in Extra, to be written back
		}
	}
	if out.Entries, err = decodeEntries(all[memberEntries]); err != nil {
		return err
	}
	delete(all, memberEntries)
	if len(all) > 0 {
		out.Extra = all
	}
	*b = out
	return nil
}

// The members of a book that have fields.
const (
	memberName    = "name"
	memberEntries = "entries"
)

// decodeEntries reads an object or a list of entries.
func decodeEntries(data json.RawMessage) ([]Entry, error) {
	switch text := bytes.TrimSpace(data); {
	case len(text) == 0 || bytes.Equal(text, []byte("null")):
		return nil, nil
	case text[0] == '[':
		var items []json.RawMessage
		if err := json.Unmarshal(data, &items); err != nil {
			return nil, err
		}
		list := make([]Entry, len(items))
		for i, item := range items {
			if json.Unmarshal(item, &list[i]) != nil {
				return nil, fmt.Errorf("entries[%d] is not an object", i)
			}
		}
		return list, nil
	case text[0] != '{':
		return nil, fmt.Errorf("entries is neither an object nor a list")
	}
	members := openjson.Members(data)
	list := make([]Entry, len(members))
	for i, m := range members {
		if json.Unmarshal(m.Value, &list[i]) != nil {
			return nil, fmt.Errorf("entries[%q] is not an object", m.Name)
		}
		list[i].Kept.Slot = m.Name
	}
	return list, nil
}

// MarshalJSON implements [json.Marshaler]. Each entry is written under the name it was read from,
// else under its uid, else under the next free number.
func (b Book) MarshalJSON() ([]byte, error) {
	var entries bytes.Buffer
	entries.WriteByte('{')
	used := make(map[string]bool, len(b.Entries))
	for i := range b.Entries {
		if i > 0 {
			entries.WriteByte(',')
		}
		name, _ := openjson.Marshal(freeName(&b.Entries[i], used, i))
		entries.Write(name)
		entries.WriteByte(':')
		body, err := openjson.Marshal(b.Entries[i])
		if err != nil {
			return nil, err
		}
		entries.Write(body)
	}
	entries.WriteByte('}')
	if b.Name == "" { // write the original member, if it held no name
		return openjson.Encode(struct {
			Entries json.RawMessage `json:"entries"`
		}{entries.Bytes()}, b.Extra)
	}
	return openjson.Encode(struct {
		Name    string          `json:"name"`
		Entries json.RawMessage `json:"entries"`
	}{b.Name, entries.Bytes()}, b.Extra)
}

// freeName picks the member name of an entry and marks it used.
func freeName(e *Entry, used map[string]bool, i int) string {
	for _, name := range []string{e.Kept.Slot, e.UID} {
		if name != "" && !used[name] {
			used[name] = true
			return name
		}
	}
	for used[strconv.Itoa(i)] {
		i++
	}
	used[strconv.Itoa(i)] = true
	return strconv.Itoa(i)
}

// Attachment is a book and the places where it is attached. No source means [SourceGlobal].
type Attachment struct {
	Book    Book     `json:"book"`
	Sources []Source `json:"sources,omitempty"`
}
