package lexicon

// EachWord calls f with the words of the vocabularies and their classes.
func EachWord(f func(class Class, word string)) {
	l := bothLanguages()
	below := map[int32][]edge{}
	for _, e := range l.edges {
		if e.to != 0 {
			below[e.from] = append(below[e.from], e)
		}
	}
	var walk func(node int32, word string)
	walk = func(node int32, word string) {
		for k := l.last[node]; k != 0; k = l.uses[k].before {
			if u := l.uses[k].use; u.tag <= l.words {
				f(u.tag, word)
			}
		}
		for _, e := range below[node] {
			walk(e.to, word+string(e.char))
		}
	}
	walk(0, "")
}
