// Package imports begins campaigns with what other programs wrote: character cards, worlds
// and role-play configurations, each with its lore, as the author exported them; and with a
// folder of such files beside files of our own, see [Folder].
//
//	start, err := imports.Card(file, imports.Options{ID: "first", Player: "Mara"})
//	game, problems := game.Compile(start.Content)
//	err = engine.Create(ctx, start.Setup)
//
// The engine's own sentences, such as headings and reasons of refusals, are in the language of the
// content: Chinese or English, see Options.Texts.
//
// What was written for the MVU framework begins with its variables, see [Start.AddBook].
//
// What is returned is plain data, to be changed at will before it is compiled: tools,
// a persona and a budget are added to the content, further characters and a map to the setup.
// [Start.Problems] says what of the file is not played.
//
// Files come from strangers. Their readers keep the bounds that they name (package
// prompt/card, reactions, worldbook/format), and what is made of them here is
// linear in what was read. Everything is pure and safe for concurrent use.
package imports
