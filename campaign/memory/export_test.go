package memory

// Terms returns the terms of a text, in order.
func Terms(text string) []string {
	var out []string
	terms(text, func(term []byte) { out = append(out, string(term)) })
	return out
}

// Held returns the number of passages, including dead ones, and of terms that an index holds of a
// campaign.
func (x *Index) Held(campaign string) (passages, terms int) {
	s := x.find(campaign, false)
	return len(s.docs), len(s.terms)
}

// PassageSize is the maximum size of passages, in quarters of a token.
const PassageSize = passageSize

// Pieces splits a text.
func Pieces(text string) []string { return pieces(text) }
