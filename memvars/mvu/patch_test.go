package mvu_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// TestPatchStandard checks the examples and rules of RFC 6902 and 6901 in blocks (MV-28). An empty want means
// that the patch must fail.
func TestPatchStandard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, doc, patch, want string }{
		{"add a member", `{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux"}]`, `{"foo":"bar","baz":"qux"}`},
		{"add an element", `{"foo":["bar","baz"]}`, `[{"op":"add","path":"/foo/1","value":"qux"}]`, `{"foo":["bar","qux","baz"]}`},
		{"add replaces a member", `{"foo":1}`, `[{"op":"add","path":"/foo","value":2}]`, `{"foo":2}`},
		{"add at the end", `[1]`, `[{"op":"add","path":"/-","value":2},{"op":"add","path":"/2","value":3}]`, `[1,2,3]`},
		{"add past the end", `[1]`, `[{"op":"add","path":"/2","value":2}]`, ``},
		{"add with a leading zero", `[1]`, `[{"op":"add","path":"/00","value":2}]`, ``},
		{"add to a missing parent", `{"q":1}`, `[{"op":"add","path":"/a/b","value":1}]`, ``},
		{"add a list as one element", `{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc"]}]`, `{"foo":["bar",["abc"]]}`},
		{"add null", `{}`, `[{"op":"add","path":"/a","value":null}]`, `{"a":null}`},
		{"add without a value", `{}`, `[{"op":"add","path":"/a"}]`, ``},
		{"replace the root", `{"a":1}`, `[{"op":"replace","path":"","value":[1]}]`, `[1]`},
		{"replace what is missing", `{}`, `[{"op":"replace","path":"/a","value":1}]`, ``},
		{"remove a member", `{"baz":"qux","foo":"bar"}`, `[{"op":"remove","path":"/baz"}]`, `{"foo":"bar"}`},
		{"remove an element", `[1,2,3]`, `[{"op":"remove","path":"/1"}]`, `[1,3]`},
		{"remove the dash", `[1]`, `[{"op":"remove","path":"/-"}]`, ``},
		{"remove what is missing", `{}`, `[{"op":"remove","path":"/a"}]`, ``},
		{"move a member", `{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`,
			`[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]`, `{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{"move an element", `[1,2,3,4]`, `[{"op":"move","from":"/1","path":"/3"}]`, `[1,3,4,2]`},
		{"move onto itself", `{"a":1}`, `[{"op":"move","from":"/a","path":"/a"}]`, `{"a":1}`},
		{"move into its own child", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, ``},
		{"move to a bad place leaves the source", `{"a":1,"l":[]}`, `[{"op":"move","from":"/a","path":"/l/5"}]`, ``},
		{"copy", `{"a":{"b":1}}`, `[{"op":"copy","from":"/a","path":"/c"},{"op":"replace","path":"/c/b","value":2}]`, `{"a":{"b":1},"c":{"b":2}}`},
		{"test holds", `{"a":[1.0,{"x":1,"y":2}]}`, `[{"op":"test","path":"/a","value":[1,{"y":2,"x":1}]}]`, `{"a":[1.0,{"x":1,"y":2}]}`},
		{"test fails", `{"a":"1"}`, `[{"op":"test","path":"/a","value":1}]`, ``},
		{"test of what is missing", `{}`, `[{"op":"test","path":"/a","value":null}]`, ``},
		{"escapes", `{"/":9,"~1":10,"":0}`, `[{"op":"test","path":"/~01","value":10},{"op":"test","path":"/~1","value":9},{"op":"test","path":"/","value":0}]`, `{"/":9,"~1":10,"":0}`},
		{"pointer without a slash", `{"a":1}`, `[{"op":"remove","path":"a"}]`, ``},
		{"unknown operation", `{}`, `[{"op":"merge","path":"/a","value":1}]`, ``},
		{"unknown members are ignored", `{"a":1}`, `[{"op":"replace","path":"/a","value":2,"x":1}]`, `{"a":2}`},
		{"all or nothing", `{"a":1}`, `[{"op":"replace","path":"/a","value":2},{"op":"remove","path":"/b"}]`, ``},
		{"no operation", `3`, `[]`, `3`},
	} {
		// The value is a member, so that a patch can replace it: it is the root of the pointers.
		patch := strings.NewReplacer(`"path":"`, `"path":"/d`, `"from":"`, `"from":"/d`).Replace(c.patch)
		v, err := mvu.New(mustParse(`{"$meta":{"recursiveExtensible":true},"d":`+c.doc+`}`), mvu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, res := mvu.Update(v, "<JsonPatch>"+patch+"</JsonPatch>", mvu.Options{StrictPatch: true})
		want := c.want
		if want == "" {
			want = c.doc
		}
		if got := v.Stat.Root().Get("d").String(); got != want || (len(res.Failures) > 0) != (c.want == "") {
			t.Errorf("%s: %s, %v, want %s", c.reason, got, res.Failures, want)
		}
	}
}

// TestPatchLeadsBack: a patch built from a difference converts one value to the other.
func TestPatchLeadsBack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var random func(depth int) tree.Value
	random = func(depth int) tree.Value {
		switch n := r.IntN(6); {
		case depth > 0 && n < 3:
			var members []tree.Member
			for range r.IntN(4) {
				members = append(members, tree.Member{Key: "k~/" + strconv.Itoa(r.IntN(5)), Value: random(depth - 1)})
			}
			return tree.Object(members...)
		case depth > 0 && n == 3:
			return tree.Array(random(depth-1), random(depth-1))
		}
		return tree.Int(int64(r.IntN(5)))
	}
	document := func() tree.Document {
		d, err := tree.NewDocument(tree.Object(tree.Member{Key: "root", Value: random(3)}))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	pointer := func(path tree.Path) string {
		var b strings.Builder
		for _, seg := range path {
			b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(seg))
		}
		return b.String()
	}
	for range 500 {
		a, b := document(), document()
		var ops []mvu.PatchOp
		for _, c := range tree.Diff(a, b) {
			op := mvu.PatchOp{Op: "add", Path: pointer(c.Path), Value: c.New}
			if !c.New.Exists() {
				op = mvu.PatchOp{Op: "remove", Path: pointer(c.Path)}
			} else if c.Old.Exists() {
				op.Op = "replace"
			}
			ops = append(ops, op)
		}
		patch, err := json.Marshal(ops)
		if err != nil {
			t.Fatal(err)
		}
		v, err := mvu.New(a.Root().With("$meta", mustParse(`{"recursiveExtensible":true}`)), mvu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, res := mvu.Update(v, "<JsonPatch>"+string(patch)+"</JsonPatch>", mvu.Options{})
		if !v.Stat.Equal(b) {
			t.Fatalf("%v patched by %s is %v (%v), want %v", a, patch, v.Stat, res.Failures, b)
		}
	}
}

// TestPatchBlocks has blocks in messages in default mode.
func TestPatchBlocks(t *testing.T) {
	t.Parallel()
	const doc = `{"$meta":{"recursiveExtensible":true},"金":[10,"金币"],"物":{"剑":1,"a.b":2},"列":["甲"]}`
	for _, c := range []struct {
		reason, block string
		strict        bool
		want, codes   string
	}{
		{"move and copy run", `[{"op":"move","from":"/物/剑","to":"/物/旧剑"},{"op":"copy","from":"/物/旧剑","path":"/物/新剑"}]`, false,
			`{"金":[10,"金币"],"物":{"a.b":2,"旧剑":1,"新剑":1},"列":["甲"]}`, "[]"},
		{"dots do not split, the value of a pair is replaced", `[{"op":"replace","path":"/物/a.b","value":3},{"op":"replace","path":"/金","value":11}]`, false,
			`{"金":[11,"金币"],"物":{"剑":1,"a.b":3},"列":["甲"]}`, "[]"},
		{"a failing test ends the block", `[{"op":"replace","path":"/物/剑","value":5},{"op":"test","path":"/金","value":99},{"op":"remove","path":"/物"}]`, false,
			`{"金":[10,"金币"],"物":{"剑":5,"a.b":2},"列":["甲"]}`, "[test_failed aborted]"},
		{"other failures do not", `[{"op":"remove","path":"/没有"},{"op":"delta","path":"/金","value":1},{"op":"insert","path":"/列/-","value":"乙"}]`, false,
			`{"金":[11,"金币"],"物":{"剑":1,"a.b":2},"列":["甲","乙"]}`, "[path_missing]"},
		{"strict blocks are atomic", `[{"op":"delta","path":"/金","value":1},{"op":"remove","path":"/没有"},{"op":"delta","path":"/金","value":1}]`, true,
			`{"金":[10,"金币"],"物":{"剑":1,"a.b":2},"列":["甲"]}`, "[aborted path_missing aborted]"},
		{"words of Python", `[{'op':'replace','path':'/物/剑','value':[True,False,None]}]`, false,
			`{"金":[10,"金币"],"物":{"剑":[true,false,null],"a.b":2},"列":["甲"]}`, "[]"},
		{"a pair keeps its shape", `[{"op":"add","path":"/金/-","value":1},{"op":"remove","path":"/金/1"}]`, false,
			`{"金":[10,"金币"],"物":{"剑":1,"a.b":2},"列":["甲"]}`, "[pair_shape pair_shape]"},
	} {
		o := mvu.Options{StrictPatch: c.strict}
		v, err := mvu.New(mustParse(doc), o)
		if err != nil {
			t.Fatal(err)
		}
		v, res := mvu.Update(v, "<JSONPatch>\n```json\n"+c.block+"\n```\n</JSONPatch>", o)
		codes := "["
		for i, f := range res.Failures {
			if i > 0 {
				codes += " "
			}
			codes += string(f.Code)
		}
		if codes += "]"; v.Stat.String() != c.want || codes != c.codes {
			t.Errorf("%s: %s %s\nwant %s %s", c.reason, v.Stat, codes, c.want, c.codes)
		}
	}
}
