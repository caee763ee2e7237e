// Package memory finds what was said long ago in long campaigns: the passages of old turns that
// belong to the newest lines. [Index] finds them by their words, [Vectors] by their meaning.
//
// # A short example
//
//	var index memory.Index // the zero Index is empty and ready
//	err := index.Remember(ctx, "greyhaven", memory.Turn{
//		ID: "turn_0001", Index: 1, Player: "I ask for a key.", Text: "Orrin gives you the brass key.",
//	})
//	items, err := index.Recall(ctx, memory.Query{
//		Campaign: "greyhaven", Head: "turn_0001", Texts: []string{"Where is the brass key?"}, Limit: 600,
//	})
//
// A campaign does all this automatically if campaign.Services.Memory is an Index.
//
// The index needs no model, no server and no vocabulary, and answers within a few milliseconds
// after ten thousand turns. It finds words, not meanings: "weapon" does not find a sword. [Turn],
// [Query] and [Item] are plain values for memories of any kind. Your own memory can also use
// [Turn.Passages], [Turn.Hash] and [Lineage].
//
// # Meanings
//
// [Vectors] need an [Embedder], which is anything that makes vectors from texts. The client of
// llm/openai supports all servers of the OpenAI embeddings dialect.
//
//	client, err := openai.New(openai.Config{BaseURL: "http://localhost:11434/v1"})
//	if err != nil {
//		return err
//	}
//	mem, err := memory.OpenVectors(memory.VectorConfig{Embedder: client, Model: "bge-m3", Folder: "vectors"})
//	if err != nil {
//		return err
//	}
//	err = mem.Remember(ctx, "greyhaven", turn)
//	items, err := mem.Recall(ctx, query)
//
// Each turn needs one request, and each query one. Texts that already have a vector are not sent
// again, also after a restart if [VectorConfig.Folder] is set. Vectors are kept and compared in the
// process, by cosine. A query compares every vector of the campaign: 10,000 vectors of 1,000
// numbers take about 20 ms. The newest text of a query has the largest weight; each older one has a
// quarter of the weight of the next newer one. Results with equal similarity are ordered by the
// index of the turn, highest first, then by IDs. [Vectors.Lore] makes a worldbook.Retriever from
// the same kind of vectors.
//
// The folder has a file of JSON lines for each campaign. It is a cache: a line that cannot be read
// costs one request.
//
// # What an Index finds
//
// A turn is stored in passages of about sixty tokens, which end with sentences if possible. There
// are passages of the player's line and the answer, and of the summary if the turn has one. A
// passage is found by its terms. In scripts with spaces a term is a word, without regard to case
// and plural s. In Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese it is each pair of
// neighbouring characters, or a single isolated character. One sentence may contain both.
//
// The score is BM25 (k1 1.2, b 0.75). All terms of an older text of a [Query] together count half
// as much as the terms of the next newer text. Passages with less than a quarter of the best score
// are left out. Of passages with the same text only the newest is returned. Equal scores are
// ordered by the index of the turn, the highest first, then by the IDs. The same turns and the same
// query give the same answer, independent of what was added and replaced in between.
//
// # What is not found
//
// Turns that do not lead to [Query.Head] are not found: turns of other branches, and turns that
// were undone. They do not affect the scores either: the answer is the same as if only the turns up
// to the head had been added. Turns that [Query.Viewer] or one of [Query.Hearers] did not
// witness are treated in the same way. So are the turns from [Query.Before] on, which the prompt shows word for word.
//
// # Limits
//
// The index stores 256 KiB of a turn. It reads 16 KiB and 256 terms of a query. An answer has at
// most [MaxItems] items. An Index keeps [Index.Passages] passages of a campaign, and removes the
// passages of the oldest turns first. It keeps [Index.Campaigns] campaigns, and removes the least
// recently used one. A removed campaign is added again from its log: [Index.Has] reports which
// turns are present. The cost of adding a turn depends on the turn, not on the size of the index.
//
// # Errors
//
// [ErrTooManyTurns] belongs to an Index. Errors of an embedder are wrapped: errors.AsType[*llm.Error]
// finds out whether a retry helps. [ErrVectors] means an answer without usable vectors. A failed
// Remember changes nothing that a query can see, and may be repeated.
//
// # Concurrency
//
// Index and Vectors are safe for concurrent use. Queries of the same campaign run in parallel. This
// package reads no clock and no random source. An Index reads no file and no network. Vectors read
// their folder and ask their Embedder.
package memory
