package rules

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/keyexpr"
	"github.com/talewright/talewright/rules/internal/report"
)

// Modules gate their members at every hop. Their state is never stored: it follows from
// the switches in the ledger and from the variables, so that a snapshot that brings those
// back brings the modules back as well. The one exception is keyword modules, whose latch
// is a switch in the ledger.

// Which switch beats what:
//
//	always      nothing
//	manual      the switch; on without one
//	conditions  nothing; a switch is kept and ignored
//	keywords    the switch, which words set; off without one
//	greeting    nothing
//
// Variables have the same modes for what a model sees of them, a switch of their own, and no
// keywords.

// module is a compiled [declare.Module].
type module struct {
	declare.Module
	tests []test    // of the mode conditions
	enter []keyword // of the mode keywords
	leave []keyword
}

// Places of members outside of the declared modules.
const (
	inNoModule int32 = -1 // or in an unknown one: active
	inUnplaced int32 = -2 // never active
)

// moduleState remembers within one hop whether a module is active.
type moduleState uint8

const (
	moduleUnknown moduleState = iota
	moduleOn
	moduleOff
)

// modules compiles the modules before anything that may belong to one.
func (c *compiler) modules(list []declare.Module) {
	for i, m := range list {
		path := "modules[" + strconv.Itoa(i) + "]"
		if m.ID == "" {
			c.problems.Add(path+".id", "", MissingID,
				"no id; nothing can belong to the module; add one")
		} else if c.moduleOf(m.ID) >= 0 {
			c.problems.Add(path+".id", m.ID, DuplicateID,
				"declared twice; the first one counts; rename or remove this one")
			continue
		}
		c.misread(path, m.ID, m.Extra, "a text", "id", "name")
		c.misread(path, m.ID, m.Extra, "a number", "order")
		c.misread(path, m.ID, m.Extra, "an object", "activation")
		c.misread(path, m.ID, m.Extra, "true or false", "exclusive")
		c.activation(path+".activation", m.ID, m.Activation)
		if m.ID != "" {
			c.moduleAt[m.ID] = int32(len(c.set.modules))
		}
		c.set.modules = append(c.set.modules, module{
			Module: m,
			tests:  c.tests(m.Activation.Conditions),
			enter:  plainKeywords(m.Activation.Keywords),
			leave:  plainKeywords(m.Activation.LeaveKeywords),
		})
	}
}

// activation names what of an activation will not do what its author meant.
func (c *compiler) activation(path, id string, a declare.Activation) {
	c.misread(path, id, a.Extra, "a text", "mode", "conditionLogic", "greetingId")
	c.misread(path, id, a.Extra, "a list of objects", "conditions")
	c.misread(path, id, a.Extra, "a list of texts", "keywords", "leaveKeywords", "greetingIds")
	c.misread(path, id, a.Extra, "true or false", "exclusive")
	switch a.Mode {
	case "", declare.ModeAlways, declare.ModeManual, declare.ModeConditions, declare.ModeKeywords, declare.ModeGreeting:
	default:
		c.problems.Add(path+".mode", id, Ignored, "unknown mode "+strconv.Quote(string(a.Mode))+
			", taken as always; "+
			report.Hint(a.Mode, declare.ModeAlways, declare.ModeManual, declare.ModeConditions, declare.ModeKeywords, declare.ModeGreeting))
	}
}

// activations compiles the conditions of the variables, which need slots.
func (c *compiler) activations() {
	s := c.set.schema
	if s == nil {
		return
	}
	for i := range s.vars {
		v := &s.vars[i]
		v.conditions = c.tests(v.Activation.Conditions)
		v.module = c.moduleOf(v.BookID)
	}
}

// moduleOf finds the place of a module. A member of a module that was deleted stays in
// play: silently losing a rule would be worse than keeping it.
func (c *compiler) moduleOf(id string) int32 {
	if id == declare.Unplaced {
		return inUnplaced
	}
	if i, ok := c.moduleAt[id]; ok {
		return i
	}
	return inNoModule
}

// opensByKeyword reports whether the module is one of [declare.ModeKeywords].
func (s *Program) opensByKeyword(id string) bool {
	return s != nil && slices.ContainsFunc(s.modules, func(m module) bool {
		return m.ID == id && m.Activation.Mode == declare.ModeKeywords
	})
}

// plainKeywords compiles the words of a module; blank ones are dropped.
func plainKeywords(keys []string) []keyword {
	var out []keyword
	for _, key := range keys {
		if k, ok := compileKeyword(key, false); ok {
			out = append(out, k)
		}
	}
	return out
}

// moduleActive reports whether members of a module take part.
func (r *run) moduleActive(i int32) bool {
	switch i {
	case inNoModule:
		return true
	case inUnplaced:
		return false
	}
	// Conditions of modules are asked once per hop, however many members there are.
	if r.active[i] == moduleUnknown {
		r.active[i] = moduleOff
		if r.decideModule(&r.set.modules[i]) {
			r.active[i] = moduleOn
		}
	}
	return r.active[i] == moduleOn
}

// decideModule asks the switch only where the mode knows one. A module on conditions does
// what its conditions say, whatever was switched before.
func (r *run) decideModule(m *module) bool {
	on, switched := r.state.Ledger.Books[m.ID]
	switch m.Activation.Mode {
	case declare.ModeManual:
		return on || !switched
	case declare.ModeKeywords:
		return on // never said means never opened
	}
	return r.decideActivation(&m.Activation, m.tests)
}

// decideActivation decides the modes that no switch takes part in.
func (r *run) decideActivation(a *declare.Activation, tests []test) bool {
	switch a.Mode {
	case declare.ModeConditions:
		return !r.failing(tests, a.ConditionLogic == condition.Any, tree.Value{})
	case declare.ModeGreeting:
		// A game without a chosen opening belongs to none of them.
		return slices.Contains(a.GreetingIDs, r.state.GreetingID)
	}
	return true
}

// ActiveModules returns the ids of the active modules by their order and place, nil if there
// are none. Lore asks it, so that entries and rules of a module appear and go together.
func (s *Program) ActiveModules(st State) []string {
	if s == nil {
		return nil
	}
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	var active []int
	for i := range s.modules {
		if r.moduleActive(int32(i)) {
			active = append(active, i)
		}
	}
	slices.SortStableFunc(active, func(a, b int) int {
		return cmp.Compare(s.modules[a].Order, s.modules[b].Order)
	})
	var ids []string
	for _, i := range active {
		ids = append(ids, s.modules[i].ID)
	}
	return ids
}

// Say lets the player's newest message open and close the modules of [declare.ModeKeywords].
// A keyword latches a module on; while it is on, a leave word without a keyword
// latches it off. When exclusive modules are hit, the other exclusive ones that are
// on are closed. On and off are the ids of the modules that changed.
func (s *Program) Say(st State, text string) (next State, on, off []string) {
	if s == nil {
		return st, nil, nil
	}
	folded, searching := keyindex.FoldString(text), keyexpr.NewSearch(len(text))
	found := func(k *keyword) bool { return k.found(text, folded, &searching) }
	w := newWriter(s, st, Options{})
	// All hits are known before anything is switched: the order of the modules decides
	// nothing, and two exclusive ones that are hit together stay together.
	hit := make([]bool, len(s.modules))
	exclusive := false
	for i := range s.modules {
		m := &s.modules[i]
		hit[i] = m.Activation.Mode == declare.ModeKeywords && text != "" && anyKeyword(m.enter, found)
		exclusive = exclusive || hit[i] && m.Activation.Exclusive
	}
	for i := range s.modules {
		m := &s.modules[i]
		if m.Activation.Mode != declare.ModeKeywords {
			continue
		}
		was := st.Ledger.Books[m.ID]
		switch {
		// A keyword beats a leave word in the same message: "out of the cellar, back into
		// the cellar" ends in the cellar.
		case hit[i] && !was:
			w.Switch(effect.Books, m.ID, true)
			on = append(on, m.ID)
		case hit[i] || !was:
		case exclusive && m.Activation.Exclusive || anyKeyword(m.leave, found):
			w.Switch(effect.Books, m.ID, false)
			off = append(off, m.ID)
		}
	}
	return w.state, on, off
}
