package rules

import (
	"strings"
)

// board is a kind of switches: where the ledger keeps those that were turned, and what writes
// them beside an effect.
type board struct {
	path     string // of system paths; the id follows
	inverted bool   // the path says "off"
	switches func(*Ledger) *map[string]bool
	owned    func(*ownership) *bool
	// authored is the position of a switch that was never turned; nil: on, for this package
	// does not know it.
	authored func(s *Program, id string) bool
}

var (
	entryBoard = board{
		path:     "@prompt.entry.",
		switches: func(l *Ledger) *map[string]bool { return &l.Entries },
		owned:    func(o *ownership) *bool { return &o.entries },
	}
	ruleBoard = board{
		path: "@rules.disabled.", inverted: true,
		switches: func(l *Ledger) *map[string]bool { return &l.Enabled },
		owned:    func(o *ownership) *bool { return &o.enabled },
		authored: func(s *Program, id string) bool {
			if s != nil {
				for _, u := range s.byID[id] {
					return s.units[u].on
				}
			}
			return true
		},
	}
	variableBoard = board{
		path:     "@vars.enabled.",
		switches: func(l *Ledger) *map[string]bool { return &l.Variables },
		owned:    func(o *ownership) *bool { return &o.variables },
		authored: func(s *Program, id string) bool {
			v, ok := s.variables().withID(id)
			return !ok || v.Enabled == nil || *v.Enabled
		},
	}
	bookBoard = board{
		path:     "@worldbooks.on.",
		switches: func(l *Ledger) *map[string]bool { return &l.Books },
		owned:    func(o *ownership) *bool { return &o.books },
		// A module of keywords is off until one was said.
		authored: func(s *Program, id string) bool { return !s.opensByKeyword(id) },
	}
)

// boardOf returns the board that a system path belongs to, and the id, nil for none.
func boardOf(path string) (b *board, id string) {
	for _, b := range [...]*board{&entryBoard, &ruleBoard, &variableBoard, &bookBoard} {
		if id, ok := strings.CutPrefix(path, b.path); ok {
			return b, id
		}
	}
	return nil, ""
}

// turn sets a switch. One that stands right already is not copied.
func (w *writer) turn(b *board, id string, on bool) {
	switches := b.switches(&w.state.Ledger)
	if was, ok := (*switches)[id]; ok && was == on {
		return
	}
	own(switches, b.owned(&w.owned), 0)
	(*switches)[id] = on
}

// isOn is the present position of a switch: the run-time one, or else the authored flag where
// this package knows it, or else on.
func (w *writer) isOn(b *board, id string) bool {
	if on, ok := (*b.switches(&w.state.Ledger))[id]; ok {
		return on
	}
	return b.authored == nil || b.authored(w.set, id)
}
