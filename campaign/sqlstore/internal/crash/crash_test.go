package crash

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/talewright/talewright/campaign"
)

// TestCompare: an acknowledged entry that is not stored is lost, and a tag that is stored twice is
// doubled. The processes run the same writer.
func TestCompare(t *testing.T) {
	store := &campaign.MemoryStore{}
	in, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- write(store, "w", out) }()
	acknowledged := map[place]string{}
	lines := bufio.NewScanner(in)
	for range 40 {
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		var p place
		var tag string
		if _, err := fmt.Sscan(lines.Text(), &p.campaign, &p.version, &tag); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		acknowledged[p] = tag
	}
	errStopped := errors.New("stopped")
	_ = in.CloseWithError(errStopped)
	if err := <-done; !errors.Is(err, errStopped) {
		t.Errorf("the writer ended with %v", err)
	}
	if lost, doubled := compare(t, store, acknowledged); lost != 0 || doubled != 0 {
		t.Errorf("lost %d, doubled %d of a sound store", lost, doubled)
	}
	acknowledged[place{0, 1000}] = "w.1000"
	_, last, err := head(t, store, campaignID(0))
	if err != nil {
		t.Fatal(err)
	}
	twice := campaign.Entry{Version: last + 1, Kind: "turn", Data: []byte("w.0 again")}
	if err := store.Append(t.Context(), campaignID(0), twice, nil); err != nil {
		t.Fatal(err)
	}
	if lost, doubled := compare(t, store, acknowledged); lost != 1 || doubled != 1 {
		t.Errorf("lost %d, doubled %d, want 1 of each", lost, doubled)
	}
}

// head returns the number of entries of a campaign and the version of the last one.
func head(t *testing.T, store campaign.Store, id string) (n int, last int64, err error) {
	for entry, err := range store.Records(t.Context(), id, 0) {
		if err != nil {
			return n, last, err
		}
		n, last = n+1, entry.Version
	}
	return n, last, nil
}
