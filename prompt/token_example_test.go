package prompt_test

import (
	"fmt"

	"github.com/talewright/talewright/prompt"
)

// A cache counts the unchanged part of a history once.
func ExampleNewTokenCache() {
	counter := prompt.NewTokenCache(prompt.TokenEstimator{Scale: 1.05}, 0)
	fmt.Println(counter.Count("The lamp turns."), counter.Count("The lamp turns."))
	// Output: 5 5
}

func ExampleEstimateTokens() {
	fmt.Println(prompt.EstimateTokens("The lamp turns slowly above the bay."))
	fmt.Println(prompt.EstimateTokens("这个世界的魔法分为四大元素。"))
	// Output:
	// 8
	// 13
}

// A host that knows its provider's token count scales the estimate.
func ExampleTokenEstimator_Count() {
	const estimated, reported = 800, 1000
	counter := prompt.TokenEstimator{Scale: float64(reported) / estimated}
	fmt.Println(counter.Count("The lamp turns slowly above the bay."))
	// Output: 10
}

func ExampleTokenCache_Count() {
	cache := prompt.NewTokenCache(prompt.TokenEstimator{}, 0)
	fmt.Println(cache.Count("The dragon sleeps."), cache.Count("The dragon sleeps."))
	// Output: 4 4
}
