package mvu

import (
	"github.com/talewright/talewright/memvars/tree"
)

// Options says how commands are read and carried out. The zero value is the
// default mode.
type Options struct {
	// Mode is "default" (also "") or "compat". Compat does what MVU was observed to
	// do; the default differs where that is a defect:
	//
	//   - commands need no semicolon, may have full-width marks, and are skipped in
	//     comments;
	//   - texts may stand in typographic marks (“…”, ‘…’) on one line;
	//   - an inner quotation mark that nobody escaped does not end a text;
	//   - unquoted dates and times are texts; arithmetic is a fixed subset;
	//   - integers are exact; a text that is no number is refused on a number;
	//   - paths have the grammar of tree.ParsePath;
	//   - lists replace lists in a merge; a missing member of an open object can be
	//     inserted into; the shape of a pair cannot be changed;
	//   - extensible: false stops recursiveExtensible, and closed lists lose nothing;
	//   - JSON Patch follows its standard, with the operations delta and insert
	//     added, and a failing test ends its block.
	Mode string `json:"mode,omitempty"`
	// StrictPatch makes every patch block atomic, as RFC 6902 demands.
	StrictPatch bool `json:"strict_patch,omitempty"`
	// ReadonlyPrefix, for example "_", marks keys that no command may write, at any
	// level, whatever it names: neither by their paths nor by writing, moving or deleting
	// what they are in.
	ReadonlyPrefix string `json:"readonly_prefix,omitempty"`
	// StripPrefixes are removed from the front of paths, for example
	// "stat_data.".
	StripPrefixes []string `json:"strip_prefixes,omitempty"`
	// YAML reads what [Init] finds in another style of YAML than this package reads itself;
	// nil: such an entry is a problem. Package memvars/mvu/yaml, a module of its own, has one
	// that reads all of YAML. What models write is not given to it.
	YAML func(text string) (tree.Value, error) `json:"-"`
	// Expand expands the macros of an author's text, such as {{user}}. [Init] reads initial data first, with
	// marks in the place of the macros, and expands them in keys and texts afterwards: a name
	// cannot break the data, and a text stays a text even if it looks like a number then. nil leaves macros
	// as they are written.
	Expand func(text string) string `json:"-"`
	// Hints is the language of Failure.Message, "en" (default) or "zh". Beside the commands of
	// package memvars it is that of memvars.Options.
	Hints string `json:"hints,omitempty"`
	// Validate is asked after each command; on an error the command is taken back
	// with the code "invalid".
	Validate func(tree.Document) error `json:"-"`
	// Format writes the text of a change for the display data; nil writes
	// "<old>-><new> (<reason>)".
	Format func(Event) string `json:"-"`
}

// Companion returns the options that a card expects which registers a schema of
// its own: members beginning with an underscore are read-only, the usual first
// segments are stripped, and validate decides about every command.
func Companion(validate func(tree.Document) error) Options {
	return Options{
		ReadonlyPrefix: "_",
		StripPrefixes:  []string{"stat_data.", "status_current_variables."},
		Validate:       validate,
	}
}

// compat says that MVU is to be followed in everything.
func (o *Options) compat() bool { return o.Mode == "compat" }
