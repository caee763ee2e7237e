// Package script runs regex scripts: the search-and-replace scripts that SillyTavern
// users keep in their settings, in presets and in cards. They hide blocks of
// variables, turn a status text into a small page, cut old passages out of a prompt.
//
// # Use
//
//	global, problems := script.Decode(file)
//	set, more := script.Compile([]script.List{
//		{Source: script.Global, Scripts: global},
//		{Source: script.Character, Owner: "Orin", Scripts: card, Denied: !allowed},
//	}, script.Options{})
//	stored, report := set.Apply(reply, script.Where{Placement: script.AIOutput}, run)
//	shown, _ := set.Apply(stored, script.Where{Placement: script.AIOutput, ForDisplay: true, Depth: &zero}, run)
//
// [Decode] reads the files, [Compile] finds all mistakes at once and gives a [Set],
// which is immutable and safe for concurrent use. [Set.Apply] runs the scripts that
// fit a text and says what each of them did; [Set.Skipped] says why others did not run.
// Nothing here reads a clock, a file or chance: macros, variables and random numbers
// come with the [macro.Run], whose trace records them. Same input, same bytes.
//
// # When scripts run
//
// A text is of one kind, its [Placement], and is made for one purpose. Stored texts
// (a player's line, a reply, a greeting, an edit) are changed for good; what is shown
// or prompted is made from the stored text each time. Scripts that are neither
// Display nor Prompt change stored texts only, all others never do.
//
//	player's line sent         UserInput
//	reply received             AIOutput; its reasoning Reasoning
//	message edited             by its kind, Edit, Name of who speaks
//	message shown              by its kind, ForDisplay, Depth, Name
//	message in the prompt      UserInput or AIOutput, ForPrompt, Depth
//	activated lore             WorldInfo, ForPrompt, Depth of an entry at a depth
//	text of a slash command    SlashCommand
//
// Depth 0 is the newest message; -1 is one that is being continued. All global scripts
// run first, then those of the preset, then those of the character, each on what the
// one before left. A text that has become empty ends it.
//
// # Whose text
//
// A script is the text of an author or of the host: its pattern may have macros
// ([MacroMode]), its replacement and its trim strings always do, expanded once for
// each match. The texts that scripts run on may come from anywhere. What a match has captured is
// data by default, its braces begin nothing; [Expand] does as the program does, which
// runs the macros of players and models. No script can do more than macros can. HTML in
// a result is for the host to clean.
//
// # Patterns and replacements
//
// A pattern is /body/flags, or the body alone, of which the first line counts; it is a
// regular expression of JavaScript (package internal/jsregex). In a replacement $1, $<name>
// and $0 or {{match}} are groups and the match; all digits behind the dollar are the
// number. Everything else is plain: $& and $$ stay.
//
// # Limits
//
// A search has a budget of steps that grows with the text, a result has at most
// [Options].MaxResult bytes, a pattern 64 KiB, the texts of one call 64 MiB together. A
// script that goes beyond one leaves the text as it was, undoes what its macros stored,
// and says so in the [Report]; later scripts run. A host may leave out one that keeps
// failing ([Set.Without]).
//
// # Decisions
//
// Where the program throws, reads what is no group, or stores half a sign, a script does
// nothing or inserts nothing, and a problem of [Compile] or the report tells. Old placements (0 and
// 4) are converted by [Decode] wherever a script comes from; the program does so for
// global ones alone. A reply is scripted once, on its final text.
package script
