package worldbook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
)

// gate names a rule that stops an entry.
type gate uint8

const (
	gateNone gate = iota
	gateDisabled
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
)

// explainer collects the explanations of one scan. Later loops overwrite what
// earlier ones said.
type explainer struct {
	s     *scan
	list  []Explanation
	cause map[ID]ID // the feeder whose text led to an entry
}

func newExplainer(s *scan) *explainer {
	x := &explainer{s: s, list: make([]Explanation, len(s.c.entries)), cause: map[ID]ID{}}
	for i, e := range s.c.entries {
		x.list[i] = Explanation{ID: e.id, Comment: e.src.Comment, Gate: "not examined"}
	}
	return x
}

// stop notes that a rule stopped an entry. It returns true.
func (s *scan) stop(i int, g gate) bool {
	if s.explain != nil {
		x := &s.explain.list[i]
		x.Gate, x.Reason, x.Loop = s.gateText(s.c.entries[i], g), nil, s.loops
	}
	return true
}

// gateText is the stable text of a gate.
func (s *scan) gateText(e *entry, g gate) string {
	switch g {
	case gateDisabled:
		return "disabled"
	case gateTrigger:
		return fmt.Sprintf("trigger %s not among %s", s.in.Type.known(), strings.Join(e.src.Triggers, ", "))
	case gateName:
		return fmt.Sprintf("character filter by name: %q", s.in.Speaker.Name)
	case gateTag:
		return fmt.Sprintf("character filter by tag: %q", strings.Join(s.in.Speaker.Tags, ", "))
	case gateConditions:
		return "conditions do not hold"
	case gateDelay:
		return fmt.Sprintf("delay %s more", numberText(e.delay-float64(s.length)))
	case gateCooldown:
		return fmt.Sprintf("cooldown %d left", s.state.Cooldown[e.name].End-s.length)
	case gateLevel:
		return fmt.Sprintf("waits for recursion level %s", numberText(e.level))
	case gateExclude:
		return "excluded from recursion"
	case gateDecorator:
		return "decorator @@dont_activate"
	case gateKeys:
		return "no key found"
	case gateSecondary:
		return s.secondaryText(e)
	case gateOverflow:
		return "budget overflowed before"
	case gateCard:
		return "a decorator's condition does not hold"
	case gateAdditional:
		return "decorator additional_keys: none found"
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
		s.explain.stopped(c, s.gateText(c.entry, g))
	}
}

func (s *scan) stopRoll(c *candidate, roll float64) {
	if s.explain != nil {
		s.explain.stopped(c, fmt.Sprintf("probability %s > %s",
			strconv.FormatFloat(roll*100, 'f', -1, 64), numberText(c.probability)))
	}
}

func (s *scan) stopBudget(c *candidate, base, need int) {
	if s.explain != nil {
		s.explain.stopped(c, fmt.Sprintf("budget %d+%d > %d", base, need, s.budget))
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

// findCause looks for the feeder whose text holds the key.
func (x *explainer) findCause(c *candidate) {
	key := keyindex.FoldString(keyindex.TrimSpace(c.reason().Key))
	feeders := x.s.feeders
	for _, f := range feeders {
		if strings.Contains(keyindex.FoldString(x.s.rawContent(f)), key) {
			x.cause[c.id] = f.id
			return
		}
	}
	if len(feeders) > 0 { // a regex: the newest feeder stands for its loop
		x.cause[c.id] = feeders[len(feeders)-1].id
	}
}

func (x *explainer) stopped(c *candidate, gate string) {
	e := x.of(c)
	why := c.reason()
	e.Reason, e.Gate, e.Loop = &why, gate, x.s.loops
}

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
