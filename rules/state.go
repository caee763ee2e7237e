package rules

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// State is the state of a game for its rules. The zero value is a new game. It is a value: a copy
// is a snapshot.
type State struct {
	// Variables is the document that rules read and write. With a schema it is an object of its
	// variables, otherwise any document of the host.
	Variables tree.Document `json:"variables"`
	// Turn counts completed turns, including the turn that is being completed. Cooldowns and the
	// lifetimes of directives use it, not the turn counts of events.
	Turn   int    `json:"turnCount"`
	Ledger Memory `json:"ruleState"`
	// GreetingID names the chosen opening, for modules and variables that belong to certain
	// openings.
	GreetingID string `json:"activeGreetingId,omitempty"`

	// Views are variables that the host stores outside of the document; nil means none. They are
	// not part of the JSON.
	Views Views `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (st State) MarshalJSON() ([]byte, error) { return authorjson.Write(st) }

// UnmarshalJSON reads a state of any age: any part may be missing, and a part of the wrong type
// counts as missing. A turn count that is not a number is 0. Variables nested deeper than
// [tree.MaxDepth] are an error.
func (st *State) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*st = State{GreetingID: f.Text("activeGreetingId"), Turn: authorjson.OrZero(f.Whole("turnCount"))}
	switch doc, err := tree.NewDocument(f.Peek("variables")); {
	case err == nil:
		st.Variables = doc
	case errors.Is(err, tree.ErrDepth): // a depth error concerns a game's data and is not just a wrong type
		return fmt.Errorf("rules: variables: %w", err)
	}
	if l := f.Peek("ruleState"); l.IsObject() {
		if err := st.Ledger.UnmarshalJSON(l.AppendJSON(nil)); err != nil {
			return err
		}
	}
	// Unreadable members must not be written again. Unlike an author's content this is a running
	// game, and the old member would override the newer data.
	f.Take("variables", "turnCount", "ruleState", "activeGreetingId")
	st.Extra = f.Rest()
	return nil
}

// Event is [event.Event], for code that needs nothing else of that package.
type Event = event.Event

// Options are the settings of an evaluation. The zero value is useful.
type Options struct {
	// Random returns numbers in [0, 1) for chances and random operands. If nil, every draw is 0.5,
	// so that the results are at least deterministic. Draws are recorded in the result.
	Random func() float64
	// MaxHops limits a chain; 0 means 5, and [NoHops] lets nothing fire. [Outcome.Cut] has the
	// events after the limit.
	MaxHops int
	// Explain asks for a [Trace] of every rule and reaction. Then evaluation visits each of them.
	// It costs nothing if it is off.
	Explain bool
	// ExpandNotices replaces {{variable}} in the texts of notices by its value.
	ExpandNotices bool
}

// defaultHops is the default limit of a chain.
const defaultHops = 5

// NoHops as [Options.MaxHops] ends a chain before its first hop: nothing fires, and the events that
// would have fired something are in [Outcome.Cut].
const NoHops = -1

// draw takes the next random number.
func (o Options) draw() float64 {
	if o.Random == nil {
		return 0.5
	}
	return o.Random()
}

// hops returns the limit of a chain.
func (o Options) hops() int {
	if o.MaxHops == 0 {
		return defaultHops
	}
	return max(o.MaxHops, 0)
}

// Views are variables outside of the document: fields of a host's own values, such as the hit
// points of its characters. Rules, conditions and formulas read and write them by their ids like
// other variables, and events use these ids. The host has the only copy of the values.
//
// A Views is a value: a later write does not change it. If an id is also a key of the document, it
// means the document's value.
type Views interface {
	// View returns the present value, and whether there is such a view.
	View(id string) (tree.Value, bool)
	// WithView writes a value to a view. It returns the new views and the stored value, which may
	// differ because of bounds. An error means that nothing was written; it becomes a
	// [effect.Refusal] with the reason [effect.BadValue].
	WithView(id string, value tree.Value) (Views, tree.Value, error)
}

// Fired is one firing of a rule or reaction.
type Fired struct {
	ID string
	// Event satisfied the trigger. Index is its place in the evaluated list; in a chain, in the
	// list of the hop.
	Event event.Event
	Index int
	// Effects are the requested effects, with random operands drawn and parameters filled in.
	// References to variables are read when the effects are applied.
	Effects effect.List
}

// Evaluation is the result of one pass over a list of events. Nothing is applied.
type Evaluation struct {
	Fired []Fired
	// Effects is the input for [Program.Apply]: the effects of all firings in order, with the else
	// messages of rules whose conditions failed in between.
	Effects []effect.Attributed
	// Draws are the random numbers that were used, in order. A source that returns them again gives
	// the same evaluation.
	Draws []float64
	Trace []Trace // with [Options.Explain]
}

// IDs returns the fired ids in order.
func (e Evaluation) IDs() []string { return firedIDs(e.Fired) }

// firedIDs lists the ids, with repetitions.
func firedIDs(list []Fired) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.ID
	}
	return out
}

// Trace says how far a rule or reaction came with the events of one hop, and why it stopped. There
// is one for each event that satisfied its WHEN, or a single one if no event did.
type Trace struct {
	ID string `json:"id"`
	// Path is the place in the content, as in rules[3], because ids need not be unique.
	Path string `json:"path"`
	// Hop counts from 1. Event is the index in the hop's events, or -1 if no event satisfied the
	// WHEN or the rule was off.
	Hop   int `json:"hop"`
	Event int `json:"event"`
	// On is the type of that event. If Event is -1, it has the types of all events of the hop,
	// sorted, each once, separated by commas.
	On string `json:"on"`
	// Gate is "fired" or the gate that stopped the rule: disabled, module, pattern, "condition 2",
	// "stop condition 1", cooldown, count, chance, once.
	Gate string `json:"gate"`
	// Text is the gate with its reason, as in "condition 2: hp 35 lt 20".
	Text string `json:"text"`
}

// String returns the id, the event types, and the text.
func (t Trace) String() string { return t.ID + " on " + t.On + ": " + t.Text }

// Applied is the result of [Program.Apply].
type Applied struct {
	State State
	// Changes are the writes that changed something, in order. A change of a declared variable has
	// the whole variable; without a schema it has the written node. By is the cause, "formula" for
	// a recomputed variable.
	Changes []tree.Change
	// Events are the events of the next hop: emitted events and triggers in the order of their
	// effects, then one [event.TypeStateChanged] per change.
	Events []event.Event
	// Host has the effects for the host, in order. They are notices, audio, requests for
	// generations, writes to unknown @ paths, and every effect that does not concern variables or
	// the ledger. [effect.SendContext] is in the ledger instead.
	Host    []effect.Attributed
	Refused []effect.Refusal
	Draws   []float64 // for random operands that were not drawn yet
}

// Outcome is the result of a chain. Its lists belong to the caller.
type Outcome struct {
	State State
	// Hops has the firings of each hop in which something fired.
	Hops [][]Fired
	// Changes and Host come from all hops, in order; see [Applied].
	Changes []tree.Change
	Host    []effect.Attributed
	// Context is the one-shot context that this chain added to the ledger. It waits there for the
	// next prompt, with earlier context.
	Context []effect.SendContext
	// Emitted are the events that effects raised, including built-in ones but without triggers. No
	// rule has fired on the events of the last hop.
	Emitted []event.Event
	// Refused are the effects that were not applied.
	Refused []effect.Refusal
	// Effects has everything that was applied, hop by hop, drawn and filled in. Applying it to the
	// state before the chain gives the same variables.
	Effects [][]effect.Attributed
	// Cut has the remaining events if the chain reached its limit, otherwise nil.
	Cut []event.Event
	// Draws are the random numbers of the whole chain, in order. Trace, if requested, has the
	// traces of all hops in order.
	Draws []float64
	Trace []Trace
}

// Fired returns the ids that fired, in order.
func (o Outcome) Fired() []string {
	var out []string
	for _, hop := range o.Hops {
		out = append(out, firedIDs(hop)...)
	}
	return out
}

// Notices returns the notices among the host's effects.
func (o Outcome) Notices() []effect.Notify { return hostEffects[effect.Notify](o.Host) }

// Audio returns the audio effects among the host's effects.
func (o Outcome) Audio() []effect.PlayAudio { return hostEffects[effect.PlayAudio](o.Host) }

// Requests returns the requests for a generation: at most one per chain.
func (o Outcome) Requests() []effect.RequestAI { return hostEffects[effect.RequestAI](o.Host) }

// hostEffects returns the effects of one type.
func hostEffects[E effect.Effect](host []effect.Attributed) []E {
	var out []E
	for _, c := range host {
		if e, ok := c.Effect.(E); ok {
			out = append(out, e)
		}
	}
	return out
}
