package mvu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// TestReadZod parses values with schemas, and lists the parts that are not read. Package
// campaign/imports runs the recorded cases.
func TestReadZod(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, schema, value, want, unread string }{
		{"unknown members", "z.object({o: z.object({a: z.number()}), p: z.object({}).strict().loose()})", `{"o":{"a":1,"b":2},"p":{"x":1},"q":3}`, `{"o":{"a":1},"p":{"x":1},"q":3}`, ""},
		{"a strict root is loose", "z.strictObject({a: z.number()}).catchall(z.string())", `{"a":1,"b":2}`, `{"a":1,"b":2}`, ""},
		{"pick, omit, partial, required, merge", "z.object({a: A.pick({x: true}), b: A.omit({x: true}), c: A.partial({y: true}), d: A.partial().required(), e: A.merge(z.object({y: z.string()}))}); const A = z.object({x: z.number(), y: z.number()})",
			`{"a":{"x":1,"y":2},"b":{"x":1,"y":2},"c":{"x":1},"d":{"x":1,"y":1},"e":{"x":1,"y":"z"}}`, `{"a":{"x":1},"b":{"y":2},"c":{"x":1},"d":{"x":1,"y":1},"e":{"x":1,"y":"z"}}`, ""},
		{"required", "z.object({d: z.object({x: z.number()}).partial().required()})", `{"d":{}}`, "error d.x", ""},
		{"a tuple and its rest", "z.object({t: z.tuple([z.string(), z.number()]), r: z.tuple([z.string()], z.number())})", `{"t":["a",1],"r":["a",1,2]}`, `{"t":["a",1],"r":["a",1,2]}`, ""},
		{"the rest of a tuple as a method", "z.object({t: z.tuple([z.string()]).rest(z.number())})", `{"t":["a",1,2]}`, `{"t":["a",1,2]}`, ""},
		{"a wrong rest of a tuple", "z.object({t: z.tuple([z.string()]).rest(z.number())})", `{"t":["a",1,"b"]}`, "error t.2", ""},
		{"a list has no rest", "z.object({t: z.array(z.string()).rest(z.number())})", `{"t":["a"]}`, `{"t":["a"]}`, "t"},
		{"values of an enum that stay", "z.object({m: E.exclude(['a']), n: E.extract(N), o: E}); const E = z.enum(['a', 'b', 'c']); const N = ['a']", `{"m":"b","n":"a","o":"a"}`, `{"m":"b","n":"a","o":"a"}`, ""},
		{"an excluded value", "z.object({m: z.enum(['a', 'b', 'c']).exclude(['a', 'b']).exclude([])})", `{"m":"b"}`, "error m", ""},
		{"a value that is not extracted", "z.object({m: z.enum(['a', 'b']).extract(['a'])})", `{"m":"b"}`, "error m", ""},
		{"an enum object is chosen by names", "z.object({m: z.enum({A: 'x', B: 'y'}).exclude(['A'])})", `{"m":"x"}`, "error m", ""},
		{"the other names of an enum object", "z.object({m: z.enum({A: 'x', B: 'y'}).exclude(['A'])})", `{"m":"y"}`, `{"m":"y"}`, ""},
		{"computed values of an enum", "z.object({m: z.enum(['a', 'b']).exclude(pick())})", `{"m":"a"}`, `{"m":"a"}`, "m"},
		{"a literal has no values to exclude", "z.object({m: z.literal(['a', 'b']).exclude(['a'])})", `{"m":"a"}`, `{"m":"a"}`, "m"},
		{"a short tuple", "z.object({t: z.tuple([z.string(), z.number()])})", `{"t":["a"]}`, "error t", ""},
		{"a discriminated union", "z.object({u: z.discriminatedUnion('k', [z.object({k: z.literal('a'), n: z.number()}), z.object({k: z.literal('b')})])})", `{"u":{"k":"b","n":1}}`, `{"u":{"k":"b"}}`, ""},
		{"values of an enum object", "z.object({m: z.nativeEnum(E)}); const E = {A: 'x', B: 'y'} as const", `{"m":"y"}`, `{"m":"y"}`, ""},
		{"an enum of TypeScript", "z.object({m: z.nativeEnum(Sky), n: z.enum(Sky).default(Sky.Rain)}); export enum Sky { Sun = 'sun', 'Rain' = \"rain\", /* the last */ }", `{"m":"sun"}`, `{"m":"sun","n":"rain"}`, ""},
		{"another value than those of an enum", "z.object({m: z.nativeEnum(Sky)}); enum Sky { Sun = 'sun', Rain = 'rain' }", `{"m":"Sun"}`, "error m", ""},
		{"numbers of an enum", "z.object({m: z.array(z.nativeEnum(N)), k: z.literal(N.D)}); export const enum N { A, B = -5, C, D = 0.5 }", `{"m":[0,-5,-4,0.5],"k":0.5}`, `{"m":[0,-5,-4,0.5],"k":0.5}`, ""},
		{"an enum that the script computes", "z.object({m: z.nativeEnum(N)}); enum N { A = 1 << 2, B = 'b', C }", `{"m":1}`, `{"m":1}`, "m"},
		{"an enum and its function", "z.object({m: z.preprocess(v => v === Sky.Sun ? 'x' : v, z.string())}); enum Sky { Sun = 'sun' }", `{"m":"sun"}`, `{"m":"sun"}`, "m"},
		{"a spread list", "z.object({m: z.enum([...L, 'c'])}); const L = ['a', 'b']", `{"m":"b"}`, `{"m":"b"}`, ""},
		{"functions without values", "z.object({a: z.array(z.string()).default(() => []), b: z.object({}).prefault(() => ({})), c: z.string().catch(() => { return 'x'; })})", `{"c":1}`, `{"c":"x","a":[],"b":{}}`, ""},
		{"bounds of texts count units", "z.object({t: z.string().min(2).max(2)})", `{"t":"😀"}`, `{"t":"😀"}`, ""},
		{"a multiple of a fraction", "z.object({n: z.number().multipleOf(0.1)})", `{"n":0.3}`, `{"n":0.3}`, ""},
		{"a text that is long", "z.object({n: z.string().length(2)})", `{"n":"abc"}`, "error n", ""},
		{"keys of a record that are numbers", "z.object({r: z.record(z.coerce.number().int(), z.string())})", `{"r":{"1":"a"}}`, `{"r":{"1":"a"}}`, ""},
		{"coerced values", "z.object({a: z.coerce.string(), b: z.coerce.string(), c: z.coerce.boolean()})", `{"a":[1,null,"x"],"b":null,"c":null}`, `{"a":"1,,x","b":"null","c":false}`, ""},
		{"any takes undefined, but not a missing member", "z.object({a: z.any()})", `{}`, "error a", ""},
		{"nor does a coercion", "z.object({a: z.coerce.string()})", `{}`, "error a", ""},
		{"both sides of an intersection are needed", "z.object({a: z.string().optional().and(z.any().optional())})", `{}`, "error a", ""},
		{"only a default is put into an optional member", "z.object({a: z.string().catch('c').optional(), b: z.number().prefault(1).optional(), c: z.string().catch('c')})", `{}`, `{"b":1,"c":"c"}`, ""},
		{"a union with a default", "z.object({a: z.union([z.number().default(2), z.any()])})", `{}`, `{"a":2}`, ""},
		{"a safe number is whole", "z.object({a: z.number().safe().catch(0)})", `{"a":2.5}`, `{"a":0}`, ""},
		{"a helper, and what follows it", "z.object({a: hp(5).prefault(3), b: z.string().email().optional(), c: z.lazy(() => X)})", `{}`, `{"a":3}`, "a b c"},
		{"a function needs an interpreter", "z.object({a: z.number().transform(v => v + 1).min(5)})", `{"a":1}`, `{"a":1}`, "a"},
		{"a preprocess that is not read", "z.object({a: z.preprocess(fix, z.number())})", `{}`, `{}`, "a"},
		{"places of the list and of the record", "z.object({l: z.array(z.date()), r: z.record(z.string(), z.map())})", `{"l":[1],"r":{"x":2}}`, `{"l":[1],"r":{"x":2}}`, "l.* r.*"},
		{"a computed name keeps members", "z.object({o: z.object({[k]: z.number(), a: z.number()})})", `{"o":{"a":1,"b":2}}`, `{"o":{"a":1,"b":2}}`, "o.[computed]"},
		{"functions that make schemas", "z.object({a: bounded(1, 3).prefault(2), b: text(), c: text('y'), d: named('z')}); const bounded = (low, high = 9) => z.number().min(low).max(high); const text = (v = 'x') => z.string().prefault(v); function named(v) { return z.literal(v).prefault(v) }",
			`{"a":1}`, `{"a":1,"b":"x","c":"y","d":"z"}`, ""},
		{"a spread shape", "z.object({...Base.shape, ...more, c: z.number()}); const Base = z.object({a: z.number().prefault(1)}); const more = {b: z.string()}", `{"b":"x","c":1}`, `{"b":"x","c":1,"a":1}`, ""},
		{"a function that calls itself", "z.object({a: f(1)}); const f = v => f(v)", `{"a":1}`, `{"a":1}`, "a"},
		{"a schema that contains itself", "T; const T = z.object({n: z.string(), get c() { return z.array(T).optional(); }, d: z.lazy(() => T).optional()})", `{"n":"a","c":[{"n":"b","d":{"n":"c","x":1}}]}`, `{"n":"a","c":[{"n":"b","d":{"n":"c"}}]}`, ""},
		{"a shape made of a list", "z.object(Object.fromEntries(names.map(k => [k, num(9)]))); const names = ['a', 'b']; const num = (max = 5) => z.number().max(max).prefault(1)", `{"a":2}`, `{"a":2,"b":1}`, ""},
		{"a shape made step by step", "z.object(names.reduce((all, k) => ({...all, [k]: z.number().prefault(1)}), {c: z.number().prefault(2)})); const names = ['a', 'b']", `{}`, `{"c":2,"a":1,"b":1}`, ""},
		{"a shape made of an object", "z.object({..._.mapValues(texts, (d, k) => z.string().prefault(d)), ...more('c')}); const texts = {a: 'x', b: 'y'}; const more = k => ({[k]: z.number().prefault(3)})", `{"b":"z"}`, `{"b":"z","a":"x","c":3}`, ""},
		{"members of constants", "z.object({a: z.number().max(LIMITS.hp).catch(1), b: S.name, c: S.all.shape.x}); const LIMITS = {hp: 5}; const S = {name: z.string().prefault('n'), all: z.object({x: z.number().prefault(2)})}", `{"a":9}`, `{"a":1,"b":"n","c":2}`, ""},
		{"parameters taken apart", "z.object(Object.fromEntries([['a', 1], ['b', 2]].map(([k, d]) => [k, make({d})]))); const make = ({d}) => z.number().prefault(d)", `{}`, `{"a":1,"b":2}`, ""},
		{"a method of an object", "z.object({a: H.text('x'), b: H.text()}); const H = {text(d = 'y') { return z.string().prefault(d) }}", `{}`, `{"a":"x","b":"y"}`, ""},
		{"constants of functions", "z.object({a: f(1), b: g()}); const f = d => { const base = z.number(); return base.prefault(d) }; const g = () => { const base = z.string(); return base.prefault('s') }", `{}`, `{"a":1,"b":"s"}`, ""},
		{"a function that decides", "z.object({a: f(5).catch(0)}); const f = max => { if (max < 3) return z.string(); return z.number().max(max) }", `{"a":9}`, `{"a":9}`, "a"},
		{"a generic helper", "z.object({a: list(z.number()), b: z.record<string, number>(z.string(), z.number())}); const list = <T extends z.ZodTypeAny>(s: T) => z.array(s)", `{"a":["x"],"b":{}}`, "error a.0", ""},
		{"a function that gives the schema", "() => z.object({a: z.number().prefault(1)})", `{}`, `{"a":1}`, ""},
		{"a function with a body", "() => { const x = 1; return z.object({a: z.number().prefault(1)}); }", `{}`, `{"a":1}`, ""},
	} {
		call, rest, _ := strings.Cut(c.schema, "; const ")
		schema, problems := mvu.ReadZod("registerMvuSchema("+call+");\nconst "+rest, nil)
		var unread []string
		for _, p := range problems {
			unread = append(unread, p.Path)
		}
		if schema == nil || strings.Join(unread, " ") != c.unread {
			t.Errorf("%s: %v, %v", c.reason, schema, problems)
			continue
		}
		v, err := tree.ParseValue([]byte(c.value))
		if err != nil {
			t.Fatal(err)
		}
		out, err := schema.Parse(v)
		got := out.String()
		if err != nil {
			place, _, _ := strings.Cut(err.Error(), ":")
			got = "error " + place
		}
		if got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.reason, got, err, c.want)
		}
	}
}

// TestFunctionsOfASchema: a function gets the literal constants that it names. A function that uses
// anything else outside of itself, chance or a function of the program is not read.
func TestFunctionsOfASchema(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"v => _.clamp(v, LOW, 9)":                                   "const LOW = 1;\n",
		"v => ({ LOW: v, b: v ? v : LOW })":                         "const LOW = 1;\n",
		"(v) => { const { a, b: c } = v; let d = a; return c + d }": "",
		"Math.floor":                 "",
		"v => `${v}/${LOW}`":         "refused",
		"v => Math.random()":         "refused",
		"v => _.sample(v)":           "refused",
		"v => helper(v)":             "refused",
		"v => getvar('x')":           "refused",
		"helper":                     "refused",
		"function (v) { return v; }": "",
		"v => twice(v) + LOW":        "const once = v => v;\nconst twice = function twice(v) { return once(v) * 2; };\nconst LOW = 1;\n",
		"twice":                      "const once = v => v;\n",
		"within(LOW, -2)":            "const within = (lo, hi) => v => v > hi ? hi : lo;\nconst LOW = 1;\n",
		"v => _.clamp(v, 0, MOST)":   "const MOST = Infinity;\n",
		"v => LIST[v]":               "const LOW = 1;\nconst LIST = Object.keys({ a: LOW });\n",
		"v => v === Sky.Sun":         "const Sky = {\"Sun\":\"sun\",\"Rain\":1.5};\n",
		"within(make(), 2)":          "refused",
		"make(1)":                    "refused",
	} {
		got := "refused"
		_, problems := mvu.ReadZod("const LOW = 1; enum Sky { Sun = 'sun', Rain = 1.5 } const MOST = Infinity; const LIST = Object.keys({ a: LOW }); const helper = make(); const once = v => v; const within = (lo, hi) => v => v > hi ? hi : lo; function twice(v) { return once(v) * 2; } registerMvuSchema(z.object({a: z.any().transform("+source+")}))",
			func(constants, _ string) (func(tree.Value) (tree.Value, error), error) {
				got = constants
				return func(v tree.Value) (tree.Value, error) { return v, nil }, nil
			})
		if got != want || (len(problems) > 0) != (want == "refused") {
			t.Errorf("%s: %q, want %q, %v", source, got, want, problems)
		}
	}
	failing := func(string, string) (func(tree.Value) (tree.Value, error), error) {
		return func(v tree.Value) (tree.Value, error) { return v, errors.New("no such member") }, nil
	}
	schema, _ := mvu.ReadZod("registerMvuSchema(z.object({a: z.number().transform(v => v.b.c)}))", failing)
	if _, err := schema.Parse(tree.Object(tree.Member{Key: "a", Value: tree.Int(1)})); err == nil || !strings.Contains(err.Error(), "a: ") {
		t.Error(err)
	}
}

// FuzzReadZod: no script makes the reader panic. A result of the schema fits the schema again or is
// refused.
func FuzzReadZod(f *testing.F) {
	f.Add("const A = z.object({x: z.number().min(1)}); registerMvuSchema(z.object({a: A.partial(), b: z.enum(['x']).catch('x')}))", `{"a":{"x":2},"b":1}`)
	f.Add("registerMvuSchema(() => z.object({[k]: 1, ...s, m() {}, r: z.record(z.string(), z.union([z.literal(/x/), `a${b}`]))}))", `{}`)
	f.Fuzz(func(t *testing.T, script, value string) {
		schema, _ := mvu.ReadZod(script, func(string, string) (func(tree.Value) (tree.Value, error), error) {
			return func(v tree.Value) (tree.Value, error) { return v, nil }, nil
		})
		if v, err := tree.ParseValue([]byte(value)); err == nil && schema != nil {
			_, _ = schema.Parse(v)
		}
	})
}

// TestRefusalsAreShort: a refusal quotes a small value, and counts the parts of a large one.
func TestRefusalsAreShort(t *testing.T) {
	t.Parallel()
	schema, _ := mvu.ReadZod("registerMvuSchema(z.object({a: z.string()}))", nil)
	for value, want := range map[string]string{
		"[1,2]":                                "a: expected string, found [1,2]",
		"[0" + strings.Repeat(",1", 999) + "]": "a: expected string, found a list of 1000 elements",
		`{"b":[0` + strings.Repeat(",1", 999) + "]}":     "a: expected string, found an object of 1 members",
		"[\"" + strings.Repeat("long ", 100_000) + "\"]": "a: expected string, found [\"" + strings.Repeat("long ", 11) + "lon…",
	} {
		v, err := tree.ParseValue([]byte(`{"a":` + value + "}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := schema.Parse(v); err == nil || err.Error() != want {
			t.Errorf("%.20s: %v, want %s", value, err, want)
		}
	}
}

// TestPatchBelowMissingMembers: with a schema, an operation creates the object or the list around a
// new value where it is missing or null.
func TestPatchBelowMissingMembers(t *testing.T) {
	t.Parallel()
	schema, problems := mvu.ReadZod("registerMvuSchema(z.object({foes: z.record(z.string(), z.number()).optional(), log: z.array(z.string()).optional(), bag: z.record(z.string(), z.number()).nullable()}))", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	v, err := mvu.New(tree.Object(tree.Member{Key: "bag", Value: tree.Null}), mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, res := mvu.Update(v, `<JSONPatch>[{"op":"add","path":"/foes/wolf","value":1},{"op":"insert","path":"/log/-","value":"a"},{"op":"insert","path":"/bag/tea","value":2}]</JSONPatch>`, mvu.Options{Schema: schema})
	if got, want := v.Stat.String(), `{"bag":{"tea":2},"foes":{"wolf":1},"log":["a"]}`; got != want || len(res.Failures) > 0 {
		t.Errorf("%s, want %s: %v", got, want, res.Failures)
	}
}

// TestZodGrowth: the work of reading is in proportion to the script.
func TestZodGrowth(t *testing.T) {
	var atoms []testkit.Atom
	for _, piece := range []string{"registerMvuSchema(", "const a = ", "(", "{", "`${", "/*", "v => v, ", ".optional()", "z.enum(['a', 'b']), ",
		"(a): b<", "(a: b<c", "() => ", "const a: () => ", "(a: (b) => c): d => ", "a as b<"} {
		atoms = append(atoms, testkit.Atom{Head: "registerMvuSchema(z.object({a: ", Open: piece, Tail: "}))"})
	}
	atoms = append(atoms, testkit.Nest("registerMvuSchema(", "z.object({})", ")"), testkit.Nest("z.array(", "x", ")"))
	testkit.Growth(t, testkit.Reader{Name: "ReadZod", Atoms: atoms, Read: func(text string) { mvu.ReadZod("registerMvuSchema "+text, nil) }})
}

// TestChangesAfterTheSchema: each command has one change for a path, with the value after the
// schema (SC-06). The result of a patch lists its operations without an effect, and the author gets
// this list.
func TestChangesAfterTheSchema(t *testing.T) {
	t.Parallel()
	schema, problems := mvu.ReadZod("registerMvuSchema(z.object({hp: z.coerce.number().catch(7), bag: z.record(z.string(), z.object({n: z.coerce.number().prefault(1)})), sky: z.enum(['sun', 'rain'])}))", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	system, odd := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{Schema: schema})}})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	root, err := tree.ParseValue([]byte(`{"stat_data":{"hp":5,"bag":{},"sky":"sun"}}`))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := tree.NewDocument(root)
	if err != nil {
		t.Fatal(err)
	}
	_, result := system.Apply(doc, `_.set('hp', 'x'); <JSONPatch>[{"op":"insert","path":"/bag/rope","value":{}},{"op":"replace","path":"/sky","value":"frogs"}]</JSONPatch>`, memvars.AI)
	var changes []string
	for _, c := range result.Changes {
		changes = append(changes, c.Path.String()+": "+c.New.String())
	}
	if got, want := strings.Join(changes, ", "), `stat_data.hp: 7, stat_data.bag.rope: {"n":1}`; got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
	told := system.Feedback(result.Calls)
	if len(told) != 1 || told[0].Status != memvars.Applied || !strings.Contains(told[0].Hint, `/sky: sky: expected one of ["sun","rain"], found "frogs"`) {
		t.Errorf("feedback %v", told)
	}
}

// countedSchema reads a schema with one function for many members, which adds 1 and fails for 13.
func countedSchema(t *testing.T) (schema *mvu.Schema, calls *int) {
	t.Helper()
	calls = new(int)
	schema, problems := mvu.ReadZod("registerMvuSchema(z.object({all: z.record(z.string(), z.number().transform(v => v + 1))}))",
		func(_, _ string) (func(tree.Value) (tree.Value, error), error) {
			return func(v tree.Value) (tree.Value, error) {
				*calls++
				f, _ := v.AsFloat()
				if f == 13 {
					return v, errors.New("thirteen")
				}
				return tree.Int(int64(f) + 1), nil
			}, nil
		})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return schema, calls
}

// TestSchemaCostsWhatChanges: a function of a schema runs again only for other values than before,
// although all data are parsed after each command.
func TestSchemaCostsWhatChanges(t *testing.T) {
	t.Parallel()
	schema, calls := countedSchema(t)
	var members []tree.Member
	for i := range int64(100) {
		members = append(members, tree.Member{Key: strconv.FormatInt(i, 10), Value: tree.Int(20 + i%50)})
	}
	data := tree.Object(tree.Member{Key: "all", Value: tree.Object(members...)})
	for range 50 {
		if _, err := schema.Parse(data); err != nil {
			t.Fatal(err)
		}
	}
	if *calls != 50 {
		t.Errorf("the function ran %d times for 50 values", *calls)
	}
}

// TestRememberedResultsAreExact: with more values than the cache keeps, in any order, each result
// is the result of the function. A failure stays a failure.
func TestRememberedResultsAreExact(t *testing.T) {
	t.Parallel()
	schema, _ := countedSchema(t)
	draw := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		n := draw.Int64N(1500)
		out, err := schema.Parse(tree.Object(tree.Member{Key: "all", Value: tree.Object(tree.Member{Key: "a", Value: tree.Int(n)})}))
		switch {
		case n == 13 && err == nil:
			t.Fatal("13 fits")
		case n != 13 && (err != nil || out.Get("all").Get("a") != tree.Int(n+1)):
			t.Fatalf("%d gives %v, %v", n, out, err)
		}
	}
}

// TestHostileSchemas: schemas that contain themselves are read up to a limit, except in z.lazy and getters.
// The members that defaults and records multiply are bounded in each Parse.
func TestHostileSchemas(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 600 {
		names = append(names, "'"+strconv.Itoa(i)+"x'")
	}
	var doubled strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubled, "const L%d = [...L%d, ...L%[2]d]; ", i+1, i)
	}
	keys := "const K = z.enum([" + strings.Join(names, ",") + "]); "
	for name, c := range map[string]struct {
		script, unread string
		fails          bool
	}{
		"lazy":               {"const A = z.object({a: z.lazy(() => A).prefault({})}); registerMvuSchema(A)", "", true},
		"itself":             {"const A = z.object({a: A.prefault({})}); registerMvuSchema(A)", "a.", false},
		"each other":         {"const A = z.object({b: B.prefault({})}); const B = z.object({a: A.prefault({})}); registerMvuSchema(A)", "b.", false},
		"a getter":           {"const A = z.object({get a() { return A.prefault({}) }}); registerMvuSchema(A)", "", true},
		"a function":         {"const f = n => z.object({a: f(n).prefault({})}); registerMvuSchema(f(1))", "a.", false},
		"records in records": {keys + "registerMvuSchema(z.object({a: z.record(K, z.record(K, z.record(K, z.number().prefault(1)).prefault({})).prefault({})).prefault({})}))", "", true},
		"lists in lists":     {"registerMvuSchema(z.object({a: z.union(L60)})); const L0 = [z.any()]; " + doubled.String(), "a", false},
		"defaults":           {keys + "registerMvuSchema(z.object({a: z.record(K, z.record(K, z.any().default([1,2,3,4,5,6,7,8,9])).prefault({})).prefault({})}))", "", true},
		"a catch hides none": {keys + "registerMvuSchema(z.object({a: z.record(K, z.record(K, z.record(K, z.number().prefault(1)).prefault({})).prefault({})).prefault({}).catch({})}))", "", true},
	} {
		schema, problems := mvu.ReadZod(c.script, nil)
		if schema == nil || (len(problems) > 0) != (c.unread != "") || len(problems) > 0 && !strings.HasPrefix(problems[0].Path, c.unread) {
			t.Errorf("%s: %v, %v", name, schema, problems)
			continue
		}
		if _, err := schema.Parse(tree.Object()); (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}
