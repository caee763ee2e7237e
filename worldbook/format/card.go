package format

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook"
)

// This file converts the character_book of Character Card V2 and V3 to a world book and back, as
// SillyTavern does.
//
// An entry becomes a world book entry as follows:
//
//	id                                 uid; the index if missing
//	keys, secondary_keys               keys, secondary keys
//	comment, content                   comment, content
//	constant, selective                constant, selective; false if missing
//	insertion_order                    order
//	enabled                            not disabled; missing is enabled
//	extensions.position, else position position: before_char (or 0), all others after
//	extensions.depth, role, probability, group, sticky, …   the fields of that name
//
// Some programs write secondaryKeys and insertionOrder. These act as the members with the proper
// names.
//
// Members that SillyTavern ignores have no effect here either and are reported. In a book these are
// scan_depth, token_budget and recursive_scanning. In an entry these are name, priority,
// case_sensitive and use_regex. [ParseLorebookV3] does read use_regex, in entries that SillyTavern
// has not written.
//
// The export writes the same members. Members that a card does not have go into extensions. A book
// that was read and exported has all members of its entries again, and the extensions that
// SillyTavern always writes. Of the book itself only name and entries remain.

// cardNotBook is the start of the problem text for other files.
const cardNotBook = "character book: not a character book"

// ParseCard reads the JSON of a character_book, or of a stand-alone lorebook_v3 file. The problems
// list odd values and members that a world book cannot express. The whole source is kept as the
// book's member originalData.
//
// An entry without an id has its index as uid. Of equal ids the last entry counts, and a problem is
// reported. A missing or null enabled is true. Entries given as an object are taken in JavaScript
// property order: number keys ascending, then the others as written. An entry with the member key and
// without keys is an entry of a world book of SillyTavern, which some programs copy into cards.
func ParseCard(data []byte) (worldbook.Book, talewright.Problems) {
	return loreRead(cardNotBook, data, func(src *source) (worldbook.Book, error) { return readCard(src, asSillyTavern) })
}

// asSillyTavern is the setting of [ParseCard]: a world book cannot carry use_regex.
const asSillyTavern UseRegex = "sillytavern"

// UseRegex selects the entries of a V3 book in which the member use_regex has an effect.
type UseRegex string

// The settings for use_regex.
const (
	// RegexByWriter: in entries that SillyTavern has not written. SillyTavern writes use_regex true
	// into every entry and never reads it. Its entries are recognised by the members of their
	// extensions.
	RegexByWriter UseRegex = ""
	RegexAlways   UseRegex = "always"
	RegexNever    UseRegex = "never"
)

// ParseLorebookV3 is [ParseCard] for a book that will be compiled with
// [worldbook.DecoratorsCardV3]. The member use_regex of entries has an effect if reading allows it.
// If it is not allowed in an entry with a key that would match differently as a pattern, a problem
// is reported for the first such entry.
func ParseLorebookV3(data []byte, reading UseRegex) (worldbook.Book, talewright.Problems) {
	return loreRead(cardNotBook, data, func(src *source) (worldbook.Book, error) { return readCard(src, reading) })
}

// acts reports whether use_regex has an effect in an entry that SillyTavern has written or not.
func (u UseRegex) acts(ofSillyTavern bool) bool {
	return u == RegexAlways || u == RegexByWriter && !ofSillyTavern
}

// ofSillyTavern reports whether SillyTavern has written an entry. SillyTavern puts its own settings
// into extensions.
func ofSillyTavern(e object) bool {
	var ext object
	if json.Unmarshal(e["extensions"], &ext) != nil {
		return false
	}
	var position float64
	if at := ext["position"]; loreGiven(at) && json.Unmarshal(at, &position) == nil {
		return true
	}
	return slices.ContainsFunc([]string{"display_index", "selectiveLogic", "useProbability", "exclude_recursion", "prevent_recursion",
		"scan_depth", "match_whole_words", "case_sensitive", "automation_id"}, func(name string) bool { return ext[name] != nil })
}

func readCard(src *source, reading UseRegex) (worldbook.Book, error) {
	book := src.Object()
	if loreText(book["spec"]) == "lorebook_v3" && loreGiven(book["data"]) {
		src.Lost("", book, "spec", "spec_version", "data")
		book = src.Member(book, "data")
	}
	if book == nil {
		return worldbook.Book{}, errors.New("it is not an object")
	}
	ignored, foreign := false, false // one report per book is enough
	err := src.Each("entries", book["entries"], func(e loreItem) members {
		respell(e.object)
		src.splitKeys(e)
		if loreGiven(e.object["key"]) && !loreGiven(e.object["keys"]) {
			if !foreign {
				src.Add(badType, e.Path, "has the members of a world book of SillyTavern: it is read as an entry of one")
			}
			foreign = true
			return asWorldInfo(e)
		}
		useRegex, ofTavern := truthy(e.object["use_regex"]), ofSillyTavern(e.object)
		differs := useRegex && hasPattern(e.object["keys"])
		out := toWorldInfo(e)
		switch {
		case useRegex && reading.acts(ofTavern):
			out["use_regex"] = true
		case differs && reading != asSillyTavern && !ignored:
			ignored = true
			src.Add(useRegexIgnored, e.Path+".use_regex", "SillyTavern writes it into every entry and never reads it: "+
				"the keys are found as they are written; put a pattern between slashes")
		}
		if reading != asSillyTavern || ofTavern { // of SillyTavern's entries it has no information
			e.take("use_regex")
		}
		return out
	})
	if err != nil {
		return worldbook.Book{}, err
	}
	src.Lost("book", book, "name", "entries", "description") // the description is only for people
	return src.Book(loreText(book["name"]))
}

// splitKeys makes lists of keys that are given as one text, separated by commas.
func (s *source) splitKeys(e loreItem) {
	for _, name := range []string{"keys", "secondary_keys"} {
		if text := loreText(e.object[name]); text != "" {
			e.object[name], _ = openjson.Marshal(SplitKeys(text)) // texts always encode
			s.Add(badType, e.Path+"."+name, "is a text: it is split at its commas")
		}
	}
}

// hasPattern reports whether a key would match differently as a pattern: it contains a special
// character of patterns and is not a pattern between slashes.
func hasPattern(keys json.RawMessage) bool {
	var list []string
	_ = json.Unmarshal(keys, &list)
	return slices.ContainsFunc(list, func(key string) bool {
		return strings.ContainsAny(key, `\^$.|?*+()[]{}`) && !(strings.HasPrefix(key, "/") && strings.LastIndexByte(key, '/') > 0)
	})
}

// respell renames two members that some programs write in camel case to the names of the
// specification. If both names exist, the specified name counts.
func respell(e object) {
	for camel, name := range map[string]string{
		"secondaryKeys": "secondary_keys", "insertionOrder": "insertion_order",
	} {
		if loreGiven(e[camel]) && !loreGiven(e[name]) {
			e[name] = e[camel]
			delete(e, camel)
		}
	}
}

// asWorldInfo returns an entry that is already one of a world book. Some programs copy such entries into
// cards as they are.
func asWorldInfo(e loreItem) members {
	out := members{"uid": e.Index}
	for name := range e.object {
		out[name] = e.take(name)
	}
	return out
}

// toWorldInfo converts one entry.
func toWorldInfo(e loreItem) members {
	var ext object
	extensions := e.take("extensions")
	if json.Unmarshal(extensions, &ext) != nil {
		ext = nil
	}
	id := any(e.Index)
	if raw := e.take("id"); raw != nil {
		id = raw
	}
	position := 1
	if at := e.take("position"); loreText(at) == "before_char" || string(at) == "0" {
		position = 0
	}
	comment := e.take("comment")
	out := members{
		"uid": id, "key": e.take("keys"),
		"keysecondary": truthyOr(e.take("secondary_keys"), []string{}),
		"content":      e.take("content"), "order": e.take("insertion_order"),
		"constant":     truthyOr(e.take("constant"), false),
		"selective":    truthyOr(e.take("selective"), false),
		"position":     or(ext["position"], position),
		"disable":      off(e.take("enabled")),
		"displayIndex": or(ext["display_index"], e.Index),
		"triggers":     truthyOr(ext["triggers"], []string{}),
		"extensions":   truthyOr(extensions, struct{}{}),
	}
	out.setTitle(comment)
	if loreText(e.object["name"]) == loreText(comment) {
		e.take("name") // it has no information
	}
	for _, f := range extensionFields {
		out[f.name] = or(ext[f.ext], f.missing)
	}
	return out
}

// extensionField is a member that is stored in extensions.
type extensionField struct {
	name, ext string
	// missing is the value of a missing member when importing.
	missing any
	// written is the value of a missing member when exporting.
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

// WriteCard writes a world book as the character_book of a card, as SillyTavern does. It writes the
// name and the entries, in file order, and use_regex in every entry. Settings that the card
// specification does not have go into the entry's extensions. The problems list members that a
// character book cannot carry. Raw members that are not JSON are fatal.
func WriteCard(book worldbook.Book) ([]byte, talewright.Problems) {
	var problems talewright.Problems
	lost := func(path string, names []string) {
		for _, name := range names {
			problems = loreAppend(problems, notCarried, path+"."+name,
				"has no place in a character book: it is left out")
		}
	}
	lost("book", unused(book.Extra))
	entries := make([]map[string]any, len(book.Entries))
	for i := range book.Entries {
		path := "entries[" + strconv.Itoa(i) + "]"
		var members object
		raw, err := openjson.Marshal(book.Entries[i])
		if err == nil {
			err = json.Unmarshal(raw, &members)
		}
		if err != nil {
			return nil, loreAppend(nil, unreadable, path, "character book: "+err.Error())
		}
		if f := book.Entries[i].CharacterFilter; f == nil || len(f.Names)+len(f.Tags) == 0 {
			delete(members, "characterFilter") // a filter that excludes no character
		}
		var left []string
		entries[i], left = fromWorldInfo(members)
		lost(path, left)
	}
	out, err := openjson.Marshal(map[string]any{"name": book.Name, "entries": entries})
	if err != nil {
		return nil, loreAppend(nil, unreadable, "", "character book: "+err.Error())
	}
	return out, problems
}

// sameFields are the members that have a different name in the export; to is the name in a
// character book.
var sameFields = [...]struct{ to, from string }{
	{"id", "uid"}, {"keys", "key"}, {"secondary_keys", "keysecondary"}, {"comment", "comment"},
	{"content", "content"}, {"constant", "constant"}, {"selective", "selective"},
	{"insertion_order", "order"},
}

// fromWorldInfo converts one entry. It also returns the names of members without a place. Missing
// members without a fallback stay missing.
func fromWorldInfo(e object) (entry map[string]any, left []string) {
	// addMemo follows from comment, and use_regex is always written.
	used := []string{"position", "displayIndex", "triggers", "disable", "addMemo", "use_regex"}
	ext := map[string]any{}
	var own object
	if json.Unmarshal(e["extensions"], &own) == nil {
		used = append(used, "extensions")
	}
	for name, value := range own {
		ext[name] = value
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
		used = append(used, f.name)
		if raw, ok := f.written.(json.RawMessage); ok && raw == nil {
			set(ext, f.ext, e[f.name])
			continue
		}
		ext[f.ext] = or(e[f.name], f.written)
	}
	ext["triggers"] = or(e["triggers"], []string{})
	position := "after_char"
	if string(e["position"]) == "0" {
		position = "before_char"
	}
	entry = map[string]any{
		"enabled": !truthy(e["disable"]), "position": position,
		"use_regex": true, "extensions": ext,
	}
	for _, f := range sameFields {
		used = append(used, f.from)
		set(entry, f.to, e[f.from])
	}
	return entry, unused(e, used...)
}
