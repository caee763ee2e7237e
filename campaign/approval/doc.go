// Package approval holds what people are asked before calls of a model count, and what
// they answer: the words between a campaign and whoever watches over it.
//
// A tool says whether people are asked about a call of it, see tool.Tool.Approval; the
// setting tools.approval says whether that counts:
//
//	off       nobody is asked
//	declared  people are asked where tools say so; the default
//	all       people are asked about every call
//
// They are asked last, when an output of the model has passed everything else, so that
// nobody approves what would be refused anyway. A [Question] lists the calls that wait, with
// what they would do; a [Decision] for each of them is given together. It approves the call,
// edits its arguments, or denies it, and then the model hears why and answers again, at most
// tools.max_denials times a turn.
//
// A question waits in the campaign, as [Pending], until somebody answers it: days later, in
// any process. Nothing has changed by then. Nobody has seen the text, unless the
// setting conflict.intercept_output is off: then provisional text stays on the screen until people have answered.
//
// Values are plain data; whoever holds one may share it, and does not change it.
package approval
