// Package embed recalls passages of campaigns by meaning. A server converts passages to vectors.
// Recall finds the passages whose vectors are near the newest lines, whatever words they use.
//
//	client, err := openai.New(openai.Config{BaseURL: "http://localhost:11434/v1"})
//	if err != nil {
//		return err
//	}
//	mem, err := embed.New(embed.Config{Embedder: client, Model: "bge-m3", Folder: "vectors"})
//	if err != nil {
//		return err
//	}
//	err = mem.Remember(ctx, "greyhaven", turn)
//	items, err := mem.Recall(ctx, query)
//
// A [Memory] has the same methods as the lexical index of package campaign/memory. The
// documentation of that package says what is found. Turns that do not lead to the head are not
// found, and neither are turns that the viewer did not witness. [Memory.Lore] makes a
// worldbook.Retriever from the same kind of vectors.
//
// # Servers
//
// An [Embedder] is anything that makes vectors from texts. The client of llm/openai supports all
// servers of the OpenAI embeddings dialect. Each turn needs one request, and each query one. Texts
// that already have a vector are not sent again, also after a restart if [Config.Folder] is set.
// Vectors are stored by model and text.
//
// # Vectors
//
// Vectors are kept and compared in the process, by cosine. A query compares every vector of the
// campaign: 10,000 vectors of 1,000 numbers take about 20 ms. The newest text of a query has the
// largest weight; each older one has a quarter of the weight of the next newer one. Results with
// equal similarity are ordered by the index of the turn, highest first, then by IDs.
//
// The folder has a file of JSON lines for each campaign. It is a cache: a line that cannot be read
// costs one request.
//
// # Errors
//
// Errors of the server are wrapped errors of the Embedder: errors.AsType[*llm.Error] finds out
// whether a retry helps. [ErrVectors] means an answer without usable vectors. A failed Remember
// changes nothing that a query can see, and may be repeated.
package embed
