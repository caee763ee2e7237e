package testkit

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file makes the pictures that the pages of the repository show. Tests take them, so that they
// show what the programs do.

// terminalStyle has the colours of a terminal, which follow the light or dark mode of the reader.
const terminalStyle = `<style>
rect { fill: #f6f8fa; stroke: #d0d7de } text { fill: #1f2328; font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre }
.bold { font-weight: bold } .dim { fill: #59636e } .green { fill: #116329 } .yellow { fill: #8a4600 } .purple { fill: #8250df } .cyan { fill: #0b6b83 }
@media (prefers-color-scheme: dark) {
rect { fill: #151b23; stroke: #3d444d } text { fill: #e6edf3 }
.dim { fill: #9198a1 } .green { fill: #5fd068 } .yellow { fill: #e3b341 } .purple { fill: #c297ff } .cyan { fill: #56d4dd }
}
</style>
`

// terminalClasses are the classes of the attributes of a terminal.
var terminalClasses = map[string]string{"1": "bold", "2": "dim", "32": "green", "33": "yellow", "35": "purple", "36": "cyan"}

// Terminal draws the text of a terminal as SVG, with the colours of its escape sequences.
func Terminal(title, text string, columns int) string {
	const lineHeight, margin = 19, 16
	var body strings.Builder
	y := margin
	classes := map[string]bool{} // of the text that follows, also on the next lines
	for line := range strings.Lines(text) {
		y += lineHeight
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, y, terminalSpans(line, classes))
		}
	}
	width, height := 2*margin+columns*8, y+margin
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"+
		"<title>%s</title>\n%s<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n%s</svg>\n",
		width, height, width, height, html.EscapeString(title), terminalStyle, width-1, height-1, body.String())
}

// terminalSpans converts the colours of one line to SVG.
func terminalSpans(line string, classes map[string]bool) string {
	var out strings.Builder
	for i, part := range strings.Split(line, "\x1b[") {
		if i > 0 {
			codes, rest, _ := strings.Cut(part, "m")
			for code := range strings.SplitSeq(codes, ";") {
				if class := terminalClasses[code]; class != "" {
					classes[class] = true
				} else {
					clear(classes)
				}
			}
			part = rest
		}
		switch {
		case part == "":
		case len(classes) == 0:
			out.WriteString(html.EscapeString(part))
		default:
			fmt.Fprintf(&out, "<tspan class=%q>%s</tspan>", strings.Join(slices.Sorted(maps.Keys(classes)), " "), html.EscapeString(part))
		}
	}
	return out.String()
}

// Picture compares a picture with a file. With -update it writes the file. Two SVG pictures are equal
// or not. Two PNG pictures are compared by their size, because browsers and fonts differ.
func Picture(t *testing.T, file string, data []byte) {
	t.Helper()
	if strings.HasSuffix(file, ".png") {
		data = fewColors(t, data)
	}
	if update() {
		if err := cmp.Or(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; -update makes it", err)
	}
	if !strings.HasSuffix(file, ".png") {
		if !bytes.Equal(there, data) {
			t.Errorf("%s shows something else; -update writes\n%s", file, data)
		}
		return
	}
	old, err := png.DecodeConfig(bytes.NewReader(there))
	now, _ := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || old.Width != now.Width || old.Height != now.Height {
		t.Errorf("%s has %d × %d pixels, not %d × %d (%v): -update takes it again", file, old.Width, old.Height, now.Width, now.Height, err)
	}
}

// fewColors returns a PNG with the 256 most frequent colours of a PNG. That is a quarter of the bytes.
func fewColors(t *testing.T, data []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	bounds := full.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[color.RGBAModel.Convert(full.At(x, y))]++
		}
	}
	palette := color.Palette(slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	}))
	palette = palette[:min(len(palette), 256)]
	few := image.NewPaletted(bounds, palette)
	nearest := map[color.Color]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.RGBAModel.Convert(full.At(x, y))
			i, known := nearest[c]
			if !known {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			few.SetColorIndex(x, y, i)
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, few); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
