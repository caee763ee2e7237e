// Package wording translates sentences to the language of a game.
//
// Packages write sentences for models as English formats in the code. A [Table] has the same formats
// in a different language. Codes, ids, operations and values are arguments and are not translated,
// because a model must write them exactly. If no language was chosen, [IsChinese] detects the
// language of a text.
//
// Sentences for authors are stored and logged in English. A [Translator] translates them afterwards.
package wording

import (
	"fmt"
	"slices"
)

// Languages are the language names that hosts can choose. "" means the first.
var Languages = []string{"en", "zh"}

// Known reports whether a language name is valid.
func Known(name string) bool { return name == "" || slices.Contains(Languages, name) }

// Noun is an argument of a sentence that is translated too, such as "a number".
type Noun string

// Table maps each English format and [Noun] to its translation. A missing text stays English; the
// nil Table is English. A format and its translation have the same verbs in the same order, or
// their verbs have indexes.
type Table map[string]string

// In returns the table of a language, nil for English: zh is the Chinese table.
func In(language string, zh Table) Table {
	if language == "zh" {
		return zh
	}
	return nil
}

// Say fills in a format. Arguments that are a [Noun], a [Phrase] or have a String method are
// translated; other arguments are not.
func (t Table) Say(format string, args ...any) string {
	translated := make([]any, len(args))
	for i, arg := range args {
		switch a := arg.(type) {
		case Noun:
			arg = t.word(string(a))
		case Phrase:
			arg = a.In(t)
		case fmt.Stringer:
			arg = t.word(a.String())
		}
		translated[i] = arg
	}
	return fmt.Sprintf(t.word(format), translated...)
}

func (t Table) word(english string) string {
	if there, ok := t[english]; ok {
		return there
	}
	return english
}

// Phrase is a sentence that is translated later, where its language is known. The zero Phrase is
// empty.
type Phrase struct {
	Format string
	Args   []any
}

// Of makes a phrase.
func Of(format string, args ...any) Phrase { return Phrase{format, args} }

// In returns the phrase in the language of a table.
func (p Phrase) In(t Table) string {
	if p.Format == "" {
		return ""
	}
	return t.Say(p.Format, p.Args...)
}
