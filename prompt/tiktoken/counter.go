package tiktoken

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
	"github.com/tiktoken-go/tokenizer"
)

// ErrUnknownEncoding is returned by [New] for a name that is not in [Encodings].
var ErrUnknownEncoding = errors.New("unknown encoding")

// Counter counts tokens in one vocabulary. It implements prompt.TokenCounter.
//
// Create it with [New] or [ForModel]. It is safe for concurrent use; share it.
type Counter struct {
	codec  tokenizer.Codec
	blanks func() blankLines // nil if the library's cuts are correct
}

// encodings are the vocabularies, newest first, each with the pattern that cuts a text into pieces.
// Only vocabularies that separate line ends from other white space have a pattern here, see
// [blankLines].
var encodings = []struct{ name, cut string }{
	{"o200k_base", `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` +
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*` +
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`},
	{"cl100k_base", `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`},
	{"p50k_edit", ""},
	{"p50k_base", ""},
	{"r50k_base", ""},
}

// Encodings returns the names that [New] accepts, newest first. They are o200k_base (GPT-4o and
// later), cl100k_base (GPT-4, GPT-3.5), p50k_edit, p50k_base and r50k_base (GPT-3, GPT-2 and the
// free models with its vocabulary).
func Encodings() []string {
	names := make([]string, len(encodings))
	for i, e := range encodings {
		names[i] = e.name
	}
	return names
}

// New returns the counter of an encoding. The error is [ErrUnknownEncoding].
func New(encoding string) (*Counter, error) {
	for _, e := range encodings {
		if e.name != encoding {
			continue
		}
		codec, err := tokenizer.Get(tokenizer.Encoding(encoding))
		if err != nil {
			return nil, fmt.Errorf("tiktoken: encoding %q: %w", encoding, err)
		}
		c := &Counter{codec: codec}
		if e.cut != "" {
			c.blanks = sync.OnceValue(func() blankLines { return newBlankLines(codec, e.cut) })
		}
		return c, nil
	}
	return nil, fmt.Errorf("tiktoken: %w %q: it is one of %s",
		ErrUnknownEncoding, encoding, strings.Join(Encodings(), ", "))
}

// Encoding returns the name of the vocabulary.
func (c *Counter) Encoding() string { return c.codec.GetName() }

// Count returns the number of tokens of text, 0 for the empty text. Time is n log n in the worst
// case.
//
// If a program sets regexp2.DefaultMatchTimeout, the limit also applies to the patterns here. A
// text that exceeds it counts one token for each byte, which is never too few.
func (c *Counter) Count(text string) int {
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // each wrong byte becomes U+FFFD
	}
	if strings.IndexByte(text, 0x7f) >= 0 {
		text = strings.ReplaceAll(text, "\x7f", standIn)
	}
	if c.blanks != nil && hasBlankLine(text) {
		return c.blanks().count(text)
	}
	return count(c.codec, text)
}

// standIn is counted instead of U+007F, which the library's cuts leave out. It is of the same kind
// for all patterns, and like U+007F it is not part of a longer token.
const standIn = "\x1e"

// count counts with the library. On an error it returns the number of bytes.
func count(codec tokenizer.Codec, text string) int {
	n, err := codec.Count(text)
	if err != nil {
		return len(text)
	}
	return n
}

// hasBlankLine reports whether the text has only blanks between two line ends.
func hasBlankLine(text string) bool {
	for {
		at := strings.IndexAny(text, "\r\n")
		if at < 0 {
			return false
		}
		text = text[at+1:]
		rest := strings.TrimLeftFunc(text, isBlank)
		if len(rest) < len(text) && rest != "" && isLineEnd(rune(rest[0])) {
			return true
		}
		text = rest
	}
}

func isBlank(r rune) bool { return unicode.IsSpace(r) && !isLineEnd(r) }

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

// compile compiles a pattern for the interpreter. The group prevents the use of the library's
// generated code for the same pattern.
func compile(pattern string) *regexp2.Regexp {
	return regexp2.MustCompile("(?:"+pattern+")", regexp2.None)
}
