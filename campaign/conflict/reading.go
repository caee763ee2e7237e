package conflict

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/reading"
	"github.com/talewright/talewright/internal/wording"
)

// A Reading is a narration read once for all detectors. It must not be
// modified; it is safe for concurrent use.
type Reading struct {
	// Narration is the text as the model wrote it.
	Narration string
	// Structured holds the members that came beside the text.
	Structured map[string]json.RawMessage
	// View is the state after the actions of the turn.
	View View

	passage *reading.Passage
	chinese bool // the language to answer in
}

// Read reads a narration. See the package comment for the steps.
func Read(narration string, structured map[string]json.RawMessage, view View) *Reading {
	return &Reading{
		Narration: narration, Structured: structured, View: view,
		passage: reading.New(narration, view.cast()),
		chinese: view.Language == "zh" || wording.IsChinese(narration),
	}
}

// Asserted reports whether the bytes from start to end of the narration, a
// claim found by the caller, are told as a fact. They are not if they touch
// quoted speech, if their sentence is a question, or if a hypothetical, past,
// negated, intended or conditional word governs them.
func (r *Reading) Asserted(start, end int) bool {
	s := r.charsOf(start, end)
	return s.Start < s.End && !r.Speech(start, end) && r.passage.Asserted(s)
}

// Subject returns the tracked characters that a claim beginning at the byte
// start is about, and whether that is certain. None means that somebody
// untracked, or nobody, is meant. Rules in order:
//
//  1. The last mention before the claim in its sentence: a name, an alias, 你
//     or you (the acting character), 你们 or the party (its members). A
//     possessive counts only if a card or hp word follows.
//  2. Not if a verb of perception, command or telling stands between, nor if
//     another noun does: …的守卫, the goblin. A pronoun (他, she) is the last named
//     person that fits.
//  3. Without a mention, a claim that opens its clause continues the possessor
//     just before the comma, or the subject that began the sentence before.
//  4. A claim that opens the first sentence is about the acting character, but
//     that is not certain.
func (r *Reading) Subject(start int) (ids []string, certain bool) {
	who := r.passage.Subject(r.passage.CharAt(start))
	return slices.Clone(who.IDs), len(who.IDs) > 0 && !who.Doubtful
}

// claimed returns the conflict of a claim, a warning if it is doubtful, for a detector to fill
// in the field and what is wrong.
func (r *Reading) claimed(kind string, claim lexicon.Span, doubtful bool) Conflict {
	c := Conflict{Kind: kind, Severity: Block, Quote: r.passage.Quote(claim), Instruction: r.instruction(kind)}
	if doubtful {
		c.Severity = Warn
	}
	return c
}

func (r *Reading) instruction(kind string) string {
	return instructions[r.chinese][kind]
}
