// Package wording says what models are told in the language of their game.
//
// Packages write their sentences in English where they are needed, as formats. A [Table]
// has the same formats in another language. Codes, ids, operations and values are
// arguments and stay as they are: they are what a model has to write. [IsChinese] says which
// language a text is in, where nobody has chosen one.
package wording

import (
	"fmt"
	"slices"
)

// Languages are the names by which hosts choose a language. "" is the first.
var Languages = []string{"en", "zh"}

// Known reports whether there is a language of that name.
func Known(name string) bool { return name == "" || slices.Contains(Languages, name) }

// Noun is an argument of a sentence that is translated too, such as "a number".
type Noun string

// Table has, for each English format and [Noun], what another language says. What it lacks
// stays English; the nil Table is English. The verbs of a format and its translation are the
// same and stand in the same order, or carry indexes.
type Table map[string]string

// In returns the table of a language, nil for English: zh is the Chinese one.
func In(language string, zh Table) Table {
	if language == "zh" {
		return zh
	}
	return nil
}

// Say fills a format in. Arguments that are a [Noun], a [Phrase] or have a String method are
// translated, all others are not.
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

// Phrase is a sentence that is not said yet, because its language is known elsewhere.
// The zero Phrase says nothing.
type Phrase struct {
	Format string
	Args   []any
}

// Of makes a phrase.
func Of(format string, args ...any) Phrase { return Phrase{format, args} }

// In says the phrase in the language of a table.
func (p Phrase) In(t Table) string {
	if p.Format == "" {
		return ""
	}
	return t.Say(p.Format, p.Args...)
}
