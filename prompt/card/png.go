package card

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/talewright/talewright"
)

// pngSignature starts every PNG file.
const pngSignature = "\x89PNG\r\n\x1a\n"

// The keywords of card chunks, in any letter case.
const (
	keywordV3    = "ccv3"             // V3, preferred
	keywordV2    = "chara"            // V1 and V2
	keywordAsset = "chara-ext-asset_" // a file of an older V3 card
)

// chunkOverhead is what a chunk has around its data: length, type, checksum.
const chunkOverhead = 12

// pngChunk is one chunk of a PNG. Its slices point into the file.
type pngChunk struct {
	start int    // offset in the file
	kind  string // four letters
	data  []byte
	raw   []byte // the whole chunk
}

// end returns the offset behind the chunk.
func (c pngChunk) end() int { return c.start + len(c.raw) }

// goodCRC reports whether the checksum, which covers type and data, is right.
func (c pngChunk) goodCRC() bool {
	stored := binary.BigEndian.Uint32(c.raw[len(c.raw)-4:])
	return crc32.ChecksumIEEE(c.raw[4:len(c.raw)-4]) == stored
}

// eachChunk calls visit for every chunk in turn, IEND included, until visit
// returns false, and reports whether IEND was reached. What stands behind IEND
// is not looked at.
func eachChunk(file []byte, visit func(pngChunk) bool) (complete bool, err error) {
	if !bytes.HasPrefix(file, []byte(pngSignature)) {
		return false, fail(NotPNG, "this is not a PNG picture. If it is a card in another form, "+
			"choose that form; pictures that were saved as JPEG or WebP have lost their card")
	}
	for at := len(pngSignature); at < len(file); {
		// Compared without adding to the length, which may be close to 2^32.
		rest := file[at:]
		if len(rest) < chunkOverhead ||
			uint64(binary.BigEndian.Uint32(rest)) > uint64(len(rest)-chunkOverhead) {
			return false, failAt(Truncated, fmt.Sprintf("@%d", at), "the PNG ends in the middle "+
				"of a chunk. Download it again, completely")
		}
		n := int(binary.BigEndian.Uint32(rest))
		if n > maxChunk {
			return false, failAt(TooLarge, fmt.Sprintf("@%d", at), fmt.Sprintf("a part of the PNG "+
				"has %d bytes; at most %d MiB are read. Use a smaller picture", n, maxChunk/mib))
		}
		c := pngChunk{
			start: at,
			kind:  string(rest[4:8]),
			data:  rest[8 : 8+n],
			raw:   rest[:n+chunkOverhead],
		}
		if !visit(c) || c.kind == "IEND" {
			return c.kind == "IEND", nil
		}
		at = c.end()
	}
	return false, nil
}

// DecodePNG reads the card in the text chunks of a PNG.
//
// The first chunk with the keyword ccv3 counts; without one, or if it cannot be
// read (problem [BadChunk]), the first one with chara. Keywords compare without
// letter case, chunks of the types tEXt, zTXt and iTXt are read, before the
// image data or after it, and the content decides about the version. The text is
// base64 of JSON, with line breaks, without padding or in the URL alphabet if
// need be; plain JSON is taken too (problem [NotBase64]). A wrong checksum, of
// any chunk, is the problem [BadCRC], a missing end chunk [NoIEND].
//
// Errors: [NotPNG], [Truncated], [NoCard], [TooLarge], [Damaged] for a
// compressed text that cannot be unpacked, and those of [DecodeJSON].
func DecodePNG(data []byte) (Card, talewright.Problems, error) {
	f, err := openPNG(data)
	if err != nil {
		return Card{}, nil, err
	}
	return f.Card, f.Problems, nil
}

func openPNG(data []byte) (*File, error) {
	f := &File{Format: PNG, data: data, chunks: map[string]pngChunk{}}
	// The whole file is walked before a chunk is read: the preferred one may
	// stand behind the other, and a file that is cut off is refused as such.
	var r report
	var v3, v2 pngChunk
	complete, err := eachChunk(data, func(c pngChunk) bool {
		if !r.full() && !c.goodCRC() {
			r.add(BadCRC, fmt.Sprintf("@%d", c.start), fmt.Sprintf("the checksum of the %q chunk "+
				"is wrong; read nevertheless", c.kind))
		}
		switch keyword := cardKeyword(c); {
		case keyword == keywordV3 && v3.raw == nil:
			v3 = c
		case keyword == keywordV2 && v2.raw == nil:
			v2 = c
		}
		if path, ok := assetPath(c); ok && f.chunks[path].raw == nil {
			f.chunks[path] = c
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	if !complete {
		r.add(NoIEND, fmt.Sprintf("@%d", len(data)), "the PNG has no end chunk; read nevertheless")
	}
	if v3.raw == nil && v2.raw == nil {
		return nil, fail(NoCard, "this picture holds no character card. Take the original file: "+
			"chats and picture sites often remove the card from it")
	}
	if v3.raw != nil {
		if err = f.readChunk(v3, keywordV3, &r); err == nil {
			return f, nil
		}
		if v2.raw == nil {
			return nil, err
		}
		r.add(BadChunk, fmt.Sprintf("@%d", v3.start), "the ccv3 chunk cannot be read; "+
			"the chara chunk was used: "+err.Error())
	}
	if err = f.readChunk(v2, keywordV2, &r); err != nil {
		return nil, err
	}
	return f, nil
}

// readChunk reads the card of one chunk into f, with the problems of the
// container so far in front of the card's own.
func (f *File) readChunk(c pngChunk, keyword string, container *report) error {
	text, err := chunkText(c)
	if err != nil {
		return err
	}
	r := report{problems: slices.Clone(container.problems)}
	content := trimStart(text)
	if len(content) > 0 && content[0] == '{' {
		r.add(NotBase64, fmt.Sprintf("@%d", c.start), "the card in the picture is plain JSON, "+
			"not base64; read nevertheless")
	} else if content, err = decodeCardText(text); err != nil {
		return err
	}
	card, problems, err := DecodeJSON(content)
	if err != nil {
		return err
	}
	r.addAll(problems)
	f.Card, f.Problems, f.Source = card, r.problems, keyword
	return nil
}
