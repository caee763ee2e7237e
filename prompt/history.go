package prompt

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// The keeps of lines are between the keeps of the slots of [Default]: recent lines are kept longer
// than lore, lore is kept longer than older lines.
const (
	defaultRecent = 4 // lines
	recentKeep    = 800
	olderKeep     = 400
)

// chat is the history of a prompt. Its lines stay in two runs until the build reads them: most
// lines of a long history are never read and cost no memory.
type chat struct {
	layout     *Layout
	in         *Input
	user, char string
	slot       int // of the layout, -1 if it has none
	// expand returns the text of a line without its name. texts has the lines that an expansion of
	// the whole history changed.
	expand func(src *Line, index int) string
	texts  map[int]string

	said      int   // visible elements of the history
	last      int   // index of the newest of them
	visible   int   // number of lines, the replacement included
	absent    int   // removed lines that depth still counts
	rounds    int   // tool rounds that are left out
	replaced  *Line // comes after the lines, see [Input.Replacement]
	continued *line // the line that a [worldbook.Continue] continues; it comes after the last slot
	swiped    *line // the line that a [worldbook.Swipe] replaces
	runs      [2]run
	lines     []*line // special lines; after the choice all lines that were read
}

// run is a part of the history whose lines have the same keep, except special lines. Its lines are
// loaded one by one, the newest first.
type run struct {
	keep   int
	oldest int     // index of the last line to load
	lines  []*line // loaded so far
	next   int     // index of the next one
	at     int     // and its index in the history, or after it
}

// newChat counts the visible history, applies the kind of generation, and loads the special lines.
func newChat(layout *Layout, in *Input, env *Env) *chat {
	c := &chat{layout: layout, in: in, user: env.User, char: env.Char, slot: layout.historySlot()}
	for i := range in.History {
		switch l := &in.History[i]; {
		case l.Hidden:
		case !c.shown(l):
			c.rounds++
		default:
			c.said, c.last = c.said+1, i
		}
	}
	c.visible = c.said
	c.generation()
	recent := max(cmp.Or(layout.Recent, defaultRecent), 0)
	first := max(c.visible-recent, 0) // of the recent lines
	c.runs[0] = run{keep: cmp.Or(layout.RecentKeep, recentKeep), oldest: first,
		next: c.said - 1, at: c.last}
	c.runs[1] = run{keep: cmp.Or(layout.OlderKeep, olderKeep), next: min(first, c.said) - 1}
	index := 0
	for i := 0; index < c.said; i++ {
		src := &in.History[i]
		if !c.shown(src) {
			continue
		}
		r := &c.runs[0]
		if index < first {
			r = &c.runs[1]
			r.at = i
		}
		if c.special(src, index, r.keep) {
			c.lines = append(c.lines, c.newLine(src, index, r.keep))
		}
		index++
	}
	if c.replaced != nil {
		c.lines = append(c.lines, c.newLine(c.replaced, index, c.runs[0].keep))
	}
	return c
}

// depths returns the number of elements that depth counts.
func (c *chat) depths() int { return c.visible + c.absent }

// shown reports whether an element of the history is a line of this prompt.
func (c *chat) shown(l *Line) bool {
	return !l.Hidden && (c.in.Tools || len(l.Calls) == 0)
}

// all yields the lines with their indexes, oldest first, the replacement last.
func (c *chat) all(yield func(src *Line, index int) bool) {
	index := 0
	for i := 0; index < c.said; i++ {
		if src := &c.in.History[i]; c.shown(src) {
			if !yield(src, index) {
				return
			}
			index++
		}
	}
	if c.replaced != nil {
		yield(c.replaced, index)
	}
}

// generation adds or removes the newest line.
func (c *chat) generation() {
	newest := c.newestLine()
	if newest == nil {
		return
	}
	switch {
	case c.in.Generation == worldbook.Continue && (newest.Text != "" || c.in.ContinueByPrefill):
		c.continued = &line{src: newest, index: c.said - 1, message: -1, required: true}
		c.withoutNewest()
		if !c.in.ContinueByPrefill {
			c.absent = 1 // depth still counts it in its place
		}
		newest = c.newestLine()
	case c.in.Generation == worldbook.Swipe && newest.spoken():
		c.swiped = &line{src: newest, index: c.said - 1}
		c.withoutNewest()
		newest = c.newestLine()
	}
	if newest != nil && newest.spoken() && !c.layout.blank(c.in.Replacement) {
		c.replaced = &Line{Role: llm.User, Text: c.in.Replacement}
		c.visible++
	}
}

// newestLine returns the newest line that is shown, or nil if not found.
func (c *chat) newestLine() *Line {
	if c.visible == 0 || c.slot < 0 {
		return nil
	}
	return &c.in.History[c.last]
}

// withoutNewest removes the newest line from the history.
func (c *chat) withoutNewest() {
	c.said--
	c.visible--
	for c.last--; c.last >= 0 && !c.shown(&c.in.History[c.last]); {
		c.last--
	}
}

// special reports whether a line competes alone and not in its run.
func (c *chat) special(src *Line, index, keep int) bool {
	return src.Required || c.newest(index) || src.Keep != nil && *src.Keep != keep
}

// newest reports whether a line is the newest element of the history. With [worldbook.Continue] the newest
// line comes after the last slot, so no line is.
func (c *chat) newest(index int) bool {
	return index == c.visible-1 && c.in.Generation != worldbook.Continue
}

// newLine loads a line.
func (c *chat) newLine(src *Line, index, keep int) *line {
	if src.Keep != nil {
		keep = *src.Keep
	}
	return &line{src: src, index: index, keep: keep, message: -1,
		required: src.Required || c.newest(index)}
}

// lineOf returns the n-th newest line of a run, nil if the run has no such line.
func (c *chat) lineOf(r *run, n int) *line {
	for ; n >= len(r.lines) && r.next >= r.oldest; r.at-- {
		src := &c.in.History[r.at]
		if !c.shown(src) {
			continue
		}
		if !c.special(src, r.next, r.keep) {
			r.lines = append(r.lines, c.newLine(src, r.next, r.keep))
		}
		r.next--
	}
	if n >= len(r.lines) {
		return nil
	}
	return r.lines[n]
}

// gather puts all loaded lines into one list, oldest first.
func (c *chat) gather() {
	c.lines = slices.Concat(c.lines, c.runs[0].lines, c.runs[1].lines)
	slices.SortFunc(c.lines, func(x, y *line) int { return cmp.Compare(x.index, y.index) })
}

// start returns the index of the oldest line of the unbroken run at the end.
func (c *chat) start() int {
	start := c.visible
	for _, l := range slices.Backward(c.lines) {
		if l.index != start-1 || l.status != Kept && l.status != statusEmpty {
			break
		}
		start = l.index
	}
	if start == c.visible {
		return 0
	}
	return start
}

// expandAll expands the whole history, oldest first, for layouts that expand its macros. Only
// changed texts take memory.
func (c *chat) expandAll() {
	c.texts = map[int]string{}
	for src, index := range c.all {
		if text := c.expand(src, index); text != src.Text {
			c.texts[index] = text
		}
	}
}

// prepare expands a line and adds the name where it is needed.
func (c *chat) prepare(l *line) {
	if l.ready {
		return
	}
	l.ready = true
	// Lines are expanded on first use, or all of them before everything else.
	text, done := c.texts[l.index]
	switch {
	case done:
		l.text = text
	case c.texts != nil && l != c.continued:
		l.text = l.src.Text
	default:
		l.text = c.expand(l.src, l.index)
	}
	if len(l.src.Calls) > 0 || l.src == c.replaced {
		return
	}
	switch speaker := c.speaker(l.src); c.layout.Names {
	case NamesContent:
		if l.src.Role != llm.System {
			l.text = withName(speaker, l.text)
		}
	case NamesField:
		if l != c.continued || c.in.ContinueByPrefill {
			l.name = fieldName(speaker)
		}
	case "", NamesForced:
		if l.src.Role == llm.Assistant && l.src.Forced && speaker != c.char {
			l.text = withName(speaker, l.text)
		}
	}
}

// speaker returns the name of the speaker of a line; a narrator has no default name.
func (c *chat) speaker(l *Line) string {
	if l.Name != "" {
		return l.Name
	}
	switch l.Role {
	case llm.User:
		return c.user
	case llm.Assistant:
		return c.char
	}
	return ""
}
