package card

import (
	"encoding/json"
	"strings"
)

// Spec is the version of the card specification: 1, 2 or 3.
type Spec int

// The three published specifications.
const (
	V1 Spec = 1 // six texts at the root of the JSON object
	V2 Spec = 2 // "chara_card_v2", content in the member data
	V3 Spec = 3 // "chara_card_v3", content in the member data, with assets and decorators
)

// The values of the member spec.
const (
	specV2       = "chara_card_v2"
	specV3       = "chara_card_v3"
	specLorebook = "lorebook_v3"
)

// Card is a character card of any version. Fields that its version does not have are empty.
//
// The zero value is an empty V3 card. A Card is a plain value: copies share slices and maps, so do
// not modify these, or replace them whole. MarshalJSON writes the form named by Spec. UnmarshalJSON
// reads like [Parse] and discards the problems.
type Card struct {
	// Spec is the version of the card that was read. MarshalJSON writes this version. 0 counts as
	// V3.
	Spec Spec
	// SpecVersion is the text of spec_version, "" in V1.
	SpecVersion string

	// Name is the character's name. See CharName for the display name.
	Name string
	// Description, Personality and Scenario go into the prompt at the places of
	// those names.
	Description, Personality, Scenario string
	// FirstMes is the first assistant message of a new chat.
	FirstMes string
	// MesExample has example dialogues, separated by <START>.
	MesExample string

	// CreatorNotes are for people; they never go into a prompt.
	CreatorNotes string
	// SystemPrompt replaces the host's system prompt. The placeholder {{original}} in it is
	// replaced by the host's text. Empty means that the card has no system prompt.
	SystemPrompt string
	// PostHistoryInstructions replaces the host's text after the history in the same way.
	PostHistoryInstructions string
	// AlternateGreetings are other first messages. Empty ones stay in the list, because positions
	// in it count.
	AlternateGreetings []string
	// CharacterBook is the lorebook as written in the file, or nil. Read it with [Card.Book].
	CharacterBook json.RawMessage
	// Tags, Creator and CharacterVersion describe the card; they never go into
	// a prompt.
	Tags             []string
	Creator          string
	CharacterVersion string
	// Extensions has the data that other programs store in cards.
	Extensions map[string]json.RawMessage

	// Nickname replaces Name in {{char}} when it is not empty.
	Nickname string
	// Assets lists pictures and other files; nil means that the file has no list. Read it with
	// [Card.AllAssets], which adds the default.
	Assets []Asset
	// GroupOnlyGreetings are first messages for group chats only.
	GroupOnlyGreetings []string
	// CreatorNotesMultilingual maps language codes to notes. See NotesFor.
	CreatorNotesMultilingual map[string]string
	// Source lists where the card came from. Append to it, do not rewrite it.
	Source []string
	// CreationDate and ModificationDate are Unix seconds, 0 when unknown.
	CreationDate, ModificationDate int64

	// Extra has the members of the data object (in V1: of the root) that are not fields. It also
	// keeps values of known members that their field could not store, and optional values that are
	// empty or null, until the field is set.
	Extra map[string]json.RawMessage
	// RootExtra has the members next to data. Programs repeat V1 fields there, often stale. They
	// are kept but not used.
	RootExtra map[string]json.RawMessage
	// RootCopies names the fields that the root repeats with the same value as data. Encode writes
	// them again, with the current value of the field.
	RootCopies []string
}

// CharName returns the name that {{char}}, <CHAR> and <BOT> show: the nickname if there is one,
// otherwise the name.
func (c Card) CharName() string {
	if c.Nickname != "" {
		return c.Nickname
	}
	return c.Name
}

// Greetings returns the available first messages: FirstMes at index 0, then the alternatives. The
// decorator is_greeting uses the same numbers. The slice is new.
func (c Card) Greetings() []string {
	return append([]string{c.FirstMes}, c.AlternateGreetings...)
}

// NotesFor returns the creator's notes in a language: the notes for the code itself ("zh-CN"), else
// for its first part ("zh"), else CreatorNotes.
func (c Card) NotesFor(language string) string {
	if notes, ok := c.CreatorNotesMultilingual[language]; ok {
		return notes
	}
	base, _, _ := strings.Cut(language, "-")
	if notes, ok := c.CreatorNotesMultilingual[base]; ok {
		return notes
	}
	return c.CreatorNotes
}

// AllAssets returns the assets of the card. For a card without a list it returns the default: the
// picture of its container as main icon. The slice is new.
func (c Card) AllAssets() []Asset {
	if c.Assets == nil {
		return []Asset{{Type: "icon", URI: "ccdefault:", Name: "main", Ext: "png"}}
	}
	return append([]Asset{}, c.Assets...)
}

// Asset returns the first asset of a type and name, such as "icon" and "main".
func (c Card) Asset(typ, name string) (Asset, bool) {
	list := c.Assets
	if list == nil {
		list = c.AllAssets()
	}
	for _, a := range list {
		if a.Type == typ && a.Name == name {
			return a, true
		}
	}
	return Asset{}, false
}
