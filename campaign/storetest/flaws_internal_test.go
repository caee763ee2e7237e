package storetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
)

// memory is a small store whose mistakes can be chosen.
type memory struct {
	flaw string
	logs map[string]*memoryLog
}

type memoryLog struct {
	records  []campaign.Record
	snapshot []byte
	version  int64
}

func (m *memory) has(flaw string) bool { return m.flaw == flaw }

func (m *memory) Append(ctx context.Context, id string, expected int64, rec campaign.Record, snapshot []byte) error {
	if m.has("shares campaigns") {
		id = ""
	}
	l := m.logs[id]
	if l == nil {
		l = &memoryLog{}
	}
	have := int64(len(l.records))
	if m.has("writes before it looks at the context") {
		l.records, m.logs[id] = append(l.records, rec), l
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case have == expected && !m.has("accepts nothing"):
	case m.has("keeps a refused snapshot") && snapshot != nil:
		l.snapshot, l.version = snapshot, have
		return campaign.ErrVersionConflict
	case m.has("accepts what is late") && expected < have, m.has("accepts gaps") && expected > have:
	case m.has("words for conflicts of its own"):
		return errors.New("somebody was faster")
	default:
		return campaign.ErrVersionConflict
	}
	if !m.has("keeps what it was given") {
		rec.Delta = slices.Clone(rec.Delta)
		for i := range rec.Delta {
			rec.Delta[i].Path = slices.Clone(rec.Delta[i].Path)
		}
		snapshot = slices.Clone(snapshot)
	}
	if m.has("loses texts") {
		rec.Inputs = campaign.Inputs{campaign.Submit{}}
	}
	if !m.has("writes before it looks at the context") {
		l.records = append(l.records, rec)
	}
	if snapshot != nil && !(m.has("keeps the first snapshot") && l.snapshot != nil) {
		l.snapshot, l.version = snapshot, rec.Version
	}
	if m.has("cuts the log at snapshots") && snapshot != nil {
		l.records = nil
	}
	m.logs[id] = l
	return nil
}

func (m *memory) Load(ctx context.Context, id string) (campaign.Saved, error) {
	records, err := m.Records(ctx, id, 0)
	if err != nil {
		return campaign.Saved{}, err
	}
	l := m.find(id)
	return campaign.Saved{Snapshot: l.snapshot, SnapshotVersion: l.version, Records: records[min(int(l.version), len(records)):]}, nil
}

func (m *memory) Records(ctx context.Context, id string, after int64) ([]campaign.Record, error) {
	if err := ctx.Err(); err != nil && !m.has("does not hear the context") {
		return nil, err
	}
	l := m.find(id)
	switch {
	case l == nil && m.has("invents campaigns"):
		return nil, nil
	case l == nil:
		return nil, campaign.ErrNotFound
	}
	out := slices.Clone(l.records[min(int(after), len(l.records)):])
	if m.has("turns the order round") {
		slices.Reverse(out)
	}
	return out, nil
}

func (m *memory) find(id string) *memoryLog {
	if m.has("shares campaigns") {
		id = ""
	}
	if m.logs[id] == nil && m.has("invents campaigns") {
		return &memoryLog{}
	}
	return m.logs[id]
}

// reopened is what is left of the store after a restart.
func (m *memory) reopened() *memory {
	out := &memory{flaw: m.flaw, logs: map[string]*memoryLog{}}
	for id, l := range m.logs {
		kept := *l
		switch m.flaw {
		case "forgets everything":
			continue
		case "forgets the last record":
			kept.records = l.records[:len(l.records)-1]
		case "forgets snapshots":
			kept.snapshot, kept.version = nil, 0
		case "forgets all but the last campaign":
			if !strings.HasSuffix(id, "/other") {
				continue
			}
		}
		out.logs[id] = &kept
	}
	return out
}

// witness is a test that notes what failed.
type witness struct {
	ctx    context.Context
	failed string
}

func (*witness) Helper()                    {}
func (w *witness) Context() context.Context { return w.ctx }
func (w *witness) Errorf(format string, args ...any) {
	w.failed += fmt.Sprintf(format+"\n", args...)
}

func (w *witness) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	runtime.Goexit()
}

// verdict runs a case on a store with a flaw, and returns what it found.
func verdict(t *testing.T, c examCase, flaw string) string {
	w := &witness{ctx: t.Context()}
	e := newExam(w, c.name, &memory{flaw: flaw, logs: map[string]*memoryLog{}})
	e.reopen = func(s campaign.Store) campaign.Store { return s.(*memory).reopened() }
	done := make(chan any)
	go func() { // Fatalf ends its goroutine
		defer func() { done <- recover() }()
		c.run(e)
	}()
	if panicked := <-done; panicked != nil {
		t.Errorf("%s, %s: %v", c.name, flaw, panicked)
	}
	return w.failed
}

// Every flaw is found by the cases that are about it, every case but the race finds
// one, and a store without a flaw passes: an exam that nobody can fail would prove
// nothing: ST-09.
func TestExamFindsFlaws(t *testing.T) {
	t.Parallel()
	useful := map[string]bool{"race": true} // the store here is for one user at a time
	for _, f := range []struct {
		flaw  string
		found []string
	}{
		{"shares campaigns", []string{"apart", "restart apart"}},
		{"writes before it looks at the context", []string{"cancelled"}},
		{"accepts nothing", []string{"order", "snapshot"}},
		{"keeps a refused snapshot", []string{"conflict", "restart refused"}},
		{"accepts what is late", []string{"create", "conflict", "restart"}},
		{"accepts gaps", []string{"gap"}},
		{"words for conflicts of its own", []string{"create", "conflict", "gap"}},
		{"keeps what it was given", []string{"copies"}},
		{"loses texts", []string{"order", "restart"}},
		{"keeps the first snapshot", []string{"snapshot", "restart snapshot"}},
		{"cuts the log at snapshots", []string{"records after snapshot"}},
		{"does not hear the context", []string{"cancelled"}},
		{"invents campaigns", []string{"unknown", "restart apart"}},
		{"turns the order round", []string{"order"}},
		{"forgets everything", []string{"restart", "restart snapshot", "restart refused", "restart apart"}},
		{"forgets the last record", []string{"restart", "restart snapshot"}},
		{"forgets snapshots", []string{"restart snapshot"}},
		{"forgets all but the last campaign", []string{"restart apart"}},
	} {
		for _, c := range cases {
			if slices.Contains(f.found, c.name) {
				useful[c.name] = true
				if verdict(t, c, f.flaw) == "" {
					t.Errorf("the case %q passes a store that %s", c.name, f.flaw)
				}
			}
		}
	}
	for _, c := range cases {
		if !useful[c.name] {
			t.Errorf("no flaw is found by the case %q", c.name)
		}
		if c.name != "race" {
			if failed := verdict(t, c, ""); failed != "" {
				t.Errorf("the case %q fails a sound store: %s", c.name, failed)
			}
		}
	}
}
