package worldbook

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/loose"
)

// Entry is one record of a book: the keys to look for, the text to insert, and rules about when and
// where.
//
// JSON names and meanings are SillyTavern's. An entry means what its fields say, whether it was
// made in Go or read from JSON. A missing position reads as [PositionNone] and a missing depth as
// [NoDepth]. A flag with the text "no" reads as true, as in SillyTavern's engine. [Kept] lets a
// file be written back as it was.
type Entry struct {
	// UID identifies the entry inside its book. Its JSON is a number if the text
	// is a whole number without leading zeros, else a text.
	UID string
	// Keys activate the entry when one of them is found. A key /body/flags is a JavaScript regular
	// expression; all other keys are plain text.
	Keys []string
	// SecondaryKeys narrow the primary match by Logic, if Selective is on.
	SecondaryKeys []string
	// Comment is the title.
	Comment string
	// Content is the text that activation brings into the prompt. Macros in it
	// are expanded. Lines at its top that begin with @@ are decorators.
	Content string
	// Logic combines the secondary keys. A file without the member has [LogicNone]: it acts as
	// [AndAny], but group scores count no secondary keys.
	Logic Logic
	// Constant entries need no key.
	Constant bool
	// Vectorized marks the entry for a [Retriever]; a scan does not look at it.
	Vectorized bool
	// Selective switches the secondary keys on.
	Selective bool
	// AddMemo is used only by the editor.
	AddMemo bool
	// Disable excludes the entry.
	Disable bool
	// Literal marks an entry whose words come from a model, a player or a different untrusted
	// source. Its keys are plain text and never patterns, its content is used unchanged, and
	// neither has macros or decorators. A blank key is never found. [Activation.Literal] and
	// [Placed.Literal] report the flag to the code that places the text.
	Literal bool
	// IgnoreBudget entries are never refused by the budget.
	IgnoreBudget bool
	// ExcludeRecursion keeps other entries' texts from activating the entry.
	ExcludeRecursion bool
	// PreventRecursion keeps the entry's text from activating others.
	PreventRecursion bool
	// UseProbability switches Probability on.
	UseProbability bool
	// GroupOverride makes the entry of the highest Order win its groups without a draw.
	GroupOverride bool
	// These name texts of the character and the persona that are searched too.
	MatchPersonaDescription   bool
	MatchCharacterDescription bool
	MatchCharacterPersonality bool
	MatchCharacterDepthPrompt bool
	MatchScenario             bool
	MatchCreatorNotes         bool

	// Order ranks entries. Entries with a larger order are examined and paid for first (with a
	// smaller order if [ProfileSettings.OrderAscending] is set), and their texts come later. NaN,
	// the value for a file without the member, equals every other order.
	Order    float64
	Position Position
	// Probability is in percent.
	Probability float64
	// DelayUntilRecursion is the first level at which the entry may be activated, and then only by
	// recursion; 0 is off. JSON true is level 1.
	DelayUntilRecursion int
	// Depth is the place in the chat for [PositionAtDepth]: the number of messages from the newest.
	// [NoDepth], the value for a file without the member, means 4.
	Depth int
	Role  Role
	// OutletName is the slot for [PositionInOutlet].
	OutletName string
	// Group names inclusion groups, separated by commas. At most one entry of each group is
	// activated.
	Group string
	// GroupWeight is the entry's share in a draw among its group.
	GroupWeight float64
	// ScanDepth is the number of messages searched; nil is [ProfileSettings.Depth].
	ScanDepth *int
	// CaseSensitive, MatchWholeWords and UseGroupScoring use the settings of the same name if they
	// are nil.
	CaseSensitive   *bool
	MatchWholeWords *bool
	UseGroupScoring *bool
	// AutomationID is the automation that the host runs while the entry is active. [Result] has it with
	// the activation, and a campaign sends it as the effect worldbook:automation.
	AutomationID string
	// Sticky keeps the entry active until so many messages have been added since its activation.
	// Then Cooldown keeps it inactive for so many messages. Delay keeps it inactive while the chat
	// has fewer messages. All count messages; 0 is off.
	Sticky   int
	Cooldown int
	Delay    int

	CharacterFilter *CharacterFilter
	// Triggers limits the entry to some generation types; empty means all.
	Triggers     []string
	DisplayIndex int
	// World replaces the book's name in the entry's [ID] if it is not nil.
	World *string
	// Conditions is a gate of the host. It is passed to [Input.Condition] unread. Empty means no
	// gate.
	Conditions json.RawMessage
	// Extensions is carried through, except for the member of this library: Options replaces it.
	Extensions json.RawMessage
	// Options are rules that SillyTavern does not have. Nil means none.
	Options *Options
	// Extra holds the members without a field.
	Extra map[string]json.RawMessage

	// Kept holds the data of the entry's file that has no field, for writing it back. It is empty
	// for an entry made in Go.
	Kept Kept
}

// Kept holds the data of an entry's file that fields cannot express.
type Kept struct {
	// Slot is the name of the entry in the file's entries object.
	Slot string
	// Missing marks the members that the file did not have, one bit each. They stay missing as long
	// as their fields have the values of missing members.
	Missing uint64
	// Odd holds the members whose value has a different type than their field, by JSON name. As
	// long as the field equals SillyTavern's conversion of the value, the value is written back,
	// and the differences that SillyTavern makes by its type apply:
	//
	//   - The text "100" as a probability rolls.
	//   - The text "2" as a depth, a level or a role differs from the number.
	//   - A duration that is not a number ends at once. A duration with a fraction counts with it.
	//   - A scan depth that is not a number or is less than 1 searches everything except messages.
	//   - A weight that is a text is appended to the sum of its group.
	Odd map[string]json.RawMessage
}

// CharacterFilter limits an entry to some characters or, with IsExclude, to all other characters.
type CharacterFilter struct {
	IsExclude bool
	// Names are character file names without extension, Tags are tag ids.
	Names, Tags []string
	// NamesText and TagsText replace Names and Tags in files that have a text instead of the list.
	// A name or a tag counts as listed if the text contains it anywhere.
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

// Logic combines the secondary keys of an entry after a primary key was found.
type Logic int

// The four rules. The numbers are SillyTavern's.
const (
	AndAny Logic = 0 // at least one secondary key is found
	NotAll Logic = 1 // at least one secondary key is missing
	NotAny Logic = 2 // no secondary key is found
	AndAll Logic = 3 // all secondary keys are found
	// LogicNone is the logic of an entry whose JSON has no logic, see [Entry.Logic].
	LogicNone Logic = -1
)

var logicNames = [...]string{"AND_ANY", "NOT_ALL", "NOT_ANY", "AND_ALL"}

// String returns AND_ANY, NOT_ALL, NOT_ANY or AND_ALL, and "none" for [LogicNone].
func (l Logic) String() string {
	if l == LogicNone {
		return "none"
	}
	if l < 0 || int(l) >= len(logicNames) {
		return fmt.Sprintf("Logic(%d)", int(l))
	}
	return logicNames[l]
}

// entryField connects a JSON member to a field of [Entry].
type entryField = loose.Field[Entry]

// entryCodec lists the members in writing order.
var entryCodec = loose.New(
	entryField{Name: "uid", At: func(e *Entry) any { return (*loose.UID)(&e.UID) }},
	entryField{Name: "key", At: func(e *Entry) any { return &e.Keys }},
	entryField{Name: "keysecondary", At: func(e *Entry) any { return &e.SecondaryKeys }},
	entryField{Name: "comment", At: func(e *Entry) any { return &e.Comment }},
	entryField{Name: "content", At: func(e *Entry) any { return &e.Content }},
	entryField{Name: "constant", At: func(e *Entry) any { return &e.Constant }},
	entryField{Name: "vectorized", At: func(e *Entry) any { return &e.Vectorized }},
	entryField{Name: "selective", At: func(e *Entry) any { return &e.Selective }},
	entryField{Name: "selectiveLogic", At: func(e *Entry) any { return (*loose.Logic)(&e.Logic) }},
	entryField{Name: "addMemo", At: func(e *Entry) any { return &e.AddMemo }},
	entryField{Name: "order", At: func(e *Entry) any { return &e.Order }},
	entryField{Name: "position", At: func(e *Entry) any { return (*loose.Position)(&e.Position) }},
	entryField{Name: "disable", At: func(e *Entry) any { return (*loose.Switch)(&e.Disable) }},
	entryField{Name: "ignoreBudget", At: func(e *Entry) any { return &e.IgnoreBudget }},
	entryField{Name: "excludeRecursion", At: func(e *Entry) any { return &e.ExcludeRecursion }},
	entryField{Name: "preventRecursion", At: func(e *Entry) any { return &e.PreventRecursion }},
	entryField{Name: "delayUntilRecursion", At: func(e *Entry) any { return &e.DelayUntilRecursion }},
	entryField{Name: "probability", At: func(e *Entry) any { return &e.Probability }},
	entryField{Name: "useProbability", At: func(e *Entry) any { return &e.UseProbability }},
	entryField{Name: "depth", At: func(e *Entry) any { return (*loose.Depth)(&e.Depth) }},
	entryField{Name: "role", At: func(e *Entry) any { return (*int)(&e.Role) }},
	entryField{Name: "groupWeight", At: func(e *Entry) any { return (*loose.Weight)(&e.GroupWeight) }},
	entryField{Name: "scanDepth", At: func(e *Entry) any { return &e.ScanDepth }},
	entryField{Name: "caseSensitive", At: func(e *Entry) any { return &e.CaseSensitive }},
	entryField{Name: "matchWholeWords", At: func(e *Entry) any { return &e.MatchWholeWords }},
	entryField{Name: "useGroupScoring", At: func(e *Entry) any { return &e.UseGroupScoring }},
	entryField{Name: "sticky", At: func(e *Entry) any { return &e.Sticky }},
	entryField{Name: "cooldown", At: func(e *Entry) any { return &e.Cooldown }},
	entryField{Name: "delay", At: func(e *Entry) any { return &e.Delay }},
	entryField{Name: "displayIndex", At: func(e *Entry) any { return &e.DisplayIndex }},
	entryField{Name: "outletName", At: func(e *Entry) any { return &e.OutletName }},
	entryField{Name: "group", At: func(e *Entry) any { return &e.Group }},
	entryField{Name: "groupOverride", At: func(e *Entry) any { return &e.GroupOverride }},
	entryField{Name: "automationId", At: func(e *Entry) any { return &e.AutomationID }},
	entryField{Name: "matchPersonaDescription", At: func(e *Entry) any { return &e.MatchPersonaDescription }},
	entryField{Name: "matchCharacterDescription", At: func(e *Entry) any { return &e.MatchCharacterDescription }},
	entryField{Name: "matchCharacterPersonality", At: func(e *Entry) any { return &e.MatchCharacterPersonality }},
	entryField{Name: "matchCharacterDepthPrompt", At: func(e *Entry) any { return &e.MatchCharacterDepthPrompt }},
	entryField{Name: "matchScenario", At: func(e *Entry) any { return &e.MatchScenario }},
	entryField{Name: "matchCreatorNotes", At: func(e *Entry) any { return &e.MatchCreatorNotes }},
	entryField{Name: "triggers", At: func(e *Entry) any { return (*loose.Choices)(&e.Triggers) }},
	entryField{Name: "characterFilter", At: func(e *Entry) any { return filterField{&e.CharacterFilter} }, Optional: true},
	entryField{Name: "world", At: func(e *Entry) any { return (*loose.World)(&e.World) }, Optional: true},
	entryField{Name: "conditions", At: func(e *Entry) any { return &e.Conditions }, Optional: true},
	entryField{Name: "extensions", At: func(e *Entry) any { return &e.Extensions }, Optional: true},
	entryField{Name: "literal", At: func(e *Entry) any { return &e.Literal }, Optional: true},
)

// The members whose JSON type matters to a scan, see [Kept].
const (
	memberLogic       = "selectiveLogic"
	memberDelayLevel  = "delayUntilRecursion"
	memberProbability = "probability"
	memberDepth       = "depth"
	memberRole        = "role"
	memberScanDepth   = "scanDepth"
	memberWeight      = "groupWeight"
	memberSticky      = "sticky"
	memberCooldown    = "cooldown"
	memberDelay       = "delay"
)

// UnmarshalJSON implements [json.Unmarshaler]. No member makes it fail. A value of a different type
// than its field is converted as SillyTavern's engine would convert it, and is written back
// unchanged.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var out Entry
	m, extra, err := entryCodec.Decode(data, &out)
	if err != nil {
		return err
	}
	out.Extra, out.Kept.Missing, out.Kept.Odd = extra, m.Missing, m.Odd
	out.Options, _ = readOptions(out.Extensions)
	*e = out
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (e Entry) MarshalJSON() ([]byte, error) {
	e.Extensions = e.Options.within(e.Extensions)
	return entryCodec.Encode(&e, e.Kept.memory(), e.Extra), nil
}

func (k *Kept) memory() loose.Memory { return loose.Memory{Missing: k.Missing, Odd: k.Odd} }

// odd returns the value of a member that has a different type than its field.
func (e *Entry) odd(name string) (loose.Value, bool) {
	return entryCodec.Odd(e, e.Kept.memory(), name)
}

// filterField is the field of the character filter.
type filterField struct{ at **CharacterFilter }

// Read implements [loose.Custom].
func (f filterField) Read(raw json.RawMessage) (exact bool) {
	filter, exact := loose.ReadFilter(raw)
	*f.at = (*CharacterFilter)(filter)
	return exact
}

// Write implements [loose.Custom].
func (f filterField) Write() []byte { return (*loose.Filter)(*f.at).JSON() }
