package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"testing/fstest"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// file is a file that a person has chosen. Name may begin with folders.
type file struct {
	Name string
	Data []byte
}

// table is where a game is tried: its engine, and the reply that the person writes for the model.
type table struct {
	engine *campaign.Engine
	id     string
	mu     sync.Mutex // one line at a time
	reply  string
}

// opened describes a game to the page.
type opened struct {
	Title    string   `json:"title"`
	Chinese  bool     `json:"chinese"`
	Entries  int      `json:"entries"`
	Problems []string `json:"problems"`
	Shown    string   `json:"shown"` // the greeting
	Values   string   `json:"values"`
}

// played describes a played line to the page.
type played struct {
	Shown   string   `json:"shown"` // what the player reads
	Changes []string `json:"changes"`
	Values  string   `json:"values"` // the variables, as JSON
	Report  string   `json:"report"` // the page of the turn
}

// lit is an entry that a line activates.
type lit struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

var errNoGame = errors.New("this is no card, world book or game")

// open reads files and begins a campaign: a folder of a game, or one card, world or book, and more
// books beside it.
func open(ctx context.Context, files []file) (*table, opened, error) {
	g, problems, err := read(files)
	if err == nil {
		err = problems.Err()
	}
	if err != nil {
		return nil, opened{}, err
	}
	compiled, more := g.Compile()
	if err := more.Err(); err != nil {
		return nil, opened{}, err
	}
	t := &table{id: g.Setup.ID}
	if t.engine, err = campaign.New(campaign.Config{Game: compiled, Model: llm.ModelFunc(t.say)}); err != nil {
		return nil, opened{}, err
	}
	c, err := t.engine.Create(ctx, g.Setup)
	if err != nil {
		return nil, opened{}, err
	}
	about := opened{
		Title: path.Base(files[0].Name), Chinese: compiled.Texts().Marks.Comma == "，", Entries: compiled.Book().Len(),
		Problems: append(problems, more...).Summary(compiled.Texts().Hints), Shown: c.State.Greeting, Values: c.State.Variables.String(),
	}
	if card := g.Content.People.Card; card != nil {
		about.Title = cmp.Or(card.Name, about.Title)
	}
	return t, about, nil
}

// read reads files as one game.
func read(files []file) (g authoring.Game, problems campaign.Problems, err error) {
	if len(files) == 0 {
		return g, nil, errNoGame
	}
	if len(files) == 1 && strings.HasSuffix(files[0].Name, ".zip") {
		archive, err := zip.NewReader(bytes.NewReader(files[0].Data), int64(len(files[0].Data)))
		if err != nil {
			return g, nil, err
		}
		g, problems = authoring.Load(root(archive))
		return g, problems, nil
	}
	if slices.ContainsFunc(files, func(f file) bool { return strings.Contains(f.Name, "/") }) {
		folder := fstest.MapFS{}
		for _, f := range files {
			folder[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		g, problems = authoring.Load(root(folder))
		return g, problems, nil
	}
	var start imports.Start
	for i, f := range files {
		name := strings.TrimSuffix(f.Name, path.Ext(f.Name))
		if i > 0 {
			problems = append(problems, start.AddBook(name, f.Data)...)
			continue
		}
		o := imports.Options{ID: "game", Name: name, Chat: true, Clock: time.Now()}
		start, problems = imports.Parse(f.Data, o)
		if start.Content.People.Card == nil && problems.Err() == nil {
			o.Chat = false // a world or a book: nobody to talk to
			start, problems = imports.Parse(f.Data, o)
		}
	}
	g.Content, g.Setup = start.Content, start.Setup
	return g, problems, nil
}

// root returns the folder of a game within files, if they have a few folders around it.
func root(files fs.FS) fs.FS {
	for range 8 {
		list, err := fs.ReadDir(files, ".")
		if err != nil || len(list) != 1 || !list[0].IsDir() {
			return files
		}
		sub, err := fs.Sub(files, list[0].Name())
		if err != nil {
			return files
		}
		files = sub
	}
	return files
}

// say is the model: it says what the person has written.
func (t *table) say(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if yield(llm.TextDelta{Text: t.reply}, nil) {
			yield(llm.Done{}, nil)
		}
	}
}

// glow returns the entries that a line would activate. It changes nothing.
func (t *table) glow(ctx context.Context, line string) ([]lit, error) {
	why, err := t.engine.Explain(ctx, t.id, campaign.Submit{Text: line}, "")
	list := []lit{}
	for _, x := range why.Lore {
		if x.Active {
			list = append(list, lit{cmp.Or(x.Comment, x.ID.String()), x.String()})
		}
	}
	return list, err
}

// play plays a line, with the reply of the model.
func (t *table) play(ctx context.Context, line, reply string) (played, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before, err := t.engine.Campaign(ctx, t.id)
	if err != nil {
		return played{}, err
	}
	t.reply = reply
	o, err := t.engine.Turn(ctx, t.id, campaign.Submit{Text: line})
	if err = cmp.Or(err, o.Err()); err != nil {
		return played{}, err
	}
	after, err := t.engine.Campaign(ctx, t.id)
	if err != nil {
		return played{}, err
	}
	p := played{Shown: o.Turn.Text, Changes: []string{}, Values: after.State.Variables.String()}
	for _, c := range tree.Diff(before.State.Variables, after.State.Variables) {
		p.Changes = append(p.Changes, c.String())
	}
	report, err := t.engine.Report(ctx, t.id, o.Turn.ID)
	if err != nil {
		return p, err
	}
	var page strings.Builder
	err = report.WriteHTML(&page)
	p.Report = page.String()
	return p, err
}
