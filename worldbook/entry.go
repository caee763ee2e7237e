package worldbook

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
	"github.com/tidwall/gjson"
)

// Entry is one record of a book: keys to look for, the text they bring in, and
// the rules about when and where.
//
// JSON names and meanings are SillyTavern's. An entry means what its fields say, whether
// it was made in Go or read from JSON: a missing position reads as [PositionNone], a
// missing depth as [NoDepth], a flag that is the text "no" as true, as SillyTavern's
// engine has it. [Kept] lets a file be written back as it was.
type Entry struct {
	// UID identifies the entry inside its book. Its JSON is a number if the text
	// is a whole number without leading zeros, else a text.
	UID string
	// Keys activate the entry when one of them is found. /body/flags is a
	// JavaScript regular expression, anything else is plain text.
	Keys []string
	// SecondaryKeys narrow the primary match by Logic, if Selective is on.
	SecondaryKeys []string
	// Comment is the title.
	Comment string
	// Content is the text that activation brings into the prompt. Macros in it
	// are expanded. Lines at its top that begin with @@ are decorators.
	Content string
	// Constant entries need no key.
	Constant bool
	// Vectorized marks the entry for a [Retriever]; a scan does not look at it.
	Vectorized bool
	// Selective turns the secondary keys on.
	Selective bool
	// Logic combines the secondary keys. [LogicNone], which a file without the member has,
	// acts as [AndAny], but group scores count no secondary keys.
	Logic Logic
	// AddMemo belongs to the editor.
	AddMemo bool
	// Order ranks entries: larger is examined and paid for first (smaller with
	// [Settings.OrderAscending]), and stands later in the text. NaN, which a file without
	// the member has, equals every other.
	Order    float64
	Position Position
	// Disable takes the entry out.
	Disable bool
	// IgnoreBudget entries are never refused by the budget.
	IgnoreBudget bool
	// ExcludeRecursion entries are not activated by other entries' texts.
	ExcludeRecursion bool
	// PreventRecursion entries' texts do not activate others.
	PreventRecursion bool
	// DelayUntilRecursion is the level from which on the entry may be activated
	// by recursion only; 0 is off. JSON true is level 1.
	DelayUntilRecursion int

	// Which of the character's and the persona's texts are searched too.
	MatchPersonaDescription   bool
	MatchCharacterDescription bool
	MatchCharacterPersonality bool
	MatchCharacterDepthPrompt bool
	MatchScenario             bool
	MatchCreatorNotes         bool

	// Probability is in percent and counts if UseProbability is on.
	Probability    float64
	UseProbability bool
	// Depth is the place in the chat for [AtDepth]: messages from the newest. [NoDepth],
	// which a file without the member has, means 4.
	Depth int
	Role  Role
	// OutletName is the slot for [InOutlet].
	OutletName string
	// Group names inclusion groups, separated by commas: of each only one entry
	// is activated.
	Group         string
	GroupOverride bool
	// GroupWeight is the entry's share in a draw among its group.
	GroupWeight float64
	// ScanDepth is the number of messages searched; nil is [Settings.Depth].
	ScanDepth *int
	// CaseSensitive, MatchWholeWords and UseGroupScoring fall back to the
	// settings of the same name where nil.
	CaseSensitive   *bool
	MatchWholeWords *bool
	UseGroupScoring *bool
	// AutomationID is handed to the host with the activation.
	AutomationID string
	// Sticky keeps the entry active while fewer than so many messages were added
	// since its activation. Cooldown then keeps it out for so many. Delay keeps
	// it out while the chat is shorter. All count messages; 0 is off.
	Sticky   int
	Cooldown int
	Delay    int

	CharacterFilter *CharacterFilter
	// Triggers limits the entry to some generation types; empty is all.
	Triggers     []string
	DisplayIndex int
	// World replaces the book's name in the entry's [ID] where not nil.
	World *string
	// Literal says that the entry is made of words of a model, a player or another
	// stranger: its keys are plain text and never patterns, its content stands as it
	// is, and neither has macros or decorators. A blank key is never found.
	// [Activation.Literal] and [Placed.Literal] tell those who place the text.
	Literal bool
	// Conditions is a gate of the host's own, handed to [Input.Condition]
	// unread. Empty is no gate.
	Conditions json.RawMessage
	// Extensions is carried through.
	Extensions json.RawMessage
	// Extra holds the members that no field claims.
	Extra map[string]json.RawMessage

	// Kept is what the file of the entry had beyond its fields, for writing it back. It is
	// empty for an entry made in Go.
	Kept Kept
}

// Kept is what the file of an entry had that fields cannot say.
type Kept struct {
	// Slot is the name of the entry in the file's entries object.
	Slot string
	// Missing are the members that the file did not have. They stay missing as long as
	// their fields say what a missing member means.
	Missing MemberSet
	// Odd holds the members whose value has another type than their field, by JSON name.
	// As long as the field says what SillyTavern makes of the value, it is written back,
	// and what SillyTavern tells apart by its type is told apart: the text "100" as a
	// probability rolls, the text "2" as a depth or a level is another than the number,
	// a duration that is no number is over at once, and one that has a fraction counts with it.
	Odd map[string]json.RawMessage
}

// MemberSet is a set of members of an entry.
type MemberSet uint64

// CharacterFilter limits an entry to some characters, or with IsExclude to all
// others.
type CharacterFilter struct {
	IsExclude bool
	// Names are character file names without extension.
	Names []string
	// Tags are tag ids.
	Tags []string
	// NamesText and TagsText stand for Names and Tags in files that have a text in place
	// of the list: a name or a tag counts as listed where it is found anywhere in the text.
	NamesText, TagsText string
}

// hasName reports whether the filter lists a character.
func (f *CharacterFilter) hasName(name string) bool {
	return slices.Contains(f.Names, name) || f.NamesText != "" && strings.Contains(f.NamesText, name)
}

// hasTag reports whether the filter lists a tag.
func (f *CharacterFilter) hasTag(tag string) bool {
	return slices.Contains(f.Tags, tag) || f.TagsText != "" && strings.Contains(f.TagsText, tag)
}

// filterField reads and writes the filter of an entry.
type filterField struct{ at **CharacterFilter }

// Read implements [loose.Custom]. A filter with exactly the three members, each of its
// type, or a text in place of a list, is written back as it is.
func (f filterField) Read(raw json.RawMessage) (exact bool) {
	*f.at = nil
	r := gjson.ParseBytes(raw)
	if !r.IsObject() {
		return false
	}
	n := 0
	exact = true
	r.ForEach(func(k, v gjson.Result) bool {
		n++
		switch k.Str {
		case "isExclude":
			exact = exact && v.IsBool()
		case "names", "tags":
			exact = exact && (loose.IsTexts(json.RawMessage(v.Raw)) || v.Str != "")
		default:
			exact = false
		}
		return true
	})
	out := &CharacterFilter{IsExclude: loose.Parse(json.RawMessage(r.Get("isExclude").Raw)).Truthy()}
	out.Names, out.NamesText = listOrText(r.Get("names"))
	out.Tags, out.TagsText = listOrText(r.Get("tags"))
	*f.at = out
	return exact && n == 3
}

func listOrText(r gjson.Result) (list []string, text string) {
	if r.Type == gjson.String {
		return nil, r.Str
	}
	return loose.Texts(json.RawMessage(r.Raw)), ""
}

// Write implements [loose.Custom].
func (f filterField) Write() ([]byte, error) {
	type members struct {
		IsExclude bool `json:"isExclude"`
		Names     any  `json:"names"`
		Tags      any  `json:"tags"`
	}
	filter := *f.at
	if filter == nil {
		return []byte("null"), nil
	}
	either := func(list []string, text string) any {
		if text != "" {
			return text
		}
		return append([]string{}, list...)
	}
	return openjson.Marshal(members{filter.IsExclude,
		either(filter.Names, filter.NamesText), either(filter.Tags, filter.TagsText)})
}

// IsZero implements [loose.Custom].
func (f filterField) IsZero() bool { return *f.at == nil }

// Same implements [loose.Custom].
func (f filterField) Same(other loose.Custom) bool {
	a, b := *f.at, *other.(filterField).at
	return a == b || a != nil && b != nil && a.IsExclude == b.IsExclude && slices.Equal(a.Names, b.Names) &&
		slices.Equal(a.Tags, b.Tags) && a.NamesText == b.NamesText && a.TagsText == b.TagsText
}
