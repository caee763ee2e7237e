package macro

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	values "github.com/talewright/talewright/memvars/tree"
)

// Limits of the language of RisuAI.
const (
	cbsSteps = 1_000_000 // nodes of all texts of a run
	cbsCalls = 20        // calls of functions within functions
	cbsItems = 10_000    // elements of a list that a macro makes
)

// cbsRun expands one text.
type cbsRun struct {
	run    *Run
	src    string
	locals *Locals
	// functions are all macros of the language that are not part of the syntax.
	functions map[string]func(*cbsMacro) string
	slots     map[string]string   // of the each blocks around the present place
	funcs     map[string]*cbsNode // by name
	args      []string            // of the function that runs
	temps     map[string]string
	calls     int
	// stopped says that nothing more is printed: after return, or at a limit.
	stopped  bool
	returned *string
	hash     uint64 // of the text; 0: not known yet
}

// text expands a text with the functions and the names of this one.
func (e *cbsRun) text(text string) string {
	if !e.run.enter() {
		e.run.problem(problem(codeRefused, "", 0, "texts nested too deep"))
		return ""
	}
	defer e.run.leave()
	inner := cbsRun{run: e.run, src: text, locals: e.locals, functions: e.functions}
	out := inner.nodes(parseCBS(text))
	if inner.returned != nil {
		out = *inner.returned
	}
	return out
}

// nodes expands pieces.
func (e *cbsRun) nodes(list []cbsNode) string {
	switch {
	case e.stopped || len(list) == 0:
		return ""
	case len(list) == 1:
		return e.node(&list[0])
	}
	var out []byte
	for i := range list {
		text := e.node(&list[i])
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

// node expands one piece. Each piece is a step, and its result counts against the limit of the run.
func (e *cbsRun) node(n *cbsNode) (text string) {
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
		text = e.block(n)
	} else {
		text = e.call(n)
	}
	if len(text) > maxResult || !e.run.spend(len(text)) {
		e.stop(n, "the results are too large")
		return ""
	}
	return text
}

// stop ends the expansion of the text at a limit.
func (e *cbsRun) stop(n *cbsNode, why string) {
	if !e.stopped {
		e.stopped = true
		e.report(n, e.name(n), codeRefused, why)
	}
}

// report records a problem of a piece.
func (e *cbsRun) report(n *cbsNode, name string, code talewright.Code, detail string) {
	e.run.problem(problem(code, name, n.start, detail))
}

// name returns the name of a macro as its author wrote it.
func (e *cbsRun) name(n *cbsNode) string { return trim(n.headText(e.src)) }

// cbsArg is an argument of a call.
type cbsArg struct {
	text string
	data bool // some of it is the result of a macro
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
				now.WriteString(e.node(n))
				data = data || n.kind != cbsText
				continue
			}
			items := cbsList(e.nodes(n.args[1]))
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

// call expands a macro.
func (e *cbsRun) call(n *cbsNode) string {
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
		if text, known = e.outside(name, len(c.args)); !known {
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
	b.WriteString("{{" + e.nodes(n.args[0]))
	for i, sep := range n.seps {
		b.WriteString(e.src[sep : sep+n.width()])
		if args == nil {
			b.WriteString(e.nodes(n.args[i+1]))
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

// outside returns the text of a macro that RisuAI does not define: one of the host for this build,
// a field of the card, or the time.
func (e *cbsRun) outside(name string, args int) (text string, known bool) {
	if args > 0 {
		return "", false
	}
	if text, known = e.run.buildMacro(name); known {
		return text, true
	}
	c := &e.run.env.Card
	for _, f := range [...]struct {
		name string
		text *string
	}{{"description", &c.Description}, {"personality", &c.Personality}, {"scenario", &c.Scenario},
		{"exampledialogue", &c.Examples}, {"persona", &e.run.env.Persona}} {
		if f.name == name {
			return e.run.field("cbs "+name, func() string { return e.text(*f.text) }), true
		}
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

// block expands a block.
func (e *cbsRun) block(n *cbsNode) string {
	if n.old {
		if c := trim(e.nodes(n.args[0])); c == "" || c == "0" || c == "-1" {
			return ""
		}
		return trim(e.nodes(n.body))
	}
	raw := e.src[n.bodyStart:n.bodyEnd]
	switch n.name {
	case "if", "ifpure":
		c, _, _ := strings.Cut(e.condition(n), " ")
		switch {
		case c != "1" && c != "true":
			return ""
		case n.name == "if":
			return trimLines(e.nodes(n.body))
		}
		return e.nodes(n.body)
	case "when":
		return e.when(n)
	case "each":
		return e.each(n)
	case "code":
		return cbsCode(e.nodes(n.body))
	case "func":
		fields := strings.Fields(e.condition(n))
		if len(fields) == 0 {
			e.report(n, "#func", codeBadValue, "a function without a name")
			return ""
		}
		if e.funcs == nil {
			e.funcs = map[string]*cbsNode{}
		}
		e.funcs[fields[0]] = n
		return ""
	case "puredisplay":
		return cbsBraces.Replace(trim(raw))
	}
	return trim(raw) // pure, escape
}

// cbsBraces writes braces so that no later pass reads them as macros.
var cbsBraces = strings.NewReplacer("{", `\{`, "}", `\}`)

// condition returns the head of a block after its name.
func (e *cbsRun) condition(n *cbsNode) string {
	args := e.arguments(n.args)
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.text
	}
	head := trimLeft(strings.Join(texts, "::"))
	for i := range len(head) {
		if spaceAt(head, i) > 0 || strings.HasPrefix(head[i:], "::") {
			return trimLeft(strings.TrimPrefix(head[i:], "::"))
		}
	}
	return ""
}

// when expands a when block.
func (e *cbsRun) when(n *cbsNode) string {
	args := e.arguments(n.args)
	first := trimLeft(args[0].text) // "#when", or "#when c"
	if at := strings.IndexFunc(first, isBlank); at >= 0 {
		args[0].text = trimLeft(first[at:])
	} else {
		args = args[1:]
	}
	holds, mode := e.holds(args)
	part, other := n.body, []cbsNode(nil)
	if n.otherwise >= 0 {
		part, other = n.body[:n.otherwise], n.body[n.otherwise+1:]
	}
	if !holds {
		part = other
	}
	text := e.nodes(part)
	switch {
	case mode == "keep":
	case mode == "legacy":
		text = trimLines(text)
	case strings.Contains(text, "\n"):
		text = withoutEmptyEnds(text)
	}
	return text
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// holds evaluates the condition of a when block from the right. A result of a macro is never an
// operator.
func (e *cbsRun) holds(args []cbsArg) (holds bool, mode string) {
	pop := func() cbsArg {
		if len(args) == 0 {
			return cbsArg{}
		}
		last := args[len(args)-1]
		args = args[:len(args)-1]
		return last
	}
	c := pop().text
	for len(args) > 0 {
		op := pop()
		name := strings.ToLower(trim(op.text))
		if op.data {
			name = ""
		}
		var result bool
		switch name {
		case "not":
			result = !isTrue(c)
		case "and":
			result = isTrue(pop().text) && isTrue(c)
		case "or":
			result = isTrue(pop().text) || isTrue(c)
		case "is":
			result = pop().text == c
		case "isnot":
			result = pop().text != c
		case ">", "<", ">=", "<=":
			result = inOrder(name, cbsNumber(pop().text), cbsNumber(c))
		case "var":
			result = isTrue(e.variable(c))
		case "vis":
			result = e.variable(pop().text) == c
		case "visnot", "vnotis":
			result = e.variable(pop().text) != c
		case "toggle":
			result = isTrue(e.global("toggle_" + c))
		case "tis":
			result = e.global("toggle_"+pop().text) == c
		case "tisnot", "tnotis":
			result = e.global("toggle_"+pop().text) != c
		case "keep", "legacy":
			mode, result = name, isTrue(c)
		default:
			result = isTrue(c)
		}
		c = cbsTruth(result)
	}
	return isTrue(c), mode
}

// isTrue reports whether a condition of a block holds.
func isTrue(c string) bool {
	c = trim(c)
	return c == "1" || c == "true"
}

// each expands a content once for each element of a list.
func (e *cbsRun) each(n *cbsNode) string {
	list := trim(e.condition(n))
	keeps := false
	if rest, ok := strings.CutPrefix(list, "keep "); ok {
		list, keeps = trim(rest), true
	}
	at := strings.LastIndexFunc(list, isBlank)
	if at < 0 {
		e.report(n, "#each", codeBadValue, "no name for the element: write LIST as name")
		return ""
	}
	name := list[at+1:]
	list = trim(list[:at])
	if rest, ok := strings.CutSuffix(list, " as"); ok {
		list = trim(rest)
	} else if rest, ok := strings.CutPrefix(list, "as "); ok {
		list = trim(rest)
	}
	if list == "" || list == cbsNull {
		return ""
	}
	items := cbsList(list)
	if !e.run.spend(len(list)) || len(items) > cbsItems {
		e.stop(n, "the list is too long")
		return ""
	}
	outer, had := e.slots[name]
	if e.slots == nil {
		e.slots = map[string]string{}
	}
	var out strings.Builder
	for _, item := range items {
		e.slots[name] = item
		text := e.nodes(n.body)
		if e.stopped {
			break
		}
		if !keeps {
			text = trimLines(text)
		}
		if out.WriteString(text); out.Len() > maxResult {
			e.stop(n, "the result is too large")
			break
		}
	}
	if delete(e.slots, name); had {
		e.slots[name] = outer
	}
	return out.String()
}

// function runs a function of the text.
func (e *cbsRun) function(c *cbsMacro) string {
	f := e.funcs[c.at(0)]
	if f == nil {
		c.e.report(c.n, c.name, codeUnset, "no function has this name")
		return ""
	}
	if e.calls >= cbsCalls {
		c.e.report(c.n, c.name, codeRefused, "functions call each other too deep")
		return ""
	}
	outer := e.args
	e.args, e.calls = c.args, e.calls+1
	text := trim(e.nodes(f.body))
	e.args, e.calls = outer, e.calls-1
	return text
}

// cbsCode returns the content of a code block: the lines joined, with escapes as \n replaced.
func cbsCode(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = trim(line)
	}
	text = strings.Join(lines, "")
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'u':
			if n, err := strconv.ParseUint(text[i+1:min(i+5, len(text))], 16, 16); err == nil && i+5 <= len(text) {
				b.WriteRune(rune(n))
				i += 4
				continue
			}
			b.WriteByte('u')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// trimLines returns a text without white space at its ends and at the beginning of its lines.
func trimLines(text string) string {
	text = trim(text)
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = trimLeft(line)
	}
	return strings.Join(lines, "\n")
}

// withoutEmptyEnds returns a text without the empty lines at both ends.
func withoutEmptyEnds(text string) string {
	lines := strings.Split(text, "\n")
	full := func(line string) bool { return trim(line) != "" }
	first := slices.IndexFunc(lines, full)
	if first < 0 {
		return ""
	}
	last := len(lines)
	for !full(lines[last-1]) {
		last--
	}
	return strings.Join(lines[first:last], "\n")
}

// cbsNull is the value of a variable that does not exist, and of a missing element.
const cbsNull = "null"

// cbsMacro is one use of a macro of RisuAI. Its arguments are expanded and not trimmed.
type cbsMacro struct {
	e     *cbsRun
	n     *cbsNode
	name  string
	args  []string
	stays bool
}

// at returns an argument, or "" if it is missing.
func (c *cbsMacro) at(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// num returns an argument as a number, or NaN if it is missing.
func (c *cbsMacro) num(i int) float64 {
	if i < len(c.args) {
		return cbsNumber(c.args[i])
	}
	return math.NaN()
}

// whole returns an argument as a whole number of a list, and whether it is one.
func (c *cbsMacro) whole(i int) (int, bool) {
	n := math.Trunc(c.num(i))
	if math.IsNaN(n) || math.Abs(n) > math.MaxInt32 {
		return 0, false
	}
	return int(n), true
}

// refuse reports that the arguments cannot be used.
func (c *cbsMacro) refuse(why string) string {
	c.e.report(c.n, c.e.name(c.n), codeRefused, why)
	return ""
}

// random draws a number from the recorded source.
func (c *cbsMacro) random() float64 {
	r := c.e.run
	if r.cbsSteps++; r.cbsSteps > cbsSteps {
		c.e.stop(c.n, "the run has too many steps")
		return 0
	}
	x, ok := r.draw(c.name, c.n.start)
	if !ok {
		c.refuse(noRandom)
	}
	return x
}

// variable returns a variable of the chat.
func (e *cbsRun) variable(name string) string {
	text, ok := e.run.vars.plain(name)
	if !ok {
		text, ok = e.run.env.CBS.Defaults[name]
	}
	return e.value(text, ok)
}

// global returns a variable of all chats.
func (e *cbsRun) global(name string) string {
	return e.value(e.run.globals.plain(name))
}

// value returns the text of a variable that exists, within the limit of the run.
func (e *cbsRun) value(text string, exists bool) string {
	if !exists || !e.run.spend(len(text)) {
		return cbsNull
	}
	return text
}

// plain returns the value of a variable as a text, without the numbers of [store.Show].
func (s *store) plain(name string) (string, bool) {
	s.touch(name, false)
	if _, ok := s.values[name]; !ok {
		return "", false
	}
	return s.text(name, s.value(name)), true
}

// cbsList reads a list: JSON, or texts with § between them.
func cbsList(text string) (items []string) {
	if list, ok := cbsValues(text); ok {
		for _, v := range list {
			items = append(items, cbsItem(v))
		}
		return items
	}
	return strings.Split(text, "§")
}

// cbsValues reads a list of JSON.
func cbsValues(text string) (list []values.Value, ok bool) {
	if !strings.HasPrefix(trimLeft(text), "[") {
		return nil, false
	}
	v, err := values.ParseValue([]byte(text))
	if err != nil || !v.IsArray() {
		return nil, false
	}
	for _, element := range v.Elements() {
		list = append(list, element)
	}
	return list, true
}

// elements reads the list of the first argument.
func (c *cbsMacro) elements() []values.Value {
	if list, ok := cbsValues(c.at(0)); ok {
		return list
	}
	return cbsTexts(strings.Split(c.at(0), "§"))
}

func cbsTexts(items []string) []values.Value {
	list := make([]values.Value, len(items))
	for i, item := range items {
		list[i] = values.Text(item)
	}
	return list
}

// cbsItem returns an element as a text.
func cbsItem(v values.Value) string {
	if text, ok := v.AsText(); ok {
		return text
	}
	return v.String()
}

func cbsArray(list []values.Value) string { return values.Array(list...).String() }

// cbsObject reads an object of JSON.
func cbsObject(text string) (values.Value, bool) {
	if !strings.HasPrefix(trimLeft(text), "{") {
		return values.Value{}, false
	}
	v, err := values.ParseValue([]byte(text))
	return v, err == nil && v.IsObject()
}

// all returns the arguments, or the elements of the only one.
func (c *cbsMacro) all() []string {
	if len(c.args) == 1 {
		return cbsList(c.args[0])
	}
	return c.args
}

// cbsUnplayed are the macros of RisuAI that a campaign does not play.
var cbsUnplayed = cbsSet("asset emotion audio bg bgm image img video videoimg path raw inlay inlayed inlayeddata source " +
	"button metadata xor xordecrypt xorencrypt crypt encrypt decrypt history messages chathistory previouscharchat previoususerchat " +
	"lastmessage lastmessageid lorebook worldinfo userhistory charhistory messagetime messagedate idleduration messageidleduration " +
	"modifyvar jbtoggled prefillsupported screenwidth screenheight moduleenabled moduleassetlist assetlist emotionlist chardisplayasset bkspc erase position")

// cbsStoring are the macros that store variables.
var cbsStoring = cbsSet("setvar addvar setdefaultvar")

func cbsSet(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// calculate evaluates an expression that starts skip bytes after the beginning of its pieces. The
// result of a macro in it is a number, never code.
func (e *cbsRun) calculate(levels [][]cbsNode, skip int) float64 {
	var tokens []cbsToken
	for _, level := range levels {
		for i := range level {
			n := &level[i]
			text := e.node(n)
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
