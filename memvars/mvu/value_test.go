package mvu_test

import (
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// TestComputedValues shows that the values within an object or list literal are evaluated like
// other values, and which forms of dates can be added to (MV-28).
func TestComputedValues(t *testing.T) {
	t.Parallel()
	const doc = `{"$meta":{"recursiveExtensible":true},"值":"旧","年":"2024-05",
		"刻":"May 1, 2024 08:00:00 UTC","印":"Wed May 01 2024 08:00:00 GMT+0800"}`
	tests := []struct{ reason, text, path, want string }{
		{"a sum in an object", `_.set('值', {"a": 1+1});`, "值", `{"a":2}`},
		{"a comma between arguments ends no member", `_.set('值', {a: Math.max(1, 7) * 2, b: [3 - 1]});`,
			"值", `{"a":14,"b":[2]}`},
		{"quoted texts are not evaluated", `_.set('值', {"a": '1+1'});`, "值", `{"a":"1+1"}`},
		{"parentheses in a key are text", `_.set('值', {剑(大): 1+1, b: 2});`, "值", `{"剑(大)":2,"b":2}`},
		{"words are no expressions", `_.set('值', {a: x y});`, "值", `{"a":"x y"}`},
		{"an unquoted date is a text", `_.set('值', {a: 2024-01-02});`, "值", `{"a":"2024-01-02"}`},
		{"a month is a date", `_.add('年', 1000);`, "年", `"2024-05-01T00:00:01.000Z"`},
		{"a month by name with a zone", `_.add('刻', 0);`, "刻", `"2024-05-01T08:00:00.000Z"`},
		{"as JavaScript prints a date", `_.add('印', 0);`, "印", `"2024-05-01T00:00:00.000Z"`},
	}
	for _, tt := range tests {
		for _, mode := range []string{"", "compat"} {
			t.Run(tt.reason+" "+mode, func(t *testing.T) {
				t.Parallel()
				o := mvu.Options{Mode: mode}
				v, err := mvu.New(mustParse(doc), o)
				if err != nil {
					t.Fatal(err)
				}
				v, res := mvu.Update(v, tt.text, o)
				if got := v.Stat.Root().Get(tt.path).String(); got != tt.want {
					t.Errorf("%s, want %s (%+v)", got, tt.want, res.Failures)
				}
			})
		}
	}
}

// TestStrictSet shows that strictSet turns off only the rule of pairs: a text for a number still
// becomes a number (MV-29).
func TestStrictSet(t *testing.T) {
	t.Parallel()
	const doc = `{"$meta":{"strictSet":true},"对":[1,"d"],"数":5}`
	for _, mode := range []string{"", "compat"} {
		o := mvu.Options{Mode: mode}
		v, err := mvu.New(mustParse(doc), o)
		if err != nil {
			t.Fatal(err)
		}
		v, _ = mvu.Update(v, `_.set('数', '7');_.set('对[0]', '3');_.set('对', 4);`, o)
		if got, want := v.Stat.String(), `{"对":4,"数":7}`; got != want {
			t.Errorf("mode %q: %s, want %s", mode, got, want)
		}
	}
}

// TestTypographicMarks: Chinese models write texts in typographic marks.
func TestTypographicMarks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"a value with a comma", "_.set('note', “他说，好”);", "他说，好"},
		{"the path too", "_.set(“note”, “好”);//说", "好"},
		{"single marks, full-width signs", "_.set（‘note’，‘好’）；", "好"},
		{"marks within marks", "_.set('note', “他说“好”，走了”);", "他说“好”，走了"},
		{"an apostrophe", "_.set('note', ‘it’s late’);", "it’s late"},
		{"within straight marks they are text", "_.set('note', '他说“好”，走了');", "他说“好”，走了"},
		{"within a bare text too", "_.set('note', 他说“好”);", "他说“好”"},
		{"in a list", "_.set('note', [“a，b”, “c”][0]); _.set('note', “d”);", "d"},
		{"one that does not close", "_.set('note', “好);\n_.set('note', '再');", "再"},
	} {
		init, err := tree.ParseValue([]byte(`{"note":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		v, err := mvu.New(init, mvu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, _ = mvu.Update(v, tt.text, mvu.Options{})
		if got := v.Stat.Root().Get("note"); !got.Equal(tree.Text(tt.want)) {
			t.Errorf("%s: %s is %s", tt.reason, tt.text, got)
		}
	}
	list := mvu.Find("_.insert('bag', {“绳子”: [“粗，长”, 2]}); _.add(“gold”, 3)", mvu.Options{})
	if len(list) != 2 || list[0].Args[1] != `{"绳子": ["粗，长", 2]}` || list[1].Args[0] != `"gold"` {
		t.Errorf("found %v", list)
	}
	if list = mvu.Find("_.set('note', “他说，好”);", mvu.Options{Mode: "compat"}); len(list) != 1 || list[0].Args[1] != "“他说，好”" {
		t.Errorf("in compat mode %v", list)
	}
}
