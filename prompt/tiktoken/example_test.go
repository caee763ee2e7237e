package tiktoken_test

import (
	"fmt"

	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tiktoken"
)

func Example() {
	counter, err := tiktoken.ForModel("gpt-4o-mini")
	if err != nil {
		fmt.Println(err)
		return
	}
	line := "The dragon sleeps on a hill of gold."
	fmt.Println(counter.Encoding(), counter.Count(line), prompt.EstimateTokens(line))
	// Output: o200k_base 9 9
}

func ExampleNew() {
	counter, err := tiktoken.New("cl100k_base")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(counter.Count("巨龙在黄金山上沉睡。"))
	// Output: 15
}

// For unknown models use the estimate.
func ExampleForModel() {
	count := func(model, text string) int {
		var counter prompt.TokenCounter = prompt.TokenEstimator{}
		if exact, err := tiktoken.ForModel(model); err == nil {
			counter = exact
		}
		return counter.Count(text)
	}
	fmt.Println(count("openai/gpt-4o", "antidisestablishmentarianism"))
	fmt.Println(count("claude-sonnet-4", "antidisestablishmentarianism"))
	// Output:
	// 6
	// 8
}

func ExampleEncodings() {
	fmt.Println(tiktoken.Encodings())
	// Output: [o200k_base cl100k_base p50k_edit p50k_base r50k_base]
}

// The unchanged part of a history is counted once.
func ExampleCounter_Count() {
	counter, err := tiktoken.New("o200k_base")
	if err != nil {
		fmt.Println(err)
		return
	}
	cached := prompt.NewTokenCache(counter, 0)
	for range 3 {
		fmt.Println(cached.Count("I open the door."))
	}
	// Output:
	// 5
	// 5
	// 5
}

func ExampleCounter_Encoding() {
	counter, err := tiktoken.ForModel("gpt-4")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(counter.Encoding())
	// Output: cl100k_base
}
