// Package effect describes what shall happen in a game, as plain data: the closed union [Effect].
// Package rules applies effects with [Apply]. Effects that it cannot apply itself, and [Custom]
// effects, go to the host. [Parse] reads actions of authors and never fails. [Write] writes them.
// [Marshal] and [Unmarshal] are the strict form of records.
//
// The package exports more than forty names, because that many things can happen.
package effect
