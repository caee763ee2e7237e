package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/internal/perftest"
)

// contest commits to a store and to a bare table by turns, and returns how much longer
// the store takes: the ratio of the medians.
func contest(b testing.TB, bytes, rounds int) float64 {
	b.Helper()
	s := connect(b, server(b))
	ctx := context.Background()
	if _, err := s.db.ExecContext(ctx, "CREATE TABLE bare (id text, version bigint, data bytea, PRIMARY KEY (id, version))"); err != nil {
		b.Fatal(err)
	}
	data := []byte(strings.Repeat("x", bytes))
	ours, theirs := make([]time.Duration, rounds), make([]time.Duration, rounds)
	for i := range rounds {
		version := int64(i + 1)
		theirs[i] = perftest.Best(1, func() {
			if _, err := s.db.ExecContext(ctx, "INSERT INTO bare VALUES ($1, $2, $3)", "a", version, data); err != nil {
				b.Fatal(err)
			}
		})
		ours[i] = perftest.Best(1, func() {
			if err := s.Append(ctx, "a", campaign.Entry{Version: version, Kind: "turn", Data: data}, nil); err != nil {
				b.Fatal(err)
			}
		})
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	return perftest.Ratio(ours[rounds/2], theirs[rounds/2])
}

// BenchmarkCommit reports how much longer a commit takes than a transaction of the bare
// driver that writes one row of the same bytes.
func BenchmarkCommit(b *testing.B) {
	for _, bytes := range []int{1 << 10, 37 << 10} {
		b.Run(fmt.Sprintf("bytes=%d", bytes), func(b *testing.B) {
			ratio := contest(b, bytes, max(b.N, 20))
			b.ReportMetric(ratio, "times-the-driver")
		})
	}
}

// TestPerfCommit holds a commit to 1.3 times the bare driver's.
func TestPerfCommit(t *testing.T) {
	perftest.Need(t)
	for _, bytes := range []int{1 << 10, 37 << 10} {
		perftest.AtMost(t, fmt.Sprintf("a commit of %d bytes", bytes), 1.3, func() float64 { return contest(t, bytes, 300) })
	}
}
