package cast

// Mentioned and Words export the search for names to tests.
var Mentioned = mentioned

// Words returns the folded words of a text.
func Words(text string) []string {
	var out []string
	for w := range words(text) {
		out = append(out, w.text)
	}
	return out
}

// Packed reports for each word of a text whether its script has no blanks between words.
func Packed(text string) []bool {
	var out []bool
	for w := range words(text) {
		out = append(out, w.packed)
	}
	return out
}
