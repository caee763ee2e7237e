package storetest

import (
	"errors"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
)

// testRepair damages the end of a log and lets the campaign continue. A store accepts damaged data
// like any bytes.
func testRepair(e *exam) {
	engine := e.playCampaign()
	before, err := engine.Campaign(e.Context(), e.id)
	e.must(err, "Campaign")
	for i := range int64(2) {
		torn := campaign.Entry{Version: before.Version + 1 + i, Kind: "turn", At: time.Unix(0, 0).UTC(), Data: []byte(`{"layout":1,`)}
		e.must(e.store.Append(e.Context(), e.id, torn, []byte("{")), "Append of damaged data")
	}
	engine = e.engine(e.store)
	_, err = engine.Rebuild(e.Context(), e.id)
	if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != before.Version+1 {
		e.Errorf("Rebuild: %v, want damage of record %d", err, before.Version+1)
	}
	note, err := engine.Repair(e.Context(), e.id, state.KeepLogged)
	if err != nil || note == nil || note.From != before.Version+1 || note.Reached != before.Version {
		e.Fatalf("Repair: %+v, %v", note, err)
	}
	for _, store := range []campaign.Store{e.store, e.second} {
		c, err := e.engine(store).Campaign(e.Context(), e.id)
		if err != nil || c.Version != before.Version+3 || c.State.HeadTurnID != before.State.HeadTurnID {
			e.Errorf("the repaired campaign is at version %d and turn %s, %v; want %d and %s", c.Version, c.State.HeadTurnID, err,
				before.Version+3, before.State.HeadTurnID)
		}
	}
	e.playTurn(e.engine(e.second), 5)
	e.rebuildJSON(e.engine(e.store), e.id)
}
