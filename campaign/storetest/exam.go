package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
)

// noticeTimeout is the maximum time for a notice on a busy machine.
const noticeTimeout = time.Minute

// reporter is the part of a test that the exam uses.
type reporter interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// exam is one case on a store, with helpers for cases.
type exam struct {
	reporter
	store  campaign.Store
	second campaign.Store // a second store on the same data
	reopen func(campaign.Store) campaign.Store
	id     string // of the campaign; cases with several change it

	noticeTimeout time.Duration // the maximum time until a notice comes
}

// newExam returns an exam with a campaign ID of its own.
func newExam(r reporter, name string, store campaign.Store) *exam {
	return &exam{reporter: r, store: store, second: store, noticeTimeout: noticeTimeout, id: "exam/" + name + "/战役"}
}

// restart closes the store and opens it again.
func (e *exam) restart() { e.store = e.reopen(e.store) }

// entry returns an entry whose Data depends on its version and the text.
func entry(version int64, text string) campaign.Entry {
	return campaign.Entry{
		Version: version, Kind: "turn", TurnID: fmt.Sprintf("turn_%04d", version),
		At:   time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC).Add(time.Duration(version) * time.Minute),
		Data: fmt.Appendf(nil, "%d \x00\xff 第%d行 <&> %s", version, version, text),
	}
}

// must ends the case if a call fails. The format names the call.
func (e *exam) must(err error, format string, args ...any) {
	e.Helper()
	if err != nil {
		e.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// wantError checks the error of a call. The error of a deleted campaign is also ErrNotFound, but does
// not count as that.
func (e *exam) wantError(what string, err, want error) {
	e.Helper()
	if !errors.Is(err, want) || want == campaign.ErrNotFound && errors.Is(err, campaign.ErrDeleted) {
		e.Errorf("%s: %v, want %v", what, err, want)
	}
}

// wantErrors checks the errors of calls, by their names.
func (e *exam) wantErrors(calls map[string]error, want error) {
	e.Helper()
	for what, err := range calls {
		e.wantError(what, err, want)
	}
}

// cancelled returns a context that has ended.
func (e *exam) cancelled() context.Context {
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	return ctx
}

// append writes the entry of a version.
func (e *exam) append(version int64, snapshot []byte) {
	e.Helper()
	e.must(e.store.Append(e.Context(), e.id, entry(version, ""), snapshot), "Append of entry %d", version)
}

// records returns the entries that Records yields after a version.
func (e *exam) records(after int64) []campaign.Entry {
	e.Helper()
	out := []campaign.Entry{}
	for got, err := range e.store.Records(e.Context(), e.id, after) {
		e.must(err, "Records")
		out = append(out, got)
	}
	return out
}

// load returns the result of Load.
func (e *exam) load() campaign.Saved {
	e.Helper()
	saved, err := e.store.Load(e.Context(), e.id)
	e.must(err, "Load")
	return saved
}

// recordsError returns the error at the end of Records.
func recordsError(ctx context.Context, store campaign.Store, id string) error {
	for _, err := range store.Records(ctx, id, 0) {
		if err != nil {
			return err
		}
	}
	return nil
}

// versions lists the versions that Records yields after a version.
func (e *exam) versions(after int64) []int64 {
	e.Helper()
	return versionsOf(e.records(after))
}

// versionsOf lists the versions of entries.
func versionsOf(entries []campaign.Entry) []int64 {
	out := []int64{}
	for _, r := range entries {
		out = append(out, r.Version)
	}
	return out
}

// versionsFrom lists the versions from first to last.
func versionsFrom(first, last int64) []int64 {
	out := []int64{}
	for v := first; v <= last; v++ {
		out = append(out, v)
	}
	return out
}

// wantEqual checks that two values are equal.
func (e *exam) wantEqual(got, want any) {
	e.Helper()
	if d := cmp.Diff(want, got); d != "" {
		e.Errorf("(-want +got):\n%s", d)
	}
}

// wantEntry compares two entries. Their times are compared as instants.
func (e *exam) wantEntry(got, want campaign.Entry) {
	e.Helper()
	if !got.At.Equal(want.At) || got.At.IsZero() != want.At.IsZero() {
		e.Errorf("entry %d is of %s, want %s", want.Version, got.At, want.At)
	}
	if !bytes.Equal(got.Data, want.Data) {
		e.Errorf("entry %d has %d bytes that differ from the %d that were written", want.Version, len(got.Data), len(want.Data))
	}
	if got.Version != want.Version || got.Kind != want.Kind || got.TurnID != want.TurnID {
		e.Errorf("got entry %d (%s, %q), want %d (%s, %q)", got.Version, got.Kind, got.TurnID,
			want.Version, want.Kind, want.TurnID)
	}
}
