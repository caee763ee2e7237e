package wire

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Servers send text as JSON strings, and cut it between bytes or between the halves of a surrogate
// pair. encoding/json would replace both parts of such a character. So this file unquotes strings
// and keeps lone surrogates, each as the three bytes that UTF-8 would give it. A RuneJoiner joins the
// parts.

// Unquote returns the bytes of a JSON string literal that encoding/json has accepted.
func Unquote(literal []byte) ([]byte, error) {
	if len(literal) < 2 || literal[0] != '"' {
		return nil, errors.New("not a JSON string")
	}
	return appendUnquoted(make([]byte, 0, len(literal)-2), literal), nil
}

func appendUnquoted(out, literal []byte) []byte {
	in := literal[1 : len(literal)-1]
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' {
			out = append(out, in[i])
			continue
		}
		i++
		switch in[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			unit, _ := strconv.ParseUint(string(in[i+1:i+5]), 16, 32) // valid by contract
			out = appendUnit(out, rune(unit))
			i += 4
		default: // a quotation mark, a slash or a backslash
			out = append(out, in[i])
		}
	}
	return out
}

// appendUnit appends a UTF-16 code unit, a surrogate as three bytes.
func appendUnit(out []byte, unit rune) []byte {
	if unit < 0xD800 || unit > 0xDFFF {
		return utf8.AppendRune(out, unit)
	}
	return append(out, 0xED, 0x80|byte(unit>>6&0x3F), 0x80|byte(unit&0x3F))
}

// RuneJoiner converts pieces of text to valid UTF-8. It holds the beginning of a character back until
// the rest arrives. The zero value is ready to use.
type RuneJoiner struct {
	held    []byte
	scratch []byte // for literals with escapes
}

// PushJSON is Push for a JSON string; null and absent are an empty piece. Any other value is
// malformed.
func (s *RuneJoiner) PushJSON(literal Value) (string, error) {
	switch {
	case literal.Null():
		return "", nil
	case literal[0] != '"':
		return "", Malformed(literal, errors.New("the text is neither a string nor null"))
	}
	if len(s.held) == 0 && bytes.IndexByte(literal, '\\') < 0 {
		return s.Push(literal[1 : len(literal)-1]), nil
	}
	s.scratch = appendUnquoted(s.scratch[:0], literal)
	piece := s.Push(s.scratch)
	if cap(s.scratch) > maxScratch {
		s.scratch = nil
	}
	return piece, nil
}

// maxScratch is the largest buffer that is kept for the next literal.
const maxScratch = 64 << 10

// Push adds the next piece and returns the characters that are complete. Invalid bytes are replaced
// by U+FFFD.
func (s *RuneJoiner) Push(piece []byte) string {
	if len(s.held) == 0 && utf8.Valid(piece) {
		return string(piece)
	}
	in := slices.Concat(s.held, piece)
	s.held = nil
	var out strings.Builder
	for len(in) > 0 {
		r, size := nextRune(in)
		if size == 0 {
			s.held = in
			break
		}
		out.WriteRune(r)
		in = in[size:]
	}
	return out.String()
}

// PushText is [RuneJoiner.Push] for a text. It does not copy a complete text.
func (s *RuneJoiner) PushText(piece string) string {
	if len(s.held) == 0 && utf8.ValidString(piece) {
		return piece
	}
	return s.Push([]byte(piece))
}

// End returns the rest after the last piece: a replacement character if an incomplete character was
// held back.
func (s *RuneJoiner) End() string {
	if len(s.held) == 0 {
		return ""
	}
	s.held = nil
	return string(utf8.RuneError)
}

// nextRune decodes the first character of in, which is not empty. Size 0 means that more bytes are
// needed.
func nextRune(in []byte) (r rune, size int) {
	high, ok := surrogate(in)
	switch {
	case ok && high == 0: // two bytes of three
		return 0, 0
	case ok && high >= 0xDC00: // the second half without the first
		return utf8.RuneError, 3
	case ok:
		// The first half: the next three bytes decide, if they have arrived.
		low, ok := surrogate(in[3:])
		switch {
		case len(in) == 3, len(in) == 4 && in[3] == 0xED, ok && low == 0:
			return 0, 0
		case ok && low >= 0xDC00:
			return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00), 6
		}
		return utf8.RuneError, 3
	case !utf8.FullRune(in):
		return 0, 0
	}
	return utf8.DecodeRune(in)
}

// surrogate reads a surrogate from its three bytes. With only two of the three it returns 0 and
// true.
func surrogate(in []byte) (unit rune, ok bool) {
	switch {
	case len(in) < 2 || in[0] != 0xED || in[1] < 0xA0 || in[1] > 0xBF:
		return 0, false
	case len(in) == 2:
		return 0, true
	case in[2]&0xC0 != 0x80:
		return 0, false
	}
	return 0xD000 | rune(in[1]&0x3F)<<6 | rune(in[2]&0x3F), true
}
