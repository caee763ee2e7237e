package format

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// members are the members of an entry, by JSON name. Values are anything that encodes to JSON. A
// nil json.RawMessage is a missing member.
type members map[string]any

// setTitle sets the title.
func (m members) setTitle(title json.RawMessage) {
	m["comment"], m["addMemo"] = truthyOr(title, ""), truthy(title)
}

// loreDefault returns the members of a new entry of the editor at an index of the list, except that the
// entry is not selective.
func loreDefault(place int) members {
	return members{
		"uid": place, "displayIndex": place,
		"key": []string{}, "keysecondary": []string{}, "comment": "", "content": "",
		"constant": false, "vectorized": false, "selective": false, "selectiveLogic": 0,
		"addMemo": false, "order": 100, "position": 0, "disable": false,
		"ignoreBudget": false, "excludeRecursion": false, "preventRecursion": false,
		"delayUntilRecursion": false, "probability": 100, "useProbability": true,
		"depth": 4, "outletName": "", "group": "", "groupOverride": false, "groupWeight": 100,
		"scanDepth": nil, "caseSensitive": nil, "matchWholeWords": nil, "useGroupScoring": nil,
		"automationId": "", "role": 0, "sticky": nil, "cooldown": nil, "delay": nil,
		"matchPersonaDescription": false, "matchCharacterDescription": false,
		"matchCharacterPersonality": false, "matchCharacterDepthPrompt": false,
		"matchScenario": false, "matchCreatorNotes": false, "triggers": []string{},
	}
}

// entryWriter writes the entries of a world info file one by one, so that only one entry is in
// memory as a map.
type entryWriter struct {
	json  bytes.Buffer
	slots map[string]string // name in the file → path in the source
}

// write adds an entry under the name of its uid. A later entry of the same name replaces an earlier
// one when the file is read. This is reported as a problem.
func (s *source) write(item loreItem, m members) error {
	for name, v := range m {
		if raw, ok := v.(json.RawMessage); ok && raw == nil {
			delete(m, name)
		}
	}
	body, err := openjson.Marshal(m)
	if err != nil {
		return err
	}
	name := slot(m["uid"], item.Index)
	if first, ok := s.out.slots[name]; ok {
		s.Add(duplicate, item.Path, "has the id of "+first+" and replaces it")
	} else if s.out.slots == nil {
		s.out.slots = map[string]string{}
	}
	s.out.slots[name] = item.Path
	if s.out.json.Len() > 0 {
		s.out.json.WriteByte(',')
	}
	quoted, _ := openjson.Marshal(name) // a text always encodes
	s.out.json.Write(quoted)
	s.out.json.WriteByte(':')
	s.out.json.Write(body)
	return nil
}

// Book returns the book of all entries that Each has added. The whole source becomes its member
// originalData.
func (s *source) Book(name string) (worldbook.Book, error) {
	text := append(append([]byte(`{"entries":{`), s.out.json.Bytes()...), "}}"...)
	var book worldbook.Book
	if err := json.Unmarshal(text, &book); err != nil {
		return worldbook.Book{}, err
	}
	for i := range book.Entries {
		s.odd(&book.Entries[i])
	}
	book.Name = name
	book.Extra = map[string]json.RawMessage{"originalData": s.Text}
	return book, nil
}

// finish returns the book with the written entries, or the error of reading them. It reports the members
// of the file other than used, which do not act.
func (s *source) finish(err error, name string, file object, used ...string) (worldbook.Book, error) {
	if err != nil {
		return worldbook.Book{}, err
	}
	s.Lost("", file, used...)
	return s.Book(name)
}

// odd reports imported values with an unusual type. It does not report a percentage in the switch
// of the probability, because some importers of SillyTavern put it there.
func (s *source) odd(e *worldbook.Entry) {
	path, known := s.out.slots[e.UID]
	for _, name := range oddMembers(e) {
		if known && name != "useProbability" {
			s.Add(badType, path, "gives "+name+" a value of an unusual type: it acts as SillyTavern converts it")
		}
	}
}

// slot returns the name of an entry in the file: its uid, converted to text as in JavaScript.
func slot(uid any, place int) string {
	raw, ok := uid.(json.RawMessage)
	if !ok {
		return strconv.Itoa(place)
	}
	switch raw[0] {
	case '"':
		return loreText(raw)
	case 't', 'f', 'n':
		return strings.TrimSpace(string(raw))
	}
	var n float64
	if json.Unmarshal(raw, &n) == nil {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.Itoa(place)
}

// kindOf returns the kind of a file that is plainly not JSON, and an advice. It returns "" for a
// text that may be meant as JSON.
func kindOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		return "a PNG picture: if it is a character card, read its book with prompt/card"
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "a ZIP archive: if it is a CHARX card, read its book with prompt/card; else unpack it"
	}
	line := firstLine(data)
	switch {
	case line == "" || strings.ContainsRune(`{["`, rune(line[0])):
		return ""
	case line[0] == '<':
		return "XML or HTML: export the book as JSON; a page in place of a file often means a failed download"
	}
	return ""
}

// firstLine returns the first line that is not blank and not a YAML comment. Only the first 64 KiB
// of a file are read: some books begin with a manual.
func firstLine(data []byte) string {
	for line := range strings.Lines(string(data[:min(len(data), 64<<10)])) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}

// isYAML recognises the usual beginnings: a document mark, a member, an element of a list.
func isYAML(line string) bool {
	key, rest, found := strings.Cut(line, ":")
	member := found && (rest == "" || rest[0] == ' ' || rest[0] == '\t') && !strings.ContainsAny(key, "{}()/*;,")
	return line == "---" || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "%YAML") ||
		strings.HasPrefix(line, "- ") || member
}

// oddMembers returns the names of the JSON members of an entry whose value has a different type
// than in the format. They act as SillyTavern converts them. Null is never odd. A boolean
// delayUntilRecursion is not odd, because the editor writes it. A uid may be any text or number: it
// is compared as a text.
func oddMembers(e *worldbook.Entry) []string {
	var names []string
	for name, raw := range e.Kept.Odd {
		switch kind := loose.Parse(raw).Kind; {
		case kind == loose.Null, kind == loose.Bool && name == "delayUntilRecursion",
			name == "uid" && (kind == loose.String || kind == loose.Number):
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// isPattern reports whether a key is read as a regular expression.
func isPattern(key string) bool {
	body, letters, ok := jsregex.SplitKey(keyindex.TrimSpace(key))
	if !ok {
		return false
	}
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return false
	}
	_, err = jsregex.Compile(body, flags)
	return err == nil
}

// Codes of the problems that all importers report.
const (
	unreadable    talewright.Code = "unreadable"     // fatal: neither JSON nor YAML, too large, or a different format
	unknownFormat talewright.Code = "unknown_format" // fatal: [Detect] does not recognise the file
	notCarried    talewright.Code = "not_carried"    // a member without a counterpart in a world book
	badPattern    talewright.Code = "bad_pattern"    // a regular expression that is not valid: it never matches
	badType       talewright.Code = "bad_type"       // a value of a different type, and how it was read
	badText       talewright.Code = "bad_text"       // invalid UTF-8 or half a surrogate pair: read as U+FFFD
	duplicate     talewright.Code = "duplicate"      // a member name or an id that occurs twice: the last one counts
	noEntries     talewright.Code = "no_entries"     // the list of entries is missing
	noKeys        talewright.Code = "no_keys"        // a story card without triggers
	tooLarge      talewright.Code = "too_large"      // more than 50,000 entries: the rest was left out
	mendedText    talewright.Code = "mended_json"    // JSON with commas before closing brackets
	wrapped       talewright.Code = "wrapped"        // a book in a member of an object
	more          talewright.Code = "more"           // after a thousand problems: further problems are not listed

	// A key of an entry that SillyTavern has written would match differently as a pattern, so
	// use_regex was ignored. It is reported once per book.
	useRegexIgnored talewright.Code = "use_regex_ignored"
)

// severities lists the codes whose severity is not [talewright.Error].
var severities = map[talewright.Code]talewright.Severity{
	badText: talewright.Warning, more: talewright.Warning, notCarried: talewright.Warning, useRegexIgnored: talewright.Warning,
	mendedText: talewright.Warning, wrapped: talewright.Warning,
	unreadable: talewright.Fatal,
}

// loreRead opens a file and calls read. If either fails, the result is empty with one problem. Its
// text begins with the argument not, for example the name of the expected format.
func loreRead[T any](not string, data []byte, read func(*source) (T, error)) (T, talewright.Problems) {
	src, err := open(data)
	if err != nil {
		var none T
		return none, loreAppend(nil, unreadable, "", not+": "+err.Error())
	}
	return loreReadFrom(not, src, read)
}

// loreReadFrom is [loreRead] for an open file.
func loreReadFrom[T any](not string, src *source, read func(*source) (T, error)) (T, talewright.Problems) {
	out, err := read(src)
	if err != nil {
		var none T
		return none, loreAppend(nil, unreadable, "", not+": "+err.Error())
	}
	return out, src.problems
}

// Add reports a problem, up to a limit that no real file reaches.
func (s *source) Add(code talewright.Code, path, message string) {
	s.problems = loreAppend(s.problems, code, path, message)
}

// loreAppend appends a problem to a list. At the limit it appends one note that there are more.
func loreAppend(
	list talewright.Problems, code talewright.Code, path, message string,
) talewright.Problems {
	switch n := len(list); {
	case n > maxProblems:
		return list
	case n == maxProblems:
		code, path, message = more, "", "further problems are not listed"
	}
	return append(list, talewright.Problem{Code: code, Path: path, Severity: severities[code], Text: message})
}

// Lost reports the members of an object that the book cannot carry: all members with a value that
// are not in used. They stay in the member originalData.
func (s *source) Lost(path string, members object, used ...string) {
	for _, name := range unused(members, used...) {
		message := "has no counterpart and does not act; it is kept in the book's originalData"
		if name == "visible_to" { // of campaigns
			message = "does not act here, and everybody may know the text; move it into the member extensions"
		}
		s.Add(notCarried, join(path, name), message)
	}
}

// unused returns the sorted names of the members that have a value and are not in used.
func unused(members object, used ...string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := string(members[name])
		if truthy(members[name]) && value != "[]" && value != "{}" && !slices.Contains(used, name) {
			names = append(names, name)
		}
	}
	return names
}
