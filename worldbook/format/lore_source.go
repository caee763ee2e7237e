package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
)

// The limits that keep hostile files within fixed memory. The largest books of
// the field have a tenth of them.
const (
	maxBytes    = 64 << 20
	maxValues   = 1 << 21
	maxEntries  = 50_000
	maxProblems = 1000
)

// source is a file that is being read into a book, and what was odd about it.
type source struct {
	// Text is the JSON text: valid UTF-8, without byte order mark, a copy of its
	// own.
	Text     json.RawMessage
	problems talewright.Problems
	seen     int // entries so far
	out      entryWriter
}

// open checks that data is JSON within the limits. Half surrogate pairs and
// bytes that are no UTF-8 read as U+FFFD, with a problem. Comments (// to the end of
// the line, and /* … */), which authors write into files by hand, read as blanks. The error
// names what else the file is, such as YAML, and what to do with it.
func open(data []byte) (*source, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > maxBytes {
		return nil, fmt.Errorf("the file has %d bytes, more than %d MiB", len(data), maxBytes>>20)
	}
	// Commas in texts count along, so that three fast passes are enough.
	values := bytes.Count(data, []byte(",")) + bytes.Count(data, []byte("{")) +
		bytes.Count(data, []byte("["))
	if values > maxValues {
		return nil, fmt.Errorf("the file has about %d values, more than %d", values, maxValues)
	}
	s := &source{}
	if !utf8.Valid(data) {
		s.Add(badText, "", "the file is not UTF-8: the broken bytes are read as U+FFFD")
	}
	text, err := openjson.File(data)
	if err != nil {
		blanked, found := withoutComments(data)
		if found {
			text, err = openjson.File(blanked)
		}
		if err != nil {
			if kind := kindOf(data); kind != "" {
				return nil, fmt.Errorf("this is no JSON but %s", kind)
			}
			return nil, err
		}
	}
	s.Text = bytes.ToValidUTF8(text, []byte("\ufffd")) // also makes the copy
	if at := halfPair(s.Text); at >= 0 {
		s.Add(badText, "@"+strconv.Itoa(at), "half of a surrogate pair is read as U+FFFD")
	}
	return s, nil
}

// halfPair returns the offset of the first escape of a UTF-16 surrogate that has
// no partner, -1 without one. text is valid JSON.
func halfPair(text []byte) int {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\\')
		if n < 0 {
			return -1
		}
		at += n
		switch unit := escapedUnit(text[at:]); {
		case unit>>10 == 0xD800>>10 && escapedUnit(text[at+6:])>>10 == 0xDC00>>10:
			at += 12
		case unit>>11 == 0xD800>>11:
			return at
		default:
			at += 2 // also over a second backslash
		}
	}
}

// escapedUnit returns the UTF-16 unit of an escape \uXXXX that text begins with,
// 0 for any other beginning.
func escapedUnit(text []byte) uint64 {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
	return unit
}

// object is a JSON object, by exact member names: encoding/json alone would also
// take members whose names differ in letter case.
type object = map[string]json.RawMessage

// Object returns the members of the whole file. The result is nil if it is no
// object.
func (s *source) Object() object { return s.object("", s.Text) }

// Member returns the members of a member of o, nil if that is no object.
func (s *source) Member(o object, name string) object { return s.object(name, o[name]) }

// object reads an object; of several members of one name the last one counts.
func (s *source) object(path string, raw json.RawMessage) object {
	r := gjson.ParseBytes(raw)
	if !r.IsObject() {
		return nil
	}
	members := object{}
	r.ForEach(func(k, v gjson.Result) bool {
		name := memberName(k)
		if members[name] != nil {
			s.Add(duplicate, join(path, name), "is there more than once: the last one counts")
		}
		members[name] = json.RawMessage(v.Raw)
		return true
	})
	return members
}

// memberName unquotes the name of a member the way all texts are unquoted.
func memberName(k gjson.Result) string {
	if !strings.Contains(k.Raw, `\`) {
		return k.Str
	}
	return loreText(json.RawMessage(k.Raw))
}

// loreItem is one entry of a source.
type loreItem struct {
	object
	// Index is its place: the number of entries before it, those that are left
	// out included.
	Index int
	// Path names it in problems.
	Path string
}

// Items lists the entries of a list, or of an object in JavaScript property order,
// which is a problem. Entries that are no objects are left out, with a problem; a
// missing or null list is an empty one, with a problem. Indexes go on where the
// call before ended, so that several lists can be joined.
//
// The error says that raw is neither a list nor an object.
func (s *source) Items(path string, raw json.RawMessage) (iter.Seq[loreItem], error) {
	if path != "" && !loreGiven(raw) {
		s.Add(noEntries, path, "is missing: the book has no entries")
		return func(func(loreItem) bool) {}, nil
	}
	list, err := s.values(path, raw)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(raw, []byte("{")) {
		s.Add(badType, path, "is an object: taken in property order")
	}
	return func(yield func(loreItem) bool) {
		for _, v := range list {
			item := loreItem{Index: s.seen, Path: v.path, object: s.object(v.path, v.raw)}
			s.seen++
			if item.object == nil {
				s.Add(badType, v.path, "is no object: left out")
			} else if !yield(item) {
				return
			}
		}
	}, nil
}

// Each adds what convert makes of each of the [source.Items] to the book.
func (s *source) Each(path string, raw json.RawMessage, convert func(loreItem) members) error {
	items, err := s.Items(path, raw)
	if err != nil {
		return err
	}
	for item := range items {
		if err = s.write(item, convert(item)); err != nil {
			return err
		}
	}
	return nil
}

// Entries returns a list or an object of entries without those that are no
// objects, which are problems, and without what is beyond the limit.
func (s *source) Entries(path string, raw json.RawMessage) (json.RawMessage, error) {
	list, err := s.values(path, raw)
	if err != nil {
		return nil, err
	}
	out := []byte{raw[0]}
	for _, v := range list {
		if s.object(v.path, v.raw) == nil {
			s.Add(badType, v.path, "is no object: left out")
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		if raw[0] == '{' {
			name, _ := openjson.Marshal(v.name) // a text always encodes
			out = append(append(out, name...), ':')
		}
		out = append(out, v.raw...)
	}
	return append(out, raw[0]+2), nil // the closing bracket of either pair
}
