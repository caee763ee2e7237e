package rules

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/keep"
	"github.com/talewright/talewright/rules/internal/keyexpr"
	"github.com/talewright/talewright/rules/internal/match"
)

// Places of members outside of the declared modules.
const (
	inNoModule int32 = -1 // or in an unknown one: active
	inUnplaced int32 = -2 // never active
)

const (
	moduleUnknown moduleState = iota
	moduleOn
	moduleOff
)

// opensByKeyword reports whether the module is one of [declare.ModeKeywords].
func (s *Program) opensByKeyword(id string) bool {
	return s != nil && slices.ContainsFunc(s.modules, func(m module) bool {
		return m.ID == id && m.Activation.Mode == declare.ModeKeywords
	})
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
	found := func(k *match.Keyword) bool { return k.Found(text, folded, &searching) }
	k := keep.Keeper{Ledger: &st.Ledger}
	// All hits are known before anything is switched: the order of the modules decides
	// nothing, and two exclusive ones that are hit together stay together.
	hit := make([]bool, len(s.modules))
	exclusive := false
	for i := range s.modules {
		m := &s.modules[i]
		hit[i] = m.Activation.Mode == declare.ModeKeywords && text != "" && match.AnyKeyword(m.enter, found)
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
			k.Switch(effect.Books, m.ID, true)
			on = append(on, m.ID)
		case hit[i] || !was:
		case exclusive && m.Activation.Exclusive || match.AnyKeyword(m.leave, found):
			k.Switch(effect.Books, m.ID, false)
			off = append(off, m.ID)
		}
	}
	return st, on, off
}
