package worldbook

import "github.com/talewright/talewright/worldbook/internal/match"

// why is a [ReasonKind] in one byte.
type why uint8

const (
	whyKey why = iota
	whyDecorator
	whyForce
	whyConstant
	whySticky
	whyEarlierMatch
)

var reasonKinds = [...]ReasonKind{ByKey, ByDecorator, ByForce, ByConstant, BySticky, ByEarlierMatch}

// reason spells out why a candidate is one.
func (c *candidate) reason() Reason {
	r := Reason{Kind: reasonKinds[c.why]}
	if c.why == whyKey {
		r.Key, r.Place = c.text, publicPlace(c.place)
	}
	return r
}

// publicPlace spells out a place.
func publicPlace(p match.Place) Place {
	switch {
	case p >= 0:
		return Place{"message", int(p)}
	case p == match.Anywhere:
		return Place{"anywhere", -1}
	case p == match.Spread:
		return Place{"window", -1}
	}
	return Place{p.Part(), -1}
}
