package worldbook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// explainer collects the explanations of one scan. Later loops overwrite the results of earlier
// loops. A nil explainer collects nothing. The methods recordCandidate and recordActive need an
// explainer, because a scan calls them for nearly every entry.
type explainer struct {
	view      *view
	recursion *recursion

	explanations []Explanation
	cause        map[ID]ID    // by entry: the active entry whose text contains its key
	fuses        *match.Fuses // the step limits of searches that only explain

	holders   map[int32]*entry // by atom: the first feeder (recursion.feeders) that contains it
	readCount int              // number of feeders that are already in holders
}

// newExplainer starts with all entries not examined. A limit of loops can leave entries in this
// state.
func newExplainer(s *view, r *recursion) *explainer {
	x := &explainer{view: s, recursion: r, explanations: make([]Explanation, len(s.compiled.entries)), cause: map[ID]ID{},
		holders: map[int32]*entry{}, fuses: match.NewFuses()}
	for i, e := range s.compiled.entries {
		x.explanations[i] = Explanation{ID: e.id, Comment: e.src.Comment, Gate: "not examined"}
	}
	return x
}

// recordGate records the rule that stopped an entry. If an earlier loop has found the entry, the explanation
// of that loop is more informative and stays.
func (x *explainer) recordGate(i int, g gate) {
	if x == nil {
		return
	}
	if to := &x.explanations[i]; to.Reason == nil {
		to.Gate, to.Loop = x.gateText(i, x.view.compiled.entries[i], g), x.view.loop.number
	}
}

// gateText returns the stable text of a gate.
func (x *explainer) gateText(i int, e *entry, g gate) string {
	s, text := x.view, string(g)
	switch g {
	case gateTrigger:
		return fmt.Sprintf("%s %s not among %s", text, s.in.Type.known(), strings.Join(e.src.Triggers, ", "))
	case gateName:
		return fmt.Sprintf("%s: %q", text, s.in.Speaker.Name)
	case gateTag:
		return fmt.Sprintf("%s: %q", text, strings.Join(s.in.Speaker.Tags, ", "))
	case gateDelay:
		return fmt.Sprintf("%s %s more", text, openjson.FormatNumber(s.timing.delayLeft(e))) + roundsText(e.delay.rounds)
	case gateCooldown:
		r := s.timing.cooldown.m[e.name()]
		return fmt.Sprintf("%s %d left", text, r.End-s.timing.now(r)) + roundsText(r.Rounds)
	case gateLevel:
		return text + " " + openjson.FormatNumber(e.level.number)
	case gateExclude:
		if !s.search.AnyKey(i) && !e.decidedLate && !e.constant {
			return string(gateKeys) // the exclusion changes nothing
		}
	case gateKeys:
		if e.own != nil && len(e.own.sources) > 0 {
			return text + " in the texts of " + strings.Join(e.own.sources, ", ")
		}
	case gateSecondary:
		return x.secondaryText(e)
	case gateActor:
		return fmt.Sprintf("none of %s acts", strings.Join(e.src.Options.Actors, ", "))
	case gateExpression:
		return x.expressionText(e)
	}
	return text
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
	found, missing := x.foundKeys(e, e.secondary, func(i int) string { return e.src.SecondaryKeys[i] })
	text := string(gateSecondary) + " " + Logic(e.logic).String()
	switch Logic(e.logic) {
	case AndAny, AndAll:
		return text + ": missing " + missing
	case NotAny, NotAll:
		return text + ": found " + found
	}
	return text
}

// foundKeys lists the keys of an entry that are in its window, and the other keys.
func (x *explainer) foundKeys(e *entry, refs []match.Ref, text func(i int) string) (found, missing string) {
	w := x.view.windowOf(e)
	var in, out []string
	for i, ref := range refs {
		if x.view.search.Found(ref, w) {
			in = append(in, text(i))
		} else {
			out = append(out, text(i))
		}
	}
	return strings.Join(in, ", "), strings.Join(out, ", ")
}

// expressionText lists the keys of an expression that does not hold.
func (x *explainer) expressionText(e *entry) string {
	when := e.own.when
	if when.err != nil {
		return "its expression cannot be read: " + when.err.Error()
	}
	found, missing := x.foundKeys(e, when.refs, func(i int) string { return when.keys[i].text })
	text := string(gateExpression)
	if found != "" {
		text += ": found " + found
	}
	if missing != "" {
		text += ": missing " + missing
	}
	return text
}

// recordLaterGate records the rule that stopped a candidate after it was found.
func (x *explainer) recordLaterGate(c *candidate, g gate) {
	if x != nil {
		x.setOutcome(c, x.gateText(int(c.at), c.entry, g))
	}
}

// recordFailedRoll records that a candidate failed its roll.
func (x *explainer) recordFailedRoll(c *candidate, roll float64) {
	if x != nil {
		x.setOutcome(c, fmt.Sprintf("probability %s > %s",
			percent(roll, c.probability), openjson.FormatNumber(c.probability)))
	}
}

// percent writes a roll with at most four decimals. It writes more if the rounded value would not
// exceed the limit.
func percent(roll, limit float64) string {
	if short := math.Round(roll*1e6) / 1e4; short > limit {
		return openjson.FormatNumber(short)
	}
	return openjson.FormatNumber(roll * 100)
}

// recordOverBudget records that the budget refused a candidate. base is the number of tokens asked for
// before it, need is its own number.
func (x *explainer) recordOverBudget(c *candidate, base, need, budget int) {
	if x == nil {
		return
	}
	sign := ">"
	if base+need == budget {
		sign = ">=" // exactly reaching the budget is already too much
	}
	x.setOutcome(c, fmt.Sprintf("budget %d+%d %s %d", base, need, sign, budget))
}

// recordText records the text of the rule that stopped a candidate.
func (x *explainer) recordText(c *candidate, text string) {
	if x != nil {
		x.setOutcome(c, text)
	}
}

// recordReplaced records that an entry of the same id replaced an active entry. The active entry must not
// be a forced copy.
func (x *explainer) recordReplaced(entry int32) {
	if x != nil && entry >= 0 {
		x.explanations[entry].Gate, x.explanations[entry].Active = "an entry of the same id took its place", false
	}
}

// explanationOf returns the explanation of a candidate's entry.
func (x *explainer) explanationOf(c *candidate) *Explanation {
	at := c.at
	if at < 0 {
		at = x.view.compiled.home(c.entry)
	}
	return &x.explanations[at]
}

// recordCandidate records why an entry was found.
func (x *explainer) recordCandidate(i int, c *candidate) {
	why := c.reason()
	x.explanations[i].Reason, x.explanations[i].Gate, x.explanations[i].Loop = &why, "", x.view.loop.number
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
	if atom, ok := x.view.search.Atom(ref); ok {
		x.readFeeders()
		return x.holders[atom]
	}
	for _, e := range x.recursion.feeders {
		if x.view.search.InText(ref, x.recursion.contents.searchText(e), x.fuses) {
			return e
		}
	}
	return nil
}

// readFeeders records the keys in the texts of new feeders.
func (x *explainer) readFeeders() {
	for ; x.readCount < len(x.recursion.feeders); x.readCount++ {
		e := x.recursion.feeders[x.readCount]
		atoms := e.contentKeys
		if !e.prematched {
			atoms = x.view.compiled.match.Certain(x.recursion.contents.searchText(e), x.fuses)
		}
		for _, a := range atoms {
			if x.holders[a] == nil {
				x.holders[a] = e
			}
		}
	}
}

// setOutcome records the gate that stopped a candidate. An empty gate means that nothing stopped it.
func (x *explainer) setOutcome(c *candidate, gate string) {
	e := x.explanationOf(c)
	why := c.reason()
	e.Reason, e.Gate, e.Loop = &why, gate, x.view.loop.number
}

// recordActive records that a candidate is active.
func (x *explainer) recordActive(c *candidate) {
	x.setOutcome(c, "")
	x.explanationOf(c).Active = true
}

// recordLostGroup records that an inclusion group removed a candidate.
func (x *explainer) recordLostGroup(c *candidate, group string, winner *entry) {
	switch {
	case x == nil:
	case winner == nil:
		x.setOutcome(c, fmt.Sprintf("group %q: on cooldown", group))
	case winner == c.entry:
		x.setOutcome(c, fmt.Sprintf("group %q removed it", group))
	default:
		x.setOutcome(c, fmt.Sprintf("group %q lost to %s", group, winner.id.UID))
	}
}

// trace returns the explanations with their recursion paths.
func (x *explainer) trace() Trace {
	for i := range x.explanations {
		e := &x.explanations[i]
		for id, ok := x.cause[e.ID]; ok && !slices.Contains(e.Path, id); id, ok = x.cause[id] {
			e.Path = append(e.Path, id)
		}
		slices.Reverse(e.Path)
	}
	return x.explanations
}
