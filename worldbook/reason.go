package worldbook

import "math/bits"

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

// place is a [Place] in two bytes: the message that a key was found in, counted
// from the newest, or one of the values below.
type place int16

const (
	placeAnywhere place = -1 - iota
	placeWindow
	placePart // and below: partNames from their end
)

// reason spells out why a candidate is one.
func (c *candidate) reason() Reason {
	r := Reason{Kind: reasonKinds[c.why]}
	if c.why == whyKey {
		r.Key, r.Place = c.text, c.place.public()
	}
	return r
}

// keyText is a primary key as it is written.
func (s *scan) keyText(e *entry, k int) string {
	if !e.run {
		return e.src.Keys[k]
	}
	ref := e.firstKey + keyRef(k)
	m := &s.base.marks[ref]
	if m.size == longText {
		return s.c.match.texts[ref]
	}
	return s.c.match.allTexts[m.text:][:m.size]
}

func (p place) public() Place {
	switch {
	case p >= 0:
		return Place{"message", int(p)}
	case p == placeAnywhere:
		return Place{"anywhere", -1}
	case p == placeWindow:
		return Place{"window", -1}
	}
	return Place{partNames[placePart-p], -1}
}

// placeOf says where a key that is in the window was found.
func (s *scan) placeOf(ref keyRef, w window) place {
	h, ref := s.resolve(ref)
	if ref == refAlways {
		return placeAnywhere
	}
	if h.any.has(int(ref)) {
		m := &h.marks[ref]
		if int(m.depth) < w.depth {
			return place(m.depth)
		}
		if in := m.parts & w.parts; in != 0 {
			return placePart - place(bits.TrailingZeros8(uint8(in)))
		}
	}
	return placeWindow
}
