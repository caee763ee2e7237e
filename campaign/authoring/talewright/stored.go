package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
)

// storedCampaign names a campaign in a file.
type storedCampaign struct {
	Dir   string `arg:"" help:"The game: a folder, a card or a world book."`
	Store string `required:"" help:"The SQLite file with the campaigns."`
	ID    string `name:"id" help:"The campaign; it may be missing if the file has one."`
}

// session is an engine with a game and a store.
type session struct {
	*loaded
	*terminal
	engine *campaign.Engine
	store  campaign.Store
	id     string
}

// run loads the game, opens the file, which must exist, and runs a command. The session has the ID of a
// campaign.
func (c *storedCampaign) run(t *terminal, command func(*session) error) error {
	l, err := t.loadUsable(c.Dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.Store); err != nil {
		return fmt.Errorf("%w: %w", errWrongUse, err)
	}
	store, err := sqlite.Open(t.ctx, c.Store, sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close() // everything is committed
	s, err := c.with(t, l, store)
	if err == nil {
		err = s.choose()
	}
	if err != nil {
		return err
	}
	return command(s)
}

// with returns a session with a game and a store.
func (c *storedCampaign) with(t *terminal, l *loaded, store campaign.Store) (*session, error) {
	engine, err := campaign.New(campaign.Config{Game: l.compiled, Store: store, Model: campaign.NoModel})
	return &session{loaded: l, terminal: t, engine: engine, store: store, id: c.ID}, err
}

// choose sets the ID of the only campaign in the store, if no ID was given.
func (s *session) choose() error {
	if s.id != "" {
		return nil
	}
	list, err := s.store.List(s.ctx, campaign.Page{Limit: 20})
	if err != nil {
		return err
	}
	if len(list) == 1 {
		s.id = list[0].ID
		return nil
	}
	var ids []string
	for _, info := range list {
		ids = append(ids, info.ID)
	}
	return fmt.Errorf("%w: the file has %d campaigns; choose one with -id: %s", errWrongUse, len(list), strings.Join(ids, ", "))
}

// explain explains a turn.
type explain struct {
	storedCampaign
	Turn     string `help:"The turn, as a number or an ID; without it the newest one."`
	Campaign bool   `help:"The whole campaign instead of a turn: which lore was active. With -html also the turns, branches and variables."`
	HTML     bool   `name:"html" help:"Write one page of HTML."`
}

// Run is the command.
func (c *explain) Run(t *terminal) error { return c.run(t, c.explain) }

func (c *explain) explain(s *session) error {
	now, err := s.engine.Campaign(s.ctx, s.id)
	if err != nil {
		return err
	}
	if c.Campaign {
		return s.explainCampaign(now, c.HTML)
	}
	id, err := turnID(s.ctx, s.engine, s.id, cmp.Or(c.Turn, now.State.HeadTurnID))
	if err != nil {
		return err
	}
	report, err := s.engine.Report(s.ctx, s.id, id)
	switch {
	case err != nil:
		return err
	case c.HTML:
		return report.For(s.compiled, now, s.lang).WriteHTML(s.out)
	}
	return s.report(report.For(s.compiled, now, s.lang))
}

// turnID returns the ID of a turn that a text names: by its ID, or by its number on the present branch.
func turnID(ctx context.Context, e *campaign.Engine, id, text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return text, nil
	}
	for t, err := range e.History(ctx, id, state.HistoryPage{}) {
		if err != nil || t.Index == n {
			return t.ID, err
		}
	}
	return state.TurnID(n), nil
}

// report writes a report as text or as JSON.
func (s *session) report(r observe.Report) error {
	if s.json {
		return s.writeJSON(r)
	}
	s.printf("%s", printable(r.String()))
	return nil
}

// explainCampaign explains the whole campaign.
func (s *session) explainCampaign(now state.Campaign, html bool) error {
	turns := s.engine.History(s.ctx, s.id, state.HistoryPage{})
	if c := s.Content.People.Card; now.Title == "" && c != nil {
		now.Title = c.Name
	}
	if html {
		return observe.CampaignReport{Game: s.compiled, Campaign: now, Turns: turns,
			Branches: s.engine.Branches(s.ctx, s.id, state.HistoryBranches{}), Language: s.lang}.WriteHTML(s.out)
	}
	use, err := observe.CountLore(s.compiled.Book(), turns)
	switch {
	case err != nil:
		return err
	case s.json:
		return s.writeJSON(use)
	}
	s.printf("%s", printable(use.In(s.lang)))
	return nil
}

// exportGame writes a campaign to a file.
type exportGame struct {
	storedCampaign
	Out string `short:"o" help:"The file; .jsonl is a chat of SillyTavern. Without it the export is printed."`
}

// Run is the command.
func (c *exportGame) Run(t *terminal) error { return c.run(t, c.export) }

func (c *exportGame) export(s *session) (err error) {
	var out bytes.Buffer
	if strings.EqualFold(filepath.Ext(c.Out), ".jsonl") {
		err = s.chat(&out)
	} else {
		err = s.engine.Export(s.ctx, s.id, &out)
	}
	if err != nil {
		return err
	}
	if c.Out == "" {
		_, err = out.WriteTo(s.out)
		return err
	}
	if err := os.WriteFile(c.Out, out.Bytes(), 0o600); err != nil {
		return err
	}
	if s.json {
		return s.writeJSON(map[string]any{"written": c.Out})
	}
	s.printf(s.texts.Written+"\n", c.Out)
	return nil
}

// chat writes the campaign as a chat of SillyTavern.
func (s *session) chat(w io.Writer) error {
	now, err := s.engine.Campaign(s.ctx, s.id)
	if err != nil {
		return err
	}
	var turns []state.Turn
	for t, err := range s.engine.History(s.ctx, s.id, state.HistoryPage{}) {
		if err != nil {
			return err
		}
		turns = append(turns, t.Turn)
	}
	slices.Reverse(turns)
	names := imports.ChatNames{User: "Player", Character: "GM"}
	if c := s.Content.People.Card; c != nil {
		names.Character = c.CharName()
	}
	_, err = w.Write(imports.ChatOf(now, turns, names).Encode())
	return err
}

// importGame stores a campaign from a file.
type importGame struct {
	storedCampaign
	In string `arg:"" help:"The file: an export, or a chat of SillyTavern (.jsonl)."`
}

// Run is the command.
func (c *importGame) Run(t *terminal) error {
	data, err := os.ReadFile(c.In)
	if err != nil {
		return fmt.Errorf("%w: %w", errWrongUse, err)
	}
	isChat := strings.EqualFold(filepath.Ext(c.In), ".jsonl")
	if c.ID != "" && !isChat {
		return fmt.Errorf("%w: -id is for chats: an export keeps its ID", errWrongUse)
	}
	l, err := t.loadUsable(c.Dir)
	if err != nil {
		return err
	}
	// A file that cannot be imported must not leave an empty store.
	if _, _, err := c.into(&campaign.MemoryStore{}, t, l, data, isChat); err != nil {
		return err
	}
	store, err := sqlite.Open(t.ctx, c.Store, sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close() // everything is committed
	stored, problems, err := c.into(store, t, l, data, isChat)
	if err != nil {
		return err
	}
	if t.json {
		return t.writeJSON(map[string]any{"id": stored.ID, "turns": stored.State.TurnCount, "problems": reportedProblems(l.texts, problems)})
	}
	for _, line := range problems.Summary(l.texts.Language) {
		t.printf("  %s\n", printable(line))
	}
	t.printf(l.texts.Imported+"\n", printable(stored.ID))
	return nil
}

// into stores the campaign. It returns the problems of a chat.
func (c *importGame) into(store campaign.Store, t *terminal, l *loaded, data []byte, isChat bool) (state.Campaign, talewright.Problems, error) {
	s, err := c.with(t, l, store)
	if err != nil {
		return state.Campaign{}, nil, err
	}
	if isChat {
		return c.createFromChat(s, data)
	}
	stored, err := s.engine.Import(t.ctx, bytes.NewReader(data))
	return stored, nil, err
}

// createFromChat creates a campaign from a chat of SillyTavern. Without an ID it gets the name of the
// file. It returns the problems of the chat.
func (c *importGame) createFromChat(s *session, data []byte) (state.Campaign, talewright.Problems, error) {
	chat, problems := imports.ParseChat(data)
	if err := problems.Err(); err != nil {
		return state.Campaign{}, nil, err
	}
	setup := s.Setup
	setup.ID = cmp.Or(c.ID, strings.TrimSuffix(filepath.Base(c.In), filepath.Ext(c.In)))
	chat.AddTo(&setup)
	stored, err := s.engine.Create(s.ctx, setup)
	return stored, problems, err
}

// rebuild replays a log.
type rebuild struct {
	storedCampaign
}

// Run is the command.
func (c *rebuild) Run(t *terminal) error { return c.run(t, (*session).rebuild) }

// rebuild replays the log of the campaign.
func (s *session) rebuild() error {
	now, err := s.engine.Rebuild(s.ctx, s.id)
	if difference, ok := errors.AsType[*state.RepairDifference](err); ok && s.json {
		_ = s.writeJSON(map[string]any{"id": s.id, "difference": difference.Error()})
		return errProblems
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.writeJSON(map[string]any{"id": s.id, "records": now.Version, "turns": now.State.TurnCount})
	}
	s.printf(s.texts.Rebuilt+"\n", printable(s.id), now.Version, now.State.TurnCount)
	return nil
}
