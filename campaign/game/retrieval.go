package game

// Retrieval asks for lore by meaning before each scan: the answer of a
// [worldbook.Retriever] to the newest Depth messages, at most Limit entries, which are
// active then without a key. A Limit of 0 asks nothing; a Depth of 0 means 4.
type Retrieval struct {
	Depth int
	Limit int
}
