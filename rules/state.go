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

// State is what a game consists of, seen from its rules. The zero State is a new
// game. It is a value: keeping one is keeping a snapshot.
type State struct {
	// Variables is the document that rules read and write: with a schema an object of its
	// variables, without one whatever the host keeps there.
	Variables tree.Document `json:"variables"`
	// Turn counts completed turns, the one that is being completed included. Cooldowns and
	// the lives of directives are measured by it and not by what events say.
	Turn   int    `json:"turnCount"`
	Ledger Memory `json:"ruleState"`
	// GreetingID names the opening that was chosen, for modules and variables
	// that belong to certain openings.
	GreetingID string `json:"activeGreetingId,omitempty"`

	// Views are variables that the host keeps outside of the document; nil: none. They are no
	// part of the JSON.
	Views Views `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (st State) MarshalJSON() ([]byte, error) { return authorjson.Write(st) }

// UnmarshalJSON reads a state of any age: every part may be missing, and one of the wrong
// type is as good as missing. A turn count that is no number is 0. Variables that nest deeper
// than [tree.MaxDepth] are an error.
func (st *State) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*st = State{GreetingID: f.Text("activeGreetingId"), Turn: authorjson.OrZero(f.Whole("turnCount"))}
	switch doc, err := tree.NewDocument(f.Peek("variables")); {
	case err == nil:
		st.Variables = doc
	case errors.Is(err, tree.ErrDepth): // they are a game's, and no slip of a type
		return fmt.Errorf("rules: variables: %w", err)
	}
	if l := f.Peek("ruleState"); l.IsObject() {
		if err := st.Ledger.UnmarshalJSON(l.AppendJSON(nil)); err != nil {
			return err
		}
	}
	// What could not be read must not come back when the state is written: unlike an
	// author's content this is a running game, and the old member would win over what has
	// been played since.
	f.Take("variables", "turnCount", "ruleState", "activeGreetingId")
	st.Extra = f.Rest()
	return nil
}

// Event is [event.Event], at hand for those who need no more of that package.
type Event = event.Event

// Options are the settings of an evaluation. The zero value is useful.
type Options struct {
	// Random gives numbers in [0, 1) for chances and random operands. Without
	// one every draw is 0.5, so that a forgotten source is at least the same
	// every time. Draws are recorded in the result.
	Random func() float64
	// MaxHops bounds a chain; 0 means 5, and [NoHops] lets nothing fire. [Outcome.Cut] reports what
	// was cut off.
	MaxHops int
	// Explain asks for a [Trace] of every rule and reaction. It makes
	// evaluation visit each of them, and costs nothing when off.
	Explain bool
	// ExpandNotices replaces {{variable}} in the texts of notices by its value.
	ExpandNotices bool
}

// defaultHops is the usual bound of a chain.
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

// hops is the bound of a chain.
func (o Options) hops() int {
	if o.MaxHops == 0 {
		return defaultHops
	}
	return max(o.MaxHops, 0)
}

// Views are variables that live outside of the document: fields of a host's own values, such as
// the hit points of its characters. Rules, conditions and formulas read and write them by their
// ids like any others, and events name them so; there is one truth, and it is the host's.
//
// A Views is a value: nothing that it returned changes by a later write. Ids that are also keys
// of the document mean the document.
type Views interface {
	// View returns the present value, and whether there is such a view.
	View(id string) (tree.Value, bool)
	// WithView returns the views after a write of a value to one of them, and what that one
	// holds then, which may be another value within its bounds. An error is why nothing is
	// written; it becomes a [effect.Refusal] with the reason [effect.BadValue].
	WithView(id string, value tree.Value) (Views, tree.Value, error)
}

// Fired is one firing of a rule or reaction.
type Fired struct {
	ID string
	// Event satisfied the trigger; Index is its place in the list that was evaluated, in a
	// chain in that of the hop.
	Event event.Event
	Index int
	// Effects are what it asks for, random operands drawn and parameters filled
	// in. References to variables are read when the effects are applied.
	Effects effect.List
}

// Evaluation is the result of one pass over a list of events. Nothing is applied.
type Evaluation struct {
	Fired []Fired
	// Effects is the pool for [Program.Apply]: the effects of all firings in their
	// order, and among them the messages of those whose conditions failed.
	Effects []effect.Caused
	// Draws are the random numbers that were used, in order. A source that gives them again
	// gives the same evaluation.
	Draws []float64
	Trace []Trace // with [Options.Explain]
}

// IDs returns the fired ids in order.
func (e Evaluation) IDs() []string { return firedIDs(e.Fired) }

// firedIDs lists ids with their repetitions.
func firedIDs(list []Fired) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.ID
	}
	return out
}

// Trace says how far a rule or reaction came with the events of one hop, and why not
// further. There is one for each event that satisfied its WHEN, or a single one if
// none did.
type Trace struct {
	ID string `json:"id"`
	// Path is the place in the content, as in rules[3]. Ids need not be unique.
	Path string `json:"path"`
	// Hop counts from 1. Event is the place in the hop's events, -1 where none of them
	// satisfied the WHEN or the rule was off.
	Hop   int `json:"hop"`
	Event int `json:"event"`
	// On is the type of that event; where Event is -1, those of all the hop's events, sorted,
	// each once, with commas between them.
	On string `json:"on"`
	// Gate is "fired" or where it stopped: disabled, module, pattern,
	// "condition 2", "stop condition 1", cooldown, count, chance, once.
	Gate string `json:"gate"`
	// Text is the gate with its reason, as in "condition 2: hp 35 lt 20".
	Text string `json:"text"`
}

// String returns the id, what it was asked about, and the text.
func (t Trace) String() string { return t.ID + " on " + t.On + ": " + t.Text }

// Applied is the result of [Program.Apply].
type Applied struct {
	State State
	// Changes are the writes that changed something, in order: a declared
	// variable as a whole, without a schema the node that was written. By is the
	// cause, "formula" for a recomputed variable.
	Changes []tree.Change
	// Events is what the next hop hears: emitted events and triggers in the order
	// of their effects, then one [event.TypeStateChanged] per change.
	Events []event.Event
	// Host is what the host carries out, in order: notices, audio, requests for
	// generations, writes to unknown @ paths, and every effect that does not
	// concern variables or the ledger. [effect.SendContext] is in the ledger instead.
	Host    []effect.Caused
	Refused []effect.Refusal
	Draws   []float64 // for random operands that were not drawn yet
}

// Outcome is the result of a chain. Its lists belong to the caller.
type Outcome struct {
	State State
	// Hops holds the firings of each hop in which something fired.
	Hops [][]Fired
	// Changes and Host are those of all hops, in order; see [Applied].
	Changes []tree.Change
	Host    []effect.Caused
	// Context is the one-shot context that this chain added to the ledger. It waits there
	// for the next prompt, beside what was there before.
	Context []effect.SendContext
	// Emitted are the events that effects raised, the built-in ones included and triggers
	// left out. No rule has fired on those of the last hop.
	Emitted []event.Event
	// Refused are the effects that were not carried out.
	Refused []effect.Refusal
	// Effects is everything that was applied, hop by hop, drawn and filled in.
	// Applying it to the state before the chain gives the same variables.
	Effects [][]effect.Caused
	// Cut holds the events that were left when the chain reached its bound, nil
	// if it ended by itself.
	Cut []event.Event
	// Draws are the random numbers of the whole chain, in order, and Trace, where it was
	// asked for, has one hop after the other.
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

// hostEffects picks the effects of one type.
func hostEffects[E effect.Effect](host []effect.Caused) []E {
	var out []E
	for _, c := range host {
		if e, ok := c.Effect.(E); ok {
			out = append(out, e)
		}
	}
	return out
}
