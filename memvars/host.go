package memvars

import (
	"iter"

	"github.com/talewright/talewright/memvars/tree"
)

// Actor is the author of a change.
type Actor string

// The actors. Host is the host itself. It may do everything except remove the safeguards that
// protect a document from accidents.
const (
	AI   Actor = "ai"
	User Actor = "user"
	Host Actor = "system"
)

// Dialect is an additional command language. It is read from the same messages and works on the
// same document. Its commands run in the order of their positions, mixed with the commands of this
// package.
//
// A Dialect must be safe for concurrent use, and its results must depend only on its arguments.
type Dialect interface {
	// Name is the value of Op.Dialect in the commands of this dialect.
	Name() string
	// Find returns the commands in a message in the order of their positions. Each
	// has a Dialect, a Pos and an End.
	Find(text string) []Op
	// Run runs one command that Find returned. If the outcome has a code, the writes of the command
	// are undone. The gate g resolves names of declared variables; it is nil if no variables are
	// declared. Writes to them are checked afterwards.
	Run(e *tree.Edit, op Op, by Actor, g Gate) Outcome
}

// Outcome is the result of a dialect's command. Its changes are in the batch.
type Outcome struct {
	Warnings []Warning
	Code     Code   // why the command was rejected, "" if it was not
	Hint     string // a correction, if the language has more to say than [Hinter]; also for parts of an applied command
	// Missing is a path from the root that the command read and that does not exist, or nil. The
	// hint then names a similar key.
	Missing tree.Path
}

// Hinter is an optional interface of a [Dialect]. It returns hints for its codes in a language of
// [Options].Hints. "" means the hint of this package.
type Hinter interface {
	Hint(code Code, language string) string
}

// Gate is the author's declaration of variables, in one state of the game: their names, their
// places in the document, the allowed writes and who may see them. [System.With] binds it to a
// system. Everything that writes or shows a document uses it: the commands of this package and of
// dialects, the passes, [System.Render] and the hints for a model.
//
// Package rules builds one from its schema. Places are paths from the root without the steps into
// leaves. A Gate is used by one goroutine at a time, and its results depend only on its arguments.
type Gate interface {
	// Resolve returns the place of the variable with a name: its ID, or else its display name. A
	// variable that the actor may not see has no name.
	Resolve(name string, by Actor) (tree.Path, bool)
	// Near yields the places of the variables that are at a path, around it, or within it. The path
	// may have steps into leaves. Additional variables are allowed.
	Near(path tree.Path) iter.Seq[tree.Path]
	// Judge returns the stored value for a write to a variable, converted and within its bounds, or
	// why nothing is written.
	Judge(w Write) (tree.Value, *Refusal)
	// Hidden returns the places that an actor may not see. Nothing is hidden from the [Host].
	Hidden(from Actor) []tree.Path
}

// Write is a requested write to a declared variable, in any command language. It is always about
// the variable as a whole, even if a part of it or something around it was written.
type Write struct {
	Actor Actor
	Path  tree.Path  // the place of the variable
	Old   tree.Value // absent: the document does not have it yet
	New   tree.Value // absent: it would be removed
}

// Refusal says why a write to a declared variable was not applied. Text is used for the hint; if it
// is empty, only the code is reported.
type Refusal struct {
	Code Code
	Text string
}
