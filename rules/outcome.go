package rules

import "github.com/talewright/talewright/memvars/tree"

// Fired is one firing of a rule or reaction.
type Fired struct {
	ID string
	// Event satisfied the trigger; Index is its place in the list that was evaluated, in a
	// chain in that of the hop.
	Event Event
	Index int
	// Effects are what it asks for, random operands drawn and parameters filled
	// in. References to variables are read when the effects are applied.
	Effects Effects
}

// Evaluation is the result of one pass over a list of events. Nothing is applied.
type Evaluation struct {
	Fired []Fired
	// Effects is the pool for [Program.Apply]: the effects of all firings in their
	// order, and among them the messages of those whose conditions failed.
	Effects []Caused
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

// Applied is the result of [Program.Apply].
type Applied struct {
	State State
	// Changes are the writes that changed something, in order: a declared
	// variable as a whole, without a schema the node that was written. By is the
	// cause, "formula" for a recomputed variable.
	Changes []tree.Change
	// Events is what the next hop hears: emitted events and triggers in the order
	// of their effects, then one [TypeStateChanged] per change.
	Events []Event
	// Host is what the host carries out, in order: notices, audio, requests for
	// generations, writes to unknown @ paths, and every effect that does not
	// concern variables or the ledger. [SendContext] is in the ledger instead.
	Host    []Caused
	Refused []Refusal
	Draws   []float64 // for random operands that were not drawn yet
}

// Outcome is the result of a chain. Its lists belong to the caller.
type Outcome struct {
	State State
	// Hops holds the firings of each hop in which something fired.
	Hops [][]Fired
	// Changes and Host are those of all hops, in order; see [Applied].
	Changes []tree.Change
	Host    []Caused
	// Context is the one-shot context that this chain added to the ledger. It waits there
	// for the next prompt, beside what was there before.
	Context []SendContext
	// Emitted are the events that effects raised, the built-in ones included and triggers
	// left out. Those of the last hop were heard by nobody who fired.
	Emitted []Event
	// Refused are the effects that were not carried out.
	Refused []Refusal
	// Effects is everything that was applied, hop by hop, drawn and filled in.
	// Applying it to the state before the chain gives the same variables.
	Effects [][]Caused
	// Cut holds the events that were left when the chain reached its bound, nil
	// if it ended by itself.
	Cut []Event
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
func (o Outcome) Notices() []Notify { return hostEffects[Notify](o.Host) }

// Audio returns the audio effects among the host's effects.
func (o Outcome) Audio() []PlayAudio { return hostEffects[PlayAudio](o.Host) }

// Requests returns the requests for a generation: at most one per chain.
func (o Outcome) Requests() []RequestAI { return hostEffects[RequestAI](o.Host) }

// hostEffects picks the effects of one type.
func hostEffects[E Effect](host []Caused) []E {
	var out []E
	for _, c := range host {
		if e, ok := c.Effect.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

// Content is everything that is compiled together.
type Content struct {
	// Variables is the author's schema. Nil means that there is none: any path of
	// the document may be read and written, and missing nodes are created. An
	// empty list declares that there are no variables.
	Variables []Variable
	// Modules gate the variables, rules and reactions that name them.
	Modules []Module
	// Rules are evaluated before handlers of the same priority.
	Rules []Rule
	// Handlers are consequences in the general form, such as those that
	// package reactions makes of reactions. They come after the rules.
	Handlers []Handler
	// Leaf says, for a document without a schema, whether the value at a path is a
	// leaf: a pair of a value and its description. It is asked only about pairs whose
	// second element is a text, must be pure, and may be called concurrently. Nil takes
	// those of the modules play_character_data and stat_data.
	Leaf func(path tree.Path, v tree.Value) bool
	// Hints is the language of [Refusal.Text] and of what [Program.Gate] refuses: "en" (also "")
	// or "zh". Models read them.
	Hints string
}
