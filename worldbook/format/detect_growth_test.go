package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// growthLists are entries, or other values in their place, repeated and nested. Each is put into
// the shell of each format.
var growthLists = []testkit.Atom{
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
func inShell(before, after string) []testkit.Atom {
	list := make([]testkit.Atom, len(growthLists))
	for i, a := range growthLists {
		a.Head, a.Tail = before+a.Head, a.Tail+after
		list[i] = a
	}
	return list
}

// TestGrowth: the cost of all importers is linear.
func TestGrowth(t *testing.T) {
	var readers []testkit.Reader
	for i, parse := range importers {
		before, after, _ := strings.Cut(shells[i], "#")
		readers = append(readers, testkit.Reader{
			Size:  1 << 10, // an empty entry makes forty members
			Name:  fmt.Sprintf("importer %d %s", i, shells[i]),
			Read:  func(text string) { _, _ = parse([]byte(text)) },
			Atoms: inShell(before, after),
		})
	}
	detected := append(inShell(``, ``), inShell(`{"entries":`, `}`)...)
	readers = append(readers,
		testkit.Reader{Name: "format.Detect", Atoms: detected,
			Read: func(text string) { _, _ = format.Detect([]byte(text)) }},
		testkit.Reader{Name: "roleplay.Parse of a request", Atoms: inShell(`{"roleplayConfig":{"worldBookEntries":`, `}}`),
			Read: func(text string) { _, _ = format.ParseRoleplay("", []byte(text)) }},
		testkit.Reader{Name: "roleplay.Parse of an entry", Atoms: inShell(`[{"keywords":`, `}]`),
			Read: func(text string) { _, _ = format.ParseRoleplay("", []byte(text)) }},
		testkit.Reader{Name: "format.WriteCard", Size: 1 << 10, Atoms: inShell(`{"entries":`, `}`), Read: func(text string) {
			if book, problems := format.ParseSillyTavern([]byte(text)); problems.Err() == nil {
				_, _ = format.WriteCard(book)
			}
		}},
		testkit.Reader{Name: "format.SplitKeys", Read: func(text string) { format.SplitKeys(text) },
			Atoms: []testkit.Atom{testkit.Repeat("a,"), testkit.Repeat(",/"), testkit.Repeat("/a,"),
				testkit.Repeat(`\/,`), testkit.Repeat(" "), testkit.Repeat(",,"), testkit.Nest("/(", "a", ")/"),
				testkit.Repeat("/["), testkit.Repeat("，"), testkit.Repeat("/")}},
		testkit.Reader{Name: "format.ParseSillyTavernMetadata", Read: func(text string) {
			if s, err := format.ParseSillyTavernMetadata([]byte(text)); err == nil {
				_, _ = format.WriteSillyTavernMetadata(s)
				format.RoleplayRows(s, "b", 1, nil)
			}
		}, Atoms: []testkit.Atom{
			{Head: `{"timedWorldInfo":{"sticky":{"b.0":{"end":9}`, Open: `,"b.1":{"hash":"1","end":9}`, Tail: `}}}`},
			{Head: `{"timedWorldInfo":{"sticky":{"b.0":{"hash":`, Open: `[`, Close: `]`, Tail: `}}}}`},
			testkit.Nest(`{"timedWorldInfo":`, "1", "}"),
		}},
	)
	testkit.Growth(t, readers...)
}

// TestIdsOfManyEntries: the uids of the author are chosen to collide with each id that the reader
// tries for an entry without one.
func TestIdsOfManyEntries(t *testing.T) {
	t.Parallel()
	var b []byte
	b = append(b, `{"worldBookEntries":[{}`...)
	name := "0"
	for range 300 {
		b = fmt.Appendf(b, `,{"uid":%q}`, name)
		name = "#" + name
	}
	config, found := format.ParseRoleplay("b", append(b, `]}`...))
	err := found.Err()
	if err != nil || config.Book.Entries[0].UID != name {
		t.Errorf("%q, %v", config.Book.Entries[0].UID, err)
	}
	if _, problems := worldbook.Compile([]worldbook.Attachment{{Book: config.Book}}, config.Settings); len(problems) > 0 {
		t.Error(problems)
	}
}
