// Package authoring reads a game that an author wrote as a folder of YAML and JSON files.
//
//	game, problems := authoring.Load(os.DirFS("harbour"))
//	for _, p := range problems {
//		fmt.Println(p) // rules/doors.yaml:12:5: [3].trigger.type (door): unknown …
//	}
//	compiled, more := game.Compile()
//
// The command talewright in this module does the same for authors who do not write Go.
//
// A program whose game has tools or detectors in Go adds them to Content.Extensions before Compile.
// The command reports the names of such tools as unknown. Check such a game in a test in Go, with
// [Load], [Game.Compile] and [Game.Vet], and play [Game.Tests] with package campaigntest.
//
// # The folder
//
//	game.yaml            how a campaign begins, see [state.Setup], and the members below
//	books/*              world books in any format of package worldbook/format: json, yaml, yml,
//	                     lorebook, png, charx
//	cards/*              character cards: png, json, charx, yaml
//	rules/*              lists of rules, or objects with the lists variables, modules, rules, reactions
//	reactions/* hooks/* variables/* modules/*    lists of these
//	presets/*.json       presets of SillyTavern: chat, system prompt, instruct, context, master, and
//	                     regex scripts
//	tests/*.txt          scenarios, see package campaigntest
//
// Each folder of lists may also be one file, such as variables.yaml. Files may end in .yaml, .yml or
// .json; a game may have several files of a kind. Folders that package imports reads, with
// campaign.json, card.json, book.json and so on, are read too. Files whose names begin with a dot or
// an underscore, the folder schema, and pages such as README.md are ignored.
//
// The file game.yaml has the members of a setup and these:
//
//	card: cards/mara.png         the character that the model plays; one card needs no member
//	cast: [{card: cards/ann.json, character_id: ann, talkativeness: 0.5, muted: false}]
//	chat: true                   a talk with the character instead of a game
//	party: [mara]                selected.party_character_ids
//	goal: Find the bell.         goal.ultimate_goal_text
//	persona: A tired sailor.     the player, for prompts
//	user: Ann                    the value of {{user}}
//	texts: zh                    the language of the engine's sentences; default: the language of the content
//	books: {books/town.json: [chat]}   where a book is attached: global, character, chat, persona
//	dialog_types: [{id: tavern, blocks: [gm_persona, world], instructions: …}]
//	budget: {context: 8192, response: 1024}
//	trim_slack: 500
//	summarize_after: 30
//
// # Positions
//
// All mistakes of all files are reported at once. The path of a problem is the file, the line and the
// column, and then the path within the file; [Position] reads it. Lines and columns count from 1, and
// columns count characters. A mistake in the reading of one file or member makes that part inert. Only
// a folder without any readable file, or a broken game file, is a fatal problem.
//
// # YAML
//
// YAML and JSON files go through the same strict reader and give the same game. Values
// follow YAML 1.2. Where a text belongs, the characters of the scalar are the text: no, 1.10 and 2026-05-01
// stay as they are. Keys such as on and no, numbers with a leading zero, and other words that readers
// of YAML disagree about are problems. Aliases are followed up to 65,536 values.
//
// # Limits
//
// A card has at most 64 MB, any other file 32 MB, a folder 10,000 files, a value 200 levels. Links that
// leave the folder are refused. At most 1,000 problems of one file are listed.
//
// # Codes of problems
//
//   - syntax: the file is neither YAML nor JSON
//   - wrong_type, unknown_value, missing, out_of_range: a value that its member does not accept
//   - unknown_member: a member that nothing reads, with the name that was probably meant
//   - duplicate: a member that is given twice, or a file that replaces a different one
//   - yaml_trap: a value that readers of YAML understand in different ways
//   - unread_file: a file that nothing reads
//   - refused_file: a link that leaves the folder, or a file that is too large
//   - missing_file: a file that does not exist
//   - no_game: the folder has no file of a game
//   - bad_setup: no campaign can begin, because the parts of the setup do not fit together
//
// Other problems have the codes of the packages that read the content.
package authoring
