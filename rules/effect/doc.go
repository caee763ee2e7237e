// Package effect has what shall happen in a game, as plain data: the closed union [Effect], of which
// each type stands in a file of its own with all that is known of it: its data and its names, its
// form in JSON and as authors write it, what parameters are filled into, which texts get into
// prompts, which event it is, and what it does to a [Target].
//
// Beside its data a type has the methods that mean something for it: fill (it has texts with
// parameters of events), plain (it may be known cheaply to read back as it is), asData (it brings
// texts to prompts), raised (it is an event as well), tooLarge (it holds values), apply (it changes
// the game; all others are the host's), authored (authors write it in another form).
//
// Package rules applies effects, with [Apply]; what it cannot do itself, and [Custom] effects, it
// hands to the host. Authors' actions are read by [Read] and written by [Write], in which nothing
// is an error; [Marshal] and [Unmarshal] are the strict form of records.
//
// It exports more than forty names, because there are that many things that can happen.
package effect
