package storetest

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign"
)

func testUnknown(e *exam) {
	_, err := e.store.Load(e.Context(), e.id)
	e.wantErrors(map[string]error{"Load": err, "Records": recordsError(e.Context(), e.store, e.id)}, campaign.ErrNotFound)
}

func testOrder(e *exam) {
	for v := int64(1); v <= 5; v++ {
		e.append(v, nil)
	}
	e.wantEqual(e.versions(0), []int64{1, 2, 3, 4, 5})
	e.wantEqual(e.versions(3), []int64{4, 5})
	e.wantEqual(e.versions(5), []int64{})
	e.wantEqual(e.versions(9), []int64{})
	for _, got := range e.records(1) {
		e.wantEntry(got, entry(got.Version, ""))
	}
	for _, got := range e.load().Entries {
		e.wantEntry(got, entry(got.Version, ""))
	}
}

func testTimes(e *exam) {
	for i, at := range []time.Time{
		{}, time.Unix(0, 0), time.Date(1347, 10, 1, 0, 0, 0, 1, time.UTC),
		time.Date(2999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(2026, 6, 1, 8, 0, 0, 123456789, time.FixedZone("Beijing", 8*3600)),
	} {
		want := entry(int64(i+1), "")
		want.At = at
		e.must(e.store.Append(e.Context(), e.id, want, nil), "Append at %s", at)
		for _, got := range e.records(int64(i)) {
			e.wantEntry(got, want)
		}
	}
}

func testBytes(e *exam) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for i, data := range [][]byte{all, []byte("'; -- \x00"), []byte(`{"a":1.0,"a":1e2}` + "\r\n \n"), {}} {
		want := entry(int64(i+1), "")
		want.Data = data
		e.must(e.store.Append(e.Context(), e.id, want, data), "Append")
		for _, got := range e.records(int64(i)) {
			e.wantEntry(got, want)
		}
		if saved := e.load(); !bytes.Equal(saved.Snapshot, data) || saved.SnapshotVersion != want.Version {
			e.Errorf("snapshot %q of version %d, want %q", saved.Snapshot, saved.SnapshotVersion, data)
		}
	}
}

func testHuge(e *exam) {
	want := entry(1, strings.Repeat("长", 3<<20/3*2))
	data := []byte(strings.Repeat("snapshot ", 1<<20))
	e.must(e.store.Append(e.Context(), e.id, want, data), "Append of %d bytes with a snapshot of %d", len(want.Data), len(data))
	for _, got := range e.records(0) {
		e.wantEntry(got, want)
	}
	if saved := e.load(); !bytes.Equal(saved.Snapshot, data) {
		e.Errorf("the snapshot has %d bytes, want %d", len(saved.Snapshot), len(data))
	}
}

func testCreate(e *exam) {
	e.append(1, nil)
	e.wantError("second creation", e.store.Append(e.Context(), e.id, entry(1, "again"), nil), campaign.ErrVersionConflict)
	e.wantEqual(e.versions(0), []int64{1})
	e.wantEntry(e.records(0)[0], entry(1, ""))
}

// appendLate appends two entries and then a second one with the version of the last. The store must
// refuse that one.
func (e *exam) appendLate() {
	e.Helper()
	e.append(1, nil)
	e.append(2, nil)
	e.wantError("late Append", e.store.Append(e.Context(), e.id, entry(2, "late"), []byte(`{"late":true}`)), campaign.ErrVersionConflict)
}

func testConflict(e *exam) {
	e.appendLate()
	e.wantEqual(e.versions(0), []int64{1, 2})
	if s := e.load().Snapshot; s != nil {
		e.Errorf("the refused Append left a snapshot: %s", s)
	}
}

func testGap(e *exam) {
	first := e.id
	e.append(1, nil)
	for _, version := range []int64{6, 3, 0, -1} {
		err := e.store.Append(e.Context(), e.id, entry(version, "early"), nil)
		e.wantError(fmt.Sprint("Append of version ", version), err, campaign.ErrVersionConflict)
	}
	e.wantEqual(e.versions(0), []int64{1})
	e.id = first + "/never"
	e.wantError("Append of version 2 to no log", e.store.Append(e.Context(), e.id, entry(2, "early"), nil), campaign.ErrVersionConflict)
	testUnknown(e)
}

func testRepeatedAppend(e *exam) {
	for v := int64(1); v <= 3; v++ {
		e.append(v, nil)
		e.append(v, []byte("of a repetition"))
	}
	e.append(1, nil) // again, when the log is far ahead
	e.wantEqual(e.versions(0), []int64{1, 2, 3})
	moved := entry(2, "")
	moved.Version = 1
	e.wantError("the same bytes at another version", e.store.Append(e.Context(), e.id, moved, nil), campaign.ErrVersionConflict)
	if s := e.load().Snapshot; s != nil {
		e.Errorf("a repetition wrote the snapshot %q", s)
	}
}

func testSnapshot(e *exam) {
	e.append(1, nil)
	e.append(2, []byte(`{"version":2}`))
	e.append(3, nil)
	e.append(4, []byte(`{"version":4}`))
	e.append(5, nil)
	saved := e.load()
	e.wantEqual(string(saved.Snapshot), `{"version":4}`)
	e.wantEqual(saved.SnapshotVersion, int64(4))
	e.wantEqual(versionsOf(saved.Entries), []int64{5})
}

func testRecordsAfterSnapshot(e *exam) {
	e.append(1, nil)
	e.append(2, []byte(`{}`))
	e.append(3, nil)
	e.wantEqual(e.versions(0), []int64{1, 2, 3})
}

func testCopies(e *exam) {
	given := entry(1, "first")
	data := []byte(`{"a":1}`)
	e.must(e.store.Append(e.Context(), e.id, given, data), "Append")
	given.Data[0], data[1] = 'X', 'X'
	saved := e.load()
	e.wantEqual(string(saved.Snapshot), `{"a":1}`)
	e.wantEntry(e.records(0)[0], entry(1, "first"))
	saved.Snapshot[0], e.records(0)[0].Data[0] = 'X', 'X'
	e.wantEqual(string(e.load().Snapshot), `{"a":1}`)
	e.wantEntry(e.records(0)[0], entry(1, "first"))
}

func testSimilarIDs(e *exam) {
	base := e.id
	ids := []string{base, base + "/other", base + " ", " " + base, strings.ToUpper(base), base + "%", base + "_", base + "'",
		base + `"`, base + `\`, base + "\n", base + "ä", base + "a\u0308", base + strings.Repeat("长", 60)}
	for i, id := range ids {
		e.id = id
		for v := range int64(i + 1) {
			e.append(v+1, nil)
		}
	}
	for i, id := range ids {
		e.id = id
		e.wantEqual(e.versions(0), versionsFrom(1, int64(i+1)))
	}
}

func testLongLog(e *exam) {
	const length = 700
	for v := int64(1); v <= length; v++ {
		e.append(v, nil)
	}
	for _, after := range []int64{0, 1, 99, 100, 255, 256, 500, length - 1, length} {
		e.wantEqual(e.versions(after), versionsFrom(after+1, length))
	}
	log := e.store.Records(e.Context(), e.id, 690)
	for range 2 { // the sequence may be iterated again
		var got []int64
		for entry, err := range log {
			e.must(err, "Records")
			got = append(got, entry.Version)
		}
		e.wantEqual(got, versionsFrom(691, length))
	}
}

func testEarlyEnd(e *exam) {
	e.append(1, nil)
	e.append(2, nil)
	for range 100 { // a store must not keep a lock or a connection while it yields
		for range e.store.Records(e.Context(), e.id, 0) {
			break
		}
	}
	version := int64(2)
	for got, err := range e.store.Records(e.Context(), e.id, 0) {
		e.must(err, "Records")
		if got.Version <= 2 {
			version++
			e.append(version, nil)
			e.load()
		}
	}
	e.wantEqual(e.versions(0), []int64{1, 2, 3, 4})
}

// textOf returns a different text for each writer and number.
func textOf(writer, n int) string { return fmt.Sprintf("writer %d, %d", writer, n) }
