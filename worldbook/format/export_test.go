package format

import (
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
)

// ParseAs reads a file as one format, for tests that give any file to each reader.
func ParseAs(name Name) func(data []byte) (worldbook.Book, talewright.Problems) {
	r := readers[name]
	return func(data []byte) (worldbook.Book, talewright.Problems) { return loreRead(r.not, data, r.read) }
}
