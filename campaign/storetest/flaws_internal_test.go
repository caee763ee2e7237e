package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
)

// memory is a small store with a flaw that a test chooses.
type memory struct {
	flaw string
	mu   sync.Mutex
	held int // by sequences that were not read to their end
	logs map[string]*memoryLog
	told []watcher

	shared memoryBox
}

type memoryLog struct {
	entries  []campaign.Entry
	snapshot []byte
	version  int64
	deleted  bool
	lease    *memoryLease
	box      *memoryBox
}

func (m *memory) has(flaw string) bool { return m.flaw == flaw }

func (m *memory) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	id = m.key(id)
	l := m.logs[id]
	if l == nil {
		l = &memoryLog{}
	}
	have := int64(len(l.entries))
	if m.has("writes before it looks at the context") {
		l.entries, m.logs[id] = append(l.entries, entry), l
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	same := entry.Version >= 1 && entry.Version <= have && bytes.Equal(l.entries[entry.Version-1].Data, entry.Data)
	switch {
	case l.deleted && !m.has("takes what belongs to a deleted campaign"):
		return campaign.ErrDeleted
	case same && m.has("finds a conflict with itself"):
		return campaign.ErrVersionConflict
	case same && !m.has("accepts what is late"):
		if snapshot != nil && m.has("takes a repetition's snapshot") {
			l.snapshot, l.version = snapshot, entry.Version
		}
		return nil
	case entry.Version == have+1 && !m.has("accepts nothing"):
		if err := m.fenced(id, entry); err != nil {
			return err
		}
	case m.has("keeps a refused snapshot") && snapshot != nil:
		l.snapshot, l.version = snapshot, have
		return campaign.ErrVersionConflict
	case m.has("accepts what is late") && entry.Version <= have && have > 0 && entry.Version > 0,
		m.has("accepts gaps") && entry.Version > have:
	case m.has("words for conflicts of its own"):
		return errors.New("somebody was faster")
	default:
		return campaign.ErrVersionConflict
	}
	if m.has("ends when the caller does") && snapshot != nil && len(l.entries) > 0 {
		runtime.Gosched()
		l.entries = append(l.entries, entry)
		return errors.New("no time for the snapshot")
	}
	m.write(l, entry, snapshot)
	m.committed(l, entry)
	m.logs[id] = l
	return m.tell(id)
}

// write appends with the flaws that concern stored data.
func (m *memory) write(l *memoryLog, entry campaign.Entry, snapshot []byte) {
	if !m.has("keeps fences") {
		entry.Fence = 0
	}
	if !m.has("keeps what it was given") {
		entry.Data, snapshot = slices.Clone(entry.Data), slices.Clone(snapshot)
	}
	switch m.flaw {
	case "loses keys":
		entry.Key = ""
	case "loses texts":
		entry.TurnID = ""
	case "keeps seconds":
		entry.At = entry.At.Truncate(time.Second)
	case "keeps text":
		entry.Data = bytes.ToValidUTF8(entry.Data, []byte("?"))
	case "cuts what is long":
		entry.Data = entry.Data[:min(len(entry.Data), 1<<20)]
	case "loses every tenth":
		if entry.Version%10 == 0 {
			entry.Version++
		}
	}
	if !m.has("writes before it looks at the context") {
		l.entries = append(l.entries, entry)
	}
	if snapshot != nil && !(m.has("keeps the first snapshot") && l.snapshot != nil) {
		l.snapshot, l.version = snapshot, entry.Version
	}
	if m.has("cuts the log at snapshots") && snapshot != nil {
		l.entries = nil
	}
}

func (m *memory) Load(ctx context.Context, id string) (campaign.Saved, error) {
	if m.has("reads in two steps") { // an entry that is appended in between is lost
		m.mu.Lock()
		defer m.mu.Unlock()
		if l := m.find(id); l != nil && len(l.entries) > 3 {
			return campaign.Saved{Entries: append(l.entries[:1:1], l.entries[2:]...)}, nil
		}
	} else {
		m.mu.Lock()
		defer m.mu.Unlock()
	}
	if err := m.fault(ctx, id); err != nil {
		return campaign.Saved{}, err
	}
	l := m.find(id)
	saved := campaign.Saved{Snapshot: slices.Clone(l.snapshot), SnapshotVersion: l.version,
		Entries: slices.Clone(l.entries[min(int(l.version), len(l.entries)):])}
	return saved, nil
}

// fault returns why a log cannot be read.
func (m *memory) fault(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil && !m.has("does not hear the context") {
		return err
	}
	switch l := m.find(id); {
	case l == nil:
		return campaign.ErrNotFound
	case l.deleted && m.has("forgets what it deleted"):
		return campaign.ErrNotFound
	case l.deleted:
		return campaign.ErrDeleted
	}
	return nil
}

func (m *memory) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		m.mu.Lock()
		if m.held > 50 {
			m.mu.Unlock()
			yield(campaign.Entry{}, errors.New("too many sequences are open"))
			return
		}
		err := m.fault(ctx, id)
		var out []campaign.Entry
		if err == nil {
			l := m.find(id)
			out = slices.Clone(l.entries[min(int(after), len(l.entries)):])
		}
		m.mu.Unlock()
		if err != nil {
			yield(campaign.Entry{}, err)
			return
		}
		if m.has("turns the order round") {
			slices.Reverse(out)
		}
		if m.has("yields a page only") {
			out = out[:min(len(out), 500)]
		}
		for _, e := range out {
			if !m.has("hands out what it keeps") {
				e.Data = slices.Clone(e.Data)
			}
			if !yield(e, nil) {
				if m.has("keeps sequences open") {
					m.held++
				}
				return
			}
		}
	}
}

func (m *memory) List(_ context.Context, page campaign.Page) (out []campaign.Info, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(m.logs)) {
		l := m.logs[id]
		fits := strings.HasPrefix(id, page.Prefix)
		if m.has("takes a prefix for a pattern") {
			fits = strings.HasPrefix(id, strings.TrimSuffix(page.Prefix, "%"))
		}
		if l.deleted || !fits || page.After != "" && id <= page.After || page.Limit > 0 && len(out) == page.Limit {
			continue
		}
		out = append(out, campaign.Info{ID: id, Version: int64(len(l.entries)),
			Created: l.entries[0].At, Updated: l.entries[len(l.entries)-1].At})
	}
	return out, nil
}

func (m *memory) Delete(ctx context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault(ctx, id); err != nil {
		return err
	}
	if m.has("forgets the deletion") {
		delete(m.logs, m.key(id))
		return nil
	}
	m.logs[m.key(id)] = &memoryLog{deleted: true, entries: m.logs[m.key(id)].entries}
	if m.has("tells nobody of deletions") {
		return nil
	}
	return m.tell(m.key(id))
}

func (m *memory) Trim(ctx context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault(ctx, id); err != nil {
		return err
	}
	if m.has("trims too much") {
		l := m.find(id)
		l.snapshot, l.version = nil, 0
	}
	return nil
}

// key returns the key under which a campaign's log is stored.
func (m *memory) key(id string) string {
	switch m.flaw {
	case "shares campaigns":
		return ""
	case "does not tell capitals":
		return strings.ToLower(id)
	}
	return id
}

func (m *memory) find(id string) *memoryLog {
	if m.logs[m.key(id)] == nil && m.has("invents campaigns") {
		return &memoryLog{}
	}
	return m.logs[m.key(id)]
}

// reopened returns the store after a restart.
func (m *memory) reopened() *memory {
	out := &memory{flaw: m.flaw, logs: map[string]*memoryLog{}}
	for id, l := range m.logs {
		kept := *l
		switch m.flaw {
		case "forgets everything":
			continue
		case "forgets the last record":
			kept.entries = l.entries[:len(l.entries)-1]
		case "forgets snapshots":
			kept.snapshot, kept.version = nil, 0
		case "brings the deleted back":
			kept.deleted = false
		case "forgets posts":
			kept.box = nil
		case "forgets keys":
			kept.entries = forgetKeys(l.entries)
		case "forgets leases":
			kept.lease = nil
		case "forgets all but the last campaign":
			if !strings.HasSuffix(id, "/other") {
				continue
			}
		}
		out.logs[id] = &kept
	}
	return out
}

// witness is a test that records its failures.
type witness struct {
	ctx    context.Context
	mu     sync.Mutex
	failed string
}

func (*witness) Helper()                    {}
func (w *witness) Context() context.Context { return w.ctx }
func (w *witness) Errorf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed += fmt.Sprintf(format+"\n", args...)
}

func (w *witness) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	runtime.Goexit()
}

// verdict runs a case on a store with a flaw and returns the case's failures.
func verdict(t *testing.T, c examCase, flaw string) string {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := &witness{ctx: ctx}
	e := newExam(w, c.name, &memory{flaw: flaw, logs: map[string]*memoryLog{}})
	e.noticeTimeout = time.Millisecond // its notices come at once
	e.reopen = func(s campaign.Store) campaign.Store { return s.(*memory).reopened() }
	done := make(chan any)
	go func() { // because Fatalf ends its goroutine
		defer func() { done <- recover() }()
		c.run(e)
	}()
	if panicked := <-done; panicked != nil {
		t.Errorf("%s, %s: %v", c.name, flaw, panicked)
	}
	return w.failed
}

// TestExamFindsFlaws checks that the cases about a flaw find it, that every case finds a flaw, and
// that a store without a flaw passes. An exam that no store can fail would prove nothing (ST-09).
func TestExamFindsFlaws(t *testing.T) {
	t.Parallel()
	useful := map[string]bool{}
	for _, f := range []struct {
		flaw  string
		found []string
	}{
		{"shares campaigns", []string{"apart", "campaign", "restart apart", "side by side"}},
		{"does not tell capitals", []string{"apart"}},
		{"writes before it looks at the context", []string{"cancelled"}},
		{"ends when the caller does", []string{"cancelled meanwhile"}},
		{"accepts nothing", []string{"order", "snapshot", "campaign", "repair"}},
		{"keeps a refused snapshot", []string{"conflict", "restart refused"}},
		{"accepts what is late", []string{"create", "conflict", "restart", "race", "contention"}},
		{"accepts gaps", []string{"gap"}},
		{"finds a conflict with itself", []string{"again", "restart"}},
		{"takes a repetition's snapshot", []string{"again"}},
		{"words for conflicts of its own", []string{"create", "conflict", "gap", "race"}},
		{"keeps what it was given", []string{"copies"}},
		{"hands out what it keeps", []string{"copies"}},
		{"loses texts", []string{"order", "restart"}},
		{"keeps seconds", []string{"times"}},
		{"keeps text", []string{"bytes"}},
		{"cuts what is long", []string{"huge"}},
		{"loses every tenth", []string{"long log", "contention"}},
		{"keeps the first snapshot", []string{"snapshot", "restart snapshot"}},
		{"cuts the log at snapshots", []string{"records after snapshot"}},
		{"does not hear the context", []string{"cancelled"}},
		{"invents campaigns", []string{"unknown", "gap", "restart apart"}},
		{"turns the order round", []string{"order", "long log", "campaign", "repair"}},
		{"yields a page only", []string{"long log"}},
		{"keeps sequences open", []string{"early end"}},
		{"reads in two steps", []string{"reader beside writer"}},
		{"takes a prefix for a pattern", []string{"list"}},
		{"forgets what it deleted", []string{"delete"}},
		{"forgets the deletion", []string{"delete"}},
		{"takes what belongs to a deleted campaign", []string{"delete", "restart deleted"}},
		{"trims too much", []string{"trim"}},
		{"forgets everything", []string{"restart", "restart snapshot", "restart refused", "restart apart"}},
		{"forgets the last record", []string{"restart", "restart snapshot", "restart campaign"}},
		{"forgets snapshots", []string{"restart snapshot"}},
		{"forgets all but the last campaign", []string{"restart apart"}},
		{"brings the deleted back", []string{"restart deleted"}},
		{"leases to everybody", []string{"lease", "lease late", "lease race"}},
		{"counts no fences", []string{"lease", "lease late", "lease over", "answers"}},
		{"reports a wrong time", []string{"lease"}},
		{"leases what is not there", []string{"lease unknown"}},
		{"renews what was lost", []string{"lease", "lease late"}},
		{"ends leases that nobody wants", []string{"lease over"}},
		{"takes what is not given", []string{"lease late"}},
		{"does not end the fence", []string{"lease"}},
		{"takes late entries", []string{"lease", "lease late"}},
		{"keeps fences", []string{"lease late"}},
		{"keeps late answers", []string{"answers"}},
		{"keeps one answer", []string{"answers"}},
		{"keeps answers for ever", []string{"answers"}},
		{"forgets answers of others", []string{"answers"}},
		{"does not remove answers", []string{"answers"}},
		{"forgets leases", []string{"restart lease"}},
		{"puts posts in front", []string{"posts"}},
		{"puts in twice", []string{"posts", "posts race"}},
		{"leaves what was committed", []string{"posts", "posts apart"}},
		{"empties the box at a commit", []string{"posts"}},
		{"finishes twice", []string{"posts"}},
		{"shares the box", []string{"posts apart"}},
		{"lists all boxes", []string{"posts apart"}},
		{"posts to nobody", []string{"posts apart"}},
		{"is never full", []string{"posts full"}},
		{"keeps what came of posts for ever", []string{"posts full"}},
		{"takes late outcomes", []string{"posts late"}},
		{"tells nobody of posts", []string{"posts told"}},
		{"forgets posts", []string{"restart posts"}},
		{"counts the deleted", []string{"stats"}},
		{"counts leases that are over", []string{"stats"}},
		{"counts posts that are over", []string{"stats"}},
		{"takes the newest post for the oldest", []string{"stats"}},
		{"loses keys", []string{"keys", "restart keys"}},
		{"finds the newest", []string{"keys"}},
		{"finds what has no key", []string{"keys"}},
		{"finds keys of other campaigns", []string{"keys"}},
		{"finds keys of nothing", []string{"keys"}},
		{"forgets keys", []string{"restart keys"}},
		{"tells nobody", []string{"notices", "notices pile up", "notice of deletion"}},
		{"tells the first who watches", []string{"notices"}},
		{"tells once", []string{"notices"}},
		{"tells of other campaigns", []string{"notices"}},
		{"waits for who does not listen", []string{"notices pile up"}},
		{"closes the channel", []string{"notices pile up"}},
		{"tells nobody of deletions", []string{"notice of deletion"}},
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
		if failed := verdict(t, c, ""); failed != "" {
			t.Errorf("the case %q fails a sound store: %s", c.name, failed)
		}
	}
}
