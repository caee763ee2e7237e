package mvu_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

func call(kind int, who string, x int) string {
	switch kind {
	case 5, 6:
		return fmt.Sprintf("_.set('角色.%s.位置', '第%d街区');", who, x)
	case 7:
		return fmt.Sprintf("_.add('角色.%s.生命', %d);", who, x%20-10)
	case 8:
		return fmt.Sprintf(`_.assign('角色.%s.物品', '新物%d', {"num":%d,"description":"刚得到"});`, who, x, x)
	case 9:
		return fmt.Sprintf("_.set('角色.%s.情绪.愉悦', 0.%02d);", who, x)
	}
	return fmt.Sprintf("_.set('角色.%s.好感度', %d);", who, x)
}

// TestNothingAsked: a message without commands opens nothing for writing, even in a large document.
func TestNothingAsked(t *testing.T) {
	v, err := mvu.New(tree.Object(tree.Member{Key: "hp", Value: tree.Int(7)}), mvu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := testkit.Allocs(100, func() { mvu.Update(v, "She nods and says nothing.", mvu.Options{}) }); n > 1 {
		t.Errorf("%v allocations, want at most one", n)
	}
}

// BenchmarkUpdate measures one message: finding and running its commands, and the snapshot (the old
// variables). The original takes 6 to 105 ms for the same.
func BenchmarkUpdate(b *testing.B) {
	for _, s := range []struct {
		name string
		size int
	}{{"100KB", 100_000}, {"1MB", 1_000_000}} {
		characters, count := testkit.Characters(s.size)
		data, err := tree.ParseValue([]byte(`{"$meta":{"recursiveExtensible":true},"世界":` +
			testkit.World + `,"角色":` + characters + `}`))
		if err != nil {
			b.Fatal(err)
		}
		v, err := mvu.New(data, mvu.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, ops := range []int{0, 1, 10, 100} {
			text := testkit.Message(ops, count, call)
			b.Run(fmt.Sprintf("doc=%s/ops=%d", s.name, ops), func(b *testing.B) {
				b.ReportAllocs()
				var res mvu.Result
				for b.Loop() {
					_, res = mvu.Update(v, text, mvu.Options{})
				}
				if len(res.Commands) != ops || len(res.Failures) != 0 || res.Modified != (ops > 0) {
					b.Fatalf("%d commands, %+v", len(res.Commands), res.Failures)
				}
			})
		}
	}
}
