package storetest

import (
	"github.com/talewright/talewright/campaign"
)

// testRestart appends entries, restarts after each one, and checks everything.
func testRestart(e *exam) {
	for v := int64(1); v <= 4; v++ {
		e.append(v, nil)
		e.restart()
	}
	e.wantEqual(e.versions(0), []int64{1, 2, 3, 4})
	for _, got := range e.records(2) {
		e.wantEntry(got, entry(got.Version, ""))
	}
	e.append(4, nil) // the same entry again
	e.wantError("late Append after a restart", e.store.Append(e.Context(), e.id, entry(4, "late"), nil), campaign.ErrVersionConflict)
	e.append(5, nil)
	e.wantEqual(e.versions(3), []int64{4, 5})
}

func testRestartSnapshot(e *exam) {
	e.append(1, []byte(`{"version":1}`))
	e.append(2, []byte(`{"version":2}`))
	e.append(3, nil)
	e.restart()
	saved := e.load()
	e.wantEqual(string(saved.Snapshot), `{"version":2}`)
	e.wantEqual(saved.SnapshotVersion, int64(2))
	e.wantEqual(versionsOf(saved.Entries), []int64{3})
	e.wantEqual(e.versions(0), []int64{1, 2, 3})
}

func testRestartRefusedEntry(e *exam) {
	e.appendLate()
	e.restart()
	saved := e.load()
	e.wantEqual(len(saved.Snapshot), 0)
	e.wantEqual(versionsOf(saved.Entries), []int64{1, 2})
}

func testRestartSeparateCampaigns(e *exam) {
	first := e.id
	e.append(1, nil)
	e.id = first + "/other"
	e.append(1, nil)
	e.append(2, nil)
	e.restart()
	e.wantEqual(e.versions(0), []int64{1, 2})
	e.id = first
	e.wantEqual(e.versions(0), []int64{1})
	_, err := e.store.Load(e.Context(), first+"/never")
	e.wantError("Load of an unknown campaign after a restart", err, campaign.ErrNotFound)
}

func testRestartDeleted(e *exam) {
	e.append(1, nil)
	e.append(2, nil)
	e.must(e.store.Delete(e.Context(), e.id), "Delete")
	e.restart()
	e.wantDeleted()
}
