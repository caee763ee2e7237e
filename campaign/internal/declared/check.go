package declared

import (
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
//  4. A finding that the list does not contain blocks, even if it was a warning.
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
		if why := c.unsupported(i); why != nil {
			out = append(out, c.wrong(c.claims[i], why, inText))
		}
	}
	return c.beyond(out, inText)
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

func (c *checker) resolve(in Claim) claim {
	out := claim{Claim: in, who: c.After.ActorID}
	if in.Who != "" {
		out.who = ""
		for _, is := range c.After.Characters {
			if names(in.Who, is.ID, is.Name, is.Aliases) {
				out.who = is.ID
				break
			}
		}
	}
	for _, is := range c.After.Areas {
		if in.Place != "" && names(in.Place, is.ID, is.Name, is.Aliases) {
			out.areas = append(out.areas, is.ID)
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

func names(word, id, name string, aliases []string) bool {
	return word == id || strings.EqualFold(word, name) ||
		slices.ContainsFunc(aliases, func(a string) bool { return strings.EqualFold(word, a) })
}

// ofSomebody reports whether claims of a kind are about a character.
func ofSomebody(kind string) bool {
	return kind == kindHP || kind == kindLife || kind == kindPlace || kind == kindWound || kind == kindCard
}

// unsupported returns the facts that contradict the n-th claim, nil if it is supported.
func (c *checker) unsupported(n int) conflict.Facts {
	claim, view := c.claims[n], c.After
	if claim.Call != "" {
		view.Actions = nil
		for _, a := range c.After.Actions {
			if a.ID == claim.Call {
				view.Actions = append(view.Actions, a)
			}
		}
		switch {
		case len(view.Actions) > 0:
		case slices.Contains(c.Refused, claim.Call):
			return conflict.Facts{"call": "refused"}
		default:
			return conflict.Facts{"call": "unknown"}
		}
	}
	if ofSomebody(claim.Kind) && claim.who == "" {
		return nil // an untracked character has no state
	}
	if c.supports(n, view) {
		return nil
	}
	return c.instead(claim, view)
}

// supports reports whether the n-th claim is supported by the actions of a view or, if it names no
// call, by the state.
func (c *checker) supports(n int, view conflict.View) bool {
	claim := c.claims[n]
	is, _ := c.reading.Character(claim.who)
	standing := claim.Call == "" // the state also counts
	switch claim.Kind {
	case kindHP:
		if claim.Amount != nil {
			return c.settles(n, view)
		}
		return standing && is.HP.Current == *claim.Value || anyHP(view, claim.who, func(ch conflict.HPChange) bool { return ch.After == *claim.Value })
	case kindLife:
		return standing && (is.AliveState == claim.State || claim.State == "downed" && is.Unconscious) || lived(view, claim)
	case kindPlace:
		return standing && c.in(is.AreaID, claim.areas) || slices.ContainsFunc(view.Actions, func(a conflict.Action) bool {
			return slices.ContainsFunc(a.Moves, func(m conflict.Move) bool { return m.CharacterID == claim.who && c.in(m.To, claim.areas) })
		})
	case kindWound:
		return anyHP(view, claim.who, func(conflict.HPChange) bool { return true })
	case kindRoll:
		return slices.ContainsFunc(view.Actions, func(a conflict.Action) bool {
			return slices.ContainsFunc(a.Rolls, func(r conflict.Roll) bool { return r.Roll == *claim.Value || r.Total == *claim.Value })
		})
	}
	field := fieldOf[claim.Kind]
	if field == "" {
		field = claim.Kind // a host's own kind
	}
	return slices.ContainsFunc(view.Actions, func(a conflict.Action) bool {
		return slices.Contains(a.Affects, field) &&
			(claim.Kind != kindCard || len(a.CharacterIDs) == 0 || slices.Contains(a.CharacterIDs, claim.who))
	})
}

// fieldOf maps a kind of claim to the field that a supporting action affects.
var fieldOf = map[string]string{
	kindCard: conflict.FieldCard, kindMap: conflict.FieldMap, kindRules: conflict.FieldWorldRules, kindGoal: conflict.FieldGoal,
}

// settles reports whether a view has a change of the amount of the n-th claim, or several changes
// with this sum. One change supports one claim.
func (c *checker) settles(n int, view conflict.View) bool {
	claim := c.claims[n]
	before, found, sum, effective := 0, 0, 0, 0
	for _, earlier := range c.claims[:n] {
		if earlier.Kind == kindHP && earlier.who == claim.who && earlier.Call == claim.Call && earlier.Amount != nil && *earlier.Amount == *claim.Amount {
			before++
		}
	}
	for _, a := range view.Actions {
		for _, ch := range a.HP {
			if ch.CharacterID != claim.who {
				continue
			}
			if ch.Requested == *claim.Amount || ch.Effective == *claim.Amount {
				found++
			}
			sum, effective = sum+ch.Requested, effective+ch.Effective
		}
	}
	return found > before || before == 0 && sum != 0 && (sum == *claim.Amount || effective == *claim.Amount)
}

func anyHP(view conflict.View, who string, is func(conflict.HPChange) bool) bool {
	return slices.ContainsFunc(view.Actions, func(a conflict.Action) bool {
		return slices.ContainsFunc(a.HP, func(ch conflict.HPChange) bool { return ch.CharacterID == who && is(ch) })
	})
}

// lived reports whether the actions of a view brought a character into the claimed life state.
// Death also supports "downed".
func lived(view conflict.View, claim claim) bool {
	return slices.ContainsFunc(view.Actions, func(a conflict.Action) bool {
		return slices.ContainsFunc(a.Lives, func(l conflict.LifeChange) bool {
			return l.CharacterID == claim.who && (l.After == claim.State || claim.State == "downed" && l.After == "dead")
		})
	}) || claim.State == "downed" && anyHP(view, claim.who, func(ch conflict.HPChange) bool { return ch.After == 0 })
}

// in reports whether an area is one of some areas or inside one of them.
func (c *checker) in(area string, areas []string) bool {
	for range len(c.After.Areas) + 1 { // parents may form a cycle
		if area == "" || slices.Contains(areas, area) {
			return area != ""
		}
		is, _ := c.reading.Area(area)
		area = is.Parent
	}
	return false
}

// elsewhere is the text that the call of a claim settles something else, in Chinese (true) and
// English.
var elsewhere = map[bool]string{true: "结算的是别的事", false: "settles something else"}

// instead returns the facts that are true instead of a claim.
func (c *checker) instead(claim claim, view conflict.View) conflict.Facts {
	out := conflict.Facts{}
	if claim.Call != "" {
		out["call"] = elsewhere[c.reading.Chinese()]
	}
	is, _ := c.reading.Character(claim.who)
	switch claim.Kind {
	case kindHP, kindWound:
		applied := 0
		anyHP(view, claim.who, func(ch conflict.HPChange) bool { applied += ch.Effective; return false })
		out["hp"], out["applied_delta"] = is.HP.Current, applied
	case kindLife:
		out["alive_state"] = is.AliveState
	case kindPlace:
		out["area_id"] = is.AreaID
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
