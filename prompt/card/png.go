package card

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// pngSignature starts every PNG file.
const pngSignature = "\x89PNG\r\n\x1a\n"

// The keywords of card chunks, in any letter case.
const (
	keywordV3    = "ccv3"             // V3, preferred
	keywordV2    = "chara"            // V1 and V2
	keywordAsset = "chara-ext-asset_" // a file of an older V3 card
)

// chunkOverhead is the size of a chunk without its data: length, type, checksum.
const chunkOverhead = 12

// pngChunk is one chunk of a PNG. Its slices point into the file.
type pngChunk struct {
	start int    // offset in the file
	kind  string // four letters
	data  []byte
	raw   []byte // the whole chunk
}

// end returns the offset after the chunk.
func (c pngChunk) end() int { return c.start + len(c.raw) }

// goodCRC reports whether the checksum of type and data is correct.
func (c pngChunk) goodCRC() bool {
	stored := binary.BigEndian.Uint32(c.raw[len(c.raw)-4:])
	return crc32.ChecksumIEEE(c.raw[4:len(c.raw)-4]) == stored
}

// eachChunk calls visit for every chunk in order, IEND included, until visit returns false. It
// reports whether IEND was reached. Bytes after IEND are ignored.
func eachChunk(file []byte, visit func(pngChunk) bool) (complete bool, err error) {
	if !bytes.HasPrefix(file, []byte(pngSignature)) {
		return false, fail(codeNotPNG, "this is not a PNG picture. If it is a card in a different form, "+
			"choose that form; pictures that were saved as JPEG or WebP have lost their card")
	}
	for at := len(pngSignature); at < len(file); {
		// The length may be close to 2^32, so nothing is added to it.
		rest := file[at:]
		if len(rest) < chunkOverhead ||
			uint64(binary.BigEndian.Uint32(rest)) > uint64(len(rest)-chunkOverhead) {
			return false, failAt(codeTruncated, fmt.Sprintf("@%d", at), "the PNG ends in the middle "+
				"of a chunk. Download it again, completely")
		}
		n := int(binary.BigEndian.Uint32(rest))
		if n > maxChunk {
			return false, failAt(codeTooLarge, fmt.Sprintf("@%d", at), fmt.Sprintf("a part of the PNG "+
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

// cardKeyword returns the keyword of a card chunk in the spelling of this package, or "" for other
// chunks.
func cardKeyword(c pngChunk) string {
	if c.kind != "tEXt" && c.kind != "zTXt" && c.kind != "iTXt" {
		return ""
	}
	keyword, _, ok := bytes.Cut(c.data, []byte{0})
	switch {
	case !ok:
	case bytes.EqualFold(keyword, []byte(keywordV3)):
		return keywordV3
	case bytes.EqualFold(keyword, []byte(keywordV2)):
		return keywordV2
	}
	return ""
}

// chunkText returns the text of a text chunk of any of the three types.
//
//	tEXt  keyword 0 text
//	zTXt  keyword 0 method(0) deflated text
//	iTXt  keyword 0 compressed(0/1) method(0) language 0 translated keyword 0 text
func chunkText(c pngChunk) ([]byte, error) {
	_, text, _ := bytes.Cut(c.data, []byte{0})
	compressed := false
	switch c.kind {
	case "zTXt":
		if len(text) < 1 || text[0] != 0 {
			return nil, damagedText(c, nil)
		}
		compressed, text = true, text[1:]
	case "iTXt":
		if len(text) < 2 || text[0] > 1 || text[1] != 0 {
			return nil, damagedText(c, nil)
		}
		compressed = text[0] == 1
		fields := bytes.SplitN(text[2:], []byte{0}, 3)
		if len(fields) < 3 {
			return nil, damagedText(c, nil)
		}
		text = fields[2]
	}
	if !compressed {
		return text, nil
	}
	z, err := zlib.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, damagedText(c, err)
	}
	unpacked, err := io.ReadAll(io.LimitReader(z, maxJSON+1))
	if err != nil {
		return nil, damagedText(c, err)
	}
	if len(unpacked) > maxJSON {
		return nil, failAt(codeTooLarge, fmt.Sprintf("@%d", c.start), fmt.Sprintf("a text in the "+
			"picture unpacks to more than %d MiB. Do not trust this file", maxJSON/mib))
	}
	return unpacked, nil
}

// damagedText returns the error for a text chunk that breaks its format.
func damagedText(c pngChunk, cause error) *Error {
	return &Error{Code: codeDamaged, Path: fmt.Sprintf("@%d", c.start), Err: cause,
		Message: "the text in the picture cannot be unpacked. Export the card again"}
}

// assetPath returns the path of the file in a chunk of an older V3 card. The keyword is
// "chara-ext-asset_:" and the path.
func assetPath(c pngChunk) (path string, ok bool) {
	if c.kind != "tEXt" && c.kind != "zTXt" && c.kind != "iTXt" {
		return "", false
	}
	keyword, _, _ := bytes.Cut(c.data, []byte{0})
	prefix, name, ok := bytes.Cut(keyword, []byte{':'})
	if !ok || !bytes.EqualFold(prefix, []byte(keywordAsset)) {
		return "", false
	}
	return string(name), true
}

// decodeBase64 reads base64 with or without padding, of either alphabet, with blanks and line
// breaks anywhere.
func decodeBase64(text []byte) ([]byte, error) {
	// Nearly all cards have the standard form, which needs no copy.
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	if n, err := base64.StdEncoding.Decode(out, text); err == nil {
		return out[:n], nil
	}
	plain := make([]byte, 0, len(text))
	for _, b := range text {
		switch b {
		case ' ', '\t', '\r', '\n':
		case '-':
			plain = append(plain, '+')
		case '_':
			plain = append(plain, '/')
		default:
			plain = append(plain, b)
		}
	}
	plain = bytes.TrimRight(plain, "=")
	out = make([]byte, base64.RawStdEncoding.DecodedLen(len(plain)))
	n, err := base64.RawStdEncoding.Decode(out, plain)
	return out[:n], err
}

// decodeCardText is decodeBase64 for a card. It checks the size before it allocates memory. Line
// breaks add a few percent, so the limit is loose here; decodeJSON applies the exact limit.
func decodeCardText(text []byte) ([]byte, error) {
	if len(text) > 2*maxJSON {
		return nil, fail(codeTooLarge, fmt.Sprintf("the card in the picture is larger than %d MiB. "+
			"Remove embedded pictures from its fields", maxJSON/mib))
	}
	content, err := decodeBase64(text)
	if err != nil {
		return nil, failWith(codeBadJSON, "the card in the picture is neither base64 nor JSON. "+
			"Export it again from the program that made it", err)
	}
	return content, nil
}
