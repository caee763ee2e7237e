package campaign

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/talewright/talewright/rules"
)

// openModules lets the player's line open and close the modules of mode keywords, before
// anything of the turn is decided: what a module holds takes part in the turn in which
// the word is said.
func (t *turn) openModules() {
	p := &t.staged
	if len(t.game.content.Modules) == 0 {
		return
	}
	said, opened, closed := t.game.rules.Say(rules.State{Ledger: p.state.Ledger}, t.in.Text)
	p.state.Ledger = said.Ledger
	p.trace.Opened = append(p.trace.Opened, opened...)
	p.trace.Closed = append(p.trace.Closed, closed...)
}

// unplayedModules reports what of modules no turn asks for.
func unplayedModules(list []rules.Module, problems *findings) {
	for i, m := range list {
		if m.Order != 0 {
			problems.unplayed(fmt.Sprintf("modules[%d].order", i), "has no effect: modules that are active take part alike")
		}
	}
}

// closedBooks names the books that take no part in the turn: those whose name is the id
// of a module that is not active.
func (t *turn) closedBooks() []string {
	modules := t.game.content.Modules
	if len(modules) == 0 {
		return nil
	}
	active := t.game.rules.ActiveModules(t.game.ruleState(&t.staged.state, t.number()))
	closed := []string{rules.Unplaced}
	for _, m := range modules {
		if !slices.Contains(active, m.ID) {
			closed = append(closed, m.ID)
		}
	}
	return closed
}

// greetingNumber is the number of the greeting that the story began with, as cards count
// them: 0 is the first message, 1 the first alternate one.
func (t *turn) greetingNumber() int {
	s := &t.next.State
	if n, err := strconv.Atoi(s.GreetingID); err == nil {
		return n
	}
	if c := t.game.content.Card; c != nil && s.GreetingID == "" {
		return max(slices.Index(c.AlternateGreetings, s.Greeting)+1, 0)
	}
	return 0
}
