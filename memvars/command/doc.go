// Package command reads the language in which a model or a player asks to change variables:
// set_attribute, set_status, memory and delete, written anywhere in a message.
//
//	reader := command.Reader{Prefixes: []string{"*"}, Repair: true}
//	for _, op := range reader.Parse(reply) {
//		fmt.Println(op.Pos.Line, op)
//	}
//
// The calls that package memvars applies. It documents their roots:
//
//	set_attribute(path, value)      set_attribute(path, old, value)
//	set_status(path, value)         set_status(path, old, value)
//	memory(path, value)             memory(parent, key, value)      memory(from, to)
//	delete(path)                    delete(parent, key)             delete(parent, 'all')
//
// Reading is lenient. It accepts quotation marks of any family, forgotten escapes, full-width
// marks, and JSON with common mistakes. An unreadable command is an [Op] with a [Fault]; no message
// causes a Go error. The work is linear in the length of the message.
//
// An Op is a request. Package memvars reports its result with a [Code] or a [Warning]. Other
// languages, such as package mvu, return their own Ops.
//
// All results depend only on the arguments; values are safe for concurrent use.
package command
