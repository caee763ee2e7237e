package card

import (
	"fmt"

	"github.com/talewright/talewright/internal/openjson"
)

// The limits that keep hostile files within fixed memory.
const (
	maxJSON        = 16 << 20  // bytes of card JSON, also after decompression
	maxChunk       = 64 << 20  // bytes of one PNG chunk
	maxFiles       = 10_000    // files in an archive
	maxUnpacked    = 512 << 20 // bytes of all files of an archive together
	maxValues      = 1 << 20   // JSON values in a card
	maxDepth       = 512       // levels of JSON nesting
	maxBookEntries = 50_000    // lorebook entries that are read into fields
)

const mib = 1 << 20

// checkShape refuses JSON that is too long, too deep or has too many values. It runs before the
// JSON decoder, because the decoder's memory depends more on the number of values than on the
// number of bytes. The decoder checks whether the text is JSON.
func checkShape(data []byte) error {
	if len(data) > maxJSON {
		return fail(codeTooLarge, fmt.Sprintf("the card has %d bytes of JSON; at most %d MiB "+
			"are read. Remove embedded pictures from its fields", len(data), maxJSON/mib))
	}
	values, depth := 1, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = openjson.TextEnd(data, i) - 1
		case ',':
			values++
		case '{', '[':
			values++
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxDepth {
			return failAt(codeTooDeep, fmt.Sprintf("@%d", i), fmt.Sprintf("the JSON is nested "+
				"more than %d levels deep. No program writes such cards; do not trust it",
				maxDepth))
		}
	}
	if values > maxValues {
		return fail(codeTooLarge, fmt.Sprintf("the card has %d JSON values; at most %d are read. "+
			"Split its lorebook into separate files", values, maxValues))
	}
	return nil
}
