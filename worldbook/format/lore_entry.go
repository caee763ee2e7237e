package format

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
)

// members are the members of an entry, by JSON name. Values are anything that encodes to JSON. A
// nil json.RawMessage is a missing member.
type members map[string]any

// loreDefault returns the members of a new entry of the editor at an index of the list.
func loreDefault(place int) members {
	return members{
		"uid": place, "displayIndex": place,
		"key": []string{}, "keysecondary": []string{}, "comment": "", "content": "",
		"constant": false, "vectorized": false, "selective": true, "selectiveLogic": 0,
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

// odd reports imported values with an unusual type. It does not report a percentage in the switch
// of the probability, because some importers of SillyTavern put it there.
func (s *source) odd(e *worldbook.Entry) {
	path, known := s.out.slots[e.UID]
	for _, name := range oddMembers(e) {
		if known && name != "uid" && name != "useProbability" {
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
