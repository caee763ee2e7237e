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
// # Whose text
//
// [Expand], and [Run.Expand] in mode [Full], are for texts that an author or the host
// wrote: they may store variables, draw numbers and read the document of the host.
// Text of a player or a model is expanded in mode [Names] or not at all; a piece of
// it in an outlet is Literal, a card or a persona of it has a mode of its own in
// [Env]. No other mode but these two expands anything.
//
// What macros insert is data, wherever it comes from: names, messages, input,
// variables, values of the document and of hosts. It is never expanded, it opens,
// closes and separates nothing, and it is no condition's operator or name.
//
// # Syntax
//
// A macro is {{name}}, with arguments {{name::a::b}}, or with a single one
// {{name: a}} and {{name a}}. It ends at the first }} that does not close a macro
// within, so }} cannot stand in an argument. Names and flags (! ? ~ > #) are read
// in any letter case and order. A scope {{name}}…{{/name}} is the last argument.
// {{// text}} is a comment. {{.hp}}, {{.hp += 5}}, {{$gold ?? 0}} read and write
// variables. <USER> and <CHAR> are old spellings of the names. \{ and \} are
// braces; {{trim}} goes with the newlines around it. White space is that of
// JavaScript, full-width blanks included. What stands between a name and the next
// white space, separator, bar or brace is passed over: {{user's}} is {{user}}.
//
// Arguments are trimmed as they are written, before what is nested in them is
// expanded: {{reverse::{{space}}a}} has a blank. Scopes and values of expressions
// are trimmed afterwards.
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
// refer to themselves are empty there. A pattern of a time has at most 1024 bytes, a
// list that a macro writes 1000 elements.
//
// # Decisions
//
// Comments always vanish, and an unknown macro with a closing tag keeps both
// tags; the program garbles the second and shows some of the first.
//
// pick uses a hash of our own. Its choice is stable for a chat, a text and a
// place in it, but not the one that the program would make.
//
// {{trim}} waits in an argument or a variable until the whole text is known. When the
// run ends it is a text, and stays one: what a host stores and brings back is data.
//
// setvarkey changes lists and objects, or begins one; a variable that holds anything
// else keeps it, and the call is reported. Members keep their order.
//
// Where a variable counts as a number it is shown as one: true is 1, false and null are 0, 007
// is 7, and a list of one number is that number. {{var::path}} shows values as they are.
//
// A missing variable is 0 in sums and in comparisons of order, as its language
// has it; in all other comparisons only a text equals a text.
//
// A condition that begins with a macro is that macro's value and no name: in the
// program {{if {{lastMessage}}}} looks for a variable if the message reads ".hp".
//
// Branches of if are expanded only when chosen. An if that is not complete stays as written,
// its arguments too. All other arguments are expanded
// first, also those of a comment, since a macro cannot know who reads it.
//
// # The macros
//
// Alternatives are divided by a bar; an argument with a question mark may be
// missing. Names:
//
//	user, char            the player, the speaking character
//	group|charIfNotGroup  all members; without a group the character
//	groupNotMuted         those of them who speak
//	notChar               those who speak but the character; without a group the player
//
// Card, its fields expanded and trimmed:
//
//	description|charDescription, personality|charPersonality,
//	scenario|charScenario, persona, charPrompt, charInstruction,
//	charDepthPrompt, creatorNotes|charCreatorNotes
//	charVersion|version|char_version
//	mesExamplesRaw        the examples as written
//	mesExamples           with separators in the place of <START>
//	greeting::n?          greeting n, 0 is the first message (charFirstMessage)
//	original              the text that this one replaces, once
//
// Text:
//
//	newline::n?, space::n?   so many, 1 without a number
//	noop, // text|comment    nothing; banned::x likewise
//	hidden_key::x         nothing, but x where a world book is searched, see [Env].Scanning
//	trim                     nothing, and the newlines around it go too
//	reverse::x               the characters from the end
//	outlet::name             lore that is placed by name
//
// Control. A condition is false if it is empty, false, off or 0; an exclamation
// mark inverts it; .name and $name stand for variables, the bare name of a macro
// for its value. Only the chosen branch is expanded:
//
//	if cond … else … /if     and as one tag: if::cond::text
//
// Chance, from the source of the environment:
//
//	random::a::b…         one of the items, anew each time
//	pick::a::b…           one of them, always the same in a chat and a place
//	roll::2d6+1           dice; a bare number n is 1dn
//
// Time, on the clock of the environment:
//
//	time, date, weekday, isotime, isodate
//	time::UTC±n           the time that far from Greenwich
//	datetimeformat::F     see [FormatTime]
//	timeDiff::a::b        "in 2 hours", "a day ago": a as seen from b; what the macros
//	                      above write is read, on the clock of the environment
//	idleDuration|idle     since the player's last message
//
// Chat. Texts of messages come as they are, unexpanded:
//
//	lastMessage, lastUserMessage, lastCharMessage
//	lastMessageId, allChatRange, firstIncludedMessageId
//	lastSwipeId, currentSwipeId
//
// Variables, of the chat, or of all chats with "global" inside (setglobalvar):
//
//	setvar::n::v, getvar::n, hasvar::n|varexists, deletevar::n|flushvar
//	addvar::n::v          adds numbers, joins texts, appends to lists
//	incvar::n, decvar::n  count and give the new value
//	setvarkey::n::k::v|setvarindex, getvarkey::n::k|getvarindex
//	.n  .n++  .n--  .n = v  .n += v  .n -= v      with a dot, or $ for global
//	.n ?? v  .n || v  .n ??= v  .n ||= v          if missing, if false
//	.n == v  !=  >  >=  <  <=                     true or false
//	var::path::default?   a value of the host's document, read only
//
// Facts of the host:
//
//	turnCount, model, input, lastGenerationType
//	maxPrompt|maxPromptTokens, maxContext|maxContextTokens
//	maxResponse|maxResponseTokens
//	hasExtension::name, isMobile   true or false
//	firstDisplayedMessageId
//
// Settings and the texts of the instruct template, see [Instruct]:
//
//	systemPrompt             that of the card if it is preferred
//	defaultSystemPrompt|instructSystem|instructSystemPrompt
//	exampleSeparator|chatSeparator, chatStart
//	instructInput|instructUserPrefix, instructUserSuffix
//	instructOutput|instructAssistantPrefix
//	instructSeparator|instructAssistantSuffix
//	instructSystemPrefix, instructSystemSuffix, instructSystemInstructionPrefix
//	instructFirstInput|instructFirstUserPrefix, and Last likewise
//	instructFirstOutput|instructFirstOutputPrefix|instructFirstAssistantPrefix,
//	and Last likewise
//	instructStoryStringPrefix, instructStoryStringSuffix
//	instructUserFiller, instructStop
//	reasoningPrefix, reasoningSuffix, reasoningSeparator
//
// var, turnCount, hidden_key (of Character Card V3) and the name idle are unknown to the
// program, which leaves them as text.
package macro
