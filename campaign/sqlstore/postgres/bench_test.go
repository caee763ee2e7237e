package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/internal/testkit"
)

// contest commits to a store and to a bare table in turn. It returns the ratio of the median times.
func contest(b testing.TB, bytes, rounds int) float64 {
	b.Helper()
	s := connect(b, server(b))
	ctx := context.Background()
	if _, err := s.db.ExecContext(ctx, "CREATE TABLE bare (id text, version bigint, data bytea, PRIMARY KEY (id, version))"); err != nil {
		b.Fatal(err)
	}
	data := []byte(strings.Repeat("x", bytes))
	return testkit.Contest(rounds, func(i int) {
		if err := s.Append(ctx, "a", campaign.Entry{Version: int64(i + 1), Kind: "turn", Key: fmt.Sprintf("%032x", i), Data: data}, nil); err != nil {
			b.Fatal(err)
		}
	}, func(i int) {
		if _, err := s.db.ExecContext(ctx, "INSERT INTO bare VALUES ($1, $2, $3)", "a", int64(i+1), data); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkCommit compares a commit with a transaction of the bare driver that writes one row of
// the same bytes.
func BenchmarkCommit(b *testing.B) {
	for _, bytes := range []int{1 << 10, 37 << 10} {
		b.Run(fmt.Sprintf("bytes=%d", bytes), func(b *testing.B) {
			ratio := contest(b, bytes, max(b.N, 20))
			b.ReportMetric(ratio, "times-the-driver")
		})
	}
}

// TestPerfCommit limits a commit to 1.3 times the time of the bare driver.
func TestPerfCommit(t *testing.T) {
	testkit.Need(t)
	for _, bytes := range []int{1 << 10, 37 << 10} {
		testkit.AtMost(t, fmt.Sprintf("a commit of %d bytes", bytes), 1.3, func() float64 { return contest(t, bytes, 300) })
	}
}
