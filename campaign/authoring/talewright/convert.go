package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// convert writes a book or a card in a different format.
type convert struct {
	In  string `arg:"" help:"A world book or a card in any format that is read."`
	Out string `arg:"" help:"The new file: .json, .yaml, .png or .charx; .lorebook for a book."`
	To  string `help:"The format: sillytavern or character_book for books; v1, v2 or v3 for cards in JSON; book for the lorebook of a card." enum:",sillytavern,character_book,v1,v2,v3,book" default:""`
}

// Run is the command.
func (c *convert) Run(t *terminal) error {
	info, err := os.Stat(c.In)
	if err != nil {
		return fmt.Errorf("%w: %w", errWrongUse, err)
	}
	if info.Size() > maxFile {
		return fmt.Errorf("%s has %d bytes; at most %d are read; make it smaller", c.In, info.Size(), maxFile)
	}
	data, err := os.ReadFile(c.In)
	if err != nil {
		return err
	}
	out, lost, err := c.convert(data)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Out, out, 0o644); err != nil {
		return err
	}
	w := wordsIn(t.lang)
	if t.json {
		return t.writeJSON(map[string]any{"written": c.Out, "problems": reportedProblems(w, lost)})
	}
	if len(lost) > 0 {
		t.printf(w.CannotHold+"\n", c.Out)
		for _, line := range lost.Summary(w.Language) {
			t.printf("  %s\n", printable(line))
		}
	}
	t.printf(w.Written+"\n", c.Out)
	return nil
}

// convert returns the new file, and what it cannot hold.
func (c *convert) convert(data []byte) ([]byte, talewright.Problems, error) {
	source := data
	if isYAML(c.In) {
		var v any
		if err := yaml.Load(data, &v); err != nil {
			return nil, nil, fmt.Errorf("%w: %s: %w", errWrongUse, c.In, err)
		}
		if text, err := json.Marshal(v); err == nil {
			source = text
		}
	}
	if file, err := card.Open(source); err == nil {
		if c.To == "book" || c.To == "" && isBook(c.Out) {
			book, problems := file.Card.WorldBook()
			text, err := format.WriteSillyTavern(book)
			return c.text(text, append(problems, unused(book)...), err)
		}
		return c.card(file, source)
	} else if _, known := format.Detect(source); known != nil {
		return nil, nil, fmt.Errorf("%w: %s is neither a card (%v) nor a book (%v)", errWrongUse, c.In, err, known)
	}
	book, problems := format.Parse(source)
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	book.Name = cmp.Or(book.Name, strings.TrimSuffix(filepath.Base(c.In), filepath.Ext(c.In)))
	switch c.To {
	case "", "sillytavern":
		text, err := format.WriteSillyTavern(book)
		return c.text(text, problems, err)
	case "character_book":
		text, lost := format.WriteCard(book)
		return c.text(text, append(problems, lost...), lost.Err())
	}
	return nil, nil, fmt.Errorf("%w: a book cannot become %s; choose sillytavern or character_book", errWrongUse, c.To)
}

// isBook reports whether a file is a book by its name.
func isBook(name string) bool { return strings.EqualFold(filepath.Ext(name), ".lorebook") }

// unused reports a card without a lorebook.
func unused(book worldbook.Book) talewright.Problems {
	if len(book.Entries) > 0 {
		return nil
	}
	return talewright.Problems{{Severity: talewright.Warning, Code: "no_entries", Text: "the card has no lorebook; the book is empty"}}
}

// text writes JSON, or the same as YAML.
func (c *convert) text(data []byte, lost talewright.Problems, err error) ([]byte, talewright.Problems, error) {
	if err != nil {
		return nil, nil, err
	}
	switch ending := strings.ToLower(filepath.Ext(c.Out)); ending {
	case ".json", ".lorebook":
		var out bytes.Buffer
		err := json.Indent(&out, data, "", "  ")
		return append(out.Bytes(), '\n'), lost, err
	case ".yaml", ".yml":
		var doc yaml.Node
		if err := yaml.Load(data, &doc); err != nil {
			return nil, nil, err
		}
		inBlocks(&doc)
		out, err := yaml.Dump(&doc)
		return out, lost, err
	default:
		return nil, nil, fmt.Errorf("%w: %s: a book cannot be written as %q; choose .json, .yaml or .lorebook", errWrongUse, c.Out, ending)
	}
}

// inBlocks writes a value as people write YAML.
func inBlocks(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle | yaml.DoubleQuotedStyle
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "\n") && !strings.Contains(n.Value, "\r") {
		n.Style = yaml.LiteralStyle
	}
	for _, child := range n.Content {
		inBlocks(child)
	}
}

// card writes a card.
func (c *convert) card(file *card.File, data []byte) ([]byte, talewright.Problems, error) {
	specs := map[string]card.Spec{"": card.V3, "v1": card.V1, "v2": card.V2, "v3": card.V3}
	spec, ok := specs[c.To]
	if !ok {
		return nil, nil, fmt.Errorf("%w: a card cannot become %s; choose v1, v2, v3 or book", errWrongUse, c.To)
	}
	lost := file.Problems
	switch ending := strings.ToLower(filepath.Ext(c.Out)); {
	case ending == ".png" && c.To == "":
		picture, err := pictureOf(file, data)
		if err != nil {
			return nil, nil, err
		}
		out, err := card.WritePNG(picture, file.Card)
		return out, lost, err
	case ending == ".charx" && (c.To == "" || spec == card.V3):
		var archive []byte
		if file.Format == card.CHARX {
			archive = data
		}
		out, err := card.WriteCHARX(archive, file.Card, nil)
		return out, lost, err
	case ending == ".png", ending == ".charx", isBook(c.Out):
		return nil, nil, fmt.Errorf("%w: %s: -to %s is for .json and .yaml; a .png holds v2 and v3, a .charx v3, a .lorebook the book of a card", errWrongUse, c.Out, c.To)
	case ending != ".json" && ending != ".yaml" && ending != ".yml":
		return nil, nil, fmt.Errorf("%w: %s: a card cannot be written as %q; choose .json, .yaml, .png, .charx, or .lorebook for its book", errWrongUse, c.Out, ending)
	}
	text, err := card.Encode(file.Card, spec, card.EncodeOptions{})
	if err == nil {
		return c.text(text, append(lost, unread(file.Card, spec, text)...), nil)
	}
	lost = append(lost, talewright.Problem{Severity: talewright.Warning, Code: "would_lose", Text: err.Error()})
	text, err = card.Encode(file.Card, spec, card.EncodeOptions{DropNewer: true})
	return c.text(text, lost, err)
}

// unread reports what a card in JSON has that readers of its version do not know.
func unread(c card.Card, spec card.Spec, text []byte) talewright.Problems {
	plain, err := card.Encode(c, spec, card.EncodeOptions{DropNewer: true})
	var has, reads struct{ Data map[string]json.RawMessage }
	if err := errors.Join(err, json.Unmarshal(text, &has), json.Unmarshal(plain, &reads)); err != nil {
		return nil // the card is written all the same
	}
	var names []string
	for _, name := range sortedKeys(has.Data) {
		switch known, ok := reads.Data[name]; {
		case !ok:
			names = append(names, name)
		case !bytes.Equal(known, has.Data[name]):
			names = append(names, "newer parts of "+name)
		}
	}
	if names == nil {
		return nil
	}
	return talewright.Problems{{Severity: talewright.Warning, Code: "would_lose",
		Text: fmt.Sprintf("a V%d card has no place for %s; the file keeps them, but readers of V%[1]d ignore them", spec, strings.Join(names, ", "))}}
}

// pictureOf returns the picture of a card, or a plain one.
func pictureOf(file *card.File, data []byte) ([]byte, error) {
	if file.Format == card.PNG {
		return data, nil
	}
	for _, a := range file.Card.Assets {
		picture, err := file.ReadAsset(a)
		if err == nil && bytes.HasPrefix(picture, []byte("\x89PNG")) {
			return picture, nil
		}
	}
	plain := image.NewGray(image.Rect(0, 0, 400, 600))
	for i := range plain.Pix {
		plain.Pix[i] = color.Gray{Y: 0x60}.Y
	}
	var out bytes.Buffer
	err := png.Encode(&out, plain)
	return out.Bytes(), err
}
