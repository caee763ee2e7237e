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
	l.words = Class(len(l.byName))
	l.addPatterns("patterns_zh.txt", true)
	l.addPatterns("patterns_en.txt", false)
	l.entries, l.graph = l.graph.Join(), keyindex.Graph{}
	return l
}

// linesOf calls f with each line of a file that is not empty and not a comment.
func linesOf(file string, f func(place, line string)) {
	data, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			f(fmt.Sprintf("%s:%d", file, n), line)
		}
	}
}

// addWords adds the words of a vocabulary. A line with a name in square brackets begins a class. After
// the name, "claim" marks a class whose words make claims, and "noun" marks nouns that can be names.
// All other lines are words: Chinese words are separated by spaces, English words by commas. A word with a prefix !
// is a shield: a word of the class inside it does not count. ~ before an English verb means all its
// forms. @ means each possessive: ~fight @ way. Braces contain choices: {lies/lay} {dead/cold} means
// four words.
func (l *lexicon) addWords(file string, chinese bool) {
	var class Class
	linesOf(file, func(place, line string) {
		if head, ok := strings.CutPrefix(line, "["); ok {
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
			return
		}
		if class == 0 {
			panic(place + ": words without a class")
		}
		l.addLine(line, chinese, class)
	})
}

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

// add adds all forms of one entry.
func (l *lexicon) add(entry string, chinese bool, class Class) {
	entry, shields := strings.CutPrefix(entry, "!")
	if strings.Count(entry, "{") != strings.Count(entry, "}") {
		panic("a brace is not closed in its entry: " + entry)
	}
	if entry == "" {
		return
	}
	extend := l.follow
	if chinese && strings.Contains(entry, "/") && !strings.Contains(entry, "{") {
		extend = l.spread
	}
	for _, s := range extend([]spot{{}}, entry) {
		l.graph.End(s.node, use{class, shields}.value())
	}
}

// A spot is the end of a beginning of a word in the graph.
type spot struct {
	node  int32
	space bool // a space follows if the word goes on
}

// follow extends the beginnings of words by an entry of a vocabulary, see addWords.
func (l *lexicon) follow(from []spot, text string) []spot {
	at := slices.Clone(from)
	for i, c := range text {
		var list string
		switch c {
		case ' ':
			for k := range at {
				at[k].space = at[k].node != 0
			}
			continue
		case '{':
			end := i + strings.IndexByte(text[i:], '}')
			list, text = text[i+1:end], text[end+1:]
		case '@':
			list, text = possessives, text[i+1:]
		case '~':
			list, text = verbs(text[i+1:])
		default:
			at = append(at[:0], l.step(at, c))
			continue
		}
		var ends []spot
		for choice := range strings.SplitSeq(list, "/") {
			ends = append(ends, l.follow(at, choice)...)
		}
		return l.follow(ends, text)
	}
	return at
}

// step extends the beginnings of words by a character, and returns their common end.
func (l *lexicon) step(at []spot, c rune) spot {
	next, space := l.graph.Grow(), int32(0) // the node after a space
	for _, s := range at {
		if !s.space {
			l.graph.Link(s.node, c, next)
			continue
		}
		if space == 0 {
			space = l.graph.Grow()
			l.graph.Link(space, c, next)
		}
		l.graph.Link(s.node, ' ', space)
	}
	return spot{node: next}
}

// spread extends the beginnings of words by a Chinese entry with slashes. Each part is a choice between
// its characters, or - for none.
func (l *lexicon) spread(at []spot, entry string) []spot {
	for part := range strings.SplitSeq(entry, "/") {
		var next []spot
		for _, c := range part {
			if c == '-' {
				next = append(next, at...)
			} else {
				next = append(next, l.step(at, c))
			}
		}
		at = next
	}
	return at
}

// verbs returns the choices that a text after ~ begins with, all forms of a verb or of each of several,
// and the rest.
func verbs(text string) (list, rest string) {
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

// possessives are the choices that @ in an English entry means.
const possessives = "your/his/her/its/their"
