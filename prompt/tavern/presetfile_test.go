package tavern

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/testkit"
)

type leaf struct {
	ID    string `json:"id"`
	extra presetfileMembers
	read  presetfileMembers
}

func (l *leaf) UnmarshalJSON(data []byte) (err error) {
	type plain leaf
	var file plain
	extra, read, err := decode(data, &file)
	if err == nil {
		*l = leaf(file)
		l.extra, l.read = extra, read
	}
	return err
}

func (l leaf) MarshalJSON() ([]byte, error) {
	type plain leaf
	return encode(plain(l), plain{}, l.extra, l.read)
}

type tree struct {
	Name   string   `json:"name"`
	Depth  *int     `json:"depth,omitempty"`
	Count  int      `json:"count,omitempty"`
	On     bool     `json:"on"`
	Words  []string `json:"words,omitempty"`
	Leaves []leaf   `json:"leaves,omitempty"`
	Hidden int      `json:"-"`
}

// TestComesBack reads files, with and without changes, and writes them.
func TestComesBack(t *testing.T) {
	t.Parallel()
	keep := func(*tree) {}
	for _, c := range []struct {
		reason, file string
		change       func(*tree)
		want         string
	}{
		{"what is missing stays missing", `{}`, keep, `{}`},
		{"what says nothing stays", `{"name":"","on":false,"count":0,"depth":null,"words":[]}`, keep,
			`{"name":"","depth":null,"count":0,"on":false,"words":[]}`},
		{"the spelling of numbers stays", `{"count":4.0,"depth":"7"}`, keep, `{"depth":"7","count":4.0}`},
		{"members of others come last, by name", `{"z":1,"on":true,"a":{"on":0},"Hidden":2,"NAME":"x"}`,
			keep, `{"on":true,"Hidden":2,"NAME":"x","a":{"on":0},"z":1}`},
		{"of a name twice the later counts", `{"count":1,"count":2}`, keep, `{"count":2}`},
		{"a change is written", `{"count":"4","name":null}`,
			func(x *tree) { x.Count, x.Name, x.On = 5, "n", true }, `{"name":"n","count":5,"on":true}`},
		{"a change back to nothing is one", `{"count":4}`,
			func(x *tree) { x.Count = 0 }, `{"count":0}`},
		{"changes behind pointers count", `{"depth":3,"words":["a"],"leaves":[{"id":"a","x":0},{"id":""}]}`,
			func(x *tree) { *x.Depth, x.Words[0], x.Leaves[1].ID = 4, "b", "new" },
			`{"depth":4,"words":["b"],"leaves":[{"id":"a","x":0},{"id":"new"}]}`},
		{"a null in a list is an empty object when written", `{"leaves":[null]}`,
			func(x *tree) { x.Leaves = append(x.Leaves, leaf{ID: "b"}) },
			`{"leaves":[{"id":""},{"id":"b"}]}`},
	} {
		var x tree
		extra, read, err := decode([]byte(c.file), &x)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		c.change(&x)
		got, err := encode(x, tree{}, extra, read)
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", c.reason, got, err, c.want)
		}
	}
}

// TestMade writes a value that was never read. Its tags are used.
func TestMade(t *testing.T) {
	t.Parallel()
	got, err := encode(tree{Name: "<n>", Words: []string{}}, tree{}, presetfileMembers{
		"on": json.RawMessage("true"), "x": json.RawMessage("1"),
	}, nil)
	if want := `{"name":"<n>","on":false,"x":1}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// TestMistakes: a member of a wrong type is converted as programs that write presets do, or left
// out. Each is reported with its place. Only a file that is not an object is refused.
func TestMistakes(t *testing.T) {
	t.Parallel()
	number := 3
	for file, want := range map[string]struct {
		tree tree
		odd  string
	}{
		`{"name":1.50,"depth":"3","on":"","count":true}`: {tree{Name: "1.50", Depth: &number}, "name: must be a text, not the number 1.50: its digits are read as a text\n" +
			"count: must be a whole number in range, not true: it is left out\non: must be true or false, not a text: it is read as false"},
		`{"name":[],"depth":2.5,"on":"false","words":"w","leaves":{}}`: {tree{On: true}, "name: must be a text, not a list: it is left out\n" +
			"depth: must be a whole number in range, not the number 2.5: it is left out\non: must be true or false, not a text: it is read as true\n" +
			"words: must be a list, not a text: it is left out\nleaves: must be a list, not an object: it is left out"},
		`{"on":0.0,"leaves":[{"id":"a"},{"id":[]},3,{"id":7}]}`: {tree{Leaves: []leaf{{ID: "a"}, {}, {ID: "7"}}},
			"on: must be true or false, not the number 0.0: it is read as false\nleaves[1].id: must be a text, not a list: it is left out\n" +
				"leaves[2]: must be an object, not the number 3: it is left out\nleaves[3].id: must be a text, not the number 7: its digits are read as a text"},
		`{"on":{},"words":["a",5,{},"b"]}`: {tree{On: true, Words: []string{"a", "5", "b"}}, "on: must be true or false, not an object: it is read as true\n" +
			"words[1]: must be a text, not the number 5: its digits are read as a text\nwords[2]: must be a text, not an object: it is left out"},
		`{"count":1e300}`:                          {tree{}, "count: must be a whole number in range, not the number 1e300: it is left out"},
		`{"name":null,"leaves":[null],"words":[]}`: {tree{Leaves: []leaf{{}}, Words: []string{}}, ""},
	} {
		var x tree
		extra, read, err := decode([]byte(file), &x)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if diff := cmp.Diff(want.tree, x, cmpopts.IgnoreUnexported(leaf{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		lines := strings.Split(want.odd, "\n")
		slices.Sort(lines)
		got := strings.Split(vet(tree{}, read).Error(), "\n")
		slices.Sort(got)
		if diff := cmp.Diff(lines, got); diff != "" {
			t.Errorf("%s: reported (-want +got):\n%s", file, diff)
		}
		again, err := encode(x, tree{}, extra, read)
		if err != nil || !sameJSON(string(again), file) {
			t.Errorf("%s is written as %s, %v", file, again, err)
		}
	}
	for file, want := range map[string]string{
		`[1]`: "must be an object, not a list",
		`{"name":"` + strings.Repeat("魔", 99) + `"`: "this is not JSON: unexpected end of JSON input",
	} {
		if _, _, err := decode([]byte(file), &tree{}); err == nil || problemsOf(err).Error() != want {
			t.Errorf("%s: %v", file, err)
		}
	}
	var many tree
	_, read, err := decode([]byte(`{"leaves":[`+strings.Repeat("5,", 5000)+`5]}`), &many)
	if n := len(vet(tree{}, read)); n != 100 || err != nil || len(many.Leaves) != 0 {
		t.Errorf("%d mistakes of a list, %v, want the first 100", n, err)
	}
	if _, ps := parse([]byte(" null\n"), SystemPrompt{}); len(ps) != 1 || ps[0].Severity != talewright.Fatal ||
		ps.Error() != "must be an object, not null" {
		t.Error(ps)
	}
}

// TestExtraOfHosts: extra members of a host cannot make an unreadable file.
func TestExtraOfHosts(t *testing.T) {
	t.Parallel()
	got, err := encode(tree{}, tree{}, presetfileMembers{"x": nil}, presetfileMembers{})
	if err != nil || string(got) != `{"x":null}` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := encode(tree{}, tree{}, presetfileMembers{"broken": json.RawMessage("]")}, presetfileMembers{}); err == nil ||
		!strings.Contains(err.Error(), `"broken"`) {
		t.Error(err)
	}
}

// TestGrowth checks that reading and writing has linear cost.
func TestGrowth(t *testing.T) {
	testkit.Growth(t, testkit.Reader{Name: "preset", Size: 2 << 10, Read: func(text string) {
		var x tree
		if extra, read, err := decode([]byte(text), &x); err == nil {
			_, _ = encode(x, tree{}, extra, read)
		} else {
			_ = err.Error()
		}
	}, Atoms: []testkit.Atom{
		{Head: `{"name":"x"`, Open: `,"a":1`, Tail: `}`},
		{Head: `{"name":"x"`, Open: `,"words":["a"]`, Tail: `}`},
		{Head: `{"words":["a"`, Open: `,5`, Tail: `]}`},
		{Head: `{"leaves":[{}`, Open: `,{}`, Tail: `]}`},
		{Head: `{"leaves":[{}`, Open: `,5`, Tail: `]}`},
		{Head: `{"leaves":`, Open: `[`, Close: `]`, Tail: `}`},
		{Head: `{"x":`, Open: `{"a":`, Mid: `1`, Close: `}`, Tail: `}`},
		{Head: `{"count":`, Open: `9`, Tail: `}`},
		{Head: `{"name":"`, Open: `\ud800`, Tail: `"}`},
	}})
}

// sameJSON compares two JSON texts.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
