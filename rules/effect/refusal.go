package effect

import (
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

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

	// Those of writes that a model may not make.
	InternalVariable Reason = "internal"
	InactiveVariable Reason = "inactive"
	ReadOnlyVariable Reason = "read-only"
	SystemPath       Reason = "system-path" // an @ path, which commands the game
)

// Why says why something was not carried out, in a language that is chosen where it is told; the
// zero value means that it was carried out.
type Why struct {
	Reason Reason
	phrase *wording.Phrase // nil: carried out; most are, and a Why is handed on through many calls
}

// Deny makes a Why. The format is the English sentence, and the key of its translations.
func Deny(reason Reason, format string, args ...any) Why {
	phrase := wording.Of(format, args...)
	return Why{reason, &phrase}
}

// In says the reason in the language of a table, nil for English.
func (w Why) In(words wording.Table) string {
	if w.phrase == nil {
		return ""
	}
	return w.phrase.In(words)
}

// tooDeep refuses what could not be read again.
var tooDeep = Deny(TooLarge, "nested deeper than %d levels", tree.MaxDepth)

// What a game may hold. A value that is written into itself doubles each time.
const (
	maxParts  = 1 << 20 // parts of a value, itself included
	maxText   = 1 << 20 // bytes of a text
	ownLevels = 3       // that an effect adds to what it holds: itself, its event, the fields
)

// Storable refuses a value that is too large for a game.
func Storable(v tree.Value) Why {
	if s, ok := v.AsText(); ok && len(s) > maxText {
		return Deny(TooLarge, "a text of more than %d bytes", maxText)
	}
	// The parts are counted first: looking for the depth goes through all of them.
	if v.Size(maxParts+1) > maxParts {
		return Deny(TooLarge, "a value of more than %d parts", maxParts)
	}
	return Why{}
}

// recordable refuses a value of an effect that no record can hold. Those hold what a document may
// hold, and some levels around it.
func recordable(v tree.Value) Why {
	if why := Storable(v); why.Reason != "" {
		return why
	}
	if v.Deeper(tree.MaxDepth) {
		return tooDeep
	}
	return Why{}
}
