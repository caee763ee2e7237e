package format_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// times repeats a text n times between commas, with the number of the time for %d.
func times(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(list, ",")
}

// scaleFiles are lists of n entries, or of one entry with n keys or other parts. Every importer
// reads them.
var scaleFiles = []struct {
	name    string
	entries func(n int) string
}{
	{"entries", func(n int) string {
		return `[` + times(n, `{"uid":%d,"id":%d,"keys":["k%d"],"key":"a,b","content":"text %d","value":"x"}`) + `]`
	}},
	{"an object, backwards", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d":{"keys":["k"]}`, n-i)
		}
		return `{` + b.String()[1:] + `}`
	}},
	{"an object by names", func(n int) string { return `{` + times(n, `"n%d":{"keys":["k"]}`) + `}` }},
	{"twins", func(n int) string { return `{` + times(n, `"n":{"keys":["k"],"id":1,"uid":1}`) + `}` }},
	{"one id", func(n int) string { return `[` + times(n, `{"keys":["k"],"id":1,"uid":1}`) + `]` }},
	{"odd types", func(n int) string {
		return `[` + times(n, `{"keys":5,"id":[],"uid":{},"order":"x","enabled":"no","position":"%d","sticky":-0.0}`) + `]`
	}},
	{"no objects", func(n int) string { return `[{},` + times(n, `%d`) + `]` }},
	{"members", func(n int) string { return `[{` + times(n, `"m%d":[1]`) + `}]` }},
	{"extensions", func(n int) string { return `[{"keys":[],"extensions":{` + times(n, `"m%d":[1]`) + `}}]` }},
	{"keys", func(n int) string {
		return `[{"keys":[` + times(n, `"k%d"`) + `],"key":"` + times(n, `k%d`) + `","triggers":"` + times(n, `k%d`) + `"}]`
	}},
	{"one long text", func(n int) string {
		return `[{"keys":["k"],"content":"` + strings.Repeat(`\"\\u00e9 \ud83d\ude00`, 10*n) + `"}]`
	}},
	{"nested", func(n int) string {
		return `[{"keys":["k"],"x":[` + times(n/8, strings.Repeat("[", 400)+strings.Repeat("]", 400)) + `]}]`
	}},
}

// importWork gives a file of size n to every importer.
func importWork(entries func(n int) string) func(n int) func() {
	return func(n int) func() {
		list := entries(n)
		var files [][]byte
		for _, shell := range shells {
			files = append(files, []byte(strings.Replace(shell, "#", list, 1)))
		}
		return func() {
			for i, file := range files {
				if _, problems := importers[i](file); problems.Err() != nil {
					panic(problems)
				}
				// Some of the files are not books. Detecting that takes time too.
				if _, err := format.Detect(file); err != nil && !errors.Is(err, format.ErrUnknown) {
					panic(err)
				}
			}
		}
	}
}

// otherFeatures do not read a file of entries.
var otherFeatures = []struct {
	name string
	work func(n int) func()
}{
	{"export", func(n int) func() {
		book := worldbook.Book{Extra: map[string]json.RawMessage{}}
		for i := range n {
			id := fmt.Sprint("x", i)
			book.Extra[id] = json.RawMessage("[1]")
			book.Entries = append(book.Entries, worldbook.Entry{UID: id, Keys: []string{id}, World: new("w"),
				Extra: map[string]json.RawMessage{"own": json.RawMessage("1")}})
		}
		return func() {
			if _, problems := format.WriteCard(book); problems.Err() != nil {
				panic(problems.Err())
			}
			if _, err := format.WriteSillyTavern(book); err != nil {
				panic(err)
			}
		}
	}},
	{"typed keys", func(n int) func() {
		text := times(n, "key %d, /a%d,b/i,, /broken%d")
		return func() { format.SplitKeys(text) }
	}},
	{"typed blanks and slashes", func(n int) func() {
		text := strings.Repeat(" ", 50*n) + strings.Repeat("/", 50*n)
		return func() { format.SplitKeys(text) }
	}},
	{"timed effects", func(n int) func() {
		s := worldbook.State{Sticky: map[string]worldbook.Record{}, Last: map[string][2]int{}}
		for i := range n {
			s.Sticky[fmt.Sprint("b.", i)] = worldbook.Record{Hash: "1", End: 10}
			s.Last[fmt.Sprint("b.", i)] = [2]int{1}
		}
		return func() {
			data, err := format.WriteSillyTavernMetadata(s)
			if err == nil {
				_, err = format.ParseSillyTavernMetadata(data)
			}
			if err != nil {
				panic(err)
			}
			format.FromRoleplayRows(format.RoleplayRows(s, "b", 5, nil), "b", 5)
		}
	}},
}

// TestPerfFeatures: a file that is eight times as large takes about eight times as long. A
// quadratic reader would take 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFiles {
		linear(t, f.name, importWork(f.entries))
	}
	for _, f := range otherFeatures {
		linear(t, f.name, f.work)
	}
}

func linear(t *testing.T, name string, work func(n int) func()) {
	t.Helper()
	few, many := work(125), work(1000)
	testkit.AtMost(t, name+", 1,000 against 125", 40, func() float64 {
		long, short := time.Hour, time.Hour
		for range 2 { // alternately, so that a disturbance of the machine affects both
			long = min(long, testkit.Best(1, many))
			short = min(short, testkit.Best(4, few))
		}
		return testkit.Ratio(long, short)
	})
}
