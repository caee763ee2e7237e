package lexicon

import (
	"slices"
	"strings"
)

// compileLexicon compiles the Chinese words, separated by spaces, and the English words, separated
// by commas because they may contain spaces.
func compileLexicon(chinese, english vocabulary) *lexicon {
	l := &lexicon{next: make(map[edge]int32, expectedNodes), uses: make([][]use, 1, expectedNodes)}
	for _, class := range chinese {
		for word := range strings.FieldsSeq(class.words) {
			for _, choice := range choices(word) {
				for _, form := range spread(choice) {
					l.add(form, class.tag)
				}
			}
		}
	}
	for _, class := range english {
		for word := range strings.SplitSeq(class.words, ",") {
			for _, choice := range choices(word) {
				for _, form := range formsOf(strings.Join(strings.Fields(choice), " ")) {
					before, after, possessive := strings.Cut(form, "@")
					if !possessive {
						l.add(form, class.tag)
						continue
					}
					for _, whose := range possessives {
						l.add(before+whose+after, class.tag)
					}
				}
			}
		}
	}
	return l
}

// expectedNodes is the approximate number of nodes in the tree of both vocabularies.
const expectedNodes = 200_000

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
	node := int32(0)
	for _, r := range word {
		child, ok := l.next[edge{node, r}]
		if !ok {
			child = int32(len(l.uses))
			l.next[edge{node, r}] = child
			l.uses = append(l.uses, nil)
		}
		node = child
	}
	if u := (use{t, shields}); !slices.Contains(l.uses[node], u) {
		l.uses[node] = append(l.uses[node], u)
	}
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
