package storetest

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
)

// restart appends, restarts after each record, and looks at everything.
func restart(e *exam) {
	for v := int64(1); v <= 4; v++ {
		e.append(v, nil)
		e.restart()
	}
	e.want(e.versions(0), []int64{1, 2, 3, 4})
	records, err := e.store.Records(e.Context(), e.id, 2)
	if err != nil {
		e.Fatalf("%v", err)
	}
	for i, r := range records {
		want := record(r.Version, "")
		e.want(r.Inputs[0].(campaign.Submit).Text, fmt.Sprintf("第%d行 <&>", i+3))
		e.want(r.Delta[0].Path, want.Delta[0].Path)
		e.want(r.Delta[0].Value.String(), "1.0")
		e.want(r.At.Equal(want.At), true)
	}
	err = e.store.Append(e.Context(), e.id, 3, record(4, "late"), nil)
	if !errors.Is(err, campaign.ErrVersionConflict) {
		e.Errorf("late Append after a restart: %v, want ErrVersionConflict", err)
	}
	e.append(5, nil)
	e.want(e.versions(3), []int64{4, 5})
}

func restartSnapshot(e *exam) {
	e.append(1, []byte(`{"version":1}`))
	e.append(2, []byte(`{"version":2}`))
	e.append(3, nil)
	e.restart()
	saved, err := e.store.Load(e.Context(), e.id)
	if err != nil {
		e.Fatalf("Load after a restart: %v", err)
	}
	e.want(string(saved.Snapshot), `{"version":2}`)
	e.want(saved.SnapshotVersion, int64(2))
	e.want(versionsOf(saved.Records), []int64{3})
	e.want(e.versions(0), []int64{1, 2, 3})
}

func restartRefused(e *exam) {
	e.append(1, nil)
	e.append(2, nil)
	err := e.store.Append(e.Context(), e.id, 1, record(2, "late"), []byte(`{"late":true}`))
	if !errors.Is(err, campaign.ErrVersionConflict) {
		e.Errorf("late Append: %v, want ErrVersionConflict", err)
	}
	e.restart()
	saved, err := e.store.Load(e.Context(), e.id)
	if err != nil {
		e.Fatalf("Load after a restart: %v", err)
	}
	e.want(len(saved.Snapshot), 0)
	e.want(versionsOf(saved.Records), []int64{1, 2})
}

func restartApart(e *exam) {
	first := e.id
	e.append(1, nil)
	e.id = first + "/other"
	e.append(1, nil)
	e.append(2, nil)
	e.restart()
	e.want(e.versions(0), []int64{1, 2})
	e.id = first
	e.want(e.versions(0), []int64{1})
	if _, err := e.store.Load(e.Context(), first+"/never"); !errors.Is(err, campaign.ErrNotFound) {
		e.Errorf("Load of an unknown campaign after a restart: %v, want ErrNotFound", err)
	}
}
