package worldbook

import "strings"

// Code names a kind of problem, for programs.
type Code string

// Codes of the problems that [Compile] reports. [Compiled.Vet] and the importers
// have more.
const (
	CodeBadRegex          Code = "bad_regex"          // a key /…/ that is no valid regex
	CodeUnknownQuirk      Code = "unknown_quirk"      // in Settings.QuirksOff
	CodeUnknownDecorators Code = "unknown_decorators" // in Settings.Decorators
	CodeUnknownWordRule   Code = "unknown_word_rule"  // in Settings.WholeWords
	CodeUnknownDecorator  Code = "unknown_decorator"  // a Card V3 decorator
	CodeBadValue          Code = "bad_value"          // of a Card V3 decorator
	CodeStrayFallback     Code = "stray_fallback"     // @@@ behind no decorator
	CodeDuplicateName     Code = "duplicate_name"     // two different books of one name
	CodeDuplicate         Code = "duplicate"          // a decorator that is there twice
)

// Problem is a mistake in a book or in settings. Nothing but the place it names
// is affected: books always compile.
type Problem struct {
	Code Code `json:"code"`
	// Path is the place as a JSON path, for example
	// `main.entries[3].key[0]`, where main is the name of the book and 3 the
	// place of the entry in file order.
	Path string `json:"path"`
	// Message says what is wrong and what to do.
	Message string `json:"message"`
}

// Error implements error.
func (p Problem) Error() string {
	return "worldbook: " + p.Path + ": " + p.Message
}

// Problems is a list of problems as one error.
type Problems []Problem

// Error implements error: one line per problem.
func (list Problems) Error() string {
	lines := make([]string, len(list))
	for i, p := range list {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the list as an error, nil if it is empty.
func (list Problems) Err() error {
	if len(list) == 0 {
		return nil
	}
	return list
}
