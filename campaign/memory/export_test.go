package memory

// Terms are the terms of a text, in their order.
func Terms(text string) []string {
	var out []string
	terms(text, func(term []byte) { out = append(out, string(term)) })
	return out
}

// Held is how many passages, dead ones among them, and terms an index holds of a campaign.
func (x *Index) Held(campaign string) (passages, terms int) {
	s := x.find(campaign)
	return len(s.docs), len(s.terms)
}

// PassageSize is how long passages get, in quarters of a token.
const PassageSize = passageSize

// Pieces divides a text.
func Pieces(text string) []string { return pieces(text) }
