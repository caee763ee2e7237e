package js_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/tavern/js"
	"github.com/talewright/talewright/prompt/template"
)

// build returns a build whose texts have more time than they need.
func build() *template.Build { return buildFor(time.Minute) }

// short is the time of a text that does not end.
const short = 300 * time.Millisecond

// buildFor returns a build whose texts have a limit of time.
func buildFor(limit time.Duration) *template.Build {
	vars, _ := tree.ParseValue([]byte(`{"hp": 7, "bag": {"lamp": [1, "a"]}}`))
	return template.NewBuild(template.Env{User: `O'Neil "x"`, Char: "Orin", Variables: template.Variables{Message: vars},
		Engine: js.New(js.Options{Time: limit}),
		Expand: func(text, _ string, v template.Variables) (string, template.Variables) {
			return strings.ReplaceAll(text, "{{user}}", `O'Neil "x" ${evil}`), v
		}})
}

// run returns the output of a text in the engine, or the code and the name of its problem.
func run(t *testing.T, b *template.Build, text string) string {
	t.Helper()
	known := len(b.Problems())
	out := b.Unit(template.Piece{Text: needsEngine + text, Lore: true})[0]
	if found := b.Problems()[known:]; len(found) > 0 {
		return string(found[0].Code) + " " + found[0].ID
	}
	return out
}

// TestEngineTexts: what the engine adds to templates (SC-04).
func TestEngineTexts(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"a class", "<% class A { get x() { return 3 } } %><%= new A().x %>", "3"},
		{"sets", "<%= [...new Set([1, 1, 2])].length %>", "2"},
		{"promises", "<% const l = await Promise.all([getvar('hp'), 2]) %><%= l %>", "7,2"},
		{"a function of the host", "<% function f() { return getvar('bag.lamp') } %><%= f()[1] %>", "a"},
		{"a member of lodash", "<% try {} finally {} %><%= _.clamp(9, 1, 5) %>", "5"},
		{"what it writes", "<% function f() { setvar('hp', 9); return getvar('hp') } %><%= f() %>", "9"},
		{"an error of the host is caught", "<% try { getwi('none', {}.x.y) } catch (e) { print(e.name) } %>", "TypeError"},
		{"names of the build", "<% try {} finally {} %><%= charName %>|<%= typeof userName %>", "Orin|string"},
		{"a macro in a string", "<% function f() { return 'a {{user}}' } %><%= f() %>", `a O'Neil "x" ${evil}`},
		{"a macro in a template string", "<% function f() { return `a {{user}}` } %><%= f() %>", `a O'Neil "x" ${evil}`},
		{"a macro in code", "<% function f(x) { return x } %><%= f({{user}}) %>", `O'Neil "x" ${evil}`},
		{"a macro in text", "<% try {} finally {} %>{{user}}", `O'Neil "x" ${evil}`},
		{"code of a value is data", "<% try {} finally {} %><%= '<' + '%= 1 %' + '>' %>", "<%= 1 %>"},
		{"an error that is thrown", "<% throw new Error('x') %>", "thrown "},
		{"a name that does not exist", "<% function f() { return nothere } f() %>", "reference "},
		{"a syntax error", "<% function f( %>", "syntax "},
		{"a name that is refused", "<% fetch('x') %>", "reference "},
	} {
		if got := run(t, build(), tc.text); got != tc.want {
			t.Errorf("%s: %q gives %q, want %q", tc.name, tc.text, got, tc.want)
		}
	}
}

// TestEngineMacrosAreData: the result of a macro stores nothing and calls nothing, wherever the author
// put the macro (SC-04).
func TestEngineMacrosAreData(t *testing.T) {
	values := []string{"setvar('hp', 1)", `setvar("hp", 1)`, "setvar(`hp`, 1)", `"); setvar("hp", 1); ("`, `'); setvar('hp', 1); ('`, "`; setvar(`hp`, 1); `",
		"${setvar('hp', 1)}", "}${setvar(`hp`, 1)}{", "\n; setvar('hp', 1) //", "*/ setvar('hp', 1) /*", `\`, `\"); setvar("hp", 1); //`, "__print(setvar('hp', 1))",
		"]; setvar('hp', 1); [", "%><% setvar('hp', 1) %>", "\u2028 setvar('hp', 1)"}
	places := []string{"{{v}}", "x({{v}})", "'a {{v}} b'", `"a {{v}} b"`, "`a {{v}} b`", "`a ${ {{v}} } b`", "`a ${ '{{v}}' } b`", "`${ `${ {{v}} }` }`", "`${ {a: {}} } {{v}}`",
		"/'/.test('a') + {{v}}", `/"/.test("a") + "{{v}}"`, "/`/.test('a') + `{{v}}`", `/['"]/ + '{{v}}' + "{{v}}"`, "1 /* ' */ + {{v}}", "1 // '\n + {{v}}", "-{{v}}", "/{{v}}/", "[{{v}}]"}
	for _, value := range values {
		for _, place := range places {
			vars, _ := tree.ParseValue([]byte(`{"hp": 7}`))
			b := template.NewBuild(template.Env{Variables: template.Variables{Message: vars}, Engine: js.New(js.Options{Time: time.Minute}),
				Expand: func(text, _ string, v template.Variables) (string, template.Variables) {
					return strings.ReplaceAll(text, "{{v}}", value), v
				}})
			for _, text := range []string{needsEngine + "<% function x(v) { return v } %><%= " + place + " %>", needsEngine + "<% function x(v) { return v } " + place + " %>"} {
				b.Unit(template.Piece{Text: text, Lore: true})
			}
			if got := b.Variables().Message.String(); got != `{"hp":7}` {
				t.Errorf("%q in %q: the variables are %s", value, place, got)
			}
		}
	}
	b := build()
	for text, want := range map[string]string{
		"<% function f(x) { return x } %><%= f(`${ {{user}} }`) %>":       `O'Neil "x" ${evil}`,
		"<% function f(x) { return x } %><%= f(`${ '{{user}}' }`) %>":     `O'Neil "x" ${evil}`,
		"<% function f(x) { return x } %><%= f(/'/.test({{user}})) %>":    "true",
		"<% function f(x) { return x } %><%= f('{{user}}'.length + 1) %>": "19",
	} {
		if got := run(t, b, text); got != want && !strings.HasPrefix(got, "syntax") {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// TestEngineHasNoWorld: nothing of the machine can be reached, and no text runs as code (SC-04).
func TestEngineHasNoWorld(t *testing.T) {
	for _, name := range []string{"eval", "Function", "Date", "fetch", "require", "process", "setTimeout", "WebAssembly", "std", "os", "bjson", "scriptArgs",
		"performance", "navigator", "SharedArrayBuffer", "Atomics", "ArrayBuffer", "Uint8Array", "FinalizationRegistry", "WeakRef", "queueMicrotask",
		"__host", "__done", "__check", "gc", "Worker", "Deno", "global", "window"} {
		text := "<% try {} finally {} %><%= typeof globalThis['" + name + "'] %>"
		if got := run(t, build(), strings.ReplaceAll(text, "globalThis", "(function () { return this })()")); got != "undefined" {
			t.Errorf("%s is %s", name, got)
		}
	}
	for _, code := range []string{"(() => 1).constructor('return 1')()", "(async () => 1).constructor('return 1')()", "(function* () {}).constructor('yield 1')()",
		"[].map.constructor('return 1')()", "Reflect.construct(Object.getPrototypeOf(async function* () {}).constructor, ['1'])", "getvar.constructor('return 1')()",
		"(0, eval)('1')", "await import('./engine.go')", "await import('std')", "getvar.call.constructor('1')"} {
		if got := run(t, build(), "<% try { print('reached', "+code+") } catch (e) { print('safe') } %>"); got != "safe" {
			t.Errorf("%s gives %q", code, got)
		}
	}
	if got := run(t, build(), "<% try {} finally {} }); __check(async function () { print(typeof __host, typeof __done) %>"); !strings.HasPrefix(got, "reference") && got != "" {
		t.Errorf("a text that closes its function: %q", got)
	}
}

// TestEngineLimits: a hostile text ends, and the build continues (SC-04).
func TestEngineLimits(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"an endless loop", "<% try { while (true) {} } catch (e) {} %>", "limit steps"},
		{"a loop that catches", "<% function f() { for (;;) { try { for (;;) {} } catch (e) {} finally { f() } } } f() %>", "limit"},
		{"calls without end", "<% function f() { return 1 + f() } f() %>", "limit depth"},
		{"calls without end that are caught", "<% function f() { try { return f() } catch (e) { return 'ok' } } %><%= f() %>", "ok"},
		{"promises without end", "<% async function f() { await null; return f() } await f() %>", "limit|thrown "},
		{"jobs without end", "<% function f() { return Promise.resolve().then(f) } f(); await f() %>", "limit|thrown "},
		{"a promise that nothing resolves", "<% try { await new Promise(() => {}) } catch (e) {} %>", "thrown "},
		{"a pattern that backtracks", "<% try { print(/^(a+)+$/.test('a'.repeat(40) + 'b')) } catch (e) {} %>", "limit steps"},
		{"a memory bomb", "<% function f() { const l = []; for (;;) l.push('x'.repeat(9999) + l.length) } f() %>", "limit memory"},
		{"a text that doubles", "<% let s = 'x'; try { for (;;) s += s } catch (e) { s = ''; print('caught') } %>", "caught"},
		{"a large list", "<% try { print(new Array(1e9).fill(1).length) } catch (e) { print('caught') } %>", ""},
		{"a sort with a comparison that lies", "<% function f() { return Math.random() - 0.5 } %><%= [3, 1, 2].sort(f).length %>", "3"},
		{"much output", "<% function f() { for (;;) print('x'.repeat(10000)) } f() %>", "limit output"},
		{"deep JSON", "<% function f() { let v = []; for (let i = 0; i < 100000; i++) v = [v]; setvar('x', v) } f() %>", ""},
		{"a proxy without end", "<% const p = new Proxy({}, { get: (t, k, r) => r[k] }); print(p.x) %>", "limit depth"},
		{"a getter that throws at printing", "<% try {} finally {} %><%= { toString() { throw { get message() { for (;;) {} } } } } %>", "limit steps"},
	} {
		b := build()
		wants := strings.Split(tc.want, "|") // which limit is first depends on the machine
		endless := strings.HasPrefix("limit steps", wants[0])
		if endless {
			b = buildFor(short)
		}
		got := run(t, b, tc.text)
		if len(got) > 1<<20 || !slices.ContainsFunc(wants, func(want string) bool { return strings.HasPrefix(got, want) }) {
			t.Errorf("%s: %.200q, want %q", tc.name, got, tc.want)
		}
		if after := run(t, b, "<% function f() { return getvar('hp') } %><%= f() %>"); after != "7" && !(endless && strings.HasPrefix(after, "limit")) && !strings.HasPrefix(got, "limit output") {
			t.Errorf("%s: the next text gives %q", tc.name, after)
		}
	}
}

// TestEngineTextsAreApart: a text cannot change what a different text sees (SC-04).
func TestEngineTextsAreApart(t *testing.T) {
	b := build()
	run(t, b, "<% class X {} Object.prototype.hp = 1; Array.prototype.join = () => 'evil'; String.prototype.trim = null; globalThis.getvar = () => 0; Math.max = 1 %>")
	if got := run(t, b, "<% function f() { return [1, 2].join('-') + ({}).hp + ' a '.trim() + getvar('hp') + Math.max(1, 2) } %><%= f() %>"); got != "1-2undefineda72" {
		t.Error(got)
	}
	if got := run(t, b, "<% try {} finally {} %><% getvar('bag').lamp = 1 %><%= getvar('bag').lamp %>"); got != "1,a" {
		t.Errorf("a copy was changed: %s", got)
	}
	if v := b.Variables().Message.String(); v != `{"hp":7,"bag":{"lamp":[1,"a"]}}` {
		t.Error(v)
	}
}

// noHost answers nothing.
type noHost struct{}

func (noHost) Call(string, []any) (any, error) { return nil, errors.New("closed") }

// TestEngineContext: a context that ends stops a text, and several texts run at once (SC-04).
func TestEngineContext(t *testing.T) {
	engine := js.New(js.Options{Time: time.Minute})
	ctx, cancel := context.WithCancel(t.Context())
	var texts sync.WaitGroup
	for range 4 {
		texts.Go(func() {
			_, err := engine.Run(ctx, template.Program{Source: "for (;;) { try { for (;;) {} } finally { continue } }", MaxOutput: 10}, noHost{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		})
	}
	cancel()
	texts.Wait()
	if _, err := engine.Run(ctx, template.Program{Source: "__print(1)", MaxOutput: 10}, noHost{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_, err := engine.Run(t.Context(), template.Program{Source: "getvar('x')", Functions: []string{"getvar"}, MaxOutput: 10}, noHost{})
	if e, ok := errors.AsType[*template.Error](err); !ok || e.Code != talewright.Code("thrown") || !strings.Contains(e.Text, "closed") {
		t.Errorf("%v", err)
	}
}
