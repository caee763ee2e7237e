package rules

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// DirectiveOptions are the settings of [ParseDirectives]. The zero value is useful.
type DirectiveOptions struct {
	// Known says which variables there are, by id without path. What names another
	// one is prose and stays in the text. Nil takes every directive: then prose like
	// [Note: beware] is lost from the text.
	Known func(id string) bool
	// PatchRoot is the variable that JSON patches are about; empty means game_state.
	PatchRoot string
	// Hints is the language of [DirectiveError.Text]: "en" (also "") or "zh".
	Hints string
}

// words is the language of the texts for the model.
func (o DirectiveOptions) words() wording.Table { return wording.In(o.Hints, report.Table) }

// DirectiveResult is what a reply came to.
type DirectiveResult struct {
	// Text is what the player sees.
	Text string
	// Effects are [effect.SetVariable] and [effect.PlayAudio], in order of the text.
	Effects []effect.Effect
	Errors  []DirectiveError
	// Passages are what Text lacks, in order: directives, blocks that were understood, and
	// blocks that are dropped unread.
	Passages []DirectivePassage
}

// DirectivePassage is a part of a reply that is not for players, with the effects that it comes to.
type DirectivePassage struct {
	From, To int // in bytes, in the text that was parsed
	Effects  []effect.Effect
}

// DirectiveError is something that looks like a directive and is none.
type DirectiveError struct {
	Offset int    // in bytes, in the text that was parsed
	Near   string // the text there, on one short line
	Code   DirectiveCode
	Text   string // what is wrong, for the model
}

// Error returns the text with its place.
func (e DirectiveError) Error() string { return e.Text + ", near " + e.Near }

// DirectiveCode classes an [DirectiveError].
type DirectiveCode string

// The codes.
const (
	DirectiveUnclosed    DirectiveCode = "unclosed"      // no closing bracket, quotation mark or tag; left in the text
	DirectiveBadValue    DirectiveCode = "bad-value"     // not JSON; the directive is dropped
	DirectiveBadPatch    DirectiveCode = "bad-patch"     // not a JSON patch; the block is dropped
	DirectiveUnknownOp   DirectiveCode = "unknown-op"    // an operation of a patch that is not known; skipped
	DirectiveNotAllValid DirectiveCode = "not-all-valid" // a fenced block with directives and other things; left
	DirectiveTooMany     DirectiveCode = "too-many"      // beyond what one reply may write; left out

	// Of [ParseStrictDirectives] alone.
	DirectiveNoReceipt  DirectiveCode = "no-receipt"  // no line that says how many updates there are, or several
	DirectiveWrongCount DirectiveCode = "wrong-count" // the line says another number
	DirectiveRefused    DirectiveCode = "refused"     // the game would not carry the update out
)

// Writes returns the effects that write variables, each with the cause.
func (r DirectiveResult) Writes(by string) []effect.Caused {
	var out []effect.Caused
	for _, e := range r.Effects {
		if _, ok := e.(effect.SetVariable); ok {
			out = append(out, effect.Caused{By: by, Effect: e})
		}
	}
	return out
}

// Audio returns the effects that are sound.
func (r DirectiveResult) Audio() []effect.PlayAudio {
	var out []effect.PlayAudio
	for _, e := range r.Effects {
		if a, ok := e.(effect.PlayAudio); ok {
			out = append(out, a)
		}
	}
	return out
}

// ParseDirectives reads the directives of a reply. It never fails: text in which nothing is
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
func ParseDirectives(text string, opts DirectiveOptions) DirectiveResult {
	r, _ := directiveParse(text, opts)
	return r
}

// directiveParse is [ParseDirectives], with what the parser knows of places in the text.
func directiveParse(text string, opts DirectiveOptions) (DirectiveResult, *directiveParser) {
	p := &directiveParser{text: text, lower: asciiLower(text), opts: opts, unclosed: make(map[string]bool)}
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
	slices.SortStableFunc(p.errors, func(a, b DirectiveError) int { return cmp.Compare(a.Offset, b.Offset) })
	return DirectiveResult{Text: prose(text, p.cuts), Effects: p.effects, Errors: p.errors, Passages: p.passages()}, p
}

// passages pairs what is cut with the effects that came of it: an effect is noted with
// the place at which its passage begins.
func (p *directiveParser) passages() []DirectivePassage {
	var out []DirectivePassage
	n := 0
	for _, c := range p.cuts {
		from := n
		for n < len(p.places) && p.places[n] < c.end {
			n++
		}
		out = append(out, DirectivePassage{c.start, c.end, p.effects[from:n:n]})
	}
	return out
}

type span struct{ start, end int }

// directiveParser goes through a reply once, from left to right. What it recognises is noted with its
// place and cut out at the end, so that offsets are always those of the text that came.
type directiveParser struct {
	text    string
	lower   string // for tags; same length
	pos     int
	opts    DirectiveOptions
	cuts    []span // in order, apart from each other
	effects []effect.Effect
	places  []int // of the effects
	errors  []DirectiveError
	full    bool // there were more effects than a reply may have
	// searched is how many bytes were looked at for the ends of directives that have none.
	searched int
	// unclosed are the tags that do not close in what is left. Each is searched for once:
	// a reply of nothing but opening tags would take the square of its length.
	unclosed map[string]bool
}

// take reads what begins at the position. It returns where that ends and whether it is
// cut out of the text; what is not cut is left, up to end if that lies ahead.
func (p *directiveParser) take() (end int, cut bool) {
	switch p.text[p.pos] {
	case '<':
		return p.block()
	case '`':
		return p.fence()
	}
	return p.bracket()
}

// fail notes an error; the parser goes on.
func (p *directiveParser) fail(at int, code DirectiveCode, format string, args ...any) {
	if len(p.errors) >= maxErrors && code != DirectiveTooMany {
		return
	}
	p.errors = append(p.errors, DirectiveError{Offset: at, Near: authorjson.Line(p.text[at:]), Code: code,
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
func (p *directiveParser) bracket() (int, bool) {
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
			p.fail(p.pos, DirectiveUnclosed, "the closing bracket is missing")
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
		p.fail(p.pos, DirectiveBadValue, "the value is not JSON")
		return end, true
	}
	p.set(id, op, value)
	return end, true
}

// set appends a write.
func (p *directiveParser) set(path string, op effect.Operation, value tree.Value) {
	p.add(effect.SetVariable{Path: path, Operation: op, Value: value})
}

// add appends an effect, which begins where the parser is.
func (p *directiveParser) add(e effect.Effect) {
	if len(p.effects) == maxEffects {
		if !p.full {
			p.full = true
			p.fail(p.pos, DirectiveTooMany, tooMany)
		}
		return
	}
	p.effects = append(p.effects, e)
	p.places = append(p.places, p.pos)
}

// known decides by the root of a path: the rest may be created by the write.
func (p *directiveParser) known(id string) bool {
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

// What stands behind the colon is read in two steps: first its extent, which must respect
// brackets and quotation marks inside of JSON, then its meaning. The extent is decided
// without knowing the meaning, so that a value that turns out to be broken can be cut out
// of the prose as a whole, with an error, instead of leaving half of it for the player to
// read.

// extent returns the length of a body up to the bracket that closes its directive. A JSON value
// is followed as far as reach; everything else ends at the next bracket or line.
func extent(s string, reach int) (int, bool) {
	// A value begins behind the operation, if there is one.
	at := blanks(s)
	if _, rest, ok := cutOperation(s[at:]); ok {
		at = len(s) - len(rest)
	}
	if at < len(s) && strings.IndexByte(`{["`, s[at]) >= 0 {
		if n, ok := jsonLength(s[at:min(len(s), at+reach)]); ok {
			end := at + n
			end += blanks(s[end:])
			if end < len(s) && s[end] == ']' {
				return end, true
			}
		}
		// An object that does not close leaves the text alone, for where it ends is a guess.
		// A quotation mark may also be part of a bare text.
		if s[at] != '"' {
			return 0, false
		}
	}
	end := strings.IndexAny(s, "[]\n")
	if end < 0 || s[end] != ']' {
		return 0, false
	}
	return end, true
}

// jsonLength returns the length of the quoted text, or of the balanced object or list,
// that a text begins with.
func jsonLength(s string) (int, bool) {
	// Brackets of both kinds are counted together: whether they pair up is for the reader of
	// JSON to say, once it is known how long the value is.
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
			continue
		case c == '"':
			quoted = !quoted
		case quoted:
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth < 0 {
			return 0, false
		}
		if depth == 0 && !quoted {
			return i + 1, true
		}
	}
	return 0, false
}

// cutOperation cuts the word of an operation and the blanks behind it.
func cutOperation(s string) (op effect.Operation, rest string, ok bool) {
	word := s
	if i := strings.IndexAny(s, " \t]\n{[\""); i >= 0 {
		word = s[:i]
	}
	switch op := effect.Operation(word); op {
	case effect.Set, effect.Add, effect.Subtract, effect.Multiply, effect.Toggle, effect.Append,
		effect.Merge, effect.Push, effect.Delete:
		return op, strings.TrimLeft(s[len(word):], " \t"), true
	}
	return "", s, false
}

// readBody reads what stands behind the colon. Ok is false for a value that should be
// JSON and is not.
func readBody(body string) (op effect.Operation, value tree.Value, ok bool) {
	body = strings.TrimSpace(body)
	if op, value, ok, found := readOrder(body); found {
		return op, value, ok
	}
	if body[0] == '{' || body[0] == '[' {
		value, ok := jsonOrBare(body)
		return effect.Set, value, ok
	}
	return effect.Set, scalar(body), true
}

// readOrder reads a body that says what to do: the word of an operation with what it needs,
// or a sign before a number. Everything else is a value and nothing more.
func readOrder(body string) (op effect.Operation, value tree.Value, ok, found bool) {
	if op, rest, ok := cutOperation(body); ok {
		// The word of an operation without what it needs is a text like any other: a mood
		// can be "set".
		switch {
		case op == effect.Toggle && rest == "":
			return op, tree.Bool(true), true, true
		case op == effect.Toggle || rest == "":
		case op == effect.Add || op == effect.Subtract || op == effect.Multiply || op == effect.Append:
			return op, scalar(rest), true, true
		default:
			value, ok := jsonOrBare(rest)
			return op, value, ok, true
		}
		return "", value, false, false
	}
	// A sign is an operation and never a part of the number: [hp: -10] costs ten points,
	// however many there are.
	n, isNumber := lenientNumber(strings.TrimSpace(body[1:]))
	if !isNumber || signed(body[1:]) && body[0] != '*' { // a factor may be negative
		return "", value, false, false
	}
	switch body[0] {
	case '+':
		return effect.Add, n, true, true
	case '-':
		return effect.Subtract, n, true, true
	case '*':
		return effect.Multiply, n, true, true
	}
	return "", value, false, false
}

// signed tells "- 5" from "-(-5)": two signs are no arithmetic but a text.
func signed(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '-' || s[0] == '+')
}

// jsonOrBare reads a JSON value, or a bare text.
func jsonOrBare(s string) (tree.Value, bool) {
	v, err := tree.ParseValue([]byte(s))
	if err == nil {
		return v, true
	}
	if s[0] == '{' || s[0] == '[' {
		return tree.Value{}, false
	}
	return scalar(s), true
}

// scalar reads a quoted text, true, false, a number, or a bare text.
func scalar(s string) tree.Value {
	switch s {
	case "true":
		return tree.Bool(true)
	case "false":
		return tree.Bool(false)
	}
	if n := len(s); n > 1 && s[0] == '"' && s[n-1] == '"' {
		if end, ok := jsonLength(s); ok && end == n {
			if v, err := tree.ParseValue([]byte(s)); err == nil {
				return v
			}
			// Line breaks and odd escapes make it no JSON, and are meant as they stand.
			return tree.Text(strings.ReplaceAll(s[1:n-1], `\"`, `"`))
		}
	}
	if v, ok := lenientNumber(s); ok {
		return v
	}
	return tree.Text(s)
}

// lenientNumber reads a decimal number, with a sign and with leading zeros.
func lenientNumber(s string) (tree.Value, bool) {
	if strings.Trim(s, "0123456789.eE+-") != "" || !strings.ContainsAny(s, "0123456789") {
		return tree.Value{}, false
	}
	if v, err := tree.ParseValue([]byte(s)); err == nil {
		return v, true
	}
	// Forms that JSON does not know and models write: 007, +5, .5 and 5.
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return tree.Value{}, false
	}
	return tree.Float(f), true
}

// readAudio reads track and action of a sound.
func readAudio(body string) (effect.PlayAudio, bool) {
	words := strings.Fields(body)
	if len(words) < 2 {
		return effect.PlayAudio{}, false
	}
	a := effect.PlayAudio{TrackID: words[0], Action: words[1]}
	switch a.Action {
	case "play", "stop", "crossfade", "volume":
	default:
		return a, false
	}
	for _, word := range words[2:] {
		if next, ok := strings.CutPrefix(word, "chain:"); ok && next != "" {
			a.ChainTo = next
			continue
		}
		// Every action may have a number, which some players understand; it counts for two.
		v, isNumber := lenientNumber(word)
		n, _ := v.AsFloat()
		if !isNumber || math.IsInf(n, 0) {
			return a, false
		}
		switch a.Action {
		case "crossfade":
			a.FadeDuration = &n
		case "volume":
			a.Volume = &n
		}
	}
	return a, true
}

// The directive part reads what a model writes into its prose to change the game, such as
// "You find a purse. [gold: +100]", and leaves the prose.
//
// The forms, where an id is of letters of any script, digits and _ . $ -:
//
//	[hp: +5]  [hp: -10]  [hp: *2]           add, subtract, multiply
//	[x: set v]  [x: add v]  [x: subtract v]  [x: multiply v]  [x: append v]
//	[x: merge {…}]  [x: push v]  [x: delete v]
//	[x: toggle]
//	[x: v]                                  set
//
// A value is a JSON object or list, a quoted text, true, false, a number, or else the bare
// text up to the bracket, on one line; behind set, push and delete also null. So [hp: -10]
// subtracts, and [hp: set -10] assigns.
//
//	[audio: track play]  stop  crossfade 2  volume 0.3, each with chain:next
//
// is sound. A fenced block of code is taken as a whole if it holds nothing but objects like
// {"hp": "-5"}, and so is a block
// <UpdateVariable>…<JSONPatch>[…]</JSONPatch>…</UpdateVariable>.
// Blocks of thought such as <think>…</think>, and echoes of the state, are dropped unread.
//
// [ParseStrictDirectives] is for prompts that ask for a receipt, a line [updates: 3] with the number of
// updates: a batch in which anything is wrong is refused as a whole.
//
// Effects come out in the order of the text. What cannot be read is an [DirectiveError] with its
// place, for the model to see; it is never an error of the program.

// Blocks come before brackets: whatever stands in a thought or in a patch is not looked at
// again. A block that does not close is prose, and is remembered as such, so that a reply
// full of opening tags is read in one pass.

// silent are the blocks that are dropped unread: thoughts, and echoes of what the prompt
// told the model.
var silent = [...]string{
	"think", "thinking", "reasoning", "reflection", "fiction-mode", "inner-thought",
	"brainstorming", "game-state", "state-reminder", "last-turn-changes",
}

// block reads an element that begins at the position.
func (p *directiveParser) block() (int, bool) {
	// A thought may speak of directives, and an echo is full of values that look like them:
	// neither is an order.
	for _, tag := range silent {
		if _, end, ok := p.element(tag, p.pos); ok {
			return end, true
		}
	}
	if content, end, ok := p.element("updatevariable", p.pos); ok {
		// What else stands in the block is the model thinking aloud.
		_, body, ok := strings.Cut(p.lower[content.start:content.end], "<jsonpatch>")
		if !ok {
			return end, true
		}
		at := content.end - len(body)
		n := strings.Index(body, "</jsonpatch>")
		if n < 0 {
			p.fail(at-len("<jsonpatch>"), DirectiveUnclosed, "the patch is not closed")
			return end, true
		}
		p.patch(span{at, at + n})
		return end, true
	}
	if content, end, ok := p.element("jsonpatch", p.pos); ok {
		p.patch(content)
		return end, true
	}
	return 0, false
}

// element returns the content of <tag …>…</tag> if it begins at a place.
func (p *directiveParser) element(tag string, at int) (content span, end int, ok bool) {
	rest, ok := strings.CutPrefix(p.lower[at:], "<"+tag)
	if !ok || rest == "" || p.unclosed[tag] || rest[0] != '>' && rest[0] != ' ' {
		return content, 0, false
	}
	open := strings.IndexByte(rest, '>')
	if open < 0 { // and there will be none for the next one either
		p.unclosed[tag] = true
		return content, 0, false
	}
	start := len(p.lower) - len(rest) + open + 1
	closing := "</" + tag + ">"
	// A reply that was cut off in the middle of a thought shows the thought: dropping the
	// rest would lose what was not thought if only the closing tag is missing.
	n := strings.Index(p.lower[start:], closing)
	if n < 0 {
		p.unclosed[tag] = true
		p.fail(at, DirectiveUnclosed, "the tag <%s> is not closed", tag)
		return content, 0, false
	}
	return span{start, start + n}, start + n + len(closing), true
}

// patch reads a list of patch operations.
func (p *directiveParser) patch(content span) {
	body := p.text[content.start:content.end]
	list, err := tree.ParseValue([]byte(strings.TrimSpace(body)))
	if err != nil || !list.IsArray() {
		p.fail(content.start, DirectiveBadPatch, "not a JSON list of operations")
		return
	}
	// Operations are independent: one that is unknown costs only itself.
	for i, e := range list.Elements() {
		if wrong := p.operation(e); wrong.Format != "" {
			p.fail(content.start, DirectiveUnknownOp, "operation %d: %s", i+1, wrong)
		}
	}
}

// operation carries over one patch operation, or says what is wrong with it.
func (p *directiveParser) operation(e tree.Value) wording.Phrase {
	op, _ := e.Get("op").AsText()
	pointer, _ := e.Get("path").AsText()
	value := e.Get("value")
	path, ok := p.pointer(pointer)
	if !ok {
		return wording.Of("no path such as /a/b")
	}
	switch op {
	case "replace", "insert", "add":
		if !value.Exists() {
			return wording.Of("no value")
		}
		// "-" is the place behind the end of a list.
		if last := len(path) - 1; op != "replace" && path[last] == "-" {
			p.set(path[:last].String(), effect.Push, value)
			return wording.Phrase{}
		}
		p.set(path.String(), effect.Set, value)
	case "delta":
		// Not of the standard, but what cards ask for: a relative change survives a model
		// that has the present value wrong. Some write the number as a text.
		if s, ok := value.AsText(); ok {
			value, _ = lenientNumber(strings.TrimSpace(s))
		}
		n, ok := value.AsNumber()
		if !ok {
			return wording.Of("delta takes a number")
		}
		if minus, ok := strings.CutPrefix(string(n), "-"); ok {
			p.set(path.String(), effect.Subtract, tree.Num(tree.Number(minus)))
			return wording.Phrase{}
		}
		p.set(path.String(), effect.Add, tree.Num(n))
	case "remove": // the path says what; the operand is there for completeness
		p.set(path.String(), effect.Delete, tree.Bool(true))
	default:
		return wording.Of("no operation %q; there are replace, insert, delta and remove", op)
	}
	return wording.Phrase{}
}

// pointer turns /a/b into a path below the root of patches.
func (p *directiveParser) pointer(s string) (tree.Path, bool) {
	rest, ok := strings.CutPrefix(s, "/")
	if !ok || rest == "" {
		return nil, false
	}
	root := p.opts.PatchRoot
	if root == "" {
		root = "game_state"
	}
	path := tree.Path{root}
	for _, seg := range strings.Split(rest, "/") {
		if seg == "" {
			return nil, false
		}
		// Pointers write a slash in a key as ~1 and a tilde as ~0.
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(seg))
	}
	return path, true
}

// maxInfo bounds what may stand behind the opening of a fence on its line.
const maxInfo = 200

// fence reads a fenced block of code. It is cut if it holds directives and nothing else.
func (p *directiveParser) fence() (int, bool) {
	rest, ok := strings.CutPrefix(p.text[p.pos:], "```")
	if !ok {
		return 0, false
	}
	line := strings.IndexByte(rest[:min(len(rest), maxInfo)], '\n')
	if line < 0 || p.unclosed["```"] {
		return p.pos + 3, false
	}
	start := len(p.text) - len(rest) + line + 1
	n := strings.Index(p.text[start:], "```")
	if n < 0 {
		p.unclosed["```"] = true
		return p.pos + 3, false
	}
	end := start + n + 3
	effects, some, all := p.entries(strings.TrimSpace(p.text[start : start+n]))
	if !all {
		if some {
			p.fail(p.pos, DirectiveNotAllValid, "a block of directives must hold nothing else")
		}
		return p.pos + 3, false
	}
	for _, e := range effects {
		p.add(e)
	}
	return end, true
}

// entries reads objects of directives: a list of them, one, or one after another.
func (p *directiveParser) entries(content string) (effects []effect.Effect, some, all bool) {
	list, ok := objects(content)
	if !ok {
		return nil, false, false
	}
	all = len(list) > 0
	for _, e := range list {
		all = all && e.Len() > 0
		for id, v := range e.Members() {
			// {"hp": 5} and {"hp": "5"} are data that the model shows, {"hp": "-5"} is a
			// directive: without an operation a sheet of a character would be one.
			body, isText := v.AsText()
			body = strings.TrimSpace(body)
			if !isText || body == "" || idLength(id) != len(id) || !p.known(id) {
				all = false
				continue
			}
			op, value, ok, found := readOrder(body)
			if !found || !ok {
				all = false
				continue
			}
			some = true
			effects = append(effects, effect.SetVariable{Path: id, Operation: op, Value: value})
		}
	}
	return effects, some && !all, all
}

// objects reads the values of a block: the elements of one list, or values one after another,
// which commas may part.
func objects(content string) ([]tree.Value, bool) {
	if whole, err := tree.ParseValue([]byte(content)); err == nil {
		if !whole.IsArray() {
			return []tree.Value{whole}, true
		}
		var list []tree.Value
		for _, e := range whole.Elements() {
			list = append(list, e)
		}
		return list, true
	}
	var list []tree.Value
	for content != "" {
		n, ok := jsonLength(content)
		if !ok || content[0] != '{' {
			return nil, false
		}
		v, err := tree.ParseValue([]byte(content[:n]))
		if err != nil {
			return nil, false
		}
		list = append(list, v)
		content = strings.TrimLeft(content[n:], " \t\r\n,")
	}
	return list, true
}
