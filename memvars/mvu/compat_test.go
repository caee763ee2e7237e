package mvu_test

import (
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
)

// TestCompat has the cases in which the compat mode follows observed behaviour, each with its
// reason (MV-33).
func TestCompat(t *testing.T) {
	t.Parallel()
	const data = `{"$meta":{"recursiveExtensible":true},"数":5,"名":"阿七","金":[10,"金币"],"物":{"剑":1},"列":["a"]}`
	for _, c := range []struct{ reason, text, path, want, code string }{
		{"empty brackets are a segment without text", `_.set('列[]', 1);`, "列", `["a"]`, "path_missing"},
		{"also in front", `_.set('[]数', 1);`, "数", `5`, "path_missing"},
		{"and between", `_.set('物[].剑', 2);`, "物", `{"剑":1}`, "path_missing"},
		{"an empty segment too", `_.set('物..剑', 2);`, "物", `{"剑":1}`, "path_missing"},
		{"undefined is stored as null", `_.set('名', undefined);`, "名", `null`, ""},
		{"in a pair of a number it is no number", `_.set('金', undefined);`, "金", `[null,"金币"]`, ""},
	} {
		v, err := mvu.New(mustParse(data), mvu.Options{Mode: "compat"})
		if err != nil {
			t.Fatal(err)
		}
		v, res := mvu.Update(v, c.text, mvu.Options{Mode: "compat"})
		code := ""
		for _, f := range res.Failures {
			code += string(f.Code)
		}
		if got := v.Stat.Root().Get(c.path).String(); got != c.want || code != c.code {
			t.Errorf("%s: %s gives %s %s, want %s %s", c.reason, c.text, got, code, c.want, c.code)
		}
	}
}

// TestUndefined: the event for setting undefined has no new value, and its text has the word
// undefined.
func TestUndefined(t *testing.T) {
	t.Parallel()
	v, err := mvu.New(mustParse(`{"名":"阿七"}`), mvu.Options{Mode: "compat"})
	if err != nil {
		t.Fatal(err)
	}
	v, res := mvu.Update(v, `_.set('名', undefined);//走了`, mvu.Options{Mode: "compat"})
	if len(res.Events) != 1 || res.Events[0].New.Exists() || v.Delta().String() != `{"名":"阿七->undefined (走了)"}` {
		t.Errorf("%+v, %s", res.Events, v.Delta())
	}
	_, res = mvu.Update(v, `_.set('名', undefined);`, mvu.Options{})
	if len(res.Events) != 1 || !res.Events[0].New.IsNull() {
		t.Errorf("in default mode it is null: %+v", res.Events)
	}
}

// TestDisplayTexts: values in the texts are JSON, but a text has no outer marks (MV-29).
func TestDisplayTexts(t *testing.T) {
	t.Parallel()
	v, err := mvu.New(mustParse(`{"名":"a\"b\\c","列":["x\ny"]}`), mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, _ = mvu.Update(v, "_.set('名', \"1\\n2\");_.set('列[0]', '\"');", mvu.Options{})
	if got := v.Delta().Get("名").String(); got != `"a\\\"b\\\\c->1\\n2 "` {
		t.Error(got)
	}
	if got := v.Delta().Get("列").At(0).String(); got != `"x\\ny->\\\" "` {
		t.Error(got)
	}
}

// TestModified: a message modifies the data if a value differs afterwards. Writing the existing
// value is still an event (MV-28).
func TestModified(t *testing.T) {
	t.Parallel()
	for _, o := range []mvu.Options{{}, {Mode: "compat"}} {
		for text, want := range map[string]bool{
			"_.set('数', 5);":                         false,
			"_.set('数', 5.0);":                       false,
			"_.add('数', 0);":                         false,
			"_.set('物', {\"剑\":1});":                 false,
			"_.insert('物', '剑', 1);":                 false,
			"_.insert('物', {\"剑\":1});":              false,
			"_.set('数', 6);_.set('数', 5);":           false,
			"_.insert('物', '弓', 1);_.delete('物.弓');": false,
			"<JsonPatch>[{\"op\":\"replace\",\"path\":\"/数\",\"value\":5}]</JsonPatch>": false,
			"_.set('数', 6);":         true,
			"_.insert('物', '弓', 1);": true,
		} {
			v, err := mvu.New(mustParse(`{"$meta":{"recursiveExtensible":true},"数":5,"物":{"剑":1}}`), o)
			if err != nil {
				t.Fatal(err)
			}
			after, res := mvu.Update(v, text, o)
			if res.Modified != want || res.Modified == after.Stat.Same(v.Stat) || len(res.Events) == 0 || len(res.Failures) > 0 {
				t.Errorf("mode %q, %s: modified %v with %d events, %v", o.Mode, text, res.Modified, len(res.Events), res.Failures)
			}
		}
	}
}
