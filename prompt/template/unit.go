package template

import (
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/worldbook"
)

// Piece is an authored text in a message.
type Piece struct {
	Text string
	// Path is the place of the text in the content, for problems.
	Path string
	// ID names the entry of the text, for getwi without a book and for [Write]. It has an effect if
	// the piece runs alone.
	ID worldbook.ID
	// Lore marks the text of an entry. It is left out if it fails; of any other text only the tags
	// are left out.
	Lore bool
	// Private keeps the constants and variables of the text from other pieces: decorator @@private.
	Private bool
}

// Unit runs the pieces of one message as one text, as the extension of SillyTavern does. A name of
// one piece is known in the next, and an if may span pieces. If that fails, its writes are undone
// and each piece runs alone. A piece that fails then is left out, or its tags are, and is listed in
// [Build.Problems]. If every piece succeeds alone, nothing is reported: all texts are as their
// authors wrote them.
//
// Unit returns the text of each piece. If a loop spans pieces, the last of them has the text of all
// rounds after the first.
func (b *Build) Unit(pieces ...Piece) []string {
	if len(pieces) > 1 && slices.ContainsFunc(pieces, func(p Piece) bool { return hasTag(p.Text) }) {
		if out, err := b.runTogether(pieces); err == nil {
			return out
		}
	}
	out := make([]string, len(pieces))
	for i, p := range pieces {
		out[i] = b.runAlone(p)
	}
	return out
}

// runTogether runs pieces as one text and divides its output.
func (b *Build) runTogether(pieces []Piece) ([]string, error) {
	texts, origins := make([]string, len(pieces)), make([]origin, len(pieces))
	for i, p := range pieces {
		if texts[i] = p.Text; p.Private {
			texts[i] = "<%{%>" + p.Text + "<%}%>"
		}
		origins[i] = b.originOf(p.ID)
	}
	out := make([]string, len(pieces))
	_, err := b.try(func() string {
		t := b.compile(texts...)
		f := &frame{build: b, src: &t.src, origins: origins, out: new(strings.Builder)}
		b.runFrame(t, f)
		all, from := f.out.String(), 0
		for i := range out {
			to := len(all)
			if i < len(f.pieceStarts) {
				to = f.pieceStarts[i]
			}
			out[i] = clean(mend(all[from:to]))
			from = to
		}
		return ""
	})
	return out, err
}

// runAlone runs one piece. If it fails, that is reported, and the result is what Env.Raw and Piece.Lore
// say.
func (b *Build) runAlone(p Piece) string {
	out, err := b.runText(p.Text, b.originOf(p.ID))
	switch {
	case err == nil:
		return out
	case b.env.Raw:
		out = p.Text
	case !p.Lore:
		out = b.expand(withoutTags(p.Text), "")
	}
	b.report(p.Path, err)
	return out
}

// runText runs a text of an entry, or any other text with an empty origin.
func (b *Build) runText(text string, of origin) (string, error) {
	return b.try(func() string { return b.run(b.compile(text), nil, of) })
}

// Preview returns the text that a piece would have if it ran alone now. The build does not change.
// random returns the random numbers of the text; nil returns 0. A text that needs the engine fails.
// ok is false for a text that fails. All previews together have the limits of one build.
func (b *Build) Preview(p Piece, random func() float64) (text string, ok bool) {
	before := *b // restored below; a copy cannot run the text, because functions of earlier texts belong to b
	b.dry, b.env.DryRun, b.env.Random, b.env.Engine = true, true, random, nil
	b.lastIndexes, b.usage = maps.Clone(b.lastIndexes), b.previewed
	text, err := b.runText(p.Text, b.originOf(p.ID))
	after := *b
	*b = before
	b.previewed = after.usage
	b.entriesByID, b.sortedEntries = after.entriesByID, after.sortedEntries // these do not depend on texts
	b.definedIsShared = true
	return text, err == nil
}

// originOf returns an entry and its book by its ID. Of several entries with one ID it is the first.
// Without such an entry both are nil.
func (b *Build) originOf(id worldbook.ID) origin {
	if id == (worldbook.ID{}) {
		return origin{}
	}
	if b.entriesByID == nil {
		b.entriesByID = map[worldbook.ID]origin{}
		for i := range b.env.Books {
			book := &b.env.Books[i]
			for j := range book.Entries {
				e := &book.Entries[j]
				if _, known := b.entriesByID[idOf(book, e)]; !known {
					b.entriesByID[idOf(book, e)] = origin{book, e}
				}
			}
		}
	}
	return b.entriesByID[id]
}

// report adds the error of a text to the problems.
func (b *Build) report(path string, err error) {
	if e, ok := err.(*Error); ok {
		b.problems = append(b.problems, e.problem(path))
	}
}

// withoutTags returns the text outside of the tags. A tag that is not closed takes the rest.
func withoutTags(text string) string {
	s := newSource(text)
	chunks, _ := s.split() // with an error: those before the open tag
	var b strings.Builder
	for _, c := range chunks {
		if c.kind == literal {
			b.WriteString(c.text)
		}
	}
	return b.String()
}
