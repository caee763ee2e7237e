package declared

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
)

// notClaims are the kinds of findings about words or form, which are not about events.
var notClaims = []string{conflict.HiddenGoalLeak, conflict.StructuredStateWrite}

// claimsInText returns the claims of the text: its conflicts with the state before the answer, because
// statements that agree with that state are not new. It leaves out claims in the part that was
// judged before.
func (c *checker) claimsInText(opts conflict.Options) []conflict.Conflict {
	before := c.Before
	before.Goal.Hidden = false
	all := conflict.Detect(c.Narration, c.Structured, before, opts)
	var known []conflict.Conflict
	if c.Known != "" {
		known = conflict.Detect(c.Known, nil, before, opts)
	}
	all = slices.DeleteFunc(all, func(f conflict.Conflict) bool { return slices.Contains(notClaims, f.Kind) })
	return Without(all, known)
}

// compareText raises the severity of findings that the list does not contain, and adds the claims of the
// text that are not in the list.
func (c *checker) compareText(found, inText []conflict.Conflict) []conflict.Conflict {
	for i := range found {
		f := &found[i]
		isClaim := f.Detector != detectorName && !slices.Contains(notClaims, f.Kind)
		if isClaim && f.Severity == conflict.Warn && !c.isListed(*f) {
			f.Severity = c.severity
		}
	}
	hasFinding := make(map[passage]bool, len(found))
	for _, f := range found {
		hasFinding[passageOf(f)] = true
	}
	for _, f := range inText {
		if hasFinding[passageOf(f)] || c.isListed(f) {
			continue
		}
		unlisted := c.conflict(conflict.ClaimUnlisted, f.Field, conflict.Facts{"listed": false})
		unlisted.EntityID, unlisted.Found, unlisted.Quote = f.EntityID, f.Found, f.Quote
		found = append(found, unlisted)
	}
	return found
}

// isListed reports whether the list contains the claim that a finding is about. A finding about hit
// points may also give the sum of the listed amounts, of the gains or of the losses.
func (c *checker) isListed(f conflict.Conflict) bool {
	sum, gains, losses := 0, 0, 0
	for _, claim := range c.claims {
		if claim.covers(c, f) {
			return true
		}
		if claim.Kind == kindHP && claim.who == f.EntityID && claim.Amount != nil {
			sum, gains, losses = sum+*claim.Amount, gains+max(*claim.Amount, 0), losses+min(*claim.Amount, 0)
		}
	}
	delta, _ := f.Found["claimed_delta"].(int)
	return delta != 0 && (delta == sum || delta == gains || delta == losses)
}

// covers reports whether a claim is the one that a finding is about.
func (claim claim) covers(c *checker, f conflict.Conflict) bool {
	kind, isBuiltin := kindOf[f.Kind]
	isWoundAsHP := kind == kindWound && claim.Kind == kindHP // a change of hit points lists a wound too
	if isBuiltin && kind != claim.Kind && !isWoundAsHP {
		return false
	}
	if f.EntityID != "" && isAboutCharacter(claim.Kind) && claim.who != f.EntityID {
		return false
	}
	switch kind {
	case kindHP:
		delta, _ := f.Found["claimed_delta"].(int)
		if delta != 0 {
			return claim.Amount != nil && *claim.Amount == delta
		}
		character, _ := c.reading.Character(claim.who)
		value, _ := f.Found["claimed_hp"].(int)
		// The value after a listed change follows from the change.
		return claim.Amount != nil && value == character.HP.Current || claim.Value != nil && *claim.Value == value
	case kindLife:
		state := f.Found["claimed_alive_state"]
		return claim.State == state || claim.State == "dead" && state == "downed"
	case kindPlace:
		area, _ := f.Found["claimed_area_id"].(string)
		return slices.ContainsFunc(claim.areas, func(a string) bool { return c.isInside(a, []string{area}) })
	case kindRoll:
		roll := f.Found["claimed_roll"]
		return *claim.Value == roll || claim.Call != "" && c.callRolled(claim.Call, roll)
	case "": // from a host's own detector
		return claim.Kind == f.Field || claim.Kind == f.Kind || claim.Kind == f.Detector
	}
	return true
}

// callRolled reports whether a call has a roll with a number as its result or its total.
func (c *checker) callRolled(call string, number any) bool {
	return slices.ContainsFunc(c.After.Actions, func(a conflict.Action) bool {
		return a.ID == call && slices.ContainsFunc(a.Rolls, func(r conflict.Roll) bool {
			return r.Roll == number || r.Total == number
		})
	})
}

// kindOf maps a kind of finding of the built-in detectors to the kind of claim that it is about.
var kindOf = func() map[string]string {
	claims := map[string]string{"hp": kindHP, "hp_qualitative": kindWound, "life": kindLife, "location": kindPlace, "dice": kindRoll,
		"card": kindCard, "map": kindMap, "world_rules": kindRules, "goal": kindGoal}
	out := map[string]string{}
	for _, d := range conflict.Builtin() {
		for _, kind := range d.Kinds {
			if claim, known := claims[d.Name]; known {
				out[kind] = claim
			}
		}
	}
	return out
}()

// unsupportedConflict returns the conflict of an unsupported claim. expected are the facts that
// contradict it. The quote is the quote of the claim if the text contains it. Otherwise it is the
// quote of the finding in the text that the claim covers.
func (c *checker) unsupportedConflict(claim claim, expected conflict.Facts, inText []conflict.Conflict) conflict.Conflict {
	out := c.conflict(conflict.ClaimUnsupported, claim.Kind, expected)
	if isAboutCharacter(claim.Kind) {
		out.EntityID = claim.who
	}
	if claim.Quote != "" && strings.Contains(c.Narration, claim.Quote) {
		out.Quote = claim.Quote
	} else if i := slices.IndexFunc(inText, func(f conflict.Conflict) bool { return claim.covers(c, f) }); i >= 0 {
		out.Quote = inText[i].Quote
	}
	out.Found = conflict.Facts{}
	for name, text := range map[string]string{"call": claim.Call, "claimed_alive_state": claim.State, "claimed_place": claim.Place} {
		if text != "" {
			out.Found[name] = text
		}
	}
	if claim.Amount != nil {
		out.Found["claimed_delta"] = *claim.Amount
	}
	if claim.Value != nil {
		out.Found["claimed_value"] = *claim.Value
	}
	return out
}

func (c *checker) conflict(kind, field string, expected conflict.Facts) conflict.Conflict {
	return conflict.Conflict{Detector: detectorName, Kind: kind, Severity: c.severity, Field: field, Expected: expected,
		Instruction: instructions[c.reading.Chinese()][kind]}
}

// instructions tell the model what to list or to settle, in Chinese (true) and English.
var instructions = map[bool]map[string]string{
	true: {
		conflict.ClaimUnlisted:    "这句话不在声明列表 claims 里：请列出它，并写上结算它的调用编号；没有结算的，请先调用工具，或删去这句话。",
		conflict.ClaimUnsupported: "这条声明没有依据：请写上真正结算它的调用编号，或用工具请求结算，或把它从列表和叙述中删去。",
		conflict.ClaimsMalformed:  `声明列表无法读取：请写成 <claims>[{"kind": "hp", "who": "角色编号", "amount": -3, "call": "call_001"}]</claims>。`,
	},
	false: {
		conflict.ClaimUnlisted: "This is not in your list of claims: list it with the id of the call that settles it; " +
			"if nothing settles it, request a tool first, or drop it.",
		conflict.ClaimUnsupported: "Nothing supports this claim: name the call that settles it, request a tool that does, " +
			"or drop it from the list and from the text.",
		conflict.ClaimsMalformed: "The list of claims cannot be read: write " +
			`<claims>[{"kind": "hp", "who": "id of a character", "amount": -3, "call": "call_001"}]</claims>.`,
	},
}
