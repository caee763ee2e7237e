package template_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// run compiles and runs a text. The result is its output, or the code and the name of its error.
func run(t *testing.T, b *template.Build, text string) string {
	t.Helper()
	compiled, problems := template.Compile(text)
	if compiled == nil {
		return "! " + strings.TrimSpace(string(problems[0].Code)+" "+problems[0].ID)
	}
	out, err := compiled.Run(b)
	var e *template.Error
	if errors.As(err, &e) {
		return "! " + strings.TrimSpace(string(e.Code)+" "+e.Name)
	}
	return out
}

// TestLanguage checks what the recorded cases leave out. The results equal the results of
// JavaScript.
func TestLanguage(t *testing.T) {
	tests := map[string]string{
		// tags
		"a<% /* %> text <% */ %>b":                  "ab",
		"a<% /* %> text":                            "! syntax",
		"<% /* %> */ <% */ %>":                      "! syntax",
		"<%% a -%>\nb<%= 1 %>":                      "<% a -%>b1",
		"<%= 5 %%> <% %>":                           "! unclosed",
		"<% for (const x of [1,2]) %>A":             "A", // the text is a statement after the loop
		"a<% return; %>b":                           "a",
		"<% if (1) { -%>\r\n  x\r\n<% } -%>\r.":     "  x\r\n.",
		"<%= `a %> b` %>":                           "! syntax",
		"<%= [1,2].map(x => { %>[<%= x %>]<% }) %>": "! syntax",
		"<% [1,2].map(x => { %>[<%= x %>]<% }) %>":  "[1][2]",
		"<%= ...[1,2] %>|<%- ...[1,2] %>|<%= 1, %>": "1|12|1",
		// names
		"<% x = 1; { let x = 2; { var y = x } } %><%= x + y %>": "3",
		"<% { print(x); let x = 1 } %>":                         "! reference",
		"<% const x = x + 1 %>":                                 "! reference",
		"<% let a; let a %>":                                    "! syntax",
		"<% let a; var a %>":                                    "! syntax",
		"<% const a; %>":                                        "! syntax",
		"<% const o = {a: 1}; o.a = 2; o['b'] = 3 %><%= JSON.stringify(o) %>":                    `{"a":2,"b":3}`,
		"<% let fs = []; for (let i = 0; i < 3; i++) fs.push(() => i) %><%= fs.map(f => f()) %>": "0,1,2",
		"<% var fs = []; for (var i = 0; i < 3; i++) fs.push(() => i) %><%= fs.map(f => f()) %>": "3,3,3",
		"<% let i = 5; for (let i = 0; i < 2; i++); %><%= i %>":                                  "5",
		"<% 度 = 3; const _名 = 度 %><%= _名 %>":                                                     "3",
		"<%= typeof nothere %> <%= typeof document %> <%= typeof WeakSet %>":                     "undefined undefined undefined",
		"<% const [a, [b, c = 9], ...d] = [1, [2], 3, 4] %><%= a+b+c %>|<%= d %>":                "12|3,4",
		"<% const {x: {y = 3} = {}, ['k' + 1]: z, ...r} = {k1: 2, q: 7} %><%= y + z + r.q %>":    "12",
		"<% const {a} = null %>": "! type",
		"<% const [a] = 5 %>":    "! type",
		"<% [a, b] = [1, 2] %>":  "",
		"<% const f = ([k, v], {n} = {n: 1}, ...r) => k + v + n + r.length %><%= f([1, 2], undefined, 3, 4) %>": "6",
		// statements
		"<% switch (3) { case 1: print('a'); default: print('d'); case 2: print('b') } %>":            "db",
		"<% switch (2) { case 1: print('a'); case 2: print('b'); break; case 3: print('c') } %>":      "b",
		"<% switch (1) { default: let q = 1; print(q) } %>":                                           "1",
		"<% x: { print(1); break x; print(2) } %>":                                                    "1",
		"<% for (const a of [1,2,3]) { if (a == 2) continue; print(a) } %>":                           "13",
		"<% a: for (const x of [1,2]) for (const y of [1,2]) { if (y == 2) break a; print(x, y) } %>": "11",
		"<% break %>":                           "! syntax",
		"<% do print(1); while (0) print(2) %>": "12",
		"<% for (const k in ['x', 'y']) print(k, typeof k, ' ') %>":  "0string 1string ",
		"<% for (k in {b: 1, 2: 1, a: 1}) print(k) %>":               "2ba",
		"<% if (1) ; else print(1) %>":                               "",
		"<% if (0) print(1); else if (0) print(2); else print(3) %>": "3",
		"<% if (1) let x = 1 %>":                                     "! syntax",
		"<% let a = 1\nlet b = 2\n;[a, b].forEach(x => print(x)) %>": "12",
		"<% const f = () => { return\n1 } %><%= f() %>|":             "|",
		"<% let a = 1\na\n++\na %><%= a %>":                          "2",
		// values
		"<%= 0.1.toFixed(20) %> <%= (1.45).toFixed(1) %> <%= (-2.5).toFixed(0) %> <%= (0).toFixed(2) %> <%= (-0).toFixed(1) %>":                                "0.10000000000000000555 1.4 -3 0.00 0.0",
		"<%= (255.5).toString(16) %> <%= (0.1).toString(3) %> <%= (-7).toString(2) %>":                                                                         "ff.8 0.0022002200220022002200220022002201 -111",
		"<%= 1e21 + 1 %> <%= 123e-20 %> <%= 2 ** -1 %> <%= 5 % 0 %> <%= -5 % 5 %>":                                                                             "1e+21 1.23e-18 0.5 NaN 0",
		"<%= '😀a'.length %> <%= '😀a'[0] + '😀a'[1] %> <%= [...'😀a'].length %> <%= '😀'.split('').join('') %> <%= 'a😀b'.indexOf('b') %> <%= 'a😀b'.slice(0, 3) %>": "3 😀 2 😀 3 a😀",
		"<%= '😀'[0] %>":                  "\uFFFD",
		"<%= '\\ud83d' + '\\ude00' %>":   "😀",
		"<%= '\\ud83d\\ude00' == '😀' %>": "true",
		"<%= '😀' < '\uffff' %>":          "true",
		"<%= -'' === 0 %> <%= 1 / -0 %> <%= [0] == false %> <%= null == 0 %> <%= null == undefined %>": "true -Infinity true false true",
		"<%= [1, [2, [3, null]], undefined] + '' %>|<%= {} + '' %>|<%= (() => 1) + '' %>":              "1,2,3,,|[object Object]|[function]",
		"<%= (null || undefined) ?? 'n' %> <%= 0 || null ?? 1 %>":                                      "! syntax",
		"<%= (0 || null) ?? 1 %> <%= (-2) ** 2 %> <%= 2 ** 3 ** 2 %>":                                  "1 4 512",
		"<%= -2 ** 2 %>": "! syntax",
		"<% let o = null %><%= o?.a.b.c %>|<%= o?.[o.x] %>|<%= o?.f(1) %>|<%= (o?.a) ?? 'x' %>":              "|||x",
		"<% let o = {} %><%= o.a?.b.c %>|<%= o.f?.() %>|<%= o.f() %>":                                        "! type",
		"<% let o = null %><%= (o?.a).b %>":                                                                  "! type",
		"<% let a = [1, 2, 3]; a.length = 1; a[3] = 9 %><%= JSON.stringify(a) %>":                            "[1,null,null,9]",
		"<% let a = 1, b = a++ + ++a; a **= 2; a <<= 1; a ^= 1 %><%= a %> <%= b %>":                          "19 4",
		"<%= 'b' in {b: 1} %> <%= 1 in [5] %> <%= 5 >>> 1 %> <%= -1 >>> 28 %> <%= 1 << 33 %> <%= ~~'7.9' %>": "true false 2 15 2 7",
		"<%= `a${`b${1 + {a: 1}.a}`}` %>":                                                                    "ab2",
		"<%= ({a: 1, 'b': 2, 3: 4, ['c' + 1]: 5, f: x => x + 1}).f(1) %>":                                    "2",
		"<%= /a+/g %> <%= /b/.test('abc') %> <%= 'aXbX'.replace(/x/gi, '[$&]') %> <%= 'a1b22'.match(/\\d+/g) %> <%= 'a, b;c'.split(/[,;] */) %> <%= 'abc'.search(/c/) %>": "/a+/g true a[X]b[X] 1,22 a,b,c 2",
		"<%= 'x1y22'.replace(/(\\d)(\\d)?/g, (m, a, b) => `<${m}|${a}>`) %> <%= 'ab'.replace(/(a)(b)/, '$2$1$$') %>":                                                      "x<1|1>y<22|2> ba$",
		"<%= /(/ %>": "! syntax",
		// methods
		"<%= 'abc'.replaceAll('', '.') %> <%= 'aa'.replace('a', () => 'b') %> <%= 'abcabc'.lastIndexOf('c', 4) %> <%= 'abc'.substr(-2, 1) %>":     ".a.b.c. ba 2 b",
		"<%= 'a-b-c'.split('-', 2) %> <%= 'ß'.toUpperCase() %> <%= 'abc'.at(-4) %>|<%= 'ab'.codePointAt(1) %> <%= String.fromCharCode(97, 98) %>": "a,b SS |98 ab",
		"<%= [3, undefined, 1, 'b', 10].sort() %> <%= [[2, 'b'], [1, 'a']].sort((x, y) => x[0] - y[0]) %>":                                        "1,10,3,b, 1,a,2,b",
		"<% const a = [1,2,3,4,5]; const b = a.splice(1, 2, 'x') %><%= a %>|<%= b %>|<%= a.shift() %>|<%= a.unshift(0) %>|<%= a.fill(7, 1, 2) %>": "1,x,4,5|2,3|1|4|0,7,4,5",
		// The methods take the position at which the search begins, as in JavaScript (A4).
		"<%= [1,2,1].indexOf(1, 1) %><%= [1,2,1].indexOf(1, -1) %><%= [1,2].includes(1, 1) %><%= [1,2,1].lastIndexOf(1, -2) %><%= [1].lastIndexOf(1, -9) %>": "22false0-1",
		"<%= 'length' in [] %> <%= 'x' in [1] %>": "true false",
		"<% const a = [1,2,3,4,5]; a.splice(1, 2, 'x'); a.shift() %><%= a.unshift(0) %> <%= a.indexOf(5) %> <%= a.lastIndexOf(9) %>":                          "4 3 -1",
		"<%= [1,2,3].reduce((a, b) => a + b) %> <%= [[1,[2]],3].flat(2) %> <%= [1,2].flatMap(x => [x, x]) %> <%= Array.from({length: 3}, (_, i) => i * 2) %>": "6 1,2,3 1,1,2,2 0,2,4",
		"<%= [].reduce((a, b) => a) %>": "! type",
		"<%= Object.fromEntries([['a', 1]]).a %> <%= Object.assign({a: 1}, {b: 2}).b %> <%= Object.values({b: 1, a: 2}) %> <%= Object.keys('ab') %>": "1 2 1,2 0,1",
		"<%= JSON.stringify({a: [], b: {}, c: [1, {d: '\\u2028\\n\"'}], e: NaN, f: undefined}, null, '-') %>":                                        "{\n-\"a\": [],\n-\"b\": {},\n-\"c\": [\n--1,\n--{\n---\"d\": \"\u2028\\n\\\"\"\n--}\n-],\n-\"e\": null\n}",
		"<%= JSON.parse('{\"a\":[1]}').a[0] %> <%= JSON.stringify(undefined) %>|":                                                                    "1 |",
		"<%= JSON.parse('{') %>": "! syntax",
		"<%= JSON.stringify(JSON.parse('{\"a\":1,\"b\":2,\"a\":3}')) %>":                                                                `{"a":3,"b":2}`,
		"<%= JSON.stringify({a: 1, b: [{a: 1, c: 2}], 1: 5}, ['b', 'a', 1]) %> <%= JSON.stringify({a: {}}, []) %>":                      `{"b":[{"a":1}],"a":1,"1":5} {}`,
		"<%= JSON.stringify({a: 1, b: 2, c: [3]}, (k, v) => k == 'a' ? undefined : v > 1 ? v * 2 : v) %>":                               `{"b":4,"c":6}`,
		"<%= JSON.stringify(JSON.parse('{\"a\":[1,2],\"b\":3}', (k, v) => k == 'b' ? undefined : typeof v == 'number' ? v + 1 : v)) %>": `{"a":[2,3]}`,
		"<% const fs = [x => x + 1] %><%= fs[0](1) %> <%= fs['map'](f => f(2)) %> <%= fs[9]?.(1) %>|":                                   "2 3 |",
		"<%= JSON.stringify(1, (k, v) => [v]) %>":                                                                                       "! type",
		"<%= 'ΟΔΥΣΣΕΥΣ ΑΣ. Σ ΑΣ’Σ'.toLowerCase() %> <%= 'ﬁŉ'.toUpperCase() %> <%= '\\ud83d'.toUpperCase() + '\\ude00' %>":               "οδυσσευς ας. σ ασ’ς FIʼN 😀",
		"<% const \\u4f60 = 1, x\\u{31} = 2 %><%= 你 + x1 %> <%= {\\u0061b: 2}.ab %>":                                                    "3 2",
		"<% let a\\u0020b = 1 %>": "! syntax",
		"<%= ['a', 'b'].reduceRight((a, b, i, l) => a + b + i + l.length, '') %> <%= String.fromCodePoint(65, 0x1F600) %> <%= Number.EPSILON > 0 %>":                                                             "b12a02 A😀 true",
		"<%= parseInt(' -0x1F') %> <%= parseInt('9007199254740993') %> <%= parseFloat('-.5e1x') %> <%= parseInt('z', 36) %> <%= Number('0b11') %>":                                                               "-31 9007199254740992 -5 35 3",
		"<%= Math.round(-0.5) %> <%= Math.round(2.4999) %> <%= Math.max(...[1, 3]) %> <%= Math.sign(-0) %> <%= (12.345).toPrecision(3) %> <%= Math.log10(1000) %> <%= Math.log10(0.001) %> <%= Math.log10(0) %>": "0 2 3 0 12.3 3 -3 -Infinity",
		"<%= _.get({a: [{b: 5}]}, 'a[0].b') %> <%= _.get({}, 'x.y', 'd') %> <%= _.has({a: 1}, 'a') %> <%= _.clamp(12, 0, 10) %> <%= _.isEmpty({}) %> <%= _.sum([1, 2]) %> <%= _.size('😀') %>":                    "5 d true 10 true 3 2",
		"<%= [1].nothing() %>":                            "! type",
		"<%= 'x'.repeat(-1) %>":                           "! range",
		"<% console.log(nothere); console?.warn('x') %>.": ".",
		"<%= 010 %> <%= 08 %> <%= 1_000.5 %>":             "8 8 1000.5",
		"<%= 1__0 %>":                                     "! syntax",
		"<%= 0x_1 %>":                                     "! syntax",
		"<%= 1_.5 %>":                                     "! syntax",
		"<%= 1 / Math.round(-0.2) %>":                     "-Infinity",
		"<%= 3px %>":                                      "! syntax",
		"<%= 5n %>":                                       "! refused BigInt",
		"<% class A {} %>":                                "! refused class",
		"<%= _.debounce(x) %>":                            "! refused _.debounce",
		"<%= this.x %>":                                   "! refused this",
		"<%= ({}).constructor %>":                         "! refused constructor",
		"<%= ({})['__proto__'] %>":                        "! refused __proto__",
		"<% const o = {}; o['__pro' + 'to__'] = 1 %>":     "! refused __proto__",
		"<%= 'execute fetch' %>":                          "execute fetch",
		"<%= {class: 1, new: 2}.class %>":                 "1",
	}
	for text, want := range tests {
		if got := run(t, template.NewBuild(template.Env{}), text); got != want {
			t.Errorf("%s\n\tprinted %q, want %q", text, got, want)
		}
	}
}

// TestMacrosAreValues checks that the results of macros never are code.
func TestMacrosAreValues(t *testing.T) {
	values := map[string]string{"{{user}}": "x' || '1", "{{hp}}": "12", "{{on}}": "true", "{{tag}}": "<%= 1 %>", "{{nested::{{user}}}}": "n"}
	env := template.Env{Expand: replaceMacros(func(text, _ string) string {
		if v, ok := values[text]; ok {
			return v
		}
		for name, v := range values {
			text = strings.ReplaceAll(text, name, v)
		}
		return text
	})}
	for text, want := range map[string]string{
		"<%= '{{user}}' === 'x\\' || \\'1' %>":                  "true",
		"<%= {{user}} %>":                                       "x' || '1",
		"<%= {{hp}} + 1 %> <%= '{{hp}}' + 1 %> <%= `{{hp}}` %>": "13 121 12",
		"<% if ({{on}}) { %>{{tag}}<% } %>":                     "<%= 1 %>",
		"<%= '{{' + 'user' + '}}' %>":                           "{{user}}",
		"<% if (1) {{ print(2) }} %>":                           "2",
		"<% {{hp}}; print({{nested::{{user}}}}) %>":             "n",
		"{{tag}}": "<%= 1 %>",
	} {
		if got := run(t, template.NewBuild(env), text); got != want {
			t.Errorf("%s\n\tprinted %q, want %q", text, got, want)
		}
	}
}

// TestVariables checks the stores and the writes.
func TestVariables(t *testing.T) {
	const state = `{"a.b": 1, "a": {"b": 2, "l": [1, 2.50]}, "s": "x", "n": 1.10}`
	for text, want := range map[string]string{
		"<%= getvar('a.b') %> <%= getvar('a[\"b\"]') %> <%= getvar('a.l.length') %> <%= getvar(['a', 'l', 0]) %>": "1 2 2 1",
		"<%= getvar('s.x.y') %>|<%= getvar('a.l[-1]') %>|<%= getvar('a.l[9]') %>":                                 "||",
		"<% const a = getvar('a'); a.l.push(3); a.x = 1 %><%= JSON.stringify(getvar('a')) %>":                     `{"b":2,"l":[1,2.5]}`,
		"<% setvar('copy', getvar('n')); setvar('l', getvar('a.l')) %>":                                           "",
		"<% setvar('a.b.c', 1) %>":                                   "",
		"<% delvar('a.l[0]') %><%= JSON.stringify(getvar('a.l')) %>": "[null,2.5]",
		"<% setvar('q', () => 1) %><%= typeof getvar('q') %>":        "undefined",
		"<% setvar('big[400000]', 1) %>":                             "! limit memory",
		"<% const o = {}; o.self = o; setvar('o', o) %>":             "! type",
		"<% setvar('x.prototype', 1) %>":                             "! refused prototype",
		"<% setvar('p.'.repeat(2000) + 'q', 1) %>":                   "! type",
		"<% for (;;) setvar('a', {b: getvar('a')}) %>":               "! limit steps",
		"<%= incvar('s', 1, {min: 3}) %> <%= incvar('new', 2, {scope: 'local'}) %> <%= getvar('new', 'global') %>":               "NaN 2 ",
		"<%= setvar('j', 5, {index: 1}) %> <%= getvar('j', {index: 1}) %>":                                                       "[null,5] 5",
		"<%= setvar('v', 1, {results: 'fullcache'}).v %> <%= setvar('w', 1, 'xxs') %>|":                                          "1 |",
		"<% insvar('o2', 5, 'k') %><%= JSON.stringify(getvar('o2')) %> <% insvar('l2', 5) %><%= JSON.stringify(getvar('l2')) %>": `{"k":5} [5]`,
	} {
		message, err := tree.ParseValue([]byte(state))
		if err != nil {
			t.Fatal(err)
		}
		b := template.NewBuild(template.Env{Variables: template.Variables{Message: message}})
		if got := run(t, b, text); got != want {
			t.Errorf("%s\n\tprinted %q, want %q", text, got, want)
		}
		if strings.HasPrefix(want, "!") && (len(b.Writes()) > 0 || !b.Variables().Message.Same(message)) {
			t.Errorf("%s\n\tfailed and wrote %v", text, b.Writes())
		}
	}
	message, _ := tree.ParseValue([]byte(state))
	b := template.NewBuild(template.Env{Variables: template.Variables{Message: message}})
	run(t, b, "<% setvar('copy', getvar('n')); setvar('a.l', getvar('a.l')); setGlobalVar('g', 1); delvar('s'); setvar('p.q.r', 1); setvar('a.l[5]', 2) %>")
	var lines []string
	for _, w := range b.Writes() {
		lines = append(lines, fmt.Sprint(w.Scope, " ", w.Path, " ", w.Old, "->", w.New))
	}
	if got, want := strings.Join(lines, "; "), "message copy null->1.10; global g null->1; message s \"x\"->null; message p null->{\"q\":{\"r\":1}}; message a.l [1,2.50]->[1,2.50,null,null,null,2]"; got != want {
		t.Errorf("writes %s, want %s", got, want)
	}
}

// manyNames continues a declaration with 5,000 names.
var manyNames = func() string {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, ", b%d", i)
	}
	return b.String()
}()

// TestRunawayCostsItsLimitOnce checks that a text without end stops, and that later texts of the
// build then stop at once.
func TestRunawayCostsItsLimitOnce(t *testing.T) {
	for text, limit := range map[string]string{
		"<% while (true) {} %>":           "steps",
		"<% for (;;) 'x'.indexOf('y') %>": "steps",
		"<% const p = /(a|a)*b\\1/; for (;;) p.test('aaaaaaaaaaaaaaaaaaaaaaaa') %>":                         "steps",
		"<% const f = () => f(); f() %>":                                                                    "depth",
		"<% const l = []; for (;;) l.push(1) %>":                                                            "memory",
		"<% let s = 'x'; for (;;) s += s %>":                                                                "memory",
		"<% let l = [1]; for (;;) l = [l, l]; %>":                                                           "memory",
		"<% for (;;) print('0123456789012345678901234567890123456789') %>":                                  "output",
		"<%= 'x'.repeat(1e9) %>":                                                                            "memory",
		"<%= 'x'.padEnd(1e9) %>":                                                                            "memory",
		"<% 'x'.repeat(4e6).split('') %>":                                                                   "memory",
		"<% ('x'.repeat(1e6) + 'y').replace('y', '$`'.repeat(5e5)) %>":                                      "memory",
		"<% const l = Array.from({length: 2e5}); for (;;) l.reverse() %>":                                   "steps",
		"<% const s = ' '.repeat(1e6); for (;;) +s %>":                                                      "steps",
		"<% const s = 'x'.repeat(1e6), end = s.endsWith; for (;;) end('y') %>":                              "steps",
		"<% const a = 'x'.repeat(1e6), b = 'x'.repeat(1e6); for (;;) switch (a) { case b: } %>":             "steps",
		"<% for (let a" + manyNames + ";;) {} %>":                                                           "steps",
		"<% const s = 'x'.repeat(2e6); for (let i = 0; ; i++) setvar('k' + i, s) %>":                        "memory",
		"<% setvar('a', ['xxxxxxxxxxxxxxxx']); for (;;) setvar('a', [getvar('a'), getvar('a')]) %>":         "steps",
		"<% evalTemplate('<' + '% const t = ' + JSON.stringify('x') + ' %' + '>'.repeat(1)) ; for (;;); %>": "steps",
		"<% " + strings.Repeat("(", 100) + " %>":                                                            "nesting",
		"<% " + strings.Repeat("{", 100) + " %>":                                                            "nesting",
		"<% " + strings.Repeat("`${", 100) + " %>":                                                          "nesting",
		"<% " + strings.Repeat("- ", 100) + "1 %>":                                                          "nesting",
		"<% " + strings.Repeat("x;", 40_000) + " %>":                                                        "code",
	} {
		b := template.NewBuild(template.Env{})
		if got := run(t, b, text); got != "! limit "+limit {
			t.Errorf("%.60s\n\tprinted %.60q, want the limit %s", text, got, limit)
		}
	}
	few := template.NewBuild(template.Env{MaxSteps: 100})
	if got := run(t, few, "<% for (let i = 0; i < 5; i++) {} %>x"); got != "x" {
		t.Errorf("a text of few steps printed %q", got)
	}
	if got := run(t, few, "<% for (let i = 0; i < 50; i++) {} %>x"); got != "! limit steps" {
		t.Errorf("a text beyond MaxSteps printed %q", got)
	}
	b := template.NewBuild(template.Env{})
	runaway, _ := template.Compile("<% while (true) {} %>")
	for range 2000 { // each would take the limit
		if _, err := runaway.Run(b); err == nil {
			t.Fatal("no error")
		}
	}
}

// TestDefinitions checks names that a text defines for the others, and that a text that fails leaves
// none.
func TestDefinitions(t *testing.T) {
	b := template.NewBuild(template.Env{})
	for _, step := range [][2]string{
		{"<%= define('k', 1) %><%= define('k', 2) %>", "1"},
		{"<% define('k', 3); nothere() %>", "! reference"},
		{"<%= k %>", "2"},
		{"<% define('o', {a: {b: 1}}); define('o', {a: {c: 2}}, true) %><%= JSON.stringify(o) %>", `{"a":{"b":1,"c":2}}`},
		{"<% define('f', (x = 1) => { print('['); return x + k }) %><% define('k', 5) %>", ""},
		{"<%= f() + ']' %>", "[6]"},
		{"<% free = 7 %>", ""},
		{"<%= free %>", "7"},
		{"<% define('fetch', 1) %>", "! refused fetch"},
	} {
		if got := run(t, b, step[0]); got != step[1] {
			t.Errorf("%s\n\tprinted %q, want %q", step[0], got, step[1])
		}
	}
}

// TestCharacters checks getchar with a form, and with macros of its owner.
func TestCharacters(t *testing.T) {
	env := template.Env{Char: "Orin",
		Cards:  []card.Card{{Name: "Orin"}, {Name: "Bela", Description: "Scout {{char}}.", Personality: "<% boom %>"}},
		Expand: replaceMacros(func(text, char string) string { return strings.ReplaceAll(text, "{{char}}", char) }),
	}
	for text, want := range map[string]string{
		"<%- getchar('Bela') %>": "<Bela>\nname: Bela\npersonality: <% boom %>\ndescription: Scout Bela.\n</Bela>",
		"<%- getchar('Bela', `<` + `%= description + personality + extra %` + `>`, {extra: 1}) %>": "Scout Bela.<% boom %>1",
		"<%- getchar(/^Be/).length > 0 %>": "true",
	} {
		if got := run(t, template.NewBuild(env), text); got != want {
			t.Errorf("%s\n\tprinted %q, want %q", text, got, want)
		}
	}
}

// TestUnitFallsBack checks that a message that fails as a whole is run piece by piece, without what
// the whole wrote.
func TestUnitFallsBack(t *testing.T) {
	pieces := []template.Piece{
		{Text: "<% incvar('n') %>A", Path: "a"},
		{Text: "B<%= nothere %>", Path: "b", Lore: true},
		{Text: "C<%= nothere %> and <% more", Path: "c"},
	}
	b := template.NewBuild(template.Env{})
	if got := b.Unit(pieces...); !slices.Equal(got, []string{"A", "", "C and "}) {
		t.Errorf("printed %q", got)
	}
	if n, _ := b.Variables().Message.Get("n").AsFloat(); n != 1 {
		t.Errorf("n is %v, want 1", n)
	}
	var got []talewright.Code
	for _, p := range b.Problems() {
		got = append(got, p.Code)
	}
	if fmt.Sprint(got) != "[reference unclosed]" {
		t.Errorf("problems %v", b.Problems())
	}
	raw := template.NewBuild(template.Env{Raw: true})
	if got := raw.Unit(pieces[1])[0]; got != pieces[1].Text {
		t.Errorf("printed %q with Raw", got)
	}
}

// TestUnitDividesItsText checks which piece of a unit gets which text, and which entry it belongs to.
func TestUnitDividesItsText(t *testing.T) {
	book := worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "0", Comment: "first"}, {UID: "1", Comment: "second"}}}
	for _, row := range []struct {
		why    string
		pieces []string
		want   []string
	}{
		{"a constant of one piece is known in the next", []string{"a<% const k = 4 %>", "<%= k %>b"}, []string{"a", "4b"}},
		{"an if spans a piece without tags", []string{"a<% if (false) { %>x", "y", "z<% } %>b"}, []string{"a", "", "b"}},
		{"a loop spans pieces: later rounds go to the last piece of the loop", []string{"<% for (const i of [1, 2]) { %>a", "b<% } %>", "c"}, []string{"a", "bab", "c"}},
		{"pieces without text", []string{"", "<%= 1 %>", "", "", "b"}, []string{"", "1", "", "", "b"}},
		{"the blanks that a tag removes move later pieces", []string{"a  <%_ x = 1 _%>  ", "  b", "<%_ _%>c"}, []string{"a", "b", "c"}},
		{"an if without braces has the text up to the next tag", []string{"<% if (true) %>a", "b", "<% %>c"}, []string{"a", "b", "c"}},
		{"halves of characters do not join across pieces", []string{"<% print('\\uD83D') %>", "<% print('\\uDE00') %>"}, []string{"\uFFFD", "\uFFFD"}},
		{"each piece knows its entry", []string{"<%= world_info.comment %>", "<%= world_info.comment %>"}, []string{"first", "second"}},
		{"two pieces do not make a tag", []string{"<% const k = 4 %><", "", "%= k %>"}, []string{"<", "", "%= k %>"}},
	} {
		var pieces []template.Piece
		for i, text := range row.pieces {
			pieces = append(pieces, template.Piece{Text: text, ID: worldbook.ID{Book: "b", UID: fmt.Sprint(i)}})
		}
		b := template.NewBuild(template.Env{Books: []worldbook.Book{book}, Cache: new(template.Cache)})
		for range 2 { // the second time from the cache
			got := b.Unit(pieces...)
			for i := range got {
				got[i] = strings.Replace(got[i], "\uFFFD\uFFFD\uFFFD", "\uFFFD", 1)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("%s: printed %q, want %q", row.why, got, row.want)
			}
		}
		if len(b.Problems()) > 0 {
			t.Errorf("%s: %v", row.why, b.Problems())
		}
	}
}

// TestMacrosAndTemplatesShareVariables checks that macros and templates see each other's values in
// the order of a build, and that a failing text keeps neither.
func TestMacrosAndTemplatesShareVariables(t *testing.T) {
	chat := func(name string, v tree.Value) tree.Value { return tree.Object(tree.Member{Key: name, Value: v}) }
	b := template.NewBuild(template.Env{
		Variables: template.Variables{Chat: chat("n", tree.Int(0)), Global: chat("n", tree.Text("other"))},
		Expand: func(text, _ string, v template.Variables) (string, template.Variables) {
			n, _ := v.Chat.Get("n").AsFloat()
			if strings.Contains(text, "{{inc}}") {
				v.Chat = v.Chat.With("n", tree.Int(int64(n)+1))
				text = strings.ReplaceAll(text, "{{inc}}", "")
			}
			if strings.Contains(text, "{{forget}}") {
				v.Chat = v.Chat.Without("n")
				text = strings.ReplaceAll(text, "{{forget}}", "")
			}
			return strings.ReplaceAll(text, "{{n}}", fmt.Sprint(n)), v
		},
	})
	for _, row := range []struct{ why, text, want string }{
		{"a template reads what a macro stored", "{{inc}}<%= getvar('n') %>", "1"},
		{"a macro reads what a template stored", "<% setLocalVar('n', 5) %>{{n}}", "1"}, // macros are expanded first
		{"a macro reads what an earlier text stored", "{{n}}<% %>", "5"},
		{"both count", "{{inc}}<% incLocalVar('n') %><%= getvar('n') %>", "7"},
		{"a text that fails stores nothing", "{{inc}}<% incLocalVar('n'); nothere %>", ""},
		{"the next text sees the old value", "<%= getvar('n') %>{{n}}", "77"},
		{"a value in the scope cache stays", "<% setvar('c', 1, 'cache') %>{{inc}}", ""},
		{"after a macro has stored", "<%= getvar('c') + getvar('n') %>", "9"},
		{"a removed variable uncovers the global one", "{{forget}}<%= getvar('n') %>", "other"},
	} {
		compiled, problems := template.Compile(row.text)
		if compiled == nil {
			t.Fatal(problems)
		}
		if out, _ := compiled.Run(b); out != row.want {
			t.Errorf("%s: printed %q, want %q", row.why, out, row.want)
		}
	}
	b.SetVariables(template.Variables{Message: chat("n", tree.Int(2)), Chat: chat("m", tree.Int(3))})
	if got := b.Unit(template.Piece{Text: "<%= getvar('n') %><%= getvar('m') %><%= getvar('c') %>"})[0]; got != "231" {
		t.Errorf("after SetVariables: %q", got)
	}
}

// replaceMacros returns an Expand that stores nothing.
func replaceMacros(f func(text, char string) string) func(string, string, template.Variables) (string, template.Variables) {
	return func(text, char string, v template.Variables) (string, template.Variables) { return f(text, char), v }
}

// TestTemplatesAreShared runs one template in many goroutines: under the race detector it also
// checks that nothing of a template changes.
func TestTemplatesAreShared(t *testing.T) {
	var cache template.Cache
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 20 {
				compiled, problems := cache.Compile("<% const o = {n: " + fmt.Sprint(i%5) + "}; o.n++; Math.x = 1 %><%= o.n %><%= Math.x %>")
				if compiled == nil {
					t.Error(problems)
					return
				}
				if out, err := compiled.Run(template.NewBuild(template.Env{Cache: &cache})); err != nil || out != fmt.Sprint(i%5+1) {
					t.Errorf("printed %q, %v", out, err)
				}
			}
		})
	}
	all.Wait()
}

// FuzzTemplate checks that no text panics, that it always does the same, and that the limits hold.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		"<% for (const [k, v] of Object.entries(variables)) { %><%= k %>: <%- JSON.stringify(v) %><% } -%>\n",
		"<%_ if (getvar('a.b[0]') ?? 1 >= 2) { _%> {{user}} <%_ } else { _%><%# no %><%_ } _%>",
		"<% setvar('x', `${'😀'.split('')}`.replace(/./g, m => m + m)); incvar('x', 1, {max: 3}) %>",
		"<% switch (x) { case 1: { break } default: do { continue } while (0) } %>", "<%% %%> -%> <%= {{x}} %>",
		"<% const {a: [b = 1, ...c], ...d} = {a: [...'xyz']}; l: for (;;) break l %><%= await getwi(null, 'e', {q: 1}) %>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		env := template.Env{
			Books:     []worldbook.Book{{Name: "b", Entries: []worldbook.Entry{{UID: "0", Comment: "e", Content: "@@if x\n" + text, Keys: []string{text}}}}},
			Variables: template.Variables{Message: tree.Object(tree.Member{Key: "a", Value: tree.Array(tree.Int(1))})},
			Expand:    replaceMacros(func(text, _ string) string { return strings.ReplaceAll(text, "{{x}}", "<%= 1 %>") }),
		}
		var first string
		for i := range 2 {
			b := template.NewBuild(env)
			b.Load()
			b.Lore()
			texts := b.Unit(template.Piece{Text: text}, template.Piece{Text: text})
			before, after := b.Messages(texts)
			out := strings.Join(slices.Concat(before, texts, after), "|")
			if len(out) > 3<<20+4*len(text) {
				t.Errorf("printed %d bytes", len(out))
			}
			if i == 0 {
				first = out
			} else if out != first {
				t.Errorf("printed %q and then %q", first, out)
			}
		}
	})
}

// TestGrowth checks that compiling and running take time in proportion to the text.
func TestGrowth(t *testing.T) {
	testkit.Growth(t, testkit.Reader{Name: "template", Atoms: []testkit.Atom{
		testkit.Repeat("<% x = 1 %>"), testkit.Repeat("<%_ _%> "), testkit.Repeat("a <%# b -%>\n"), testkit.Repeat("<%= {{user}} %>"),
		testkit.Repeat("<%% a %>"), {Open: "<% print(", Mid: "1", Close: ") %>"},
	}, Read: func(text string) {
		template.NewBuild(template.Env{}).Unit(template.Piece{Text: text})
	}})
}

// TestFunctionsAndErrors has functions, errors, collections and lodash as scripted cards use them
// (SC-01).
func TestFunctionsAndErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<%= stage(45) %><% function stage(v) { if (v < 30) return 'cold'; return v < 60 ? 'warm' : 'hot' } %>":               "warm",
		"<% async function f(a, { b = 2 } = {}, ...c) { return a + b + c.length } %><%= await f(1, {}, 3, 4) %>":              "5",
		"<% const f = function g(n) { return n < 2 ? 1 : n * g(n - 1) } %><%= f(5) %> <%= (function () { return 'x' })() %>":  "120 x",
		"<% const o = { name: 'o', say(x) { return x + '!' }, async late() { return 2 } } %><%= o.say('a') %><%= o.late() %>": "a!2",
		"<% function show(x) { %>[<%= x %>]<% } %><% show(1); show(2) %>":                                                     "[1][2]",
		"<% { function f() { return 1 } } function f() { return 2 } %><%= f() %>":                                             "1",
		"<% let f = 1; function f() {} %>":                                                                     "! syntax",
		"<% function* f() {} %>":                                                                               "! refused function*",
		"<% function f() { return f() } f() %>":                                                                "! limit depth",
		"<% const f = n => n ? _.sumBy([n - 1], f) + 1 : 0 %><%= f(14) %>":                                     "14",
		"<% function f() { return this } %>":                                                                   "! refused this",
		"<%= await (async x => x + 1)(1) %><%= [1, 2].map(async (x) => x * 2) %>":                              "22,4",
		"<%= (await Promise.all([1, 2].map(async x => x * 2))).join('-') %>":                                   "2-4",
		"<% new Promise(() => {}) %>":                                                                          "! refused new",
		"<% Promise.race([1]) %>":                                                                              "! refused Promise",
		"<% getvar('x').then(y => 1) %>":                                                                       "! refused Promise",
		"<% try { nothere() } catch (e) { print(e.name, ' ', e) } %>":                                          `ReferenceError ReferenceError: there is no name "nothere": declare it, or correct it`,
		"<% try { const x = getvar('none'); x.y } catch { print('caught') } finally { print(' and done') } %>": "caught and done",
		"<% function f() { try { return 1 } finally { print('f') } } %><%= f() %>":                             "f1",
		"<% function f() { for (const x of [1, 2]) { try { if (x === 1) continue; return x } finally { print(x) } } } %><%= f() %>": "122",
		"<% try { throw { code: 5 } } catch ({ code }) { print(code) } %>":                                                          "5",
		"<% try { throw new Error('no') } catch (e) { print(e.message, '|', String(e)) } %>":                                        "no|Error: no",
		"<% throw new Error('no') %>":                         "! thrown",
		"<% try { throw 1 } finally { } %>":                   "! thrown",
		"<% try { while (true) {} } catch (e) {} %>":          "! limit steps",
		"<% try { fetch('x') } catch (e) {} %>":               "! refused fetch",
		"<% try { setvar('__proto__.x', 1) } catch (e) {} %>": "! refused __proto__",
		"<% try { } %>": "! syntax",
		"<% try { setvar('n', 1); nothere } catch (e) { } %><%= getvar('n') %>":                               "1",
		"<% const o = { a: 1, b: 2 }; delete o.a; delete o['x'] %><%= JSON.stringify(o) %><%= delete o?.b %>": `{"b":2}true`,
		"<% delete x %>": "! syntax",
		"<% const s = new Set(['a', 'b', 'a']); s.add('c').delete('b') %><%= s.size %> <%= [...s].join() %> <%= s.has('a') %> <%= s %>":               "2 a,c true [object Set]",
		"<% const m = new Map([['a', 1]]); m.set('b', 2).set('a', 3); for (const [k, v] of m) { %><%= k + v %> <% } %><%= m.get('b') %><%= m.size %>": "a3 b2 22",
		"<% const s = new Set([1]); for (const x of s) { if (x < 5) s.add(x + 1) } s.forEach(x => print(x)) %>":                                       "12345",
		"<%= Array.from(new Set([NaN, NaN, 0, -0])).length %> <%= JSON.stringify(new Map([[1, 2]])) %> <%= typeof new Set() %>":                       "2 {} object",
		"<%= new RegExp('a+', 'g').test('caat') %> <%= 'a1b2'.replace(new RegExp('[0-9]', 'g'), '') %>":                                               "true ab",
		"<% new RegExp('(') %>": "! syntax",
		"<%= _.keys({ a: 1, b: 2 }) %>|<%= _.values({ a: 1 }) %>|<%= _.entries({ a: 1 }) %>|<%= JSON.stringify(_.fromPairs([['a', 1]])) %>":                                                                                                                                                  `a,b|1|a,1|{"a":1}`,
		"<%= _.map({ a: 1, b: 2 }, (v, k) => k + v) %>|<%= _.map([{ n: 1 }, { n: 2 }], 'n') %>|<%= _.filter([{ on: true, n: 1 }, { n: 2 }], 'on').length %>":                                                                                                                                 "a1,b2|1,2|1",
		"<%= _.find([{ n: 1 }, { n: 2, s: 'x' }], { n: 2 }).s %>|<%= _.findKey({ a: 1, b: 2 }, v => v > 1) %>|<%= _.findIndex([1, 2], v => v > 1) %>":                                                                                                                                        "x|b|1",
		"<%= _.sortBy([{ n: 2 }, { n: 1 }], 'n').map(x => x.n) %>|<%= _.orderBy([1, 3, 2], [x => x], ['desc']) %>|<%= _.sortBy(['10', '9']) %>":                                                                                                                                              "1,2|3,2,1|10,9",
		"<%= JSON.stringify(_.groupBy([1, 2, 3], x => x % 2 ? 'odd' : 'even')) %>|<%= JSON.stringify(_.countBy(['a', 'b', 'a'])) %>":                                                                                                                                                         `{"odd":[1,3],"even":[2]}|{"a":2,"b":1}`,
		"<%= _.uniq([1, 2, 1]) %>|<%= _.difference([1, 2, 3], [2]) %>|<%= _.intersection([1, 2], [2, 3]) %>|<%= _.union([1], [1, 2]) %>|<%= _.compact([0, 1, '']) %>":                                                                                                                        "1,2|1,3|2|1,2|1",
		"<%= _.take([1, 2, 3], 2) %>|<%= _.takeRight([1, 2, 3]) %>|<%= _.last([1, 2]) %>|<%= _.nth([1, 2], -1) %>|<%= _.chunk([1, 2, 3], 2).length %>|<%= _.range(1, 4) %>":                                                                                                                  "1,2|3|2|2|2|1,2,3",
		"<%= _.round(1.255, 2) %>|<%= _.floor(1.29, 1) %>|<%= _.mean([1, 3]) %>|<%= _.sumBy([{ n: 1 }, { n: 2 }], 'n') %>|<%= _.max([1, 3, 2]) %>|<%= _.minBy([{ n: 2 }, { n: 1 }], 'n').n %>":                                                                                               "1.26|1.2|2|3|3|1",
		"<%= JSON.stringify(_.pick({ a: 1, b: 2 }, ['a'])) %>|<%= JSON.stringify(_.omit({ a: 1, b: 2 }, 'a')) %>|<%= JSON.stringify(_.mapValues({ a: 1 }, v => v + 1)) %>|<%= JSON.stringify(_.pickBy({ a: 1, b: 0 })) %>":                                                                   `{"a":1}|{"b":2}|{"a":2}|{"a":1}`,
		"<%= _.isEqual({ a: [1] }, { a: [1] }) %> <%= _.isNil(null) %> <%= _.isString('') %> <%= _.defaultTo(NaN, 1) %> <%= _.inRange(3, 2, 4) %> <%= _.upperFirst('ab') %> <%= _.capitalize('ABC') %>":                                                                                      "true true true 1 true Ab Abc",
		"<% const o = { a: { b: 1 } }; const c = _.cloneDeep(o); c.a.b = 2; _.set(o, 'x.y[0]', 3); _.merge(o, { a: { c: 4 } }) %><%= JSON.stringify(o) %><%= c.a.b %>":                                                                                                                       `{"a":{"b":1,"c":4},"x":{"y":[3]}}2`,
		"<% _.forEach({ a: 1, b: 2, c: 3 }, (v, k) => { print(k); if (v === 2) return false }) %>|<%= _.times(3, i => i * 2) %>|<%= _.reduce({ a: 1, b: 2 }, (s, v) => s + v, 0) %>":                                                                                                         "ab|0,2,4|3",
		"<%= _({ a: 1, b: 2 }).pickBy(v => v > 1).keys().value() %>|<%= _([1, 2]).map(n => n + 1).sum() %>|<%= _.chain([1, 2]).sum() + 1 %>|<%= _.chain([3, 1]).sortBy().map(n => n * 2) %>|<%= JSON.stringify([..._([1])]) %>":                                                              "b|5|4|2,6|[1]",
		"<% const l = [1]; l.push(_(l)) %><%= l %> <%= _.findLast([1, 2, 3], n => n < 3) %>":                                                                                                                                                                                                 "1, 2",
		"<%= [1, 2].findLast(n => n > 0) %><%= [1].findLastIndex(n => n > 1) %> <%= [3, 1].toSorted() %> <%= [1, 2].toReversed() %> <%= /b(.)/.exec('abc')[1] %> <%= [...'a1b2'.matchAll(/[a-z](\\d)/g)].map(m => m[1]) %>":                                                                  "2-1 1,3 2,1 c 1,2",
		"<%= (1234567.5).toLocaleString() %> <%= (-0.0001).toLocaleString() %> <%= (-1000).toLocaleString() %> <%= NaN.toLocaleString() %> <%= Object.hasOwn({ a: 1 }, 'a') %>":                                                                                                              "1,234,567.5 0 -1,000 NaN true",
		"<% const t = new Date('2025/11/28 14:05'); t.setDate(t.getDate() + 3) %><%= [t.getFullYear(), t.getMonth(), t.getDate(), t.getDay(), t.getHours(), t.getMinutes()] %> <%= JSON.stringify({ t }) %>":                                                                                 `2025,11,1,1,14,5 {"t":"2025-12-01T14:05:00.000Z"}`,
		"<%= (new Date('2025-12-01') - new Date(2025, 10, 28)) / 864e5 %> <%= new Date('2025-12-01') > new Date('2025-11-28') %> <%= new Date('2025-11-28T14:05:00.5-03:30').toISOString() %> <%= new Date('soon') %> <%= new Date(9e15).getDay() %>":                                        "3 true 2025-11-28T17:35:00.500Z Invalid Date NaN",
		"<% let a = 1, b = 2, l = [1, 2, 3]; [a, b] = [b, a]; [l[0], ...l[9]] = [7, 8]; ({ x: a = 5, ...b } = { y: 6 }) %><%= a %> <%= b.y %> <%= l[0] %> <%= l[9] %>":                                                                                                                       "5 6 7 8",
		"<% const r = /(\\d)/g; let m, s = ''; while ((m = r.exec('1a2')) !== null) s += m[1] + '@' + m.index %><%= s %> <%= '3年'.match(/(?<y>\\d)年/).groups.y %> <%= new Array(2).fill(0) %>":                                                                                               "1@02@2 3 0,0",
		"<% const d = new Date('2025-09-06 08:05'), zh = o => d.toLocaleDateString('zh-CN', o) %><%= zh({ weekday: 'long' }) %> <%= zh() %> <%= zh({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' }) %> <%= zh({ month: '2-digit', day: '2-digit' }) %>":                 "星期六 2025/9/6 2025年9月6日周六 09/06",
		"<% const d = new Date('2025-09-06 18:05') %><%= d.toLocaleString() %> <%= d.toLocaleTimeString('zh-CN', { hour: '2-digit', minute: '2-digit' }) %> <%= d.toLocaleTimeString([], { hour: 'numeric', minute: 'numeric', hour12: true }) %> <%= new Date('x').toLocaleDateString() %>": "2025/9/6 18:05:00 18:05 下午6:05 Invalid Date",
		"<%= new Date('2025-09-06').toLocaleDateString('en-US', { weekday: 'long' }) %>":                                                                                                                                                                                                     "! thrown",
		"<% [1] = [2] %>":                    "! syntax",
		"<%= Array(NaN) %>":                  "! range",
		"<%= Array(1e9) %>":                  "! limit memory",
		"<%= new Date() %>":                  "! refused new",
		"<%= Date.now() %>":                  "! refused Date",
		"<%= _.set({}, '__proto__.x', 1) %>": "! refused __proto__",
		"<% const a = []; a.push(a); _.isEqual(a, [[a]]) ; _.cloneDeep(a) %>": "! limit nesting",
		"<%= _.range(1e9) %>": "! limit memory",
	} {
		if got := run(t, template.NewBuild(template.Env{}), text); got != want {
			t.Errorf("%s\n\tprinted %q, want %q", text, got, want)
		}
	}
}

// TestMatchMessages: the function looks in the last two messages, or where its options say.
func TestMatchMessages(t *testing.T) {
	t.Parallel()
	chat := macro.Messages{{Role: "assistant", Text: "The sea."}, {Role: "user", Text: "To the hill."}, {Role: "assistant", Text: "It rains."}}
	for text, want := range map[string]string{
		"matchChatMessages('hill')":                           "true",
		"matchChatMessages('sea')":                            "false",
		"matchChatMessages('sea', { start: 0 })":              "true",
		"matchChatMessages(['sea', /RAIN/i])":                 "true",
		"matchChatMessages(['hill', 'sea'], { and: true })":   "false",
		"matchChatMessages(['hill', 'rain'], { and: true })":  "true",
		"matchChatMessages('hill', { role: 'assistant' })":    "false",
		"matchChatMessages('rain', { start: 0, end: 2 })":     "false",
		"matchChatMessages('hill', { start: -9, end: null })": "true",
	} {
		if got := run(t, template.NewBuild(template.Env{Chat: chat}), "<%= "+text+" %>"); got != want {
			t.Errorf("%s gives %s", text, got)
		}
	}
}

// TestVetKnowsTheWorldOfACard: getwi may name the book of the card as its extension world does.
func TestVetKnowsTheWorldOfACard(t *testing.T) {
	t.Parallel()
	env := template.Env{Books: []worldbook.Book{{Name: "book", Entries: []worldbook.Entry{{UID: "1", Comment: "cellar"}}}}}
	piece := template.Piece{Text: "<%- getwi('The Mill', 'cellar') %>", Path: "card.description"}
	if got := template.Vet(env, piece); len(got.Of("unknown_entry")) != 1 {
		t.Errorf("without the card: %v", got)
	}
	env.Cards = []card.Card{{Name: "Orin", Extensions: map[string]json.RawMessage{"world": json.RawMessage(`"The Mill"`)}}}
	if got := template.Vet(env, piece); len(got) > 0 {
		t.Errorf("with the card: %v", got)
	}
}

// TestVetKnowsNames: a name that a text reads and no text makes is reported once.
func TestVetKnowsNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<%= YAML.stringify(getvar('a')) %><%= YAML %>":                                               `"YAML"`,
		"<% const a = 1; let b; function c(d, { e = 1 }, ...f) { return g } %><%= a + b + c() %>":     `"g"`,
		"<% for (const [k, v] of Object.entries(variables)) print(k, v, userName, undefined, NaN) %>": "",
		"<% h = 1; i++ %><%= h + i + j %><% try { k() } catch (e) { print(e) } %><%= { l } %>":        `"j"|"l"`,
		"<%= typeof m === 'function' ? m() : '' %><%- getwi(null, 'tail', { n: 1 }) %>":               "",
		"<%= ['a'].map(o => o + p).join() %>":                                                         `"p"`,
		"<% define(userName, 1) %><%= q %>":                                                           "",
	} {
		tail := worldbook.Entry{UID: "1", Comment: "tail", Disable: true, Content: "<% define('r', 1) %><%= n %>"}
		first := worldbook.Entry{UID: "2", Comment: "first", Content: text + "<%= r %>"}
		if !strings.Contains(text, "n: 1") {
			tail.Content = "<% define('r', 1) %>"
		}
		var got []string
		for _, p := range template.Vet(template.Env{Books: []worldbook.Book{{Name: "book", Entries: []worldbook.Entry{first, tail}}}}) {
			_, name, _ := strings.Cut(p.Text, "the name ")
			name, _, _ = strings.Cut(name, ",")
			got = append(got, name)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %s", text, got, want)
		}
	}
}

// TestVetReadsTests: an entry with a test that cannot be read always takes part, which is reported.
func TestVetReadsTests(t *testing.T) {
	t.Parallel()
	for test, want := range map[string]int{"getvar('a') > 1": 0, "getvar('a'": 1, "": 1, "fetch('a')": 1} {
		env := template.Env{Books: []worldbook.Book{{Name: "book", Entries: []worldbook.Entry{{UID: "1", Content: "@@if " + test + "\nText."}}}}}
		if got := template.Vet(env).Of("template_bad"); len(got) != want {
			t.Errorf("%q: %v", test, got)
		}
	}
}

// TestPreview: a preview writes nothing and uses the limits of a build only once for all previews.
func TestPreview(t *testing.T) {
	t.Parallel()
	b := template.NewBuild(template.Env{MaxSteps: 2000, Random: func() float64 { return 0.5 }})
	b.Unit(template.Piece{Text: "<% define('f', x => x + 1); setvar('n', 1) %>"})
	preview := func(text string) (string, bool) {
		return b.Preview(template.Piece{Text: text}, func() float64 { return 0.25 })
	}
	if out, ok := preview("<% setvar('n', 7); define('f', 1); activewi('x') %><%= f(getvar('n')) %> <%= Math.random() %> <%= isDryRun %>"); ok {
		t.Errorf("a number was called: %q", out)
	}
	if out, ok := preview("<%= f(getvar('n')) %> <%= Math.random() %> <%= isDryRun %>"); !ok || out != "2 0.25 true" {
		t.Errorf("preview: %q, %v", out, ok)
	}
	n := 0
	for ; n < 100; n++ {
		if _, ok := preview("<% for (let i = 0; i < 100; i++) {} %>"); !ok {
			break
		}
	}
	if n == 0 || n > 30 {
		t.Errorf("%d previews ran", n)
	}
	if out := b.Unit(template.Piece{Text: "<%= f(getvar('n')) %> <%= Math.random() %>"}); out[0] != "2 0.5" || len(b.Writes()) != 1 || len(b.Problems()) > 0 {
		t.Errorf("after the previews: %q, %v, %v", out, b.Writes(), b.Problems())
	}
}

// TestEarlyActivation: with the option a constant entry activates an entry before the scan, and is no
// problem.
func TestEarlyActivation(t *testing.T) {
	t.Parallel()
	for _, early := range []bool{false, true} {
		env := template.Env{EarlyActivation: early, Books: []worldbook.Book{{Name: "b", Entries: []worldbook.Entry{
			{UID: "1", Constant: true, Content: "<% activewi('Cellar', true); setvar('n', 1) %>"},
			{UID: "2", Comment: "Cellar", Disable: true, Content: "Wine."},
			{UID: "3", Keys: []string{"x"}, Content: "<% activewi('Cellar') %>"}}}}}
		b := template.NewBuild(env)
		changed, _ := b.Lore()
		problems := template.Vet(env)
		if (len(changed) == 1) != early || early && !changed[0].Entries[0].Constant || len(b.Writes()) > 0 || len(problems) != map[bool]int{false: 2, true: 1}[early] {
			t.Errorf("%v: changed %v, writes %v, %v", early, changed, b.Writes(), problems)
		}
	}
}
