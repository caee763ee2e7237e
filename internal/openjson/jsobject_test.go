package openjson

import (
	"slices"
	"testing"
)

// TestMembers tests JavaScript's property order: which names are index keys, and the effect of a
// repeated name.
func TestMembers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, json string
		want         []string // name, value, name, value …
	}{
		{reason: "number keys first, ascending, then as written",
			json: `{"b":1,"10":2,"a":3,"9":4,"0":5}`,
			want: []string{"0", "5", "9", "4", "10", "2", "b", "1", "a", "3"}},
		{reason: "no number keys: sign, zero in front, fraction, blank, other digits",
			json: `{"-1":1,"03":2,"1.5":3," 1":4,"+2":5,"１":6,"":7,"1":8}`,
			want: []string{"1", "8", "-1", "1", "03", "2", "1.5", "3", " 1", "4", "+2", "5", "１", "6",
				"", "7"}},
		{reason: "the largest number key is 2^32-2",
			json: `{"4294967295":1,"4294967294":2,"x":3,"2147483648":4}`,
			want: []string{"2147483648", "4", "4294967294", "2", "4294967295", "1", "x", "3"}},
		{reason: "a repeated name: the first place, the last value",
			json: `{"a":1,"b":2,"a":3}`, want: []string{"a", "3", "b", "2"}},
		{reason: "names are unquoted, values are not", json: `{"\u0031\u5143":"\u0031"}`,
			want: []string{"1元", `"\u0031"`}},
		{reason: "no object", json: `["a"]`},
		{reason: "nothing", json: ``},
		{reason: "no JSON", json: `{"a":1,"b":}`, want: []string{"a", "1"}},
	} {
		var got []string
		for _, m := range Members([]byte(tc.json)) {
			got = append(got, m.Name, string(m.Value))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q; want %q", tc.reason, got, tc.want)
		}
	}
}

// TestCompare tests that the order is consistent, even for numbers that are far apart.
func TestCompare(t *testing.T) {
	t.Parallel()
	ordered := []string{"0", "7", "10", "4294967294"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := Compare(a, b); got != min(1, max(-1, i-j)) {
				t.Errorf("%s, %s: %d", a, b, got)
			}
		}
		if Compare(a, "x") != -1 || Compare("x", a) != 1 {
			t.Errorf("%s does not stand before x", a)
		}
	}
	if Compare("b", "a") != 0 {
		t.Error("names that are no numbers have an order")
	}
}
