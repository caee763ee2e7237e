package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook/format"
)

// loaded is a game that was read and compiled.
type loaded struct {
	authoring.Game
	compiled *campaign.Game
	problems talewright.Problems // of reading and compiling
	single   bool                // one file instead of a folder
	texts    *words
	books    []string // files of more world books
	shape    string   // the shape of the messages; if it is empty, the game chooses
}

// load reads a folder, or one card, book or world.
func (t *terminal) load(name string) (*loaded, error) { return t.loadInto(&loaded{}, name) }

// loadUsable is load. If the game is not usable, it lists the problems and returns errProblems.
func (t *terminal) loadUsable(name string) (*loaded, error) {
	return t.loadWithout(talewright.Fatal, &loaded{}, name)
}

// loadWithout is loadInto. If the game has problems of at least a severity, it lists them and returns
// errProblems.
func (t *terminal) loadWithout(least talewright.Severity, l *loaded, name string) (*loaded, error) {
	l, err := t.loadInto(l, name)
	if err != nil {
		return nil, err
	}
	if wrong := l.problems.AtLeast(least); len(wrong) > 0 {
		t.list(l.texts, wrong)
		return nil, errProblems
	}
	return l, nil
}

// loadInto is load with more books and a different shape, which l has.
func (t *terminal) loadInto(l *loaded, name string) (*loaded, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, noFile(name, err)
	}
	l.single = !info.IsDir()
	if l.single {
		err = l.readFile(name)
	} else {
		err = l.readFolder(name)
	}
	l.texts = t.words(&l.Game)
	if err == nil {
		err = l.compile()
	}
	return l, err
}

// compile adds the books, sets the shape and compiles the game, if it was read.
func (l *loaded) compile() error {
	for _, book := range l.books {
		if err := l.addBook(book); err != nil {
			return err
		}
	}
	if l.problems.Err() != nil {
		return nil
	}
	if l.shape != "" {
		l.Content.Prompt.Shape = prompt.ShapeProfile(l.shape)
	}
	var more talewright.Problems
	l.compiled, more = l.Compile()
	l.problems = append(l.problems, more...)
	return nil
}

// readFolder reads the folder of a game.
func (l *loaded) readFolder(name string) error {
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

// noFile says what the arguments have to name.
func noFile(name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%w: %s: %w; name a folder, a card or a world book", errWrongUse, name, err)
}

// read returns the bytes of a file, and its name without the ending.
func read(path string) (data []byte, name string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", noFile(path, err)
	}
	if info.Size() > maxFile {
		return nil, "", fmt.Errorf("%s has %d bytes; at most %d are read; make it smaller", path, info.Size(), maxFile)
	}
	data, err = os.ReadFile(path)
	base := filepath.Base(path)
	return data, strings.TrimSuffix(base, filepath.Ext(base)), err
}

// readFile reads a card, a world book or a world.
func (l *loaded) readFile(path string) error {
	data, name, err := read(path)
	if err != nil {
		return err
	}
	if isYAML(path) {
		l.Game, l.problems = readYAML(filepath.Base(path), data)
		return nil
	}
	options := imports.Options{ID: "game", Name: name, Chat: true, Clock: time.Now()}
	start, problems := imports.Parse(data, options)
	if start.Content.People.Card == nil && problems.Err() == nil { // a world: a game, not a talk
		options.Chat = false
		start, problems = imports.Parse(data, options)
	}
	l.Content, l.Setup = start.Content, start.Setup
	l.problems = problems
	return nil
}

// isYAML reports whether a file is in YAML by its name.
func isYAML(name string) bool {
	ending := strings.ToLower(filepath.Ext(name))
	return ending == ".yaml" || ending == ".yml"
}

// readYAML reads a card or a world book in YAML, as the only file of a folder.
func readYAML(name string, data []byte) (authoring.Game, talewright.Problems) {
	files := fstest.MapFS{"books/" + name: {Data: data}}
	var v any
	err := yaml.Load(data, &v)
	text, notJSON := json.Marshal(v)
	if _, noCard := card.Open(text); cmp.Or(err, notJSON, noCard) == nil {
		files = fstest.MapFS{"cards/" + name: {Data: data}, "game.yaml": {Data: []byte("chat: true")}}
	}
	return authoring.Load(files)
}

// addBook adds a world book.
func (l *loaded) addBook(path string) error {
	data, name, err := read(path)
	if err != nil {
		return err
	}
	if isYAML(path) {
		g, problems := readYAML(filepath.Base(path), data)
		l.problems = append(l.problems, problems...)
		if len(g.Content.Lore.Books) == 0 {
			return nil
		}
		if data, err = format.WriteSillyTavern(g.Content.Lore.Books[0].Book); err != nil {
			return err
		}
	}
	start := imports.Start{Content: l.Content, Setup: l.Setup}
	l.problems = append(l.problems, start.AddBook(name, data)...)
	l.Content, l.Setup = start.Content, start.Setup
	return nil
}

// words returns the messages in the language that the user chose, by default the language of the content.
func (t *terminal) words(g *authoring.Game) *words {
	language := t.lang
	if texts := g.Content.Extensions.Texts; language == "" && texts != nil && wording.IsChinese(texts.Persona) {
		language = "zh"
	}
	w := wordsIn(language)
	t.language = w.Language
	return w
}
