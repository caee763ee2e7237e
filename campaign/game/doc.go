// Package game is what authors give to campaigns. [Content] is everything that many campaigns
// share: books, rules, hooks, a card, tools, languages, the layout of prompts. [Compile] checks
// it once, reports all mistakes together, and returns a [Game], which is immutable and safe for
// concurrent use by any number of campaigns:
//
//	g, problems := game.Compile(game.Content{Books: books, Rules: rules})
//	if err := problems.Err(); err != nil {
//		…
//	}
//
// A problem that is not fatal leaves what it concerns without effect; what no turn of a
// campaign would ever use is reported too ([NotPlayed]).
//
// # Languages of replies
//
// A model asks for changes within its text in the languages of [Content.Dialects], in their
// order: variable commands ([Commands], [CommandLanguage]), marked passages ([ReplyRules]),
// directives such as [hp_potions: -1] ([Directives]), or a host's own [Dialect]. What a dialect
// understood is cut from what players see. [Narrator] does that while an answer comes in.
//
// The methods of [Game] are its compiled parts, for package turn and for tools of authors; what
// a line would lead to, and why, says [turn.Machine.Explain].
package game
