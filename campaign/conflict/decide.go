package conflict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// askName is the [Conflict.Detector] of conflicts that an answer to a question shows.
const askName = "ask"

// The answers of [Verdict.Asserted].
const (
	AssertedYes     = "yes"
	AssertedNo      = "no"
	AssertedUnclear = "unclear"
)

// Asked is the question and the answer of a conflict that was found by asking.
type Asked struct {
	Kind string `json:"kind"` // of the question
	// Answer is the answer, as it was used.
	Answer Verdict `json:"answer"`
}

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
		if ok && a.Asserted == AssertedNo {
			continue
		}
		if ok {
			ok = r.usable(q, &a)
		}
		if !ok {
			open = append(open, q.N)
			continue
		}
		if c, found := r.contradiction(q, a); found {
			c.Detector, c.Severity = askName, opts.askSeverity(q.Kind)
			c.Asked = &Asked{q.Kind, a}
			if c.Severity != "" {
				out = withAsked(out, c)
			}
		}
	}
	return out, open
}

// withAsked appends a conflict that was found by asking. A warning of the rules about the same words
// is replaced.
func withAsked(list []Conflict, c Conflict) []Conflict {
	same := func(old Conflict) bool {
		return familyOf(old.Kind) == familyOf(c.Kind) && old.EntityID == c.EntityID && shareWords(old.Quote, c.Quote)
	}
	for _, old := range list {
		if same(old) && old.Severity == Block {
			return list
		}
	}
	return append(slices.DeleteFunc(list, same), c)
}

// askSeverity returns the severity of a conflict that was found by asking, by the level of the
// detector of its kind; "" if that detector is off.
func (o Options) askSeverity(kind string) Severity {
	name := detectorOf[family[kind]]
	level := o.level(name)
	if level == LevelOff {
		return ""
	}
	return o.severity(name, level, Block)
}

// detectorOf has the detector of each field.
var detectorOf = map[string]string{
	FieldHP: "hp", FieldAliveState: "life", FieldPosition: "location", FieldWorldRules: "world_rules",
	FieldMap: "map", FieldCard: "card", FieldGoal: "goal", "dice": "dice",
}

// familyOf returns the field that a kind of conflict is about.
func familyOf(kind string) string {
	for _, d := range Builtin() {
		if slices.Contains(d.Kinds, kind) {
			for field, name := range detectorOf {
				if name == d.Name {
					return field
				}
			}
		}
	}
	return kind
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
	if a.Asserted != AssertedYes {
		return false
	}
	if a.EntityID = r.oneOf(a.EntityID, q.Who, r.nameOf); a.EntityID == "" && isPersonal(q.Kind) {
		return false
	}
	if a.Value != nil && !slices.Contains(q.Values, *a.Value) {
		return false
	}
	if a.Value == nil && len(q.Values) == 1 {
		a.Value = &q.Values[0]
	}
	if len(q.Places) == 0 {
		a.Place = ""
	} else {
		if a.Place == "" && len(q.Places) == 1 {
			a.Place = q.Places[0]
		}
		a.Place = r.oneOf(a.Place, q.Places, r.areaName)
		return a.Place != ""
	}
	return true
}

// isPersonal reports whether questions of a kind are about a character.
func isPersonal(kind string) bool {
	switch kind {
	case AskRule, AskMap, AskGoal, AskDice:
		return false
	}
	return true
}

// oneOf returns the ID of a list that a model means by its ID or name; "" if it means none.
func (r *Reading) oneOf(said string, ids []string, name func(id string) []string) string {
	said = strings.TrimSpace(said)
	for _, id := range ids {
		if said == id {
			return id
		}
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
// subjects it is about. Without subjects, all its characters count.
func (r *Reading) explains(q Question, subjects int) bool {
	who := q.Who
	if subjects > 0 {
		who = who[:subjects]
	}
	if family[q.Kind] == FieldHP && len(q.Values) > 0 {
		q.Kind = AskHP
		for _, id := range who {
			if !r.told(q, id) {
				return false
			}
		}
		return true
	}
	if !isPersonal(q.Kind) {
		who = []string{""}
	}
	values := make([]*int, 0, len(q.Values)+1)
	for i := range q.Values {
		values = append(values, &q.Values[i])
	}
	if len(values) == 0 {
		values = append(values, nil)
	}
	places := q.Places
	if len(places) == 0 {
		places = []string{""}
	}
	for _, id := range who {
		for _, v := range values {
			for _, place := range places {
				if _, found := r.contradiction(q, Verdict{EntityID: id, Value: v, Place: place}); found {
					return false
				}
			}
		}
	}
	return true
}

// told reports whether a number of a quote about hit points is a settled amount or a value of a
// character.
func (r *Reading) told(q Question, id string) bool {
	return slices.ContainsFunc(q.Values, func(v int) bool {
		_, found := r.contradiction(q, Verdict{EntityID: id, Value: &v})
		return !found
	})
}

// contradiction compares a claim with the state.
func (r *Reading) contradiction(q Question, a Verdict) (Conflict, bool) {
	c := r.View.character(a.EntityID)
	told := func(kind, field string, expected, found Facts) (Conflict, bool) {
		return Conflict{Kind: kind, Field: field, EntityID: a.EntityID, Quote: q.Quote,
			Expected: expected, Found: found, Instruction: r.instruction(kind)}, true
	}
	changed := func(kind, field string) (Conflict, bool) {
		if r.View.affected(field) {
			return Conflict{}, false
		}
		return told(kind, cmp.Or(fieldNames[field], field), Facts{"changed": false}, Facts{"changed": true})
	}
	switch q.Kind {
	case AskRule:
		return changed(WorldRuleRewrite, FieldWorldRules)
	case AskMap:
		return changed(MapRewrite, FieldMap)
	case AskGoal:
		return changed(GoalRewrite, FieldGoal)
	case AskDice:
		n := 0
		if a.Value != nil {
			n = *a.Value
		}
		if r.View.rollSupports(n, parse.Subject{}) || n == 0 && r.View.rollCount() > 0 || !r.View.CheckAllowed {
			return Conflict{}, false
		}
		return told(DiceClaimUnsettled, "dice", Facts{"rolls": r.View.rollCount()}, Facts{"claimed_roll": n})
	}
	if c == nil {
		return Conflict{}, false
	}
	switch q.Kind {
	case AskCard:
		if r.View.affectedOf(FieldCard, c.ID) {
			return Conflict{}, false
		}
		return told(CardRewrite, "card", Facts{"changed": false}, Facts{"changed": true})
	case AskDead, AskUnconscious, AskAlive:
		state := lifeStates[q.Kind]
		if r.View.supportsLife(c, state) {
			return Conflict{}, false
		}
		return told(LifeStateUnsettled, "alive_state", Facts{"alive_state": c.AliveState}, Facts{"claimed_alive_state": state})
	case AskArrival, AskPresence:
		arrival := q.Kind == AskArrival
		if a.Place == "" || c.AreaID == "" || r.View.placeSupports(c, stay{Areas: []string{a.Place}, Arrival: arrival}, !arrival) {
			return Conflict{}, false
		}
		kind := LocationMismatch
		if arrival {
			kind = LocationUnsettled
		}
		return told(kind, "area_id", Facts{"area_id": c.AreaID}, Facts{"claimed_area_id": a.Place})
	}
	return r.hpContradiction(q, a, c)
}

// lifeStates are the states of the questions about life.
var lifeStates = map[string]string{AskDead: "dead", AskUnconscious: "downed", AskAlive: "alive"}

// fieldNames has the fields that conflicts name differently from the evidence.
var fieldNames = map[string]string{FieldWorldRules: "world.rules"}

// hpContradiction compares a claim about hit points with the state. A claim without a number is
// supported by any change in its direction.
func (r *Reading) hpContradiction(q Question, a Verdict, c *Character) (Conflict, bool) {
	e := r.View.evidenceOf(c.ID, map[string]*hpEvidence{})
	sign := map[string]int{AskLoss: -1, AskGain: +1}[q.Kind]
	if q.Kind == AskFull || q.Kind == AskEmpty {
		claim := hpFact{Value: maximal}
		if q.Kind == AskEmpty {
			claim.Value = 0
		}
		if e.supportsValue(c, claim) {
			return Conflict{}, false
		}
		return r.asked(r.hpConflict(c, e, claim, false), q), true
	}
	if a.Value == nil {
		if sign == 0 || r.View.changedHP(c.ID, sign) {
			return Conflict{}, false
		}
		claim := hpFact{Delta: sign}
		return r.asked(r.hpConflict(c, e, claim, false), q), true
	}
	claim := hpFact{Delta: sign * *a.Value, Value: *a.Value}
	if q.Kind == AskHP {
		claim = hpFact{Delta: -*a.Value, either: true}
		if e.take(*a.Value, false) {
			return Conflict{}, false
		}
	}
	// A loss to a number of points is often told like a loss of that number.
	if *a.Value < 0 || e.supports(c, claim) || e.supportsValue(c, hpFact{Value: *a.Value}) {
		return Conflict{}, false
	}
	return r.asked(r.hpConflict(c, e, claim, false), q), true
}

// asked returns a conflict with the quote of a question.
func (r *Reading) asked(c Conflict, q Question) Conflict {
	c.Quote = q.Quote
	return c
}
