package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// These checks find effects that will always be refused: the operation does not fit the declared
// type of its variable, or the operand does not fit the operation. Operands that are known only
// during play, such as references and parameters, are not checked. Neither are the contents of json
// variables.

// check reports unknown words in an action. Unknown action types may belong to the host, so they
// are only warnings.
func (p place) check(e effect.Effect) {
	switch e := e.(type) {
	case effect.ToggleBook:
		p.within(".bookId").member(e.ID)
	case effect.ToggleVariable:
		p.within(".variableId").exposed(e.ID)
	case effect.SetVariable:
		p.write(e)
	case effect.InjectDirective:
		if e.ID == "" {
			p.add(".directiveId", BadActions, "no id; nothing is injected; add one")
		}
		p.position(string(e.Position))
		p.limits(e.Duration, e.Depth)
	case effect.SendContext:
		if strings.TrimSpace(e.Message) == "" {
			p.add(".message", BadActions, "no text; nothing is sent; write a message")
		}
		p.word(".role", e.Role, roles)
	case effect.Notify:
		p.word(".style", e.Style, styles)
	case effect.PlayAudio:
		p.word(".action", e.Action, sounds)
	case effect.Emit:
		p.emitted(e.Event)
	case effect.Custom:
		// Unreadable actions are already reported. This action could be read, but only a host may
		// know its type.
		known := slices.Concat(effect.Types(), campaignActions[:], p.content.Actions)
		if !e.Unreadable() && !slices.Contains(known, e.Type) {
			p.add("", UnknownID,
				"no action %q here; only the host can know it; %s", e.Type, report.Hint(e.Type, known...))
		}
	}
}

// campaignActions are the actions of rules that only campaigns apply.
var campaignActions = [...]string{
	"hp-delta", "move", "state-change", "relationship-change", "add-character", "add-area", "add-path",
	"lock-path", "unlock-path", "lock-area", "unlock-area", "lock-movement", "unlock-movement",
	"start-timer", "pause-timer", "resume-timer", "cancel-timer", "enter-scene", "end-campaign",
}

// write reports writes that can never be applied.
func (p place) write(e effect.SetVariable) {
	if e.Operation != "" && !slices.Contains(operations[:], e.Operation) {
		p.add(".operation", BadActions,
			"unknown operation %q; nothing is written; %s", e.Operation, report.Hint(e.Operation, operations[:]...))
		return
	}
	if strings.HasPrefix(e.Path, "@") {
		p.systemWrite(e)
		return
	}
	operand, known := p.operand(e)
	if text := operandFor(e.Operation, operand); known && text != "" {
		p.add(".value", BadActions, "%s; nothing is written", text)
		return
	}
	if p.variables == nil {
		return
	}
	d, isVariable := p.variables[e.Path]
	if !isVariable {
		d, isVariable = p.variables[p.display[e.Path]]
	}
	switch root, isPath := p.variables[rootOf(e.Path)]; {
	case isVariable:
		p.checkType(d, e.Operation, operand, known)
	case isPath && root.Type != TypeJSON:
		p.add("", BadActions,
			"a path into %s, which is %s and has no parts; nothing is written; name the variable alone, or declare it as json",
			root.ID, root.Type)
	}
}

// operand returns the constant operand of a write. known is false for an operand that is known only
// during play.
func (p place) operand(e effect.SetVariable) (operand tree.Value, known bool) {
	if e.Random != nil {
		return p.within(".valueRandom").random(e.Random)
	}
	if e.ValueRef != "" || hasTokenValue(e.Value) {
		return operand, false
	}
	return e.Value, true
}

// random reports invalid random operands. It returns a sample of the kind that will be drawn.
func (p place) random(r *effect.Random) (sample tree.Value, known bool) {
	switch r.Kind {
	case effect.RangeKind:
		return tree.Int(0), true
	case effect.DiceKind:
		if r.Sides < 1 {
			p.add(".sides", BadActions, "dice without sides; nothing is written; write how many")
		}
		return tree.Int(0), true
	case effect.ListKind:
		if r.CandidatesVar == "" && len(r.Candidates) == 0 {
			p.add(".candidates", BadActions, "a list without candidates; nothing is written; add some")
		}
		return tree.Text(""), true
	}
	p.add(".kind", BadActions,
		"unknown kind %q; nothing is written; %s",
		r.Kind, report.Hint(r.Kind, effect.RangeKind, effect.DiceKind, effect.ListKind))
	return sample, false
}

// operandFor returns the mistake in the operand of an operation, for any variable.
func operandFor(op effect.Operation, operand tree.Value) string {
	want, fits := "", true
	switch op {
	case "", effect.Set, effect.Push:
		want, fits = "a value", operand.Exists()
	case effect.Add, effect.Subtract, effect.Multiply:
		want, fits = "a number", operand.Kind() == tree.KindNumber
	case effect.Append:
		want, fits = "a text", operand.Kind() == tree.KindText
	case effect.Merge:
		want, fits = "an object", operand.IsObject()
	}
	if fits {
		return ""
	}
	given := operand.Kind().String()
	if !operand.Exists() {
		given = "nothing"
	}
	return string(cmp.Or(op, effect.Set)) + " takes " + want + ", and this is " + given
}

// operationsOf lists the operations for each declared type. A json variable may have any value.
var operationsOf = map[VariableType][]effect.Operation{
	TypeNumber:  {effect.Set, effect.Add, effect.Subtract, effect.Multiply},
	TypeString:  {effect.Set, effect.Append},
	TypeBoolean: {effect.Set, effect.Toggle},
}

// checkType reports operations and values that the type of a variable excludes.
func (p place) checkType(d Variable, op effect.Operation, operand tree.Value, known bool) {
	if d.Formula != "" {
		p.add("", Ignored,
			"%s is computed by its formula, which overwrites this; write the variables that it reads", d.ID)
	}
	allowed, isTyped := operationsOf[d.Type]
	op = cmp.Or(op, effect.Set)
	if isTyped && !slices.Contains(allowed, op) {
		p.add(".operation", BadActions,
			"%s does not work on %s, which is %s; nothing is written; %s",
			op, d.ID, d.Type, report.Choices(allowed))
		return
	}
	if !known {
		return
	}
	if s, isText := operand.AsText(); isText && d.Type == TypeNumber {
		if _, ok := report.Numeric(s); ok { // the only conversion
			return
		}
	}
	switch {
	case isTyped && op == effect.Set && !d.Type.fits(operand):
		p.add(".value", BadActions,
			"sets %s, which is %s, to %s; nothing is written", d.ID, d.Type, operand.Kind())
	case op == effect.Delete && operand.Kind() != tree.KindText && operand.Kind() != tree.KindNumber:
		p.add(".value", BadActions, "delete takes a key or an index; nothing is written")
	}
}

// The @ paths that package rules supports: whole paths, which take a text, and beginnings that are
// followed by an id.
var (
	systemTexts = [...]string{
		"@audio.bgm", "@audio.sfx", "@audio.ambient", "@audio.stop", "@prompt.context", "@ai.context",
		"@ui.notification", "@ai.request",
	}
	systemSwitches = [...]string{
		"@prompt.entry.", "@rules.disabled.", "@vars.enabled.", "@worldbooks.on.",
	}
	// hostPaths are paths of other engines that a host may support.
	hostPaths = [...]string{
		"@ui.choices", "@timer.start", "@timer.pause", "@timer.resume", "@timer.cancel",
		"@scene.current", "@scene.player.x", "@scene.player.y", "@scene.player.facing",
	}
)

// systemHeads returns the beginnings of all paths that are followed by an id.
func systemHeads() []string {
	return append([]string{directivePath, entryPath, forcePath}, systemSwitches[:]...)
}

// systemWrite reports @ paths that are probably misspelt, and values that a path does not accept.
func (p place) systemWrite(e effect.SetVariable) {
	isConstant := e.ValueRef == "" && e.Random == nil && !hasTokenValue(e.Value)
	require := func(fits bool, want string) {
		if isConstant && !fits {
			p.add(".value", BadActions, "%s takes %s; nothing is done", e.Path, want)
		}
	}
	if text, _ := e.Value.AsText(); slices.Contains(systemTexts[:], e.Path) {
		require(text != "", "a text that is not empty")
		return
	}
	heads := systemHeads()
	i := slices.IndexFunc(heads, func(head string) bool { return strings.HasPrefix(e.Path, head) })
	if i < 0 {
		p.misspeltPath(e.Path)
		return
	}
	head, name := heads[i], e.Path[len(heads[i]):]
	_, isText := e.Value.AsText()
	flag, isFlag := e.Value.AsBool()
	isFalse := isFlag && !flag
	switch {
	case name == "":
		p.add(".path", BadActions, "%s needs an id after its last dot; nothing is done", e.Path)
	case head == directivePath:
		_, hasContent := e.Value.Get("content").AsText()
		require(isText || isFalse || hasContent, "a text, an object with a text content, or false")
		position, _ := e.Value.Get("position").AsText()
		inner := p.within(".value")
		inner.position(position)
		inner.limits(wholeOf(e.Value.Get("duration")), wholeOf(e.Value.Get("depth")))
	case head == entryPath:
		require(isText || isFalse || e.Value.IsObject(), "a text, an object or false")
	case head == forcePath:
		n, _ := e.Value.AsFloat()
		require(isFlag || n >= 1, "true, false or a number of turns")
	default:
		require(isFlag || e.Operation == effect.Toggle, "true or false, or the operation toggle")
		switch head {
		case "@worldbooks.on.":
			p.within(".path").member(name)
		case "@vars.enabled.":
			p.within(".path").exposed(name)
		}
	}
}

// misspeltPath reports an unknown path that is similar to a known one. Other paths may belong to the host.
func (p place) misspeltPath(written string) {
	if slices.Contains(hostPaths[:], written) {
		return
	}
	if word, ok := utf8text.Suggest(written, systemTexts[:]); ok {
		p.add(".path", UnknownID, "only the host can know the path %q; did you mean %q?", written, word)
		return
	}
	// In the other paths the author chooses the id, so only the two parts before it are compared.
	parts := strings.SplitN(written, ".", 3)
	if len(parts) < 2 {
		return
	}
	head := parts[0] + "." + parts[1] + "."
	if word, ok := utf8text.Suggest(head, systemHeads()); ok {
		p.add(".path", UnknownID, "only the host can know the path %q; did you mean %q?", written, word+"…")
	}
}

// styles, roles, sounds and positions are the words that this library knows.
var (
	styles    = []string{"info", "achievement", "warning", "danger", "moment"}
	roles     = []string{"system", "user"}
	sounds    = []string{"play", "stop", "crossfade", "volume"}
	positions = []string{"top", "before_char", "after_char", "auto", "depth", "bottom"}
)

// word reports a word that is not in a list. Empty means the default. A word with parameters is
// known only during play.
func (p place) word(member, word string, known []string) {
	if word != "" && !report.HasToken(word) && !slices.Contains(known, word) {
		p.add(member, UnknownID,
			"unknown %s %q; only the host can know it; %s", member[1:], word, report.Hint(word, known...))
	}
}

// position reports unknown positions of directives: the prompt supports six, and a directive at any
// other position would be misplaced.
func (p place) position(position string) {
	if position != "" && !slices.Contains(positions, position) {
		p.add(".position", BadActions, "unknown position %q; %s", position, report.Hint(position, positions...))
	}
}

// limits reports numbers of a directive that count as the nearest valid number.
func (p place) limits(duration, depth *int) {
	if duration != nil && *duration < 1 {
		p.add(".duration", Ignored, "below 1 counts as 1; write a number of rounds, or leave it out")
	}
	if depth != nil && *depth < 0 {
		p.add(".depth", Ignored,
			"below 0 counts as 0, the end of the history; write a number of messages, or leave it out")
	}
}

// wholeOf returns a whole number, or nil for any other value.
func wholeOf(v tree.Value) *int {
	n, _ := v.AsNumber()
	if whole, ok := n.Int64(); ok {
		return new(int(whole))
	}
	return nil
}

// emitted checks an event with a built-in meaning in the same way as the corresponding effect. Its
// fields are directly in the event.
func (p place) emitted(e event.Event) {
	meaning, ok := effect.Of(e)
	if _, isMoment := meaning.(effect.ShowMoment); ok && !isMoment {
		p.within(".event").check(meaning)
	}
}
