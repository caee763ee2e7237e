package rules

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The interpreter is one switch and one pass. Effects that are data for somebody else,
// such as a notice, leave through the list for the host; effects that rules themselves
// understand end in the document or the ledger. Which of the two an effect is never
// depends on the state.

// Nothing here looks at what fired or why: a cause is carried along for the record, and that
// is all. So hosts can give it the effects of a hook, a tool or a cheat console.

// Apply carries out effects on variables and ledger, in their order, each seeing
// those before it. It is the one interpreter of effects: chains use it, and hosts
// give it the effects of hooks and tools.
//
//   - [SetVariable] writes a variable; a path that begins with @ is one of the
//     system paths that package reactions lists. What cannot be written is in
//     Refused with its reason and changes nothing; a write that leaves an equal
//     value is no change.
//   - [InjectDirective], [RemoveDirective], [ToggleEntry], [ToggleRule],
//     [ToggleVariable], [ToggleBook] and [SendContext] go into the ledger.
//   - [Emit], [TriggerRule], [Notify], [PlayAudio] and [SendContext] raise events.
//   - A directive without id and a message without text are refused, and so is an effect
//     that has no JSON form: a pointer, or one that holds an infinity. Texts that are no
//     UTF-8 are mended. What is applied can be stored, and reads back as it was.
//   - Everything that the host has to do is in Host: notices, audio, at most one
//     [RequestAI], and each effect that this package does not know how to apply.
//
// After the batch formula variables are recomputed. Firing counts and cooldowns are
// not touched: they belong to [Program.Run].
//
// A nil Program has neither a schema nor rules. Apply is pure and safe for concurrent use.
func (s *Program) Apply(st State, effects []Caused, opts Options) Applied {
	w := newWriter(s, st, opts)
	w.apply(w.entered(effects))
	return w.result()
}

// entered refuses the effects that have no JSON form, and returns the others as they read back
// from it; see the function of that name.
func (w *writer) entered(effects []Caused) []Caused {
	out := make([]Caused, 0, len(effects))
	for _, c := range effects {
		e, why := entered(c.Effect)
		if why.reason == "" {
			out = append(out, Caused{By: c.By, Effect: e})
			continue
		}
		path := ""
		if known, ok := c.Effect.(Custom); ok {
			path = known.Type
		}
		c.Effect = nil // nothing that cannot be written gets into a record
		w.refuse(c, path, tree.Value{}, why)
	}
	return out
}

// apply carries out one batch. Formulas follow at its end, not after each effect: a batch
// is one step for those who watch.
func (w *writer) apply(effects []Caused) {
	w.changedBefore, w.raisedBefore = len(w.out.Changes), len(w.raised)
	for i := range effects {
		w.effect(effects[i])
	}
	w.recompute()
	w.state.Variables = w.edit.Document()
}

// batch returns what the last batch raised and changed.
func (w *writer) batch() (raised []Event, changes []tree.Change) {
	return w.raised[w.raisedBefore:], w.out.Changes[w.changedBefore:]
}

// result is what a single batch did.
func (w *writer) result() Applied {
	out := w.out
	out.State = w.state
	out.Events = w.set.spell(w.raised, out.Changes)
	return out
}

// spell lists events and, after them, changes as events.
func (s *Program) spell(events []Event, changes []tree.Change) []Event {
	out := slices.Clip(events)
	for i := range changes {
		out = append(out, s.variables().changeEvent(&changes[i]))
	}
	return out
}

// variableOf is the name of what changed: the variable's id, or the path in a
// document without a schema.
func (s *schema) variableOf(c *tree.Change) string {
	if s != nil && s.idAt != nil {
		if id, ok := s.idAt[c.Path.String()]; ok {
			return id
		}
	}
	if len(c.Path) == 1 {
		return c.Path[0]
	}
	return c.Path.String()
}

// effect is the one switch over effects that change something. Order within the batch is
// the order of the list, whatever the kinds: remove and inject in one hop end injected.
func (w *writer) effect(c Caused) {
	switch e := c.Effect.(type) {
	case SetVariable:
		w.drawAndSet(c, e)
	case InjectDirective:
		w.inject(c, e)
	case RemoveDirective:
		w.removeDirective(e.ID)
	case ToggleEntry:
		w.toggle(&w.state.Ledger.Entries, &w.owned.entries, e.ID, e.Enabled)
	case ToggleRule:
		w.toggle(&w.state.Ledger.Enabled, &w.owned.enabled, e.ID, e.Enabled)
	case ToggleVariable:
		w.toggle(&w.state.Ledger.Variables, &w.owned.variables, e.ID, e.Enabled)
	case ToggleBook:
		w.toggle(&w.state.Ledger.Books, &w.owned.books, e.ID, e.Enabled)
	case SendContext:
		if w.context(c, e) {
			w.raise(contextEvent(e))
		}
	case Notify:
		// A quiet one is the engine's own word to the player, which no rule should answer.
		if !e.Quiet {
			w.raise(noticeEvent(e))
		}
		w.notify(c, e)
	case PlayAudio:
		w.raise(audioEvent(e))
		w.audio(c, e)
	case RequestAI:
		w.request(c, e)
	case TriggerRule:
		w.raise(TriggerByHand(e.ID))
	case ShowMoment:
		w.moment(c, e, momentEvent(e))
	case Emit:
		w.emitEvent(c, e.Event)
	default:
		w.host(c, e)
	}
}

// drawAndSet writes a variable or an @ path. Effects that come from a firing have their
// random operand drawn already; those of hooks and tools have not.
func (w *writer) drawAndSet(c Caused, e SetVariable) {
	if e.Random != nil {
		value, history, ok := e.Random.draw(w.value, w.random)
		if !ok {
			return // nothing to choose from
		}
		if past := e.Random.HistoryVar; history.Exists() {
			// Deferred: the pick is written first, and its history after it.
			defer w.setVariable(c, SetVariable{Path: past, Operation: Set, Value: history})
		}
		if e.Random.CandidatesVar != "" && goesIntoPrompts(e.Path) {
			value = asData(value)
		}
		e.Value, e.ValueRef, e.Random = value, "", nil
	}
	if strings.HasPrefix(e.Path, "@") {
		// An @ path goes by its value; the reference is for where there is none.
		if e.ValueRef != "" && !e.Value.Exists() {
			e.Value = w.value(e.ValueRef)
			if goesIntoPrompts(e.Path) {
				e.Value = asData(e.Value)
			}
		}
		w.system(c, e)
		return
	}
	w.setVariable(c, e)
}

// random draws a number in [0, 1) and records it.
func (w *writer) random() float64 {
	f := w.opts.draw()
	w.out.Draws = append(w.out.Draws, f)
	return f
}

// raise puts an event into the next hop.
func (w *writer) raise(e Event) { w.raised = append(w.raised, e) }

// host hands an effect on. One that could not be read stops here: its type may be one that
// the host knows, and its fields are not to be trusted.
func (w *writer) host(c Caused, e Effect) {
	if unreadable(e) {
		why := deny(NotReadable, "an action that cannot be read")
		w.refuse(c, e.EffectType(), tree.Value{}, why)
		return
	}
	w.out.Host = append(w.out.Host, Caused{By: c.By, Effect: e})
}

// notify fills in the default style, so that hosts need not know it.
func (w *writer) notify(c Caused, e Notify) {
	if e.Style == "" {
		e.Style = "info"
	}
	if w.opts.ExpandNotices {
		e.Message = w.expand(e.Message)
		e.Title = w.expand(e.Title)
	}
	w.host(c, e)
}

// audio fills in the default action.
func (w *writer) audio(c Caused, e PlayAudio) {
	if e.Action == "" {
		e.Action = "play"
	}
	w.host(c, e)
}

// request hands over a wish for a generation; one per chain, so that rules cannot
// keep a model busy by themselves.
func (w *writer) request(c Caused, e RequestAI) {
	if w.asked {
		w.refuse(c, "@ai.request", tree.Text(e.Prompt),
			deny(OncePerChain, "one generation was requested already"))
		return
	}
	w.asked = true
	w.host(c, e)
}

// moment shows a moment that the player does not have yet, and raises its event. One that
// is in the list already raises nothing: for those who listen it did not happen again.
func (w *writer) moment(c Caused, e ShowMoment, event Event) {
	// The list is asked and extended in one step, so that two moments of one title in a
	// batch are one. One without a title cannot be told from others, and is never collected.
	if e.Collect != "" && strings.TrimSpace(e.Title) != "" {
		title := tree.Text(e.Title)
		if contains(w.value(e.Collect), title) {
			return
		}
		w.setVariable(c, SetVariable{Path: e.Collect, Operation: Push, Value: title})
	}
	w.raise(event)
	w.notify(c, Notify{Message: e.Message, Style: "moment", Title: e.Title, Image: e.Image})
}

// emitEvent raises an event; those with a built-in meaning have their effect too.
func (w *writer) emitEvent(c Caused, e Event) {
	effect, _ := EffectOf(e)
	switch effect := effect.(type) {
	case ShowMoment:
		w.moment(c, effect, e)
		return
	// The event is heard as it was emitted either way.
	case Notify:
		w.notify(c, effect)
	case PlayAudio:
		w.audio(c, effect)
	case SendContext:
		w.context(c, effect)
	}
	w.raise(e)
}

// ownership says which parts of the ledger the writer may change in place: those that it has
// copied. All others are shared with the state that went in, which stays as it is.
type ownership struct {
	enabled, cooldowns, fireCounts, entries, variables, books, directives, pending bool
}

// toggle sets a switch of the ledger. A switch that stands right already is not copied.
func (w *writer) toggle(m *map[string]bool, owned *bool, id string, on bool) {
	if was, ok := (*m)[id]; ok && was == on {
		return
	}
	own(m, owned, 0)
	(*m)[id] = on
}

// own copies a map of the ledger before the first write of a chain, and only then: chains
// in which nothing happens copy nothing, others once per map and not per firing. A new map
// gets room for n keys.
func own[V any](m *map[string]V, owned *bool, n int) {
	if *owned {
		return
	}
	*owned = true
	*m = maps.Clone(*m)
	if *m == nil {
		*m = make(map[string]V, n)
	}
}

// ownDirectives is [own] for the list of directives.
func (w *writer) ownDirectives() {
	if !w.owned.directives {
		w.owned.directives = true
		w.state.Ledger.Directives = slices.Clone(w.state.Ledger.Directives)
	}
}

// inject replaces a directive of the same id and moves it to the end: what was said last
// stands last in the prompt. Without an id there is nothing to replace it by, or to remove.
func (w *writer) inject(c Caused, e InjectDirective) {
	if e.ID == "" {
		w.refuse(c, "@prompt.directive.", tree.Text(e.Content),
			deny(BadValue, "a directive needs an id"))
		return
	}
	w.removeDirective(e.ID)
	w.ownDirectives()
	d := Directive{
		ID:             e.ID,
		Content:        e.Content,
		Position:       e.Position,
		Depth:          e.Depth,
		Persistent:     e.Persistent,
		InjectedAtTurn: w.state.Turn,
		Duration:       e.Duration,
	}
	if d.Position == "" {
		d.Position = "auto"
	}
	w.state.Ledger.Directives = append(w.state.Ledger.Directives, d)
}

// removeDirective takes a directive away; one that is not there is no error.
func (w *writer) removeDirective(id string) {
	for i := range w.state.Ledger.Directives {
		if w.state.Ledger.Directives[i].ID == id {
			w.ownDirectives()
			w.state.Ledger.Directives = slices.Delete(w.state.Ledger.Directives, i, i+1)
			return
		}
	}
}

// context waits in the ledger until a prompt takes it, and reports whether there was anything
// to say. It is appended: two chains between two prompts were both promised to be heard.
func (w *writer) context(c Caused, e SendContext) bool {
	if strings.TrimSpace(e.Message) == "" {
		w.refuse(c, "@prompt.context", tree.Text(e.Message),
			deny(BadValue, "a message needs a text"))
		return false
	}
	if e.Role == "" {
		e.Role = "system"
	}
	if !w.owned.pending {
		w.owned.pending = true
		w.state.Ledger.Pending = slices.Clone(w.state.Ledger.Pending)
	}
	w.state.Ledger.Pending = append(w.state.Ledger.Pending, e)
	w.fresh = append(w.fresh, e)
	return true
}

// record counts a firing, one of n in its hop, of which some begin a cooldown.
func (w *writer) record(u *unit, n, cooling int) {
	own(&w.state.Ledger.FireCounts, &w.owned.fireCounts, n)
	w.state.Ledger.FireCounts[u.id] = later(w.state.Ledger.FireCounts[u.id], 1)
	if u.cooldown > 0 {
		own(&w.state.Ledger.Cooldowns, &w.owned.cooldowns, cooling)
		w.state.Ledger.Cooldowns[u.id] = later(w.state.Turn, u.cooldown)
	}
}

// later adds turns to a turn, and stays at the last one that there is.
func later(turn, turns int) int {
	if turn > math.MaxInt-turns {
		return math.MaxInt
	}
	return turn + turns
}
