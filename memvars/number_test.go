package memvars_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
)

// TestNumbersOfManyDigits: a number of a million digits costs no more than its text,
// compared, added or kept in a document over turns; a command that brings one is
// refused (MV-27).
func TestNumbersOfManyDigits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 1_000_000)
	doc := load(t, []byte(`{"stat_data":{"world_shard":{"task":{"time_limit":[`+long+`,""],"time_left":[`+long+`.5,""]}},`+
		`"日期":["3月1日",""],"n":1,"t":"x"},"assa_data":{"map":{"m":{"resources":{"ore":["1/d",`+long+`],"oil":["1/d","`+long+`"]}}},`+
		`"global_set":{"背包":{"rope":{"num":`+long+`}}}}}`))
	sys, err := memvars.Compile(memvars.Options{SignedDelta: true})
	if err != nil {
		t.Fatal(err)
	}
	state := sys.Begin(doc)
	for range 3 {
		doc, _ = sys.Apply(doc, "memory('global_set.背包.rope', 'x', 1); set_status('日期', '3月2日')", memvars.AI)
		doc, state, _ = sys.EndTurn(doc, state, memvars.Turn{})
	}
	for text, want := range map[string]memvars.Code{
		"set_status('n', " + long + ")":              memvars.TooLong,
		"memory('map', 'n', [" + long + "])":         memvars.TooLong,
		"memory('map', 'n', '{\"a\":" + long + "}')": memvars.TooLong,
		"set_status('n', '" + long + "')":            memvars.TypeMismatch,
		"set_status('t', '" + long + "')":            "",
		"set_status('n', '+" + long + "')":           "",
	} {
		after, res := sys.Apply(doc, text, memvars.AI)
		if got := res.Calls[0].Code; got != want || want != "" && !after.Same(doc) {
			t.Errorf("%.40s: %s, want %q", text, got, want)
		}
	}
	n := memvars.Number(long)
	if n.Cmp(n+"1") != -1 || n.Cmp("-"+n) != 1 || n.Cmp(n+".0") != 0 || n.Cmp("1e1000000") != -1 {
		t.Error("numbers of a million digits are in the wrong order")
	}
	if got := n.Add("1"); len(got) > memvars.MaxDigits {
		t.Errorf("a sum of %d digits", len(got))
	}
}

// TestNumberOrder compares numbers with what exact arithmetic says of them.
func TestNumberOrder(t *testing.T) {
	t.Parallel()
	spellings := []memvars.Number{"0", "-0", "0.0", "1", "-1", "10", "9.99", "0.1", "0.10", "1e-1", "100e-3", "1E2", "100", "1e+2",
		"0.001e5", "-0.5", "-5e-1", "12345678901234567890", "12345678901234567891", "1.2345678901234567891e19", "1e400", "2e-400",
		"-1e400", "99999999999999999999.5", "0e9", "9007199254740993", "9007199254740992.5"}
	for _, a := range spellings {
		for _, b := range spellings {
			x, _ := new(big.Rat).SetString(string(a))
			y, _ := new(big.Rat).SetString(string(b))
			if got, want := a.Cmp(b), x.Cmp(y); got != want {
				t.Errorf("%s against %s: %d, want %d", a, b, got, want)
			}
		}
		x, _ := new(big.Rat).SetString(string(a))
		i, ok := a.Int64()
		if want := x.IsInt() && x.Num().IsInt64(); ok != want || ok && i != x.Num().Int64() {
			t.Errorf("%s as an integer: %d, %v", a, i, ok)
		}
	}
	// Exponents beyond what is computed with.
	for _, a := range []memvars.Number{"1e401", "1e99999", "1e999999999999999999999999"} {
		if a.Cmp("5") != 1 || memvars.Number("-"+a).Cmp("5") != -1 || a.Cmp(a) != 0 {
			t.Errorf("%s is in the wrong place", a)
		}
	}
	if memvars.Number("1e-99999").Cmp("0") != 1 || memvars.Number("1e99998").Cmp("1e99999") != -1 {
		t.Error("large exponents are in the wrong order")
	}
}
