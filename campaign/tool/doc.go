// Package tool is what a model may ask for. A [Tool] has a name, parameters, reasons to refuse
// and a pure function that judges a [Call] by a [View] of the state: it refuses with a reason,
// which goes back to the model, or returns effects, which the engine applies. It never acts.
// What it needs to know from outside the game its Outside finds out before, and the log keeps.
//
// The built-in tools, one file each: move takes a character along a path of the map, hp_delta
// hurts and heals, check throws dice. [Builtin] has all three; campaigns allow the first two
// unless their setup says otherwise. [New] makes a tool of a Go function whose arguments are
// a struct.
//
// Tools and sets of tools are immutable and safe for concurrent use.
package tool
