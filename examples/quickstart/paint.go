package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// style is the number of a terminal colour, "" for none.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	green  style = "32"
	yellow style = "33"
	purple style = "35"
	cyan   style = "36"
)

// screen prints a session: in colours on a terminal, otherwise as plain text.
type screen struct {
	io.Writer
	colours bool
	gap     bool // print an empty line before the next note
}

// newScreen uses colours on a terminal, unless NO_COLOR is set or the terminal is a dumb one.
func newScreen(out io.Writer) *screen {
	file, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return &screen{Writer: out}
	}
	info, err := file.Stat()
	return &screen{Writer: out, colours: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (s *screen) paint(how style, text string) string {
	if !s.colours || how == plain || text == "" {
		return text
	}
	return "\x1b[" + string(how) + "m" + text + "\x1b[0m"
}

// head prints a line that begins a turn or a command.
func (s *screen) head(format string, args ...any) {
	fmt.Fprintln(s, s.paint(bold, "--- "+fmt.Sprintf(format, args...)+" ---"))
	s.gap = false
}

// note prints one line about a turn, with a label before it.
func (s *session) note(label, format string, args ...any) {
	if s.out.gap {
		fmt.Fprintln(s.out)
		s.out.gap = false
	}
	text := fmt.Sprintf(format, args...)
	fmt.Fprintf(s.out, "  %s%s %s\n", s.out.paint(s.styleOf(label), label),
		strings.Repeat(" ", max(10-width(label), 0)), text)
	s.noted = true
}

// group begins a new group of notes, after an empty line if the last group has notes.
func (s *session) group() { s.out.gap, s.noted = s.out.gap || s.noted, false }

func (s *session) styleOf(label string) style {
	switch label {
	case s.texts.lore, s.texts.tokens:
		return cyan
	case s.texts.refused, s.texts.conflict, "!":
		return yellow
	case s.texts.repaired:
		return green
	case s.texts.vars:
		return purple
	}
	return dim
}

// width returns the number of columns of a label: two for each Chinese character.
func width(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r >= 0x1100 {
			n++
		}
	}
	return n
}

// legend explains the labels below the story of a turn.
func (s *session) legend() {
	for _, l := range [][2]string{
		{s.texts.lore, s.texts.legendLore}, {s.texts.tokens, s.texts.legendTokens},
		{s.texts.refused, s.texts.legendRefused}, {s.texts.waits, s.texts.legendWaits}, {s.texts.secret, s.texts.legendSecret}, {s.texts.conflict, s.texts.legendConflict},
		{s.texts.command, s.texts.legendCommand}, {s.texts.fired, s.texts.legendFired},
		{s.texts.hooks, s.texts.legendHooks}, {s.texts.host, s.texts.legendHost},
		{s.texts.vars, s.texts.legendVars},
	} {
		s.note(l[0], "%s", l[1])
	}
	s.noted = false
	fmt.Fprintln(s.out)
}
