package macro

import (
	"math"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
)

// expandText expands a text with the functions and the names of this one.
func (e *cbsRun) expandText(text string) string {
	if !e.run.enter() {
		e.run.problem(problem(codeRefused, "", 0, "texts nested too deep"))
		return ""
	}
	defer e.run.leave()
	inner := cbsRun{run: e.run, src: text, locals: e.locals, functions: e.functions}
	out := inner.expandNodes(parseCBS(text))
	if inner.returned != nil {
		out = *inner.returned
	}
	return out
}

// expandNodes expands pieces.
func (e *cbsRun) expandNodes(list []cbsNode) string {
	switch {
	case e.stopped || len(list) == 0:
		return ""
	case len(list) == 1:
		return e.expandNode(&list[0])
	}
	var out []byte
	for i := range list {
		text := e.expandNode(&list[i])
		if e.stopped {
			break
		}
		if len(out)+len(text) > maxResult {
			e.stop(&list[i], "the result is too large")
			break
		}
		out = append(out, text...)
	}
	return string(out)
}

// expandNode expands one piece. Each piece is a step, and its result counts against the limit of the run.
func (e *cbsRun) expandNode(n *cbsNode) (text string) {
	if e.stopped {
		return ""
	}
	if e.run.cbsSteps++; e.run.cbsSteps > cbsSteps {
		e.stop(n, "the run has too many steps")
		return ""
	}
	switch n.kind {
	case cbsText:
		if !e.run.spend(n.end - n.start) { // a loop may read it often, and drop it
			e.stop(n, "the texts are too large")
			return ""
		}
		return e.src[n.start:n.end]
	case cbsElse:
		e.report(n, ":else", Unknown, "")
		return e.src[n.start:n.end]
	}
	if n.kind == cbsBlock {
		text = e.expandBlock(n)
	} else {
		text = e.expandCall(n)
	}
	if len(text) > maxResult || !e.run.spend(len(text)) {
		e.stop(n, "the results are too large")
		return ""
	}
	return text
}

// arguments expands arguments. The result of spread is one argument for each of its elements.
func (e *cbsRun) arguments(levels [][]cbsNode) (list []cbsArg) {
	list = make([]cbsArg, 0, len(levels))
	for _, level := range levels {
		var now strings.Builder
		data := false
		for i := range level {
			n := &level[i]
			if n.kind != cbsCall || n.name != "spread" || len(n.args) != 2 {
				now.WriteString(e.expandNode(n))
				data = data || n.kind != cbsText
				continue
			}
			items := cbsList(e.expandNodes(n.args[1]))
			if !e.run.spend(len(items)) || len(list)+len(items) > cbsItems {
				e.stop(n, "too many arguments")
			}
			data = true
			for k, item := range items {
				if k > 0 {
					list = append(list, cbsArg{now.String(), true})
					now.Reset()
				}
				now.WriteString(item)
			}
		}
		list = append(list, cbsArg{now.String(), data})
	}
	return list
}

// expandCall expands a macro.
func (e *cbsRun) expandCall(n *cbsNode) string {
	head := n.headText(e.src)
	if strings.HasPrefix(head, "//") {
		return ""
	}
	if strings.HasPrefix(head, "?") {
		return cbsFormat(e.calculate(n.args, 1))
	}
	if len(n.args[0]) != 1 || n.args[0][0].kind != cbsText {
		return e.asWritten(n, nil) // a name that a macro gives is data
	}
	name := n.name
	if name == "calc" && len(n.args) > 1 {
		return cbsFormat(e.calculate(n.args[1:2], 0))
	}
	if cbsUnplayed[name] {
		e.report(n, e.name(n), codeRefused, "a macro of RisuAI that is not played: it prints nothing")
		return ""
	}
	f := e.functions[name]
	c := cbsMacro{e: e, n: n, name: name, args: make([]string, 0, len(n.seps))}
	for _, a := range e.arguments(n.args[1:]) {
		c.args = append(c.args, a.text)
	}
	if e.stopped {
		return ""
	}
	text := ""
	if f != nil {
		text = f(&c)
	} else {
		var known bool
		if text, known = e.foreignMacro(name, len(c.args)); !known {
			e.report(n, e.name(n), Unknown, "")
			c.stays = true
		}
	}
	if c.stays {
		return e.asWritten(n, c.args)
	}
	return text
}

// asWritten returns a macro that stays in the text. args are its arguments, nil if they are not
// expanded yet.
func (e *cbsRun) asWritten(n *cbsNode, args []string) string {
	var b strings.Builder
	b.WriteString("{{" + e.expandNodes(n.args[0]))
	for i, sep := range n.seps {
		b.WriteString(e.src[sep : sep+n.width()])
		if args == nil {
			b.WriteString(e.expandNodes(n.args[i+1]))
		} else if i < len(args) {
			b.WriteString(args[i])
		}
	}
	if n := len(n.seps); n < len(args) { // the result of spread
		for _, more := range args[n:] {
			b.WriteString("::" + more)
		}
	}
	b.WriteString("}}")
	return b.String()
}

// foreignMacro returns the text of a macro that RisuAI does not define: one of the host for this build,
// a field of the card, or the time.
func (e *cbsRun) foreignMacro(name string, args int) (text string, known bool) {
	if args > 0 {
		return "", false
	}
	if text, known = e.run.buildMacros[name]; known {
		return text, true
	}
	if text := cbsFields[name]; text != nil {
		return e.run.field("cbs "+name, func() string { return e.expandText(text(&e.run.env)) }), true
	}
	if t := clockMacro(e.run.env.Compile, name); t != nil {
		return e.run.evaluate(&evaluator{run: e.run, template: t, locals: e.locals}), true
	}
	if v, found := e.run.env.Bare[name]; found {
		return e.run.shown("bare "+name, v), true
	}
	return "", false
}

// clockMacro returns the template of a macro of time, which means the same in both languages, or
// nil.
func clockMacro(compile func(string) *Template, name string) *Template {
	if len(name) > 10 {
		return nil
	}
	t := compile("{{" + name + "}}")
	if len(t.nodes) != 1 || t.nodes[0].spec == nil || !t.nodes[0].spec.printsTime {
		return nil
	}
	return t
}

// cbsFields are the fields of the card that a text may name.
var cbsFields = map[string]func(*Env) string{
	"description":     func(env *Env) string { return env.Card.Description },
	"personality":     func(env *Env) string { return env.Card.Personality },
	"scenario":        func(env *Env) string { return env.Card.Scenario },
	"exampledialogue": func(env *Env) string { return env.Card.Examples },
	"persona":         func(env *Env) string { return env.Persona },
}

// cbsUnplayed are the macros of RisuAI that a campaign does not play.
var cbsUnplayed = utf8text.WordSet(`
	asset emotion audio bg bgm image img video videoimg path raw inlay inlayed inlayeddata source
	button metadata xor xordecrypt xorencrypt crypt encrypt decrypt
	history messages chathistory userhistory charhistory previouscharchat previoususerchat lastmessage lastmessageid
	messagetime messagedate idleduration messageidleduration lorebook worldinfo modifyvar
	jbtoggled prefillsupported screenwidth screenheight moduleenabled moduleassetlist assetlist emotionlist
	chardisplayasset bkspc erase position`)

// cbsStoring are the macros that store variables.
var cbsStoring = utf8text.WordSet("setvar addvar setdefaultvar")

// expandCBS expands a text in the language of RisuAI.
func (r *Run) expandCBS(text string, locals Locals) string {
	return (&cbsRun{run: r, locals: &locals, functions: cbsFunctions}).expandText(text)
}

// calculate evaluates an expression that starts skip bytes after the beginning of its pieces. The
// result of a macro in it is a number, never code.
func (e *cbsRun) calculate(levels [][]cbsNode, skip int) float64 {
	var tokens []cbsToken
	for _, level := range levels {
		for i := range level {
			n := &level[i]
			text := e.expandNode(n)
			if n.kind == cbsText {
				tokens = cbsTokens(tokens, text[min(skip, len(text)):], e.operand)
			} else {
				num := cbsNumber(text)
				if trim(text) == cbsNull {
					num = 0
				}
				tokens = append(tokens, cbsToken{num: num})
			}
			skip = 0
		}
	}
	if len(tokens) == 0 {
		return 0
	}
	p := cbsExpression{tokens: tokens}
	n := p.binary(0)
	if p.at < len(p.tokens) {
		return math.NaN()
	}
	return n
}

// operand returns the number of a word: $name is a variable of the chat, @name one of all chats. A
// variable that is not a number is 0.
func (e *cbsRun) operand(word string) float64 {
	value := ""
	switch {
	case word == cbsNull:
		return 0
	case word[0] == '$':
		value = e.variable(word[1:])
	case word[0] == '@':
		value = e.global(word[1:])
	default:
		return cbsNumber(word)
	}
	return cbsOrZero(value)
}
