package conflict

import (
	"encoding/json"
	"slices"
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

	plain   []rune // normalised
	text    []rune // normalised and masked: what claims are read from
	ascii   string // text with one byte for each character, 0x80 for the others
	bytes   bytePlaces
	chinese bool // the language to answer in
	actor   []string

	words      *hits
	sentences  []sentence
	clauses    []clause
	mentions   []mention // that can be subjects
	named      []mention // that are no possessives
	possessors []mention // possessives of other things than cards and hp
	called     []mention // by a name, whatever their place
	places     []place
}

// Read reads a narration. See the package comment for the steps.
func Read(narration string, structured map[string]json.RawMessage, view View) *Reading {
	r := &Reading{Narration: narration, Structured: structured, View: view}
	r.chinese = isChinese(narration)
	r.actor = []string{view.ActorID}
	r.plain, r.bytes = runesOf(narration)
	r.text = maskSpeech(r.plain)
	r.ascii = asciiOf(r.text)
	r.words = bothLanguages.find(r.text)
	r.findLabels()
	r.sentences = cutSentences(r.text)
	r.clauses = cutClauses(r.text, r.sentences, r.words[connective])
	r.findNames()
	return r
}

// Asserted reports whether the bytes from start to end of the narration, a
// claim found by the caller, are told as a fact. They are not if they touch
// quoted speech, if their sentence is a question, or if a hypothetical, past,
// negated, intended or conditional word governs them.
func (r *Reading) Asserted(start, end int) bool {
	s := span{r.charAt(start), r.charAt(end)}
	if s.start >= s.end || slices.Contains(r.text[s.start:s.end], maskRune) {
		return false
	}
	return r.asserted(s)
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
	who := r.subject(r.charAt(start))
	return slices.Clone(who.ids), len(who.ids) > 0 && !who.doubtful
}

// charAt returns the character that holds the byte offset.
func (r *Reading) charAt(offset int) int {
	return r.bytes.charAt(offset)
}

// quote returns the narration's own bytes for a span.
func (r *Reading) quote(s span) string {
	return r.Narration[r.bytes.of(s.start):r.bytes.of(s.end)]
}

func (r *Reading) instruction(kind string) string {
	return instructions[r.chinese][kind]
}

// is reports whether the character at pos is c.
func (r *Reading) is(pos int, c rune) bool {
	return 0 <= pos && pos < len(r.text) && r.text[pos] == c
}

// isOneOf reports whether the character at pos is one of chars.
func (r *Reading) isOneOf(pos int, chars string) bool {
	if pos < 0 || pos >= len(r.text) {
		return false
	}
	for _, c := range chars {
		if r.text[pos] == c {
			return true
		}
	}
	return false
}

// skipSpace returns the first place at or after pos that is no space.
func (r *Reading) skipSpace(pos int) int {
	for r.is(pos, ' ') {
		pos++
	}
	return pos
}

// maxWord bounds the ASCII words that are read, in characters: what is longer is no
// word that anything here looks for, and is not read over and over.
const maxWord = 64

// wordAt returns the ASCII word at pos, empty if there is none; of a longer word than
// maxWord its beginning.
func (r *Reading) wordAt(pos int) span {
	end := pos
	for end < len(r.text) && end-pos < maxWord && isWord(r.text[end]) {
		end++
	}
	return span{pos, end}
}

// word returns a span of ASCII words as a string.
func (r *Reading) word(s span) string { return r.ascii[s.start:s.end] }

// unbroken reports whether no mark of punctuation or speech lies in [start, end).
func (r *Reading) unbroken(start, end int) bool {
	return !slices.ContainsFunc(r.text[start:max(start, end)], isBreak)
}

// maxSkipped bounds the words that skipWords moves past, so that a text of
// nothing else is not read over and over.
const maxSkipped = 8

// skipWords moves past words of the classes and the spaces between them.
func (r *Reading) skipWords(pos int, tags ...tag) int {
	for range maxSkipped {
		pos = r.skipSpace(pos)
		longest := pos
		for _, t := range tags {
			if w, ok := r.words.at(t, pos); ok {
				longest = max(longest, w.end)
			}
		}
		if longest == pos {
			break
		}
		pos = longest
	}
	return r.skipSpace(pos)
}

// character returns a tracked character, nil if there is none of that id.
func (r *Reading) character(id string) *Character {
	for i := range r.View.Characters {
		if c := &r.View.Characters[i]; c.ID == id {
			return c
		}
	}
	return nil
}

// area returns a known area, nil if there is none of that id.
func (r *Reading) area(id string) *Area {
	for i := range r.View.Areas {
		if a := &r.View.Areas[i]; a.ID == id {
			return a
		}
	}
	return nil
}

// affected reports whether an action of the turn affects the field.
func (r *Reading) affected(field string) bool {
	return slices.ContainsFunc(r.View.Actions, func(a Action) bool {
		return slices.Contains(a.Affects, field)
	})
}
