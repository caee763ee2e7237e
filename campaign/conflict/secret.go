package conflict

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
	"github.com/talewright/talewright/internal/wording"
)

// The secret files find the words of a hidden goal in a text.

// Lengths of the runs that reveal the hidden goal.
const (
	leakRunes = 12 // for a mainly Chinese goal
	leakWords = 6  // for any other goal
	// A run may continue in the next sentence, after at most gap units of it, if each of the two
	// sentences has at least part units of the run.
	gapRunes, partRunes = 4, 3
	gapWords, partWords = 3, 2
)

// plainTexts are buffers for the characters of texts, so that a turn allocates less.
var plainTexts = sync.Pool{New: func() any { return new([]rune) }}

// secret is a hidden goal prepared for the search: the runs of units that reveal it. Units are
// characters of a mainly Chinese goal and words of any other. Punctuation and spaces are not units.
type secret struct {
	chinese bool
	size    int             // units in a run; 0: there is nothing to find
	runs    map[string]bool // in the form of appendUnits
	starts  map[string]bool // the first units of runs
}

func secretOf(goal string) secret {
	s := secret{chinese: wording.IsChinese(goal), size: leakWords}
	if s.chinese {
		s.size = leakRunes
	}
	text, _ := tokenize.Normal(goal)
	units := s.take(nil, text, 0, len(text))
	if s.size = min(s.size, len(units)); s.size == 0 {
		return s
	}
	// A set of all runs needs one look-up for each unit of a text, however long the goal is.
	s.runs, s.starts = map[string]bool{}, map[string]bool{}
	for i := 0; i+s.size <= len(units); i++ {
		s.runs[string(appendUnits(nil, text, units[i:i+s.size]))] = true
		s.starts[string(appendUnits(nil, text, units[i:i+1]))] = true
	}
	return s
}

// next returns the first unit of a text that begins at from or after it.
func (s secret) next(text []rune, from int) (unit lexicon.Span, ok bool) {
	for from < len(text) && !s.inside(text[from]) {
		from++
	}
	end := from
	for end < len(text) && (s.inside(text[end]) || end > from && invisible(text[end])) && (end == from || !s.chinese) {
		end++
	}
	return lexicon.Between(from, end), from < end
}

// invisible reports whether a character is invisible to readers, such as a space without width.
func invisible(c rune) bool { return unicode.In(c, unicode.Cf, unicode.Mn) }

// inside reports whether a character is part of a unit.
func (s secret) inside(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '\'' && !s.chinese
}

// take appends at most n units of a text, starting at a position.
func (s secret) take(units []lexicon.Span, text []rune, from, n int) []lexicon.Span {
	for range n {
		unit, ok := s.next(text, from)
		if !ok {
			break
		}
		units, from = append(units, unit), unit.End
	}
	return units
}

// A seeker searches for a secret in a text. It reuses its buffers for each unit: see
// BenchmarkTurn/history=N of package campaign.
type seeker struct {
	secret
	text  []rune
	units []lexicon.Span
	key   []byte
}

// begins reports whether a run of the goal can begin with a unit.
func (k *seeker) begins(unit lexicon.Span) bool {
	k.units = append(k.units[:0], unit)
	return k.starts[string(k.keyOf(k.units))]
}

// runAt returns the units of a run of the goal that begins with the given unit. spare, 0 or 1, is
// the number of extra units that may be in the run. It returns none if there is no run.
func (k *seeker) runAt(unit lexicon.Span, spare int) []lexicon.Span {
	gap, part := gapWords, partWords
	if k.chinese {
		gap, part = gapRunes, partRunes
	}
	k.units = k.take(k.units[:0], k.text, unit.Start, k.size+gap)
	if len(k.units) < k.size {
		return nil
	}
	if run := k.units[:k.size]; k.runs[string(k.keyOf(run))] {
		return run
	}
	if run := k.twoSentences(gap, part); run != nil {
		return run
	}
	if k.units = k.units[:min(len(k.units), k.size+spare)]; len(k.units) == k.size || k.size < 3 {
		return nil
	}
	for skip := 1; skip < k.size; skip++ {
		key := appendUnits(k.key[:0], k.text, k.units[:skip])
		if k.key = appendUnits(key, k.text, k.units[skip+1:]); k.runs[string(k.key)] {
			return k.units
		}
	}
	return nil
}

// twoSentences returns the units of a run that begins in one sentence and ends in the next, with at
// most gap extra units between its two parts. It returns none if there is no such run.
func (k *seeker) twoSentences(gap, part int) []lexicon.Span {
	for at := part; at+part <= k.size; at++ {
		for more := 1; more <= gap && k.size+more <= len(k.units); more++ {
			if !slices.ContainsFunc(k.text[k.units[at-1].End:k.units[at+more].Start], endsSentence) {
				continue
			}
			key := appendUnits(k.key[:0], k.text, k.units[:at])
			if k.key = appendUnits(key, k.text, k.units[at+more:k.size+more]); k.runs[string(k.key)] {
				return k.units[:k.size+more]
			}
		}
	}
	return nil
}

// endsSentence reports whether a character ends a sentence.
func endsSentence(c rune) bool { return strings.ContainsRune(".!?;。！？；…\n", c) }

func (k *seeker) keyOf(units []lexicon.Span) []byte {
	k.key = appendUnits(k.key[:0], k.text, units)
	return k.key
}

// appendUnits appends the units to a key, with a separator.
func appendUnits(key []byte, text []rune, units []lexicon.Span) []byte {
	for _, u := range units {
		for _, c := range text[u.Start:u.End] {
			if !invisible(c) {
				key = utf8.AppendRune(key, c)
			}
		}
		key = append(key, ' ')
	}
	return key
}

// find returns the first run of a goal in a text that reveals it: 12 characters of a mainly Chinese
// goal (or all of a shorter one), otherwise 6 consecutive words (or all). Punctuation, spaces and
// invisible characters do not count. A run may continue in the next sentence after a few words of
// it.
func find(text, goal string) (run lexicon.Span, ok bool) {
	s := secretOf(goal)
	if s.size == 0 {
		return lexicon.Span{}, false
	}
	buffer := plainTexts.Get().(*[]rune)
	plain, _ := tokenize.NormalIn((*buffer)[:0], text)
	defer func() { *buffer = plain; plainTexts.Put(buffer) }()
	seek := seeker{secret: s, text: plain}
	for unit, ok := s.next(plain, 0); ok; unit, ok = s.next(plain, unit.End) {
		if !seek.begins(unit) {
			continue
		}
		if run := seek.runAt(unit, 0); run != nil {
			return lexicon.Between(run[0].Start, run[len(run)-1].End), true
		}
	}
	return lexicon.Span{}, false
}
