package format

import (
	"bytes"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
)

// The lore files contain the code that all importers share. They check and read a file, read JSON
// with the paths of its values, and make entries as SillyTavern's importers do.

// withoutComments returns a copy of a text with blanks in place of its comments, so that every byte
// keeps its offset. found reports whether there is a comment. A comment that is not closed is kept.
func withoutComments(text []byte) (out []byte, found bool) {
	out = slices.Clone(text)
	for at := 0; at < len(out); {
		switch rest := out[at:]; {
		case rest[0] == '"':
			at = openjson.TextEnd(out, at)
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			loreBlank(rest[:end])
			found, at = true, at+end
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return out, found
			}
			loreBlank(rest[:end+4])
			found, at = true, at+end+4
		default:
			at++
		}
	}
	return out, found
}

func loreBlank(text []byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
