package lexicon

import (
	"slices"
	"strings"
)

// EachWord calls f with the words of the vocabularies and their classes. For an entry that means
// many words, such as all forms of a verb, it uses the first word and the last.
func EachWord(f func(class Class, word string)) {
	each := func(class Class, forms []string) {
		if len(forms) == 0 {
			return
		}
		f(class, strings.TrimPrefix(forms[0], "!"))
		if last := forms[len(forms)-1]; last != forms[0] {
			f(class, strings.TrimPrefix(last, "!"))
		}
	}
	for _, class := range slices.Concat(chinese, chineseLives) {
		for word := range strings.FieldsSeq(class.words) {
			each(class.tag, formsOfEntry(word, true))
		}
	}
	for _, class := range slices.Concat(english, englishPlaces, englishLives) {
		for word := range strings.SplitSeq(class.words, ",") {
			each(class.tag, formsOfEntry(word, false))
		}
	}
}

func formsOfEntry(entry string, chinese bool) (out []string) {
	for _, choice := range choices(entry) {
		if chinese {
			out = append(out, spread(choice)...)
			continue
		}
		for _, form := range formsOf(strings.Join(strings.Fields(choice), " ")) {
			out = append(out, strings.ReplaceAll(form, "@", possessives[0]))
		}
	}
	return out
}
