package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/talewright/talewright/campaign"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

//go:embed campaigns
var builtin embed.FS

// loaded is a campaign that is ready to be played.
type loaded struct {
	game   *campaign.Game
	setup  campaign.Setup
	script []step
	texts  words
}

// load reads everything before the game begins. It reports every mistake on its own line, with file
// and place.
func load(o options) (loaded, error) {
	out := loaded{texts: wordsFor(o.lang)}
	start, problems, err := out.read(o)
	if err != nil {
		return out, err
	}
	start.Content.Prompt.Budget = prompt.Budget{Context: 8192, Response: 1024, TurnReserve: 1536}
	start.Content.Prompt.Shape = prompt.ShapeProfile(cmp.Or(o.shape, serverAt(o.model).Shape))
	g, mistakes := campaign.Compile(start.Content)
	var errs []error
	for _, p := range slices.Concat(problems, mistakes).AtLeast(talewright.Error) {
		// For the player's own files, only serious mistakes stop the program.
		if !o.foreign() || p.Severity == talewright.Fatal || p.Code == worldbook.CodeBadRegex {
			errs = append(errs, fmt.Errorf("%s: %s", o.file(p.Path), p))
		}
	}
	if out.game, out.setup = g, start.Setup; o.seedSet {
		out.setup.Seed = o.seed
	}
	return out, errors.Join(errs...)
}

// read reads a folder and its script, or the player's own book and card.
func (l *loaded) read(o options) (imports.Start, talewright.Problems, error) {
	if o.foreign() {
		return l.visit(o)
	}
	files := os.DirFS(o.where())
	if o.folder == "" {
		files, _ = fs.Sub(builtin, o.where()) // the path is one of two, so Sub cannot fail
	}
	start, problems := imports.ParseFolder(files, imports.Options{})
	err := problems.Err()
	script, unread := fs.ReadFile(files, "script.json")
	if unread == nil {
		unread = json.Unmarshal(script, &l.script)
	}
	if unread != nil {
		err = errors.Join(err, fmt.Errorf("script.json: %w", unread))
	}
	if err != nil {
		err = errors.New(o.where() + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+o.where()+": "))
	}
	return start, problems, err
}
