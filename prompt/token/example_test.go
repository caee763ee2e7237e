package token_test

import (
	"fmt"

	"github.com/talewright/talewright/prompt/token"
)

// A cache counts the unchanged part of a history once.
func ExampleNewCache() {
	counter := token.NewCache(token.Estimator{Scale: 1.05}, 0)
	fmt.Println(counter.Count("The lamp turns."), counter.Count("The lamp turns."))
	// Output: 5 5
}

func ExampleEstimate() {
	fmt.Println(token.Estimate("The lamp turns slowly above the bay."))
	fmt.Println(token.Estimate("这个世界的魔法分为四大元素。"))
	// Output:
	// 8
	// 13
}

// A host that knows how many tokens its provider has counted scales the estimate.
func ExampleEstimator_Count() {
	const estimated, reported = 800, 1000
	counter := token.Estimator{Scale: float64(reported) / estimated}
	fmt.Println(counter.Count("The lamp turns slowly above the bay."))
	// Output: 10
}

func ExampleCache_Count() {
	cache := token.NewCache(token.Estimator{}, 0)
	fmt.Println(cache.Count("The dragon sleeps."), cache.Count("The dragon sleeps."))
	// Output: 4 4
}
