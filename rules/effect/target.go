package effect

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// Target is the game that effects are carried out on, see [Apply]: the document, the ledger of
// rules, and a list for the host. The one of package rules is behind rules.Program.Apply.
type Target interface {
	// Value reads a variable by id, display name or path, and Write writes one.
	Value(name string) tree.Value
	Write(c Caused, e SetVariable)

	// Inject, Remove, Remind and Switch change what the ledger keeps: directives, by their ids,
	// one-shot context, and switches.
	Inject(e InjectDirective)
	Remove(directive string)
	Remind(e SendContext)
	Switch(kind Switches, id string, on bool)
	// IsOn is the present position of a switch.
	IsOn(kind Switches, id string) bool
	// Ask reports whether a generation may be requested, which is once.
	Ask() bool

	// Random draws a number in [0, 1), and Expand puts variables into the text of a notice where
	// the host wants that.
	Random() float64
	Expand(text string) string

	// Raise puts an event into the next hop, Host hands an effect on, and Refuse tells why
	// something was not carried out.
	Raise(e event.Event)
	Host(c Caused)
	Refuse(c Caused, path string, value tree.Value, why Why)
}

// Switches are a kind of switches.
type Switches int

// The kinds of switches: of entries of world books, of rules and reactions, of the exposure of
// variables, of modules.
const (
	Entries Switches = iota
	Rules
	Variables
	Books
)

// Apply carries out one effect. What the target does not do itself is handed to the host.
func Apply(t Target, c Caused) {
	if e, ok := c.Effect.(bounded); ok {
		if why := e.tooLarge(); why.Reason != "" {
			t.Refuse(c, Name(c.Effect), tree.Value{}, why)
			return
		}
	}
	if e, ok := c.Effect.(applied); ok {
		e.apply(t, c)
		return
	}
	hand(t, c, c.Effect)
}

// hand gives an effect to the host. One that could not be read stops here: its type may be one
// that the host knows, and its fields are not to be trusted.
func hand(t Target, c Caused, e Effect) {
	if unreadable(e) {
		t.Refuse(c, e.EffectType(), tree.Value{}, deny(NotReadable, "an action that cannot be read"))
		return
	}
	t.Host(Caused{By: c.By, Effect: e})
}

// Name is what a refusal calls an effect as a whole: what it writes, or else its type, and
// nothing for what is no effect.
func Name(e Effect) string {
	if !genuine(e) {
		return ""
	}
	if set, ok := e.(SetVariable); ok {
		return set.Path
	}
	return e.EffectType()
}
