package openjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// File returns the JSON text of a file that a person wrote or saved. It removes the byte order mark
// that some editors write at the beginning. The error gives the line, and the byte in that line,
// where the text is not JSON, or says how the file must be saved.
func File(data []byte) (json.RawMessage, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, errors.New("the file is UTF-16: save it as UTF-8")
	}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("the file is empty")
	}
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			before := text[:min(int(syntax.Offset), len(text))]
			line := bytes.Count(before[:max(len(before)-1, 0)], []byte("\n"))
			column := len(before) - 1 - bytes.LastIndexByte(before[:max(len(before)-1, 0)], '\n')
			return nil, fmt.Errorf("line %d, byte %d: %w", line+1, column, err)
		}
		return nil, err
	}
	return text, nil
}

// Lenient returns a copy of a text that is not valid JSON, with blanks in place of mistakes that
// people make in JSON: comments (// to the end of the line, and /* … */), and a comma after the last
// element of a list or the last member of an object. Every byte keeps its offset. mended says in words
// what it replaced, or is empty. A comment that is not closed is kept.
func Lenient(text []byte) (out []byte, mended string) {
	out = slices.Clone(text)
	comments, commas := false, false
	last, before := 0, 0 // the indexes of the last two bytes that are neither white space nor in a comment
	for at := 0; at < len(out); {
		switch rest := out[at:]; {
		case rest[0] == '"':
			at = TextEnd(out, at)
			before, last = last, at-1
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			blank(rest[:end])
			comments, at = true, at+end
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return out, lenientWords(comments, commas)
			}
			blank(rest[:end+4])
			comments, at = true, at+end+4
		default:
			if (rest[0] == '}' || rest[0] == ']') && out[last] == ',' && !bytes.ContainsAny(out[before:before+1], "{[,") {
				out[last], commas = ' ', true
			}
			if rest[0] > ' ' {
				before, last = last, at
			}
			at++
		}
	}
	return out, lenientWords(comments, commas)
}

func lenientWords(comments, commas bool) string {
	switch {
	case comments && commas:
		return "comments, and commas before closing brackets"
	case comments:
		return "comments"
	case commas:
		return "commas before closing brackets"
	}
	return ""
}

func blank(text []byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
