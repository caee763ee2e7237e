package effect

import (
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// Refusal is an effect, or a part of one, that was not applied. It is data for authors and models,
// not an error: the rest of the batch was applied.
type Refusal struct {
	// By is the cause. Effect is the requested effect.
	By     string `json:"by,omitempty"`
	Effect Effect `json:"-"`
	// Path is the variable or @ path of the write.
	Path string `json:"path"`
	// Value is the value of the write.
	Value tree.Value `json:"value,omitzero"`
	// Reason is for programs. Text is for people and models.
	Reason Reason `json:"reason"`
	Text   string `json:"text"`
}

// Reason is the kind of a [Refusal].
//
//   - unknown-variable: not declared
//   - unknown-operation: not one of the nine operations
//   - wrong-operand: operation and operand do not fit
//   - wrong-variable: operation and variable do not fit
//   - wrong-type: set to a value of a different type
//   - structure-guard: a list or object against a bare scalar
//   - once-true: the flag stays true
//   - bad-path: the path leads through a scalar, or is malformed
//   - no-reference: valueRef names nothing
//   - not-finite: the result is not a finite number
//   - bad-value: an @ path with a value of the wrong type
//   - once-per-chain: a second request for a generation
//   - unreadable: an action that could not be read
//   - too-large: larger or nested deeper than a game may store
//
// A model may not make these writes:
//
//   - internal: to an internal variable
//   - inactive: to a variable that is inactive
//   - read-only: to a variable that models only read
//   - system-path: to an @ path, which commands the game
type Reason string

// The reasons.
const (
	UnknownVariable        Reason = "unknown-variable"  // not declared
	reasonUnknownOperation Reason = "unknown-operation" // not one of the nine operations
	WrongOperand           Reason = "wrong-operand"     // operation and operand do not fit
	WrongVariable          Reason = "wrong-variable"    // operation and variable do not fit
	WrongType              Reason = "wrong-type"        // set to a value of a different type
	StructureGuard         Reason = "structure-guard"   // a list or object against a bare scalar
	OnceTrue               Reason = "once-true"         // the flag stays true
	BadPath                Reason = "bad-path"          // the path leads through a scalar, or is malformed
	NoReference            Reason = "no-reference"      // valueRef names nothing
	reasonNotFinite        Reason = "not-finite"        // the result is not a finite number
	BadValue               Reason = "bad-value"         // an @ path with a value of the wrong type
	reasonOncePerChain     Reason = "once-per-chain"    // a second request for a generation
	reasonNotReadable      Reason = "unreadable"        // an action that could not be read
	TooLarge               Reason = "too-large"         // larger or nested deeper than a game may store

	// Reasons for writes that a model may not make.
	InternalVariable Reason = "internal"
	InactiveVariable Reason = "inactive"
	ReadOnlyVariable Reason = "read-only"
	SystemPath       Reason = "system-path" // an @ path, which commands the game
)

// Why is the reason why something was not applied. Its language is chosen when the text is
// produced. The zero value means that it was applied.
type Why struct {
	Reason Reason
	phrase *wording.Phrase // nil: applied; a pointer, because most are nil and a Why is returned through many calls
}

// Deny returns a Why. The format is the English sentence and the key of its translations.
func Deny(reason Reason, format string, args ...any) Why {
	phrase := wording.Of(format, args...)
	return Why{reason, &phrase}
}

// In returns the reason in the language of a table; nil means English.
func (w Why) In(words wording.Table) string {
	if w.phrase == nil {
		return ""
	}
	return w.phrase.In(words)
}

// tooDeep refuses a value that could not be read again.
var tooDeep = Deny(TooLarge, "nested deeper than %d levels", tree.MaxDepth)

// The limits of a value. A value that is written into itself doubles each time.
const (
	maxParts  = 1 << 20 // parts of a value, including itself
	maxText   = 1 << 20 // bytes of a text
	ownLevels = 3       // levels that an effect adds to its values: itself, its event, the fields
)

// Storable refuses a value that is too large for a game.
func Storable(v tree.Value) Why {
	if s, ok := v.AsText(); ok && len(s) > maxText {
		return Deny(TooLarge, "a text of more than %d bytes", maxText)
	}
	// The parts are counted first, because the depth check visits all of them.
	if v.Size(maxParts+1) > maxParts {
		return Deny(TooLarge, "a value of more than %d parts", maxParts)
	}
	return Why{}
}

// recordable refuses a value of an effect that no record can hold. A record may nest some levels
// deeper than a document.
func recordable(v tree.Value) Why {
	if why := Storable(v); why.Reason != "" {
		return why
	}
	if v.Deeper(tree.MaxDepth) {
		return tooDeep
	}
	return Why{}
}
