package template

import (
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
)

// The codes say why a text does not compile or run.
const (
	codeUnclosed   talewright.Code = "unclosed"    // a tag is not closed
	codeSyntax     talewright.Code = "syntax"      // the code is not JavaScript
	codeBadInitial talewright.Code = "bad_initial" // initial variables that are not an object
	codeReference  talewright.Code = "reference"   // a name does not exist
	codeWrongType  talewright.Code = "type"        // a value that does not fit, such as undefined in a call
	codeOutOfRange talewright.Code = "range"       // a number that a function does not accept
	Refused        talewright.Code = "refused"     // a name or a construct that no template may use here
	Limit          talewright.Code = "limit"       // a limit of the text or of the build
	codeThrown     talewright.Code = "thrown"      // the text threw an error
)

// Error says why a text failed.
type Error struct {
	// Code is unclosed (a tag is not closed), syntax (the code is not JavaScript), reference (a
	// name does not exist), type, range (a number that a function does not accept), thrown (the
	// text threw an error), [Refused] or [Limit]. A type error is a member of undefined, a call of
	// a value that is not a function, or a write to a constant.
	Code talewright.Code
	// Name is the refused name for [Refused]. For [Limit] it is the limit: steps, output, memory,
	// depth, code or nesting.
	Name string
	// Line and Column are the place in the text, from 1. Columns count characters.
	Line, Column int
	// Text describes the mistake and the repair.
	Text string
	// Entry is the title of the entry whose text failed, if it is not the text that was run.
	Entry string

	thrown any // the value that the text threw, nil for other errors
}

// Error returns the place and the text in one line.
func (e *Error) Error() string {
	place := fmt.Sprintf("%d:%d", e.Line, e.Column)
	if e.Entry != "" {
		place = e.Entry + ": " + place
	}
	return place + ": " + e.Text
}

// errorOf returns the error of a text that a recovered panic has, nil without a panic. It repeats any other
// panic.
func errorOf(recovered any) *Error {
	if recovered == nil {
		return nil
	}
	err, ok := recovered.(*Error)
	if !ok {
		panic(recovered)
	}
	return err
}

// problem returns the error as a problem of the text at a path. Its ID is the name.
func (e *Error) problem(path string) talewright.Problem {
	return talewright.Problem{Path: path, ID: e.Name, Code: e.Code, Severity: talewright.Error,
		Text: "template " + e.Error()}
}

// needsEngine are the constructs that are JavaScript but not in the supported part of it.
var needsEngine = utf8text.WordSet(`
	new class debugger super yield export enum function*
	WeakMap WeakSet Promise Symbol BigInt Proxy Reflect Intl`)

// refusedNames are the names that no template may use, with the reason.
var refusedNames = func() map[string]string {
	reasons := map[string]string{}
	for _, group := range [...]struct{ reason, names string }{
		{"it reaches outside the template", `execute fetch XMLHttpRequest import require this globalThis window document
			SillyTavern TavernHelper $ toastr localStorage process setTimeout faker injectPrompt activateRegex
			patchVariables setVariableSchema getqr`},
		{"it makes code or types of its own", "eval Function with"},
		{"a prompt must be repeatable", "Date"},
		{innerOfValues, "__proto__ prototype constructor"},
	} {
		for name := range utf8text.WordSet(group.names) {
			reasons[name] = group.reason
		}
	}
	return reasons
}()

const innerOfValues = "it reaches the inside of values"

// isInner reports whether a member is never readable, in any data.
func isInner(name string) bool { return refusedNames[name] == innerOfValues }

// refusal returns why a template may not use a name, "" if it may.
func refusal(name string) string {
	if why := refusedNames[name]; why != "" {
		return fmt.Sprintf("%s is refused, because %s: write the text without it", name, why)
	}
	if needsEngine[name] {
		return fmt.Sprintf("%s needs a JavaScript engine: write the text without it", name)
	}
	return ""
}
