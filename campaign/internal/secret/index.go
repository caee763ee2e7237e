package secret

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
)

// keyOf returns a path as a map key. Different paths have different keys.
func keyOf(p tree.Path) string {
	var b strings.Builder
	for _, segment := range p {
		b.WriteString(strconv.Itoa(len(segment)))
		b.WriteByte(':')
		b.WriteString(segment)
	}
	return b.String()
}

// prefixKeys yields the keys of a path and of all its prefixes, from the root.
func prefixKeys(p tree.Path, yield func(key string) bool) {
	key := keyOf(p)
	end := 0
	for _, segment := range p {
		end += len(strconv.Itoa(len(segment))) + 1 + len(segment)
		if !yield(key[:end]) {
			return
		}
	}
}

// index finds notes by their paths.
type index struct {
	notes state.AudienceNotes
	first map[string]int // the first note of each path
}

// newIndex returns an index of notes.
func newIndex(notes state.AudienceNotes) index {
	x := index{notes, make(map[string]int, len(notes))}
	for i, n := range notes {
		if key := keyOf(n.Of); !x.has(key) {
			x.first[key] = i
		}
	}
	return x
}

// has reports whether a note has the path with this key.
func (x index) has(key string) bool {
	_, ok := x.first[key]
	return ok
}

// witnesses returns the same as [state.AudienceNotes.Witnesses], without a walk over all notes.
func (x index) witnesses(of tree.Path) []string {
	found := len(x.notes)
	for key := range func(yield func(string) bool) { prefixKeys(of, yield) } {
		if i, ok := x.first[key]; ok {
			found = min(found, i)
		}
	}
	if found == len(x.notes) {
		return nil
	}
	return x.notes[found].Witnesses
}

// withNotes returns the same as repeated calls of [state.AudienceNotes.With], one for each new note,
// without the notes that do not pass.
func withNotes(notes state.AudienceNotes, added []state.AudienceNote, pass func(state.AudienceNote) bool) state.AudienceNotes {
	last := make(map[string]int, len(added))
	for i, n := range added {
		last[keyOf(n.Of)] = i
	}
	replaced := func(n state.AudienceNote, at int) bool {
		for key := range func(yield func(string) bool) { prefixKeys(n.Of, yield) } {
			if by, ok := last[key]; ok && by > at {
				return true
			}
		}
		return false
	}
	var out state.AudienceNotes
	for _, n := range notes {
		if !replaced(n, -1) && pass(n) {
			out = append(out, n)
		}
	}
	for i, n := range added {
		if len(n.Witnesses) > 0 && !replaced(n, i) && pass(n) {
			out = append(out, n)
		}
	}
	return out
}

// hiddenSet finds its texts in other texts. The time hardly depends on the size of the set.
type hiddenSet struct {
	texts     []string
	witnesses [][]string      // the characters who know each text
	byText    map[string]int  // from a text to its index
	longTexts []int           // the indexes of the texts that are long enough to count as repeated
	index     *keyindex.Index // of the long texts; nil if there are few
}

// maxPlainSearch is the number of texts up to which a plain search is faster.
const maxPlainSearch = 8

// newHiddenSet makes a set of texts with the characters who know them. For a text that occurs several
// times it takes the characters who know all occurrences.
func newHiddenSet(list []hiddenText) *hiddenSet {
	s := &hiddenSet{byText: map[string]int{}}
	var keys []keyindex.Key
	for _, h := range list {
		if h.text == "" {
			continue
		}
		if at, known := s.byText[h.text]; known {
			s.witnesses[at] = commonWitnesses(s.witnesses[at], h.witnesses)
			continue
		}
		s.byText[h.text] = len(s.texts)
		if len(h.text) >= minRepeated {
			s.longTexts = append(s.longTexts, len(s.texts))
			keys = append(keys, keyindex.Key{Text: strings.ToValidUTF8(h.text, "\uFFFD")})
		}
		s.texts, s.witnesses = append(s.texts, h.text), append(s.witnesses, h.witnesses)
	}
	if len(keys) > maxPlainSearch {
		s.index = keyindex.Build(keys)
	}
	return s
}

// foundIn returns the indexes of the long texts that text contains, in order.
func (s *hiddenSet) foundIn(text string) (places []int) {
	if len(s.longTexts) == 0 || len(text) < minRepeated {
		return nil
	}
	if s.index == nil {
		for _, at := range s.longTexts {
			if strings.Contains(text, s.texts[at]) {
				places = append(places, at)
			}
		}
		return places
	}
	for _, hit := range s.index.Scan(nil, []byte(strings.ToValidUTF8(text, "\uFFFD")), nil) {
		places = append(places, s.longTexts[hit])
	}
	slices.Sort(places)
	return places
}
