package conflict

import (
	"slices"
	"strconv"
	"strings"
)

// askName is the [Conflict.Detector] of conflicts that an answer to a question shows.
const askName = "ask"

// The answers of [Verdict.Asserted].
const (
	assertedYes     = "yes"
	assertedNo      = "no"
	assertedUnclear = "unclear"
)

// Decide compares the answers to questions with the state, and appends the conflicts that they
// show to the findings. It returns a new list, and the numbers of the questions without an answer
// that can be used.
//
// An answer says what the text says. It is text of a model, so only three things in it count: that
// the quote is asserted; which of the characters of the question it is about; and a number or a
// place. A character, number or place that the question does not list makes the answer unusable. So
// do two answers to one question. An unusable answer blocks nothing.
func Decide(r *Reading, questions []Question, answers []Verdict, findings []Conflict, opts Options) (out []Conflict, open []int) {
	out = slices.Clone(findings)
	if opts.Mode == Off {
		return out, nil
	}
	for _, q := range questions {
		a, ok := answerTo(q, answers)
		if ok && a.Asserted == assertedNo {
			continue
		}
		if !ok || !r.usable(q, &a) {
			open = append(open, q.N)
			continue
		}
		c, found := r.contradiction(claimOfAnswer(q, a), a.EntityID, nil)
		at := strings.Index(r.Narration, q.Quote)
		if !found || r.isSettledPart(c, r.charsOf(at, at+len(q.Quote))) {
			continue
		}
		c.Detector, c.Quote, c.Severity = askName, q.Quote, opts.askSeverity(q.Kind)
		c.Asked = &Asked{q.Kind, a}
		if c.Severity != "" {
			out = withAsked(out, c)
		}
	}
	return out, open
}

// withAsked appends a conflict that was found by asking. A warning of the rules about the same words
// is replaced.
func withAsked(list []Conflict, c Conflict) []Conflict {
	same := func(old Conflict) bool {
		return rowOf(old.Kind).field == rowOf(c.Kind).field && old.EntityID == c.EntityID && shareWords(old.Quote, c.Quote) &&
			(old.Kind != hpAmountMismatch || old.Found["claimed_delta"] == c.Found["claimed_delta"])
	}
	if slices.ContainsFunc(list, func(old Conflict) bool { return same(old) && old.Severity == Block }) {
		return list
	}
	return append(slices.DeleteFunc(list, same), c)
}

// askSeverity returns the severity of a conflict that was found by asking, by the level of the
// detector of its kind; "" if that detector is off.
func (o Options) askSeverity(kind string) Severity {
	name := rowOf(kind).name
	if level := o.level(name); level != LevelOff {
		return o.severity(name, level, Block)
	}
	return ""
}

// answerTo returns the only answer to a question.
func answerTo(q Question, answers []Verdict) (a Verdict, ok bool) {
	for _, one := range answers {
		if one.N == q.N {
			if ok {
				return Verdict{}, false
			}
			a, ok = one, true
		}
	}
	return a, ok
}

// usable reports whether an answer says that the quote is asserted and names only what the question
// lists. It completes what the answer leaves out if there is only one choice.
func (r *Reading) usable(q Question, a *Verdict) bool {
	if a.Asserted != assertedYes {
		return false
	}
	if a.EntityID = r.oneOf(a.EntityID, q.Who, r.nameOf); a.EntityID == "" && rowOf(q.Kind).who {
		return false
	}
	if a.Value != nil && !slices.Contains(q.Values, *a.Value) {
		return false
	}
	if a.Value == nil && len(q.Values) == 1 {
		a.Value = &q.Values[0]
	}
	if a.Place == "" && len(q.Places) == 1 {
		a.Place = q.Places[0]
	}
	a.Place = r.oneOf(a.Place, q.Places, r.areaName)
	return a.Place != "" || len(q.Places) == 0
}

// oneOf returns the ID of a list that a model means by its ID or name; "" if it means none.
func (r *Reading) oneOf(said string, ids []string, name func(id string) []string) string {
	if said = strings.TrimSpace(said); slices.Contains(ids, said) {
		return said
	}
	for _, id := range ids {
		if slices.ContainsFunc(name(id), func(n string) bool { return n != "" && strings.EqualFold(n, said) }) {
			return id
		}
	}
	return ""
}

func (r *Reading) nameOf(id string) []string {
	if c := r.View.character(id); c != nil {
		return append([]string{c.Name}, c.Aliases...)
	}
	return nil
}

func (r *Reading) areaName(id string) []string {
	if a := r.View.area(id); a != nil {
		return append([]string{a.Name}, a.Aliases...)
	}
	return nil
}

// explains reports whether the state or an action of the turn explains a quote, whichever of its
// subjects it is about. Without subjects, all its characters count. settled is what the quotes before
// have used of the settled amounts.
func (r *Reading) explains(q Question, subjects int, settled map[string]*hpEvidence) bool {
	who, d := q.Who, rowOf(q.Kind)
	if subjects > 0 {
		who = who[:subjects]
	}
	if !d.who {
		who = []string{""}
	}
	return !slices.ContainsFunc(who, func(id string) bool { return !r.explainsFor(q, id, d, settled) })
}

// explainsFor reports whether nothing that a quote may say about a character contradicts the state.
func (r *Reading) explainsFor(q Question, id string, d *row, settled map[string]*hpEvidence) bool {
	if d.field == FieldHP && q.Kind != askPart && len(q.Values) > 0 {
		is, e := r.View.character(id), r.View.evidenceOf(id, settled)
		return !slices.ContainsFunc(q.Values, func(v int) bool {
			known := v == is.HP.Max && len(q.Values) > 1 || v == is.HP.Current-e.applied || e.supportsValue(is, hpFact{Value: v})
			return !known && !e.supports(is, hpFact{Delta: -v, either: true})
		})
	}
	values := []*int{nil}
	if len(q.Values) > 0 {
		values = values[:0]
		for i := range q.Values {
			values = append(values, &q.Values[i])
		}
	}
	places := q.Places
	if len(places) == 0 {
		places = []string{""}
	}
	return !slices.ContainsFunc(values, func(v *int) bool {
		return slices.ContainsFunc(places, func(place string) bool {
			_, found := r.contradiction(claimOfAnswer(q, Verdict{Value: v, Place: place}), id, nil)
			return found
		})
	})
}

// claimOfAnswer returns the claim that an answer says a quote makes.
func claimOfAnswer(q Question, a Verdict) claim {
	c := claim{kind: q.Kind, value: a.Value}
	if a.Place != "" {
		c.places = [][]string{{a.Place}}
	}
	return c
}

// A history is the evidence of the turn that the earlier claims of a text have used.
type history struct {
	hp      map[string]*hpEvidence
	arrived map[string]bool // characters whose settled arrival is already in the text
	last    map[string]int  // by character: the result of lastPlace
}

// contradiction compares a claim about a character, or about nobody, with the state. Without a
// history the claim is the answer to a question.
func (r *Reading) contradiction(c claim, id string, before *history) (found Conflict, ok bool) {
	d, is := rowOf(c.kind), r.View.character(id)
	if d.who && is == nil || !d.who && r.View.affected(d.field, "") {
		return Conflict{}, false
	}
	if d.compare == nil {
		found, ok = changed(d.kinds[0], strings.ReplaceAll(d.field, "_", ".")), true
		if len(c.places) > 0 {
			found.EntityID = c.places[0][0] // the rule of the world
		}
	} else {
		found, ok = d.compare(r, c, is, before)
	}
	if d.who {
		found.EntityID = id
	}
	found.Instruction = r.instruction(found.Kind)
	return found, ok
}

// changed returns the conflict of a claim that a part of the state changes.
func changed(kind, field string) Conflict {
	return Conflict{Kind: kind, Field: field, Expected: Facts{"changed": false}, Found: Facts{"changed": true}}
}

// compareCard compares a claim about a character card with it. A number that the card has is no change.
func (r *Reading) compareCard(c claim, is *Character, _ *history) (Conflict, bool) {
	value := is.cardValue(c.label)
	if r.View.affected(FieldCard, is.ID) || c.value != nil && c.label != "" && value == strconv.Itoa(*c.value) {
		return Conflict{}, false
	}
	found := changed(cardRewrite, strings.TrimSuffix("card."+c.label, "."))
	if value != "" {
		found.Expected["value"] = value
	}
	return found, true
}

// compareLife compares a claim about life or consciousness with the life state of a character.
func (r *Reading) compareLife(c claim, is *Character, _ *history) (Conflict, bool) {
	state := lifeStates[c.kind]
	if r.View.supportsLife(is, state) {
		return Conflict{}, false
	}
	return Conflict{Kind: lifeStateUnsettled, Field: "alive_state", Expected: Facts{"alive_state": is.AliveState},
		Found: Facts{"claimed_alive_state": state}}, true
}

// comparePlace compares a claim about the place of a character with its place and the moves of the turn.
func (r *Reading) comparePlace(c claim, is *Character, before *history) (Conflict, bool) {
	if len(c.places) == 0 || is.AreaID == "" || r.isThere(c, is, before) {
		return Conflict{}, false
	}
	kind := locationMismatch
	if c.kind == askArrival {
		kind = locationUnsettled
	}
	return Conflict{Kind: kind, Field: "area_id", Expected: Facts{"area_id": is.AreaID}, Found: Facts{"claimed_area_id": c.places[0][0]}}, true
}

// compareWounds compares a claim about wounds or healing with the changes of hit points in the turn.
func (r *Reading) compareWounds(c claim, is *Character, _ *history) (Conflict, bool) {
	return Conflict{Kind: woundUnsettled, Field: "hp.current", Expected: Facts{"hp": is.HP.Current, "applied_delta": 0}, Found: Facts{"claimed": c.kind}},
		!c.doubtful && !r.View.changedHP(is.ID, signs[c.kind])
}

// isThere reports whether the turn supports a claim about a place. 你站在城门下，随后走进大厅: after a move,
// the first half is about the time before it, while the new place comes later in the text.
func (r *Reading) isThere(c claim, is *Character, before *history) bool {
	leaving := before == nil || !before.arrived[is.ID] && c.End <= before.lastPlace(r, is)
	if !r.View.placeSupports(is, c.places[0], c.kind == askArrival, leaving) {
		return false
	}
	if before != nil && c.kind == askArrival {
		before.arrived[is.ID] = true
	}
	return true
}

// lastPlace returns where the text last names the place of a character, or -1.
func (h *history) lastPlace(r *Reading, c *Character) int {
	at, known := h.last[c.ID]
	if !known {
		i := len(r.passage.Places) - 1
		for i >= 0 && !r.View.inside(c.AreaID, r.passage.Places[i].IDs) {
			i--
		}
		if at = -1; i >= 0 {
			at = r.passage.Places[i].Start
		}
		h.last[c.ID] = at
	}
	return at
}

// compareMap compares a claim about areas and ways with the map.
func (r *Reading) compareMap(c claim, _ *Character, _ *history) (Conflict, bool) {
	field, v := "map", &r.View
	switch {
	case c.kind == readPath && v.connected(c.places[0], c.places[1]), c.kind == readSealed && slices.ContainsFunc(c.places[0], v.isLocked):
		return Conflict{}, false
	case c.kind == readPath:
		field = "map.paths"
	case len(c.places) > 0:
		field = "map.areas." + c.places[0][0]
	}
	return changed(mapRewrite, field), true
}

// lifeStates are the states of the claims about life, and signs the directions of claims about hit
// points.
var (
	lifeStates = map[string]string{askDead: "dead", askUnconscious: "downed", askFallen: "downed", askAlive: "alive"}
	signs      = map[string]int{askLoss: -1, readListedLoss: -1, readWound: -1, askGain: +1, readListedGain: +1, readRecovery: +1}
)

// compareHP compares a claim about hit points with the state. A claim without a number is supported by
// any change in its direction, or in any direction if it has none. A part of the maximum need not be exact.
func (r *Reading) compareHP(c claim, is *Character, before *history) (Conflict, bool) {
	settled := map[string]*hpEvidence{}
	if before != nil {
		settled = before.hp
	}
	e := r.View.evidenceOf(is.ID, settled)
	fact := hpFact{Delta: signs[c.kind], Max: c.max, Listed: c.kind == readListedLoss || c.kind == readListedGain}
	switch {
	case c.kind == askPart:
		return comparePart(c, is, e)
	case c.kind == askFull:
		fact.Value = maximal
	case c.kind == askEmpty: // the value is 0
	case c.value == nil && c.kind == askHP:
		return Conflict{Kind: hpChangeUnsettled, Field: "hp.current", Expected: Facts{"hp": is.HP.Current, "applied_delta": 0},
			Found: Facts{"claimed": c.kind}}, len(e.changes) == 0
	case c.value == nil:
		if fact.Delta == 0 || r.View.changedHP(is.ID, fact.Delta) {
			return Conflict{}, false
		}
		return r.hpConflict(is, e, fact), true
	case *c.value == 0 && fact.Delta != 0:
		return Conflict{}, false
	case c.kind == askHP:
		fact.Delta, fact.either = -*c.value, true
	default:
		fact.Delta *= *c.value
		fact.Value = *c.value
	}
	// In many texts a loss to a number of points has the same words as a loss of that number.
	answered := before == nil && c.value != nil && (*c.value < 0 || e.supportsValue(is, hpFact{Value: *c.value}))
	if answered || e.supports(is, fact) {
		return Conflict{}, false
	}
	return r.hpConflict(is, e, fact), true
}

// comparePart compares a claim about a part of the maximum, in per cent, with the present hit points and
// with those after each change.
func comparePart(c claim, is *Character, e *hpEvidence) (Conflict, bool) {
	fits := func(hp int) bool {
		return c.value == nil || is.HP.Max <= 0 || abs(100*hp/is.HP.Max-*c.value) <= partTolerance
	}
	if fits(is.HP.Current) || slices.ContainsFunc(e.changes, func(ch HPChange) bool { return fits(ch.After) }) {
		return Conflict{}, false
	}
	return Conflict{Kind: hpValueMismatch, Field: "hp.current", Expected: Facts{"hp": is.HP.Current, "max": is.HP.Max},
		Found: Facts{"claimed_percent": *c.value}}, true
}

// partTolerance is the maximum difference, in per cent of the maximum, between hit points and the part
// that a text names. Half of them may be 40 to 60 per cent.
const partTolerance = 12

func abs(n int) int { return max(n, -n) }

func (r *Reading) hpConflict(c *Character, e *hpEvidence, fact hpFact) Conflict {
	kind, expected, found := hpChangeUnsettled, Facts{"hp": c.HP.Current}, Facts{"claimed_delta": fact.Delta}
	switch {
	case fact.Delta == 0:
		kind, found = hpValueMismatch, Facts{"claimed_hp": fact.Value}
		if fact.Value == maximal {
			found["claimed_hp"] = c.HP.Max
		}
		if fact.Max != 0 {
			expected["max"], found["claimed_max"] = c.HP.Max, fact.Max
		}
	case len(e.changes) > 0:
		kind, expected["applied_delta"] = hpAmountMismatch, e.applied
	default:
		expected["applied_delta"] = 0
	}
	return Conflict{Kind: kind, Field: "hp.current", Expected: expected, Found: found}
}
