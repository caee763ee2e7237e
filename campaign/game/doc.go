// Package game holds the content of campaigns. [Content] is everything that many campaigns share:
// books, rules, hooks, a card, tools, languages, the layout of prompts. [Compile] checks it once,
// reports all mistakes together, and returns a [Game]. A Game is immutable and safe for concurrent
// use by any number of campaigns:
//
//	g, problems := game.Compile(game.Content{
//		Lore:  game.Lore{Books: books},
//		Rules: game.Rules{Rules: rules},
//	})
//	if err := problems.Err(); err != nil {
//		…
//	}
//
// A problem that is not fatal makes only the affected part of the content ineffective. Content that
// no turn of a campaign would use is also reported ("not_played").
//
// # Languages of replies
//
// A model asks for changes within its text. The languages are listed in [Rules.Dialects] and run in
// their order: variable commands ([Commands], [CommandLanguage]), marked passages ([ReplyRules]),
// directives such as [hp_potions: -1] ([Directives]), or a host's own [Dialect]. The passages that
// a dialect reads are cut from the text that players see. [Narrator] does this while an answer is
// streamed.
//
// The methods of [Game] return its compiled parts, for package turn and for tools of authors.
// [turn.Machine.Explain] reports the effects of a line and their causes.
//
// # Codes of problems
//
//   - bad_content: content that cannot be played
//   - not_played: content that no turn of a campaign uses
//   - template_not_played: an entry of templates that does not act
//   - template_bad: a template that does not compile
//   - template_needs: a template that needs what templates may not use, or a name that no text declares
//   - macro_not_played: a macro of RisuAI that prints nothing here
//   - late_activation: activewi where it runs after the scan
//   - unknown_entry, ambiguous_title: a title that getwi finds nowhere, or in a different entry first
//   - bad_initial: initial variables of templates that are not an object
//   - display_only: entries for the screen of SillyTavern
//   - unknown_decorator: a line @@name of lore without an effect
//   - card_summary: how much of a scripted card is played
//   - card_scripts: programs within a card
//   - card_regex: regex scripts of a card or a preset that are not in Scripts
//   - unknown_macro: a macro that stays in the text as written
//   - needs_retriever: lore to be found by meaning, without a search for it
//   - unknown_trigger: an entry for kinds of generation that do not exist
//   - missing_world: a lorebook that a card names but that is not attached
//   - wrong_variable: a text that reads variables of the wrong kind, or data that MVU keeps and the engine does not
package game
