package campaigntest

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/campaigntest/scenario"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
)

// The flag -update belongs to whoever declared it first: other kits of golden files have one of
// the same name and meaning.
var _ = declareUpdate()

func declareUpdate() bool {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write anew what scenarios record")
	}
	return true
}

// updating reports whether the test was started with -update.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Run plays every scenario of a file system that matches a pattern, as subtests named after the
// files. All mistakes of a file are told at once, each with its line; so is everything in the
// game that is not as the file wants it, with what happened instead and why.
//
// With the flag -update, what happens is written below the lines "----". That needs a file
// system that can be written to: os.DirFS, or one with a method
// WriteFile(name string, data []byte, perm fs.FileMode) error. Where a package declares a flag
// of that name itself, it has to look with flag.Lookup whether it is there.
func Run(t *testing.T, fsys fs.FS, pattern string, content game.Content, setup state.Setup) {
	t.Helper()
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatalf("the content has mistakes:\n%v", err)
	}
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("no scenario matches %s", pattern)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, filepath.Ext(name)), func(t *testing.T) { runFile(t, g, fsys, name) })
	}
}

// runFile plays one scenario.
func runFile(t *testing.T, g *Game, fsys fs.FS, name string) {
	t.Helper()
	if updating() {
		if err := g.Update(t.Context(), fsys, name); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := load(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	report, err := g.Verify(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range report.Faults {
		t.Error(fault)
	}
}

// load reads a scenario.
func load(fsys fs.FS, name string) (s scenario.Scenario, text string, err error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return s, "", err
	}
	s, problems := scenario.Parse(name, string(data))
	if err := problems.Err(); err != nil {
		return s, "", fmt.Errorf("the scenario has mistakes:\n%w", err)
	}
	return s, string(data), nil
}

// Update plays a scenario, and writes what happens below its lines "----"; see [Run].
func (g *Game) Update(ctx context.Context, fsys fs.FS, name string) error {
	s, text, err := load(fsys, name)
	if err != nil {
		return err
	}
	report, err := g.Verify(ctx, s)
	if err != nil {
		return err
	}
	now, err := s.Record(text, func(step int) string { return report.Happened[step] })
	if err == nil && now != text {
		err = write(fsys, name, []byte(now))
	}
	return err
}

// write puts a file into a file system, if that can be done.
func write(fsys fs.FS, name string, data []byte) error {
	const perm = 0o644
	if w, is := fsys.(interface {
		WriteFile(name string, data []byte, perm fs.FileMode) error
	}); is {
		return w.WriteFile(name, data, perm)
	}
	if dir := reflect.ValueOf(fsys); dir.Type() == reflect.TypeOf(os.DirFS("")) && dir.Kind() == reflect.String {
		return os.WriteFile(filepath.Join(dir.String(), filepath.FromSlash(name)), data, perm)
	}
	return fmt.Errorf("campaigntest: %T cannot be written to: use os.DirFS for -update", fsys)
}
