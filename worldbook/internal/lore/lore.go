// Package lore helps the importers of other formats: it makes entries from
// members the way SillyTavern's importers do.
package lore

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
)

// Members are the members of an entry, by JSON name. Values are anything that
// encodes; a nil json.RawMessage is a missing member.
type Members map[string]any

// Default returns the members of an entry as the editor makes it, at a place of
// the list.
func Default(place int) Members {
	return Members{
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

// Book makes a book of the members of entries. Each stands under the name that
// its uid gives; a later one of the same name replaces an earlier one.
func Book(name string, entries []Members, original json.RawMessage) (worldbook.Book, error) {
	var b strings.Builder
	b.WriteString(`{"entries":{`)
	for i, e := range entries {
		for k, v := range e {
			if raw, ok := v.(json.RawMessage); ok && raw == nil {
				delete(e, k)
			}
		}
		body, err := openjson.Marshal(e)
		if err != nil {
			return worldbook.Book{}, err
		}
		key, err := openjson.Marshal(slot(e["uid"], i))
		if err != nil {
			return worldbook.Book{}, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(body)
	}
	b.WriteString("}}")
	var book worldbook.Book
	if err := json.Unmarshal([]byte(b.String()), &book); err != nil {
		return worldbook.Book{}, err
	}
	book.Name = name
	if original != nil {
		book.Extra = map[string]json.RawMessage{"originalData": original}
	}
	return book, nil
}

// slot is the name of an entry in the file.
func slot(uid any, place int) string {
	raw, ok := uid.(json.RawMessage)
	if !ok {
		return fmt.Sprint(uid)
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var n float64
	if json.Unmarshal(raw, &n) == nil {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.Itoa(place)
}

// Truthy reports whether JavaScript takes a JSON value for true.
func Truthy(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", "false", `""`:
		return false
	}
	var n float64
	return json.Unmarshal(raw, &n) != nil || n != 0
}

// Given reports whether a member is there and not null.
func Given(raw json.RawMessage) bool {
	s := strings.TrimSpace(string(raw))
	return s != "" && s != "null"
}

// Or returns the value of a member, or what stands for a missing or null one.
func Or(raw json.RawMessage, otherwise any) any {
	if Given(raw) {
		return raw
	}
	return otherwise
}

// TruthyOr returns the value of a member if it is truthy, else the other value.
func TruthyOr(raw json.RawMessage, otherwise any) any {
	if Truthy(raw) {
		return raw
	}
	return otherwise
}

// Text returns a member as text, "" if it is none.
func Text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// SplitTrimmed splits at commas and trims the pieces. Empty pieces stay.
func SplitTrimmed(s string) []string {
	pieces := strings.Split(s, ",")
	for i := range pieces {
		pieces[i] = keyindex.TrimSpace(pieces[i])
	}
	return pieces
}

// Problem makes a problem of an importer.
func Problem(code worldbook.Code, path, message string) worldbook.Problem {
	return worldbook.Problem{Code: code, Path: path, Message: message}
}

// Lost adds a problem for members that the target cannot carry. fields are the
// names that were used; everything else that holds a value is listed.
func Lost(
	problems []worldbook.Problem, path string, members map[string]json.RawMessage, used ...string,
) []worldbook.Problem {
	known := map[string]bool{}
	for _, u := range used {
		known[u] = true
	}
	for _, name := range sortedNames(members) {
		value := string(members[name])
		if !known[name] && Truthy(members[name]) && value != "[]" && value != "{}" {
			problems = append(problems, Problem("not_carried", path+"."+name,
				"has no counterpart and does not act; it is kept in the book's originalData"))
		}
	}
	return problems
}
