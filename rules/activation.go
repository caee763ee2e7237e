package rules

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// Module indexes of members outside of the declared modules.
const (
	inNoModule int32 = -1 // in no module or an unknown one: active
	inUnplaced int32 = -2 // never active
)

// moduleState caches within one hop whether a module is active.
type moduleState uint8

const (
	moduleUnknown moduleState = iota
	moduleOn
	moduleOff
)

// view is a state as content sees it: variables, modules and switches.
type view struct {
	reader
	// state is the state of the chain, which changes from hop to hop, or a copy of the state of an
	// evaluation.
	state  *State
	active []moduleState // by module
}

// refresh updates the view to the present state: a new version, without the values read so far.
func (v *view) refresh() {
	v.root, v.views = v.state.Variables.Root(), v.state.Views
	clear(v.active)
	v.version++
}

// enabled reads the run-time switch first. It overrides the authored flag in both directions.
func (v *view) enabled(u *unit) bool {
	if len(v.state.Ledger.Enabled) > 0 {
		if on, ok := v.state.Ledger.Enabled[u.id]; ok {
			return on
		}
	}
	return u.on
}

// fails reports whether a list of conditions does not hold.
func (v *view) fails(tests []test, any bool, params tree.Value) bool {
	for k := range tests {
		if tests[k].holds(&v.reader, params) == any {
			return !any
		}
	}
	return any && len(tests) > 0
}

// opensByKeyword reports whether the module has the mode [ModeKeywords].
func (s *Program) opensByKeyword(id string) bool {
	return slices.ContainsFunc(s.modules, func(m module) bool {
		return m.ID == id && m.Activation.Mode == ModeKeywords
	})
}

// moduleActive reports whether members of a module take part.
func (v *view) moduleActive(i int32) bool {
	switch i {
	case inNoModule:
		return true
	case inUnplaced:
		return false
	}
	// Conditions of modules are decided once per hop, however many members there are.
	if v.active[i] == moduleUnknown {
		v.active[i] = moduleOff
		if v.decideModule(&v.set.modules[i]) {
			v.active[i] = moduleOn
		}
	}
	return v.active[i] == moduleOn
}

// decideModule uses the switch only for modes that have one. A module with conditions follows its
// conditions; earlier switches do not count.
func (v *view) decideModule(m *module) bool {
	on, switched := v.state.Ledger.Books[m.ID]
	switch m.Activation.Mode {
	case ModeManual:
		return on || !switched
	case ModeKeywords:
		return on // never switched means closed
	}
	return v.decideActivation(&m.Activation, m.tests)
}

// decideActivation decides the modes without a switch.
func (v *view) decideActivation(a *Activation, tests []test) bool {
	switch a.Mode {
	case ModeConditions:
		return !v.fails(tests, a.ConditionLogic == Any, tree.Value{})
	case ModeGreeting:
		// A game without a chosen opening matches no module of this mode.
		return slices.Contains(a.GreetingIDs, v.state.GreetingID)
	}
	return true
}

// ActiveModules returns the ids of the active modules by their order and place, or nil if there are
// none. Lore uses it too, so that entries and rules of a module become active together.
func (s *Program) ActiveModules(st State) []string {
	s = s.orNone()
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	var active []int
	for i := range s.modules {
		if r.gates.moduleActive(int32(i)) {
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

// ActivateModules opens and closes the modules of [ModeKeywords] by the player's newest message. A
// keyword opens a module. While it is open, a leave word without a keyword closes it. If keywords
// of exclusive modules are found, the other open exclusive modules are closed. on and off are the
// ids of the modules that changed.
func (s *Program) ActivateModules(st State, text string) (next State, on, off []string) {
	s = s.orNone()
	folded, searching := keyindex.FoldString(text), report.NewSearch(len(text))
	found := func(k *keyword) bool { return k.Found(text, folded, &searching) }
	k := keeper{Ledger: &st.Ledger}
	// All hits are collected before anything is switched: the order of the modules has no
	// influence, and two exclusive modules that are hit together both stay open.
	hit := make([]bool, len(s.modules))
	exclusive := false
	for i := range s.modules {
		m := &s.modules[i]
		hit[i] = m.Activation.Mode == ModeKeywords && text != "" && anyKeyword(m.enter, found)
		exclusive = exclusive || hit[i] && m.Activation.Exclusive
	}
	for i := range s.modules {
		m := &s.modules[i]
		if m.Activation.Mode != ModeKeywords {
			continue
		}
		was := st.Ledger.Books[m.ID]
		switch {
		// A keyword takes precedence over a leave word in the same message: "out of the cellar,
		// back into the cellar" ends in the cellar.
		case hit[i] && !was:
			k.Switch(effect.Books, m.ID, true)
			on = append(on, m.ID)
		case hit[i] || !was:
		case exclusive && m.Activation.Exclusive || anyKeyword(m.leave, found):
			k.Switch(effect.Books, m.ID, false)
			off = append(off, m.ID)
		}
	}
	return st, on, off
}
