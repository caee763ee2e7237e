package mvu_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// TestDefaults has the cases in which the default mode differs from MVU, each with its reason.
func TestDefaults(t *testing.T) {
	t.Parallel()
	const open = `{"$meta":{"recursiveExtensible":true},"数":5,"金":[10,"金币"],"名":"阿七","物":{"列":[1,2,3]},"列":["a","b","c"]}`
	for _, c := range []struct{ reason, doc, text, path, want string }{
		{"a text that is no number is refused", open, `_.set('数', '很多')`, "数", "5 type_mismatch"},
		{"an empty text is not zero", open, `_.set('金', '')`, "金", `[10,"金币"] type_mismatch`},
		{"booleans are not coerced", open, `_.set('金', true)`, "金", `[true,"金币"]`},
		{"unquoted dates are texts", open, `_.set('名', 2024-01-02)`, "名", `"2024-01-02"`},
		{"with the year at the end too", open, `_.set('名', 15/03/2024)`, "名", `"15/03/2024"`},
		{"and without one, where a zero says that it is no sum", open, `_.set('名', 03-15)`, "名", `"03-15"`},
		{"a difference is none", open, `_.set('数', 30-15-4)`, "数", `11`},
		{"nor is a quotient", open, `_.set('数', 12/3)`, "数", `4`},
		{"unquoted times are texts", open, `_.set('名', 09:15)`, "名", `"09:15"`},
		{"constants need a prefix", open, `_.set('名', e); `, "名", `"e"`},
		{"constants with one", open, `_.set('数', round(Math.PI * 100) / 100)`, "数", `3.14`},
		{"a percentage is a text", open, `_.set('名', 10%)`, "名", `"10%"`},
		{"integers are exact", open, `_.add('数', 12345678901234567890)`, "数", `12345678901234567895`},
		{"decimals are exact", open, `_.set('数', 0.1); _.add('数', 0.2)`, "数", `0.3`},
		{"full-width marks", open, `_.set（'数'，6）；`, "数", `6`},
		{"forgotten escapes", open, `_.set('名', 'It's "me", really')`, "名", `"It's \"me\", really"`},
		{"a comment of HTML hides calls", open, "<!-- _.set('数', 6); -->", "数", `5`},
		{"but not around a block", open, "<!--\n<updatevariable>_.set('数', 6);</updatevariable> -->", "数", `6`},
		{"nor within one", open, "<UpdateVariable><!--\n_.set('数', 6); --></UpdateVariable>\n<!-- _.set('数', 7); -->", "数", `6`},
		{"comments are not executed", open, "- // _.set('数', 6);\n/* _.set('数', 7); */", "数", `5`},
		{"lists replace lists in a merge", open, `_.insert('物', {"列": [9]})`, "物", `{"列":[9]}`},
		{"a missing target below an open parent is made", open, `_.insert('物.新', '甲', 1)`, "物", `{"列":[1,2,3],"新":{"甲":1}}`},
		{"a pair is no list", open, `_.insert('金', 99)`, "金", `[10,"金币"] pair_shape`},
		{"nor does it lose its description", open, `_.set('金[1]', 99)`, "金", `[10,"金币"] pair_shape`},
		{"two texts in an open list are no pair", `{"物":["剑","盾","$__META_EXTENSIBLE__$"]}`, `_.insert('物', '药'); _.remove('物', '剑')`, "物", `["盾","药"]`},
		{"the last two can be taken", `{"物":["剑","盾","$__META_EXTENSIBLE__$"]}`, `_.remove('物', '剑'); _.delete('物[0]')`, "物", `[]`},
		{"nor is the list that replaces them a value", `{"物":["剑","盾","$__META_EXTENSIBLE__$"]}`, `_.set('物', ['药'])`, "物", `["药"]`},
		{"two texts below an open object grow", `{"$meta":{"recursiveExtensible":true},"物":["剑","盾"]}`, `_.insert('物', '药')`, "物", `["剑","盾","药"]`},
		{"two texts in a closed list are a pair", `{"想":["饿","心声"]}`, `_.insert('想', '药')`, "想", `["饿","心声"] pair_shape`},
		{"extensible: false stops the recursion", `{"$meta":{"recursiveExtensible":true},"锁":{"$meta":{"extensible":false},"a":{"b":1}}}`,
			`_.insert('锁.a', 'c', 1)`, "锁", `{"a":{"b":1}} schema_not_extensible`},
		{"a closed list loses nothing", `{"列":["a"]}`, `_.delete('列[0]')`, "列", `["a"] schema_not_extensible`},
		{"quoted keys in brackets", `{"武":{"x.y":1}}`, `_.set('武["x.y"]', 2)`, "武", `{"x.y":2}`},
		{"quoted twice", open, `_.set("'数'", 6)`, "数", `6`},
	} {
		v, err := mvu.New(mustParse(c.doc), mvu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, res := mvu.Update(v, c.text, mvu.Options{})
		got := v.Stat.Root().Get(c.path).String()
		for _, f := range res.Failures {
			got += " " + string(f.Code)
		}
		if got != c.want {
			t.Errorf("%s: %s gives %s, want %s", c.reason, c.text, got, c.want)
		}
	}
}

// TestVariablesRoundTrip: variables that were written and read again behave the same (MV-29).
func TestVariablesRoundTrip(t *testing.T) {
	t.Parallel()
	const data = `{"$meta":{"extensible":true,"required":["甲"],"strictTemplate":true},
		"甲":{"$meta":{"recursiveExtensible":true},"列":[{"x":1}],"锁":{"$meta":{"extensible":false},"k":1}},
		"乙":{"$meta":{"extensible":true,"template":{"n":1}}},"丙":[["a","$__META_EXTENSIBLE__$"],"d"]}`
	v, err := mvu.New(mustParse(data), mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back mvu.Variables
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(text) {
		t.Errorf("%s\nbecame\n%s (%v)", text, again, err)
	}
	const message = `_.delete('甲'); _.insert('甲.锁', 'n', 1); _.insert('甲', 'n', 1); _.insert('乙', '新', {});
_.insert('丙[0]', 'b'); _.delete('乙'); _.insert('', '丁', 1)`
	a, resA := mvu.Update(v, message, mvu.Options{})
	b, resB := mvu.Update(back, message, mvu.Options{})
	if a.Stat.String() != b.Stat.String() || fmt.Sprint(resA.Failures) != fmt.Sprint(resB.Failures) {
		t.Errorf("%s %v\n%s %v", a.Stat, resA.Failures, b.Stat, resB.Failures)
	}
}

// TestOpening: an <initvar> block in the opening message replaces the first book, and existing
// variables have precedence.
func TestOpening(t *testing.T) {
	t.Parallel()
	books := []mvu.Book{
		{Name: "a", Entries: []mvu.Entry{{Comment: "[initvar]", Content: `{"x":1,"y":1}`}}},
		{Name: "b", Entries: []mvu.Entry{{Comment: "[initvar]", Content: `{"y":2,"z":2}`}, {Comment: "[initvar]", Content: "[1]"}}},
	}
	v, problems := mvu.Init(mvu.Variables{}, books, "开场 <InitVar>x: 7</InitVar>", mvu.Options{})
	if got := v.Stat.String(); got != `{"x":7,"y":2,"z":2}` || len(problems) != 1 {
		t.Error(got, problems)
	}
	if v, problems := mvu.Init(mvu.Variables{}, books[:1], "<initvar>a: !!x 1</initvar>", mvu.Options{}); len(problems) != 1 ||
		problems[0].Path != "opening" || v.Stat.String() != `{"x":1,"y":1}` {
		t.Error("an opening that cannot be read:", problems, v.Stat)
	}
	if v, problems := mvu.Init(mvu.Variables{}, nil, "<initvar>{x: 1}</initvar>", mvu.Options{}); len(problems) > 0 || v.Stat.String() != `{"x":1}` {
		t.Error("an opening without a book:", problems, v.Stat)
	}
	books = append(books, mvu.Book{Name: "c", Entries: []mvu.Entry{{Comment: "[initvar]", Content: "x: 0\nw: 3"}}})
	v, _ = mvu.Init(v, books, "", mvu.Options{})
	if got := v.Stat.String(); got != `{"x":7,"y":2,"z":2,"w":3}` || len(v.Initialized) != 3 {
		t.Error(got, v.Initialized)
	}
}

// TestYAML reads YAML as cards write it in patch bodies and initial variables.
func TestYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: 1\nb:\n  - x\n  - y: 2\n    z: ~\n  -\n    - 1\nc: [1, 'it''s', \"q\\n\"]": `{"a":1,"b":["x",{"y":2,"z":null},[1]],"c":[1,"it's","q\n"]}`,
		"text: |\n  one\n   two\n\n  three\nfold: >-\n  a\n  b\n":                      `{"text":"one\n two\n\nthree\n","fold":"a b"}`,
		"{'a': True, “b”： None，\n c: `x`,":                                             `{"a":true,"b":null,"c":"x"}`,
		"# comment\n时间: 09:15 # now\nurl: http://x#y\n\"k: 1\": yes\n":                 `{"时间":"09:15","url":"http://x#y","k: 1":"yes"}`,
		"list:\n- a\n- b\nflow: {x: 1, y: [a, b],\n  z: 2}\nempty:\n":                  `{"list":["a","b"],"flow":{"x":1,"y":["a","b"],"z":2},"empty":null}`,
	} {
		v, problems := mvu.Init(mvu.Variables{}, []mvu.Book{{Entries: []mvu.Entry{{Comment: "[initvar]", Content: text}}}}, "", mvu.Options{})
		if got := v.Stat.String(); got != want || problems != nil {
			t.Errorf("%s\ngives %s %v\nwant  %s", text, got, problems, want)
		}
	}
}

// TestBounds: the size of the events of a message and the digits of a number are limited. A command
// beyond the limit is refused and reported; earlier commands count (MV-26).
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, o := range []mvu.Options{{}, {Mode: "compat"}} {
		v, err := mvu.New(mustParse(`{"$meta":{"recursiveExtensible":true},"l":[],"n":1}`), o)
		if err != nil {
			t.Fatal(err)
		}
		after, res := mvu.Update(v, strings.Repeat("_.insert('l', 1);", 3000), o)
		n := after.Stat.Root().Get("l").Len()
		if o.Mode == "compat" { // there events contain whole lists, and a number is a double
			if n < 1000 || n > 1100 || len(res.Failures) != 3000-n || res.Failures[0].Code != "too_many" {
				t.Errorf("mode %q: %d insertions, %d failures", o.Mode, n, len(res.Failures))
			}
			continue
		}
		if n != 3000 || len(res.Failures) > 0 || len(res.Events) != 3000 {
			t.Errorf("mode %q: %d insertions, %d failures, %d events", o.Mode, n, len(res.Failures), len(res.Events))
		}
		long := strings.Repeat("9", tree.MaxDigits+1)
		after, res = mvu.Update(v, "_.set('n', "+long+");_.add('n', "+long+");<JsonPatch>[{\"op\":\"replace\",\"path\":\"/n\",\"value\":["+long+"]}]</JsonPatch>", o)
		if !after.Stat.Same(v.Stat) || len(res.Failures) != 3 || res.Failures[0].Code != "too_long" {
			t.Errorf("mode %q: %v", o.Mode, res.Failures)
		}
	}
}

// TestCopiesAreBounded: copies that contain earlier copies double with each operation. Sixty of
// them would never end; they are refused, and earlier operations count (MV-26).
func TestCopiesAreBounded(t *testing.T) {
	t.Parallel()
	var ops []string
	for i := range 60 {
		ops = append(ops, fmt.Sprintf(`{"op":"copy","from":"/o","path":"/o/c%d"}`, i))
	}
	patch := "[" + strings.Join(ops, ",") + "]"
	v, err := mvu.New(mustParse(`{"$meta":{"recursiveExtensible":true},"o":{"a":1}}`), mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	after, res := mvu.Update(v, "<JsonPatch>"+patch+"</JsonPatch>", mvu.Options{})
	if n := after.Stat.Root().Size(1 << 20); len(res.Failures) == 0 || res.Failures[0].Code != "too_many" || n < 1<<15 || n > 1<<17 {
		t.Errorf("%d nodes, failures %v", n, res.Failures)
	}
	sys, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	doc, err := tree.ParseDocument([]byte(`{"stat_data":{"o":{"a":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	// One block each: the limit is for the message.
	doc, told := sys.Apply(doc, "<JsonPatch>["+strings.Join(ops, "]</JsonPatch>\n<JsonPatch>[")+"]</JsonPatch>", memvars.AI)
	if n := doc.Root().Size(1 << 22); n > 1<<21 || told.Calls[len(told.Calls)-1].Code != memvars.TooMany {
		t.Errorf("%d nodes, %+v", n, told.Calls[len(told.Calls)-1])
	}
}

// TestPatchesOfTheWholeData: every operation of a block may name the whole data with its path, its
// source or both, in every mode: it runs or is refused (MV-28).
func TestPatchesOfTheWholeData(t *testing.T) {
	t.Parallel()
	const data = `{"a":{"b":1},"l":[1]}`
	for _, o := range []mvu.Options{{}, {Mode: "compat"}, {StrictPatch: true}, {ReadonlyPrefix: "_"}} {
		for _, op := range []string{"add", "insert", "replace", "remove", "delta", "test", "move", "copy", "merge"} {
			for _, ends := range [][2]string{{"", ""}, {"", "/a"}, {"/a", ""}, {"", "/l/0"}, {"/l/0", ""}} {
				for _, value := range []string{`{"c":2}`, `7`, `null`} {
					v, err := mvu.New(mustParse(data), o)
					if err != nil {
						t.Fatal(err)
					}
					text := fmt.Sprintf(`<JsonPatch>[{"op":%q,"from":%q,"path":%q,"value":%s}]</JsonPatch>`, op, ends[0], ends[1], value)
					after, res := mvu.Update(v, text, o)
					if !after.Stat.Root().IsObject() || len(res.Failures) > 0 && after.Stat.String() != data {
						t.Errorf("%+v: %s: %s, %v", o, text, after.Stat, res.Failures)
					}
					if op == "copy" && ends[0] == "/a" && ends[1] == "" && o.Mode == "" && after.Stat.String() != `{"b":1}` {
						t.Errorf("%+v: %s: %s, %v", o, text, after.Stat, res.Failures)
					}
				}
			}
		}
	}
}

// TestHintsSpeakTheChosenLanguage: the hints of refused commands are in the chosen language, with
// this package alone and together with the commands of memvars. They name similar keys, but nothing
// hidden.
func TestHintsSpeakTheChosenLanguage(t *testing.T) {
	t.Parallel()
	doc, err := tree.ParseDocument([]byte(`{"stat_data":{"gold":5,"list":[1],"pair":["v","d"],"_gost":1},"schema":{"type":"object","extensible":false,
		"properties":{"gold":{"type":"number","required":true},"list":{"type":"array","extensible":false}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, en string }{
		{"_.set('golt', 1);", `did you mean "gold"?`},
		{"_.set('gost', 1);", `"gost" does not exist`},
		{"_.add('list', 1);", "add needs a number or a date; use set"},
		{"_.insert('list', 1);", "the game takes nothing new here; change what is there"},
		{"_.delete('gold');", "the game needs this member; change it instead"},
		{"_.set('gold', 'much');", "the field holds a number; write one"},
		{"_.set('a..b', 1);", "write the path as a.b[0], without empty segments"},
		{`<JsonPatch>[{"op":"test","path":"/gold","value":6}]</JsonPatch>`, "the value that was tested is another one"},
	} {
		for lang, want := range map[string]string{"en": c.en, "zh": ""} {
			sys, problems := memvars.Compile(memvars.Options{Hints: lang, Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			_, res := sys.Apply(doc, c.text, memvars.AI)
			got := sys.Feedback(res.Calls)
			if len(got) != 1 || want != "" && got[0].Hint != want || want == "" && !strings.ContainsFunc(got[0].Hint, func(r rune) bool { return r > 0x3000 }) {
				t.Errorf("%s in %s: %+v, want %q", c.text, lang, got, want)
			}
			if strings.Contains(got[0].Hint, "_gost") {
				t.Errorf("%s: the hint names what is hidden: %s", c.text, got[0].Hint)
			}
		}
	}
	v, err := mvu.New(mustParse(`{"gold":1}`), mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, res := mvu.Update(v, "_.set('silver', 1);", mvu.Options{Hints: "zh"})
	if len(res.Failures) != 1 || !strings.HasPrefix(res.Failures[0].Message, "该路径不存在") {
		t.Errorf("%+v", res.Failures)
	}
}

// TestReadonlyNodes: a read-only node is protected as a node and not by its spelling: it cannot be
// changed by writing, moving or deleting a node around it (MV-28).
func TestReadonlyNodes(t *testing.T) {
	t.Parallel()
	const data = `{"$meta":{"recursiveExtensible":true},"_id":1,"a":{"_id":2,"n":3,"in":{"x":1}},"l":[{"_id":4},{"n":5}],"free":{},"z":null}`
	for _, c := range []struct{ reason, text, code string }{
		{"by its path", `_.set('a._id', 9);`, "readonly"},
		{"by its key", `_.insert('a', '_id', 9);`, "readonly"},
		{"a new one", `_.insert('free', '_new', 9);`, "readonly"},
		{"within a new member", `_.insert('free', 'b', {"_new": 9});`, "readonly"},
		{"merged into", `_.insert('a', {"_id": 9});`, "readonly"},
		{"merged into from above", `_.insert('', {"a": {"_id": 9}});`, "readonly"},
		{"under a value that replaces all", `_.set('a', {"n": 9});`, "readonly"},
		{"under one that changes it", `_.set('a', {"_id": 9});`, "readonly"},
		{"under a scalar", `_.set('a', 9);`, "readonly"},
		{"in a list that is written", `_.set('l', [{"n": 9}]);`, "readonly"},
		{"in a new element", `_.insert('l', {"_id": 9});`, "readonly"},
		{"in what null becomes", `_.insert('z', {"_id": 9});`, "readonly"},
		{"by deleting what it is in", `_.delete('a');`, "readonly"},
		{"by deleting a member", `_.delete('', 'a');`, "readonly"},
		{"by deleting an element by its place", `_.delete('l', 0);`, "readonly"},
		{"by its path", `_.delete('l[0]');`, "readonly"},
		{"by moving", `<JsonPatch>[{"op":"move","from":"/a","path":"/free/a"}]</JsonPatch>`, "readonly"},
		{"by copying", `<JsonPatch>[{"op":"copy","from":"/a","path":"/free/a"}]</JsonPatch>`, "readonly"},
		{"by a patch", `<JsonPatch>[{"op":"replace","path":"/a","value":{}}]</JsonPatch>`, "readonly"},
		{"by a patch of the root", `<JsonPatch>[{"op":"replace","path":"","value":{}}]</JsonPatch>`, "readonly"},
		{"what is beside it is free", `_.set('a.n', 9);`, ""},
		{"also in one object that keeps it", `_.set('a', {"n": 9, "_id": 2});`, ""},
		{"and merged", `_.insert('a', {"_id": 2, "n": 9});`, ""},
		{"what holds none goes", `_.delete('a.in');`, ""},
		{"elements beside it too", `_.delete('l', 1);`, ""},
	} {
		o := mvu.Options{ReadonlyPrefix: "_"}
		v, err := mvu.New(mustParse(data), o)
		if err != nil {
			t.Fatal(err)
		}
		after, res := mvu.Update(v, c.text, o)
		code := ""
		for _, f := range res.Failures {
			code += string(f.Code)
		}
		if code != c.code || (code == "") == after.Stat.Equal(v.Stat) {
			t.Errorf("%s: %s gives %q, %s", c.reason, c.text, code, after.Stat)
		}
	}
}

// TestEmptyMarkersAreRemoved: a marker without a rule is not data either.
func TestEmptyMarkersAreRemoved(t *testing.T) {
	t.Parallel()
	v, err := mvu.New(mustParse(`{"a":{"$meta":{},"x":1},"l":[{"$arrayMeta":true,"$meta":{}},{"y":2}]}`), mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Stat.Root().String(); got != `{"a":{"x":1},"l":[{"y":2}]}` {
		t.Error(got)
	}
}

// TestMarkersOfInsertedValues: the markers in an inserted value and in its template open it for later
// commands and messages. The schema of the document keeps them.
func TestMarkersOfInsertedValues(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	data, err := tree.ParseValue([]byte(`{"people":{"$meta":{"extensible":true,"template":{"bag":["$__META_EXTENSIBLE__$"]}}},"log":[{"$arrayMeta":true,"$meta":{"extensible":true,"template":{"$meta":{"extensible":true}}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	v, err := mvu.New(data, mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	root, err := tree.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := tree.NewDocument(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{
		`_.insert('people', 'Ann', {"$meta": {"extensible": true}}); _.insert('people.Ann.bag', 'rope'); _.insert('log', {}); _.insert('log[0]', 'day', 1);`,
		`_.insert('people.Ann.bag', 'lamp'); _.insert('people.Ann', 'hp', 3); _.insert('people.Ann.hp2', 'x', 1);`,
	} {
		var result memvars.Result
		doc, result = sys.Apply(doc, message, memvars.AI)
		for _, c := range result.Calls {
			if c.Status != memvars.Applied {
				t.Errorf("%+v", c)
			}
		}
	}
	if got, want := doc.Root().Get("stat_data").String(), `{"people":{"Ann":{"bag":["rope","lamp"],"hp":3,"hp2":{"x":1}}},"log":[{"day":1}]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
