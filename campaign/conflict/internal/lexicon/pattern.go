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
// An element follows the one before it in the same clause, a few characters later at most. After a
// sign + it follows at once, and after a sign > anywhere in the same sentence. The pattern must match
// the example and must not match the counter-example.
type Pattern struct {
	Kind     string
	Elements []Element
	Example  string
	Counter  string
	Chinese  bool
	Place    string // file and line
}

// MaxElements is the maximum number of elements of a pattern.
const MaxElements = 6

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
		var e Element
		for word := range strings.FieldsSeq(parts[1]) {
			switch word {
			case "+":
				e.Near = true
			case ">":
				e.Far = true
			default:
				l.fill(&e, place, word, chinese)
				p.Elements = append(p.Elements, e)
				e = Element{}
			}
		}
		if len(p.Elements) > MaxElements {
			panic(place + ": a pattern has too many elements")
		}
		out = append(out, p)
	})
	return out
}

// fill sets the slot or the classes of an element.
func (l *lexicon) fill(e *Element, place, word string, chinese bool) {
	if len(word) == 1 && strings.Contains("#%$@", word) {
		e.Slot = word[0]
		return
	}
	for part := range strings.SplitSeq(word, ";") {
		if part != "" && part[0] >= 'A' && part[0] <= 'Z' {
			if l.byName[part] == 0 {
				panic(place + ": unknown class " + part)
			}
			e.Classes = append(e.Classes, l.byName[part])
			continue
		}
		c := l.class(part)
		for one := range strings.SplitSeq(part, "/") {
			l.addForms(strings.ReplaceAll(one, "_", " "), chinese, c)
		}
		e.Classes = append(e.Classes, c)
	}
}
