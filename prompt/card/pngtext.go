package card

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

// cardKeyword returns the keyword of a card chunk as this package spells it, ""
// for all other chunks.
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
		return nil, failAt(TooLarge, fmt.Sprintf("@%d", c.start), fmt.Sprintf("a text in the "+
			"picture unpacks to more than %d MiB. Do not trust this file", maxJSON/mib))
	}
	return unpacked, nil
}

// damagedText returns the error for a text chunk that breaks its format.
func damagedText(c pngChunk, cause error) *Error {
	return &Error{Code: Damaged, Path: fmt.Sprintf("@%d", c.start), Err: cause,
		Message: "the text in the picture cannot be unpacked. Export the card again"}
}

// assetPath returns the path of the file that a chunk of an older V3 card holds: its
// keyword is "chara-ext-asset_:" and the path.
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

// readChunked reads a file that a chunk of an older V3 card holds.
func (f *File) readChunked(path string) (content []byte, err error) {
	found, ok := f.chunks[path]
	if !ok {
		return nil, missing(path)
	}
	text, err := chunkText(found)
	if err != nil {
		return nil, err
	}
	content, err = decodeBase64(text)
	if err != nil {
		return nil, failAt(BadAsset, path, "the asset in the picture is not base64. "+
			"Export the card again")
	}
	return content, nil
}
