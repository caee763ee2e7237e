package sqlite_test

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/internal/testkit"
)

// contest commits to a store and to a bare table in turn. It returns the ratio of the median times.
func contest(b testing.TB, bytes, rounds int) float64 {
	b.Helper()
	folder := b.TempDir()
	s := open(b, filepath.Join(folder, "store.db"), sqlite.Options{})
	db := raw(b, "file:"+filepath.Join(folder, "raw.db")+"?"+
		url.Values{"_txlock": {"immediate"}, "_pragma": {"journal_mode(WAL)", "synchronous(FULL)"}}.Encode())
	exec(b, db, "CREATE TABLE record (id TEXT, version INTEGER, data BLOB, UNIQUE (id, version))")
	insert, err := db.PrepareContext(context.Background(), "INSERT INTO record VALUES (?, ?, ?)")
	if err != nil {
		b.Fatal(err)
	}
	defer insert.Close()
	data := strings.Repeat("x", bytes)
	return testkit.Contest(rounds, func(i int) {
		e := entry(int64(i+1), data)
		e.Key = fmt.Sprintf("%032x", i) // like a turn that was submitted with an ID
		if err := s.Append(context.Background(), "a", e, nil); err != nil {
			b.Fatal(err)
		}
	}, func(i int) {
		tx, err := db.BeginTx(context.Background(), nil)
		if err == nil {
			_, err = tx.Stmt(insert).Exec("a", i+1, []byte(data))
		}
		if err == nil {
			err = tx.Commit()
		}
		if err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkCommit compares a durable commit with a transaction of the bare driver that writes one
// row of the same bytes.
func BenchmarkCommit(b *testing.B) {
	for _, bytes := range []int{1 << 10, 37 << 10} {
		b.Run(fmt.Sprintf("bytes=%d", bytes), func(b *testing.B) {
			ratio := contest(b, bytes, max(b.N, 20))
			b.ReportMetric(ratio, "times-the-driver")
		})
	}
}

// TestPerfCommit limits a durable commit to 1.3 times the time of the bare driver.
func TestPerfCommit(t *testing.T) {
	testkit.Need(t)
	for _, bytes := range []int{1 << 10, 37 << 10} {
		testkit.AtMost(t, fmt.Sprintf("a commit of %d bytes", bytes), 1.3, func() float64 { return contest(t, bytes, 300) })
	}
}
