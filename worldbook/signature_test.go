package worldbook

import (
	"bytes"
	"math"
	"testing"
)

// TestOf: equal values have the same signature, and different values have different ones.
func TestOf(t *testing.T) {
	t.Parallel()
	type inner struct {
		on   bool
		list []string
	}
	type value struct {
		n      int
		f      float64
		text   string
		raw    []byte
		to     *inner
		by     map[string]inner
		number uint8
	}
	make1 := func() value {
		return value{1, 0.5, "ab", []byte("x"), &inner{true, []string{"a", "b"}}, map[string]inner{"k": {}, "l": {on: true}}, 3}
	}
	if !bytes.Equal(signatureOf(make1()), signatureOf(make1())) {
		t.Error("equal values differ")
	}
	for i, change := range []func(*value){
		func(v *value) { v.n = 2 }, func(v *value) { v.f = math.NaN() }, func(v *value) { v.text = "a" },
		func(v *value) { v.raw = nil }, func(v *value) { v.to = nil }, func(v *value) { v.to.on = false },
		func(v *value) { v.to.list = []string{"ab"} }, func(v *value) { delete(v.by, "k") },
		func(v *value) { v.by["k"] = inner{on: true} }, func(v *value) { v.number = 4 },
	} {
		v := make1()
		change(&v)
		if bytes.Equal(signatureOf(make1()), signatureOf(v)) {
			t.Errorf("change %d does not show", i)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a function has a signature")
		}
	}()
	signatureOf(func() {})
}
