package macro

import (
	"math"
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
	// functions are the macros of the language by name. A variable of the package would depend on itself.
	functions map[string]func(*cbsMacro) string
	elements  map[string]string   // the present elements of the each blocks, by their names
	temporary map[string]string   // variables that end with the text
	funcs     map[string]*cbsNode // the func blocks so far, by name
	args      []string            // of the func that runs
	calls     int                 // of funcs within funcs
	stopped   bool                // after return, or at a limit: nothing more is printed
	returned  *string             // the argument of return
	hash      uint64              // of the text and the chat, for pick; 0: not known yet
}

// cbsArg is an argument of a call.
type cbsArg struct {
	text string
	data bool // some of it is the result of a macro
}

// cbsMacro is one use of a macro of RisuAI. Its arguments are expanded and not trimmed.
type cbsMacro struct {
	e     *cbsRun
	n     *cbsNode
	name  string
	args  []string
	stays bool
}

// arg returns an argument, or "" if it is missing.
func (c *cbsMacro) arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// number returns an argument as a number, or NaN if it is missing.
func (c *cbsMacro) number(i int) float64 {
	if i < len(c.args) {
		return cbsNumber(c.args[i])
	}
	return math.NaN()
}

// whole returns an argument as a whole number of a list, and whether it is one.
func (c *cbsMacro) whole(i int) (int, bool) {
	n := math.Trunc(c.number(i))
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

// variable returns a variable of the chat.
func (e *cbsRun) variable(name string) string {
	text, ok := e.run.vars.plain(name)
	if !ok {
		text, ok = e.run.env.CBS.Defaults[name]
	}
	return e.valueOrNull(text, ok)
}

// global returns a variable of all chats.
func (e *cbsRun) global(name string) string {
	return e.valueOrNull(e.run.globals.plain(name))
}

// valueOrNull returns the text of a variable that exists, within the limit of the run.
func (e *cbsRun) valueOrNull(text string, exists bool) string {
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
			items = append(items, cbsElementText(v))
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
	return v.List(), true
}

// elements reads the list of the first argument.
func (c *cbsMacro) elements() []values.Value {
	if list, ok := cbsValues(c.arg(0)); ok {
		return list
	}
	return cbsTexts(strings.Split(c.arg(0), "§"))
}

// cbsTexts returns texts as elements.
func cbsTexts(items []string) []values.Value {
	list := make([]values.Value, len(items))
	for i, item := range items {
		list[i] = values.Text(item)
	}
	return list
}

// cbsElementText returns an element as a text.
func cbsElementText(v values.Value) string {
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

// allItems returns the arguments, or the elements of the only one.
func (c *cbsMacro) allItems() []string {
	if len(c.args) == 1 {
		return cbsList(c.args[0])
	}
	return c.args
}

// cbsNull is the value of a variable that does not exist, and of a missing element.
const cbsNull = "null"
