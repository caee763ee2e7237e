package lexicon

import (
	"strings"
	"sync"
)

// inflect returns the forms of an English verb that a narration uses: the word itself, the form in
// -s, the past and, if it is different, the perfect with has and have.
func inflect(verb string) []string {
	forms := irregular()[verb]
	if forms.past == "" {
		return []string{verb, thirdPersonOf(verb), pastOf(verb)}
	}
	out := []string{verb, thirdPersonOf(verb), forms.past}
	if forms.perfect == "" {
		return out
	}
	// A bare participle is not a verb: a letter hidden in the crypt.
	for _, adverb := range []string{"", "just ", "already ", "now ", "finally ", "long since "} {
		out = append(out, "has "+adverb+forms.perfect, "have "+adverb+forms.perfect)
	}
	return out
}

type irregularVerb struct{ past, perfect string }

// irregular returns the verbs of verbs_en.txt.
var irregular = sync.OnceValue(func() map[string]irregularVerb {
	out := map[string]irregularVerb{}
	linesOf("verbs_en.txt", func(_, line string) {
		verb, rest, _ := strings.Cut(line, " ")
		past, perfect, _ := strings.Cut(rest, " ")
		out[verb] = irregularVerb{past, perfect}
	})
	return out
})

func thirdPersonOf(verb string) string {
	switch {
	case endsInConsonantY(verb):
		return verb[:len(verb)-1] + "ies"
	case strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "ch") || strings.ContainsRune("sxzo", rune(verb[len(verb)-1])):
		return verb + "es"
	}
	return verb + "s"
}

func pastOf(verb string) string {
	switch {
	case strings.HasSuffix(verb, "e"):
		return verb + "d"
	case endsInConsonantY(verb):
		return verb[:len(verb)-1] + "ied"
	}
	return verb + "ed"
}

func endsInConsonantY(verb string) bool {
	n := len(verb)
	return n > 1 && verb[n-1] == 'y' && strings.IndexByte("aeiou", verb[n-2]) < 0
}
