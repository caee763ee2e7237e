// Package js runs the JavaScript of templates that the interpreter of prompt/template refuses:
// functions, classes, try, throw, new, promises. It uses QuickJS in pure Go. The host gives it to a
// game:
//
//	content.Extensions.Engine = js.New(js.Options{})
//
// Without it, such a text is reported when the game is compiled, and its tags are removed from
// prompts.
//
// # Access
//
// Each text runs in a virtual machine of its own, which then ends. So a text cannot change the
// objects or prototypes of a different text. Its globals are the globals of the language, and the
// functions of templates: getvar, setvar, getwi and so on. There is no file, network, module or
// timer. Things like eval, Function and the constructors that lead to it, Date and WebAssembly do
// not exist. Math.random draws from the source of the turn. Values of variables are copies:
// changing one stores nothing.
//
// # Limits
//
// A text has limits of memory, of the depth of calls, of time and of output, see [Options]. The
// limits of memory and depth are the limits of QuickJS. QuickJS counts no steps, so time is
// measured by the clock: the outcome of a text close to the limit depends on the machine. A
// campaign records the output of each text and its calls with the turn, so a replay of the turn
// does not run it again. A text beyond a limit fails as any other text that fails. Promises are
// resolved until none is left or the time is up; a promise that nothing resolves ends the text with
// an error.
//
// The regular expressions of QuickJS backtrack. The limit of time also ends them.
//
// It does not work in a browser.
package js
