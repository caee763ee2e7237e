package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
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
	Ledger Ledger `json:"ruleState"`
	// GreetingID names the opening that was chosen, for modules and variables
	// that belong to certain openings.
	GreetingID string `json:"activeGreetingId,omitempty"`

	// Views are variables that the host keeps outside of the document; nil: none. They are no
	// part of the JSON.
	Views Views `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (st State) MarshalJSON() ([]byte, error) {
	type plain State
	return authorjson.Encode(plain(st), st.Extra)
}

// UnmarshalJSON reads a state of any age: every part may be missing, and one of the wrong
// type is as good as missing. A turn count that is no number is 0.
func (st *State) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*st = State{GreetingID: f.Text("activeGreetingId"), Turn: orZero(f.Whole("turnCount"))}
	if doc, err := tree.NewDocument(f.Peek("variables")); err == nil {
		st.Variables = doc
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

// Caused is an effect with the id of what caused it: a rule, a reaction, or what
// the host writes there for hooks and tools.
type Caused struct {
	By     string
	Effect Effect
}

// By gives all effects one cause, which changes and refusals will name.
func By(id string, effects ...Effect) []Caused {
	out := make([]Caused, len(effects))
	for i, e := range effects {
		out[i] = Caused{By: id, Effect: e}
	}
	return out
}

// Options are the settings of an evaluation. The zero value is useful.
type Options struct {
	// Random gives numbers in [0, 1) for chances and random operands. Without
	// one every draw is 0.5, so that a forgotten source is at least the same
	// every time. Draws are recorded in the result.
	Random func() float64
	// MaxHops bounds a chain; 0 means 5. What was cut off is reported.
	MaxHops int
	// Explain asks for a [Trace] of every rule and reaction. It makes
	// evaluation visit each of them, and costs nothing when off.
	Explain bool
	// ExpandNotices replaces {{variable}} in the texts of notices by its value.
	ExpandNotices bool
}

// defaultHops is the usual bound of a chain.
const defaultHops = 5

// draw takes the next random number.
func (o Options) draw() float64 {
	if o.Random == nil {
		return 0.5
	}
	return o.Random()
}

// hops is the bound of a chain.
func (o Options) hops() int {
	if o.MaxHops > 0 {
		return o.MaxHops
	}
	return defaultHops
}

// Refusal is an effect, or a part of one, that was not carried out. It is data for
// authors and models, not an error: the rest of the batch was carried out.
type Refusal struct {
	// By is the cause, and Effect what it asked for.
	By     string `json:"by,omitempty"`
	Effect Effect `json:"-"`
	// Path is the variable or @ path that would have been written.
	Path string `json:"path"`
	// Value is what would have been written.
	Value tree.Value `json:"value,omitzero"`
	// Reason is for programs, Text for people and models.
	Reason Reason `json:"reason"`
	Text   string `json:"text"`
}

// Reason classes a [Refusal].
type Reason string

// The reasons.
const (
	UnknownVariable  Reason = "unknown-variable"  // not declared
	UnknownOperation Reason = "unknown-operation" // none of the nine
	WrongOperand     Reason = "wrong-operand"     // operation and operand do not fit
	WrongVariable    Reason = "wrong-variable"    // operation and variable do not fit
	WrongType        Reason = "wrong-type"        // set to a value of another type
	StructureGuard   Reason = "structure-guard"   // a list or object against a bare scalar
	OnceTrue         Reason = "once-true"         // the flag stays true
	BadPath          Reason = "bad-path"          // the path leads through a scalar, or is malformed
	NoReference      Reason = "no-reference"      // valueRef names nothing
	NotFinite        Reason = "not-finite"        // the result is no number
	BadValue         Reason = "bad-value"         // an @ path with a value of the wrong type
	OncePerChain     Reason = "once-per-chain"    // a second request for a generation
	NotReadable      Reason = "unreadable"        // an action that could not be read
	TooLarge         Reason = "too-large"         // more, or nested deeper, than a game may hold
)
