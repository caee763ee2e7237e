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
	"github.com/tidwall/sjson"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/yaml"
)

// These limits keep the memory for hostile files fixed. The largest real books have a tenth of
// them.
const (
	maxBytes    = 64 << 20
	maxValues   = 1 << 21
	maxEntries  = 50_000
	maxProblems = 1000
)

// source is a file that is being read into a book, with its problems.
type source struct {
	// Text is the JSON text: a separate copy, valid UTF-8, without byte order mark.
	Text     json.RawMessage
	problems talewright.Problems
	seen     int // entries so far
	out      entryWriter
}

// open checks that data is JSON within the limits. Half surrogate pairs and invalid UTF-8 are read
// as U+FFFD and reported as a problem. Comments (// to the end of the line, and /* … */), which
// authors write into files by hand, are read as blanks. A comma at the end of a list is also read as a
// blank, and reported. A file in YAML is converted to JSON. A book in a wrapper is taken out of it, see
// [Detect]. The error says what else the file is, and what to do with it.
func open(data []byte) (*source, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > maxBytes {
		return nil, fmt.Errorf("the file has %d bytes, more than %d MiB", len(data), maxBytes>>20)
	}
	// Commas in texts are counted too, so that three fast passes are enough.
	values := bytes.Count(data, []byte(",")) + bytes.Count(data, []byte("{")) +
		bytes.Count(data, []byte("["))
	if values > maxValues {
		return nil, fmt.Errorf("the file has about %d values, more than %d", values, maxValues)
	}
	s := &source{}
	if !utf8.Valid(data) {
		s.Add(badText, "", "the file is not UTF-8: the broken bytes are read as U+FFFD")
	}
	text, err := s.json(data)
	if err != nil {
		return nil, err
	}
	s.Text = bytes.ToValidUTF8(text, []byte("\ufffd")) // also copies the text
	if at := halfPair(s.Text); at >= 0 {
		s.Add(badText, "@"+strconv.Itoa(at), "half of a surrogate pair is read as U+FFFD")
	}
	s.unwrap()
	return s, nil
}

// json returns the JSON of a file, which may have mistakes of authors or be YAML.
func (s *source) json(data []byte) ([]byte, error) {
	text, err := openjson.File(data)
	if err == nil {
		return text, nil
	}
	if lenient, mended := openjson.Lenient(data); mended != "" {
		if text, err = openjson.File(lenient); err == nil {
			if strings.Contains(mended, "commas") {
				s.Add(mendedText, "", "the file is JSON with "+mended+": read without them")
			}
			return text, nil
		}
	}
	if isYAML(firstLine(data)) {
		return jsonOfYAML(data)
	}
	if kind := kindOf(data); kind != "" {
		return nil, fmt.Errorf("this is not JSON but %s", kind)
	}
	return nil, err
}

// unwrap takes a book out of an object that only wraps it, as some sites export books. Such an object
// has no sign of a format, and the book has entries.
func (s *source) unwrap() {
	root := gjson.ParseBytes(s.Text)
	if !root.IsObject() {
		return
	}
	for _, sign := range []string{"entries", "spec", "kind", "type", "lorebookVersion", "worldBookEntries", "roleplayConfig", "storyCards", "worldinfo", "world_lores", "trigger"} {
		if root.Get(sign).Exists() {
			return
		}
	}
	for _, name := range []string{"data", "world_info"} {
		if book := root.Get(name); book.IsObject() && book.Get("entries").Exists() {
			s.Text = json.RawMessage(book.Raw)
			if title := root.Get("name"); title.Type == gjson.String && !book.Get("name").Exists() {
				s.Text, _ = sjson.SetRawBytes(s.Text, "name", []byte(title.Raw))
			}
			s.Add(wrapped, name, "is the book: it is read, and the members beside it are left out")
			return
		}
	}
}

// maxYAML is the greatest length of a file in YAML.
const maxYAML = 4 << 20

// jsonOfYAML converts a file in YAML to JSON.
func jsonOfYAML(data []byte) ([]byte, error) {
	if len(data) > maxYAML {
		return nil, fmt.Errorf("the file is YAML and has %d bytes, more than %d MiB: convert it to JSON", len(data), maxYAML>>20)
	}
	text, err := yaml.JSON(string(bytes.ToValidUTF8(data, []byte("\ufffd"))))
	if err != nil {
		return nil, fmt.Errorf("the file is YAML with a mistake or a rare form (%w): correct it, or convert it to JSON, as package memvars/mvu/yaml can", err)
	}
	return text, nil
}

// halfPair returns the offset of the first escape of a UTF-16 surrogate without a partner, or -1 if
// not found. The text must be valid JSON.
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
			at += 2 // also skips a second backslash
		}
	}
}

// escapedUnit returns the UTF-16 unit of an escape \uXXXX at the start of text, or 0 for any other
// start.
func escapedUnit(text []byte) uint64 {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
	return unit
}

// object is a JSON object by exact member names. encoding/json alone would also match member names
// that differ in letter case.
type object = map[string]json.RawMessage

// Object returns the members of the whole file, or nil if the file is not an object.
func (s *source) Object() object { return s.object("", s.Text) }

// Member returns the members of a member of o, or nil if that is not an object.
func (s *source) Member(o object, name string) object { return s.object(name, o[name]) }

// object reads an object. Of several members with one name the last one counts.
func (s *source) object(path string, raw json.RawMessage) object {
	r := gjson.ParseBytes(raw)
	if !r.IsObject() {
		return nil
	}
	members := object{}
	r.ForEach(func(k, v gjson.Result) bool {
		name := memberName(k)
		if members[name] != nil {
			s.Add(duplicate, join(path, name), "is given more than once: the last one is used")
		}
		members[name] = json.RawMessage(v.Raw)
		return true
	})
	return members
}

// memberName unquotes the name of a member as all texts are unquoted.
func memberName(k gjson.Result) string {
	if !strings.Contains(k.Raw, `\`) {
		return k.Str
	}
	return loreText(json.RawMessage(k.Raw))
}

// loreItem is one entry of a source.
type loreItem struct {
	object
	// Index is the number of entries before it, including entries that are left out.
	Index int
	// Path is the path of the entry in problems.
	Path string
}

// take returns a member and removes it from the entry. The members that are left at the end do not act.
func (e loreItem) take(name string) json.RawMessage {
	raw := e.object[name]
	delete(e.object, name)
	return raw
}

// takeFirst takes several members and returns the first one that is truthy.
func (e loreItem) takeFirst(names ...string) (first json.RawMessage) {
	for _, name := range names {
		if raw := e.take(name); !truthy(first) {
			first = raw
		}
	}
	return first
}

// Items returns the entries of a list. It also accepts an object, in JavaScript property order, and
// reports a problem. Entries that are not objects are left out with a problem. A missing or null
// list is an empty list with a problem. Indexes continue from the previous call, so that several
// lists can be joined.
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
				s.Add(badType, v.path, "is not an object: left out")
			} else if !yield(item) {
				return
			}
		}
	}, nil
}

// Each converts each of the [source.Items] with convert and adds the results to the book. It reports the
// members that convert has not taken, which do not act. An item that convert returns nil for is not an
// entry, and indexes do not count it.
func (s *source) Each(path string, raw json.RawMessage, convert func(loreItem) members) error {
	items, err := s.Items(path, raw)
	if err != nil {
		return err
	}
	for item := range items {
		m := convert(item)
		s.Lost(item.Path, item.object)
		if m == nil {
			s.seen--
		} else if err = s.write(item, m); err != nil {
			return err
		}
	}
	return nil
}

// Entries returns a list or an object of entries. Entries that are not objects are reported and
// removed, and entries beyond the limit are removed.
func (s *source) Entries(path string, raw json.RawMessage) (json.RawMessage, error) {
	list, err := s.values(path, raw)
	if err != nil {
		return nil, err
	}
	out := []byte{raw[0]}
	for _, v := range list {
		if s.object(v.path, v.raw) == nil {
			s.Add(badType, v.path, "is not an object: left out")
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
