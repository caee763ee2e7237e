package memvars

import (
	"regexp"
	"slices"
	"strings"
)

// Passage is a part of a message for the engine: a command, a command block with all its content,
// or a single tag of a block.
type Passage struct {
	From, To int // in bytes
	// Ops are the commands that begin in the passage. A call that cannot be read has a separate
	// passage of length 0, because its end is unknown.
	Ops []Op
}

// shownText returns a message without its passages, see [System.Shown].
func shownText(text string, passages []Passage) string {
	var engineParts []stretch
	for _, p := range passages {
		if p.To > p.From {
			engineParts = append(engineParts, stretch{p.From, p.To})
		}
	}
	if len(engineParts) == 0 {
		return text
	}
	return withoutLines(text, engineParts)
}

// passages finds the parts of a message that are only for the engine, see [System.Passages]. ops are
// its commands.
func (s *System) passages(text string, ops []Op) []Passage {
	engineParts := s.blocks(text)
	for _, op := range ops {
		if op.Fault == nil && op.End > op.Pos.Offset && op.End <= len(text) {
			engineParts = append(engineParts, stretch{op.Pos.Offset, op.End})
		}
	}
	slices.SortStableFunc(engineParts, func(a, b stretch) int { return a.from - b.from })
	var out []Passage
	for _, g := range engineParts {
		if n := len(out); n > 0 && g.from < out[n-1].To {
			out[n-1].To = max(out[n-1].To, g.to)
			continue
		}
		out = append(out, Passage{From: g.from, To: g.to})
	}
	var alone []Passage
	i := 0
	for _, op := range ops {
		for i < len(out) && out[i].To <= op.Pos.Offset {
			i++
		}
		if i < len(out) && out[i].From <= op.Pos.Offset {
			out[i].Ops = append(out[i].Ops, op)
			continue
		}
		alone = append(alone, Passage{From: op.Pos.Offset, To: op.Pos.Offset, Ops: []Op{op}})
	}
	if len(alone) > 0 {
		out = append(out, alone...)
		slices.SortStableFunc(out, func(a, b Passage) int { return a.From - b.From })
	}
	return out
}

// blocks returns the command blocks of a message, and the tags without a partner.
func (s *System) blocks(text string) []stretch {
	markers := tags(text, append(slices.Clone(s.options.BlockTags), "analysis", "jsonpatch", "json_patch"))
	var out []stretch
	open := false // a block without an end has begun
	var fenced fenceCount
	for i := 0; i < len(markers); i++ {
		t := markers[i]
		part := stretch{t.from, t.to}
		if !t.closing {
			end := slices.IndexFunc(markers[i+1:], func(c tag) bool { return c.name == t.name })
			isPatch := strings.HasPrefix(t.name, "json") && beginsJSON(text[t.to:])
			switch {
			case end >= 0 && markers[i+1+end].closing:
				i += 1 + end
				part = withWrapping(text, stretch{part.from, markers[i].to}, &fenced)
			case isPatch, t.name == "analysis" && open: // the model forgot the closing tag, or the reply was cut off
				if part.to = len(text); i+1 < len(markers) {
					part.to = markers[i+1].from
				}
			default:
				open = true
				out = append(out, fences(text, t.to)...)
			}
		}
		out = append(out, part)
	}
	return out
}

// withWrapping extends a block over what the model has put around it: the marks of bold text, a
// comment of HTML, and a code fence, each with nothing else in it.
func withWrapping(text string, block stretch, fenced *fenceCount) stretch {
	around := func() (before, after string) {
		return strings.TrimRight(text[:block.from], " \t\r\n"), strings.TrimLeft(text[block.to:], " \t\r\n")
	}
	for _, marks := range [...][2]string{{"**", "**"}, {"<!--", "-->"}} {
		if before, after := around(); strings.HasSuffix(before, marks[0]) && strings.HasPrefix(after, marks[1]) {
			block = stretch{len(before) - len(marks[0]), len(text) - len(after) + len(marks[1])}
		}
	}
	before, after := around()
	opening := before[strings.LastIndexByte(before, '\n')+1:]
	closing, _, _ := strings.Cut(after, "\n")
	if !fenceLine.MatchString(opening) || strings.TrimSpace(closing) != "```" {
		return block
	}
	if !fenced.isOpen(before) { // the line ends a different code block
		return block
	}
	return stretch{len(before) - len(opening), len(text) - len(after) + len(closing)}
}

// fenceCount counts the lines of code fences in ever longer beginnings of one text.
type fenceCount struct{ upTo, lines int }

// isOpen reports whether a beginning of the text ends within a code block.
func (f *fenceCount) isOpen(before string) bool {
	f.lines += len(fenceLine.FindAllString(before[min(f.upTo, len(before)):], -1))
	f.upTo = max(f.upTo, len(before))
	return f.lines%2 == 1
}

// fences returns the lines of a code fence that begins directly at an offset: the opening and the
// closing one.
func fences(text string, at int) []stretch {
	at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
	if !strings.HasPrefix(text[at:], "```") {
		return nil
	}
	line, _, _ := strings.Cut(text[at:], "\n")
	out := []stretch{{at, at + len(line)}}
	if closing := fenceLine.FindStringIndex(text[out[0].to:]); closing != nil {
		out = append(out, stretch{out[0].to + closing[0], out[0].to + closing[1]})
	}
	return out
}

// fenceLine is a line that begins or ends a code block.
var fenceLine = regexp.MustCompile("(?m)^[ \t]*```[a-zA-Z0-9]*[ \t]*$")

// beginsJSON reports whether a text begins with a list or an object, perhaps in a code fence.
func beginsJSON(text string) bool {
	text = strings.TrimSpace(text[:min(len(text), 64)]) // limits the work: this runs for each tag of a message
	if rest, ok := strings.CutPrefix(text, "```"); ok {
		_, rest, _ = strings.Cut(rest, "\n")
		text = strings.TrimSpace(rest)
	}
	return strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")
}

// withoutLines removes stretches from a text, and the lines that become empty. The stretches are in
// the order of the text.
func withoutLines(text string, removed []stretch) string {
	var out, line strings.Builder
	cut := false // a part of the current line was removed
	put := func(part string) {
		for piece := range strings.Lines(part) {
			line.WriteString(piece)
			if strings.HasSuffix(piece, "\n") {
				if !cut || strings.TrimSpace(line.String()) != "" {
					out.WriteString(line.String())
				}
				line.Reset()
				cut = false
			}
		}
	}
	at := 0
	for _, g := range removed {
		if g.from > at {
			put(text[at:g.from])
		}
		at, cut = max(at, g.to), true
	}
	put(text[at:])
	if !cut || strings.TrimSpace(line.String()) != "" {
		out.WriteString(line.String())
	}
	return out.String()
}
