package lexicon

import (
	"embed"
	"fmt"
	"strings"
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
	for _, file := range []string{"read_zh.txt", "read_en.txt", "net_zh.txt", "net_en.txt"} {
		l.patterns = append(l.patterns, l.patternsOf(file, strings.HasSuffix(file, "_zh.txt"))...)
	}
	l.freeze()
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
			l.addForms(word, true, class)
		}
		return
	}
	for word := range strings.SplitSeq(line, ",") {
		l.addForms(strings.Join(strings.Fields(word), " "), false, class)
	}
}

// addForms adds all forms of one entry.
func (l *lexicon) addForms(entry string, chinese bool, class Class) {
	for _, choice := range choices(entry) {
		if chinese {
			for _, form := range spread(choice) {
				l.add(form, class)
			}
			continue
		}
		for _, form := range formsOf(strings.Join(strings.Fields(choice), " ")) {
			before, after, possessive := strings.Cut(form, "@")
			if !possessive {
				l.add(form, class)
				continue
			}
			for _, whose := range possessives {
				l.add(before+whose+after, class)
			}
		}
	}
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

// formsOf returns the forms of an English entry. For a verb after ~ these are all forms that
// narrations use.
func formsOf(word string) []string {
	if verb, regular := strings.CutPrefix(word, "~"); regular {
		return inflect(verb)
	}
	return []string{word}
}

// choices returns the expansions of an entry with braces, one for each of the choices in them: {did
// not/never} {wake/rise} again has four. One choice may be empty.
func choices(entry string) []string {
	open, end := strings.IndexByte(entry, '{'), strings.IndexByte(entry, '}')
	if open < 0 || end < open {
		return []string{entry}
	}
	var out []string
	for choice := range strings.SplitSeq(entry[open+1:end], "/") {
		for _, rest := range choices(entry[end+1:]) {
			out = append(out, entry[:open]+choice+rest)
		}
	}
	return out
}

// possessives are the expansions of @ in an English entry.
var possessives = []string{"your", "his", "her", "its", "their"}

func (l *lexicon) add(word string, t Class) {
	word, shields := strings.CutPrefix(word, "!")
	if word == "" {
		return
	}
	l.forms = append(l.forms, form{word, use{t, shields}})
}

// spread returns the expansions of a Chinese entry. An entry with slashes is a product: each part
// is a choice between its characters, or - for none.
func spread(word string) []string {
	parts := strings.Split(word, "/")
	if len(parts) == 1 {
		return parts
	}
	forms := []string{""}
	for _, part := range parts {
		var next []string
		for _, form := range forms {
			for _, c := range part {
				if c == '-' {
					next = append(next, form)
				} else {
					next = append(next, form+string(c))
				}
			}
		}
		forms = next
	}
	return forms
}
