package mvu_test

import (
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
)

// TestComputedValues shows that the values within an object or list literal are
// evaluated like those outside of it, and what a date that can be added to may look
// like (MV-28).
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

// TestStrictSet shows that strictSet switches off the rule of pairs and no other: a
// text on a number still becomes one (MV-29).
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
