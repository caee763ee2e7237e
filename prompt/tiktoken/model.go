package tiktoken

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownModel is the error of [ForModel] for a name without a known
// encoding.
var ErrUnknownModel = errors.New("no encoding known for model")

// models are the names of OpenAI's models and what they count in. A longer name
// goes before its beginning.
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
	{"gpt-35", "cl100k_base"}, // as Azure writes it
	{"text-embedding-3", "cl100k_base"},
	{"text-embedding-ada-002", "cl100k_base"},
	{"davinci-002", "cl100k_base"},
	{"babbage-002", "cl100k_base"},
}

// ForModel returns the counter for a model of OpenAI by the name that is used in
// requests, case ignored. The rules, in order:
//
//   - the vendor of a router's name ("openai/gpt-4o") and the mark of a tuned
//     model ("ft:gpt-4o:studio::id") are dropped;
//   - the name is one of the table, or begins with one that is followed by "-",
//     ":" or "@" ("gpt-4o-2024-08-06"), the longest one counting;
//   - gpt-5 has minor versions as well ("gpt-5.1").
//
// Everything else, models of others and retired ones, is [ErrUnknownModel]:
// count by estimate, or name the encoding in [New].
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
