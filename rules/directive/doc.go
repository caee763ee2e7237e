// Package directive reads what a model writes into its prose to change the game, such as
// "You find a purse. [gold: +100]", and leaves the prose.
//
// The forms, where an id is of letters of any script, digits and _ . $ -:
//
//	[hp: +5]  [hp: -10]  [hp: *2]           add, subtract, multiply
//	[x: set v]  [x: add v]  [x: subtract v]  [x: multiply v]  [x: append v]
//	[x: merge {…}]  [x: push v]  [x: delete v]
//	[x: toggle]
//	[x: v]                                  set
//
// A value is a JSON object or list, a quoted text, true, false, a number, or else the bare
// text up to the bracket, on one line; behind set, push and delete also null. So [hp: -10]
// subtracts, and [hp: set -10] assigns.
//
//	[audio: track play]  stop  crossfade 2  volume 0.3, each with chain:next
//
// is sound. A fenced block of code is taken as a whole if it holds nothing but objects like
// {"hp": "-5"}, and so is a block
// <UpdateVariable>…<JSONPatch>[…]</JSONPatch>…</UpdateVariable>.
// Blocks of thought such as <think>…</think>, and echoes of the state, are dropped unread.
//
// [ParseStrict] is for prompts that ask for a receipt, a line [updates: 3] with the number of
// updates: a batch in which anything is wrong is refused as a whole.
//
// Effects come out in the order of the text. What cannot be read is an [Error] with its
// place, for the model to see; it is never an error of the program.
package directive
