package authoring

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/talewright/talewright"
)

// settleTime is the time without an event after which a change is complete. Editors and version control
// write several files, and each of them in several steps.
const settleTime = 100 * time.Millisecond

// Watch yields the game of a folder now and after each change, until ctx ends. Changes that follow each
// other closely count as one change, so files that are being written are not seen. If the bytes of all
// files are the same as before, nothing is yielded. The problems come from [Load]. A folder that cannot
// be watched is a fatal problem, and the sequence ends. The sequence may be ranged over again.
//
// To use changed content in running campaigns, compile it and give it to [campaign.Engine.Swap]. Keep
// the old content if the new one has mistakes.
func Watch(ctx context.Context, dir string) iter.Seq2[Game, talewright.Problems] {
	return func(yield func(Game, talewright.Problems) bool) {
		w, err := fsnotify.NewWatcher()
		if err != nil {
			yield(unwatched(dir, err))
			return
		}
		defer w.Close() // ends the goroutine of the watcher
		f := follower{watcher: w, dir: dir}
		for more := true; more; more = f.wait(ctx) {
			if err := f.add(); err != nil {
				yield(unwatched(dir, err))
				return
			}
			g, problems, changed := f.load()
			if changed && !yield(g, problems) {
				return
			}
		}
	}
}

// unwatched returns the problem of a folder that cannot be watched.
func unwatched(dir string, err error) (Game, talewright.Problems) {
	return Game{}, talewright.Problems{{Path: dir, Severity: talewright.Fatal, Code: codeNoGame,
		Text: fmt.Sprintf("the folder cannot be watched: %v", err)}}
}

// follower follows one folder.
type follower struct {
	watcher *fsnotify.Watcher
	dir     string
	seen    string // the files and problems of the last game
}

// add watches the folder and its folders, new ones too.
func (f *follower) add() error {
	return filepath.WalkDir(f.dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == f.dir:
			return err
		case err != nil || !d.IsDir():
			return nil // removed in the meantime
		case name != f.dir && isHidden(name):
			return fs.SkipDir
		}
		if err := f.watcher.Add(name); err != nil && name == f.dir {
			return err
		}
		return nil
	})
}

// isHidden reports whether a file does not belong to the game: editors write such files next to others.
func isHidden(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
		strings.HasSuffix(base, "~") || strings.HasSuffix(base, ".swp") || strings.HasSuffix(base, ".tmp")
}

// load reads the folder, and reports whether it has changed.
func (f *follower) load() (Game, talewright.Problems, bool) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		g, problems := unwatched(f.dir, err)
		return g, problems, true
	}
	defer root.Close() // everything is read at once
	g, problems := Load(root.FS())
	seen := string(g.hash(func(*file) bool { return true })) + problems.Error()
	changed := seen != f.seen
	f.seen = seen
	return g, problems, changed
}

// wait returns after a change that is complete. It returns false when ctx ends.
func (f *follower) wait(ctx context.Context) bool {
	var due <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-due:
			return true
		case event, open := <-f.watcher.Events:
			if !open {
				return false
			}
			if isHidden(event.Name) || event.Op == fsnotify.Chmod {
				continue
			}
		case _, open := <-f.watcher.Errors: // events were lost: read everything
			if !open {
				return false
			}
		}
		due = time.After(settleTime)
	}
}
