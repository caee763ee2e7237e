package lexicon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Pattern is one line of a pattern file: kind | elements | example | counter-example. The
// elements are separated by spaces:
//
//	Dead         a word of the class; Dead;Killed: of one of the classes
//	掉了/少了      one of these words; in English _ stands for a space and ~ for all forms of a verb
//	#  %  $  &   a number, the name of an area, the label of a card, a keyword of a world rule
//	*            the result of a roll: 1d20+3 = 18
//	M  N         a number that is the maximum or the present hit points of a character
//	Fallen:9     words of the classes Fallen+1, Fallen-2 …, each worth its points, that have together at
//	             least 9 points in two sentences; only as the last element, alone, after %, or after a
//	             class: the claim is about the areas whose names have a word of it
//	^            a part of a whole: a third, 三分之一
//	@            a mention of a tracked character or of the party
//	!Dead        no word of these classes directly before the next element; at the end: after the last
//	.            the clause ends here; before the first element: it begins here
//
// A sign before an element says where it follows the element before it:
//
//	sign   after [net]                      after [read]
//	none   a few characters later,          after adverbs, articles
//	       in the same clause               and similar words only
//	+      at once                          at once
//	>      anywhere in the sentence         after a few words that cancel nothing
//	>>     anywhere in the sentence         anywhere in the sentence
//	…      as without a sign                a few characters later, in the same clause
//	~      after adverbs, articles and      the same
//	       commas only
//
// The pattern must match the example. It must not match the counter-example. A kind with a question
// mark is doubtful. A kind with a star is about the subject of its clause.
type Pattern struct {
	Kind     string
	Elements []Element
	Doubtful bool
	Own      bool // about the subject of its clause
	Strict   bool
	Wide     bool // asks only where no other pattern does
	Example  string
	Counter  string
	Chinese  bool
	Place    string // file and line
}

// Slots are the elements that stand for things of the campaign and for numbers.
const Slots = "#%$&@^*MN"

// MaxElements is the maximum number of elements of a pattern.
const MaxElements = 6

// maxPoints is the maximum number of points of a word.
const maxPoints = 9

// An Element is one part of a pattern.
type Element struct {
	Slot    byte // one of Slots; 0 for words
	Classes []Class
	Points  []int   // of a word, by class
	Limit   int     // the least sum of points; 0: a word suffices
	Near    bool    // follows at once
	Far     bool    // follows anywhere in the sentence
	Wide    bool    // the same in a strict pattern
	Light   bool    // follows after adverbs, articles and commas only
	Free    bool    // follows a few characters later, also in a strict pattern
	Before  []Class // that may not be directly before it
	After   []Class // that may not be directly after it
	Ends    bool    // its clause ends with it
	Begins  bool    // its clause begins with it
}

// Patterns returns the strict patterns of certain claims, the patterns of the net, and its wide patterns.
func Patterns() []Pattern { return bothLanguages().patterns }

// addPatterns reads a file of patterns. A line =Name followed by words defines a class for the
// patterns. Lines of two parts are texts, see Texts.
func (l *lexicon) addPatterns(file string, chinese bool) {
	section := ""
	linesOf(file, func(place, line string) {
		if def, ok := strings.CutPrefix(line, "="); ok {
			name, words, _ := strings.Cut(def, " ")
			l.addLine(words, chinese, l.class(name))
			return
		}
		if head, ok := strings.CutPrefix(line, "["); ok {
			section, _, _ = strings.Cut(head, "]")
			return
		}
		parts := partsOf(line)
		if len(parts) == 2 {
			return
		}
		if len(parts) != 4 || slices.Contains(parts, "") {
			panic(place + ": a pattern has four parts: kind | elements | example | counter-example")
		}
		p := Pattern{Example: parts[2], Counter: parts[3], Chinese: chinese, Place: place, Strict: section == "read", Wide: section == "wide"}
		p.Kind, p.Doubtful = strings.CutSuffix(parts[0], "?")
		p.Kind, p.Own = strings.CutSuffix(p.Kind, "*")
		p.Elements = l.elements(place, parts[1], chinese)
		if len(p.Elements) > MaxElements {
			panic(place + ": a pattern has too many elements")
		}
		l.patterns = append(l.patterns, p)
	})
}

// partsOf splits a line of a pattern file.
func partsOf(line string) []string {
	parts := strings.Split(line, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// Texts returns the texts for models, in Chinese (true) and English, by kind.
var Texts = sync.OnceValue(func() map[bool]map[string]string {
	out := map[bool]map[string]string{true: {}, false: {}}
	for chinese, file := range map[bool]string{true: "patterns_zh.txt", false: "patterns_en.txt"} {
		linesOf(file, func(_, line string) {
			if parts := partsOf(line); len(parts) == 2 {
				out[chinese][parts[0]] = parts[1]
			}
		})
	}
	return out
})

func (l *lexicon) elements(place, text string, chinese bool) []Element {
	var out []Element
	var e Element
	for word := range strings.FieldsSeq(text) {
		guard, is := strings.CutPrefix(word, "!")
		switch {
		case word == "+":
			e.Near = true
		case word == ">":
			e.Far = true
		case word == ">>":
			e.Far, e.Wide = true, true
		case word == "…":
			e.Free = true
		case word == "~":
			e.Light = true
		case word == "." && len(out) == 0:
			e.Begins = true
		case word == ".":
			out[len(out)-1].Ends = true
		case is:
			e.Before = append(e.Before, l.classesOf(place, guard, chinese)...)
		default:
			name, limit, _ := strings.Cut(word, ":")
			if e.Limit, _ = strconv.Atoi(limit); e.Limit > 0 {
				for n := -maxPoints; n <= maxPoints; n++ {
					if c := l.byName[fmt.Sprintf("%s%+d", name, n)]; c != 0 {
						e.Classes, e.Points = append(e.Classes, c), append(e.Points, n)
					}
				}
			} else if len(word) == 1 && strings.Contains(Slots, word) {
				e.Slot = word[0]
			} else {
				e.Classes = l.classesOf(place, word, chinese)
			}
			out = append(out, e)
			e = Element{}
		}
	}
	out[len(out)-1].After = e.Before
	return out
}

// classesOf returns the classes of an element: names of classes, or words, which become a class.
func (l *lexicon) classesOf(place, word string, chinese bool) []Class {
	var out []Class
	for part := range strings.SplitSeq(word, ";") {
		if part != "" && part[0] >= 'A' && part[0] <= 'Z' {
			if l.byName[part] == 0 {
				panic(place + ": unknown class " + part)
			}
			out = append(out, l.byName[part])
			continue
		}
		c := l.class(part)
		for one := range strings.SplitSeq(part, "/") {
			l.add(strings.ReplaceAll(one, "_", " "), chinese, c)
		}
		out = append(out, c)
	}
	return out
}
