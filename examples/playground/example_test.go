package main

import (
	"context"
	"fmt"
)

// What the page shows for a line.
func Example() {
	ctx := context.Background()
	game, about, err := open(ctx, []file{{"bell.json", []byte(bell)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(about.Title, about.Entries)
	lit, err := game.glow(ctx, "Who rings the bell?")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lit)
	turn, err := game.play(ctx, "Who rings the bell?", "Nobody.")
	fmt.Println(turn.Shown, err)
	// Output:
	// bell.json 1
	// [{The bell bell.0 (The bell): active by key "bell" in message 0}]
	// Nobody. <nil>
}
