package lexicon

import (
	"slices"
	"strings"
)

// compileLexicon compiles the Chinese words, divided by spaces, and the English
// ones, which may have spaces inside and are divided by commas.
func compileLexicon(chinese, english vocabulary) *lexicon {
	l := &lexicon{next: map[edge]int32{}, uses: make([][]use, 1)}
	for _, class := range chinese {
		for word := range strings.FieldsSeq(class.words) {
			for _, form := range spread(word) {
				l.add(form, class.tag)
			}
		}
	}
	for _, class := range english {
		for word := range strings.SplitSeq(class.words, ",") {
			word = strings.Join(strings.Fields(word), " ")
			verb, regular := strings.CutPrefix(word, "~")
			if !regular {
				for _, whose := range possessives {
					l.add(strings.Replace(word, "@", whose, 1), class.tag)
				}
				continue
			}
			for _, form := range inflect(verb) {
				for _, whose := range possessives {
					l.add(strings.Replace(form, "@", whose, 1), class.tag)
				}
			}
		}
	}
	return l
}

// possessives are what @ stands for in an English entry.
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

// spread returns what a Chinese entry stands for. One with slashes is a product: each
// of its parts is a choice between the characters of the part, or - for none.
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
