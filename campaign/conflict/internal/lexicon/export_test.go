package lexicon

// EachWord calls f with the words of the vocabularies and their classes.
func EachWord(f func(class Class, word string)) {
	l := bothLanguages()
	l.entries.Each(func(word string, values []int32) {
		for _, v := range values {
			if u := useOf(v); u.tag <= l.words {
				f(u.tag, word)
			}
		}
	})
}
