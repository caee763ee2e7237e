package conflict

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
	"github.com/talewright/talewright/internal/wording"
)

// A Reading is a narration that was read once for all detectors. It must not be modified. It is
// safe for concurrent use.
type Reading struct {
	// Narration is the text as the model wrote it.
	Narration string
	// Structured holds the members next to the text.
	Structured map[string]json.RawMessage
	// View is the state after the actions of the turn.
	View View

	passage *parse.Passage
	chinese bool // the language of instructions

	found [2]struct { // see matches
		once sync.Once
		list []parse.Match
	}
}

// Read reads a narration. The package comment describes the steps.
func Read(narration string, structured map[string]json.RawMessage, view View) *Reading {
	return &Reading{
		Narration: narration, Structured: structured, View: view,
		passage: parse.New(narration, view.cast()),
		chinese: view.Language == "zh" || wording.IsChinese(narration),
	}
}

// matches returns the places where the wide patterns fit, or all others, in the order of the text.
func (r *Reading) matches(wide bool) []parse.Match {
	at := &r.found[0]
	if wide {
		at = &r.found[1]
	}
	at.once.Do(func() {
		at.list = r.passage.Matches(lexicon.Patterns(), wide)
		slices.SortStableFunc(at.list, func(a, b parse.Match) int { return a.Start - b.Start })
	})
	return at.list
}

// Asserted reports whether a claim, the bytes from start to end of the narration, is stated as a
// fact. It is not if it overlaps quoted speech, if its sentence is a question, or if a
// hypothetical, past, negated, intended or conditional word governs it.
func (r *Reading) Asserted(start, end int) bool {
	s := r.charsOf(start, end)
	return s.Start < s.End && !r.Speech(start, end) && r.passage.Asserted(s)
}

// Subject returns the tracked characters that are the subject of a claim beginning at the byte
// start, and whether this is certain. An empty list means an untracked subject or none. The rules,
// in order:
//
//  1. The subject is the last mention before the claim in its sentence: a name, an alias, 你 or
//     you (the acting character), 你们 or the party (its members). A possessive counts only if a
//     card or hp word follows.
//  2. The mention does not count if a verb of perception, command or telling is between, or a
//     different noun: …的守卫, the goblin. A pronoun (他, she) means the last named person that fits.
//  3. Without a mention, a claim at the beginning of its clause continues the possessor directly
//     before the comma, or the subject at the beginning of the sentence before.
//  4. A claim at the beginning of the first sentence is about the acting character, but this is
//     not certain.
func (r *Reading) Subject(start int) (ids []string, certain bool) {
	who := r.passage.Subject(r.passage.CharAt(start))
	return slices.Clone(who.IDs), len(who.IDs) > 0 && !who.Doubtful
}

func (r *Reading) instruction(kind string) string {
	return lexicon.Texts()[r.chinese][kind]
}

// Speech reports whether any byte from start to end is quoted speech or a title.
func (r *Reading) Speech(start, end int) bool {
	s := r.charsOf(start, end)
	return s.Start < s.End && slices.Contains(r.passage.Chars[s.Start:s.End], tokenize.MaskRune)
}

func (r *Reading) charsOf(start, end int) lexicon.Span {
	return lexicon.Between(r.passage.CharAt(start), r.passage.CharAt(end))
}
