package loose

import (
	"encoding/json"
	"math"
	"testing"
)

// TestValue: a JSON value converts as JavaScript converts it.
func TestValue(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		json   string
		truthy bool
		number float64
		text   string
	}{
		{`true`, true, 1, "true"},
		{`false`, false, 0, "false"},
		{`0`, false, 0, "0"},
		{`1.50`, true, 1.5, "1.5"},
		{`1e21`, true, 1e21, "1e+21"},
		{`""`, false, 0, ""},
		{`" 12 "`, true, 12, " 12 "},
		{`"0"`, true, 0, "0"},
		{`"0x10"`, true, 16, "0x10"},
		{`"12a"`, true, nan, "12a"},
		{`[]`, true, 0, ""},
		{`[7]`, true, 7, "7"},
		{`[1,[2,null]]`, true, nan, "1,2,"},
		{`{}`, true, nan, "[object Object]"},
	} {
		v := Parse(json.RawMessage(tt.json))
		if got := v.Number(); got != tt.number && !(math.IsNaN(got) && math.IsNaN(tt.number)) {
			t.Errorf("Number(%s) = %v, want %v", tt.json, got, tt.number)
		}
		if v.Truthy() != tt.truthy || v.String() != tt.text || v.Missing() {
			t.Errorf("%s: truthy %t, text %q, missing %t", tt.json, v.Truthy(), v.String(), v.Missing())
		}
	}
	for _, none := range []json.RawMessage{nil, json.RawMessage(`null`)} {
		if v := Parse(none); !v.Missing() || v.Truthy() {
			t.Errorf("%q is not missing", none)
		}
	}
}
