package memvars

import (
	"iter"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

// Actor is who asks for a change.
type Actor string

// The actors. The system is the host itself and may do everything but lift
// what protects a document from accidents.
const (
	AI   Actor = "ai"
	User Actor = "user"
	Host Actor = "system"
)

// Dialect is a further command language that is read from the same messages and
// works on the same document. Its commands run in the order of their positions,
// mixed with those of this package.
//
// A Dialect must be safe for concurrent use and must decide by its arguments
// alone.
type Dialect interface {
	// Name is what Op.Dialect holds for the commands of this dialect.
	Name() string
	// Find returns the commands in a message in the order of their positions. Each
	// has a Dialect, a Pos and an End.
	Find(text string) []command.Op
	// Run carries out one command that Find returned. If the outcome has a code,
	// what it wrote is taken back. g gives names to declared variables; nil: there are
	// none. What may be written to them is looked at afterwards.
	Run(e *tree.Edit, op command.Op, by Actor, g Gate) Outcome
}

// Outcome is what became of a dialect's command. What it changed is seen in the batch.
type Outcome struct {
	Warnings []command.Warning
	Code     command.Code // why the command was rejected, "" if it was not
	Hint     string       // what would have been right, if the language has more to say than [Hinter]
	// Missing is a path from the root at which the command looked and nothing is: the hint
	// names a key that may have been meant. nil: it is about nothing of the kind.
	Missing tree.Path
}

// Hinter is what a [Dialect] may be beside: it says what its codes ask for, in a language of
// [Options].Hints. "" leaves it to this package.
type Hinter interface {
	Hint(code command.Code, language string) string
}

// Gate is what an author has declared about variables, as one state of the game has it:
// what they are called, where they live in the document, what may become of them and
// who may see them. [System.With] binds it to a system, and every way to write or to
// show a document asks it: the commands of this package and of dialects, the passes,
// [System.Render] and the hints for a model.
//
// Package rules makes one of its schema. Places are paths from the root without the
// steps into leaves. A Gate is used by one goroutine at a time and answers by its
// arguments alone.
type Gate interface {
	// Resolve returns the place of the variable that goes by a name: its id, or else
	// its display name. What a writer may not see has no name for it.
	Resolve(name string, by Actor) (tree.Path, bool)
	// Near yields the places of the variables that are at a path, around it, or within
	// it. The path may have steps into leaves; too many variables do no harm.
	Near(path tree.Path) iter.Seq[tree.Path]
	// Judge returns what a write makes of a variable: the value as it is stored,
	// converted and within its bounds, or why nothing is written.
	Judge(w Write) (tree.Value, *Refusal)
	// Hidden returns the places that an actor may not see. The [Host] sees everything.
	Hidden(from Actor) []tree.Path
}

// Write is what is asked of a declared variable, whichever language it was asked
// in: always of the variable as a whole, also where a part of it or something around
// it was written.
type Write struct {
	Actor Actor
	Path  tree.Path  // the place of the variable
	Old   tree.Value // absent: the document has none yet
	New   tree.Value // absent: it would be removed
}

// Refusal says why a write to a declared variable was not carried out. Text is for the
// hint; empty it tells no more than the code.
type Refusal struct {
	Code command.Code
	Text string
}
