package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
)

// largeInput has 200 blocks, a quarter of them with macros, and a history of
// 1,000 messages.
func largeInput() prompt.Input {
	in := prompt.Input{Blocks: []prompt.Block{{Key: "main", Slot: "main",
		Text: "You tell the story of {{user}}."}}}
	slots := []string{"world_before", "world_after", "settings", "summary"}
	for i := range 199 {
		b := prompt.Block{
			Key: fmt.Sprintf("block.%d", i), Slot: slots[i%len(slots)],
			Text: fmt.Sprintf("Fact %d about the valley: ", i) +
				strings.Repeat("the river runs north. ", 3),
		}
		switch i % 4 {
		case 0:
			b.Text += "{{char}} knows it."
		case 1:
			b.Slot, b.Depth = "", new(i%12)
		}
		in.Blocks = append(in.Blocks, b)
	}
	roles := [...]llm.Role{llm.User, llm.Assistant}
	for i := range 1000 {
		in.History = append(in.History, prompt.Line{
			Role: roles[i%2],
			Text: fmt.Sprintf("Line %d. ", i) +
				strings.Repeat("They walk on through the rain. ", 8),
		})
	}
	return in
}

// BenchmarkAssemble builds a prompt of 8k tokens from 200 blocks and 1,000 messages, with cached
// counts and templates.
func BenchmarkAssemble(b *testing.B) {
	in := largeInput()
	env := prompt.Env{User: "Mara", Char: "Orin", Compile: macro.NewCache(nil, 0).Compile}
	budget := prompt.Budget{Context: 8000, Response: 800, Counter: prompt.NewTokenCache(nil, 0)}
	var result prompt.Result
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if result, err = prompt.Assemble(prompt.Default(), in, env, budget); err != nil {
			b.Fatal(err)
		}
	}
	if result.Tokens > 7197 || result.Tokens < 6900 {
		b.Fatalf("%d tokens, want nearly 7197", result.Tokens)
	}
}

// BenchmarkAssembleUncached is the same without caches.
func BenchmarkAssembleUncached(b *testing.B) {
	in := largeInput()
	env := prompt.Env{User: "Mara", Char: "Orin"}
	budget := prompt.Budget{Context: 8000, Response: 800}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := prompt.Assemble(prompt.Default(), in, env, budget); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEstimator(b *testing.B) {
	for _, text := range []struct {
		name, text string
		tokens     int
	}{
		{"english", strings.Repeat("The lamp turns slowly above the bay. ", 1000), 7750},
		{"chinese", strings.Repeat("这个世界的魔法分为四大元素：火、水、风、土。", 1000), 21460},
		{"code", strings.Repeat("func f(a int) error {\n\treturn nil\n}\n", 1000), 10000},
	} {
		b.Run(text.name, func(b *testing.B) {
			b.SetBytes(int64(len(text.text)))
			b.ReportAllocs()
			tokens := 0
			for b.Loop() {
				tokens = prompt.EstimateTokens(text.text)
			}
			if tokens < text.tokens*8/10 || tokens > text.tokens*12/10 {
				b.Fatalf("%d tokens, want about %d", tokens, text.tokens)
			}
		})
	}
}

func BenchmarkReportString(b *testing.B) {
	result, err := prompt.Assemble(prompt.Default(), largeInput(),
		prompt.Env{User: "Mara", Char: "Orin"}, prompt.Budget{Context: 8000, Response: 800})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if text := result.Report.String(); !strings.Contains(text, "did not fit") {
			b.Fatal(text)
		}
	}
}
