package talewright

import (
	"cmp"
	"encoding"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/wording"
)

// Problem is one mistake, or possible mistake, in content that a person wrote: a book, a rule, a
// hook, a card, a preset, a setting.
//
// Every package that reads or compiles content reports its mistakes as Problems, all of them at
// once. A Problem is a value and safe to copy.
type Problem struct {
	// Path is the place: a JSON path into the content ("rules[3].trigger"). For content that is not
	// JSON it is a line ("4") or a byte offset ("@120"). An empty Path means the whole content.
	Path string `json:"path,omitempty"`
	// ID is the ID of the rule, entry, hook or variable concerned, for display. It is empty if that
	// part has no ID.
	ID string `json:"id,omitempty"`
	// Code names the kind of problem, for programs. Each package exports its codes.
	Code Code `json:"code,omitempty"`
	// Severity says how serious the problem is.
	Severity Severity `json:"severity"`
	// Text describes the mistake, its consequence, and the correct form.
	Text string `json:"text"`
}

// Code names a kind of [Problem], such as "unknown_operator". Codes are compared exactly and do not
// change between versions.
type Code string

// Severity says how serious a [Problem] is.
type Severity int

// The severities, from least to most serious. The zero value is [Error].
const (
	// Warning: a possible mistake. The content runs as it is written.
	Warning Severity = iota - 1
	// Error: the part concerned is left out, or has the documented meaning of such a mistake.
	// Everything else works.
	Error
	// Fatal: the content cannot be used at all.
	Fatal
)

var severityNames = [...]string{"warning", "error", "fatal"}

// String returns "warning", "error" or "fatal".
func (s Severity) String() string {
	if i := int(s - Warning); i >= 0 && i < len(severityNames) {
		return severityNames[i]
	}
	return "Severity(" + strconv.Itoa(int(s)) + ")"
}

// MarshalText returns "warning", "error" or "fatal". For any other value it returns the number. It
// never fails.
func (s Severity) MarshalText() ([]byte, error) {
	if s < Warning || s > Fatal {
		return strconv.AppendInt(nil, int64(s), 10), nil
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	if i := slices.Index(severityNames[:], string(text)); i >= 0 {
		*s = Warning + Severity(i)
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return fmt.Errorf("talewright: %q is not a severity: want warning, error or fatal", text)
	}
	*s = Severity(n)
	return nil
}

var (
	_ encoding.TextMarshaler   = Severity(0)
	_ encoding.TextUnmarshaler = (*Severity)(nil)
)

// String returns path, ID and text on one line: "rules[3].trigger (door): unknown event …".
func (p Problem) String() string {
	switch {
	case p.Path == "" && p.ID == "":
		return p.Text
	case p.Path == "":
		return p.ID + ": " + p.Text
	case p.ID == "":
		return p.Path + ": " + p.Text
	}
	return p.Path + " (" + p.ID + "): " + p.Text
}

// Problems are all problems found in some content. Each package documents their order, usually the
// order of their paths. The order is stable.
//
// Problems implements error, so that [errors.As] finds the list in a wrapping error. A list is an
// error only if one of its problems is [Fatal]. Use [Problems.Err] and never return a list as an
// error directly.
type Problems []Problem

// Err returns the list as an error if one of its problems is [Fatal], else nil.
func (ps Problems) Err() error {
	for _, p := range ps {
		if p.Severity == Fatal {
			return ps
		}
	}
	return nil
}

// Error returns the problems, one per line.
func (ps Problems) Error() string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// Of returns the problems with the given code, in their order.
func (ps Problems) Of(code Code) Problems {
	var of Problems
	for _, p := range ps {
		if p.Code == code {
			of = append(of, p)
		}
	}
	return of
}

// AtLeast returns the problems of the given severity or a higher one, in their order.
// AtLeast(Error) returns the list without warnings.
func (ps Problems) AtLeast(least Severity) Problems {
	var of Problems
	for _, p := range ps {
		if p.Severity >= least {
			of = append(of, p)
		}
	}
	return of
}

// Grouped returns a shorter list for display. Problems that differ only in their IDs and in the
// indices of their paths form a group. Grouped keeps the first problem of each group and appends
// the number of the others to its text: "entries[3].content: the entry adds nothing (and 11 more
// like it)".
func (ps Problems) Grouped() Problems {
	var grouped Problems
	at, more := map[Problem]int{}, []int(nil)
	for _, p := range ps {
		alike := p
		alike.Path, alike.ID = withoutIndices(p.Path), ""
		if i, seen := at[alike]; seen {
			more[i]++
			continue
		}
		at[alike] = len(grouped)
		grouped, more = append(grouped, p), append(more, 0)
	}
	for i, n := range more {
		if n > 0 {
			grouped[i].Text += fmt.Sprintf(" (and %d more like it)", n)
		}
	}
	return grouped
}

// Translated returns a copy of the list with its texts in a language: "zh" is Chinese. Paths, IDs,
// codes, and the names and values in texts stay as they are. The texts of other languages, and texts
// that no table has, stay English. A program that stores or compares problems keeps the list itself.
//
// A host has its own words in the tables own, or its own language. A key of a table is an English
// text as the source writes it, with the verbs of package fmt: "nothing reads %q; %s". The value is
// the translation, with the same verbs; they have indexes such as %[2]s if their order is different.
// The first table that has a text counts. The file internal/wording/problems.zh.txt of this module
// lists all English texts.
func (ps Problems) Translated(language string, own ...map[string]string) Problems {
	translator := wording.For(language, own...)
	translated, known := slices.Clone(ps), map[string]string{}
	for i, p := range translated {
		text, ok := known[p.Text]
		if !ok {
			text = translator.In(p.Text)
			known[p.Text] = text
		}
		translated[i].Text = text
	}
	return translated
}

// summaryLines is the number of lines of a summary.
const summaryLines = 5

// Summary returns at most five lines for a person who loads content, one for each kind of problem:
// "template_needs: 12 in 4 places, first books.town.entries[3].content (Inn): …". The worst kinds
// come first, then the most frequent ones. Problems are of one kind if their codes are equal and
// their texts differ only in numbers. If there are more than five kinds, the last line counts the
// problems of the others and lists their codes.
//
// [Problems.Translated] translates the texts to the language.
func (ps Problems) Summary(language string) []string {
	type kind struct {
		first  Problem
		count  int
		places map[string]bool
	}
	var kinds []*kind
	at := map[[2]string]*kind{}
	for _, p := range ps {
		key := [2]string{string(p.Code), strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, p.Text)}
		k := at[key]
		if k == nil {
			k = &kind{first: p, places: map[string]bool{}}
			at[key], kinds = k, append(kinds, k)
		}
		k.count++
		k.places[p.Path] = true
	}
	slices.SortStableFunc(kinds, func(a, b *kind) int {
		return cmp.Or(cmp.Compare(b.first.Severity, a.first.Severity), cmp.Compare(b.count, a.count))
	})
	var codes []string
	rest := 0
	if len(kinds) > summaryLines {
		for _, k := range kinds[summaryLines-1:] {
			if rest += k.count; !slices.Contains(codes, string(k.first.Code)) {
				codes = append(codes, string(k.first.Code))
			}
		}
		kinds = kinds[:summaryLines-1]
	}
	firsts := make(Problems, len(kinds))
	for i, k := range kinds {
		firsts[i] = k.first
	}
	translator := wording.For(language)
	var lines []string
	for i, p := range firsts.Translated(language) {
		line := string(p.Code) + ": "
		if k := kinds[i]; k.count > 1 {
			line += translator.In(fmt.Sprintf("%d in %d places, first ", k.count, len(k.places)))
		}
		lines = append(lines, line+p.String())
	}
	if rest > 0 {
		lines = append(lines, translator.In(fmt.Sprintf("and %d more: %s", rest, strings.Join(codes, ", "))))
	}
	return lines
}

// withoutIndices returns the path without its indices: "rules[3].keys[0]" becomes "rules[].keys[]".
func withoutIndices(path string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(path, '[')
		if open < 0 {
			b.WriteString(path)
			return b.String()
		}
		rest := strings.TrimLeft(path[open+1:], "0123456789")
		b.WriteString(path[:open+1])
		path = rest
	}
}

// In returns a copy of the list with prefix added before each path. Use it to report the problems
// of one part of some content. In("books[1]") turns "entries[3].key[0]" into
// "books[1].entries[3].key[0]". The list itself does not change.
func (ps Problems) In(prefix string) Problems {
	in := slices.Clone(ps)
	for i := range in {
		in[i].Path = join(prefix, in[i].Path)
	}
	return in
}

func join(prefix, path string) string {
	if prefix == "" || path == "" || strings.HasPrefix(path, "[") {
		return prefix + path
	}
	return prefix + "." + path
}
