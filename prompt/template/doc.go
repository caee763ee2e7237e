// Package template runs the templates of scripted cards: texts with tags such as <%= hp %>, written
// in the part of JavaScript that such cards use.
//
// # Use
//
// [Compile] reads a text once. A [Build] has the variables, the books and the limits of one prompt,
// and runs its texts in order:
//
//	t, problems := template.Compile("<% if (getvar('hp') < 5) { %>{{user}} is badly hurt.<% } %>")
//	build := template.NewBuild(template.Env{User: "Mara", Variables: variables})
//	text, err := t.Run(build)
//	changed, writes := build.Variables(), build.Writes()
//
// [Build.Unit] runs all authored texts of one message as one program, and runs them one by one if
// that fails. [Build.Lore] and [Build.Messages] play the decorators and the special entries of a
// book. The order of a build: [Build.Load], Lore, the scan of the books, Unit for each message,
// Messages. A [Cache] compiles each text once. [Vet] finds titles and entries that do not act.
//
// # Authors and data
//
// Templates are for texts of authors only. Values are data: a tag or a macro in the value of a
// variable, in a message or in a name never runs. Macros are expanded by [Env.Expand] before the
// code runs. Macros and templates share the variables of the chat. In the code, the result of a macro
// is a value and never code, in strings too.
//
// # Tags
//
// <% code %> runs code, <%= value %> and <%- value %> print, <%# text %> is a comment. With <%_ and
// _%> the blanks around the tag go, with -%> and _%> one newline after it. <%% and %%> print tags.
// All tags of a text are one program, so that an if may open in one tag and close in a later one.
//
// # Language
//
// Values, operators and conversions follow JavaScript. Statements: expressions, const, let and
// var with patterns, functions, if, for, for of, for in, while, do, switch, break, continue, return,
// labels, try, throw. Expressions: all operators; functions, template strings, patterns, spread,
// optional chains; new for Set, Map, RegExp, Date of a given time, and errors. Texts, lists and
// numbers have their methods. Math, JSON, Object and nearly all functions of lodash are there, also
// in chains. The zone of a Date is UTC.
// async and await have no effect, and Promise.all returns its list. Only own members of data are
// visible. A try does not catch limits and refusals.
//
// Classes, generators and promises need a JavaScript engine: [Env].Engine
// runs such a text, and without it they are refused by name. So is everything with access to the
// world outside: execute, fetch, window, and the clock: Date.now and new Date().
//
// # Variables and lore
//
// getvar, setvar, incvar, decvar, delvar and insvar work on the four stores of [Variables]. A write
// is visible to later texts of the build and is listed in [Build.Writes]. If a text fails, its
// writes are undone. The function getwi returns the content of an entry, evaluated. The function
// activewi puts an entry into the next scan. The functions getchar, getpreset, define,
// evalTemplate, print and Math.random work as cards expect.
//
// # Limits
//
// One build has 1,000,000 steps ([Env].MaxSteps), 1 MiB of output and 4 MiB of values. One text has
// 64 KiB of code, 64 levels of nesting and 16 nested calls; templates nest 16 deep. A text beyond a
// limit fails with [Limit]. After the limits of the build every later text fails at once, so that a
// runaway text costs its limit once. Nothing reads a clock: the same texts and variables always
// take the same number of steps.
//
// A [Template] and a [Cache] are safe for concurrent use. A [Build] is for one goroutine.
package template
