package tree_test

import (
	"math/big"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// TestNumberOrder compares the order of numbers with exact arithmetic.
func TestNumberOrder(t *testing.T) {
	t.Parallel()
	spellings := []tree.Number{"0", "-0", "0.0", "1", "-1", "10", "9.99", "0.1", "0.10", "1e-1", "100e-3", "1E2", "100", "1e+2",
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
	// Exponents beyond the limit of exact arithmetic.
	for _, a := range []tree.Number{"1e401", "1e99999", "1e999999999999999999999999"} {
		if a.Cmp("5") != 1 || tree.Number("-"+a).Cmp("5") != -1 || a.Cmp(a) != 0 {
			t.Errorf("%s is in the wrong place", a)
		}
	}
	if tree.Number("1e-99999").Cmp("0") != 1 || tree.Number("1e99998").Cmp("1e99999") != -1 {
		t.Error("large exponents are in the wrong order")
	}
}

// TestNumberRounding rounds as exact arithmetic does, and beyond its limit as double precision
// does.
func TestNumberRounding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ n, floor, ceil, round tree.Number }{
		{"7", "7", "7", "7"},
		{"2.5", "2", "3", "3"},
		{"-2.5", "-3", "-2", "-2"},
		{"-0.2", "-1", "0", "0"},
		{"0.4999999999999999999", "0", "1", "0"},
		{"12345678901234567890.1", "12345678901234567890", "12345678901234567891", "12345678901234567890"},
		{"1e-500", "0", "0", "0"}, // beyond exact arithmetic, and zero in double precision
	} {
		if f, u, r := c.n.Floor(), c.n.Ceil(), c.n.Round(); f != c.floor || u != c.ceil || r != c.round {
			t.Errorf("%s: %s, %s, %s, want %s, %s, %s", c.n, f, u, r, c.floor, c.ceil, c.round)
		}
	}
	if q, ok := tree.Number("1").Quo("8"); q != "0.125" || !ok {
		t.Errorf("1 / 8 is %s, %v", q, ok)
	}
	if _, ok := tree.Number("1").Quo("0.0"); ok {
		t.Error("1 / 0 is a number")
	}
}
