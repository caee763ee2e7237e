package card

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// WritePNG returns the picture with the card in it, twice: as chara in V2 form and as ccv3 in V3
// form, directly before the end chunk. Both contain all fields, so that readers of either form lose
// nothing.
//
// All chunks with these two keywords are replaced, in any letter case and of any type. All other
// chunks and the bytes after the end chunk stay byte for byte. A missing end chunk is added. The
// picture may be any PNG, with or without a card.
//
// Errors: "not_png", "truncated" for a damaged picture, the errors of [Encode], and "too_large" and
// "too_deep" for a picture or card that could not be read again.
func WritePNG(picture []byte, c Card) ([]byte, error) {
	v2, err := encodeBounded(c, V2)
	if err != nil {
		return nil, err
	}
	v3, err := encodeBounded(c, V3)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(picture)+2*(len(v2)+len(v3)))
	out = append(out, pngSignature...)
	end := len(picture)
	complete, err := eachChunk(picture, func(c pngChunk) bool {
		switch {
		case c.kind == "IEND":
			end = c.start
		case cardKeyword(c) == "":
			out = append(out, c.raw...)
		}
		return true
	})
	if e, cut := errors.AsType[*Error](err); cut && e.Code == codeTruncated {
		return nil, failAt(codeTruncated, e.Path, "the picture is damaged here. Take the original picture, or save the card as JSON")
	}
	if err != nil {
		return nil, err
	}
	out = appendTextChunk(out, keywordV2, v2)
	out = appendTextChunk(out, keywordV3, v3)
	if !complete {
		return appendChunk(out, "IEND", nil), nil
	}
	return append(out, picture[end:]...), nil
}

// encodeBounded is Encode, but it refuses a card that could not be read again.
func encodeBounded(c Card, spec Spec) ([]byte, error) {
	text, err := Encode(c, spec, EncodeOptions{})
	if err != nil {
		return nil, err
	}
	if err = checkShape(text); err != nil {
		return nil, err
	}
	return text, nil
}

// appendTextChunk appends a tEXt chunk with the base64 of text.
func appendTextChunk(out []byte, keyword string, text []byte) []byte {
	data := append([]byte(keyword), 0)
	return appendChunk(out, "tEXt", base64.StdEncoding.AppendEncode(data, text))
}

func appendChunk(out []byte, kind string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	start := len(out)
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}
