package lexicon

import "strings"

// inflect returns the forms of an English verb that a narration uses: the word itself, the form in
// -s, the past and, if it is different, the perfect. In a phrase the first word changes: drop to,
// drops to, dropped to; rise from, rises from, rose from, has risen from.
func inflect(phrase string) []string {
	verb, rest, _ := strings.Cut(phrase, " ")
	if rest != "" {
		rest = " " + rest
	}
	forms := irregular[verb]
	if forms.past == "" {
		return []string{phrase, thirdPersonOf(verb) + rest, pastOf(verb) + rest}
	}
	out := []string{phrase, thirdPersonOf(verb) + rest, forms.past + rest}
	if forms.perfect == "" {
		return out
	}
	// A bare participle is not a verb: a letter hidden in the crypt.
	for _, has := range []string{"has ", "have "} {
		for _, adverb := range []string{"", "just ", "already ", "now ", "finally ", "long since "} {
			out = append(out, has+adverb+forms.perfect+rest)
		}
	}
	return out
}

// irregular are the verbs whose past does not end in -ed, with the participle if it differs.
var irregular = map[string]struct{ past, perfect string }{
	"arise":    {"arose", "arisen"},
	"awake":    {"awoke", "awoken"},
	"beat":     {"beat", "beaten"},
	"become":   {"became", "become"},
	"begin":    {"began", "begun"},
	"bite":     {"bit", "bitten"},
	"bleed":    {"bled", ""},
	"break":    {"broke", "broken"},
	"bring":    {"brought", ""},
	"buy":      {"bought", ""},
	"catch":    {"caught", ""},
	"choose":   {"chose", "chosen"},
	"come":     {"came", "come"},
	"creep":    {"crept", ""},
	"cut":      {"cut", ""},
	"deal":     {"dealt", ""},
	"do":       {"did", "done"},
	"draw":     {"drew", "drawn"},
	"drink":    {"drank", "drunk"},
	"drive":    {"drove", "driven"},
	"eat":      {"ate", "eaten"},
	"fall":     {"fell", "fallen"},
	"feel":     {"felt", ""},
	"fight":    {"fought", ""},
	"find":     {"found", ""},
	"flee":     {"fled", ""},
	"fling":    {"flung", ""},
	"fly":      {"flew", "flown"},
	"forsake":  {"forsook", "forsaken"},
	"freeze":   {"froze", "frozen"},
	"get":      {"got", "gotten"},
	"give":     {"gave", "given"},
	"go":       {"went", "gone"},
	"grow":     {"grew", "grown"},
	"hang":     {"hung", ""},
	"hide":     {"hid", "hidden"},
	"hit":      {"hit", ""},
	"hold":     {"held", ""},
	"hurt":     {"hurt", ""},
	"keep":     {"kept", ""},
	"kneel":    {"knelt", ""},
	"knit":     {"knit", ""},
	"lay":      {"laid", ""},
	"lead":     {"led", ""},
	"leave":    {"left", ""},
	"lie":      {"lay", "lain"},
	"let":      {"let", ""},
	"lose":     {"lost", ""},
	"make":     {"made", ""},
	"meet":     {"met", ""},
	"overcome": {"overcame", "overcome"},
	"overtake": {"overtook", "overtaken"},
	"pay":      {"paid", ""},
	"put":      {"put", ""},
	"read":     {"read", ""},
	"ride":     {"rode", "ridden"},
	"rise":     {"rose", "risen"},
	"run":      {"ran", "run"},
	"see":      {"saw", "seen"},
	"send":     {"sent", ""},
	"set":      {"set", ""},
	"shed":     {"shed", ""},
	"shoot":    {"shot", ""},
	"shrink":   {"shrank", "shrunk"},
	"shut":     {"shut", ""},
	"sink":     {"sank", "sunk"},
	"sit":      {"sat", ""},
	"slay":     {"slew", "slain"},
	"sleep":    {"slept", ""},
	"slide":    {"slid", ""},
	"slink":    {"slunk", ""},
	"speed":    {"sped", ""},
	"spend":    {"spent", ""},
	"spit":     {"spat", ""},
	"stand":    {"stood", ""},
	"steal":    {"stole", "stolen"},
	"stick":    {"stuck", ""},
	"sting":    {"stung", ""},
	"stride":   {"strode", "stridden"},
	"strike":   {"struck", ""},
	"sweep":    {"swept", ""},
	"swim":     {"swam", "swum"},
	"swing":    {"swung", ""},
	"take":     {"took", "taken"},
	"tear":     {"tore", "torn"},
	"tell":     {"told", ""},
	"throw":    {"threw", "thrown"},
	"wake":     {"woke", "woken"},
	"win":      {"won", ""},
	"wind":     {"wound", ""},
	"write":    {"wrote", "written"},
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

// doublesLast reports whether a verb of one syllable doubles its last letter: slip, slipped.
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
