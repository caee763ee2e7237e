package conflict

import "github.com/talewright/talewright/campaign/conflict/internal/lexicon"

// The methods in this file are for detectors of a host, in addition to [Reading.Asserted] and
// [Reading.Subject]. Positions are bytes of the narration. A position outside the text counts as
// the nearest one in it.

// Chinese reports whether the narration is mainly Chinese. Instructions to the model should then be
// in Chinese.
func (r *Reading) Chinese() bool { return r.chinese }

// Sentence returns the sentence that contains a byte, without its final mark. ok is false before
// the first sentence.
func (r *Reading) Sentence(at int) (start, end int, ok bool) {
	i := r.passage.SentenceAt(r.passage.CharAt(at))
	if i < 0 {
		return 0, 0, false
	}
	start, end = r.bytesOf(r.passage.Sentences[i].Span)
	return start, end, true
}

// Number reads the number that begins at a byte: digits, a Chinese numeral or an English word. It
// returns the value and the byte after the number. It does not read fractions, percentages, ranges,
// or anything in quoted speech.
func (r *Reading) Number(at int) (value, end int, ok bool) {
	n, ok := r.passage.NumberAt(r.passage.CharAt(at))
	if !ok {
		return 0, 0, false
	}
	_, end = r.bytesOf(n.Span)
	return n.Value, end, true
}

// AreasNamed returns the IDs of the areas whose names are within the bytes from start to end, in
// the order of the text. For a shared name it returns all its areas.
func (r *Reading) AreasNamed(start, end int) []string {
	s := r.charsOf(start, end)
	var ids []string
	for _, p := range r.passage.Places {
		if p.Start >= s.Start && p.End <= s.End {
			ids = append(ids, p.IDs...)
		}
	}
	return ids
}

// Character returns a tracked character of the view.
func (r *Reading) Character(id string) (Character, bool) {
	if c := r.View.character(id); c != nil {
		return *c, true
	}
	return Character{}, false
}

// Area returns a known area of the view.
func (r *Reading) Area(id string) (Area, bool) {
	if a := r.View.area(id); a != nil {
		return *a, true
	}
	return Area{}, false
}

// Affected reports whether an action of the turn affects a field. The field is one of the constants
// Field… or a host's own name. If id is not empty, the action must concern this character or name
// no character.
func (r *Reading) Affected(field, id string) bool {
	return r.View.affected(field, id)
}

func (r *Reading) bytesOf(s lexicon.Span) (start, end int) {
	return r.passage.Bytes.Of(s.Start), r.passage.Bytes.Of(s.End)
}
