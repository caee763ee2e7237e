package main

import (
	"os"
	"strings"
	"testing"
)

func Example() {
	main()
	// Output:
	// A troll strikes you: you lose 4 hit points.
	// hp_change_unsettled - repaired after 1 retry
}

// TestREADME checks that the program in the README equals this one.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(source), "package main\n") // without its package comment
	if !strings.Contains(string(readme), "```go\npackage main\n"+program+"```") {
		t.Error("the README shows another program than main.go")
	}
}
