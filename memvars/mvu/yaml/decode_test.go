package yaml_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	core "github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/mvu/yaml"
)

// An entry with anchors, which package mvu alone does not read.
func ExampleParse() {
	books := []mvu.Book{{Name: "tavern", Entries: []mvu.Entry{{Comment: "[initvar]", Content: `
base: &npc {hp: 10, mood: calm}
阿七: {<<: *npc, hp: 12}
`}}}}
	vars, problems := mvu.Init(mvu.Variables{}, books, "", mvu.Options{YAML: yaml.Parse})
	fmt.Println(vars.Stat, problems)
	// Output: {"base":{"hp":10,"mood":"calm"},"阿七":{"hp":12,"mood":"calm"}}
}

// TestDecode reads what package mvu leaves to this module, and gives the values of YAML 1.2.
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"an alias is the value of its anchor", "a: &x [1, 2]\nb: *x\n", `{"a":[1,2],"b":[1,2]}`},
		{"a merge key brings what is missing", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", `{"a":{"p":1,"q":2},"b":{"q":3,"p":1}}`},
		{"of several the first wins", "a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}\n", `{"a":{"p":1},"b":{"p":2,"q":2},"c":{"p":1,"q":2}}`},
		{"a tag makes a text", "a: !!str 5\nb: !!str true\n", `{"a":"5","b":"true"}`},
		{"keys in the long form", "? a\n: 1\n? 2\n: b\n", `{"a":1,"2":"b"}`},
		{"numbers are those of YAML 1.2", "a: 017\nb: 1_000\nc: 0x1F\nd: 0o17\ne: .5\nf: 1.0\n", `{"a":17,"b":"1_000","c":31,"d":15,"e":0.5,"f":1.0}`},
		{"words of YAML 1.1 are texts", "a: yes\nb: off\nc: 09:15\nd: 2024-01-02\n", `{"a":"yes","b":"off","c":"09:15","d":"2024-01-02"}`},
		{"quoted ones are texts", "a: '1'\nb: \"true\"\nc: |\n  2\n", `{"a":"1","b":"true","c":"2\n"}`},
		{"nothing is null", "a:\nb: ~\n", `{"a":null,"b":null}`},
		{"members keep their order", "z: 1\na: 2\nm: 3\n", `{"z":1,"a":2,"m":3}`},
	} {
		v, err := yaml.Parse(tt.text)
		if err != nil || v.String() != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.reason, v, err, tt.want)
		}
	}
}

// TestDecodeRefuses: a text without a value, and a text that tries to be too large, is an error. No
// text ends the process.
func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		alias := fmt.Sprintf("*a%d", i)
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(alias+", ", 9)+alias)
	}
	merges := "a0: &a0 {k: 1}\n"
	for i := range 30 {
		merges += fmt.Sprintf("a%d: &a%d {<<: [*a%d, *a%d], k%d: 1}\n", i+1, i+1, i, i, i)
	}
	for _, tt := range []struct {
		reason, text string
		want         string // part of the error
	}{
		{"a billion laughs", bomb, "more than 65536 values"},
		{"merges that double", merges, "more than 65536 values"},
		{"an alias within its own anchor", "a: &a [*a]\n", ""},
		{"brackets", strings.Repeat("[", 100_000), "nested deeper than 200 levels"},
		{"braces", strings.Repeat("{a: ", 100_000), "nested deeper than 200 levels"},
		{"dashes", strings.Repeat("- ", 100_000) + "a", "nested deeper than 200 levels"},
		{"long keys", strings.Repeat("? ", 100_000) + "a", "nested deeper than 200 levels"},
		{"indentation", indented(500), "nested deeper than 200 levels"},
		{"a level too many", strings.Repeat("- ", 200+1) + "a", "nested deeper than 200 levels"},
		{"a long text", strings.Repeat("a", 1048576+1), "more than 1048576 bytes"},
		{"a key twice", "a: 1\na: 2\n", ""},
		{"a key that is null", "~: 1\n", "a key is no text"},
		{"a key that is a list", "? [a]\n: 1\n", "a key is no text"},
		{"merging a text", "a: {<<: x}\n", "a key is no text"},
		{"a tag of somebody else", "a: !thing 1\n", "a tag that has no value"},
		{"bytes", "a: !!binary aGk=\n", "a tag that has no value"},
		{"no number of JSON", "a: .inf\n", "a tag that has no value"},
		{"two documents", "a: 1\n---\nb: 2\n", ""},
		{"an unknown alias", "a: *x\n", ""},
		{"no YAML", "a: [1\n", ""},
	} {
		if v, err := yaml.Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %.60s, %v, want %v", tt.reason, v, err, tt.want)
		}
	}
}

func indented(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// TestTheSmallReaderAgrees: the reader of package mvu agrees with this parser for the YAML that it
// supports. There is one exception: this parser always adds the line break that ends a block text
// at the end of a text.
func TestTheSmallReaderAgrees(t *testing.T) {
	t.Parallel()
	pieces := strings.Split("a: |b:|- |-|\n|\n  |\n    | |x|1|0x1F|true|~|'q'|\"d\\n\"|>|>-|>+|[|]|{|}|, |:|# c| # c|\t|'|\"|text here|key: |? |09:15|2024-01-02|1.5|-3|+2|1e3|''|null|yes|a b: |甲: |\r\n|0o17|017|1_000|.5|%|@|`", "|")
	pieces = append(pieces, "|", "|-", "|+\n")
	r := rand.New(rand.NewPCG(7, 9))
	read := 0
	for range 30_000 {
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := strings.TrimRight(b.String(), "\n") + "\n"
		small, err := core.Parse(text)
		if err != nil {
			continue
		}
		read++
		if whole, err := yaml.Parse(text); strings.TrimSpace(text) != "" && !small.IsNull() && (err != nil || !whole.Equal(small)) {
			t.Errorf("%q: %s, and by the parser %s, %v", text, small, whole, err)
		}
	}
	if read < 5000 {
		t.Errorf("only %d texts were read", read)
	}
}

// TestRecordedEntries: the recorded initial variables that are YAML come out the same.
func TestRecordedEntries(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../testdata/conformance/mvu_initvar.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID      string
			Initial struct{ Books []mvu.Book }
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, c := range file.Cases {
		for _, b := range c.Initial.Books {
			for _, e := range b.Entries {
				small, err := core.Parse(e.Content)
				if err != nil {
					continue
				}
				read++
				if v, err := yaml.Parse(e.Content); err != nil || !v.Equal(small) {
					t.Errorf("%s: %s, %v, want %s", c.ID, v, err, small)
				}
			}
		}
	}
	if read == 0 {
		t.Error("no entry is YAML")
	}
}

// TestGrowth: the work is in proportion to the text.
func TestGrowth(t *testing.T) {
	var atoms []testkit.Atom
	for _, piece := range []string{"- a\n", "a", "[", "{", "- ", "? ", "[a, ", "{a: ", "'", "\"", "\"\\x41", "# c\n", "\n", " ", "\t", "|\n", "&a ", "*a ", "!!str ", "a: &x 1\n", "---\n", "- {a: 1}\n", "- [a, b]\n", "- |\n  x\n", "甲"} {
		atoms = append(atoms, testkit.Repeat(piece))
	}
	atoms = append(atoms, testkit.Nest("[", "", "]"), testkit.Nest("{a: ", "1", "}"),
		testkit.Atom{Head: "a: &x [1, 2, 3]\nb:\n", Open: "- *x\n"}, testkit.Atom{Head: "a: &x {k: 1}\nb:\n", Open: "- {<<: *x}\n"},
		testkit.Atom{Head: "a: |\n", Open: "  x\n\n"}, testkit.Atom{Head: "a: >+\n", Open: "   x\n  y\n"}, testkit.Atom{Head: "a: \"", Open: "x\n  ", Tail: "\""},
		testkit.Atom{Head: "a: [", Open: "x,\n ", Tail: "]"})
	testkit.Growth(t, testkit.Reader{Name: "Decode", Atoms: atoms, Read: func(text string) { _, _ = yaml.Parse(text) }})
}

// FuzzDecode: no text makes Decode panic, and a decoded value can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"a: &x 1\nb: *x", "<<: {a: 1}", "? a\n: b", "- [1, {a: b}]", "a: !!int '1'", "a: |\n  b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := yaml.Parse(text)
		if err != nil {
			return
		}
		if _, err := json.Marshal(v); err != nil || v.Deeper(200+1) {
			t.Errorf("%q: %s, %v", text, v, err)
		}
	})
}
