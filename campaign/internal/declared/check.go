package declared

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars/tree"
)

// detectorName is the [conflict.Conflict.Detector] of the findings of [Check].
const detectorName = "claims"

// An Answer is an answer of a model with the states and findings that [Check] compares it with.
type Answer struct {
	// List is the list of the answer, as the model wrote it; absent means that there is none.
	List tree.Value
	// Narration is the text that was judged. Known is the beginning of it that was judged before,
	// for example if the text is a continuation.
	Narration, Known string
	// Structured are the members next to the text.
	Structured map[string]json.RawMessage
	// Before and After are the states before the answer and after its actions. Before has no
	// actions.
	Before, After conflict.View
	// Refused are the IDs of refused calls.
	Refused []string
	// Findings are the results of [conflict.Detect] for the narration and After.
	Findings []conflict.Conflict
}

// Check returns the findings about an answer together with the problems of its list. The rules, in
// order:
//
//  1. If the mode or the detector "claims" is off, the findings are returned unchanged.
//  2. A list that cannot be read is a claims_malformed.
//  3. An unsupported claim is a claim_unsupported. It has the quote of the claim if the text contains it.
//  4. A finding about a claim that is not in the list blocks, even if it was a warning.
//  5. A true claim of the text that is not in the list is a claim_unlisted.
//  6. With mode warn, or level warn of the detector, new findings are warnings and no severity is raised.
func Check(a Answer, opts conflict.Options) []conflict.Conflict {
	level := opts.Detectors[detectorName]
	if opts.Mode == conflict.Off || level == conflict.LevelOff {
		return a.Findings
	}
	severity := conflict.Block
	if opts.Mode == conflict.WarnOnly || level == conflict.LevelWarn {
		severity = conflict.Warn
	}
	c := &checker{Answer: a, severity: severity, reading: conflict.Read(a.Narration, nil, a.After)}
	claims, problem := read(a.List)
	for _, claim := range claims {
		c.claims = append(c.claims, c.resolve(claim))
	}
	out := slices.Clone(a.Findings)
	if what := problem.in(c.reading.Chinese()); what != "" {
		out = append(out, c.conflict(conflict.ClaimsMalformed, "claims", conflict.Facts{"problem": what}))
	}
	inText := c.claimsInText(opts)
	for i := range c.claims {
		if why := c.contradiction(i); why != nil {
			out = append(out, c.unsupportedConflict(c.claims[i], why, inText))
		}
	}
	return c.compareText(out, inText)
}

// checker compares a list with an answer.
type checker struct {
	Answer
	severity conflict.Severity
	reading  *conflict.Reading
	claims   []claim
}

// claim is a claim with resolved names.
type claim struct {
	Claim
	who   string // ID of a tracked character, "" for none
	areas []string
}

// resolve finds the character and the areas that a claim names, and replaces synonyms of life states.
func (c *checker) resolve(in Claim) claim {
	out := claim{Claim: in, who: c.After.ActorID}
	if in.Who != "" {
		out.who = ""
		for _, ch := range c.After.Characters {
			if isNameOf(in.Who, ch.ID, ch.Name, ch.Aliases) {
				out.who = ch.ID
				break
			}
		}
	}
	for _, area := range c.After.Areas {
		if in.Place != "" && isNameOf(in.Place, area.ID, area.Name, area.Aliases) {
			out.areas = append(out.areas, area.ID)
		}
	}
	switch out.State {
	case "unconscious":
		out.State = "downed"
	case "revived":
		out.State = "alive"
	}
	return out
}

func isNameOf(word, id, name string, aliases []string) bool {
	return word == id || strings.EqualFold(word, name) ||
		slices.ContainsFunc(aliases, func(a string) bool { return strings.EqualFold(word, a) })
}

// isAboutCharacter reports whether claims of a kind are about a character.
func isAboutCharacter(kind string) bool {
	return kind == kindHP || kind == kindLife || kind == kindPlace || kind == kindWound || kind == kindCard
}

// contradiction returns the facts that contradict the n-th claim, nil if the claim is supported.
func (c *checker) contradiction(n int) conflict.Facts {
	claim, view := c.claims[n], c.After
	if claim.Call != "" { // only the actions of that call count
		view.Actions = nil
		for _, a := range c.After.Actions {
			if a.ID == claim.Call {
				view.Actions = append(view.Actions, a)
			}
		}
		if len(view.Actions) == 0 {
			if slices.Contains(c.Refused, claim.Call) {
				return conflict.Facts{"call": "refused"}
			}
			return conflict.Facts{"call": "unknown"}
		}
	}
	if isAboutCharacter(claim.Kind) && claim.who == "" {
		return nil // an untracked character has no state
	}
	if c.supports(n, view) {
		return nil
	}
	return c.actualFacts(claim, view)
}

// supports reports whether the n-th claim is supported by the actions of a view or, if the claim
// names no call, by the state.
func (c *checker) supports(n int, view conflict.View) bool {
	if c.claims[n].Call == "" && c.stateSupports(c.claims[n]) {
		return true
	}
	return c.actionsSupport(n, view)
}

// stateSupports reports whether a claim is true in the state after the answer.
func (c *checker) stateSupports(claim claim) bool {
	character, _ := c.reading.Character(claim.who)
	switch claim.Kind {
	case kindHP: // an amount is a change, which a state does not have
		return claim.Amount == nil && character.HP.Current == *claim.Value
	case kindLife:
		return character.AliveState == claim.State || claim.State == "downed" && character.Unconscious
	case kindPlace:
		return c.isInside(character.AreaID, claim.areas)
	}
	return false
}

// actionsSupport reports whether the actions of a view support the n-th claim.
func (c *checker) actionsSupport(n int, view conflict.View) bool {
	claim := c.claims[n]
	switch claim.Kind {
	case kindHP:
		if claim.Amount != nil {
			return c.hasAmount(n, view)
		}
		return anyHPChange(view, claim.who, func(ch conflict.HPChange) bool { return ch.After == *claim.Value })
	case kindWound:
		return anyHPChange(view, claim.who, func(conflict.HPChange) bool { return true })
	case kindLife:
		return reachedLife(view, claim)
	}
	return slices.ContainsFunc(view.Actions, func(a conflict.Action) bool { return c.actionSupports(a, claim) })
}

// actionSupports reports whether an action supports a claim about a place, a roll or a field.
func (c *checker) actionSupports(a conflict.Action, claim claim) bool {
	switch claim.Kind {
	case kindPlace:
		return slices.ContainsFunc(a.Moves, func(m conflict.Move) bool {
			return m.CharacterID == claim.who && c.isInside(m.To, claim.areas)
		})
	case kindRoll:
		return slices.ContainsFunc(a.Rolls, func(r conflict.Roll) bool {
			return r.Roll == *claim.Value || r.Total == *claim.Value
		})
	case kindCard:
		isAbout := len(a.CharacterIDs) == 0 || slices.Contains(a.CharacterIDs, claim.who)
		return isAbout && slices.Contains(a.Affects, conflict.FieldCard)
	}
	field := cmp.Or(fieldOf[claim.Kind], claim.Kind) // a kind of a host is its own field
	return slices.Contains(a.Affects, field)
}

// fieldOf maps a kind of claim to the field that a supporting action affects.
var fieldOf = map[string]string{
	kindMap: conflict.FieldMap, kindRules: conflict.FieldWorldRules, kindGoal: conflict.FieldGoal,
}

// hasAmount reports whether a view has a change of the amount of the n-th claim, or several changes
// with this sum. One change supports one claim.
func (c *checker) hasAmount(n int, view conflict.View) bool {
	claim := c.claims[n]
	sameClaims := 0 // earlier claims of the list that say the same
	for _, earlier := range c.claims[:n] {
		if earlier.Kind == kindHP && earlier.who == claim.who && earlier.Call == claim.Call &&
			earlier.Amount != nil && *earlier.Amount == *claim.Amount {
			sameClaims++
		}
	}
	changes, requested, effective := 0, 0, 0
	for _, a := range view.Actions {
		for _, ch := range a.HP {
			if ch.CharacterID != claim.who {
				continue
			}
			if ch.Requested == *claim.Amount || ch.Effective == *claim.Amount {
				changes++
			}
			requested, effective = requested+ch.Requested, effective+ch.Effective
		}
	}
	isSum := requested != 0 && (requested == *claim.Amount || effective == *claim.Amount)
	return changes > sameClaims || isSum && sameClaims == 0
}

// anyHPChange reports whether a view has a change of a character's hit points that meets a condition.
func anyHPChange(view conflict.View, who string, is func(conflict.HPChange) bool) bool {
	return slices.ContainsFunc(view.Actions, func(a conflict.Action) bool {
		return slices.ContainsFunc(a.HP, func(ch conflict.HPChange) bool { return ch.CharacterID == who && is(ch) })
	})
}

// reachedLife reports whether the actions of a view brought a character into the claimed life state.
// Death also supports "downed".
func reachedLife(view conflict.View, claim claim) bool {
	isDowned := claim.State == "downed"
	if isDowned && anyHPChange(view, claim.who, func(ch conflict.HPChange) bool { return ch.After == 0 }) {
		return true
	}
	return slices.ContainsFunc(view.Actions, func(a conflict.Action) bool {
		return slices.ContainsFunc(a.Lives, func(l conflict.LifeChange) bool {
			return l.CharacterID == claim.who && (l.After == claim.State || isDowned && l.After == "dead")
		})
	})
}

// isInside reports whether an area is one of some areas or inside one of them.
func (c *checker) isInside(area string, areas []string) bool {
	for range len(c.After.Areas) + 1 { // parents may form a cycle
		if area == "" || slices.Contains(areas, area) {
			return area != ""
		}
		inner, _ := c.reading.Area(area)
		area = inner.Parent
	}
	return false
}

// settlesOther is the text that the call of a claim settles something else, in Chinese (true) and
// English.
var settlesOther = map[bool]string{true: "结算的是别的事", false: "settles something else"}

// actualFacts returns the facts that are true instead of a claim.
func (c *checker) actualFacts(claim claim, view conflict.View) conflict.Facts {
	out := conflict.Facts{}
	if claim.Call != "" {
		out["call"] = settlesOther[c.reading.Chinese()]
	}
	character, _ := c.reading.Character(claim.who)
	switch claim.Kind {
	case kindHP, kindWound:
		applied := 0
		for _, a := range view.Actions {
			for _, ch := range a.HP {
				if ch.CharacterID == claim.who {
					applied += ch.Effective
				}
			}
		}
		out["hp"], out["applied_delta"] = character.HP.Current, applied
	case kindLife:
		out["alive_state"] = character.AliveState
	case kindPlace:
		out["area_id"] = character.AreaID
	case kindRoll:
		rolls := 0
		for _, a := range view.Actions {
			rolls += len(a.Rolls)
		}
		out["rolls"] = rolls
	default:
		out["changed"] = false
	}
	return out
}
