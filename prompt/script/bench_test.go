package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/script"
)

// cardScripts returns scripts of the kinds that cards have. None of them matches in [prose].
func cardScripts(n int) []script.Script {
	var list []script.Script
	for i := range n {
		s := script.Script{
			Name: fmt.Sprint("script ", i), Placement: []script.Placement{script.AIOutput},
			Replace: "<div>$1 {{char}}</div>",
		}
		s.Find = []string{
			fmt.Sprintf(`/<Update%dVariable>[\s\S]*?<\/Update%dVariable>/gm`, i, i),
			fmt.Sprintf(`/<status%d>好感:(\d+)\|心情:(.+?)<\/status%d>/s`, i, i),
			fmt.Sprintf(`/\[hp%d: (-?\d+)\]/gi`, i),
			fmt.Sprintf(`<StatusPlaceHolder%d/>`, i),
			fmt.Sprintf(`/(?<=价%d:)\d+/g`, i),
			fmt.Sprintf(`/^\*\*场景%d\*\*[:：](.*)$/gm`, i),
			`/\n{5,}/g`,
			fmt.Sprintf(`/<think%d(ing)?>.*?<\/think%d(ing)?>/gs`, i, i),
		}[i%8]
		list = append(list, s)
	}
	return list
}

// prose is about 4 KB of a reply.
func prose() string {
	return strings.Repeat("她走过长廊，灯影在墙上摇晃。\"Who is there?\" she asks, and nobody answers.\n", 42)
}

// BenchmarkApply runs 200 scripts over 4 KB; none matches.
func BenchmarkApply(b *testing.B) {
	set, problems := script.Compile([]script.List{{Scripts: cardScripts(200)}}, script.Options{})
	if err := problems.Err(); err != nil {
		b.Fatal(err)
	}
	text := prose()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if got, report := set.Apply(text, stored, nil); len(got) != len(text) || len(report.Ran) != 200 {
			b.Fatal(report)
		}
	}
}

// TestPerfApply: 200 scripts without a match over a reply of 4 KB take a few times as long as 200
// passes over its letters.
func TestPerfApply(t *testing.T) {
	testkit.Need(t)
	set, _ := script.Compile([]script.List{{Scripts: cardScripts(200)}}, script.Options{})
	text := prose()
	letters := 0
	testkit.AtMost(t, "200 scripts over 4 KB, against 200 readings", 5, func() float64 {
		apply := testkit.Best(20, func() { set.Apply(text, stored, nil) })
		return testkit.Ratio(apply, testkit.Best(20, func() {
			for range 200 {
				for _, r := range text {
					if r > ' ' {
						letters++
					}
				}
			}
		}))
	})
	if letters == 0 {
		t.Error("nothing was read")
	}
}
