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
	expand        func(src *Line, index int) string
	expandedTexts map[int]string

	lineCount         int   // number of lines from the history
	newestIndex       int   // index in the history of the newest of these lines
	visible           int   // number of lines, including the replacement
	removedButCounted int   // number of removed lines that depth still counts
	omittedRounds     int   // number of tool rounds that are left out
	replacement       *Line // a line after the lines of the history, see [Input.Replacement]
	continued         *line // the line that a [worldbook.Continue] continues; it comes after the last slot
	swiped            *line // the line that a [worldbook.Swipe] replaces
	runs              [2]run
	lines             []*line // the special lines (isSpecial); after gatherLines all loaded lines
}

// run is a part of the history whose lines have the same keep, except special lines. Its lines are
// loaded one by one, the newest first.
type run struct {
	keep         int
	oldestLine   int     // index of the last line to load
	lines        []*line // the lines that are loaded so far
	nextLine     int     // index of the next line to load
	historyIndex int     // where the search for this line in Input.History starts; it goes to older lines
}

// newChat counts the visible history, applies the kind of generation, and loads the special lines.
func newChat(layout *Layout, in *Input, env *Env) *chat {
	c := &chat{layout: layout, in: in, user: env.User, char: env.Char, slot: layout.historySlot()}
	for i := range in.History {
		switch l := &in.History[i]; {
		case l.Hidden:
		case !c.isShown(l):
			c.omittedRounds++
		default:
			c.lineCount, c.newestIndex = c.lineCount+1, i
		}
	}
	c.visible = c.lineCount
	c.applyGeneration()
	recent := max(cmp.Or(layout.Recent, defaultRecent), 0)
	first := max(c.visible-recent, 0) // of the recent lines
	c.runs[0] = run{keep: cmp.Or(layout.RecentKeep, recentKeep), oldestLine: first,
		nextLine: c.lineCount - 1, historyIndex: c.newestIndex}
	c.runs[1] = run{keep: cmp.Or(layout.OlderKeep, olderKeep), nextLine: min(first, c.lineCount) - 1}
	index := 0
	for i := 0; index < c.lineCount; i++ {
		src := &in.History[i]
		if !c.isShown(src) {
			continue
		}
		r := &c.runs[0]
		if index < first {
			r = &c.runs[1]
			r.historyIndex = i
		}
		if c.isSpecial(src, index, r.keep) {
			c.lines = append(c.lines, c.newLine(src, index, r.keep))
		}
		index++
	}
	if c.replacement != nil {
		c.lines = append(c.lines, c.newLine(c.replacement, index, c.runs[0].keep))
	}
	return c
}

// depthCount returns the number of elements that depth counts.
func (c *chat) depthCount() int { return c.visible + c.removedButCounted }

// isShown reports whether an element of the history is a line of this prompt.
func (c *chat) isShown(l *Line) bool {
	return !l.Hidden && (c.in.Tools || len(l.Calls) == 0)
}

// all yields the lines with their indexes, oldest first, the replacement last.
func (c *chat) all(yield func(src *Line, index int) bool) {
	index := 0
	for i := 0; index < c.lineCount; i++ {
		if src := &c.in.History[i]; c.isShown(src) {
			if !yield(src, index) {
				return
			}
			index++
		}
	}
	if c.replacement != nil {
		yield(c.replacement, index)
	}
}

// applyGeneration applies the kind of generation: a Continue and a Swipe remove the newest line, and a
// replacement adds one.
func (c *chat) applyGeneration() {
	newest := c.newestLine()
	if newest == nil {
		return
	}
	switch {
	case c.in.Generation == worldbook.Continue && (newest.Text != "" || c.in.ContinueByPrefill):
		c.continued = &line{src: newest, index: c.lineCount - 1, message: -1, required: true}
		c.removeNewest()
		if !c.in.ContinueByPrefill {
			c.removedButCounted = 1 // depth still counts it in its place
		}
		newest = c.newestLine()
	case c.in.Generation == worldbook.Swipe && newest.spoken():
		c.swiped = &line{src: newest, index: c.lineCount - 1}
		c.removeNewest()
		newest = c.newestLine()
	}
	if newest != nil && newest.spoken() && !c.layout.blank(c.in.Replacement) {
		c.replacement = &Line{Role: llm.User, Text: c.in.Replacement}
		c.visible++
	}
}

// newestLine returns the newest line that is shown, or nil if not found.
func (c *chat) newestLine() *Line {
	if c.visible == 0 || c.slot < 0 {
		return nil
	}
	return &c.in.History[c.newestIndex]
}

// removeNewest removes the newest line from the history.
func (c *chat) removeNewest() {
	c.lineCount--
	c.visible--
	for c.newestIndex--; c.newestIndex >= 0 && !c.isShown(&c.in.History[c.newestIndex]); {
		c.newestIndex--
	}
}

// isSpecial reports whether a line is a candidate of its own and not a part of its run.
func (c *chat) isSpecial(src *Line, index, keep int) bool {
	return src.Required || c.isNewest(index) || src.Keep != nil && *src.Keep != keep
}

// isNewest reports whether a line is the newest element of the history. With [worldbook.Continue] the newest
// line comes after the last slot, so no line is.
func (c *chat) isNewest(index int) bool {
	return index == c.visible-1 && c.in.Generation != worldbook.Continue
}

// newLine loads a line.
func (c *chat) newLine(src *Line, index, keep int) *line {
	if src.Keep != nil {
		keep = *src.Keep
	}
	return &line{src: src, index: index, keep: keep, message: -1,
		required: src.Required || c.isNewest(index)}
}

// lineOf returns the n-th newest line of a run, nil if the run has no such line.
func (c *chat) lineOf(r *run, n int) *line {
	for ; n >= len(r.lines) && r.nextLine >= r.oldestLine; r.historyIndex-- {
		src := &c.in.History[r.historyIndex]
		if !c.isShown(src) {
			continue
		}
		if !c.isSpecial(src, r.nextLine, r.keep) {
			r.lines = append(r.lines, c.newLine(src, r.nextLine, r.keep))
		}
		r.nextLine--
	}
	if n >= len(r.lines) {
		return nil
	}
	return r.lines[n]
}

// gatherLines puts all loaded lines into one list, oldest first.
func (c *chat) gatherLines() {
	c.lines = slices.Concat(c.lines, c.runs[0].lines, c.runs[1].lines)
	slices.SortFunc(c.lines, func(x, y *line) int { return cmp.Compare(x.index, y.index) })
}

// keptStart returns the index of the oldest line such that all lines from it on are kept.
func (c *chat) keptStart() int {
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
	c.expandedTexts = map[int]string{}
	for src, index := range c.all {
		if text := c.expand(src, index); text != src.Text {
			c.expandedTexts[index] = text
		}
	}
}

// prepare expands a line and adds the name where it is needed.
func (c *chat) prepare(l *line) {
	if l.prepared {
		return
	}
	l.prepared = true
	// Lines are expanded on first use, or all of them before everything else.
	text, done := c.expandedTexts[l.index]
	switch {
	case done:
		l.text = text
	case c.expandedTexts != nil && l != c.continued:
		l.text = l.src.Text
	default:
		l.text = c.expand(l.src, l.index)
	}
	if len(l.src.Calls) > 0 || l.src == c.replacement || c.layout.blank(l.text) { // a name alone says nothing
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
		if l.src.Forced && (l.src.Role == llm.User || l.src.Role == llm.Assistant && speaker != c.char) {
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
