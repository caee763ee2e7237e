// Package macro expands macros in texts: {{user}}, {{random::a::b}},
// {{if .hp}}…{{/if}}, with the meaning that they have in SillyTavern 1.19, so
// that content written for it works unchanged.
//
// # Use
//
// [Expand] is the short form. A build with many texts uses one [Run], which
// holds the variables, remembers card fields, and records every random number:
//
//	run := macro.NewRun(macro.Env{User: "Mara", Char: "Orin", Vars: state})
//	text := run.Expand("{{char}} nods at {{user}}.", macro.Full)
//	vars, written := run.Vars()
//
// Macros of a host are in a [Set]. A [Cache] compiles each text once.
//
// # Syntax
//
// A macro is {{name}}, with arguments {{name::a::b}}, or with a single one
// {{name: a}} and {{name a}}. It ends at the first }} that does not close a macro
// within, so }} cannot stand in an argument. Names and flags (! ? ~ > #) are read
// in any letter case and order. A scope {{name}}…{{/name}} is the last argument.
// {{// text}} is a comment. {{.hp}}, {{.hp += 5}}, {{$gold ?? 0}} read and write
// variables. <USER> and <CHAR> are old spellings of the names. \{ and \} are
// braces; {{trim}} goes with the newlines around it.
//
// What is no macro stays text. Unknown macros, wrong numbers of arguments and
// values that a macro cannot use leave it as written, with what is nested in it
// expanded, and are reported in the [Trace]. Nothing is an error, and nothing is
// ever expanded twice: the result of a macro is data.
//
// # Limits
//
// The cost is linear in the text. Macros nest 64 levels deep; a result has at
// most 1 MiB, all results of a run 16 MiB; counts go to 1000 and so do dice. What
// is beyond a limit stays as written and is reported. Fields and outlets that
// refer to themselves are empty there.
//
// # Decisions
//
// Comments always vanish, and an unknown macro with a closing tag keeps both
// tags; the program garbles the second and shows some of the first.
//
// pick uses a hash of our own. Its choice is stable for a chat, a text and a
// place in it, but not the one that the program would make.
//
// A missing variable is 0 in sums and in comparisons of order, as its language
// has it; in all other comparisons only a text equals a text.
//
// Branches of if are expanded only when chosen. All other arguments are expanded
// first, also those of a comment, since a macro cannot know who reads it.
//
// # The macros
//
// Names: user, char, group (charIfNotGroup), groupNotMuted, notChar. Card:
// description, personality, scenario, persona, charPrompt, charInstruction,
// charDepthPrompt, creatorNotes, charVersion, mesExamples, mesExamplesRaw,
// greeting, original. Text: newline, space, noop, trim, comment, banned, reverse,
// outlet. Control: if, else. Chance: random, pick, roll. Time: time, date,
// weekday, isotime, isodate, datetimeformat, timeDiff, idleDuration. Chat:
// lastMessage, lastUserMessage, lastCharMessage, lastMessageId, allChatRange,
// firstIncludedMessageId, lastSwipeId, currentSwipeId. Variables: setvar, getvar,
// addvar, incvar, decvar, hasvar, deletevar, setvarkey, getvarkey, each also with
// global (setglobalvar), and var for the host's document. Facts: turnCount,
// model, maxPrompt, maxContext, maxResponse, input, lastGenerationType.
package macro
