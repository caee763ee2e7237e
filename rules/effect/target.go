package effect

import (
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// Target is the game that [Apply] changes: the document, the ledger of rules, and a list for the
// host. Package rules implements it for rules.Program.Apply.
type Target interface {
	// Value reads a variable by id, display name or path. Set writes one.
	Value(name string) tree.Value
	Set(c Attributed, e SetVariable)

	// Inject, Remove, Remind and Switch change the ledger: directives by their ids, one-shot
	// context, and switches.
	Inject(e InjectDirective)
	Remove(directive string)
	Remind(e SendContext)
	Switch(of Switches, id string, on bool)
	// IsOn returns the present position of a switch.
	IsOn(of Switches, id string) bool
	// Ask reports whether a generation may be requested. It returns true once.
	Ask() bool

	// Random draws a number in [0, 1). Expand inserts variables into the text of a notice if the
	// host enables it.
	Random() float64
	Expand(text string) string

	// Raise adds an event to the next hop. Host passes an effect to the host. Refuse records why
	// something was not applied.
	Raise(e event.Event)
	Host(c Attributed)
	Refuse(c Attributed, path string, value tree.Value, why Why)
}

// Switches is a kind of switch.
type Switches int

// The kinds: entries of world books, rules and reactions, the exposure of variables, modules.
const (
	Entries Switches = iota
	Rules
	Variables
	Books
)

// bounded effects contain values for the host or for event listeners. tooLarge returns a reason if
// a value is too large.
type bounded interface{ tooLarge() Why }

// fits reports whether an effect is small enough for a record. Otherwise it refuses the effect.
func fits(t Target, c Attributed) bool {
	e, ok := c.Effect.(bounded)
	if !ok {
		return true
	}
	why := e.tooLarge()
	if why.Reason != "" {
		t.Refuse(c, Name(c.Effect), tree.Value{}, why)
	}
	return why.Reason == ""
}

// toHost passes an effect to the host.
func toHost(t Target, c Attributed, e Effect) { t.Host(Attributed{Source: c.Source, Effect: e}) }

// Name returns the name of a whole effect in a refusal: the path that it writes, or else its type.
// It returns "" for a value that is not a real effect.
func Name(e Effect) string {
	if !isEffectValue(e) {
		return ""
	}
	if set, ok := e.(SetVariable); ok {
		return set.Path
	}
	return e.EffectType()
}

// command is a write to an @ path with its target.
type command struct {
	target    Target
	cause     Attributed
	path      string
	operation Operation
	value     tree.Value
}

// refuse refuses a value that the path does not accept.
func (k command) refuse(want wording.Noun) {
	k.target.Refuse(k.cause, k.path, k.value, Deny(BadValue, "takes %s", want))
}

// text returns the value of a path that takes a text. An empty text is refused: it would be a
// silent notice or a track without a name.
func (k command) text() (text string, ok bool) {
	text, _ = k.value.AsText()
	if text == "" {
		k.refuse("a text that is not empty")
	}
	return text, text != ""
}

// toHost passes an effect to the host if it is not too large.
func (k command) toHost(e Effect) {
	if fits(k.target, Attributed{Source: k.cause.Source, Effect: e}) {
		toHost(k.target, k.cause, e)
	}
}
