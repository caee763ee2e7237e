package game

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
)

// Dialect is a language in which a model asks for changes within its text. A reply
// passes the dialects of [Content] in their order; each finds its passages, which are
// cut from what players see, and says what they ask for. A later dialect does not see
// what an earlier one took: there are blanks instead.
//
// What a dialect asks for is no change yet. Writes to variables go through the same gate
// as those of every other model's word: type, bounds, access. What is refused is told to
// the model in its next prompt and stands in [state.Turn.Commands].
//
// The built-in dialects are [Commands], [CommandLanguage], [ReplyRules] and [Directives].
type Dialect struct {
	// Name is the cause of what the dialect changes ("dialect.<name>"), and what refusals
	// go by. It must be unique.
	Name string
	// Read finds the passages of a text. It must be pure, safe for concurrent use, and
	// linear in the length of the text; where the passages are must depend on the text and
	// the declared variables alone. Spans may overlap. One that leaves the text or cuts a
	// character in two is ignored. What they ask for is carried out in the order of the
	// result.
	Read func(text string, scope Scope) []Span
	// Answer, if not nil, reads an answer that is a document as a whole and none of the
	// engine's own forms, such as {"narrative": …}. It returns the narration, which is then
	// read like any other, and what the document asks for; the places of these spans do not
	// count. ok is false for an answer of another form.
	Answer func(answer string, scope Scope) (narration string, asked []Span, ok bool)
	// Describe, if not nil, is what the prompt tells the model about the language; an empty
	// text tells nothing.
	Describe func(scope Scope) string
	// Opens lists the characters with which passages begin. While an answer comes in, the
	// text before the first of them can be shown at once. Empty means that a passage may
	// begin with anything: the narration is then shown when the answer is complete.
	Opens string

	commands memvars.Dialect // of a command language
	native   bool            // the four commands of package memvars
	bind     func(*Game, *findings) Dialect
}

// Scope is what a dialect may know while it reads. It is the author's view: State and
// Document also hold what a model may not see, so nothing of them belongs in texts for
// the model as it is.
type Scope struct {
	// Variables are the declared variables, in the order of the content. It is nil if none
	// are declared.
	Variables []declare.Variable
	// Rules and State are for trying writes before asking for them. While an answer
	// comes in State is empty.
	Rules *rules.Program
	State rules.State
	// Document holds the variables that the campaign has now.
	Document tree.Document
	// Texts are those of the game.
	Texts Texts

	writable []declare.Variable // once it is known
}

// Writable lists the declared variables that a model may write now.
func (s Scope) Writable() []declare.Variable {
	if s.writable != nil {
		return s.writable
	}
	var out []declare.Variable
	for _, v := range s.Variables {
		if s.Rules.Access(s.State, v.ID).Writable {
			out = append(out, v)
		}
	}
	return out
}

// Span is a passage of a text and what it asks for.
type Span struct {
	// From and To are places in bytes. What lies between them is cut; an empty span asks
	// without cutting.
	From, To int
	// Commands are commands of package memvars or of one of its dialects. They are carried
	// out before the effects of any dialect, all of a reply in the order of the text.
	Commands []command.Op
	// Effects are carried out in order. Their texts count as a model's words.
	Effects effect.List
	// Refused says what is wrong with the passage, in words for the model.
	Refused string
	// Warning is for the host: it goes into the trace of the turn.
	Warning string
}

// asks reports whether a span is more than a cut.
func (s Span) asks() bool {
	return len(s.Commands) > 0 || len(s.Effects) > 0 || s.Refused != "" || s.Warning != ""
}

// Asked is what one dialect found in a reply.
type Asked struct {
	Dialect string
	Spans   []Span // those that ask for something
}

// Reading is a reply after all dialects.
type Reading struct {
	Shown string // what players see
	cuts  []Span // in order
	Asked []Asked
}

// Read passes a text through the dialects.
func (g *Game) Read(text string, scope Scope) Reading {
	var out Reading
	var cuts []Span
	rest := text
	for i := range g.dialects {
		d := &g.dialects[i]
		found := sound(d.Read(rest, scope), rest)
		if len(found) == 0 {
			continue
		}
		cuts = append(cuts, found...)
		rest = blanked(rest, found)
		if found = slices.DeleteFunc(slices.Clone(found), func(s Span) bool { return !s.asks() }); len(found) > 0 {
			out.Asked = append(out.Asked, Asked{d.Name, found})
		}
	}
	cuts = append(cuts, g.leftovers(rest)...)
	slices.SortStableFunc(cuts, func(a, b Span) int { return a.From - b.From })
	out.cuts, out.Shown = cuts, strings.TrimSpace(closeGaps(marked(text, cuts)))
	return out
}

// sound returns the spans that can be cut.
func sound(spans []Span, text string) []Span {
	return slices.DeleteFunc(slices.Clone(spans), func(s Span) bool {
		return s.From < 0 || s.To < s.From || s.To > len(text) || !starts(text, s.From) || !starts(text, s.To)
	})
}

// starts reports whether a character, or the end of the text, is at a place.
func starts(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// blanked puts blanks in the place of spans. Line breaks stay.
func blanked(text string, spans []Span) string {
	out := []byte(text)
	for _, s := range spans {
		for i := s.From; i < s.To; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// marked puts a mark in the place of spans, which are in order.
func marked(text string, cuts []Span) string {
	var b strings.Builder
	at := 0
	for _, c := range cuts {
		if c.From == c.To {
			continue
		}
		if c.From >= at {
			b.WriteString(text[at:c.From])
			b.WriteByte(gone)
		}
		at = max(at, c.To)
	}
	b.WriteString(text[at:])
	return b.String()
}

// closeGaps removes the marks. A line that held nothing else goes whole, of the blanks
// beside a gap one at most is left, and of several empty lines around one that went one.
func closeGaps(text string) string {
	if strings.IndexByte(text, gone) < 0 {
		return text
	}
	var out []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, string(gone)) {
			if n := len(out); n > 0 && out[n-1] == dropped {
				blank := strings.TrimSpace(line) == ""
				if out = out[:n-1]; blank && (n == 1 || strings.TrimSpace(out[n-2]) == "") {
					continue
				}
			}
			out = append(out, line)
			continue
		}
		if line = closed(line); strings.TrimSpace(line) != "" {
			out = append(out, line)
		} else if n := len(out); n == 0 || out[n-1] != dropped {
			out = append(out, dropped)
		}
	}
	return strings.ReplaceAll(strings.Join(out, ""), dropped, "")
}

// gone stands where something was cut, dropped for a line that went whole.
const (
	gone    = '\x00'
	dropped = "\x00"
)

// closed closes the gaps of a line.
func closed(line string) string {
	parts := strings.Split(line, string(gone))
	out := parts[0]
	for _, part := range parts[1:] {
		left, right := strings.TrimRight(out, " \t"), strings.TrimLeft(part, " \t")
		gap := left != out || right != part
		out = left
		if gap && left != "" && strings.TrimSpace(right) != "" {
			out += " "
		}
		out += right
	}
	return out
}

// compileDialects prepares the dialects of the content, or those of a content that
// names none.
func (g *Game) compileDialects(problems *findings) {
	list := g.content.Dialects
	if list == nil {
		list = g.defaultDialects()
	}
	fatal := func(i int, format string, args ...any) {
		problems.fatal(fmt.Sprintf("dialects[%d]", i), format, args...)
	}
	names := map[string]bool{}
	for i, d := range list {
		if d.bind != nil {
			d = d.bind(g, problems)
		}
		switch {
		case strings.TrimSpace(d.Name) == "":
			fatal(i, "the dialect has no name")
		case names[d.Name]:
			fatal(i, "the name %q is taken; give each dialect its own", d.Name)
		case d.Read == nil:
			fatal(i, "%q has no Read", d.Name)
		default:
			g.dialects = append(g.dialects, d)
		}
		names[d.Name] = true
	}
	if len(g.content.ReplyRules) > 0 && !names[nameReplyRules] {
		problems.wrong("replyRules", "nothing reads them; add ReplyRules() to the dialects")
	}
	g.joinCommands()
	g.live = liveOf(g.dialects)
}

// defaultDialects are those of a content that names none: the variable commands,
// reply rules where there are some, directives where variables are declared.
func (g *Game) defaultDialects() []Dialect {
	list := []Dialect{Commands()}
	if len(g.content.ReplyRules) > 0 {
		list = append(list, ReplyRules())
	}
	if len(g.content.Variables) > 0 {
		list = append(list, Directives(DirectiveOptions{}))
	}
	return list
}

// Scope is what dialects may know while an answer comes in.
func (g *Game) Scope() Scope {
	return Scope{Variables: g.content.Variables, Rules: g.rules, Texts: g.texts}
}

// ReadAnswer reads an answer in the engine's own forms, or else in those of the dialects.
func (g *Game) ReadAnswer(out answer.Answer, scope Scope) (answer.Answer, []Asked) {
	if out.Broken == "" {
		return out, nil
	}
	for i := range g.dialects {
		d := &g.dialects[i]
		if d.Answer == nil {
			continue
		}
		text, spans, ok := d.Answer(out.Raw, scope)
		if text = strings.TrimSpace(text); !ok || text == "" {
			continue
		}
		for j := range spans {
			spans[j].From, spans[j].To = 0, 0
		}
		calls := answer.Read("-", out.Native).Calls
		return answer.Answer{Raw: out.Raw, Native: out.Native, Text: text, Calls: calls, Structured: true},
			[]Asked{{d.Name, spans}}
	}
	return out, nil
}
