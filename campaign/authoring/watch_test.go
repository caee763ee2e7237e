package authoring

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright"
)

// TestWatch: each change is seen once and whole, whatever way an editor writes it: EX-12.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("game.yaml", "title: one\n")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	next, stop := iter.Pull2(Watch(ctx, dir))
	defer stop()
	see := func(reason, title string, rules int) {
		t.Helper()
		g, problems, ok := next()
		if !ok || g.Setup.Title != title || len(g.Content.Rules.Rules) != rules {
			t.Fatalf("%s: %q, %d rules, %v, %t", reason, g.Setup.Title, len(g.Content.Rules.Rules), problems, ok)
		}
	}
	see("the beginning", "one", 0)

	write(".game.yaml.swp", "x")
	write("game.yaml~", "x")
	write("game.yaml", "title: one\n") // the same bytes
	write("game.yaml", "title: t")
	write("game.yaml", "title: two\n")
	see("written in steps", "two", 0)

	write(".new", "title: three\n")
	if err := os.Rename(filepath.Join(dir, ".new"), filepath.Join(dir, "game.yaml")); err != nil {
		t.Fatal(err)
	}
	see("saved by renaming", "three", 0)

	if err := os.Mkdir(filepath.Join(dir, "rules"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("rules/a.yaml", "- {id: a, trigger: {type: every-turn}, actions: []}\n")
	see("a new folder", "three", 1)
	write("rules/b.yaml", "- {id: b, trigger: {type: every-turn}, actions: []}\n")
	see("a file in a new folder", "three", 2)

	write("rules/b.yaml", "- {id: [\n")
	g, problems, ok := next()
	if !ok || len(g.Content.Rules.Rules) != 1 || len(problems.AtLeast(talewright.Error)) != 1 {
		t.Errorf("a mistake: %v", problems)
	}
	if err := os.Remove(filepath.Join(dir, "rules/b.yaml")); err != nil {
		t.Fatal(err)
	}
	see("removed", "three", 1)

	cancel()
	if _, _, ok := next(); ok {
		t.Error("the sequence does not end with its context")
	}
	for _, problems := range Watch(context.Background(), filepath.Join(dir, "none")) {
		if problems.Err() == nil {
			t.Error("a folder that does not exist is watched")
		}
	}
}
