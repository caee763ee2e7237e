package tiktoken_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tiktoken"
)

func BenchmarkCount(b *testing.B) {
	english := strings.Repeat("The dragon sleeps on a hill of gold, and nobody wakes it.\n", 40)
	chinese := strings.Repeat("巨龙在黄金山上沉睡，没有人敢叫醒它。\n", 40)
	counter := open(b, "o200k_base")
	for _, bc := range []struct {
		name, text string
		counter    prompt.TokenCounter
		want       int
	}{
		{"English", english, counter, 560},
		{"Chinese", chinese, counter, 600},
		{"BlankLines", strings.ReplaceAll(english, "\n", "\n \n"), counter, 600},
		{"Cached", english, prompt.NewTokenCache(counter, 0), 560},
		{"Estimate", english, prompt.TokenEstimator{}, 540},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bc.text)))
			for b.Loop() {
				if n := bc.counter.Count(bc.text); n != bc.want {
					b.Fatalf("Count = %d, want %d", n, bc.want)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		counter, err := tiktoken.New("o200k_base")
		if err != nil || counter.Count("hello world") != 2 {
			b.Fatal(err)
		}
	}
}
