package memvars_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// world returns a document of about size bytes, and its number of characters.
func world(tb testing.TB, size int) (tree.Document, int) {
	tb.Helper()
	characters, count := testkit.Characters(size)
	d, err := tree.ParseDocument([]byte(`{"stat_data":{"世界":` + testkit.World + `,"角色":` + characters +
		`},"assa_data":{"物品":{}}}`))
	if err != nil {
		tb.Fatal(err)
	}
	return d, count
}

// commandLine writes commands like the commands of the measured original.
func commandLine(kind int, who string, x int) string {
	switch kind {
	case 5, 6:
		return fmt.Sprintf("set_status('角色.%s.位置', '第%d街区');", who, x)
	case 7:
		return fmt.Sprintf("set_status('角色.%s.生命', %d);", who, x)
	case 8:
		return fmt.Sprintf(`memory('物品.%s', '新物%d', '{"num":%d,"description":"刚得到"}');`, who, x, x+1)
	case 9:
		return fmt.Sprintf("set_status('角色.%s.情绪.愉悦', 0.%02d);", who, x)
	}
	return fmt.Sprintf("set_status('角色.%s.好感度', %d);", who, x+100)
}

var sizes = []struct {
	name string
	size int
}{{"100KB", 100_000}, {"1MB", 1_000_000}}

func defaultSystem(tb testing.TB) *memvars.System {
	tb.Helper()
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		tb.Fatal(err)
	}
	return sys
}

// BenchmarkApply measures parsing and applying one message. The old document is the snapshot.
func BenchmarkApply(b *testing.B) {
	sys := defaultSystem(b)
	for _, s := range sizes {
		d, count := world(b, s.size)
		for _, ops := range []int{0, 1, 10, 100} {
			text := testkit.Message(ops, count, commandLine)
			b.Run(fmt.Sprintf("doc=%s/ops=%d", s.name, ops), func(b *testing.B) {
				b.ReportAllocs()
				var result memvars.Result
				for b.Loop() {
					_, result = sys.Apply(d, text, memvars.AI)
				}
				if len(result.Calls) != ops || len(result.Rejected()) != 0 {
					b.Fatalf("%d calls, rejected %+v", len(result.Calls), result.Rejected())
				}
			})
		}
	}
}

// BenchmarkEndTurn measures the passes at the end of a turn with few changes.
func BenchmarkEndTurn(b *testing.B) {
	sys := defaultSystem(b)
	d := standard(b)
	state := sys.Begin(d)
	changed, _ := sys.Apply(d, "set_status('日期', '03月16日')", memvars.AI)
	b.ReportAllocs()
	var result memvars.Result
	for b.Loop() {
		_, _, result = sys.EndTurn(changed, state, memvars.Turn{Reply: "神秘的线人从巷口走来。"})
	}
	if len(result.Changes) != 3 {
		b.Fatalf("%d changes", len(result.Changes))
	}
}

// BenchmarkSnapshot measures keeping the document of every message: the bytes per operation are the
// memory of one snapshot.
func BenchmarkSnapshot(b *testing.B) {
	sys := defaultSystem(b)
	for _, s := range sizes {
		d, count := world(b, s.size)
		text := testkit.Message(10, count, commandLine)
		b.Run("doc="+s.name, func(b *testing.B) {
			b.ReportAllocs()
			var kept [64]tree.Document
			i := 0
			for b.Loop() {
				kept[i%len(kept)], _ = sys.Apply(d, text, memvars.AI)
				i++
			}
			if kept[0].Same(d) || kept[0].String() == d.String() {
				b.Fatal("nothing changed")
			}
			runtime.KeepAlive(kept)
		})
	}
}

// BenchmarkRestore measures going back to a snapshot and reading from it.
func BenchmarkRestore(b *testing.B) {
	for _, s := range sizes {
		d, _ := world(b, s.size)
		path := "stat_data.角色." + testkit.Name(50) + ".好感度"
		b.Run("doc="+s.name, func(b *testing.B) {
			b.ReportAllocs()
			var ok bool
			for b.Loop() {
				current := d // a restore is only this assignment
				_, ok = current.Get(path)
			}
			if !ok {
				b.Fatal("not found")
			}
		})
	}
}

// BenchmarkLoad measures reading and writing a whole document.
func BenchmarkLoad(b *testing.B) {
	for _, s := range sizes {
		d, _ := world(b, s.size)
		text := []byte(d.String())
		b.Run("doc="+s.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			var loaded tree.Document
			for b.Loop() {
				loaded, _ = tree.ParseDocument(text)
			}
			if !loaded.Equal(d) {
				b.Fatal("another document")
			}
		})
	}
}

// BenchmarkCompile measures the additional cost of the one-liners on each call.
func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := memvars.Compile(memvars.Options{}); problems != nil {
			b.Fatal(problems)
		}
	}
}
