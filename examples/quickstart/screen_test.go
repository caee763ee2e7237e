package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the picture of a turn again")

// colours are the classes of the picture for the styles of the terminal.
var colours = map[style]string{bold: "bold", dim: "dim", green: "green", yellow: "yellow", purple: "purple", cyan: "cyan"}

// pictureStyle has the colours of the picture, which follow the light or dark mode of the reader.
const pictureStyle = `<style>
rect { fill: #f6f8fa; stroke: #d0d7de } text { fill: #1f2328; font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre }
.bold { font-weight: bold } .dim { fill: #59636e } .green { fill: #116329 } .yellow { fill: #8a4600 } .purple { fill: #8250df } .cyan { fill: #0b6b83 }
@media (prefers-color-scheme: dark) {
rect { fill: #151b23; stroke: #3d444d } text { fill: #e6edf3 }
.dim { fill: #9198a1 } .green { fill: #5fd068 } .yellow { fill: #e3b341 } .purple { fill: #c297ff } .cyan { fill: #56d4dd }
}
</style>
`

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
	got := picture("$ go run ./examples/quickstart\n…\n" + s.out.paint(bold, "--- Turn 3 ---") + "\n" + strings.TrimRight(turn, "\n"))
	if *update {
		if err := os.WriteFile("screen.svg", []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("screen.svg")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("screen.svg shows another turn; -update writes\n%s", got)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "](examples/quickstart/screen.svg)") {
		t.Error("the README does not show screen.svg")
	}
}

// picture draws the text of a terminal as SVG.
func picture(text string) string {
	const columns, lineHeight, margin = 110, 19, 16
	var body strings.Builder
	y := margin
	for line := range strings.Lines(text) {
		for _, part := range fold(strings.TrimSuffix(line, "\n"), columns) {
			y += lineHeight
			if part != "" {
				fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, y, spans(part))
			}
		}
	}
	width, height := 2*margin+columns*8, y+margin
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"+
		"<title>A turn of the quickstart in a terminal</title>\n%s<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n%s</svg>\n",
		width, height, width, height, pictureStyle, width-1, height-1, body.String())
}

// spans converts the colours of one line to SVG.
func spans(line string) string {
	var out strings.Builder
	for i, part := range strings.Split(line, "\x1b[") {
		code, rest, coded := strings.Cut(part, "m")
		switch {
		case i == 0:
			out.WriteString(html.EscapeString(part))
		case coded && code == "0":
			out.WriteString("</tspan>" + html.EscapeString(rest))
		default:
			fmt.Fprintf(&out, "<tspan class=%q>%s", colours[style(code)], html.EscapeString(rest))
		}
	}
	return out.String()
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
