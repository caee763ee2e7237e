package prompt

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/llm"
)

// shown reports whether an element of the history is a line of this prompt.
func (b *build) shown(l *Line) bool {
	return !l.Hidden && (b.in.Tools || len(l.Calls) == 0)
}

// collectLines counts the visible history, applies what the kind of generation
// does to it, and takes up the lines that stand for themselves. All others wait
// in the runs until somebody looks at them: of a long history most never are,
// and they cost no memory.
func (b *build) collectLines() {
	for i := range b.in.History {
		switch l := &b.in.History[i]; {
		case l.Hidden:
		case !b.shown(l):
			b.rounds++
		default:
			b.said, b.last = b.said+1, i
		}
	}
	b.visible = b.said
	b.generation()
	b.depths = b.visible + b.absent
	recent := max(cmp.Or(b.layout.Recent, defaultRecent), 0)
	first := max(b.visible-recent, 0) // of the recent lines
	b.runs[0] = run{keep: cmp.Or(b.layout.RecentKeep, recentKeep), oldest: first,
		next: b.said - 1, at: b.last}
	b.runs[1] = run{keep: cmp.Or(b.layout.OlderKeep, olderKeep), next: min(first, b.said) - 1}
	index := 0
	for i := 0; index < b.said; i++ {
		src := &b.in.History[i]
		if !b.shown(src) {
			continue
		}
		r := &b.runs[0]
		if index < first {
			r = &b.runs[1]
			r.at = i
		}
		if b.special(src, index, r.keep) {
			b.lines = append(b.lines, b.newLine(src, index, r.keep))
		}
		index++
	}
	if b.replaced != nil {
		b.lines = append(b.lines, b.newLine(b.replaced, b.said, b.runs[0].keep))
	}
}

// special reports whether a line competes by itself and not in its run.
func (b *build) special(src *Line, index, keep int) bool {
	return src.Required || b.newest(index) || src.Keep != nil && *src.Keep != keep
}

// newest reports whether a line is the newest element of the history. Where that
// is being continued it stands behind the last slot, and no line is.
func (b *build) newest(index int) bool {
	return index == b.visible-1 && b.in.Generation != Continue
}

// newLine takes up a line.
func (b *build) newLine(src *Line, index, keep int) *line {
	if src.Keep != nil {
		keep = *src.Keep
	}
	return &line{src: src, index: index, keep: keep, message: -1,
		required: src.Required || b.newest(index)}
}

// generation adds or takes away the newest line.
func (b *build) generation() {
	newest := b.newestLine()
	if newest == nil {
		return
	}
	switch b.in.Generation {
	case Continue:
		b.tail.continued = &line{src: newest, index: b.said - 1, message: -1, required: true}
		b.name(lastChatMessage, newest.Text)
		b.withoutNewest()
		if !b.in.ContinueByPrefill {
			b.absent = 1 // depth counts as if it were still in its place
		}
		return
	case Swipe:
		if newest.spoken() {
			b.leaveOut(newest, lineKey(b.said-1), string(Swipe))
			b.withoutNewest()
			newest = b.newestLine()
		}
	}
	if newest != nil && newest.spoken() && !b.blank(b.in.Replacement) {
		b.replaced = &Line{Role: llm.User, Text: b.in.Replacement}
		b.visible++
	}
}

// newestLine returns the newest line that is shown, nil if there is none.
func (b *build) newestLine() *Line {
	if b.visible == 0 || b.history < 0 {
		return nil
	}
	return &b.in.History[b.last]
}

// spoken reports whether the character has said the line.
func (l *Line) spoken() bool { return l.Role == llm.Assistant && len(l.Calls) == 0 }

// withoutNewest takes the newest line out of the history.
func (b *build) withoutNewest() {
	b.said--
	b.visible--
	for b.last--; b.last >= 0 && !b.shown(&b.in.History[b.last]); {
		b.last--
	}
}

// run is a stretch of the history whose lines have one keep, special ones not
// counted. Its lines are taken up one by one, the newest first.
type run struct {
	keep   int
	oldest int     // index of the last line to come
	lines  []*line // taken up so far
	next   int     // index of the next one
	at     int     // and its place in the history, or behind it
}

// lineOf returns the n-th newest line of a run, nil if it has no such line.
func (b *build) lineOf(r *run, n int) *line {
	for ; n >= len(r.lines) && r.next >= r.oldest; r.at-- {
		src := &b.in.History[r.at]
		if !b.shown(src) {
			continue
		}
		if !b.special(src, r.next, r.keep) {
			r.lines = append(r.lines, b.newLine(src, r.next, r.keep))
		}
		r.next--
	}
	if n >= len(r.lines) {
		return nil
	}
	return r.lines[n]
}

// gather puts all lines that were taken up into one list, oldest first.
func (b *build) gather() {
	b.lines = slices.Concat(b.lines, b.runs[0].lines, b.runs[1].lines)
	slices.SortFunc(b.lines, func(x, y *line) int { return cmp.Compare(x.index, y.index) })
}
