package card

import "github.com/talewright/talewright"

// ParseJSON reads a card from JSON, without the detection of [Parse].
func ParseJSON(data []byte) (Card, talewright.Problems) {
	c, problems, err := decodeJSON(data)
	if err != nil {
		return Card{}, fatal(err)
	}
	return c, problems
}

// ParsePNG reads a card from a picture, without the detection of [Parse].
func ParsePNG(data []byte) (Card, talewright.Problems) { return contained(openPNG(data)) }

// ParseCHARX reads a card from an archive, without the detection of [Parse].
func ParseCHARX(data []byte) (Card, talewright.Problems) { return contained(openCHARX(data)) }

func contained(f *File, err error) (Card, talewright.Problems) {
	if err != nil {
		return Card{}, fatal(err)
	}
	return f.Card, f.Problems
}
