package lexicon

// EachWord calls f with the words of the vocabularies and their classes.
func EachWord(f func(class Class, word string)) {
	l := bothLanguages()
	l.entries.Each(func(word string, values []int32) {
		for _, v := range values {
			if u := meaningOf(v); u.class <= l.lastWord {
				f(u.class, word)
			}
		}
	})
}
