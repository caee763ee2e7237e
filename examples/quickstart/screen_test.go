package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// columns is the width of the picture.
const columns = 110

// TestScreen checks that the picture in the README shows the third turn as a terminal does.
func TestScreen(t *testing.T) {
	var out bytes.Buffer
	s, err := start(t.Context(), "en", &out)
	if err != nil {
		t.Fatal(err)
	}
	s.out.colours = true
	if err := s.scripted(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, turn, found := strings.Cut(out.String(), s.out.paint(bold, "--- Turn 3 ---")+"\n")
	turn, _, ends := strings.Cut(turn, s.out.paint(bold, "--- Turn 4 ---"))
	if !found || !ends {
		t.Fatalf("turn 3 is not in\n%s", out.String())
	}
	var lines []string
	for line := range strings.Lines("$ go run ./examples/quickstart\n…\n" + s.out.paint(bold, "--- Turn 3 ---") + "\n" + strings.TrimRight(turn, "\n")) {
		lines = append(lines, fold(strings.TrimSuffix(line, "\n"), columns)...)
	}
	testkit.Picture(t, "screen.svg", []byte(testkit.Terminal("A turn of the quickstart in a terminal", strings.Join(lines, "\n"), columns)))
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "](examples/quickstart/screen.svg)") {
		t.Error("the README does not show screen.svg")
	}
}

// fold splits a line at blanks into lines of at most the given length. A continued note is indented
// like its text. Lines with colours are measured without them.
func fold(line string, columns int) (out []string) {
	indent := ""
	if strings.HasPrefix(line, "  ") {
		indent = strings.Repeat(" ", 13)
	}
	length := 0
	for i, word := range strings.SplitAfter(line, " ") {
		n := len([]rune(strings.TrimRight(uncoloured(word), " ")))
		if i == 0 || length+n > columns && length > len(indent) {
			if i > 0 {
				word = indent + word
			}
			out, length = append(out, ""), 0
		}
		out[len(out)-1] += word
		length += len([]rune(uncoloured(word)))
	}
	return out
}

// uncoloured returns a text without the codes of colours.
func uncoloured(text string) string {
	out, rest, _ := strings.Cut(text, "\x1b[")
	for rest != "" {
		_, rest, _ = strings.Cut(rest, "m")
		var plain string
		plain, rest, _ = strings.Cut(rest, "\x1b[")
		out += plain
	}
	return out
}
