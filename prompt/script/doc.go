// Package script runs regex scripts: the search-and-replace scripts that SillyTavern users keep in
// their settings, in presets and in cards. Such scripts hide blocks of variables, format a status
// text as a small page, or remove old passages from a prompt.
//
// # Use
//
//	global, problems := script.Parse(file)
//	set, more := script.Compile([]script.List{
//		{Source: script.Global, Scripts: global},
//		{Source: script.Character, Owner: "Orin", Scripts: card, Denied: !allowed},
//	}, script.Options{})
//	stored, report := set.Apply(reply, script.Where{Placement: script.AIOutput}, run)
//	shown, _ := set.Apply(stored, script.Where{Placement: script.AIOutput, ForDisplay: true, Depth: &zero}, run)
//
// [Parse] reads the files. [Compile] reports all mistakes at once and returns a [Set], which is
// immutable and safe for concurrent use. [Set.Apply] runs the scripts that match a text and reports
// what each of them did. [Set.Skipped] reports why other scripts did not run. The package uses no
// clock, no files and no random source of its own: macros, variables and random numbers come from
// the [macro.Run], whose trace records them. The same input gives the same bytes.
//
// # When scripts run
//
// A text has one kind, its [Placement], and one purpose. Stored texts (a player's line, a reply, a
// greeting, an edit) are changed permanently. Texts for display or for the prompt are made from the
// stored text each time. Scripts with neither Display nor Prompt change only stored texts; all
// others never change stored texts.
//
//	player's line sent         UserInput
//	reply received             AIOutput; its reasoning Reasoning
//	message edited             by its kind, Edit, Name of who speaks
//	message shown              by its kind, ForDisplay, Depth, Name
//	message in the prompt      UserInput or AIOutput, ForPrompt, Depth
//	activated lore             WorldInfo, ForPrompt, Depth of an entry at a depth
//	text of a slash command    SlashCommand
//
// Depth 0 is the newest message, -1 a message that is being continued. All global scripts run
// first, then the scripts of the preset, then the scripts of the character. Each works on the
// result of the one before. An empty text ends the run.
//
// # Authors and data
//
// A script is a text of an author or of the host. Its pattern may have macros ([MacroMode]). Its
// replacement and trim strings always may, expanded once for each match. The texts that scripts run
// on may have any origin. By default the text of a match is data, and its braces have no effect.
// With [Expand] the macros of players and models run, as in SillyTavern. A script can do no more
// than macros can. HTML in a result must be sanitized by the host.
//
// # Patterns and replacements
//
// A pattern is /body/flags, or only the body; only its first line counts. It is a regular
// expression of JavaScript (package internal/jsregex). In a replacement $1, $<name> and $0 or
// {{match}} are groups and the match; all digits after the dollar belong to the number. Everything
// else is plain text: $& and $$ stay.
//
// # Limits
//
// A search has a budget of steps that grows with the text. A result has at most [Options].MaxResult
// bytes, a pattern 64 KiB, the texts of one call 64 MiB in total. A script that exceeds a limit
// leaves the text unchanged, reverts the variables that its macros stored, and reports it in the
// [Report]; later scripts run. A host may leave out a script that keeps failing ([Set.Without]).
//
// # Decisions
//
// In some cases SillyTavern throws an error, reads a group that does not exist, or stores half a
// character. Here the script does nothing or inserts nothing, and [Compile] or the report has a
// problem. [Parse] converts old placements (0 and 4) for all scripts; SillyTavern does so only for
// global scripts. A reply is scripted once, on its final text.
//
// # Codes of problems
//
//   - bad_file: neither a script nor a list of scripts
//   - bad_type: a member of a wrong type
//   - bad_pattern: the pattern is invalid; the script changes nothing
//   - empty_find: no pattern; the script changes nothing
//   - no_name: no display name
//   - no_placement: matches no kind of text; never runs
//   - old_placement: a kind of text of old versions, converted
//   - unknown_group: $n or $<name> that the pattern does not have
//   - bad_depth: a depth that is not a number, or an empty range
//   - slow_pattern: the search may be aborted
//   - not_allowed: the list is denied; its scripts do not run
//   - limit: the search took too many steps
//   - too_long: the result is too long
//   - split_pair: the result has half of a character beyond U+FFFF
//   - macro_failed: a macro of the host panicked
package script
