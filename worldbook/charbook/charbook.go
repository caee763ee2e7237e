package charbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotBook is returned for JSON that is no character book.
var ErrNotBook = errors.New("charbook: not a character book")

type source struct {
	Name    json.RawMessage `json:"name"`
	Entries json.RawMessage `json:"entries"`
	Spec    string          `json:"spec"`
	Data    json.RawMessage `json:"data"`
}

// Parse reads the JSON of a character_book, or of a stand-alone lorebook_v3
// file. The problems list what a world book cannot express; the whole source is
// kept as the book's member originalData.
//
// An entry without an id has its index as uid; of equal ids the last entry
// counts. A missing enabled is true. Entries given as an object are taken in
// property order.
func Parse(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	return parse(data, false)
}

// ParseV3 is [Parse] for a book that is to be compiled with
// [worldbook.DecoratorsCardV3]: the member use_regex of entries acts.
func ParseV3(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	return parse(data, true)
}

func parse(data []byte, useRegex bool) (worldbook.Book, []worldbook.Problem, error) {
	var src source
	if err := json.Unmarshal(data, &src); err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %v", ErrNotBook, err)
	}
	if src.Spec == "lorebook_v3" && lore.Given(src.Data) {
		return parse(src.Data, useRegex)
	}
	entries, problems, err := readEntries(src.Entries)
	if err != nil {
		return worldbook.Book{}, nil, err
	}
	list := make([]lore.Members, len(entries))
	for i, e := range entries {
		list[i] = toWorldInfo(e, i)
		if useRegex && lore.Truthy(e["use_regex"]) {
			list[i]["use_regex"] = true
		}
		problems = lost(problems, e, i)
	}
	problems = lostOfBook(problems, data)
	book, err := lore.Book(lore.Text(src.Name), list, bytes.Clone(data))
	return book, problems, err
}

type members = map[string]json.RawMessage

// readEntries takes a list, or an object with a problem.
func readEntries(raw json.RawMessage) ([]members, []worldbook.Problem, error) {
	var list []json.RawMessage
	var problems []worldbook.Problem
	if !lore.Given(raw) {
		none := lore.Problem("no_entries", "entries", "the book has no entries")
		return nil, []worldbook.Problem{none}, nil
	}
	if json.Unmarshal(raw, &list) != nil {
		var err error
		if list, err = lore.ObjectValues(raw); err != nil {
			return nil, nil, fmt.Errorf("%w: entries: %v", ErrNotBook, err)
		}
		problems = append(problems, lore.Problem("bad_type", "entries", "is an object: taken in property order"))
	}
	var out []members
	for i, item := range list {
		var m members
		if json.Unmarshal(item, &m) != nil || m == nil {
			problems = append(problems, lore.Problem("bad_type", entryPath(i), "is no object: left out"))
			continue
		}
		out = append(out, m)
	}
	return out, problems, nil
}

func entryPath(i int) string { return "entries[" + strconv.Itoa(i) + "]" }

// toWorldInfo converts one entry.
func toWorldInfo(e members, index int) lore.Members {
	var ext members
	if json.Unmarshal(e["extensions"], &ext) != nil {
		ext = nil
	}
	id := any(index)
	if raw, ok := e["id"]; ok {
		id = raw
	}
	position := 1
	if lore.Text(e["position"]) == "before_char" {
		position = 0
	}
	enabled, hasEnabled := e["enabled"]
	out := lore.Members{
		"uid": id, "key": e["keys"], "keysecondary": lore.TruthyOr(e["secondary_keys"], []string{}),
		"comment": lore.TruthyOr(e["comment"], ""), "addMemo": lore.Truthy(e["comment"]),
		"content": e["content"], "order": e["insertion_order"],
		"constant": lore.TruthyOr(e["constant"], false), "selective": lore.TruthyOr(e["selective"], false),
		"position": lore.Or(ext["position"], position), "disable": hasEnabled && !lore.Truthy(enabled),
		"displayIndex": lore.Or(ext["display_index"], index),
		"triggers":     lore.TruthyOr(ext["triggers"], []string{}),
		"extensions":   lore.Or(e["extensions"], struct{}{}),
	}
	for _, f := range extensionFields {
		out[f.name] = lore.Or(ext[f.ext], f.missing)
	}
	return out
}

// extensionField is a member that lives in extensions.
type extensionField struct {
	name, ext string
	// missing stands for a missing member when importing.
	missing any
	// written stands for a missing member when exporting.
	written any
}

var extensionFields = []extensionField{
	{"excludeRecursion", "exclude_recursion", false, absent},
	{"preventRecursion", "prevent_recursion", false, false},
	{"delayUntilRecursion", "delay_until_recursion", false, false},
	{"probability", "probability", 100, nil},
	{"useProbability", "useProbability", true, false},
	{"depth", "depth", 4, 4},
	{"selectiveLogic", "selectiveLogic", 0, 0},
	{"role", "role", 0, 0},
	{"outletName", "outlet_name", "", ""},
	{"group", "group", "", ""},
	{"automationId", "automation_id", "", ""},
	{"groupOverride", "group_override", false, false},
	{"groupWeight", "group_weight", 100, nil},
	{"scanDepth", "scan_depth", nil, nil},
	{"caseSensitive", "case_sensitive", nil, nil},
	{"matchWholeWords", "match_whole_words", nil, nil},
	{"useGroupScoring", "use_group_scoring", nil, false},
	{"sticky", "sticky", nil, nil},
	{"cooldown", "cooldown", nil, nil},
	{"delay", "delay", nil, nil},
	{"vectorized", "vectorized", false, false},
	{"ignoreBudget", "ignore_budget", false, false},
	{"matchPersonaDescription", "match_persona_description", false, false},
	{"matchCharacterDescription", "match_character_description", false, false},
	{"matchCharacterPersonality", "match_character_personality", false, false},
	{"matchCharacterDepthPrompt", "match_character_depth_prompt", false, false},
	{"matchScenario", "match_scenario", false, false},
	{"matchCreatorNotes", "match_creator_notes", false, false},
}

// absent marks a member that stays missing.
var absent = json.RawMessage(nil)

func lost(problems []worldbook.Problem, e members, index int) []worldbook.Problem {
	return lore.Lost(problems, entryPath(index), e, "id", "keys", "secondary_keys", "comment", "content",
		"constant", "selective", "insertion_order", "enabled", "position", "extensions", "use_regex")
}

func lostOfBook(problems []worldbook.Problem, data []byte) []worldbook.Problem {
	var book members
	if json.Unmarshal(data, &book) != nil {
		return problems
	}
	return lore.Lost(problems, "book", book, "name", "entries", "extensions", "description")
}

// Export writes a world book as the character_book of a card. Of the book only
// its name is written; the problems list what a character book cannot carry.
func Export(book worldbook.Book) ([]byte, []worldbook.Problem, error) {
	var problems []worldbook.Problem
	entries := make([]map[string]any, len(book.Entries))
	for i := range book.Entries {
		e := &book.Entries[i]
		raw, err := openjson.Marshal(e)
		if err != nil {
			return nil, nil, fmt.Errorf("charbook: %s: %w", entryPath(i), err)
		}
		var m members
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, nil, fmt.Errorf("charbook: %s: %w", entryPath(i), err)
		}
		entries[i] = fromWorldInfo(m)
		problems = notExported(problems, e, i)
	}
	out, err := openjson.Marshal(map[string]any{"name": book.Name, "entries": entries})
	return out, problems, err
}

func notExported(problems []worldbook.Problem, e *worldbook.Entry, i int) []worldbook.Problem {
	if f := e.CharacterFilter; f != nil && len(f.Names)+len(f.Tags) > 0 {
		problems = append(problems, lore.Problem("not_carried", entryPath(i)+".characterFilter",
			"a character book has no character filter"))
	}
	if len(e.Conditions) > 0 {
		problems = append(problems, lore.Problem("not_carried", entryPath(i)+".conditions",
			"a character book has no conditions"))
	}
	return problems
}

// fromWorldInfo converts one entry. Members that are missing and have no
// fallback stay missing.
func fromWorldInfo(e members) map[string]any {
	ext := map[string]any{}
	var own members
	if json.Unmarshal(e["extensions"], &own) == nil {
		for k, v := range own {
			ext[k] = v
		}
	}
	set := func(to map[string]any, name string, raw json.RawMessage) {
		delete(to, name)
		if raw != nil {
			to[name] = raw
		}
	}
	set(ext, "position", e["position"])
	set(ext, "display_index", e["displayIndex"])
	for _, f := range extensionFields {
		if raw, ok := f.written.(json.RawMessage); ok && raw == nil {
			set(ext, f.ext, e[f.name])
			continue
		}
		ext[f.ext] = lore.Or(e[f.name], f.written)
	}
	ext["triggers"] = lore.Or(e["triggers"], []string{})
	position := "after_char"
	if string(bytes.TrimSpace(e["position"])) == "0" {
		position = "before_char"
	}
	out := map[string]any{
		"enabled": !lore.Truthy(e["disable"]), "position": position,
		"use_regex": true, "extensions": ext,
	}
	for to, from := range map[string]string{
		"id": "uid", "keys": "key", "secondary_keys": "keysecondary", "comment": "comment",
		"content": "content", "constant": "constant", "selective": "selective",
		"insertion_order": "order",
	} {
		set(out, to, e[from])
	}
	return out
}
