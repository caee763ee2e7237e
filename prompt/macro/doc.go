// Package macro expands macros in texts: {{user}}, {{random::a::b}},
// {{if .hp}}…{{/if}}, with the meaning that they have in SillyTavern 1.19, so
// that content written for it works unchanged.
//
// # Use
//
// [Expand] is the short form. A build with many texts uses one [Run]. The Run has the variables,
// caches card fields, and records every random number:
//
//	run := macro.NewRun(macro.Env{User: "Mara", Char: "Orin", Vars: state})
//	text := run.Expand("{{char}} nods at {{user}}.", macro.Full)
//	vars, written := run.Vars()
//
// Macros of a host are in a [Set]. A [Cache] compiles each text once.
//
// # Authors and data
//
// [Expand], and [Run.Expand] in mode [Full], are for texts of an author or the host. Such texts may
// store variables, draw numbers and read the document of the host. Expand text of a player or a
// model in mode [Names] or not at all. If such text is in an outlet, mark it Literal; if it is a
// card or a persona, set its mode in [Env]. Any other mode expands nothing.
//
// The values that macros insert are always data: names, messages, input, variables, values of the
// document and of hosts. They are never expanded. They cannot open, close or separate anything, and
// they cannot be the operator or the name in a condition.
//
// # Syntax
//
// A macro is {{name}}, with arguments {{name::a::b}}, or with one argument {{name: a}} or {{name
// a}}. It ends at the first }} that does not close a nested macro, so an argument cannot contain
// }}. Names and flags (! ? ~ > #) may be in any letter case and order. A scope {{name}}…{{/name}}
// is the last argument. {{// text}} is a comment. {{.hp}}, {{.hp += 5}}, {{$gold ?? 0}} read and
// write variables. <USER> and <CHAR> are old spellings of the names. \{ and \} are braces. {{trim}}
// also removes the newlines around it. White space is the white space of JavaScript, including
// full-width blanks. Text between a name and the next white space, separator, bar or brace is
// skipped: {{user's}} is {{user}}.
//
// Arguments are trimmed as written, before nested macros are expanded: {{reverse::{{space}}a}} has
// a blank. Scopes and values of expressions are trimmed after expansion.
//
// Text that is not a macro stays text. Unknown macros, wrong numbers of arguments and values that a
// macro cannot use stay as written, with nested macros expanded, and are reported in the [Trace].
// Expansion never fails. Nothing is expanded twice: the result of a macro is data.
//
// # The language of RisuAI
//
// With [Env].CBS, texts are in the curly-brace language of RisuAI, in which some names mean
// something else: {{getvar}} of a missing variable is "null". See [CBS].
//
// # Limits
//
// The cost is linear in the text. Macros nest up to 64 levels. A result has at most 1 MiB, all
// results of a run have 16 MiB. Counts and numbers of dice are at most 1000. A macro that exceeds a
// limit stays as written and is reported. A field or outlet that refers to itself is empty there. A
// time pattern has at most 1024 bytes, and a list that a macro writes has at most 1000 elements.
//
// # Decisions
//
// Comments always vanish, and an unknown macro with a closing tag keeps both tags. SillyTavern
// shows some comments and garbles such tags.
//
// pick uses our own hash. Its choice is stable for a chat, a text and a position in it, but differs
// from SillyTavern's choice.
//
// {{trim}} in an argument or a variable takes effect when the whole text is known. After the run it
// is plain text: a value that a host stores and loads is data.
//
// setvarkey changes lists and objects, or creates one. A variable with any other value keeps it,
// and the call is reported. Members keep their order.
//
// A variable that counts as a number is shown as a number. For example, true is 1, false and null
// are 0, 007 is 7, and a list of one number is that number. {{var::path}} shows values unchanged.
//
// A missing variable is 0 in sums and in comparisons of order, as in SillyTavern. In all other
// comparisons, only a text equals a text.
//
// If a condition begins with a macro, the macro's value is used as a text, not as a name. In
// SillyTavern {{if {{lastMessage}}}} reads a variable if the message is ".hp".
//
// Branches of if are expanded only when chosen. An incomplete if stays as written, its arguments
// too. All other arguments are expanded first, also the arguments of a comment, because a macro
// cannot know which macro uses its value.
//
// # The macros
//
// In the tables, a bar separates aliases, and an argument with a question mark is optional. Names:
//
//	user, char            the player, the speaking character
//	group|charIfNotGroup  all members; without a group the character
//	groupNotMuted         the members who speak
//	notChar               the members who speak, without the character; without a group the player
//
// Card, its fields expanded and trimmed:
//
//	description|charDescription, personality|charPersonality,
//	scenario|charScenario, persona, charPrompt, charInstruction,
//	charDepthPrompt, creatorNotes|charCreatorNotes
//	charVersion|version|char_version
//	mesExamplesRaw        the examples as written
//	mesExamples           with separators instead of <START>
//	greeting::n?          greeting n, 0 is the first message (charFirstMessage)
//	original              the text that this text replaces, once
//
// Text:
//
//	newline::n?, space::n?   n times, once without a number
//	noop, // text|comment    nothing; banned::x too
//	hidden_key::x         nothing, or x while a world book is scanned, see [Env].Scanning
//	trim                     nothing; also removes the newlines around it
//	reverse::x               the characters in reverse order
//	outlet::name             lore placed by name
//
// Control. A condition is false if it is empty, false, off or 0. An exclamation mark inverts it.
// .name and $name mean variables, the bare name of a macro means its value. Only the chosen branch
// is expanded:
//
//	if cond … else … /if     and as one tag: if::cond::text
//
// Chance, from the source of the environment:
//
//	random::a::b…         one of the items, drawn again each time
//	pick::a::b…           one of them, always the same for a chat and a position
//	roll::2d6+1           dice; a bare number n is 1dn
//
// Time, on the clock of the environment:
//
//	time, date, weekday, isotime, isodate
//	time::UTC±n           the time with this offset from Greenwich
//	datetimeformat::F     see [FormatTime]
//	timeDiff::a::b        "in 2 hours", "a day ago": a relative to b; reads the formats of
//	                      the macros above, with the clock of the environment
//	idleDuration|idle     since the player's last message
//
// Chat. Texts of messages are not expanded:
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
// Stores of TavernHelper, see [Env].Stores. S is message, chat, character, preset or global. The
// form is exact. The path has the syntax of lodash and is not trimmed. A missing value is null.
// Members whose name begins with $ are left out:
//
//	get_S_variable::path     the text, or compact JSON
//	format_S_variable::path  the text, or YAML, indented to the column of the macro
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
//	systemPrompt             the card's if it is preferred
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
// SillyTavern does not know var, turnCount, hidden_key (of Character Card V3) and the name idle; it
// leaves them as text.
package macro
