package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/internal/wording"
)

// loaded is a game that was read and compiled.
type loaded struct {
	authoring.Game
	compiled *campaign.Game
	problems talewright.Problems // of reading and compiling
	single   bool                // one file instead of a folder
	texts    *words
}

// load reads a folder, or one card, book or world.
func (t *terminal) load(name string) (*loaded, error) {
	info, err := os.Stat(name)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		return nil, fmt.Errorf("%w: %s: %w; name a folder, a card or a world book", errWrongUse, name, err)
	}
	l := &loaded{single: !info.IsDir()}
	if l.single {
		err = l.file(name, info.Size())
	} else {
		err = l.folder(name)
	}
	l.texts = t.words(&l.Game)
	if err != nil || l.problems.Err() != nil {
		return l, err
	}
	var more talewright.Problems
	l.compiled, more = l.Compile()
	l.problems = append(l.problems, more...)
	return l, nil
}

func (l *loaded) folder(name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	defer root.Close() // everything is read at once
	l.Game, l.problems = authoring.Load(root.FS())
	return nil
}

// maxFile limits a single file, as [authoring.Load] limits the files of a folder.
const maxFile = 64 << 20

func (l *loaded) file(name string, size int64) error {
	if size > maxFile {
		return fmt.Errorf("%s has %d bytes; at most %d are read", name, size, maxFile)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	base := filepath.Base(name)
	start, problems := imports.Parse(data, imports.Options{ID: "game", Name: strings.TrimSuffix(base, filepath.Ext(base)), Chat: true})
	if world := start.Content.People.Card == nil; world && problems.Err() == nil {
		start, problems = imports.Parse(data, imports.Options{ID: "game", Name: strings.TrimSuffix(base, filepath.Ext(base))})
	}
	l.Content, l.Setup = start.Content, start.Setup
	l.problems = problems
	return nil
}

// words returns the messages in the language that the user chose, by default the language of the content.
func (t *terminal) words(g *authoring.Game) *words {
	chinese := t.lang == "zh"
	if texts := g.Content.Extensions.Texts; t.lang == "" && texts != nil {
		chinese = wording.IsChinese(texts.Persona)
	}
	if chinese {
		return &zh
	}
	return &en
}
