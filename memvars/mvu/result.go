package mvu

import "github.com/talewright/talewright/memvars/tree"

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
	// Fault says, in default mode, that the call is not closed: it has no arguments and no effect.
	Fault Code `json:"fault,omitempty"`
}
