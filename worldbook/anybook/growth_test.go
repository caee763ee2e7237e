package anybook_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/anybook"
	"github.com/talewright/talewright/worldbook/charbook"
	"github.com/talewright/talewright/worldbook/roleplay"
	"github.com/talewright/talewright/worldbook/stbook"
)

// growthLists are entries, or what stands in their place, repeated and nested. Each is
// put into the shell of each format.
var growthLists = []growthtest.Atom{
	{Head: `[{"keys":["k"]}`, Open: `,{}`, Tail: `]`},
	{Head: `[{"keys":["k"]}`, Open: `,0`, Tail: `]`},
	{Head: `[{"keys":["k"]}`, Open: `,{"uid":1,"id":1,"key":"a","keys":["a"],"content":"c"}`, Tail: `]`},
	{Head: `{"x":{}`, Open: `,"1":{"id":1}`, Tail: `}`},
	{Head: `{"x":{}`, Open: `,"\u0031":{}`, Tail: `}`},
	{Head: `[{"a":1`, Open: `,"a":1`, Tail: `}]`},
	{Head: `[{"a":1`, Open: `,"keys":["a"]`, Tail: `}]`},
	{Head: `[{"keys":["k"`, Open: `,"k"`, Tail: `]}]`},
	{Head: `[{"keys":["k"`, Open: `,5`, Tail: `],"keywords":[5],"triggers":[5]}]`},
	{Head: `[{"key":"k`, Open: `,k`, Tail: `","useRegex":true}]`},
	{Head: `[{"key":"k`, Open: `/`, Tail: `","useRegex":true}]`},
	{Head: `[{"content":"`, Open: `\ud800`, Tail: `"}]`},
	{Head: `[{"content":"`, Open: `\\\"\/`, Tail: `"}]`},
	{Head: `[{"content":"`, Open: "\xff", Tail: `"}]`},
	{Head: `[{"extensions":{"a":1`, Open: `,"b":[1]`, Tail: `}}]`},
	{Head: `[{"x":`, Open: `[`, Close: `]`, Tail: `}]`},
	{Head: `[{"x":`, Open: `{"a":`, Mid: `1`, Close: `}`, Tail: `}]`},
	{Head: `[`, Open: `{"entries":[`, Close: `]}`, Tail: `]`},
	{Head: `[`, Open: `/**/`, Tail: `]`},
	{Head: `[`, Open: `/*`, Tail: `]`},
	{Head: `[`, Open: "//\n", Tail: `]`},
	{Head: `[`, Open: `// "`, Tail: "\n]"},
	{Head: `[`, Open: `"`, Tail: `]`},
	{Head: `[{"order":`, Open: `9`, Tail: `}]`},
	{Head: `[{"order":0.`, Open: `0`, Tail: `1e-5}]`},
}

// inShell returns the atoms with the shell of a format around them.
func inShell(before, after string) []growthtest.Atom {
	list := make([]growthtest.Atom, len(growthLists))
	for i, a := range growthLists {
		a.Head, a.Tail = before+a.Head, a.Tail+after
		list[i] = a
	}
	return list
}

// TestGrowth holds all importers to linear cost.
func TestGrowth(t *testing.T) {
	var readers []growthtest.Reader
	for i, parse := range importers {
		before, after, _ := strings.Cut(shells[i], "#")
		readers = append(readers, growthtest.Reader{
			Size:  1 << 10, // an empty entry makes forty members
			Name:  fmt.Sprintf("importer %d %s", i, shells[i]),
			Read:  func(text string) { _, _ = parse([]byte(text)) },
			Atoms: inShell(before, after),
		})
	}
	detected := append(inShell(``, ``), inShell(`{"entries":`, `}`)...)
	readers = append(readers,
		growthtest.Reader{Name: "anybook.Detect", Atoms: detected,
			Read: func(text string) { _, _ = anybook.Detect([]byte(text)) }},
		growthtest.Reader{Name: "roleplay.Parse of a request", Atoms: inShell(`{"roleplayConfig":{"worldBookEntries":`, `}}`),
			Read: func(text string) { _, _ = roleplay.Parse("", []byte(text)) }},
		growthtest.Reader{Name: "roleplay.ParseEntry", Atoms: inShell(`{"keywords":`, `}`),
			Read: func(text string) { _, _ = roleplay.ParseEntry([]byte(text)) }},
		growthtest.Reader{Name: "charbook.Export", Size: 1 << 10, Atoms: inShell(`{"entries":`, `}`), Read: func(text string) {
			if book, problems := stbook.Parse([]byte(text)); problems.Err() == nil {
				_, _ = charbook.Export(book)
			}
		}},
		growthtest.Reader{Name: "stbook.SplitKeys", Read: func(text string) { stbook.SplitKeys(text) },
			Atoms: []growthtest.Atom{growthtest.Repeat("a,"), growthtest.Repeat(",/"), growthtest.Repeat("/a,"),
				growthtest.Repeat(`\/,`), growthtest.Repeat(" "), growthtest.Repeat(",,"), growthtest.Nest("/(", "a", ")/"),
				growthtest.Repeat("/["), growthtest.Repeat("，"), growthtest.Repeat("/")}},
		growthtest.Reader{Name: "stbook.ParseMetadata", Read: func(text string) {
			if s, err := stbook.ParseMetadata([]byte(text)); err == nil {
				_, _ = stbook.EncodeMetadata(s)
				roleplay.Rows(s, "b", 1, nil)
			}
		}, Atoms: []growthtest.Atom{
			{Head: `{"timedWorldInfo":{"sticky":{"b.0":{"end":9}`, Open: `,"b.1":{"hash":"1","end":9}`, Tail: `}}}`},
			{Head: `{"timedWorldInfo":{"sticky":{"b.0":{"hash":`, Open: `[`, Close: `]`, Tail: `}}}}`},
			growthtest.Nest(`{"timedWorldInfo":`, "1", "}"),
		}},
	)
	growthtest.Run(t, readers...)
}

// TestIdsOfManyEntries: as many uids as the author can write to be in the way of those
// that are given.
func TestIdsOfManyEntries(t *testing.T) {
	t.Parallel()
	var b []byte
	b = append(b, `{"worldBookEntries":[{}`...)
	name := "0"
	for range 300 {
		b = fmt.Appendf(b, `,{"uid":%q}`, name)
		name = "#" + name
	}
	config, found := roleplay.Parse("b", append(b, `]}`...))
	err := found.Err()
	if err != nil || config.Book.Entries[0].UID != name {
		t.Errorf("%q, %v", config.Book.Entries[0].UID, err)
	}
	if _, problems := worldbook.Compile([]worldbook.Attachment{{Book: config.Book}}, config.Settings); len(problems) > 0 {
		t.Error(problems)
	}
}
