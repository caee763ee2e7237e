package cast

// Mentioned and Words are what tests see of finding names.
var Mentioned = mentioned

// Words returns the folded words of a text.
func Words(text string) []string {
	var out []string
	for w := range words(text) {
		out = append(out, w.text)
	}
	return out
}

// Packed reports for each word of a text whether its script writes no blanks.
func Packed(text string) []bool {
	var out []bool
	for w := range words(text) {
		out = append(out, w.packed)
	}
	return out
}
