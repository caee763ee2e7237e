package worldbook

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// view is the data that the rules of a scan read: the book, the input, and the position of the
// scan.
type view struct {
	compiled *Compiled
	in       *Input
	length   int // the number of messages of the chat

	timing    timing       // effects that earlier scans stored
	overrides overrides    // the switches and forced entries of this scan
	search    match.Search // which keys are in which texts
	loop      loop         // the position of the scan
}

// loop is the position of a scan.
type loop struct {
	state        scanState
	number       int          // from 0
	extraDepth   int          // the number of messages that the search goes deeper than the settings say
	level        float64      // the recursion delay level that is reached
	levelsLeft   []float64    // not reached yet
	commonWindow match.Window // of most entries
}

func (l *loop) begin(levels []float64) {
	*l = loop{state: stateInitial, levelsLeft: levels}
	if len(levels) > 0 {
		l.nextLevel()
	}
}

func (l *loop) nextLevel() { l.level, l.levelsLeft = l.levelsLeft[0], l.levelsLeft[1:] }

// wantsMore reports whether the search should go one message deeper. It compares the depth of the
// finished loop with the limits, so that the next loop can reach one message beyond them (quirk
// extra-depth).
func (l *loop) wantsMore(c *Compiled, active, length int) bool {
	set := &c.settings
	if set.MinActivations <= 0 || active >= set.MinActivations {
		return false
	}
	depth := searchDepth(set) + l.extraDepth
	if !set.hasQuirk(quirkExtraDepth) {
		depth++
	}
	limit := set.MinActivationsDepthMax
	return (limit <= 0 || depth <= limit) && depth <= length
}

// scanState is the kind of a loop.
type scanState int

// The states.
const (
	stateStop           scanState = 0
	stateInitial        scanState = 1
	stateRecursion      scanState = 2
	stateMinActivations scanState = 3
)

// gate is a rule that stops an entry, as explanations name it. To some of them [explainer.gateText]
// adds what the rule has compared.
type gate string

const (
	gateNone        gate = ""
	gateDisabled    gate = "disabled"
	gateClosed      gate = "its book is closed"
	gateTrigger     gate = "trigger"
	gateName        gate = "character filter by name"
	gateTag         gate = "character filter by tag"
	gateConditions  gate = "conditions do not hold"
	gateDelay       gate = "delay"
	gateCooldown    gate = "cooldown"
	gateLevel       gate = "waits for recursion level"
	gateExclude     gate = "excluded from recursion"
	gateDecorator   gate = "decorator @@dont_activate"
	gateKeys        gate = "no key found"
	gateSecondary   gate = "secondary"
	gateOverflow    gate = "budget overflowed before"
	gateCard        gate = "a decorator's condition does not hold"
	gateAdditional  gate = "decorator additional_keys: none found"
	gateExcludeKeys gate = "decorator exclude_keys: found"
	gateTwin        gate = "an entry of the same id is forced"
	gateExpression  gate = "expression does not hold"
	gateActor       gate = "no actor of the entry acts"
)

// decide returns the rule that stops an entry. For a candidate it returns gateNone and stores the
// reason in c. A decorator decides before a forced copy is used, and the copy needs no key. If the
// entry itself is disabled, filtered, delayed or cooling down, its copy is stopped too.
func (v *view) decide(i int, c *candidate) gate {
	e := c.entry
	if e.disabled || len(v.overrides.switches) > 0 {
		if stopped := v.overrides.switchGate(i, e.disabled); stopped != gateNone {
			return stopped
		}
	}
	c.keptActive = e.hasTimedEffects && v.timing.isSticky(e)
	if e.hasGates {
		if stopped := v.gateBeforeKeys(e, c.keptActive); stopped != gateNone {
			return stopped
		}
	}
	switch {
	case e.activate:
		c.why = byDecorator
	case e.dontActivate:
		return gateDecorator
	case v.overrides.isForced(e.id):
		v.force(c)
	case e.constant:
		c.why = ByConstant
	case c.keptActive:
		c.why = bySticky
	case e.v3 != nil && e.v3.KeepAfterMatch && v.timing.matchedBefore(e):
		c.why = byEarlierMatch
	case e.inSet:
		return v.matchSet(i, c)
	default:
		return v.matchKeys(i, c)
	}
	return gateNone
}

// matchSet is matchKeys for an entry of a set. The entry that was called last needs no key.
func (v *view) matchSet(i int, c *candidate) gate {
	stopped := v.matchKeys(i, c)
	if _, holds := v.timing.isLastCalled(c.entry); holds {
		c.keptActive = true
		if stopped != gateNone {
			c.why = byEarlierMatch
		}
		return gateNone
	}
	return stopped
}

// force replaces the entry of a candidate by its forced copy. One copy represents all entries of
// the id.
func (v *view) force(c *candidate) {
	copied := v.overrides.forced[c.id]
	c.entry, c.at, c.why, c.keptActive = copied, -1, byForce, v.timing.isSticky(copied)
}

// switchGate returns the gate of the switches, or of the entry's own Disable, that stops an entry.
func (o *overrides) switchGate(i int, disabled bool) gate {
	if len(o.switches) > 0 {
		switch o.switches[i] {
		case switchedClosed:
			return gateClosed
		case switchedOff:
			return gateDisabled
		case switchedOn:
			return gateNone
		}
	}
	if disabled {
		return gateDisabled
	}
	return gateNone
}

// gateBeforeKeys returns the rule before the keys that stops an entry. A running sticky effect overrides only
// the cooldown and the rules about recursion.
func (v *view) gateBeforeKeys(e *entry, sticky bool) gate {
	if e.hasTurnRules {
		if stopped := v.in.turnGate(e); stopped != gateNone {
			return stopped
		}
	}
	recursing := v.loop.state == stateRecursion
	switch {
	case e.delay.length != 0 && v.timing.delayLeft(e) > 0:
		return gateDelay
	case sticky:
		return gateNone
	case e.hasTimedEffects && v.timing.isCooling(e):
		return gateCooldown
	case e.waitsForRecursion && (!recursing || e.level.number > v.loop.level):
		return gateLevel
	case e.excludeRecursion && recursing && v.compiled.settings.Recursive:
		return gateExclude
	case e.v3 != nil:
		return v.cardGate(e)
	}
	return gateNone
}

// turnGate applies the rules about the host's data of the turn.
func (in *Input) turnGate(e *entry) gate {
	switch {
	case !in.triggerPasses(e):
		return gateTrigger
	case !in.namePasses(e):
		return gateName
	case !in.tagsPass(e):
		return gateTag
	case !in.actorPasses(e):
		return gateActor
	case !in.conditionsHold(e):
		return gateConditions
	}
	return gateNone
}

// actorPasses applies the list of acting characters.
func (in *Input) actorPasses(e *entry) bool {
	if e.src.Options == nil || len(e.src.Options.Actors) == 0 {
		return true
	}
	return slices.ContainsFunc(e.src.Options.Actors, func(wanted string) bool {
		return slices.ContainsFunc(in.Actors, func(acts string) bool { return strings.EqualFold(wanted, acts) })
	})
}

// conditionsHold asks the host, because only the host knows the meaning of the JSON. It passes a
// copy, because the compiled book is shared.
func (in *Input) conditionsHold(e *entry) bool {
	c := e.src.Conditions
	return len(c) == 0 || in.Condition == nil || in.Condition(slices.Clone(c))
}

// triggerPasses applies Triggers. An empty list means every type of generation.
func (in *Input) triggerPasses(e *entry) bool {
	if len(e.src.Triggers) == 0 {
		return true
	}
	return slices.Contains(e.src.Triggers, string(in.Type.known()))
}

// namePasses applies the names of the character filter. Without a current character no name
// matches, so only an excluding filter lets the entry pass.
func (in *Input) namePasses(e *entry) bool {
	f := e.src.CharacterFilter
	if f == nil || len(f.Names)+len(f.NamesText) == 0 {
		return true
	}
	return f.hasName(in.Speaker.Name) != f.IsExclude
}

// tagsPass applies the tags of the character filter. One shared tag is enough. A character without
// stored tags has no tags. Without a current character the rule does not apply.
func (in *Input) tagsPass(e *entry) bool {
	f := e.src.CharacterFilter
	if f == nil || len(f.Tags)+len(f.TagsText) == 0 || in.Speaker.Name == "" {
		return true
	}
	shared := slices.ContainsFunc(in.Speaker.Tags, f.hasTag)
	return shared != f.IsExclude
}

// matchKeys applies the primary and the secondary keys.
func (v *view) matchKeys(i int, c *candidate) gate {
	e := c.entry
	w := v.windowOf(e)
	if e.hasExpression {
		if stopped := v.matchExpression(c, w); stopped != gateNone || !e.hasKeys {
			return stopped
		}
	}
	first := v.search.First(i, &e.keys, e.decidedLate, w)
	if first < 0 { // without a primary key the secondary keys never matter
		return gateKeys
	}
	if e.selective && !e.secondaryHolds(v.search.Count(e.secondary, w)) {
		return gateSecondary
	}
	ref := e.keys.At(first)
	c.why, c.key = byKey, int32(first)
	c.place, c.text = v.search.Describe(ref, w)
	if c.text == "" { // not an atom of the book
		c.text = e.src.Keys[first]
	}
	return gateNone
}

// matchExpression applies the entry's expression. Without keys it also records the first key that is
// found; an expression that holds without one is found anywhere. All keys are searched for: which
// regexes are stopped must not depend on the results of other keys.
func (v *view) matchExpression(c *candidate, w match.Window) gate {
	x := c.own.when
	if x.err != nil {
		return gateExpression
	}
	first, found := -1, make([]bool, len(x.refs))
	for i, ref := range x.refs {
		if found[i] = v.search.Found(ref, w); found[i] && first < 0 {
			first = i
		}
	}
	if !x.root.holds(func(i int) bool { return found[i] }) {
		return gateExpression
	}
	if !c.hasKeys {
		c.why, c.key, c.place, c.text = byKey, int32(first), match.Anywhere, x.text
		if first >= 0 {
			c.place, _ = v.search.Describe(x.refs[first], w)
		}
	}
	return gateNone
}

// secondaryHolds applies the selective logic. With m of n secondary keys found, AND_ANY needs m >
// 0, NOT_ALL m < n, NOT_ANY m = 0 and AND_ALL m = n. Any other logic never holds.
func (e *entry) secondaryHolds(m int) bool {
	switch Logic(e.logic) {
	case AndAny:
		return m > 0
	case NotAll:
		return m < len(e.secondary)
	case NotAny:
		return m == 0
	case AndAll:
		return m == len(e.secondary)
	}
	return false
}

// windowOf returns the window of an entry in the current loop.
func (v *view) windowOf(e *entry) match.Window {
	if e.commonWindow && v.loop.commonWindow.Depth > 0 {
		return v.loop.commonWindow
	}
	return v.ownWindow(e)
}

// usualWindow returns the window of the entries without their own window rules. It is empty if the
// settings make the window depend on the entry. Then each entry's window is computed.
func (v *view) usualWindow() match.Window {
	if v.compiled.settings.SpendMessages {
		return match.Window{}
	}
	return v.ownWindow(&entry{scanDepth: noScanDepth})
}

// ownWindow returns the window of one entry. A depth of 0 or less is the empty text, without the
// other parts too. A loop that searches deeper does not see the recursion texts.
func (v *view) ownWindow(e *entry) match.Window {
	w := match.Window{Depth: v.depth()}
	switch {
	case e.scanDepth >= 0:
		w.Depth = reachOf(&v.compiled.settings, int(e.scanDepth))
	case e.scanDepth == noMessages:
		w.Depth = 0
	}
	if w.Depth <= 0 && e.scanDepth != noMessages {
		return match.Window{}
	}
	w.Depth = min(w.Depth, match.MaxMessages)
	if v.compiled.settings.SpendMessages && e.hasTimedEffects {
		if last, ok := v.timing.lastActive(e); ok {
			w.Depth = min(w.Depth, v.length-last)
		}
	}
	parts := match.PartInjection | match.PartRecursion
	if e.own != nil && e.own.filter != 0 {
		w.Only, parts = e.own.filter, e.own.parts
	}
	if v.loop.state == stateMinActivations {
		parts &^= match.PartRecursion
	}
	w.Parts = e.data | parts
	return w
}

// depth returns the number of messages that are searched for entries without a scan depth of their
// own.
func (v *view) depth() int {
	return reachOf(&v.compiled.settings, searchDepth(&v.compiled.settings)+v.loop.extraDepth)
}

// cardGate returns the condition of the entry's decorators that stops it.
func (v *view) cardGate(e *entry) gate {
	card := e.v3
	switch {
	case v.in.Replies < card.OnlyAfter,
		card.Every > 0 && v.in.Replies%card.Every != 0,
		card.Greeting != nil && *card.Greeting != v.in.Greeting,
		card.Icon != "" && card.Icon != v.in.Icon,
		card.StopAfterMatch && v.timing.matchedBefore(e):
		return gateCard
	case card.KeepAfterMatch && v.timing.matchedBefore(e):
		return gateNone
	}
	w := v.windowOf(e)
	for _, refs := range card.additional {
		if v.search.Count(refs, w) == 0 {
			return gateAdditional
		}
	}
	if v.search.Count(card.exclude, w) > 0 ||
		len(card.excludeAll) > 0 && v.search.Count(card.excludeAll, w) == len(card.excludeAll) {
		return gateExcludeKeys
	}
	return gateNone
}
