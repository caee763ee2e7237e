package campaign_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDoorHasEveryInstruction: package campaign names every instruction for hosts. Announce and
// Summarized are left out, because the engine itself sends them.
func TestDoorHasEveryInstruction(t *testing.T) {
	door, err := os.ReadFile("door.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("turn/instruction_*.go")
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func \((?:\w+ )?(\w+)\) inputType\(\) string`).FindAllStringSubmatch(string(text), -1) {
			if name := m[1]; name != "Announce" && name != "Summarized" && !strings.Contains(string(door), " = turn."+name+"\n") {
				t.Errorf("door.go has no %s", name)
			}
		}
	}
}
