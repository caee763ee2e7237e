package reply

import (
	"strings"
	"unicode"
)

// remainder is what hidden passages left of a reply, with the places at which its bytes
// stood before.
type remainder struct {
	text string
	at   []int // nil: nothing is gone
}

// origin is a place of the remainder in the reply. What was cut out of the middle of a
// passage belongs to it.
func (r remainder) origin(s span) Passage {
	switch {
	case r.at == nil:
		return Passage{From: s.from, To: s.to}
	case s.from < s.to:
		return Passage{From: r.at[s.from], To: r.at[s.to-1] + 1}
	case s.from < len(r.at):
		return Passage{From: r.at[s.from], To: r.at[s.from]}
	case s.from > 0: // at the end
		return Passage{From: r.at[s.from-1] + 1, To: r.at[s.from-1] + 1}
	}
	return Passage{}
}

// within keeps places inside of a text of the given length.
func within(places []span, length int) []span {
	for i, p := range places {
		to := min(max(p.to, 0), length)
		places[i] = span{min(max(p.from, 0), to), to}
	}
	return places
}

// without cuts passages out. The line break of a passage stays, and of more than two in a
// row two.
func (r remainder) without(places []span) remainder {
	out := make([]byte, 0, len(r.text))
	at := make([]int, 0, len(r.text))
	breaks := 0
	keep := func(from, to int) {
		for i := from; i < to; i++ {
			if breaks++; r.text[i] != '\n' {
				breaks = 0
			} else if breaks > 2 {
				continue
			}
			out = append(out, r.text[i])
			if r.at == nil {
				at = append(at, i)
			} else {
				at = append(at, r.at[i])
			}
		}
	}
	last := 0
	for _, p := range places {
		keep(last, max(last, p.from))
		last = max(last, p.to)
	}
	keep(last, len(r.text))
	text := string(out)
	start := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	text = strings.TrimSpace(text)
	return remainder{text, at[start : start+len(text)]}
}
