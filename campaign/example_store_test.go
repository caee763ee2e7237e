package campaign_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// A host reports waiting posts and leases, for its metrics.
func ExampleMeter() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	store := &campaign.MemoryStore{}
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: campaign.NoModel})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if _, err = engine.Create(ctx, mill()); err == nil {
		_, err = engine.Post(ctx, "mill", turn.Submit{Text: "I knock.", ClientTurnID: "c1"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	var meter campaign.Meter = store
	stats, err := meter.Stats(ctx)
	fmt.Println(stats.Campaigns, stats.Posts, stats.Inboxes, stats.Leases, stats.Oldest.IsZero(), err)
	// Output: 1 1 1 0 false <nil>
}

// A host lists the forks of all campaigns of its store, with their origins.
func ExampleEngine_Forks() {
	engine := newMill(llmtest.NewScripted(llmtest.Text("The miller nods.")), game.Content{})
	ctx := context.Background()
	if _, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I nod."}); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Fork(ctx, "mill", "turn_0001", "mill of ann"); err != nil {
		fmt.Println(err)
		return
	}
	for fork, err := range engine.Forks(ctx, campaign.Page{}) {
		fmt.Println(fork.ID, "from", fork.From.CampaignID, fork.From.TurnID, err)
	}
	// Output: mill of ann from mill turn_0001 <nil>
}

// folderStore stores a campaign in a folder, with one file for each entry and its snapshot. It
// passes the tests of package storetest.
type folderStore struct{ root string }

type storedFile struct {
	campaign.Entry
	Snapshot []byte
}

func (s folderStore) path(id string, version int64) string {
	return filepath.Join(s.root, fmt.Sprintf("%x", sha256.Sum256([]byte(id))), fmt.Sprintf("%012d.json", version))
}

func (s folderStore) read(id string, version int64) (f storedFile, err error) {
	data, err := os.ReadFile(s.path(id, version))
	if errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("%q, entry %d: %w", id, version, campaign.ErrNotFound)
	}
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	return f, err
}

func (s folderStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := s.path(id, entry.Version)
	if entry.Version != 1 {
		if _, err := os.Stat(s.path(id, entry.Version-1)); err != nil {
			return fmt.Errorf("%q, entry %d: %w", id, entry.Version, campaign.ErrVersionConflict)
		}
	}
	data, err := json.Marshal(storedFile{entry, snapshot})
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(s.root, "entry")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	// A link appears whole, and only one of several concurrent calls succeeds. (To survive a power
	// cut the folder would also have to be synced.)
	if err := os.Link(temp.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	if there, err := s.read(id, entry.Version); err != nil || there.Same(entry) {
		return err
	}
	return fmt.Errorf("%q, entry %d: %w", id, entry.Version, campaign.ErrVersionConflict)
}

func (s folderStore) Load(ctx context.Context, id string) (saved campaign.Saved, err error) {
	f, err := s.read(id, 1)
	if err = errors.Join(ctx.Err(), err); err != nil {
		return saved, err
	}
	for version := int64(1); err == nil; version++ {
		if saved.Entries = append(saved.Entries, f.Entry); f.Snapshot != nil {
			saved = campaign.Saved{Snapshot: f.Snapshot, SnapshotVersion: version}
		}
		f, err = s.read(id, version+1)
	}
	if errors.Is(err, campaign.ErrNotFound) {
		err = nil // the end of the log
	}
	return saved, err
}

func (s folderStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		_, err := s.read(id, 1)
		if err = errors.Join(ctx.Err(), err); err != nil {
			yield(campaign.Entry{}, err)
			return
		}
		for version := after + 1; ; version++ {
			f, err := s.read(id, version)
			if errors.Is(err, campaign.ErrNotFound) || !yield(f.Entry, err) || err != nil {
				return
			}
		}
	}
}

// Your own store needs three methods.
func ExampleStore() {
	ctx := context.Background()
	root, err := os.MkdirTemp("", "campaigns")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for _, reply := range []string{"Rain.", "Sun."} { // each time a new engine, which only has the folder
		engine, err := campaign.New(campaign.Config{Game: g, Store: folderStore{root},
			Model: llmtest.NewScripted(llmtest.Text(reply))})
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := engine.Create(ctx, mill()); err != nil {
			fmt.Println(errors.Is(err, campaign.ErrExists))
		}
		outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
		if err := errors.Join(err, outcome.Err()); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(outcome.Turn.ID, outcome.Turn.Text)
	}
	// Output:
	// turn_0001 Rain.
	// true
	// turn_0002 Sun.
}

// A log can be used without an engine. A program writes records as entries, reads them back,
// queries the past and replays the whole log.
func ExampleDecoded() {
	ctx := context.Background()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	store := &campaign.MemoryStore{}
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted(llmtest.Text("Rain."))})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Create(ctx, mill()); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I look out."}); err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range campaign.Decoded(store.Records(ctx, "mill", 0)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		entry, err := campaign.EntryOf(r)
		fmt.Println(entry.Version, entry.Kind, err)
	}
	past, err := turn.ReadPast(question.Past{Turns: []string{"turn_0001"}}, campaign.Decoded(store.Records(ctx, "mill", 0)))
	fmt.Println(past.Turns[0].Text, err)
	rebuilt, err := campaign.Rebuild(g, store.Records(ctx, "mill", 0))
	fmt.Println(rebuilt.Version, err)
	// Output:
	// 1 create <nil>
	// 2 turn <nil>
	// Rain. <nil>
	// 2 <nil>
}
