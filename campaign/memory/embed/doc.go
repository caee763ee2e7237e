// Package embed remembers campaigns by meaning: a server turns passages into vectors, and those
// that lie near the newest lines are found, whatever words they use.
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
// A [Memory] is asked like the lexical index of package campaign/memory, whose doc says what is
// found and what is not: nothing of turns that do not lead to the head, nothing that the viewer
// did not witness. [Memory.Lore] makes a worldbook.Retriever of the same vectors.
//
// # Servers
//
// An [Embedder] is anything that makes vectors of texts; the client of llm/openai speaks to all
// servers of the OpenAI embeddings dialect. A turn is one request, a query another. Texts that
// have a vector already are not sent again, also after a restart if there is a [Config.Folder]:
// vectors are kept by the model and the text.
//
// # Vectors
//
// They are kept and compared by github.com/philippgille/chromem-go, in the process, by cosine. A
// query looks at every vector of the campaign: 10,000 of 1,000 numbers take some 20 ms. The newest
// text of a query counts most, each older one a quarter of the one after it. Equal
// similarities are ordered by the index of the turn, the highest first, then by the ids.
//
// # Errors
//
// Failures of the server are those of the Embedder, wrapped: errors.AsType[*llm.Error] says
// whether a retry helps. [ErrVectors] is an answer that holds no usable vectors. A failed Remember
// has changed nothing that a query can see and may be repeated.
package embed
