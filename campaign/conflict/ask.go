package conflict

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/prose"
)

// What detectors of a host's own may ask a [Reading] beside [Reading.Asserted] and
// [Reading.Subject]. Places in the text are bytes of the narration; places outside of it are
// taken for the nearest in it.

// Chinese reports whether the narration is mainly Chinese, so that an instruction to the
// model should be.
func (r *Reading) Chinese() bool { return r.chinese }

// Sentence returns the sentence that holds a byte, without its final mark; ok is false before
// the first.
func (r *Reading) Sentence(at int) (start, end int, ok bool) {
	i := r.passage.SentenceAt(r.passage.CharAt(at))
	if i < 0 {
		return 0, 0, false
	}
	start, end = r.bytesOf(r.passage.Sentences[i].Span)
	return start, end, true
}

// Speech reports whether some of the bytes from start to end are quoted speech or a title.
func (r *Reading) Speech(start, end int) bool {
	s := r.charsOf(start, end)
	return s.Start < s.End && slices.Contains(r.passage.Chars[s.Start:s.End], prose.MaskRune)
}

// Number reads the number that begins at a byte, in digits, as a Chinese numeral or as an
// English word, and returns the byte behind it. Fractions, percentages and ranges are no
// numbers, and none is read within quoted speech.
func (r *Reading) Number(at int) (value, end int, ok bool) {
	n, ok := r.passage.NumberAt(r.passage.CharAt(at))
	if !ok {
		return 0, 0, false
	}
	_, end = r.bytesOf(n.Span)
	return n.Value, end, true
}

// AreasNamed returns the ids of the areas whose names stand within the bytes from start to
// end, in the order of the text; all areas that share a name.
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

// Affected reports whether an action of the turn affects a field, one of the constants Field…
// or a name of a host's own; with an id, whether it concerns that character or does not say
// whom it concerns.
func (r *Reading) Affected(field, id string) bool {
	if id == "" {
		return r.View.affected(field)
	}
	return r.View.affectedOf(field, id)
}

func (r *Reading) charsOf(start, end int) lexicon.Span {
	return lexicon.Between(r.passage.CharAt(start), r.passage.CharAt(end))
}

func (r *Reading) bytesOf(s lexicon.Span) (start, end int) {
	return r.passage.Bytes.Of(s.Start), r.passage.Bytes.Of(s.End)
}
