package card

import (
	"archive/zip"

	"github.com/talewright/talewright"
)

// Format is the kind of a card file.
type Format string

// The three kinds of card files.
const (
	JSON  Format = "json"
	PNG   Format = "png"
	CHARX Format = "charx"
)

// File is an opened card file. It reads from the bytes given to [Open], which must not change while
// the File is used. It is safe for concurrent use.
type File struct {
	Card     Card
	Problems talewright.Problems
	Format   Format
	// Source is the part of the container in which the card was found: "ccv3" or "chara" in a PNG,
	// "card.json" in a CHARX, empty for JSON.
	Source string

	data    []byte
	chunks  map[string]pngChunk // PNG only: files of older cards, by path
	archive *zip.Reader         // CHARX only
	places  map[string]int      // in the archive, by name
}
