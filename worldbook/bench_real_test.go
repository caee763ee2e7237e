package worldbook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// BenchmarkScanReal scans the real lorebooks next to the repository, if they exist. The chat is
// made of their own words: each message has the keys and the text of an entry.
func BenchmarkScanReal(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "shared", "data", "lorebooks", "*"))
	if err != nil {
		b.Fatal(err)
	}
	if len(paths) == 0 {
		b.Skip("no lorebooks in ../shared/data/lorebooks beside the repository")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		book, problems := format.Parse(data)
		if len(problems.Of("unknown_format")) > 0 {
			continue // YAML of chat bots
		}
		if err := problems.Err(); err != nil {
			b.Fatal(path, err)
		}
		benchmarkReal(b, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), book)
	}
}

func benchmarkReal(b *testing.B, name string, book wb.Book) {
	settings := wb.Exact()
	settings.Depth, settings.Budget, settings.Recursive = 100, 100, true
	c, _ := wb.Compile([]wb.Attachment{{Book: book}}, settings)
	var chat []wb.Message
	for i := range 100 {
		e := &book.Entries[i%len(book.Entries)]
		chat = append(chat, wb.Message{Name: "Ann", Text: strings.Join(e.Keys, ", ") + ": " + e.Content})
	}
	for _, mode := range []string{"full", "unchanged"} {
		b.Run(fmt.Sprintf("book=%s/mode=%s", name, mode), func(b *testing.B) {
			b.ReportAllocs()
			in := wb.Input{Messages: chat, ContextSize: 1e9, Cache: wb.NewCache(0)}
			if mode == "full" {
				in.Cache = wb.NewCache(-1)
			}
			want, _ := c.Scan(in, wb.State{})
			var r wb.Result
			for b.Loop() {
				c.ScanInto(&r, in, wb.State{})
			}
			if len(r.Activated) == 0 || len(r.Activated) != len(want.Activated) {
				b.Fatalf("%d active, want %d and some", len(r.Activated), len(want.Activated))
			}
			b.ReportMetric(float64(len(r.Activated)), "active")
		})
	}
}
