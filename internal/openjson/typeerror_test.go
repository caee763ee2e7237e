package openjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// leaf keeps unknown members; list has its own UnmarshalJSON.
type leaf struct {
	Name  string  `json:"name"`
	HP    *int    `json:"hp"`
	Share float32 `json:"share"`
	On    bool    `json:"on"`
	extra Extra
}

func (l *leaf) UnmarshalJSON(data []byte) (err error) {
	type plain leaf
	var p plain
	p.extra, err = Decode(data, &p)
	*l = leaf(p)
	return err
}

type picky struct{}

func (*picky) UnmarshalJSON([]byte) error { return errors.New("is never right") }

type tree struct {
	inner
	Title    string              `json:"title"`
	Leaves   []leaf              `json:"leaves"`
	ByName   map[string]leaf     `json:"by_name"`
	Sizes    [][]int8            `json:"sizes"`
	Own      *picky              `json:"own"`
	Settings struct{ Depth int } `json:"settings"`
	Skipped  int                 `json:"-"`
	Sub      *tree               `json:"sub"`
}

// TestTypeErrors: all mistakes are reported at once, in terms of JSON, with their paths.
func TestTypeErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{`[]`, "must be an object, not a list"},
		{`{"title":5}`, "title: must be a text, not the number 5"},
		{`{"title":null,"deep":[]}`, "deep: must be a text, not a list"},
		{`{"leaves":{}}`, "leaves: must be a list, not an object"},
		{`{"leaves":[{},{"hp":"x","name":7},{"hp":1.5},5]}`, "leaves[1].name: must be a text, not the number 7\n" +
			"leaves[1].hp: must be a whole number in range, not a text\n" +
			"leaves[2].hp: must be a whole number in range, not the number 1.5\n" +
			"leaves[3]: must be an object, not the number 5"},
		{`{"by_name":{"b":{"on":0},"a":{"share":1e99}}}`, "by_name.a.share: must be a number in range, not the number 1e99\n" +
			"by_name.b.on: must be true or false, not the number 0"},
		{`{"sizes":[[1],[2,300,true]]}`, "sizes[1][1]: must be a whole number in range, not the number 300\n" +
			"sizes[1][2]: must be a whole number in range, not true or false"},
		{`{"own":1}`, "own: is never right"},
		{`{"settings":{"Depth":"deep"}}`, "settings.Depth: must be a whole number in range, not a text"},
		{`{"sub":{"leaves":[{"on":"yes"}]}}`, "sub.leaves[0].on: must be true or false, not a text"},
	} {
		var got tree
		_, err := Decode([]byte(tc.in), &got)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s:\n%v\nwant\n%s", tc.in, err, tc.want)
		}
		if as := (*TypeError)(nil); !errors.As(err, &as) {
			t.Errorf("%s: no *TypeError in %v", tc.in, err)
		}
	}
	var got tree
	if _, err := Decode([]byte(`{"title":`), &got); err == nil || strings.Contains(err.Error(), "must be") {
		t.Errorf("no JSON: %v", err)
	}
	many := `{"leaves":[` + strings.Repeat("5,", 5000) + `5]}`
	if _, err := Decode([]byte(many), &got); strings.Count(fmt.Sprint(err), "\n") != maxMistakes-1 {
		t.Errorf("%d lines", strings.Count(fmt.Sprint(err), "\n"))
	}
}

// TestExtraOfHosts: a host's extra members cannot cause unreadable JSON, and are as compact as the
// rest.
func TestExtraOfHosts(t *testing.T) {
	t.Parallel()
	got, err := Encode(sample{}, Extra{"none": nil, "x": json.RawMessage(` 1 `)})
	if err != nil || !json.Valid(got) || !strings.HasSuffix(string(got), `,"none":null,"x":1}`) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Encode(sample{}, Extra{"broken": json.RawMessage(`]`)}); err == nil || !strings.Contains(err.Error(), `"broken"`) {
		t.Errorf("broken: %v", err)
	}
}

// TestGrowth tests that reading, and searching for mistakes, have linear cost.
func TestGrowth(t *testing.T) {
	testkit.Growth(t, testkit.Reader{Name: "Decode", Read: func(text string) {
		var got tree
		if extra, err := Decode([]byte(text), &got); err == nil {
			_, _ = Encode(struct{}{}, extra)
		}
	}, Atoms: []testkit.Atom{
		{Head: `{"title":"x"`, Open: `,"a":1`, Tail: `}`},
		{Head: `{"leaves":[{}`, Open: `,{"hp":"x"}`, Tail: `]}`},
		{Head: `{"leaves":[{}`, Open: `,{}`, Tail: `,5]}`},
		{Head: `{"by_name":{"a":5`, Open: `,"a":5`, Tail: `}}`},
		{Head: `{"sizes":`, Open: `[`, Close: `]`, Tail: `}`},
		{Head: `{"sub":`, Open: `{"sub":`, Mid: `5`, Close: `}`, Tail: `}`},
		{Head: `{"title":`, Open: `9`, Tail: `}`},
	}})
}
