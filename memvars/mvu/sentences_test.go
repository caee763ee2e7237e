package mvu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
)

// open is a document in which all members may be added and removed.
const open = `{"$meta":{"recursiveExtensible":true},"n":5,"t":"text","b":true,"z":null,"p":[10,"gold"],"l":["a","b","c"],"o":{"k":1,"l":[1,2]},"d":"2024-01-02","a.b":1}`

// TestSentences checks single sentences of the description of this language: the results of a
// message in both modes or in one (MV-28, MV-29, MV-33).
func TestSentences(t *testing.T) {
	t.Parallel()
	const both, sane, compat = "both", "default", "compat"
	for _, c := range []struct {
		reason, modes, doc, text string
		want                     string // the data, or place=value, separated by " | "; then codes after " ! "
	}{
		// Finding commands.
		{"all names are found behind anything", both, open, `prose//_.set('n', 1);x_.add("n", 2);。_.assign('l', 'd');`, `n=3 | l=["a","b","c","d"]`},
		{"unset, remove and delete are one", both, open, `_.unset('n');_.remove('t');_.delete('b');`, `n= | t= | b=`},
		{"other names are prose", both, open, `_.push('l', 1);_.Set('n', 1);_.setx('n', 2);`, `n=5 | l=["a","b","c"]`},
		{"a blank before the parenthesis is no call", compat, open, `_.set ('n', 1);`, `n=5`},
		{"but a slip of a model", sane, open, `_.set ('n', 1);`, `n=1`},
		{"a semicolon must follow directly", compat, open, "_.set('n', 1)_.set('n', 2) ;_.set('n', 3)\n;", `n=5`},
		{"or may be left out", sane, open, "_.set('n', 1) and _.set('t', 'x')", `n=1 | t="x"`},
		{"quotation marks hide parentheses and commas, a backslash escapes them", both, open, "_.set('t', \"a), (b, \\\"c\");", `t="a), (b, \"c"`},
		{"backticks too", both, open, "_.set(`t`, `a), b`);", `t="a), b"`},
		{"a call that nothing closes is skipped, those behind it count", compat, open, "_.set('n', (1;\n_.set('t', 'x');", `n=5 | t="x"`},
		{"and is told of by default", sane, open, "_.set('n', (1;\n_.set('t', 'x');", `n=5 | t="x" ! unbalanced`},
		{"a text does not run across a line that begins with a call", sane, open, "_.set('t', 'x);\n_.set('n', 6);", `t="text" | n=6 ! unbalanced`},
		{"brackets and marks keep commas together", both, open, `_.set('o', {"k": [1, 2], "l": "x,y"});`, `o={"k":[1,2],"l":"x,y"}`},
		{"set, insert and assign need two arguments, add exactly two; fewer is no command", both, open, "_.set('n');_.insert('l');_.assign('l');_.add('n');_.add('n', 1, 2);_.delete();", `n=5 | l=["a","b","c"]`},
		{"a reason may begin on a later line", compat, open, "_.set('n', 1);\n\n // because; _.set('t', 'x');\n_.set('b', false);", `n=1 | t="text" | b=false`},
		{"a reason swallows the calls of its line", both, open, "_.set('n', 1);//why _.set('t', 'x');\n_.set('b', false);", `n=1 | t="text" | b=false`},
		{"calls and blocks run in the order of their places", both, open, `_.set('n', 1);<JsonPatch>[{"op":"replace","path":"/n","value":2},{"op":"delta","path":"/n","value":3}]</JsonPatch>_.add('n', 10);`, `n=15`},
		{"the tag around them is not needed and does no harm", both, open, "<UpdateVariable>_.set('n', 1);</UpdateVariable>_.set('t', 'x');", `n=1 | t="x"`},

		// Values.
		{"literals", both, open, "_.set('t', true);_.set('b', null);_.set('z', false);", `t=true | b=null | z=false`},
		{"literals of JavaScript: bare keys, single marks, trailing commas, hexadecimal numbers", both, open, "_.set('o', {a: 'x', 'b': 0x1F, c: [1, 2,],});", `o={"a":"x","b":31,"c":[1,2]}`},
		{"arithmetic", both, open, "_.set('n', (1 + 2) * -3 ^ 2 / 4 % 5);", `n=3.25`},
		{"results have twelve digits", both, open, "_.set('n', 1 / 3);", `n=0.333333333333`},
		{"functions with and without Math.", both, open, "_.set('n', Math.floor(2.7) + math.ceil(1.2) + max(1, 2, 3) + min(4, 5) + abs(-1) + round(1.5) + sqrt(9) + pow(2, 3));", `n=25`},
		{"exact where they are whole", sane, open, "_.set('n', floor(123456789012345.5));_.set('z', -9007199254740993 + 0);_.set('t', 2 ^ 3 * 1.5);", `n=123456789012345 | z=-9007199254740993 | t=12`},
		{"not in doubles", compat, open, "_.set('n', 123456789012345 + 1);", `n=123456789012000`},
		{"constants with Math.", both, open, "_.set('n', Math.round(Math.PI * 100) + math.floor(math.e));", `n=316`},
		{"comparison decides", compat, open, "_.set('n', 3 > 2 ? 7 : 8);", `n=7`},
		{"a division by zero has a result that JSON writes as null", compat, open, "_.set('n', 5 / 0);_.set('t', -1 / 0 + 3);", `n=null | t=null`},
		{"by default it is no number", sane, open, "_.set('t', 5 / 0);", `t="5 / 0"`},
		{"a truth alone is a text", both, open, "_.set('t', 3 > 2);", `t="3 > 2"`},
		{"ten percent", compat, open, "_.set('n', 10%);", `n=0.1`},
		{"a text is not evaluated", both, open, "_.set('t', '1 + 1');", `t="1 + 1"`},
		{"double marks follow JSON, single ones YAML, backticks keep what is in them", both, open, "_.set('t', \"a\\n\\u0041\");_.set('d', 'a\\n');_.set('z', `a\\n'b'`);", `t="a\nA" | d="a\\n" | z="a\\n'b'"`},
		{"a date is a difference", compat, open, "_.set('n', 2024-01-02);", `n=2021`},
		{"a time is a range", compat, open, "_.set('t', 09:11);", `t="[9, 10, 11]"`},
		{"e and pi are numbers, the root of a negative one a text", compat, open, "_.set('n', e);_.set('t', sqrt(-4));_.set('d', pi);", `n=2.71828182846 | t="2i" | d=3.14159265359`},
		{"integers lose precision", compat, open, "_.set('n', 9007199254740993);", `n=9007199254740992`},
		{"integers are exact", sane, open, "_.set('n', 9007199254740993);", `n=9007199254740993`},
		{"also those that are computed", sane, open, "_.set('n', 123456789012345 + 1);_.set('z', 9007199254740993 * 3 - 1);", `n=123456789012346 | z=27021597764222978`},
		{"also by functions, powers, quotients and remainders", sane, open, "_.set('n', 2 ^ 60 + 1);_.set('z', max(9007199254740993, 1) % 10);_.set('t', abs(-9007199254740993) / 3);_.set('b', (9007199254740993 - 9007199254740992) / 2);",
			`n=1152921504606846977 | z=3 | t=3002399751580331 | b=0.5`},
		{"a word is a text", both, open, "_.set('t', hello world);", `t="hello world"`},

		// Paths.
		{"dots and brackets", both, open, "_.set('o.l[1]', 9);_.set('o[\"k\"]', 2);_.set('o[k]', 3);", `o={"k":3,"l":[1,9]}`},
		{"a key that is the whole path wins", both, open, "_.set('a.b', 2);", `"a.b"=2`},
		{"the empty path is the root", both, open, "_.insert('', 'new', 1);", `new=1`},
		{"no module is stripped", both, `{"stat_data":{"n":1},"n":2}`, "_.set('stat_data.n', 3);", `{"stat_data":{"n":3},"n":2}`},
		{"bare digits in brackets are an index", both, open, "_.set('l[0]', 'x');", `l=["x","b","c"]`},
		{"a negative index is none", sane, open, "_.set('l[-1]', 'x');", `l=["a","b","c"] ! path_missing`},
		{"a bad path", sane, open, "_.set('o..k', 1);", `n=5 ! bad_path`},

		// set.
		{"the path must exist", both, open, "_.set('none', 1);_.set('o.none', 1);_.set('l[9]', 1);", `n=5 ! path_missing path_missing path_missing`},
		{"of a pair the value is replaced, lists nest", both, `{"p":["x","gold"]}`, "_.set('p', 'y');_.set('p', [1, 2]);", `{"p":[[1,2],"gold"]}`},
		{"numbers of pairs are made of numeric texts, null stays", both, open, "_.set('p', '12');", `p=[12,"gold"]`},
		{"null", both, open, "_.set('p', null);", `p=[null,"gold"]`},
		{"a boolean in a pair of a number is a number", compat, open, "_.set('p', true);", `p=[1,"gold"]`},
		{"a list of one number in a pair of a number is that number", compat, open, "_.set('p', [7]);", `p=[7,"gold"]`},
		{"an empty one is zero, as JavaScript has it", compat, open, "_.set('p', []);", `p=[0,"gold"]`},
		{"one of a text that is a number, and one within another", compat, `{"p":[1,"d"],"q":[1,"d"]}`, "_.set('p', ['8']);_.set('q', [[9]]);", `{"p":[8,"d"],"q":[9,"d"]}`},
		{"of several there is no number", compat, `{"p":[1,"d"],"q":[1,"d"]}`, "_.set('p', [1, 2]);_.set('q', [true]);", `{"p":[null,"d"],"q":[null,"d"]}`},
		{"a numeric text on a number is one", both, open, "_.set('n', '7');", `n=7`},
		{"everything else replaces", both, open, "_.set('n', [1]);_.set('t', 3);_.set('l', 1);_.set('o', 'x');", `n=[1] | t=3 | l=1 | o="x"`},
		{"the old value in the middle is not looked at", both, open, "_.set('n', 99, 6);", `n=6`},
		{"no text is not a number", compat, open, "_.set('n', '');", `n=0`},
		{"and is refused by default", sane, open, "_.set('n', '');_.set('n', 'many');", `n=5 ! type_mismatch type_mismatch`},

		// insert.
		{"a list takes one element, a list too", both, open, "_.insert('l', ['x']);_.insert('l', 1);", `l=["a","b","c",["x"],1]`},
		{"objects merge recursively", both, open, `_.insert('o', {"m": 2, "k": 3});`, `o={"k":3,"l":[1,2],"m":2}`},
		{"lists by their indexes", compat, open, `_.insert('o', {"l": [9]});`, `o={"k":1,"l":[9,2]}`},
		{"null becomes a list or an object", both, `{"$meta":{"extensible":true},"a":null,"b":null,"c":null}`, `_.insert('a', 1);_.insert('b', {"x":1});_.insert('c', 'k', 1);`, `{"a":[1],"b":{"x":1},"c":{"k":1}}`},
		{"a scalar takes nothing", both, open, `_.insert('n', 1);_.insert('t', 'k', 1);`, `n=5 ! not_a_container not_a_container`},
		{"only an object merges into one", both, open, `_.insert('o', 1);`, `o={"k":1,"l":[1,2]} ! bad_merge`},
		{"at an index, from the end, past the end, with a dash", both, open, `_.insert('l', 1, 'x');_.insert('l', -1, 'y');_.insert('l', 99, 'z');_.insert('l', '-', 'w');`, `l=["a","x","b","y","c","z","w"]`},
		{"a key is literal", both, open, `_.insert('o', 'x.y', 1);`, `o={"k":1,"l":[1,2],"x.y":1}`},
		{"what is missing is no container", compat, open, `_.insert('none', 1);`, `none= ! not_a_container`},
		{"what is missing below an open parent is made", sane, open, `_.insert('o.new', 1);_.insert('o.two', 'k', 1);`, `o={"k":1,"l":[1,2],"new":1,"two":{"k":1}}`},
		{"below a closed one it is not", sane, `{"o":{"k":1}}`, `_.insert('o.new', 1);`, `{"o":{"k":1}} ! schema_not_extensible`},
		{"a pair is a list", compat, open, `_.assign('p', 99);`, `p=[10,"gold",99]`},

		// delete.
		{"a member and an element", both, open, `_.delete('o.k');_.delete('l[0]');`, `o={"l":[1,2]} | l=["b","c"]`},
		{"of a list by number or by the first equal element", both, `{"$meta":{"recursiveExtensible":true},"l":[1,2,3,2]}`, `_.delete('l', 0);_.delete('l', '2');_.delete('l', {"x":1});`, `{"l":[2,3,2]} ! not_found not_found`},
		{"of an object by position or by key", both, open, `_.delete('o', 0);_.delete('o', 'l');`, `o={}`},
		{"what is missing is an error", both, open, `_.delete('none');_.delete('l', 'x');_.delete('o', 'x');`, `n=5 ! path_missing not_found not_found`},
		{"the root stays", sane, open, `_.delete('');`, `n=5 ! path_missing`},
		{"a scalar has no elements", both, open, `_.delete('n', 'x');`, `n=5 ! not_a_container`},

		// add.
		{"to a number and to the number of a pair", both, open, `_.add('n', 2);_.add('p', -3);`, `n=7 | p=[7,"gold"]`},
		{"against the noise of binary fractions", both, open, `_.set('n', 0.1);_.add('n', 0.2);`, `n=0.3`},
		{"milliseconds to a date, stored as ISO text", both, open, `_.add('d', 86400000);`, `d="2024-01-03T00:00:00.000Z"`},
		{"also of a pair", both, `{"d":["2024-01-02T03:04:05Z","when"]}`, `_.add('d', 1000);`, `{"d":["2024-01-02T03:04:06.000Z","when"]}`},
		{"nothing else can be added to", both, open, `_.add('t', 1);_.add('l', 1);_.add('b', 1);`, `n=5 ! not_a_number not_a_number not_a_number`},
		{"the amount is a number", both, open, `_.add('n', 'x');_.add('n', '5');_.add('n', null);`, `n=5 ! bad_delta bad_delta bad_delta`},
		{"what is missing", both, open, `_.add('none', 1);`, `n=5 ! path_missing`},

		// The schema.
		{"closed by default: nothing new, nothing taken, every value may change", both, `{"o":{"k":1},"l":[1]}`, `_.insert('o', 'x', 1);_.insert('o', {"k":2});_.delete('o.k');_.insert('l', 2);_.set('o.k', [2]);_.delete('l', 0);`,
			`{"o":{"k":[2]},"l":[1]} ! schema_not_extensible schema_not_extensible schema_required schema_not_extensible schema_not_extensible`},
		{"a closed object lets a member be written by its key", both, `{"o":{"k":1}}`, `_.insert('o', 'k', 2);`, `{"o":{"k":2}}`},
		{"extensible opens one level", both, `{"o":{"$meta":{"extensible":true},"k":1,"in":{"x":1}}}`, `_.insert('o', 'x', 1);_.delete('o.k');_.insert('o.in', 'y', 1);`, `{"o":{"in":{"x":1},"x":1}} ! schema_not_extensible`},
		{"required guards members of an open object", both, `{"o":{"$meta":{"extensible":true,"required":["k"]},"k":1,"m":2}}`, `_.delete('o.k');_.delete('o', 'k');_.delete('o.m');`, `{"o":{"k":1}} ! schema_required schema_required`},
		{"recursiveExtensible opens all below", both, `{"o":{"$meta":{"recursiveExtensible":true},"in":{"x":[1]}}}`, `_.insert('o.in.x', 2);_.insert('o.in', 'y', 1);_.delete('o.in.x[0]');`, `{"o":{"in":{"x":[2],"y":1}}}`},
		{"extensible: false below does not stop it", compat, `{"$meta":{"recursiveExtensible":true},"o":{"$meta":{"extensible":false},"k":1}}`, `_.insert('o', 'x', 1);`, `{"o":{"k":1,"x":1}}`},
		{"a marker opens a list and is removed", both, `{"l":[1,"$__META_EXTENSIBLE__$"]}`, `_.insert('l', 2);_.delete('l', 0);`, `{"l":[2]}`},
		{"so does a carrier", both, `{"l":[{"$arrayMeta":true,"$meta":{"extensible":true,"template":{"n":1}}},{"n":2}]}`, `_.insert('l', {"m":3});`, `{"l":[{"n":2},{"n":1,"m":3}]}`},
		{"a value that is inserted brings its own markers, which count at once", both, open, `_.insert('o', 'x', {"$meta":{"extensible":true},"k":1});_.insert('o.x', 'm', 2);_.insert('o', 'y', ["$__META_EXTENSIBLE__$"]);_.insert('o.y', 1);`, `o={"k":1,"l":[1,2],"x":{"k":1,"m":2},"y":[1]}`},
		{"deleting by an index in the path is not looked at", compat, `{"l":[1,2]}`, `_.delete('l[0]');`, `{"l":[2]}`},
		{"a template completes what is inserted by key, the value wins", both, `{"o":{"$meta":{"extensible":true,"template":{"hp":10,"mp":5}}}}`, `_.insert('o', 'x', {"hp":7});`, `{"o":{"x":{"hp":7,"mp":5}}}`},
		{"not what is merged", both, `{"o":{"$meta":{"extensible":true,"template":{"hp":10}}}}`, `_.insert('o', {"x":{"mp":7}});`, `{"o":{"x":{"mp":7}}}`},
		{"lists are joined", both, `{"o":{"$meta":{"extensible":true,"template":["z"]}}}`, `_.insert('o', 'x', ["a"]);_.insert('o', 'y', "b");`, `{"o":{"x":["a","z"],"y":["b","z"]}}`},
		{"or merged by index", both, `{"$meta":{"concatTemplateArray":false},"o":{"$meta":{"extensible":true,"template":["y","z"]}}}`, `_.insert('o', 'x', ["a"]);`, `{"o":{"x":["a","z"]}}`},
		{"strict templates leave single values alone", both, `{"$meta":{"strictTemplate":true},"o":{"$meta":{"extensible":true,"template":["z"]}}}`, `_.insert('o', 'x', "a");`, `{"o":{"x":"a"}}`},
		{"another mix is kept as it is, and told", both, `{"o":{"$meta":{"extensible":true,"template":{"hp":1}}}}`, `_.insert('o', 'x', [1]);`, `{"o":{"x":[1]}} ! template_mismatch`},

		// Patches.
		{"tags of any letter case, a fence, a stray opening tag before", both, open, "<JsonPatch> is used: <JSONPATCH>```json\n[{\"op\":\"replace\",\"path\":\"/n\",\"value\":1}]\n```</jsonpatch><json_patch>[{\"op\":\"delta\",\"path\":\"/n\",\"value\":1}]</json_patch>", `n=2`},
		{"the same name at both ends", compat, open, `<JsonPatch>[{"op":"replace","path":"/n","value":1}]</json_patch>`, `n=5`},
		{"a block without its closing tag", sane, open, `<JsonPatch>[{"op":"replace","path":"/n","value":1}]</json_patch>`, `n=1`},
		{"a block that was cut off", sane, open, "<JsonPatch>\n```json\n[{\"op\":\"replace\",\"path\":\"/n\",\"value\":1},\n{\"op\":\"insert\",\"path\":\"/o/x\",\"value\":{\"a\":{\"b\":[1]},", `n=1 | o={"k":1,"l":[1,2]} ! unbalanced`},
		{"JSON5, missing brackets, objects without a list, YAML", both, open, "<JsonPatch>[{op:'replace',path:'/n',value:1},]</JsonPatch><JsonPatch>[{\"op\":\"replace\",\"path\":\"/t\",\"value\":\"x\"</JsonPatch><JsonPatch>{\"op\":\"replace\",\"path\":\"/b\",\"value\":false},{\"op\":\"remove\",\"path\":\"/z\"}</JsonPatch><JsonPatch>\n- op: replace\n  path: /d\n  value: y\n</JsonPatch>",
			`n=1 | t="x" | b=false | z= | d="y"`},
		{"a patch without its own tags", sane, open, "<UpdateVariable>\n<Analysis>n: [1]</Analysis>\n```json\n[{\"op\":\"replace\",\"path\":\"/n\",\"value\":1}]\n```\n</UpdateVariable><update>_.set('t', 'x');</update>", `n=1 | t="x"`},
		{"an operation without a list", sane, open, `<JsonPatch>{"op":"replace","path":"/n","value":1}</JsonPatch>`, `n=1`},
		{"full-width signs", sane, open, `<JsonPatch>[{"op"："replace"，"path"："/n"，"value"：1}，{"op":"replace","path":"/t","value":"a，"b"：c"}]</JsonPatch>_.set('o', {x：1，y：2});`, `n=1 | t="a，\"b\"：c" | o={"x":1,"y":2}`},
		{"text around a list, and one operation that is broken", sane, open, "<JsonPatch>\n[{\"op\":\"replace\",\"path\":\"/n\",\"value\":1},\n{\"op\":\"replace\",\"path\":},\n{\"op\":\"replace\",\"path\":\"/t\",\"value\":\"x\"}]。</JsonPatch>", `n=1 | t="x" ! bad_json`},
		{"what is no patch is ignored", compat, open, `<JsonPatch>[{"op":"replace","path":"/n","value":1},{"path":"/t"}]</JsonPatch><JsonPatch>hello</JsonPatch>`, `n=5`},
		{"an element that is no operation affects only itself", sane, open, `<JsonPatch>[{"op":"replace","path":"/n","value":1},{"op":"replace","value":{}}]</JsonPatch><JsonPatch>hello</JsonPatch>`, `n=1 ! bad_arguments`},
		{"a patch that cannot be read is reported", sane, open, `<JsonPatch>[{"op":"replace" "path":"/n" "value":]}</JsonPatch>_.set('n', 2);`, `n=2 ! bad_json`},
		{"add and insert take the key from the last segment, a dash appends", both, open, `<JsonPatch>[{"op":"add","path":"/o/x","value":1},{"op":"insert","path":"/l/-","value":"d"},{"op":"insert","path":"/l/0","value":"z"}]</JsonPatch>`, `o={"k":1,"l":[1,2],"x":1} | l=["z","a","b","c","d"]`},
		{"the leading slash may be missing", both, open, `<JsonPatch>[{"op":"replace","path":"o/k","value":7}]</JsonPatch>`, `o={"k":7,"l":[1,2]}`},
		{"move and copy do nothing, test neither", compat, open, `<JsonPatch>[{"op":"move","from":"/n","path":"/m"},{"op":"copy","from":"/n","path":"/m"},{"op":"test","path":"/n","value":0},{"op":"replace","path":"/t","value":"x"}]</JsonPatch>`, `n=5 | m= | t="x"`},
		{"dots split and nothing is decoded", compat, `{"a":{"b":1},"x~y":2}`, `<JsonPatch>[{"op":"replace","path":"/a.b","value":3},{"op":"replace","path":"/x~0y","value":4}]</JsonPatch>`, `{"a":{"b":3},"x~y":2} ! path_missing`},
		{"pointers are decoded, dots do not split", sane, `{"a.b":1,"x~y":2,"c/d":3}`, `<JsonPatch>[{"op":"replace","path":"/a.b","value":3},{"op":"replace","path":"/x~0y","value":4},{"op":"replace","path":"/c~1d","value":5}]</JsonPatch>`, `{"a.b":3,"x~y":4,"c/d":5}`},
		{"an operation that fails skips itself", both, open, `<JsonPatch>[{"op":"replace","path":"/none","value":1},{"op":"replace","path":"/n","value":1}]</JsonPatch>`, `n=1 ! path_missing`},
	} {
		for _, mode := range []string{sane, compat} {
			if c.modes != both && c.modes != mode {
				continue
			}
			o := mvu.Options{Mode: mode}
			v, err := mvu.New(mustParse(c.doc), o)
			if err != nil {
				t.Fatal(err)
			}
			v, res := mvu.Update(v, c.text, o)
			data, codes, _ := strings.Cut(c.want, " ! ")
			var failed []string
			for _, f := range res.Failures {
				failed = append(failed, string(f.Code))
			}
			if got := strings.Join(failed, " "); got != codes {
				t.Errorf("%s (%s): failures %q, want %q", c.reason, mode, got, codes)
			}
			if strings.HasPrefix(data, "{") {
				if got := v.Stat.String(); got != data {
					t.Errorf("%s (%s): %s, want %s", c.reason, mode, got, data)
				}
				continue
			}
			for _, claim := range strings.Split(data, " | ") {
				key, want, _ := strings.Cut(claim, "=")
				got := ""
				if v := v.Stat.Root().Get(strings.Trim(key, `"`)); v.Exists() {
					got = fmt.Sprint(v)
				}
				if got != want {
					t.Errorf("%s (%s): %s is %s, want %s", c.reason, mode, key, got, want)
				}
			}
		}
	}
}
