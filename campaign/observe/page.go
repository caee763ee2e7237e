package observe

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// The pages have no script and load nothing. Their content security policy enforces this. All texts
// of players, models and authors are data of html/template.
//
//go:embed pages
var pageFiles embed.FS

var pages = template.Must(template.ParseFS(pageFiles, "pages/*.html"))

// render writes a page. Characters that control a terminal or the direction of text are replaced:
// they could make a text look like a different one.
func render(w io.Writer, name string, data any) error {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, data); err != nil {
		return err
	}
	_, err := w.Write(bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return utf8.RuneError
		}
		return r
	}, page.Bytes()))
	return err
}

// words are the texts of a page by key. A missing text is its key.
type words map[string]string

// Of returns a text.
func (w words) Of(key any) string { return cmp.Or(w[fmt.Sprint(key)], fmt.Sprint(key)) }

// say fills in a text.
func (w words) say(key string, args ...any) string { return fmt.Sprintf(w.Of(key), args...) }

// either returns the text of a kind of thing, or the thing itself.
func (w words) either(kind, thing string) string { return cmp.Or(w[kind+"."+thing], thing) }

// sentence returns an English warning or problem in the language of the page.
func (w words) sentence(text string) string { return wording.For(w.Of("lang")).In(text) }

// wordsIn returns the texts in a language; empty means the language of the texts of a game.
func wordsIn(texts *game.Texts, language string) words {
	out, column := words{}, 1
	if cmp.Or(language, texts.Hints) == "zh" {
		column = 2
	}
	data, _ := pageFiles.ReadFile("pages/words.txt") // it is embedded
	for line := range strings.Lines(string(data)) {
		if parts := strings.Split(strings.TrimRight(line, "\r\n"), " | "); len(parts) == 3 {
			out[parts[0]] = parts[column]
		}
	}
	maps.Copy(out, texts.Pages)
	return out
}

// english returns the texts in English.
var english = sync.OnceValue(func() words { return wordsIn(&game.Texts{}, "en") })

// names are the names of characters, areas and variables by ID.
type names map[string]string

// name returns the name of an ID, or the ID.
func (n names) name(id string) string { return cmp.Or(n[id], id) }

// list returns the names of IDs.
func (n names) list(ids []string) string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = n.name(id)
	}
	return strings.Join(out, ", ")
}

func namesOf(g *game.Game, c state.Campaign) names {
	out := names{}
	for _, v := range g.Content().Rules.Variables {
		out[v.ID] = v.Name
	}
	for _, a := range c.State.Map.Areas {
		out[a.ID] = a.Name
	}
	for _, m := range g.Cast() {
		out[m.ID] = m.Name
	}
	for _, p := range c.State.Characters {
		out[p.ID] = p.Name
	}
	return out
}

// pageFact is a name with a text.
type pageFact struct{ Name, Text string }

// pageStep is a value before and after a change, and the cause of the change.
type pageStep struct {
	What, Before, After, By string
	Step                    string // the difference of two numbers
}

// Direction returns the class of a difference.
func (words) Direction(step string) string {
	if strings.HasPrefix(step, "-") {
		return "down"
	}
	return "up"
}

// step describes a change.
func (n names) step(w words, c tree.Change) pageStep {
	out := pageStep{What: n.path(w, c.Path), Before: n.value(w, c.Old), After: n.value(w, c.New), By: cmp.Or(c.By, w.Of("the turn"))}
	if tool, ok := strings.CutPrefix(c.By, "tool."); ok {
		out.By = w.either("tool", tool)
	}
	was, before := c.Old.AsFloat()
	if is, after := c.New.AsFloat(); before && after {
		out.Step = fmt.Sprintf("%+g", is-was)
	}
	return out
}

// path returns the name of a variable. The ones of a character are "hp.ID", "area.ID" and so on.
func (n names) path(w words, path tree.Path) string {
	if len(path) != 1 {
		return n.name(path.String())
	}
	if part, id, ok := strings.Cut(path[0], "."); ok && w["of."+part] != "" {
		return n.name(id) + ": " + w["of."+part]
	}
	return n.name(path[0])
}

// value returns a value in words.
func (n names) value(w words, v tree.Value) string {
	switch text, isText := v.AsText(); {
	case !v.Exists():
		return w.Of("nothing")
	case isText:
		return n.name(text)
	case v.IsObject():
		return n.members(w, v)
	}
	return w.either("value", v.String())
}

// members returns the members of an object in words.
func (n names) members(w words, v tree.Value) string {
	var out []string
	for key, member := range v.Members() {
		out = append(out, w.either("of", key)+" "+n.value(w, member))
	}
	return strings.Join(out, ", ")
}

// pageBar is a bar of parts in proportion to their tokens.
type pageBar struct {
	Label string
	Parts []barPart
}

type barPart struct {
	Class, Name string
	Tokens      int
	Share       string
}

// finish computes the shares, and describes the bar to people who do not see it.
func (b *pageBar) finish() {
	all := 0
	b.Parts = slices.DeleteFunc(b.Parts, func(p barPart) bool { return p.Tokens <= 0 })
	for _, p := range b.Parts {
		all += p.Tokens
	}
	var label []string
	for i := range b.Parts {
		p := &b.Parts[i]
		p.Share = percent(p.Tokens, all)
		label = append(label, fmt.Sprintf("%s %d (%s)", p.Name, p.Tokens, p.Share))
	}
	b.Label = strings.Join(label, ", ")
}

func percent(part, all int) string {
	if all <= 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(all))
}

// span is a piece of a text. A piece with a class is highlighted.
type span struct{ Text, Class, Note string }

// highlight is a place in a text.
type highlight struct {
	from, to    int
	class, note string
}

// spans cuts a text at its highlights. Of overlapping highlights the first one counts.
func spans(text string, list []highlight) (out []span) {
	slices.SortStableFunc(list, func(a, b highlight) int { return cmp.Compare(a.from, b.from) })
	at := 0
	for _, h := range list {
		if h.from < at || h.to <= h.from || h.to > len(text) {
			continue
		}
		if h.from > at {
			out = append(out, span{Text: text[at:h.from]})
		}
		out = append(out, span{text[h.from:h.to], h.class, h.note})
		at = h.to
	}
	return append(out, span{Text: text[at:]})
}

// maxHighlights limits the places of one key in a text, and the keys of a text.
const maxHighlights = 100

// findKey returns the places of a key of the lore in a text, without regard to letter case. A key
// that Go's regular expressions do not know has no place.
func findKey(text, key string) [][]int {
	expression := "(?i)" + regexp.QuoteMeta(key)
	if end := strings.LastIndex(key, "/"); end > 0 && key[0] == '/' {
		expression = "(?i)" + key[1:end]
	}
	re, err := regexp.Compile(expression)
	if err != nil || key == "" {
		return nil
	}
	return re.FindAllStringIndex(text, maxHighlights)
}
