package worldbook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/loose"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// explainer collects the explanations of one scan. Later loops overwrite the results of earlier
// loops. A nil explainer collects nothing.
type explainer struct {
	s         *view
	recursion *recursion

	list  []Explanation
	cause map[ID]ID    // the feeder whose text led to an entry
	fuses *match.Fuses // of the searches made to explain

	holders map[int32]*entry // the first feeder that contains each atom of the book
	known   int              // number of feeders that holders covers
}

// newExplainer starts with all entries not examined. A limit of loops can leave entries in this
// state.
func newExplainer(s *view, r *recursion) *explainer {
	x := &explainer{s: s, recursion: r, list: make([]Explanation, len(s.c.entries)), cause: map[ID]ID{},
		holders: map[int32]*entry{}, fuses: match.NewFuses()}
	for i, e := range s.c.entries {
		x.list[i] = Explanation{ID: e.id, Comment: e.src.Comment, Gate: "not examined"}
	}
	return x
}

// stop records the rule that stopped an entry. A stop after the entry was found, in an earlier
// loop, is more informative and is kept.
func (x *explainer) stop(i int, g gate) {
	if x == nil {
		return
	}
	if to := &x.list[i]; to.Reason == nil {
		to.Gate, to.Loop = x.gateText(i, x.s.c.entries[i], g), x.s.loop.number
	}
}

const noKeyFound = "no key found"

// gateText returns the stable text of a gate.
func (x *explainer) gateText(i int, e *entry, g gate) string {
	s := x.s
	switch g {
	case gateDisabled:
		return "disabled"
	case gateClosed:
		return "its book is closed"
	case gateTrigger:
		return fmt.Sprintf("trigger %s not among %s", s.in.Type.known(), strings.Join(e.src.Triggers, ", "))
	case gateName:
		return fmt.Sprintf("character filter by name: %q", s.in.Speaker.Name)
	case gateTag:
		return fmt.Sprintf("character filter by tag: %q", strings.Join(s.in.Speaker.Tags, ", "))
	case gateConditions:
		return "conditions do not hold"
	case gateDelay:
		return fmt.Sprintf("delay %s more", loose.NumberText(s.timing.delayLeft(e))) + roundsText(e.delay.rounds)
	case gateCooldown:
		r := s.timing.cooldown.m[e.name()]
		return fmt.Sprintf("cooldown %d left", r.End-s.timing.now(r)) + roundsText(r.Rounds)
	case gateLevel:
		return fmt.Sprintf("waits for recursion level %s", loose.NumberText(e.level.number))
	case gateExclude:
		if !s.search.AnyKey(i) && !e.late && !e.constant {
			return noKeyFound // the exclusion changes nothing
		}
		return "excluded from recursion"
	case gateDecorator:
		return "decorator @@dont_activate"
	case gateKeys:
		if e.own != nil && len(e.own.sources) > 0 {
			return noKeyFound + " in the texts of " + strings.Join(e.own.sources, ", ")
		}
		return noKeyFound
	case gateSecondary:
		return x.secondaryText(e)
	case gateOverflow:
		return "budget overflowed before"
	case gateCard:
		return "a decorator's condition does not hold"
	case gateAdditional:
		return "decorator additional_keys: none found"
	case gateTwin:
		return "an entry of the same id is forced"
	case gateActor:
		return fmt.Sprintf("none of %s acts", strings.Join(e.src.Options.Actors, ", "))
	case gateExpression:
		return x.expressionText(e)
	case gateExcludeKeys:
		return "decorator exclude_keys: found"
	}
	return ""
}

// roundsText names the unit of a duration if it is not messages.
func roundsText(rounds bool) string {
	if rounds {
		return " in rounds"
	}
	return ""
}

// secondaryText lists the keys that decided the secondary rule.
func (x *explainer) secondaryText(e *entry) string {
	w := x.s.windowOf(e)
	var found, missing []string
	for i, ref := range e.secondary {
		if x.s.search.Found(ref, w) {
			found = append(found, e.src.SecondaryKeys[i])
		} else {
			missing = append(missing, e.src.SecondaryKeys[i])
		}
	}
	text := "secondary " + Logic(e.logic).String()
	switch Logic(e.logic) {
	case AndAny, AndAll:
		return text + ": missing " + strings.Join(missing, ", ")
	case NotAny, NotAll:
		return text + ": found " + strings.Join(found, ", ")
	}
	return text
}

// expressionText lists the keys of an expression that does not hold.
func (x *explainer) expressionText(e *entry) string {
	when := e.own.when
	if when.err != nil {
		return "its expression cannot be read: " + when.err.Error()
	}
	w := x.s.windowOf(e)
	var found, missing []string
	for i, ref := range when.refs {
		if x.s.search.Found(ref, w) {
			found = append(found, when.keys[i].text)
		} else {
			missing = append(missing, when.keys[i].text)
		}
	}
	text := "expression does not hold"
	if len(found) > 0 {
		text += ": found " + strings.Join(found, ", ")
	}
	if len(missing) > 0 {
		text += ": missing " + strings.Join(missing, ", ")
	}
	return text
}

// refused records the rule that stopped a candidate after it was found.
func (x *explainer) refused(c *candidate, g gate) {
	if x != nil {
		x.stopped(c, x.gateText(int(c.at), c.entry, g))
	}
}

// unlucky records that a candidate failed its roll.
func (x *explainer) unlucky(c *candidate, roll float64) {
	if x != nil {
		x.stopped(c, fmt.Sprintf("probability %s > %s",
			percent(roll, c.probability), loose.NumberText(c.probability)))
	}
}

// percent writes a roll with at most four decimals. It writes more if the rounded value would not
// exceed the limit.
func percent(roll, limit float64) string {
	if short := math.Round(roll*1e6) / 1e4; short > limit {
		return loose.NumberText(short)
	}
	return loose.NumberText(roll * 100)
}

// tooDear records that the budget refused a candidate. base is the number of tokens asked for
// before it, need is its own number.
func (x *explainer) tooDear(c *candidate, base, need, budget int) {
	if x == nil {
		return
	}
	sign := ">"
	if base+need == budget {
		sign = ">=" // exactly reaching the budget is already too much
	}
	x.stopped(c, fmt.Sprintf("budget %d+%d %s %d", base, need, sign, budget))
}

// because records the text of the rule that stopped a candidate.
func (x *explainer) because(c *candidate, text string) {
	if x != nil {
		x.stopped(c, text)
	}
}

// replaced records that an entry of the same id replaced an active entry. The active entry must not
// be a forced copy.
func (x *explainer) replaced(entry int32) {
	if x != nil && entry >= 0 {
		x.list[entry].Gate, x.list[entry].Active = "an entry of the same id took its place", false
	}
}

// of returns the explanation of a candidate's entry.
func (x *explainer) of(c *candidate) *Explanation {
	at := c.at
	if at < 0 {
		at = x.s.c.home(c.entry)
	}
	return &x.list[at]
}

// candidate records why an entry was found.
func (x *explainer) candidate(i int, c *candidate) {
	if x != nil {
		x.found(i, c)
	}
}

func (x *explainer) found(i int, c *candidate) {
	why := c.reason()
	x.list[i].Reason, x.list[i].Gate, x.list[i].Loop = &why, "", x.s.loop.number
	if why.Kind == byKey && (why.Place.Kind == "recursion" || why.Place.Kind == "window") {
		x.findCause(c)
	}
}

// findCause finds the first feeder whose text alone contains the key. If only several feeders
// together contain it, the newest feeder is recorded.
func (x *explainer) findCause(c *candidate) {
	feeders := x.recursion.feeders
	if f := x.holder(c.found()); f != nil {
		x.cause[c.id] = f.id
	} else if len(feeders) > 0 && c.place != match.Spread {
		x.cause[c.id] = feeders[len(feeders)-1].id
	}
}

// holder returns the first feeder whose text alone contains a key. It does not change the scan:
// explaining a scan stops no additional regex.
func (x *explainer) holder(ref match.Ref) *entry {
	if atom, ok := x.s.search.Atom(ref); ok {
		x.readFeeders()
		return x.holders[atom]
	}
	for _, e := range x.recursion.feeders {
		if x.s.search.InText(ref, x.recursion.contents.soFar(e), x.fuses) {
			return e
		}
	}
	return nil
}

// readFeeders records the keys in the texts of new feeders.
func (x *explainer) readFeeders() {
	for ; x.known < len(x.recursion.feeders); x.known++ {
		e := x.recursion.feeders[x.known]
		atoms := e.contentKeys
		if !e.prematched {
			atoms = x.s.c.match.Certain(x.recursion.contents.soFar(e), x.fuses)
		}
		for _, a := range atoms {
			if x.holders[a] == nil {
				x.holders[a] = e
			}
		}
	}
}

// stopped records the gate that stopped a candidate. An empty gate means that nothing stopped it.
func (x *explainer) stopped(c *candidate, gate string) {
	e := x.of(c)
	why := c.reason()
	e.Reason, e.Gate, e.Loop = &why, gate, x.s.loop.number
}

// activated records that a candidate is active.
func (x *explainer) activated(c *candidate) {
	if x != nil {
		x.active(c)
	}
}

func (x *explainer) active(c *candidate) {
	x.stopped(c, "")
	x.of(c).Active = true
}

// lostGroup records that an inclusion group removed a candidate.
func (x *explainer) lostGroup(c *candidate, group string, winner *entry) {
	switch {
	case x == nil:
	case winner == nil:
		x.stopped(c, fmt.Sprintf("group %q: on cooldown", group))
	case winner == c.entry:
		x.stopped(c, fmt.Sprintf("group %q removed it", group))
	default:
		x.stopped(c, fmt.Sprintf("group %q lost to %s", group, winner.id.UID))
	}
}

// trace returns the explanations with their recursion paths.
func (x *explainer) trace() Trace {
	for i := range x.list {
		e := &x.list[i]
		for id, ok := x.cause[e.ID]; ok && !slices.Contains(e.Path, id); id, ok = x.cause[id] {
			e.Path = append(e.Path, id)
		}
		slices.Reverse(e.Path)
	}
	return x.list
}
