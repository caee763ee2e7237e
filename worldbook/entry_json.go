package worldbook

import "github.com/talewright/talewright/worldbook/internal/loose"

// entryField ties a JSON member to a field of [Entry].
type entryField = loose.Field[Entry]

// entryCodec lists the members in the order of writing.
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
	entryField{Name: "triggers", At: func(e *Entry) any { return &e.Triggers }},
	entryField{Name: "characterFilter", At: func(e *Entry) any { return filterField{&e.CharacterFilter} }, Optional: true},
	entryField{Name: "world", At: func(e *Entry) any { return (*loose.World)(&e.World) }, Optional: true},
	entryField{Name: "conditions", At: func(e *Entry) any { return &e.Conditions }, Optional: true},
	entryField{Name: "extensions", At: func(e *Entry) any { return &e.Extensions }, Optional: true},
	entryField{Name: "literal", At: func(e *Entry) any { return &e.Literal }, Optional: true},
)

// The members whose type matters to a scan, see [Kept].
const (
	memberLogic       = "selectiveLogic"
	memberDelayLevel  = "delayUntilRecursion"
	memberProbability = "probability"
	memberDepth       = "depth"
	memberSticky      = "sticky"
	memberCooldown    = "cooldown"
	memberDelay       = "delay"
)

// UnmarshalJSON implements [json.Unmarshaler]. No member makes it fail: a value
// of another type than the field's is converted as SillyTavern's engine would
// and written back unchanged.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var out Entry
	m, extra, err := entryCodec.Decode(data, &out)
	if err != nil {
		return err
	}
	out.Extra, out.Kept.Missing, out.Kept.Odd = extra, MemberSet(m.Missing), m.Odd
	*e = out
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (e Entry) MarshalJSON() ([]byte, error) {
	return entryCodec.Encode(&e, e.Kept.memory(), e.Extra), nil
}

func (k *Kept) memory() loose.Memory { return loose.Memory{Missing: uint64(k.Missing), Odd: k.Odd} }

// odd returns the value of a member that has another type than its field.
func (e *Entry) odd(name string) (loose.Value, bool) {
	return entryCodec.Odd(e, e.Kept.memory(), name)
}
