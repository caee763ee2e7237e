package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/memvars/tree"
)

// Options say what the exam cannot know of a store. The zero value is a store that
// keeps nothing when it is closed.
type Options struct {
	// Reopen closes a store that open has returned, or Reopen itself, and returns one
	// on what it left behind, as a program does that was restarted. Nothing but the
	// files or the database may connect the two. nil: the store forgets, as one in
	// memory does, and the cases about that are skipped.
	Reopen func(t *testing.T, store campaign.Store) campaign.Store
}

// Run examines a store. open returns an empty store each time; one that is shared
// between processes may return the same database, since every case uses campaign
// ids of its own.
func Run(t *testing.T, open func(t *testing.T) campaign.Store, options Options) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.durable && options.Reopen == nil {
				t.Skip("this store keeps nothing when it is closed: Options.Reopen is nil")
			}
			e := newExam(t, c.name, open(t))
			e.reopen = func(s campaign.Store) campaign.Store { return options.Reopen(t, s) }
			c.run(e)
			if t.Failed() {
				t.Log(c.why)
			}
		})
	}
}

// reporter is what the exam uses of a test.
type reporter interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

type exam struct {
	reporter
	store  campaign.Store
	reopen func(campaign.Store) campaign.Store
	id     string
}

func newExam(r reporter, name string, store campaign.Store) *exam {
	return &exam{reporter: r, store: store, id: "exam/" + name + "/战役"}
}

// restart closes the store and opens it again.
func (e *exam) restart() { e.store = e.reopen(e.store) }

type examCase struct {
	name, why string
	run       func(*exam)
	durable   bool // about what is left after a restart
}

var cases = []examCase{
	{"unknown", "Load and Records of an unknown campaign are ErrNotFound.", unknown, false},
	{"order", "Records come back in order, with everything that was put in.", order, false},
	{"create", "A campaign can be created once; expected 0 on an existing log is a version conflict.", create, false},
	{"conflict", "An Append at another version is ErrVersionConflict and writes nothing.", conflict, false},
	{"gap", "An Append beyond the end of the log is ErrVersionConflict and writes nothing.", gap, false},
	{"snapshot", "Load returns the newest snapshot and only the records after it.", snapshot, false},
	{"records after snapshot", "Records returns everything, whatever the snapshots.", recordsAfterSnapshot, false},
	{"copies", "The store keeps copies: later changes by the caller do not reach it.", copies, false},
	{"apart", "Campaigns do not disturb one another.", apart, false},
	{"cancelled", "A cancelled context ends a call with its error, and Append has written all or nothing.", cancelled, false},
	{"race", "Of concurrent Appends at one version exactly one wins, and none is lost.", race, false},
	{"restart", "What a successful Append wrote is there after a restart, and the log goes on from it.", restart, true},
	{"restart snapshot", "The newest snapshot is there after a restart, with the records after it.", restartSnapshot, true},
	{"restart refused", "What was refused is not there after a restart either.", restartRefused, true},
	{"restart apart", "All campaigns are there after a restart, each with its own log; others are still unknown.", restartApart, true},
}

func record(version int64, text string) campaign.Record {
	return campaign.Record{
		Version: version, Kind: "turn", At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		Inputs: campaign.Inputs{campaign.Submit{ActorID: "a", Text: text}},
		Delta:  campaign.Delta{{Path: tree.Path{"a.b", "药|水"}, Value: tree.Num("1.0")}},
	}
}

func (e *exam) append(version int64, snapshot []byte) {
	e.Helper()
	rec := record(version, fmt.Sprintf("第%d行 <&>", version))
	if err := e.store.Append(e.Context(), e.id, version-1, rec, snapshot); err != nil {
		e.Fatalf("Append of record %d: %v", version, err)
	}
}

// versions lists what Records returns after a version.
func (e *exam) versions(after int64) []int64 {
	e.Helper()
	records, err := e.store.Records(e.Context(), e.id, after)
	if err != nil {
		e.Fatalf("Records: %v", err)
	}
	return versionsOf(records)
}

func versionsOf(records []campaign.Record) []int64 {
	out := []int64{}
	for _, r := range records {
		out = append(out, r.Version)
	}
	return out
}

func (e *exam) want(got, want any) {
	e.Helper()
	if d := cmp.Diff(want, got); d != "" {
		e.Errorf("(-want +got):\n%s", d)
	}
}

func unknown(e *exam) {
	if _, err := e.store.Load(e.Context(), e.id); !errors.Is(err, campaign.ErrNotFound) {
		e.Errorf("Load: %v, want ErrNotFound", err)
	}
	if _, err := e.store.Records(e.Context(), e.id, 0); !errors.Is(err, campaign.ErrNotFound) {
		e.Errorf("Records: %v, want ErrNotFound", err)
	}
}

func order(e *exam) {
	for v := int64(1); v <= 5; v++ {
		e.append(v, nil)
	}
	e.want(e.versions(0), []int64{1, 2, 3, 4, 5})
	e.want(e.versions(3), []int64{4, 5})
	e.want(e.versions(9), []int64{})
	records, err := e.store.Records(e.Context(), e.id, 1)
	if err != nil {
		e.Fatalf("%v", err)
	}
	want := record(2, "第2行 <&>")
	got := records[0]
	e.want(got.Inputs[0].(campaign.Submit).Text, "第2行 <&>")
	e.want(got.Delta[0].Path, want.Delta[0].Path)
	e.want(got.Delta[0].Value.String(), "1.0")
	e.want(got.At.Equal(want.At), true)
}

func create(e *exam) {
	e.append(1, nil)
	err := e.store.Append(e.Context(), e.id, 0, record(1, "again"), nil)
	if !errors.Is(err, campaign.ErrVersionConflict) {
		e.Errorf("second creation: %v, want ErrVersionConflict", err)
	}
	e.want(e.versions(0), []int64{1})
}

func conflict(e *exam) {
	e.append(1, nil)
	e.append(2, nil)
	err := e.store.Append(e.Context(), e.id, 1, record(2, "late"), []byte(`{"late":true}`))
	if !errors.Is(err, campaign.ErrVersionConflict) {
		e.Errorf("late Append: %v, want ErrVersionConflict", err)
	}
	e.want(e.versions(0), []int64{1, 2})
	saved, err := e.store.Load(e.Context(), e.id)
	if err != nil {
		e.Fatalf("%v", err)
	}
	if saved.Snapshot != nil {
		e.Errorf("the refused Append left a snapshot: %s", saved.Snapshot)
	}
}

func gap(e *exam) {
	e.append(1, nil)
	err := e.store.Append(e.Context(), e.id, 5, record(6, "early"), nil)
	if !errors.Is(err, campaign.ErrVersionConflict) {
		e.Errorf("early Append: %v, want ErrVersionConflict", err)
	}
	e.want(e.versions(0), []int64{1})
}

func snapshot(e *exam) {
	e.append(1, nil)
	e.append(2, []byte(`{"version":2}`))
	e.append(3, nil)
	e.append(4, []byte(`{"version":4}`))
	e.append(5, nil)
	saved, err := e.store.Load(e.Context(), e.id)
	if err != nil {
		e.Fatalf("%v", err)
	}
	e.want(string(saved.Snapshot), `{"version":4}`)
	e.want(saved.SnapshotVersion, int64(4))
	e.want(versionsOf(saved.Records), []int64{5})
}

func recordsAfterSnapshot(e *exam) {
	e.append(1, nil)
	e.append(2, []byte(`{}`))
	e.append(3, nil)
	e.want(e.versions(0), []int64{1, 2, 3})
}

func copies(e *exam) {
	rec := record(1, "first")
	data := []byte(`{"a":1}`)
	if err := e.store.Append(e.Context(), e.id, 0, rec, data); err != nil {
		e.Fatalf("%v", err)
	}
	rec.Delta[0].Path[0], data[1] = "changed", 'X'
	saved, err := e.store.Load(e.Context(), e.id)
	if err != nil {
		e.Fatalf("%v", err)
	}
	e.want(string(saved.Snapshot), `{"a":1}`)
	records, err := e.store.Records(e.Context(), e.id, 0)
	if err != nil {
		e.Fatalf("%v", err)
	}
	e.want(records[0].Delta[0].Path[0], "a.b")
}

func apart(e *exam) {
	e.append(1, nil)
	first := e.id
	e.id += "/other"
	e.append(1, nil)
	e.append(2, nil)
	e.want(e.versions(0), []int64{1, 2})
	e.id = first
	e.want(e.versions(0), []int64{1})
}

func cancelled(e *exam) {
	e.append(1, nil)
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	if _, err := e.store.Load(ctx, e.id); !errors.Is(err, context.Canceled) {
		e.Errorf("Load: %v, want context.Canceled", err)
	}
	err := e.store.Append(ctx, e.id, 1, record(2, "x"), nil)
	switch n := len(e.versions(0)); {
	case err == nil && n != 2:
		e.Errorf("Append reported success and wrote nothing")
	case err != nil && n != 1:
		e.Errorf("Append reported %v and wrote the record", err)
	}
}

func race(e *exam) {
	e.append(1, nil)
	const writers = 8
	var wg sync.WaitGroup
	errs := make([]error, writers)
	for i := range writers {
		wg.Go(func() {
			rec := record(2, fmt.Sprintf("writer %d", i))
			errs[i] = e.store.Append(e.Context(), e.id, 1, rec, nil)
		})
	}
	wg.Wait()
	won := -1
	for i, err := range errs {
		switch {
		case err == nil && won >= 0:
			e.Errorf("writers %d and %d both won", won, i)
		case err == nil:
			won = i
		case !errors.Is(err, campaign.ErrVersionConflict):
			e.Errorf("writer %d: %v, want ErrVersionConflict", i, err)
		}
	}
	if won < 0 {
		e.Fatalf("nobody won")
	}
	records, err := e.store.Records(e.Context(), e.id, 1)
	if err != nil {
		e.Fatalf("%v", err)
	}
	e.want(versionsOf(records), []int64{2})
	e.want(records[0].Inputs[0].(campaign.Submit).Text, fmt.Sprintf("writer %d", won))
}
