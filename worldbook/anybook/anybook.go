package anybook

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/agnai"
	"github.com/talewright/talewright/worldbook/aidungeon"
	"github.com/talewright/talewright/worldbook/charbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
	"github.com/talewright/talewright/worldbook/koboldai"
	"github.com/talewright/talewright/worldbook/novelai"
	"github.com/talewright/talewright/worldbook/risu"
	"github.com/talewright/talewright/worldbook/seedbook"
	"github.com/talewright/talewright/worldbook/stbook"
)

// Format names a file format.
type Format string

// The formats.
const (
	SillyTavern   Format = "sillytavern"
	CharacterBook Format = "character_book"
	NovelAI       Format = "novelai"
	Agnai         Format = "agnai"
	Risu          Format = "risu"
	AIDungeon     Format = "aidungeon"
	KoboldAI      Format = "koboldai"
	Seed          Format = "roleplay_config"
)

// ErrUnknown is returned for JSON of no known format.
var ErrUnknown = errors.New("anybook: unknown lorebook format")

// Detect tells the format of a file. The first sign that is there decides:
//
//  1. lorebookVersion: NovelAI
//  2. kind is "memory": Agnai
//  3. type is "risu": RisuAI
//  4. spec is "lorebook_v3", or entries is a list whose items have keys: a
//     character book
//  5. worldBookEntries: the seed's RoleplayConfig
//  6. entries: SillyTavern
//  7. storyCards, or a list whose items have value, entry or title: AI Dungeon
//  8. worldinfo, or another list of objects: KoboldAI
func Detect(data []byte) (Format, error) {
	src, err := lore.Open(data)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	top := src.Object()
	if top == nil {
		return detectList(src)
	}
	has := func(name string) bool { return lore.Given(top[name]) }
	switch {
	case lore.Truthy(top["lorebookVersion"]):
		return NovelAI, nil
	case lore.Text(top["kind"]) == "memory":
		return Agnai, nil
	case lore.Text(top["type"]) == "risu":
		return Risu, nil
	case lore.Text(top["spec"]) == "lorebook_v3", isCharacterBook(top["entries"]):
		return CharacterBook, nil
	case has("worldBookEntries"):
		return Seed, nil
	case has("entries"):
		return SillyTavern, nil
	case has("storyCards"):
		return AIDungeon, nil
	case has("worldinfo"):
		return KoboldAI, nil
	case has("data"):
		return "", fmt.Errorf("%w: if this is a character card, read its book with prompt/card",
			ErrUnknown)
	}
	return "", ErrUnknown
}

func detectList(src *lore.Source) (Format, error) {
	items, err := src.Items("", src.Text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	format := Format("")
	for item := range items {
		format = KoboldAI
		for _, name := range []string{"value", "entry", "title"} {
			if lore.Given(item.Object[name]) {
				return AIDungeon, nil
			}
		}
	}
	if format == "" {
		return "", fmt.Errorf("%w: a list without an entry", ErrUnknown)
	}
	return format, nil
}

// isCharacterBook reports whether entries is a list whose first entry has keys.
func isCharacterBook(entries json.RawMessage) bool {
	var list []json.RawMessage
	if json.Unmarshal(entries, &list) != nil {
		return false
	}
	for _, raw := range list {
		var first lore.Object
		if json.Unmarshal(raw, &first) == nil && first != nil {
			return lore.Given(first["keys"])
		}
	}
	return false
}

// Parse reads a file of any format. The problems list what the book cannot
// express. A RoleplayConfig's settings are dropped: use [seedbook.Parse] where
// they matter.
func Parse(data []byte) (worldbook.Book, Format, []worldbook.Problem, error) {
	format, err := Detect(data)
	if err != nil {
		return worldbook.Book{}, "", nil, err
	}
	parse := map[Format]func([]byte) (worldbook.Book, []worldbook.Problem, error){
		SillyTavern: stbook.Parse, CharacterBook: charbook.Parse, NovelAI: novelai.Parse,
		Agnai: agnai.Parse, Risu: risu.Parse, AIDungeon: aidungeon.Parse, KoboldAI: koboldai.Parse,
		Seed: parseSeed,
	}[format]
	book, problems, err := parse(data)
	return book, format, problems, err
}

func parseSeed(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	config, problems, err := seedbook.Parse("", data)
	return config.Book, problems, err
}
