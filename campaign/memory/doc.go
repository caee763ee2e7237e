// Package memory remembers what was said in long campaigns: a lexical index that finds the
// passages of old turns that belong to the newest lines.
//
// # A memory in one piece
//
//	var index memory.Index // the zero Index is empty and ready
//	err := index.Remember(ctx, "greyhaven", memory.Turn{
//		ID: "turn_0001", Index: 1, Player: "I ask for a key.", Text: "Orrin gives you the brass key.",
//	})
//	items, err := index.Recall(ctx, memory.Query{
//		Campaign: "greyhaven", Head: "turn_0001", Texts: []string{"Where is the brass key?"}, Limit: 600,
//	})
//
// A campaign does all that by itself where campaign.Config.Memory is an Index.
//
// It needs no model, no server and no vocabulary, and answers within a few milliseconds where
// ten thousand turns were played. It finds words, not meanings: "weapon" does not find a sword.
// The module campaign/memory/embed finds meanings, with a server of embeddings, and is asked in the
// same way. [Turn], [Query] and [Item] are plain values: a memory of your own takes and gives the same ones,
// and [Turn.Passages], [Turn.Hash] and [Lineage] do for it what they do here.
//
// # What is found
//
// A turn is remembered in passages of some sixty tokens, which end with sentences where
// they can: those of the player's line and the answer, and those of the summary, if one
// came with the turn. A passage is found by its terms. In scripts with blanks a term is a
// word, in any case and without a plural s; in Chinese, Japanese, Korean, Thai, Lao, Khmer and
// Burmese it is each pair of neighbouring characters, or a character that stands alone. Both
// may stand in one sentence.
//
// The score is BM25 (k1 1.2, b 0.75). All terms of an older text of a [Query] count half as much
// as those of the text after it. What scores less than a quarter of the best is left out, and of
// passages that say the same only the newest is given. Equal scores are ordered by the
// index of the turn, the highest first, then by the ids: the same turns and the same query
// give the same answer, whatever was remembered and replaced between.
//
// # What is not found
//
// Turns that do not lead to [Query.Head]: those of other branches, and those that were undone.
// They do not count either: an answer is as if nothing but the turns up to the head had ever been
// remembered. The same holds for turns that [Query.Viewer] did not witness, and for those from
// [Query.Before] on, which the prompt shows word for word.
//
// # Bounds
//
// Of a turn [MaxTurnBytes] are remembered, of a query [MaxQueryBytes] and 256 terms are read, an
// answer has at most [MaxItems] items. An Index keeps [Index.Passages] passages of a campaign,
// and forgets those of the oldest turns first; it keeps [Index.Campaigns] campaigns, and
// forgets the one that was not used for the longest time. A campaign that was forgotten is
// remembered again from its log: [Index.Seen] says what is there. Remembering a turn costs
// what is in the turn, not what is in the index.
//
// # Concurrency
//
// An Index is safe for concurrent use; queries of a campaign run beside each other. Nothing
// here reads a clock, a random source, a file or the net.
package memory
