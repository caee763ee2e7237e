package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/authoring"
)

// watchGame reports problems whenever a file changes.
type watchGame struct {
	Dir string `arg:"" help:"A folder."`
}

// Run is the command.
func (c *watchGame) Run(t *terminal) error {
	if _, err := os.Stat(c.Dir); err != nil {
		return noFile(c.Dir, err)
	}
	for g, found := range authoring.Watch(t.ctx, c.Dir) {
		l := &loaded{Game: g, problems: found, texts: t.words(&g)}
		if err := l.compile(); err != nil {
			return err
		}
		list := l.vet()
		if t.json {
			if err := t.writeJSON(map[string]any{"problems": reportedProblems(l.texts, list)}); err != nil {
				return err
			}
			continue
		}
		t.list(l.texts, list)
		t.printf("%s\n", t.paint(faint, fmt.Sprintf(l.texts.Watching, c.Dir)))
	}
	if t.ctx.Err() == nil { // the folder cannot be watched
		return errProblems
	}
	return nil
}

// watch gives changed content to the engine, also if it changed before watching began. Content with
// mistakes is refused.
func (p *player) watch(dir string) {
	latest := p.Hash()
	for g, found := range authoring.Watch(p.ctx, dir) {
		if g.Hash() == latest {
			continue
		}
		latest = g.Hash()
		next := &loaded{Game: g, problems: found, books: p.books, shape: p.shape}
		if err := next.compile(); err != nil {
			p.printf("\n  ! %s\n  %s\n", p.texts.ContentRefused, printable(err.Error()))
			continue
		}
		if wrong := next.problems.AtLeast(talewright.Error); len(wrong) > 0 {
			p.printf("\n  ! %s\n", p.texts.ContentRefused)
			p.list(p.texts, wrong)
			continue
		}
		p.engine.Swap(next.compiled)
		p.printf("\n  %s\n", p.paint(faint, p.texts.Reloaded))
	}
}

// lockedWriter is an output of several goroutines.
type lockedWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements [io.Writer].
func (s *lockedWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(b)
}
