package card

import (
	"bytes"
	"encoding/base64"
	"fmt"
)

// decodeBase64 reads base64 with or without padding, of either alphabet, with
// blanks and line breaks anywhere.
func decodeBase64(text []byte) ([]byte, error) {
	// Nearly all cards are in the standard form, which needs no copy.
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

// decodeCardText is decodeBase64 for a card, whose size is bounded before any
// memory is taken. Line breaks may add a few percent, for which the bound is
// kept loose here; DecodeJSON keeps it exactly.
func decodeCardText(text []byte) ([]byte, error) {
	if len(text) > 2*maxJSON {
		return nil, fail(TooLarge, fmt.Sprintf("the card in the picture is larger than %d MiB. "+
			"Remove embedded pictures from its fields", maxJSON/mib))
	}
	content, err := decodeBase64(text)
	if err != nil {
		return nil, failWith(BadJSON, "the card in the picture is neither base64 nor JSON. "+
			"Export it again from the program that made it", err)
	}
	return content, nil
}
