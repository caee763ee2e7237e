package directive

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Options are the settings of [Parse]. The zero value is useful.
type Options struct {
	// Known says which variables there are, by id without path. What names another
	// one is prose and stays in the text. Nil takes every directive: then prose like
	// [Note: beware] is lost from the text.
	Known func(id string) bool
	// PatchRoot is the variable that JSON patches are about; empty means game_state.
	PatchRoot string
	// Hints is the language of [Error.Text]: "en" (also "") or "zh".
	Hints string
}

// words is the language of the texts for the model.
func (o Options) words() wording.Table { return wording.In(o.Hints, chinese) }

// Result is what a reply came to.
type Result struct {
	// Text is what the player sees.
	Text string
	// Effects are [effect.SetVariable] and [effect.PlayAudio], in order of the text.
	Effects []effect.Effect
	Errors  []Error
	// Passages are what Text lacks, in order: directives, blocks that were understood, and
	// blocks that are dropped unread.
	Passages []Passage
}

// Passage is a part of a reply that is not for players, with the effects that it comes to.
type Passage struct {
	From, To int // in bytes, in the text that was parsed
	Effects  []effect.Effect
}

// Error is something that looks like a directive and is none.
type Error struct {
	Offset int    // in bytes, in the text that was parsed
	Near   string // the text there, on one short line
	Code   Code
	Text   string // what is wrong, for the model
}

// Error returns the text with its place.
func (e Error) Error() string { return e.Text + ", near " + e.Near }

// Code classes an [Error].
type Code string

// The codes.
const (
	Unclosed    Code = "unclosed"      // no closing bracket, quotation mark or tag; left in the text
	BadValue    Code = "bad-value"     // not JSON; the directive is dropped
	BadPatch    Code = "bad-patch"     // not a JSON patch; the block is dropped
	UnknownOp   Code = "unknown-op"    // an operation of a patch that is not known; skipped
	NotAllValid Code = "not-all-valid" // a fenced block with directives and other things; left
	TooMany     Code = "too-many"      // beyond what one reply may write; left out

	// Of [ParseStrict] alone.
	NoReceipt  Code = "no-receipt"  // no line that says how many updates there are, or several
	WrongCount Code = "wrong-count" // the line says another number
	Refused    Code = "refused"     // the game would not carry the update out
)

// Writes returns the effects that write variables, each with the cause.
func (r Result) Writes(by string) []effect.Caused {
	var out []effect.Caused
	for _, e := range r.Effects {
		if _, ok := e.(effect.SetVariable); ok {
			out = append(out, effect.Caused{By: by, Effect: e})
		}
	}
	return out
}

// Audio returns the effects that are sound.
func (r Result) Audio() []effect.PlayAudio {
	var out []effect.PlayAudio
	for _, e := range r.Effects {
		if a, ok := e.(effect.PlayAudio); ok {
			out = append(out, a)
		}
	}
	return out
}

// Parse reads the directives of a reply. It never fails: text in which nothing is
// recognised is all prose. The rules, in the order in which they apply at each place:
//
//  1. Blocks of thought and echoes of the state are dropped with all that is in them.
//  2. Patches are read, and dropped whether they could be read or not.
//  3. A fenced block goes if all of it is directives; otherwise it stays, and what looks
//     like a directive in it is one.
//  4. [image: …] stays as it is.
//  5. A bracket with an id that is known is a directive, and goes.
//
// Effects are in the order of the text whatever their kind, because the later of two writes
// to one variable is meant to have the last word. A directive has at most 16 KiB, a reply at
// most 1,000 effects, and at most 100 errors are listed; the time is linear in the length of
// the text, whatever stands in it. Parse is pure and safe for concurrent use.
func Parse(text string, opts Options) Result {
	r, _ := parse(text, opts)
	return r
}

// parse is [Parse], with what the parser knows of places in the text.
func parse(text string, opts Options) (Result, *parser) {
	p := &parser{text: text, lower: asciiLower(text), opts: opts, unclosed: make(map[string]bool)}
	// Everything that can be recognised begins with one of three characters.
	for p.pos < len(text) {
		n := strings.IndexAny(text[p.pos:], "<`[")
		if n < 0 {
			break
		}
		p.pos += n
		if end, ok := p.take(); ok {
			p.cuts = append(p.cuts, span{p.pos, end})
			p.pos = end
		} else {
			p.pos = max(p.pos+1, end)
		}
	}
	slices.SortStableFunc(p.errors, func(a, b Error) int { return cmp.Compare(a.Offset, b.Offset) })
	return Result{Text: prose(text, p.cuts), Effects: p.effects, Errors: p.errors, Passages: p.passages()}, p
}

// passages pairs what is cut with the effects that came of it: an effect is noted with
// the place at which its passage begins.
func (p *parser) passages() []Passage {
	var out []Passage
	n := 0
	for _, c := range p.cuts {
		from := n
		for n < len(p.places) && p.places[n] < c.end {
			n++
		}
		out = append(out, Passage{c.start, c.end, p.effects[from:n:n]})
	}
	return out
}

type span struct{ start, end int }

// parser goes through a reply once, from left to right. What it recognises is noted with its
// place and cut out at the end, so that offsets are always those of the text that came.
type parser struct {
	text    string
	lower   string // for tags; same length
	pos     int
	opts    Options
	cuts    []span // in order, apart from each other
	effects []effect.Effect
	places  []int // of the effects
	errors  []Error
	full    bool // there were more effects than a reply may have
	// searched is how many bytes were looked at for the ends of directives that have none.
	searched int
	// unclosed are the tags that do not close in what is left. Each is searched for once:
	// a reply of nothing but opening tags would take the square of its length.
	unclosed map[string]bool
}

// take reads what begins at the position. It returns where that ends and whether it is
// cut out of the text; what is not cut is left, up to end if that lies ahead.
func (p *parser) take() (end int, cut bool) {
	switch p.text[p.pos] {
	case '<':
		return p.block()
	case '`':
		return p.fence()
	}
	return p.bracket()
}

// fail notes an error; the parser goes on.
func (p *parser) fail(at int, code Code, format string, args ...any) {
	if len(p.errors) >= maxErrors && code != TooMany {
		return
	}
	p.errors = append(p.errors, Error{Offset: at, Near: authorjson.Line(p.text[at:]), Code: code,
		Text: p.opts.words().Say(format, args...)})
}

// The bounds of a reply. A model that goes beyond them has lost its thread, and what it says
// must neither fill a prompt nor a game.
const (
	// maxDirective bounds the length of one directive in bytes. The longest honest ones set
	// a whole inventory. What does not close is searched for its end that far, and once all
	// of it together comes to the length of the reply and this once more, JSON values of
	// directives are not read any further.
	maxDirective = 16 << 10
	// maxEffects and maxErrors bound what one reply comes to.
	maxEffects = 1000
	maxErrors  = 100
)

// tooMany is what a model is told that goes beyond maxEffects.
const tooMany = "more than 1,000 updates in one reply; the rest are left out"

// bracket reads [id: body].
func (p *parser) bracket() (int, bool) {
	start := p.pos + 1 + blanks(p.text[p.pos+1:])
	id := p.text[start : start+idLength(p.text[start:])]
	body := start + len(id) + 1
	if id == "" || body > len(p.text) || p.text[body-1] != ':' {
		return 0, false
	}
	picture, sound := strings.EqualFold(id, "image"), id == "audio"
	if !picture && !sound && !p.known(id) {
		return 0, false
	}
	reach := maxDirective
	if p.searched > len(p.text)+maxDirective { // see maxDirective
		reach = 0
	}
	limit := p.text[body:min(len(p.text), body+maxDirective)]
	length, ok := extent(limit, reach)
	if !ok {
		p.searched += min(len(limit), reach)
		// An error is worth the model's attention only where a directive was meant.
		if p.known(id) && plausible(limit) {
			p.fail(p.pos, Unclosed, "the closing bracket is missing")
		}
		return 0, false
	}
	end := body + length + 1
	content := strings.TrimSpace(limit[:length])
	switch {
	case content == "":
		return 0, false
	case picture:
		return end, false // it stays, whole
	case sound: // else it is a variable of that name
		if a, ok := readAudio(content); ok {
			p.add(a)
			return end, true
		}
		if !p.known(id) {
			p.searched += min(length, reach)
			return 0, false
		}
	}
	// A value that is broken goes all the same: the player should not read it.
	op, value, ok := readBody(content)
	if !ok {
		p.fail(p.pos, BadValue, "the value is not JSON")
		return end, true
	}
	p.set(id, op, value)
	return end, true
}

// set appends a write.
func (p *parser) set(path string, op effect.Operation, value tree.Value) {
	p.add(effect.SetVariable{Path: path, Operation: op, Value: value})
}

// add appends an effect, which begins where the parser is.
func (p *parser) add(e effect.Effect) {
	if len(p.effects) == maxEffects {
		if !p.full {
			p.full = true
			p.fail(p.pos, TooMany, tooMany)
		}
		return
	}
	p.effects = append(p.effects, e)
	p.places = append(p.places, p.pos)
}

// known decides by the root of a path: the rest may be created by the write.
func (p *parser) known(id string) bool {
	if p.opts.Known == nil || p.opts.Known(id) {
		return true
	}
	root, _, inside := strings.Cut(id, ".")
	return inside && p.opts.Known(root)
}

// plausible tells an attempt at a directive from a bracket in prose.
func plausible(body string) bool {
	body = strings.TrimLeft(body, " ")
	if body == "" {
		return false
	}
	_, _, isOp := cutOperation(body)
	return isOp || strings.ContainsRune("+-*{\"", rune(body[0]))
}

// blanks counts the blanks at the beginning, line breaks not included.
func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// idLength returns the length of the id that a text begins with.
func idLength(s string) int {
	// Marks are letters of many scripts, and accents that stand by themselves.
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if r == utf8.RuneError || !letter && !strings.ContainsRune("_.$-", r) {
			return i
		}
	}
	return len(s)
}

// asciiLower keeps every byte in its place.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// prose returns the text without the spans. Of the blanks beside a gap one at most is left,
// and none at the beginning of a line.
func prose(text string, cuts []span) string {
	out := make([]byte, 0, len(text))
	at := 0
	for _, cut := range cuts {
		out = append(out, text[at:cut.start]...)
		kept := len(bytes.TrimRight(out, " \t"))
		after := blanks(text[cut.end:])
		gap := kept < len(out) || after > 0
		out, at = out[:kept], cut.end+after
		if gap && kept > 0 && out[kept-1] != '\n' {
			out = append(out, ' ')
		}
	}
	return tidy(string(append(out, text[at:]...)), len(cuts) > 0)
}

// tidy trims the text, its lines if something was cut, and runs of empty lines.
func tidy(s string, lines bool) string {
	// Lines keep their blanks where nothing was cut: they may be the model's verse.
	if lines {
		parts := strings.Split(s, "\n")
		for i := range parts {
			parts[i] = strings.TrimRight(parts[i], " \t")
		}
		s = strings.Join(parts, "\n")
	}
	for strings.Contains(s, "\n\n\n") {
		s = strings.ReplaceAll(s, "\n\n\n", "\n\n")
	}
	return strings.TrimSpace(s)
}
