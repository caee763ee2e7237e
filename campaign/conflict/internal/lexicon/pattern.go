package lexicon

import (
	"slices"
	"strings"
)

// A Pattern is one line of a pattern file: kind | elements | example | counter-example. The
// elements are separated by spaces:
//
//	Dead         a word of the class; Dead;Killed: of one of the classes
//	掉了/少了      one of these words; in English _ stands for a space and ~ for all forms of a verb
//	#  %  $      a number, the name of an area, the label of a card
//	@            a mention of a tracked character or of the party
//
// An element follows the one before it in the same clause, at most a few characters behind. With a
// prefix + it follows at once. With a prefix > it may follow in the same sentence. The pattern must
// match the example and must not match the counter-example.
type Pattern struct {
	Kind     string
	Elements []Element
	Example  string
	Counter  string
	Chinese  bool
	Place    string // file and line
}

// An Element is one part of a pattern.
type Element struct {
	Slot    byte // '#', '%', '$', '@'; 0 for words
	Classes []Class
	Near    bool // follows at once
	Far     bool // follows anywhere in the sentence
}

// Reading returns the patterns of certain claims.
func Reading() []Pattern { return bothLanguages().read }

// Net returns the patterns of suspicions.
func Net() []Pattern { return bothLanguages().net }

// patterns reads a file of patterns. A line =Name followed by words defines a class for the
// patterns, and a line [kind] sets the kind for the lines after it.
func (l *lexicon) patterns(file string, chinese bool) []Pattern {
	var out []Pattern
	linesOf(file, func(place, line string) {
		if def, ok := strings.CutPrefix(line, "="); ok {
			name, words, _ := strings.Cut(def, " ")
			l.addLine(words, chinese, l.class(name))
			return
		}
		parts := strings.Split(line, "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		if len(parts) != 4 || slices.Contains(parts, "") {
			panic(place + ": a pattern has four parts: kind | elements | example | counter-example")
		}
		p := Pattern{Kind: parts[0], Example: parts[2], Counter: parts[3], Chinese: chinese, Place: place}
		for word := range strings.FieldsSeq(parts[1]) {
			p.Elements = append(p.Elements, l.element(word, chinese))
		}
		out = append(out, p)
	})
	return out
}

func (l *lexicon) element(word string, chinese bool) Element {
	var e Element
	word, e.Near = strings.CutPrefix(word, "+")
	word, e.Far = strings.CutPrefix(word, ">")
	if len(word) == 1 && strings.ContainsAny(word, "#%$@") {
		e.Slot = word[0]
		return e
	}
	for part := range strings.SplitSeq(word, ";") {
		if part[0] >= 'A' && part[0] <= 'Z' {
			e.Classes = append(e.Classes, l.class(part))
			continue
		}
		c := l.class(part)
		for one := range strings.SplitSeq(part, "/") {
			l.addForms(strings.ReplaceAll(one, "_", " "), chinese, c)
		}
		e.Classes = append(e.Classes, c)
	}
	return e
}
