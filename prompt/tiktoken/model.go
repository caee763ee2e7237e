package tiktoken

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownModel is returned by [ForModel] for a name without a known encoding.
var ErrUnknownModel = errors.New("no encoding known for model")

// models are the names of OpenAI's models and their encodings. A longer name comes before its
// prefixes.
var models = []struct{ name, encoding string }{
	{"chatgpt-4o", "o200k_base"},
	{"gpt-oss", "o200k_base"}, // o200k_harmony, which differs in special tokens
	{"gpt-5", "o200k_base"},
	{"gpt-4.5", "o200k_base"},
	{"gpt-4.1", "o200k_base"},
	{"gpt-4o", "o200k_base"},
	{"o4", "o200k_base"},
	{"o3", "o200k_base"},
	{"o1", "o200k_base"},
	{"gpt-4", "cl100k_base"},
	{"gpt-3.5", "cl100k_base"},
	{"gpt-35", "cl100k_base"}, // Azure's spelling
	{"text-embedding-3", "cl100k_base"},
	{"text-embedding-ada-002", "cl100k_base"},
	{"davinci-002", "cl100k_base"},
	{"babbage-002", "cl100k_base"},
}

// ForModel returns the counter for an OpenAI model by the name used in requests, ignoring case. The
// rules, in order:
//
//   - the vendor in a router's name ("openai/gpt-4o") and the mark of a tuned model
//     ("ft:gpt-4o:studio::id") are dropped;
//   - the name is in the table, or begins with a name of the table followed by "-", ":" or "@"
//     ("gpt-4o-2024-08-06"); the longest such name is used;
//   - gpt-5 also has minor versions ("gpt-5.1").
//
// All other names, such as models of other vendors and retired models, give [ErrUnknownModel]: use
// an estimate, or pass the encoding to [New].
func ForModel(name string) (*Counter, error) {
	short := strings.TrimPrefix(strings.ToLower(name), "openai/")
	short = strings.TrimPrefix(short, "ft:")
	for _, m := range models {
		rest, ok := strings.CutPrefix(short, m.name)
		if ok && (rest == "" || strings.ContainsRune("-:@", rune(rest[0])) ||
			m.name == "gpt-5" && rest[0] == '.') {
			return New(m.encoding)
		}
	}
	return nil, fmt.Errorf("tiktoken: %w %q: name one of %s in New, or count by estimate",
		ErrUnknownModel, name, strings.Join(Encodings(), ", "))
}
