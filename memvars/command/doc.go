// Package command reads the language in which a model or a player asks to change variables:
// set_attribute, set_status, memory and delete, written anywhere in a message.
//
//	reader := command.Reader{Prefixes: []string{"*"}, Repair: true}
//	for _, op := range reader.Parse(reply) {
//		fmt.Println(op.Pos.Line, op)
//	}
//
// The calls that package memvars carries out, and says the roots of:
//
//	set_attribute(path, value)      set_attribute(path, old, value)
//	set_status(path, value)         set_status(path, old, value)
//	memory(path, value)             memory(parent, key, value)      memory(from, to)
//	delete(path)                    delete(parent, key)             delete(parent, 'all')
//
// Reading is lenient: quotation marks of any family, forgotten escapes, full-width marks, and
// JSON with the usual mistakes. What cannot be read is an [Op] with a [Fault], and nothing that
// a message holds is an error of Go. The work is linear in the length of the message.
//
// An Op is what was asked; package memvars says what becomes of it, in the words of [Code] and
// [Warning]. Further languages, such as package mvu, hand out Ops of their own.
//
// The package decides by its arguments alone; its values are safe for concurrent use.
package command
