package mvu

import "github.com/talewright/talewright/memvars/tree"

// Options says how commands are read and run. The zero value is the default mode.
type Options struct {
	// Mode is "default" (also "") or "compat". Compat follows the observed behaviour of MVU. The
	// default differs where that behaviour is a defect:
	//
	//   - Commands need no semicolon, may have full-width marks, and are skipped in comments.
	//   - Texts may be in typographic marks (“…”, ‘…’) on one line.
	//   - An unescaped inner quotation mark does not end a text.
	//   - Unquoted dates and times are texts; arithmetic is a fixed subset.
	//   - Integers are exact; a text that is not a number is refused for a number.
	//   - Paths have the grammar of tree.ParsePath.
	//   - Lists replace lists in a merge; a missing member of an open object can be inserted into;
	//     the shape of a pair cannot be changed.
	//   - extensible: false stops recursiveExtensible, and closed lists lose no elements.
	//   - JSON Patch follows its standard, with the additional operations delta and insert, and a
	//     failing test ends its block.
	//   - A patch needs no closing tag, the other operations run beside one that cannot be read, and
	//     a patch that cannot be read is a failure.
	Mode string `json:"mode,omitempty"`
	// StrictPatch makes every patch block atomic, as RFC 6902 requires.
	StrictPatch bool `json:"strict_patch,omitempty"`
	// ReadonlyPrefix, for example "_", marks keys that no command may write, at any level: neither
	// by their paths nor by writing, moving or deleting a node around them.
	ReadonlyPrefix string `json:"readonly_prefix,omitempty"`
	// StripPrefixes are removed from the beginning of paths, for example "stat_data.".
	StripPrefixes []string `json:"strip_prefixes,omitempty"`
	// YAML reads entries for [Init] that use more of YAML than this package supports. nil: such an
	// entry is a problem. Package memvars/mvu/yaml, a separate module, has a function that reads
	// all of YAML. Text of models is never passed to it.
	YAML func(text string) (tree.Value, error) `json:"-"`
	// Expand expands the macros of an author's text, such as {{user}}. [Init] first reads initial
	// data with marks instead of the macros. Then it expands them in keys and texts. So a name
	// cannot break the data, and a text stays a text even if it looks like a number. A nil Expand
	// leaves macros as written.
	Expand func(text string) string `json:"-"`
	// Hints is the language of Failure.Message, "en" (default) or "zh". For a [Dialect] the
	// language of memvars.Options is used.
	Hints string `json:"hints,omitempty"`
	// Schema is the schema that a card registers for its variables, see [ReadZod]. It parses all
	// data after each command: the result is stored, and a command whose result does not fit is
	// undone with the code "invalid". The rules of MVU's own schema and of pairs are then off. Set
	// creates missing parents. Members beginning with an underscore are read-only, and stat_data. is
	// removed from the beginning of paths, unless ReadonlyPrefix and StripPrefixes say otherwise.
	Schema *Schema `json:"-"`
	// Validate is called after each command. On an error the command is undone with the code
	// "invalid".
	Validate func(tree.Document) error `json:"-"`
	// Format returns the text of a change for the display data; nil means "<old>-><new>
	// (<reason>)".
	Format func(Event) string `json:"-"`
}

// compat reports whether to follow MVU in everything.
func (o *Options) compat() bool { return o.Mode == "compat" }

// Result is the result of a message.
type Result struct {
	Commands []Command `json:"commands"`
	// Modified says that the data have changed. Writing the existing value is an event but not a
	// modification.
	Modified bool `json:"modified"`
	// Failures are the commands without effect, in order.
	Failures []Failure `json:"failures,omitempty"`
	Events   []Event   `json:"events,omitempty"`
}

// Failure is a command without effect, or a remark about a command with an effect.
type Failure struct {
	Command int    `json:"command"` // index in Result.Commands
	Code    Code   `json:"code"`
	Message string `json:"message,omitempty"`
}

// Event is one command with an effect. Writing the existing value is also an event. An absent New
// means that the node was removed or, in compat mode, set to undefined.
type Event struct {
	Type   string     `json:"type"` // of the command: set, insert, delete, add
	Path   string     `json:"path"` // as the command wrote it
	At     tree.Path  `json:"at"`
	Old    tree.Value `json:"old,omitzero"`
	New    tree.Value `json:"new,omitzero"`
	Reason string     `json:"reason,omitempty"`
}

// Command is one call or one operation of a patch block, as written in the message.
type Command struct {
	// Type is the method: set, insert, assign, remove, unset, delete, add; for
	// operations of a patch also move, copy and test.
	Type string `json:"type"`
	// Args are the source texts of the arguments.
	Args   []string `json:"args"`
	Reason string   `json:"reason"`
	// Offset is the byte offset of the call or of the block's opening tag.
	Offset int `json:"offset"`
	End    int `json:"end"` // byte offset after the call or block
	// Patch is the operation of a patch block. In default mode only Patch is used, and Args are
	// informative.
	Patch *PatchOp `json:"patch,omitempty"`
	// Block numbers the patch blocks of a message from 1.
	Block int `json:"block,omitempty"`
	// Fault says, in default mode, that the call is not closed, or that a patch of the Type patch
	// cannot be read: it has no arguments and no effect.
	Fault Code `json:"fault,omitempty"`
}
