package lexicon

import "strings"

// inflect returns the forms of a regular English verb that a narration uses: the word
// itself, with -s and in the past. Of a phrase the first word changes: drop to, drops to,
// dropped to.
func inflect(phrase string) []string {
	verb, rest, _ := strings.Cut(phrase, " ")
	if rest != "" {
		rest = " " + rest
	}
	return []string{phrase, thirdPersonOf(verb) + rest, pastOf(verb) + rest}
}

func thirdPersonOf(verb string) string {
	switch {
	case endsInConsonantY(verb):
		return verb[:len(verb)-1] + "ies"
	case hasAnySuffix(verb, "s", "sh", "ch", "x", "z", "o"):
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
	case doublesLast(verb):
		return verb + verb[len(verb)-1:] + "ed"
	}
	return verb + "ed"
}

func endsInConsonantY(verb string) bool {
	n := len(verb)
	return n > 1 && verb[n-1] == 'y' && !isVowel(verb[n-2])
}

// doublesLast reports whether a verb of one syllable doubles its last letter: slip,
// slipped.
func doublesLast(verb string) bool {
	n := len(verb)
	if n < 3 || isVowel(verb[n-1]) || !isVowel(verb[n-2]) || isVowel(verb[n-3]) ||
		strings.IndexByte("wxy", verb[n-1]) >= 0 {
		return false
	}
	for i := range n - 2 {
		if isVowel(verb[i]) {
			return false
		}
	}
	return true
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}
