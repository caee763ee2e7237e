package lexicon

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
)

//go:embed *.txt
var files embed.FS

// compileFiles compiles the vocabularies and the patterns. The files are part of the program, so a
// mistake in them is a panic, and every test finds it.
func compileFiles() *lexicon {
	l := newLexicon()
	l.addWords("words_zh.txt", true)
	l.addWords("words_en.txt", false)
	l.lastWord = Class(len(l.byName))
	l.addPatterns("points_zh.txt", true)
	l.addPatterns("points_en.txt", false)
	l.addPatterns("patterns_zh.txt", true)
	l.addPatterns("patterns_en.txt", false)
	l.entries, l.graph = l.graph.Join(), keyindex.Graph{}
	return l
}

// linesOf calls f with each line of a file that is not empty and not a comment. place is the file and the
// number of the line.
func linesOf(file string, f func(place, line string)) {
	data, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			f(fmt.Sprintf("%s:%d", file, number), line)
		}
	}
}

// addWords adds the words of a vocabulary. A line with a name in square brackets begins a class. After
// the name, "claim" marks a class whose words make claims, and "noun" marks nouns that can be names.
// Any other line has words of the class, see addLine.
//
// A word with the prefix ! is a shield: a word of the class inside it does not count. Braces contain
// choices: {lies/lay} {dead/cold} are four words. In English, ~ before a verb means all its forms, and @
// means each possessive: ~fight @ way. In a Chinese word without braces, each part between slashes is a
// choice of characters: 没不/-太/好 are 没好, 没太好, 不好 and 不太好.
func (l *lexicon) addWords(file string, chinese bool) {
	var class Class
	linesOf(file, func(place, line string) {
		head, beginsClass := strings.CutPrefix(line, "[")
		if !beginsClass {
			if class == 0 {
				panic(place + ": words without a class")
			}
			l.addLine(line, chinese, class)
			return
		}
		name, marks, closed := strings.Cut(head, "]")
		if !closed {
			panic(place + ": a class without ]")
		}
		class = l.class(name)
		if strings.Contains(marks, "claim") {
			l.claims = append(l.claims, class)
		}
		if strings.Contains(marks, "noun") {
			l.nouns = append(l.nouns, class)
		}
	})
}

// addLine adds the words of a line to a class. Chinese words are separated by spaces, English words by
// commas.
func (l *lexicon) addLine(line string, chinese bool, class Class) {
	if chinese {
		for word := range strings.FieldsSeq(line) {
			l.add(word, true, class)
		}
		return
	}
	for word := range strings.SplitSeq(line, ",") {
		l.add(strings.TrimSpace(word), false, class)
	}
}

// add adds a word of a vocabulary in all its forms.
func (l *lexicon) add(word string, chinese bool, class Class) {
	word, shields := strings.CutPrefix(word, "!")
	if strings.Count(word, "{") != strings.Count(word, "}") {
		panic("a brace is not closed in its entry: " + word)
	}
	if word == "" {
		return
	}
	start := []beginning{{}}
	var ends []beginning
	if chinese && strings.Contains(word, "/") && !strings.Contains(word, "{") {
		ends = l.extendByParts(start, word)
	} else {
		ends = l.extend(start, word)
	}
	for _, end := range ends {
		l.graph.End(end.node, meaning{class, shields}.value())
	}
}

// A beginning is the first characters of a word: a path in the graph from node 0 to its node.
type beginning struct {
	node      int32
	needSpace bool // a space comes before the next character
}

// extend extends each of some beginnings by all forms of a text and returns the longer beginnings.
func (l *lexicon) extend(from []beginning, text string) []beginning {
	at := slices.Clone(from)
	for i, c := range text {
		var choices, rest string
		switch c {
		case ' ':
			for k := range at {
				at[k].needSpace = at[k].node != 0
			}
			continue
		case '{':
			end := i + strings.IndexByte(text[i:], '}')
			choices, rest = text[i+1:end], text[end+1:]
		case '@':
			choices, rest = possessives, text[i+1:]
		case '~':
			choices, rest = verbForms(text[i+1:])
		default:
			at = append(at[:0], l.extendByCharacter(at, c))
			continue
		}
		var ends []beginning
		for choice := range strings.SplitSeq(choices, "/") {
			ends = append(ends, l.extend(at, choice)...)
		}
		return l.extend(ends, rest)
	}
	return at
}

// extendByParts extends each of some beginnings by a Chinese word with slashes. Each part is a choice
// between its characters, or - for none.
func (l *lexicon) extendByParts(at []beginning, word string) []beginning {
	for part := range strings.SplitSeq(word, "/") {
		var next []beginning
		for _, c := range part {
			if c == '-' {
				next = append(next, at...)
			} else {
				next = append(next, l.extendByCharacter(at, c))
			}
		}
		at = next
	}
	return at
}

// extendByCharacter extends each of some beginnings by one character. They all end in one new node.
func (l *lexicon) extendByCharacter(at []beginning, c rune) beginning {
	end, afterSpace := l.graph.Grow(), int32(0)
	for _, b := range at {
		if !b.needSpace {
			l.graph.Link(b.node, c, end)
			continue
		}
		if afterSpace == 0 {
			afterSpace = l.graph.Grow()
			l.graph.Link(afterSpace, c, end)
		}
		l.graph.Link(b.node, ' ', afterSpace)
	}
	return beginning{node: end}
}

// verbForms reads the text after ~: a verb, or several verbs in braces. It returns the forms as choices,
// and the rest of the text. For several verbs the choices are the verbs with ~.
func verbForms(text string) (choices, rest string) {
	if strings.HasPrefix(text, "{") {
		end := strings.IndexByte(text, '}')
		return "~" + strings.ReplaceAll(text[1:end], "/", "/~"), text[end+1:]
	}
	end := strings.IndexFunc(text, func(c rune) bool { return !IsLetter(c) })
	if end < 0 {
		end = len(text)
	}
	return strings.Join(inflect(text[:end]), "/"), text[end:]
}

// class returns the class of a name. It makes a new one for an unknown name.
func (l *lexicon) class(name string) Class {
	c, known := l.byName[name]
	if !known {
		c = Class(len(l.byName) + 1)
		l.byName[name] = c
	}
	return c
}

// possessives are the choices that @ in an English word means.
const possessives = "your/his/her/its/their"
