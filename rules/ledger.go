package rules

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/rules/effect"
)

// This file has the memory of rules and reactions between turns: switches, cooldowns, counts,
// directives, and one-shot context for the next prompt.

// Memory is everything that rules and reactions remember between turns. The zero value is a new
// game. It is a plain value: no function here modifies its argument. The maps and lists of a result
// may be shared with the argument, so copy a Memory with [Memory.Clone] before changing it by hand.
type Memory struct {
	// Enabled holds the run-time switches of rules and reactions. They override the authored flag
	// in both directions.
	Enabled map[string]bool `json:"enabledRules,omitempty"`
	// Cooldowns holds the first turn on which an id may fire again.
	Cooldowns map[string]int `json:"cooldowns,omitempty"`
	// FireCounts holds how often an id has fired.
	FireCounts map[string]int `json:"fireCounts,omitempty"`
	// Directives are the active directives, in order of injection.
	Directives []Directive `json:"activeDirectives,omitempty"`
	// Entries, Variables and Books are switches that override the authored flag: of world book
	// entries, of the exposure of variables, of modules.
	Entries   map[string]bool `json:"toggledEntries,omitempty"`
	Variables map[string]bool `json:"toggledVariables,omitempty"`
	Books     map[string]bool `json:"toggledWorldbooks,omitempty"`
	// Pending is the one-shot context that waits for the next prompt.
	Pending []effect.SendContext `json:"pendingContext,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Directive is an instruction for the next prompts. It was injected during the evaluation of turn
// InjectedAtTurn and is in the prompts of later turns: until removed if Persistent, otherwise for
// one turn. Duration, if set, is the number of turns and takes precedence.
type Directive struct {
	ID string `json:"id"`
	// Content is the injected text. Its macros are expanded when a prompt is built, so that they
	// have the values of that time.
	Content  string                   `json:"content"`
	Position effect.DirectivePosition `json:"position"`
	// Depth counts messages from the end of the history, for the position depth.
	Depth          *int `json:"depth,omitempty"`
	Persistent     bool `json:"persistent"`
	InjectedAtTurn int  `json:"injectedAtTurn"`
	Duration       *int `json:"duration,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (d Directive) MarshalJSON() ([]byte, error) { return authorjson.Write(d) }

// UnmarshalJSON reads all readable members and keeps the others in Extra. A missing position means
// auto, a missing persistent means true. The zero Directive reads back unchanged.
func (d *Directive) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	_, hasPosition := f.Peek("position").AsText()
	_, hasPersistent := f.Peek("persistent").AsBool()
	*d = authorjson.Decoded[Directive](f)
	if !hasPosition {
		d.Position = effect.DirectiveAuto
	}
	d.Persistent = d.Persistent || !hasPersistent
	return nil
}

// rounds returns the lifetime in turns, and false for an unlimited lifetime.
func (d Directive) rounds() (int, bool) {
	switch {
	case d.Duration != nil:
		return *d.Duration, true
	case d.Persistent:
		return 0, false
	}
	return 1, true
}

// MarshalJSON writes the known fields and then the unknown ones.
func (l Memory) MarshalJSON() ([]byte, error) {
	type plain Memory
	form := struct {
		plain
		Pending []pendingContext `json:"pendingContext,omitempty"`
	}{plain: plain(l)}
	for _, c := range l.Pending {
		form.Pending = append(form.Pending, pendingContext(c))
	}
	return authorjson.Encode(form, l.Extra)
}

// pendingContext is a [effect.SendContext] in a ledger. It has no type there and keeps unknown
// members.
type pendingContext effect.SendContext

// MarshalJSON writes the known fields and then the unknown ones.
func (c pendingContext) MarshalJSON() ([]byte, error) { return authorjson.Write(c) }

// UnmarshalJSON reads a ledger of any age. The output of [Memory.MarshalJSON] reads back unchanged.
// Otherwise any part may be missing, a part of the wrong type counts as missing, and the members
// "disabledRules", "directives" and "toggledModules" of other programs are accepted.
func (l *Memory) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*l = Memory{
		Enabled:    ledgerSwitches(f, "enabledRules"),
		Cooldowns:  counts(f, "cooldowns"),
		FireCounts: counts(f, "fireCounts"),
		Directives: directives(f, "activeDirectives"),
		Entries:    ledgerSwitches(f, "toggledEntries"),
		Variables:  ledgerSwitches(f, "toggledVariables"),
		Books:      ledgerSwitches(f, "toggledWorldbooks"),
		Pending:    pending(f, "pendingContext"),
	}
	// Those programs could only switch off. Ids that are not in their list keep the authored flag.
	for _, id := range f.Texts("disabledRules") {
		if l.Enabled == nil {
			l.Enabled = make(map[string]bool)
		}
		l.Enabled[id] = false
	}
	l.Directives = append(l.Directives, directives(f, "directives")...)
	if l.Books == nil {
		l.Books = ledgerSwitches(f, "toggledModules")
	}
	// All parts are removed from the object, even unreadable ones. Otherwise an old part would be
	// written next to the newer data and would undo it when the game is loaded again.
	f.Take("enabledRules", "disabledRules", "cooldowns", "fireCounts", "activeDirectives",
		"directives", "toggledEntries", "toggledVariables", "toggledWorldbooks",
		"toggledModules", "pendingContext")
	l.Extra = f.Rest()
	return nil
}

// ledgerSwitches reads a map of flags. Members that are not flags are dropped. A switch that cannot
// be read leaves its rule as authored. Players of an old save expect this.
func ledgerSwitches(f *authorjson.Fields, name string) map[string]bool {
	v := f.Peek(name)
	if v.IsArray() { // a list of the ids that are on
		out := make(map[string]bool)
		for _, id := range f.Texts(name) {
			out[id] = true
		}
		return out
	}
	if !v.IsObject() {
		f.Missing(name, v)
		return nil
	}
	f.Take(name)
	out := make(map[string]bool, v.Len())
	for k, m := range v.Members() {
		if b, ok := m.AsBool(); ok {
			out[k] = b
		}
	}
	return out
}

// counts reads a map of whole numbers. Other members are dropped.
func counts(f *authorjson.Fields, name string) map[string]int {
	v := f.Peek(name)
	if !v.IsObject() {
		f.Missing(name, v)
		return nil
	}
	f.Take(name)
	out := make(map[string]int, v.Len())
	for k := range v.Members() {
		if n := authorjson.Of(v).Whole(k); n != nil {
			out[k] = *n
		}
	}
	return out
}

// directives reads a list of directives. A directive without id is from a different program. It
// could not be replaced or removed, so it is dropped.
func directives(f *authorjson.Fields, name string) []Directive {
	var out []Directive
	for _, e := range f.List(name).Elements() {
		var d Directive
		if _, hasID := e.Get("id").AsText(); hasID && d.UnmarshalJSON(e.AppendJSON(nil)) == nil {
			out = append(out, d)
		}
	}
	return out
}

// pending reads a list of messages. Elements without a message are dropped.
func pending(f *authorjson.Fields, name string) []effect.SendContext {
	var out []effect.SendContext
	for _, e := range f.List(name).Elements() {
		if _, hasMessage := e.Get("message").AsText(); hasMessage {
			out = append(out, authorjson.Decoded[effect.SendContext](authorjson.Of(e)))
		}
	}
	return out
}

// Clone returns a copy that shares no mutable data.
func (l Memory) Clone() Memory {
	l.Enabled = maps.Clone(l.Enabled)
	l.Cooldowns = maps.Clone(l.Cooldowns)
	l.FireCounts = maps.Clone(l.FireCounts)
	l.Directives = slices.Clone(l.Directives)
	l.Entries = maps.Clone(l.Entries)
	l.Variables = maps.Clone(l.Variables)
	l.Books = maps.Clone(l.Books)
	l.Pending = slices.Clone(l.Pending)
	l.Extra = maps.Clone(l.Extra)
	return l
}

// Expire removes the directives whose lifetime ends when the turn completes, and returns their ids.
// Call it once per turn, before the rules of that turn run. A directive injected on turn T with N
// rounds is in the prompts of T+1 to T+N.
func (l Memory) Expire(turn int) (Memory, []string) {
	var expired []string
	kept := make([]Directive, 0, len(l.Directives))
	for _, d := range l.Directives {
		if n, ends := d.rounds(); ends && turn >= turnsAfter(d.InjectedAtTurn, max(n, 0)) {
			expired = append(expired, d.ID)
			continue
		}
		kept = append(kept, d)
	}
	if expired != nil { // otherwise the list may stay shared with the argument
		l.Directives = kept
	}
	return l, expired
}

// TakePending returns the one-shot context for the prompt that is being built, and the ledger
// without it. A host that cannot send the prompt keeps the old ledger.
func (l Memory) TakePending() (Memory, []effect.SendContext) {
	pending := l.Pending
	l.Pending = nil
	return l, pending
}

// turnsAfter adds turns to a turn. The result is limited to the greatest int.
func turnsAfter(turn, turns int) int {
	if turn > math.MaxInt-turns {
		return math.MaxInt
	}
	return turn + turns
}
