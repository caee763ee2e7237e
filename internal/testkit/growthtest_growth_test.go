package testkit

import (
	"strings"
	"testing"
)

func TestRunPassesLinearReaders(t *testing.T) {
	Growth(t, Reader{Name: "fields", Read: func(s string) { strings.Fields(s) }, Atoms: []Atom{Repeat("a "), Nest("( ", "x", ") ")}})
}

func TestGrowSeesQuadraticReaders(t *testing.T) {
	WithoutRace(t)
	r := Reader{Size: 1 << 10, Read: func(s string) {
		out := ""
		for _, word := range strings.Fields(s) {
			out += word
		}
		_ = out
	}}
	if f, what := r.grow(Repeat("ab ")); f <= limit {
		t.Errorf("copying the rest at each word grows by %.1f (%s), want more than %d", f, what, limit)
	}
}

func TestAtomText(t *testing.T) {
	a := Atom{Head: "<", Open: "(", Mid: "x", Close: ")", Tail: ">"}
	if got := a.Text(6); got != "<(((x)))>" {
		t.Errorf("got %s", got)
	}
}
