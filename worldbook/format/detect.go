package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
)

// Name is the name of a file format.
type Name string

// The formats.
const (
	SillyTavern    Name = "sillytavern"
	CharacterBook  Name = "character_book"
	NovelAI        Name = "novelai"
	Agnai          Name = "agnai"
	Risu           Name = "risu"
	AIDungeon      Name = "aidungeon"
	KoboldAI       Name = "koboldai"
	RoleplayConfig Name = "roleplay_config"
	AstrBot        Name = "astrbot"
	ChatLuna       Name = "chatluna"
)

// ErrUnknown is the error for JSON of an unknown format.
var ErrUnknown = errors.New("format: unknown lorebook format")

// Detect returns the format of a file. The first sign that is present decides:
//
//  1. lorebookVersion: NovelAI
//  2. kind is "memory": Agnai
//  3. type is "risu": RisuAI
//  4. spec is "lorebook_v3", or entries is a list whose items have keys: a
//     character book
//  5. worldBookEntries, or roleplayConfig: a RoleplayConfig
//  6. entries whose items have key or content, but neither order nor position. In addition an item
//     has manual_text, use_wpp or wpp, or there is a member folders: KoboldAI (United)
//  7. other entries whose items have key or content, or an object without items: SillyTavern
//  8. storyCards, or a list whose items have keys or triggers, and value, entry or description: AI
//     Dungeon
//  9. worldinfo, or a list whose items have key, and content or entry: KoboldAI
//  10. world_lores: ChatLuna
//  11. trigger, or a list whose items have name or keywords, and content: AstrBot
//
// One item with the sign is sufficient. A book in the member data or world_info of an object without
// any sign is read from there, with a problem.
func Detect(data []byte) (Name, error) {
	_, name, err := identify(data)
	return name, err
}

// identify opens a file and returns its format. A reader may then use the source.
func identify(data []byte) (*source, Name, error) {
	src, err := open(data)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	looked := *src // a reader counts its entries and reports its problems itself
	name, err := detect(&looked)
	return src, name, err
}

func detect(src *source) (Name, error) {
	top := src.Object()
	if top == nil {
		return detectList(src)
	}
	given := func(name string) bool { return loreGiven(top[name]) }
	switch {
	case truthy(top["lorebookVersion"]):
		return NovelAI, nil
	case loreText(top["kind"]) == "memory":
		return Agnai, nil
	case loreText(top["type"]) == "risu":
		return Risu, nil
	case loreText(top["spec"]) == "lorebook_v3", isCharacterBook(top["entries"]):
		return CharacterBook, nil
	case given("worldBookEntries"), given("roleplayConfig"):
		return RoleplayConfig, nil
	case given("entries"):
		return detectEntries(src, top)
	case given("storyCards"):
		return AIDungeon, nil
	case given("worldinfo"):
		return KoboldAI, nil
	case given("world_lores"):
		return ChatLuna, nil
	case given("trigger"):
		return AstrBot, nil
	case given("data"):
		return "", fmt.Errorf("%w: if this is a character card, read its book with prompt/card",
			ErrUnknown)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(top)), func(name string) bool { return len(name) > 40 })
	return "", fmt.Errorf(`%w: its members are %q; write the entries as {"entries": [{"keys": ["…"], "content": "…"}]}`,
		ErrUnknown, names[:min(len(names), 8)])
}

// detectEntries distinguishes KoboldAI United's export from world info.
func detectEntries(src *source, top object) (Name, error) {
	items, err := src.Items("entries", top["entries"])
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	empty, isLore, placed := true, false, false
	united := loreGiven(top["folders"])
	for item := range items {
		empty = false
		isLore = isLore || has(item, "key", "content")
		placed = placed || has(item, "order", "position")
		united = united || has(item, "manual_text", "use_wpp", "wpp")
		if isLore && placed {
			return SillyTavern, nil
		}
	}
	switch {
	case empty && top["entries"][0] == '{', isLore && !united:
		return SillyTavern, nil
	case isLore:
		return KoboldAI, nil
	}
	return "", fmt.Errorf("%w: no entry has key or content", ErrUnknown)
}

func detectList(src *source) (Name, error) {
	items, err := src.Items("", src.Text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	for item := range items {
		switch {
		case has(item, "keys", "triggers") && has(item, "value", "entry", "description"):
			return AIDungeon, nil
		case has(item, "key") && has(item, "content", "entry"):
			return KoboldAI, nil
		case has(item, "keywords", "name") && has(item, "content"):
			return AstrBot, nil
		}
	}
	return "", fmt.Errorf(`%w: no item of the list has key or keys, and content; an entry is {"keys": ["…"], "content": "…"}`,
		ErrUnknown)
}

// has reports whether an item has one of the members.
func has(item loreItem, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return loreGiven(item.object[name]) })
}

// isCharacterBook reports whether entries is a list whose first entry has keys.
func isCharacterBook(entries json.RawMessage) bool {
	var list []json.RawMessage
	if len(entries) == 0 || entries[0] != '[' || json.Unmarshal(entries, &list) != nil {
		return false
	}
	for _, raw := range list {
		var first object
		if json.Unmarshal(raw, &first) == nil && first != nil {
			return loreGiven(first["keys"])
		}
	}
	return false
}

// Parse reads a file of any format by the rules of that format, see [Detect]. [ParseNovelAIExact] and
// [ParseRisuExact] read a file as SillyTavern does. The problems list data that the book cannot
// express. A file of an unknown format is a fatal problem. The settings of a RoleplayConfig are
// dropped: use [ParseRoleplay] if they matter. A book of SillyTavern usually has no name in its file:
// set the field Name, because it is a part of the IDs of the entries.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	src, name, err := identify(data)
	if err != nil {
		return worldbook.Book{}, talewright.Problems{
			{Code: unknownFormat, Severity: talewright.Fatal, Text: err.Error()}}
	}
	r := readers[name]
	return loreReadFrom(r.not, src, r.read)
}

// readers has the start of the problem text for other files, and the reader, of each format.
var readers = map[Name]struct {
	not  string
	read func(*source) (worldbook.Book, error)
}{
	SillyTavern:   {sillyTavernNotBook, readSillyTavern},
	CharacterBook: {cardNotBook, func(src *source) (worldbook.Book, error) { return readCard(src, asSillyTavern) }},
	NovelAI:       {novelaiNotBook, func(src *source) (worldbook.Book, error) { return novelaiParse(src, true) }},
	Agnai:         {"agnai: not a memory book", agnaiParse},
	Risu:          {risuNotBook, func(src *source) (worldbook.Book, error) { return risuParse(src, false) }},
	AIDungeon:     {"aidungeon: not a list of story cards", aidungeonParse},
	KoboldAI:      {"koboldai: no world info", koboldaiParse},
	RoleplayConfig: {roleplayNotBook, func(src *source) (worldbook.Book, error) {
		config, err := roleplayParse(src, "")
		return config.Book, err
	}},
	AstrBot:  {"astrbot: no world book", astrbotParse},
	ChatLuna: {"chatluna: no lore", chatlunaParse},
}
