package worldbook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/loose"
)

// gate names a rule that stops an entry.
type gate uint8

const (
	gateNone gate = iota
	gateDisabled
	gateClosed
	gateTrigger
	gateName
	gateTag
	gateConditions
	gateDelay
	gateCooldown
	gateLevel
	gateExclude
	gateDecorator
	gateKeys
	gateSecondary
	gateOverflow
	gateCard
	gateAdditional
	gateExcludeKeys
	gateTwin
)

// explainer collects the explanations of one scan. Later loops overwrite what
// earlier ones said.
type explainer struct {
	s     *scan
	list  []Explanation
	cause map[ID]ID // the feeder whose text led to an entry
	fuses *fuses    // of what is searched to explain

	holders map[int32]*entry // the first feeder with an atom of the book's
	known   int              // feeders that holders knows
}

// newExplainer begins with entries that no loop has looked at, which is what a
// limit of loops can leave.
func newExplainer(s *scan) *explainer {
	x := &explainer{s: s, list: make([]Explanation, len(s.c.entries)), cause: map[ID]ID{},
		holders: map[int32]*entry{}, fuses: newFuses()}
	for i, e := range s.c.entries {
		x.list[i] = Explanation{ID: e.id, Comment: e.src.Comment, Gate: "not examined"}
	}
	return x
}

// stop notes that a rule stopped an entry. It returns true. What stopped it in
// an earlier loop after it had been found says more, and stays.
func (s *scan) stop(i int, g gate) bool {
	if s.explain != nil {
		x := &s.explain.list[i]
		if x.Reason == nil {
			x.Gate, x.Loop = s.gateText(i, s.c.entries[i], g), s.loops
		}
	}
	return true
}

const noKeyFound = "no key found"

// gateText is the stable text of a gate.
func (s *scan) gateText(i int, e *entry, g gate) string {
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
		return fmt.Sprintf("delay %s more", loose.NumberText(e.delay-float64(s.length)))
	case gateCooldown:
		return fmt.Sprintf("cooldown %d left", s.cooldown.m[e.name].End-s.length)
	case gateLevel:
		return fmt.Sprintf("waits for recursion level %s", loose.NumberText(e.level.number))
	case gateExclude:
		if s.keyBits[i] == 0 && !e.late && !e.constant {
			return noKeyFound // the exclusion changes nothing
		}
		return "excluded from recursion"
	case gateDecorator:
		return "decorator @@dont_activate"
	case gateKeys:
		return noKeyFound
	case gateSecondary:
		return s.secondaryText(e)
	case gateOverflow:
		return "budget overflowed before"
	case gateCard:
		return "a decorator's condition does not hold"
	case gateAdditional:
		return "decorator additional_keys: none found"
	case gateTwin:
		return "an entry of the same id is forced"
	case gateExcludeKeys:
		return "decorator exclude_keys: found"
	}
	return ""
}

// secondaryText names the keys that decided the secondary rule.
func (s *scan) secondaryText(e *entry) string {
	w := s.windowOf(e)
	var found, missing []string
	for i, ref := range e.secondary {
		if s.found(ref, w) {
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

// stopCandidate notes that a candidate was stopped after it had been found.
func (s *scan) stopCandidate(c *candidate, g gate) {
	if s.explain != nil {
		s.explain.stopped(c, s.gateText(int(c.at), c.entry, g))
	}
}

// stopRoll notes that a candidate failed its roll.
func (s *scan) stopRoll(c *candidate, roll float64) {
	if s.explain != nil {
		s.explain.stopped(c, fmt.Sprintf("probability %s > %s",
			percent(roll, c.probability), loose.NumberText(c.probability)))
	}
}

// percent writes a roll with four decimals at most, unless it would seem not to
// exceed the limit then.
func percent(roll, limit float64) string {
	if short := math.Round(roll*1e6) / 1e4; short > limit {
		return loose.NumberText(short)
	}
	return loose.NumberText(roll * 100)
}

// stopBudget notes that the budget refused a candidate.
func (s *scan) stopBudget(c *candidate, base, need int) {
	if s.explain != nil {
		sign := ">"
		if base+need == s.budget {
			sign = ">=" // reaching the budget is too much already
		}
		s.explain.stopped(c, fmt.Sprintf("budget %d+%d %s %d", base, need, sign, s.budget))
	}
}

// of returns the explanation of a candidate's entry.
func (x *explainer) of(c *candidate) *Explanation {
	at := c.at
	if at < 0 {
		at = x.s.c.byID[c.id]
	}
	return &x.list[at]
}

// candidate notes why an entry was found.
func (x *explainer) candidate(i int, c *candidate) {
	why := c.reason()
	x.list[i].Reason, x.list[i].Gate, x.list[i].Loop = &why, "", x.s.loops
	if why.Kind == ByKey && (why.Place.Kind == "recursion" || why.Place.Kind == "window") {
		x.findCause(c)
	}
}

// findCause looks for the first feeder whose text holds the key by itself. Where
// only several together do, the newest one stands for them.
func (x *explainer) findCause(c *candidate) {
	feeders := x.s.feeders
	if f := x.holder(c.primary(int(c.key))); f != nil {
		x.cause[c.id] = f.id
	} else if len(feeders) > 0 && c.place != placeWindow {
		x.cause[c.id] = feeders[len(feeders)-1].id
	}
}

// holder returns the first feeder whose text holds a key by itself. It leaves the
// scan as it is: an explained one gives up no regex that another would not.
func (x *explainer) holder(ref keyRef) *entry {
	h, ref := x.s.resolve(ref)
	if ref < 0 {
		return nil
	}
	kind := h.by.atoms[ref].kind
	if h == &x.s.base && kind != atomRegex && kind != atomJoined {
		x.readFeeders()
		return x.holders[int32(ref)]
	}
	for _, e := range x.s.feeders {
		text := x.s.rawContent(e)
		if kind == atomRegex || kind == atomJoined {
			if h.by.matchJoined(ref, h.by.mark+text, x.fuses) {
				return e
			}
		} else if slices.Contains(h.by.scanText(text, x.fuses).atoms, int32(ref)) {
			return e
		}
	}
	return nil
}

// readFeeders notes what the texts of new feeders hold.
func (x *explainer) readFeeders() {
	for ; x.known < len(x.s.feeders); x.known++ {
		e := x.s.feeders[x.known]
		atoms := e.contentKeys
		if !e.prematched {
			atoms = x.s.base.by.scanText(x.s.rawContent(e), x.fuses).atoms
		}
		for _, a := range atoms {
			if x.holders[a] == nil {
				x.holders[a] = e
			}
		}
	}
}

// stopped notes what stopped a candidate, or with no gate that nothing did.
func (x *explainer) stopped(c *candidate, gate string) {
	e := x.of(c)
	why := c.reason()
	e.Reason, e.Gate, e.Loop = &why, gate, x.s.loops
}

// activated notes that a candidate is active.
func (x *explainer) activated(c *candidate) {
	x.stopped(c, "")
	x.of(c).Active = true
}

// lostGroup notes that an inclusion group removed a candidate.
func (x *explainer) lostGroup(c *candidate, group string, winner *entry) {
	switch {
	case winner == nil:
		x.stopped(c, fmt.Sprintf("group %q: on cooldown", group))
	case winner == c.entry:
		x.stopped(c, fmt.Sprintf("group %q removed it", group))
	default:
		x.stopped(c, fmt.Sprintf("group %q lost to %s", group, winner.id.UID))
	}
}

// trace returns the list with recursion paths.
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
