// Package tool defines the tools that a model may call. A [Tool] has a name, parameters, reasons to
// refuse, and a pure function that judges a [Call] with a [View] of the state. The function either
// refuses with a reason, which goes back to the model, or returns effects, which the engine
// applies. It has no side effects. If a tool needs data from outside the game, its Outside function
// gets that data first, and the log stores it.
//
// There are three built-in tools: move moves a character along a path of the map, hp_delta hurts
// and heals, and check rolls dice. [Builtin] returns all three. Campaigns allow the first two
// unless their setup says otherwise. [New] makes a tool from a Go function whose arguments are a
// struct.
//
// Tools and sets of tools are immutable and safe for concurrent use.
package tool
