package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/talewright/talewright/campaign/authoring"
)

//go:embed new
var templates embed.FS

// newGame writes a small complete game.
type newGame struct {
	Dir string `arg:"" help:"The folder; it must not exist, or be empty."`
}

// Run is the command.
func (c *newGame) Run(t *terminal) error {
	w := wordsIn(t.lang)
	if entries, err := os.ReadDir(c.Dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%w: %s has files already; name a new folder", errWrongUse, c.Dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", errWrongUse, err)
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	files, err := fs.Sub(templates, "new/"+w.Language)
	if err != nil {
		return err
	}
	var written []string
	for _, from := range []struct {
		files fs.FS
		under string
	}{{files, ""}, {authoring.Schemas(), "schema"}} {
		err := fs.WalkDir(from.files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(from.files, name)
			if err != nil {
				return err
			}
			to := path.Join(from.under, name)
			if err := root.MkdirAll(path.Dir(to), 0o755); err != nil {
				return err
			}
			written = append(written, to)
			return root.WriteFile(to, data, 0o644)
		})
		if err != nil {
			return err
		}
	}
	if t.json {
		return t.writeJSON(map[string]any{"files": written})
	}
	for _, name := range written {
		t.printf(w.Written+"\n", path.Join(c.Dir, name))
	}
	t.printf(w.NextSteps+"\n", c.Dir)
	return nil
}
