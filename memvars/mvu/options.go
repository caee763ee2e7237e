package mvu

import (
	"github.com/talewright/talewright/memvars/command"
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

// Code says why a command had no effect.
type Code = command.Code

// The codes of this dialect.
const (
	PathMissing      Code = "path_missing"          // nothing is at the path
	NotAContainer    Code = "not_a_container"       // neither an object nor a list
	ParentMissing    Code = "parent_missing"        // not even its parent is there
	BadMerge         Code = "bad_merge"             // only an object merges into one
	NotExtensible    Code = "schema_not_extensible" // the schema is closed here
	Required         Code = "schema_required"       // the schema demands the member
	NotFound         Code = "not_found"             // no such element or member
	NotANumber       Code = "not_a_number"          // the target is no number or date
	BadDelta         Code = "bad_delta"             // the amount is no number
	BadArity         Code = "bad_arity"             // too few or too many arguments
	BadArguments     Code = "bad_arguments"         // arguments that do not fit
	TemplateMismatch Code = "template_mismatch"     // told only: the value is kept as is
	BadPath          Code = "bad_path"              // the path breaks the grammar
	TypeMismatch     Code = "type_mismatch"         // a number needs a number
	PairShape        Code = "pair_shape"            // a pair stays a pair
	Readonly         Code = "readonly"              // see Options.ReadonlyPrefix
	Invalid          Code = "invalid"               // Options.Validate said no
	TestFailed       Code = "test_failed"           // a test operation of a patch
	TooMany          Code = "too_many"              // the message changes too much already
	TooLong          Code = "too_long"              // a number of more than tree.MaxDigits
	Aborted          Code = "aborted"               // undone or skipped with its block
)
