package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// A host reports waiting posts and leases, for its metrics.
func ExampleCluster_stats() {
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
	stats, err := store.Stats(ctx)
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

// fileStore keeps campaigns in memory and writes every change to a file. One process at a time may
// use the file. It passes the tests of package storetest.
type fileStore struct {
	campaign.Store // in memory; as a Store it is not a Cluster
	mu             sync.Mutex
	file           *os.File
}

// change is a call of Append or Delete. A line of the file has one.
type change struct {
	ID       string
	Entry    campaign.Entry
	Snapshot []byte
	Deleted  bool
}

func openFileStore(path string) (*fileStore, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	s := &fileStore{Store: &campaign.MemoryStore{}, file: file}
	for lines := json.NewDecoder(file); ; {
		var c change
		switch err := lines.Decode(&c); err {
		case nil:
			_ = s.apply(c) // a change that was refused is refused again
		case io.EOF, io.ErrUnexpectedEOF: // the program ended while it wrote the last line
			return s, file.Truncate(lines.InputOffset())
		default:
			return nil, errors.Join(err, file.Close())
		}
	}
}

func (s *fileStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	return s.write(ctx, change{ID: id, Entry: entry, Snapshot: snapshot})
}

func (s *fileStore) Delete(ctx context.Context, id string) error {
	return s.write(ctx, change{ID: id, Deleted: true})
}

// write makes a change durable, and then visible.
func (s *fileStore) write(ctx context.Context, c change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	end, err := s.file.Seek(0, io.SeekEnd)
	if err = errors.Join(ctx.Err(), err); err != nil {
		return err
	}
	if err := errors.Join(json.NewEncoder(s.file).Encode(c), s.file.Sync()); err != nil {
		return errors.Join(err, s.file.Truncate(end))
	}
	return s.apply(c)
}

func (s *fileStore) apply(c change) error {
	if c.Deleted {
		return s.Store.Delete(context.Background(), c.ID)
	}
	return s.Store.Append(context.Background(), c.ID, c.Entry, c.Snapshot)
}

// A store of your own may add a file to the one in memory. Without the methods of a Cluster it needs
// no leases, answers and posts.
func ExampleStore() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "campaigns")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for _, reply := range []string{"Rain.", "Sun."} { // each time a new engine, which only has the file
		store, err := openFileStore(filepath.Join(folder, "campaigns.jsonl"))
		if err != nil {
			fmt.Println(err)
			return
		}
		engine, err := campaign.New(campaign.Config{Game: g, Store: store,
			Model: llmtest.NewScripted(llmtest.Text(reply))})
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := engine.Create(ctx, mill()); err != nil {
			fmt.Println(errors.Is(err, campaign.ErrExists))
		}
		outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
		if err := errors.Join(err, outcome.Err(), store.file.Close()); err != nil {
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
