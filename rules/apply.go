package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// The interpreter is one pass. Each effect's file defines what the effect does. Effects for the
// host, such as a notice, go to the host list. Effects that rules interpret change the document or
// the ledger. Which of the two applies never depends on the state.

// Nothing here depends on what fired or why: the cause is only recorded. So hosts can apply the
// effects of a hook, a tool or a cheat console.

// Apply applies effects to variables and ledger, in their order. Each effect sees the results of
// earlier ones. It is the only interpreter of effects: chains use it, and hosts pass it the effects
// of hooks and tools.
//
//   - [effect.SetVariable] writes a variable. A path that begins with @ is one of the system paths
//     that package reactions lists. A write that is not possible is in Refused with its reason and
//     changes nothing. A write that leaves an equal value is no change.
//   - [effect.InjectDirective], [effect.RemoveDirective], [effect.ToggleEntry],
//     [effect.ToggleRule], [effect.ToggleVariable], [effect.ToggleBook] and [effect.SendContext] go
//     into the ledger.
//   - [effect.Emit], [effect.TriggerRule], [effect.Notify], [effect.PlayAudio] and
//     [effect.SendContext] raise events.
//   - A directive without id and a message without text are refused. An effect without a JSON form
//     is also refused: a pointer, or an effect with an infinite number. Invalid UTF-8 in texts is
//     replaced. Every applied effect can be stored and reads back unchanged.
//   - Host has everything that the host must do: notices, audio, at most one [effect.RequestAI],
//     and each effect that this package cannot apply.
//
// After the batch formula variables are recomputed. Apply does not change firing counts and
// cooldowns: they belong to [Program.Run].
//
// A nil Program has no schema and no rules. Apply is pure and safe for concurrent use.
func (s *Program) Apply(st State, effects []effect.Attributed, opts Options) Applied {
	w := newWriter(s.orNone(), st, opts)
	w.apply(w.dropUnreadable(effects))
	return w.result()
}

// Apply applies effects to variables, for tests and small uses. It is [Program.Apply] without a
// schema: every variable may be written, and effects that write none do nothing. vars does not
// change. The values of the result are a [tree.Value] each. A value without a JSON form is left
// out; variables of more than [tree.MaxDepth] levels do not change.
func Apply(vars VarMap, effects effect.List) (VarMap, []tree.Change) {
	members := make([]tree.Member, 0, len(vars))
	for _, key := range slices.Sorted(maps.Keys(vars)) {
		members = append(members, tree.Member{Key: key, Value: valueOf(vars, key)})
	}
	doc, err := tree.NewDocument(tree.Object(members...))
	if err != nil { // too deep
		return maps.Clone(vars), nil
	}
	var none *Program
	done := none.Apply(State{Variables: doc}, effect.By("", effects...), Options{})
	next := make(VarMap, len(members))
	for key, v := range done.State.Variables.Root().Members() {
		next[key] = v
	}
	return next, done.Changes
}

// writer applies effects in order. Each effect sees the results of earlier ones.
type writer struct {
	variableWriter
	set             *Program
	state           State
	keeper          keeper
	opts            Options
	generationAsked bool                 // a generation was requested in this chain
	out             Applied              // of all batches, without the state
	raised          []event.Event        // emitted events and triggers of all batches
	addedContext    []effect.SendContext // one-shot context added

	// Lengths at the beginning of the batch: later elements belong to the batch.
	changedBefore, raisedBefore int
}

// newWriter starts a batch, or the batches of a chain, on a state.
func newWriter(s *Program, st State, opts Options) *writer {
	w := &writer{variableWriter: s.edit(st), set: s, state: st, opts: opts}
	w.keeper.Ledger = &w.state.Ledger
	return w
}

// dropUnreadable refuses the effects without a JSON form. It returns the others as they read back
// from their JSON; see [effect.ReadBack].
func (w *writer) dropUnreadable(effects []effect.Attributed) []effect.Attributed {
	out := make([]effect.Attributed, 0, len(effects))
	for _, c := range effects {
		e, why := effect.Enter(c.Effect)
		if why.Reason == "" {
			out = append(out, effect.Attributed{Source: c.Source, Effect: e})
			continue
		}
		name := effect.Name(c.Effect)
		c.Effect = nil // a record must not contain a value that cannot be written
		w.Refuse(c, name, tree.Value{}, why)
	}
	return out
}

// apply applies one batch. Formulas are recomputed at its end, not after each effect, because
// listeners see a batch as one step.
func (w *writer) apply(effects []effect.Attributed) {
	w.changedBefore, w.raisedBefore = len(w.out.Changes), len(w.raised)
	for i := range effects {
		effect.Apply(w, effects[i])
	}
	if len(w.out.Changes) > w.changedBefore {
		w.recompute()
	}
	w.state = w.savedState(w.state)
}

// recompute updates the formula variables.
func (w *writer) recompute() {
	if s := w.schema; s != nil && len(s.formulas) > 0 {
		w.computeFormulas(func(r writeResult) { w.recordWrite(effect.Attributed{Source: "formula"}, r) })
	}
}

// batch returns the events and changes of the last batch.
func (w *writer) batch() (raised []event.Event, changes []tree.Change) {
	return w.raised[w.raisedBefore:], w.out.Changes[w.changedBefore:]
}

// result returns the result of a single batch.
func (w *writer) result() Applied {
	out := w.out
	out.State = w.state
	out.Events = w.set.spell(w.raised, out.Changes)
	return out
}

// spell returns events followed by changes as events.
func (s *Program) spell(events []event.Event, changes []tree.Change) []event.Event {
	out := slices.Clip(events)
	for i := range changes {
		out = append(out, s.schema.changeEvent(&changes[i]))
	}
	return out
}

// changeEvent returns [event.Changed] for a recorded change.
func (s *schema) changeEvent(c *tree.Change) event.Event {
	return event.Changed(s.variableOf(c), c.Old, c.New)
}

// variableOf returns the name of the changed variable: its id, or the path in a document without a
// schema.
func (s *schema) variableOf(c *tree.Change) string {
	if s != nil && s.at != nil {
		if i, ok := s.at[c.Path.String()]; ok {
			return s.vars[i].ID
		}
	}
	return event.NameOf(c.Path)
}

// Set performs one write.
func (w *writer) Set(c effect.Attributed, e effect.SetVariable) {
	operand := e.Value
	if e.ValueRef != "" {
		operand = w.Value(e.ValueRef)
		if !operand.Exists() {
			// The literal is not a fallback: it is a leftover of the editor.
			w.Refuse(c, e.Path, operand,
				effect.Deny(effect.NoReference, "there is no variable %q", e.ValueRef))
			return
		}
	}
	if operand.ContainsFunc(tooLong) {
		w.Refuse(c, e.Path, tree.Value{}, effect.Deny(effect.WrongOperand, "a number of more than %d digits", tree.MaxDigits))
		return
	}
	w.recordWrite(c, w.write(e, operand))
}

// Refuse records an effect that was not applied.
func (w *writer) Refuse(c effect.Attributed, path string, value tree.Value, why effect.Why) {
	w.out.Refused = append(w.out.Refused, effect.Refusal{
		By: c.Source, Effect: c.Effect, Path: path, Value: value, Reason: why.Reason, Text: why.In(w.set.words),
	})
}

// recordWrite records the result of a write.
func (w *writer) recordWrite(c effect.Attributed, r writeResult) {
	if r.why.Reason != "" {
		w.Refuse(c, r.place, r.tried, r.why)
	} else if r.change.Path != nil {
		r.change.By = c.Source
		w.out.Changes = append(w.out.Changes, r.change)
	}
}

// tooLong reports whether a value is a number with more digits than arithmetic supports.
func tooLong(v tree.Value) bool {
	n, ok := v.AsNumber()
	return ok && len(n) > tree.MaxDigits
}

// Ask records a request for a generation. It returns true once per chain, so that rules alone
// cannot keep a model busy.
func (w *writer) Ask() bool {
	first := !w.generationAsked
	w.generationAsked = true
	return first
}

// Random draws a number in [0, 1) and records it.
func (w *writer) Random() float64 {
	f := w.opts.draw()
	w.out.Draws = append(w.out.Draws, f)
	return f
}

// Raise adds an event to the next hop.
func (w *writer) Raise(e event.Event) { w.raised = append(w.raised, e) }

// Host passes an effect to the host.
func (w *writer) Host(c effect.Attributed) { w.out.Host = append(w.out.Host, c) }

// Expand replaces {{variable}} by the variable's value if the options enable it. An unknown name is
// kept.
func (w *writer) Expand(text string) string {
	if !w.opts.ExpandNotices {
		return text
	}
	// Values are not expanded again: a player's text in a variable stays text.
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "}}")
		if !ok || b.Len() > report.MaxFilled {
			b.WriteString("{{" + rest)
			return b.String()
		}
		if v := w.Value(strings.TrimSpace(name)); v.Exists() {
			b.WriteString(report.Text(v))
		} else {
			b.WriteString("{{" + name + "}}")
		}
		text = after
	}
}

// Switch sets a switch.
func (w *writer) Switch(kind effect.Switches, id string, on bool) { w.keeper.Switch(kind, id, on) }

// IsOn returns the present position of a switch: the run-time position, otherwise the authored flag
// if this package has it, otherwise on.
func (w *writer) IsOn(kind effect.Switches, id string) bool {
	if on, ok := w.keeper.switchOf(kind, id); ok {
		return on
	}
	return w.set.authored(kind, id)
}

// authored returns the position of a switch that was never set.
func (s *Program) authored(kind effect.Switches, id string) bool {
	switch {
	case kind == effect.Rules && len(s.byID[id]) > 0:
		return s.units[s.byID[id][0]].on
	case kind == effect.Variables:
		v, ok := s.schema.withID(id)
		return !ok || v.Enabled == nil || *v.Enabled
	case kind == effect.Books: // a keyword module is off until a keyword was said
		return !s.opensByKeyword(id)
	}
	return true
}

// Inject adds a directive.
func (w *writer) Inject(e effect.InjectDirective) {
	w.keeper.Inject(Directive{
		ID:             e.ID,
		Content:        e.Content,
		Position:       e.Position,
		Depth:          e.Depth,
		Persistent:     e.Persistent,
		InjectedAtTurn: w.state.Turn,
		Duration:       e.Duration,
	})
}

// Remove removes a directive.
func (w *writer) Remove(id string) { w.keeper.Remove(id) }

// Remind adds one-shot context.
func (w *writer) Remind(e effect.SendContext) {
	w.keeper.addContext(e)
	w.addedContext = append(w.addedContext, e)
}

// countFiring counts one firing of n in its hop; cooling of them begin a cooldown.
func (w *writer) countFiring(u *unit, n, cooling int) {
	w.keeper.countFiring(u.id, n)
	if u.cooldown > 0 {
		w.keeper.startCooldown(u.id, turnsAfter(w.state.Turn, u.cooldown), cooling)
	}
}
