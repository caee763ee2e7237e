package lexicon

import "strings"

// EachWord calls f with the words of the vocabularies and their classes. For an entry that means
// many words, such as all forms of a verb, it uses the first word and the last.
func EachWord(f func(class Class, word string)) {
	l := bothLanguages()
	for _, file := range []string{"words_zh.txt", "words_en.txt"} {
		chinese := file == "words_zh.txt"
		var class Class
		linesOf(file, func(_, line string) {
			if head, ok := strings.CutPrefix(line, "["); ok {
				name, _, _ := strings.Cut(head, "]")
				class = l.byName[name]
				return
			}
			split := strings.Split(line, ",")
			if chinese {
				split = strings.Fields(line)
			}
			for _, word := range split {
				forms := formsOfEntry(strings.Join(strings.Fields(word), " "), chinese)
				f(class, strings.TrimPrefix(forms[0], "!"))
				if last := forms[len(forms)-1]; last != forms[0] {
					f(class, strings.TrimPrefix(last, "!"))
				}
			}
		})
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
