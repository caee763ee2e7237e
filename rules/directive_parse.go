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
	"github.com/talewright/talewright/internal/modeltext"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// This file reads the commands that a model writes into its prose to change the game, such as "You
// find a purse. [gold: +100]", and returns the prose without them.
//
// The forms, where an id is of letters of any script, digits and _ . $ -:
//
//	[hp: +5]  [hp: -10]  [hp: *2]           add, subtract, multiply
//	[x: set v]  [x: add v]  [x: subtract v]  [x: multiply v]  [x: append v]
//	[x: merge {…}]  [x: push v]  [x: delete v]
//	[x: toggle]
//	[x: v]                                  set
//
// A value is a JSON object or list, a quoted text, true, false or a number. After set, push and
// delete it may be null. Everything else is the bare text up to the bracket, on one line. So [hp:
// -10] subtracts, and [hp: set -10] assigns.
//
//	[audio: track play]  stop  crossfade 2  volume 0.3, each with chain:next
//
// is sound. A fenced code block is read as a whole if it contains only objects like {"hp": "-5"}.
// So is a block <UpdateVariable>…<JSONPatch>[…]</JSONPatch>…</UpdateVariable>. Blocks of thought
// such as <think>…</think>, and echoes of the state, are removed unread.
//
// [ParseStrictDirectives] is for prompts that ask for a receipt: a line [updates: 3] with the
// number of updates. If anything in the batch is wrong, the whole batch is refused.
//
// Effects are in the order of the text. Text that cannot be read gives a [DirectiveError] with its
// place, for the model. It is never an error of the program.

// DirectiveOptions are the settings of [ParseDirectives]. The zero value is useful.
type DirectiveOptions struct {
	// Known reports whether a variable exists, by id without path. A directive with an unknown id
	// is prose and stays in the text. Nil accepts every directive; then prose like [Note: beware]
	// is removed from the text.
	Known func(id string) bool
	// PatchRoot is the variable that JSON patches change; empty means game_state. If Known does not
	// have it, a patch may begin with a variable: /gold.
	PatchRoot string
	// Hints is the language of [DirectiveError.Text]: "en" (also "") or "zh".
	Hints string
}

// words returns the language of the texts for the model.
func (o DirectiveOptions) words() wording.Table { return wording.In(o.Hints, report.Table) }

// DirectiveResult is the result of parsing a reply.
type DirectiveResult struct {
	// Text is the text for the player.
	Text string
	// Effects are [effect.SetVariable] and [effect.PlayAudio], in order of the text.
	Effects []effect.Effect
	Errors  []DirectiveError
	// Passages are the parts removed from Text, in order: directives, blocks that were read, and
	// blocks that are dropped unread.
	Passages []DirectivePassage
}

// DirectivePassage is a part of a reply that is not for players, with its effects.
type DirectivePassage struct {
	From, To int // in bytes, in the text that was parsed
	Effects  []effect.Effect
}

// DirectiveError is text that looks like a directive but is not a valid one.
type DirectiveError struct {
	Offset int    // in bytes, in the text that was parsed
	Near   string // the text there, shortened to one line
	Code   DirectiveCode
	Text   string // what is wrong, for the model
}

// Error returns the text with its place.
func (e DirectiveError) Error() string { return e.Text + ", near " + e.Near }

// DirectiveCode is the kind of a [DirectiveError].
//
// Its values:
//
//   - unclosed: no closing bracket, quotation mark or tag; left in the text
//   - bad-value: not JSON; the directive is dropped
//   - bad-patch: not a JSON patch; the block is dropped
//   - unknown-op: an unknown patch operation; skipped
//   - not-all-valid: a fenced block with directives and other things; left
//   - too-many: beyond the limit of one reply; left out
//   - no-receipt: no line with the number of updates, or several
//   - wrong-count: the line has a different number
//   - refused: the game would refuse the update
type DirectiveCode string

// The codes.
const (
	directiveUnclosed    DirectiveCode = "unclosed"
	directiveBadValue    DirectiveCode = "bad-value"
	directiveBadPatch    DirectiveCode = "bad-patch"
	directiveUnknownOp   DirectiveCode = "unknown-op"
	directiveNotAllValid DirectiveCode = "not-all-valid"
	directiveTooMany     DirectiveCode = "too-many"

	// Only of [ParseStrictDirectives].
	directiveNoReceipt  DirectiveCode = "no-receipt"
	directiveWrongCount DirectiveCode = "wrong-count"
	directiveRefused    DirectiveCode = "refused"
)

// Writes returns the effects that write variables, each with the cause.
func (r DirectiveResult) Writes(by string) []effect.Attributed {
	var out []effect.Attributed
	for _, e := range r.Effects {
		if _, ok := e.(effect.SetVariable); ok {
			out = append(out, effect.Attributed{Source: by, Effect: e})
		}
	}
	return out
}

// Audio returns the audio effects.
func (r DirectiveResult) Audio() []effect.PlayAudio {
	var out []effect.PlayAudio
	for _, e := range r.Effects {
		if a, ok := e.(effect.PlayAudio); ok {
			out = append(out, a)
		}
	}
	return out
}

// ParseDirectives reads the directives of a reply. It never fails: unrecognised text is prose. The
// rules, in the order in which they apply at each place:
//
//  1. Blocks of thought and echoes of the state are removed with their content.
//  2. Patches are read, and removed even if they cannot be read.
//  3. A fenced block is removed if it contains only directives. Otherwise it stays, and directives
//     in it are read.
//  4. [image: …] is not changed.
//  5. A bracket with a known id is a directive and is removed. With DirectiveOptions.Known the id may
//     also be a name with blanks, and the colon may be wide: [Orc HP：-3].
//
// Effects of all kinds are in the order of the text, so that the later of two writes to one
// variable counts. A directive has at most 16 KiB, a reply at most 1,000 effects, and at most 100
// errors are listed. The time is linear in the length of any text. ParseDirectives is pure and safe
// for concurrent use.
func ParseDirectives(text string, opts DirectiveOptions) DirectiveResult {
	r, _ := directiveParse(text, opts)
	return r
}

// directiveParse is [ParseDirectives]. It also returns the parser, which has the places of the
// effects in the text.
func directiveParse(text string, opts DirectiveOptions) (DirectiveResult, *directiveParser) {
	p := &directiveParser{text: text, lower: modeltext.Lower(text), opts: opts, unclosed: make(map[string]bool)}
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

// passages pairs the cut parts with their effects: each effect is recorded with the place where its
// passage begins.
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

// span is a part of the text, in bytes.
type span struct{ start, end int }

// directiveParser reads a reply once, from left to right. Recognised parts are recorded with their
// places and cut out at the end, so that offsets always refer to the original text.
type directiveParser struct {
	text    string
	lower   string // for tags; same length
	pos     int
	opts    DirectiveOptions
	cuts    []span // in order, not overlapping
	effects []effect.Effect
	places  []int // of the effects
	errors  []DirectiveError
	full    bool // there were more effects than a reply may have
	// searched is the number of bytes searched for the ends of unclosed directives.
	searched int
	// unclosed has the tags that do not close in the rest of the text. Each is searched for once.
	// Otherwise a reply that consists of opening tags would take quadratic time.
	unclosed map[string]bool
}

// take reads the element at the position. It returns where the element ends and whether it is cut
// out of the text. An element that is not cut is skipped up to end if that is after the position.
func (p *directiveParser) take() (end int, cut bool) {
	switch p.text[p.pos] {
	case '<':
		return p.block()
	case '`':
		return p.fence()
	}
	return p.bracket()
}

// fail records an error. The parser continues.
func (p *directiveParser) fail(at int, code DirectiveCode, format string, args ...any) {
	if len(p.errors) >= maxErrors && code != directiveTooMany {
		return
	}
	p.errors = append(p.errors, newDirectiveError(p.text, at, code, p.opts.words().Say(format, args...)))
}

// newDirectiveError returns an error at a place of a text.
func newDirectiveError(text string, at int, code DirectiveCode, wrong string) DirectiveError {
	return DirectiveError{Offset: at, Near: authorjson.Line(text[at:]), Code: code, Text: wrong}
}

// The limits of a reply. A model that exceeds them has gone wrong, and its output must not fill a
// prompt or a game.
const (
	// maxDirective limits the length of one directive in bytes. The longest valid directives set a
	// whole inventory. The end of an unclosed directive is searched up to this length. When all
	// these searches together exceed the length of the reply plus this limit, JSON values of
	// directives are no longer read.
	maxDirective = 16 << 10
	// maxHead limits the length of an id with its colon, in bytes.
	maxHead = 1 << 10
	// maxEffects and maxErrors limit the result of one reply.
	maxEffects = 1000
	maxErrors  = 100
)

// tooMany is the error for a model that exceeds maxEffects.
const tooMany = "more than 1,000 updates in one reply; the rest are left out"

// bracket reads [id: body].
func (p *directiveParser) bracket() (int, bool) {
	id, body := p.head(p.pos + 1 + blanks(p.text[p.pos+1:]))
	if id == "" {
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
		// An error is useful to the model only if a directive was meant.
		if p.known(id) && plausible(limit) {
			p.fail(p.pos, directiveUnclosed, "the closing bracket is missing")
		}
		return 0, false
	}
	end := body + length + 1
	content := strings.TrimSpace(limit[:length])
	switch {
	case content == "":
		return 0, false
	case picture:
		return end, false // it stays unchanged
	case sound: // otherwise it is a variable with that name
		if a, ok := readAudio(content); ok {
			p.add(a)
			return end, true
		}
		if !p.known(id) {
			p.searched += min(length, reach)
			return 0, false
		}
	}
	// A directive with an invalid value is removed too, because the player should not read it.
	op, value, ok := readBody(content)
	if !ok {
		p.fail(p.pos, directiveBadValue, "the value is not JSON")
		return end, true
	}
	p.set(id, op, value)
	return end, true
}

// head reads the id at a position, and returns the position after its colon. If the ids are known, it
// may also be a display name with blanks, and the colon may be wide.
func (p *directiveParser) head(start int) (id string, body int) {
	rest := p.text[start:min(len(p.text), start+maxHead)]
	n := idLength(rest)
	if n > 0 && strings.HasPrefix(rest[n:], ":") {
		return rest[:n], start + n + 1
	}
	colon := strings.IndexAny(rest, ":：[]\n")
	if colon < 0 || p.opts.Known == nil {
		return "", 0
	}
	mark, size := utf8.DecodeRuneInString(rest[colon:])
	if name := rest[:colon]; (mark == ':' || mark == '：') && p.known(name) {
		return name, start + colon + size
	}
	return "", 0
}

// set appends a write.
func (p *directiveParser) set(path string, op effect.Operation, value tree.Value) {
	p.add(effect.SetVariable{Path: path, Operation: op, Value: value})
}

// add appends an effect that begins at the parser's position.
func (p *directiveParser) add(e effect.Effect) {
	if len(p.effects) == maxEffects {
		if !p.full {
			p.full = true
			p.fail(p.pos, directiveTooMany, tooMany)
		}
		return
	}
	p.effects = append(p.effects, e)
	p.places = append(p.places, p.pos)
}

// known decides by the root of a path, because the write may create the rest.
func (p *directiveParser) known(id string) bool {
	if p.opts.Known == nil || p.opts.Known(id) {
		return true
	}
	root, _, inside := strings.Cut(id, ".")
	return inside && p.opts.Known(root)
}

// plausible reports whether a bracket is an attempt at a directive and not prose.
func plausible(body string) bool {
	body = strings.TrimLeft(body, " ")
	if body == "" {
		return false
	}
	_, _, isOp := cutOperation(body)
	return isOp || strings.ContainsRune("+-*{\"", rune(body[0]))
}

// blanks counts the leading blanks without line breaks.
func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// idLength returns the length of the id at the start of a text.
func idLength(s string) int {
	// Marks are included: they are letters of many scripts, and separate accents.
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if r == utf8.RuneError || !letter && !strings.ContainsRune("_.$-", r) {
			return i
		}
	}
	return len(s)
}

// prose returns the text without the spans. At most one of the blanks around a gap is kept. At the
// beginning of a line no blank is kept.
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

// tidy trims the text, collapses empty lines and, if something was cut, trims the lines.
func tidy(s string, lines bool) string {
	// If nothing was cut, lines keep their blanks, because they may be verse.
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

// The text after the colon is read in two steps: first its extent, which must respect brackets and
// quotation marks inside JSON, then its meaning. The extent does not depend on the meaning. So an
// invalid value can be cut out as a whole, with an error, and the player does not see half of it.

// extent returns the length of a body up to the bracket that closes its directive. A JSON value is
// read up to reach. Any other value ends at the next bracket or line.
func extent(s string, reach int) (int, bool) {
	// A value begins after the operation, if there is one.
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
		// An unclosed object leaves the text unchanged, because its end would be a guess. A
		// quotation mark may also be part of a bare text.
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

// jsonLength returns the length of the quoted text, object or list at the start of a text.
func jsonLength(s string) (int, bool) {
	// Brackets of both kinds are counted together. The JSON reader checks their pairing after the
	// length of the value is known.
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

// cutOperation cuts off the operation word and the blanks after it.
func cutOperation(s string) (op effect.Operation, rest string, ok bool) {
	word := s
	if i := strings.IndexAny(s, " \t]\n{[\""); i >= 0 {
		word = s[:i]
	}
	if !slices.Contains(operations[:], effect.Operation(word)) {
		return "", s, false
	}
	return effect.Operation(word), strings.TrimLeft(s[len(word):], " \t"), true
}

// readBody reads the text after the colon. ok is false for a value that should be JSON but is not.
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

// readOrder reads a body with an operation: an operation word with its operand, or a sign before a
// number. The result found is false for any other body, which is a plain value.
func readOrder(body string) (op effect.Operation, value tree.Value, ok, found bool) {
	if op, rest, ok := cutOperation(body); ok {
		// An operation word without its operand is an ordinary text: a mood can be "set".
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
	// A sign is an operation and never part of the number: [hp: -10] subtracts ten points.
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

// signed distinguishes "- 5" from "-(-5)": two signs are a text, not arithmetic.
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
			// Line breaks and odd escapes are not valid JSON. They are used as written.
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
	// Number forms that JSON does not allow but models write: 007, +5, .5 and 5.
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return tree.Value{}, false
	}
	return tree.Float(f), true
}

// readAudio reads the track and the action of a sound.
func readAudio(body string) (effect.PlayAudio, bool) {
	words := strings.Fields(body)
	if len(words) < 2 {
		return effect.PlayAudio{}, false
	}
	a := effect.PlayAudio{TrackID: words[0], Action: words[1]}
	if !slices.Contains(sounds, a.Action) {
		return a, false
	}
	for _, word := range words[2:] {
		if next, ok := strings.CutPrefix(word, "chain:"); ok && next != "" {
			a.ChainTo = next
			continue
		}
		// Every action may have a number, which some players support. Here it applies to crossfade
		// and volume.
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

// Blocks are read before brackets: the content of a thought or a patch is not read again. An
// unclosed block is prose. It is remembered, so that a reply full of opening tags is read in one
// pass.

// silent lists the blocks that are removed unread: thoughts, and echoes of the prompt.
var silent = [...]string{
	"think", "thinking", "reasoning", "reflection", "fiction-mode", "inner-thought",
	"brainstorming", "game-state", "state-reminder", "last-turn-changes",
}

// block reads an element that begins at the position.
func (p *directiveParser) block() (int, bool) {
	// A thought may mention directives, and an echo contains values that look like directives.
	// Neither is a command.
	for _, tag := range silent {
		if _, end, ok := p.element(tag, p.pos); ok {
			return end, true
		}
	}
	if content, end, ok := p.element("updatevariable", p.pos); ok {
		// The rest of the block is the model's reasoning.
		_, body, ok := strings.Cut(p.lower[content.start:content.end], "<jsonpatch>")
		if !ok {
			return end, true
		}
		at := content.end - len(body)
		n := strings.Index(body, "</jsonpatch>")
		if n < 0 {
			p.fail(at-len("<jsonpatch>"), directiveUnclosed, "the patch is not closed")
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

// element returns the content of <tag …>…</tag> if it begins at the given offset.
func (p *directiveParser) element(tag string, at int) (content span, end int, ok bool) {
	rest, ok := strings.CutPrefix(p.lower[at:], "<"+tag)
	if !ok || rest == "" || p.unclosed[tag] || rest[0] != '>' && rest[0] != ' ' {
		return content, 0, false
	}
	open := strings.IndexByte(rest, '>')
	if open < 0 { // and the next search would find no end either
		p.unclosed[tag] = true
		return content, 0, false
	}
	start := len(p.lower) - len(rest) + open + 1
	closing := "</" + tag + ">"
	// If a reply is cut off in the middle of a thought, the thought is shown. Dropping the rest
	// would lose text that is not a thought if only the closing tag is missing.
	n := strings.Index(p.lower[start:], closing)
	if n < 0 {
		p.unclosed[tag] = true
		p.fail(at, directiveUnclosed, "the tag <%s> is not closed", tag)
		return content, 0, false
	}
	return span{start, start + n}, start + n + len(closing), true
}

// patch reads a list of patch operations.
func (p *directiveParser) patch(content span) {
	body := p.text[content.start:content.end]
	list, err := tree.ParseValue([]byte(strings.TrimSpace(body)))
	if err != nil || !list.IsArray() {
		p.fail(content.start, directiveBadPatch, "not a JSON list of operations")
		return
	}
	// Operations are independent: an unknown one affects only itself.
	for i, e := range list.Elements() {
		if wrong := p.operation(e); wrong.Format != "" {
			p.fail(content.start, directiveUnknownOp, "operation %d: %s", i+1, wrong)
		}
	}
}

// operation converts one patch operation, or returns its mistake.
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
		// "-" means the place after the end of a list.
		if last := len(path) - 1; op != "replace" && path[last] == "-" {
			p.set(path[:last].String(), effect.Push, value)
			return wording.Phrase{}
		}
		p.set(path.String(), effect.Set, value)
	case "delta":
		// This operation is not in the standard, but cards ask for it: a relative change is correct
		// even if the model has the wrong present value. Some models write the number as a text.
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
	case "remove": // the path alone names the part; the operand is only for completeness
		p.set(path.String(), effect.Delete, tree.Bool(true))
	default:
		return wording.Of("no operation %q; there are replace, insert, delta and remove", op)
	}
	return wording.Phrase{}
}

// pointer converts /a/b to a path below the root of patches, or to the path a.b if there is no such root
// and a is a variable.
func (p *directiveParser) pointer(s string) (tree.Path, bool) {
	rest, ok := strings.CutPrefix(s, "/")
	if !ok || rest == "" {
		return nil, false
	}
	var path tree.Path
	root := cmp.Or(p.opts.PatchRoot, "game_state")
	first, _, _ := strings.Cut(rest, "/")
	if known := p.opts.Known; known == nil || known(root) || !known(first) {
		path = tree.Path{root}
	}
	for _, seg := range strings.Split(rest, "/") {
		if seg == "" {
			return nil, false
		}
		// Pointers write a slash in a key as ~1 and a tilde as ~0.
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(seg))
	}
	return path, true
}

// maxInfo limits the text after the opening of a fence on its line.
const maxInfo = 200

// fence reads a fenced code block. The block is cut if it contains only directives.
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
			p.fail(p.pos, directiveNotAllValid, "a block of directives must hold nothing else")
		}
		return p.pos + 3, false
	}
	for _, e := range effects {
		p.add(e)
	}
	return end, true
}

// entries reads directive objects: a list of them, one, or several in a row.
func (p *directiveParser) entries(content string) (effects []effect.Effect, some, all bool) {
	list, ok := objects(content)
	if !ok {
		return nil, false, false
	}
	all = len(list) > 0
	for _, e := range list {
		all = all && e.Len() > 0
		for id, v := range e.Members() {
			// {"hp": 5} and {"hp": "5"} are data that the model shows. {"hp": "-5"} is a directive.
			// Without the required operation, a character sheet would be read as directives.
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

// objects returns the values of a block: the elements of one list, or several values in a row, with
// optional commas between them.
func objects(content string) ([]tree.Value, bool) {
	if whole, err := tree.ParseValue([]byte(content)); err == nil && whole.IsArray() {
		return whole.List(), true
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
