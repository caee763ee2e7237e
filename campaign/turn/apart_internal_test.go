package turn

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestPrivateTurnsAreKeptApart: the first private turn makes a campaign strict, as a change of the
// settings. A mode that the host has chosen stays.
func TestPrivateTurnsAreKeptApart(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	chosen := setting.Snapshot{"visibility.mode": tree.Text("off")}
	for reason, c := range map[string]struct {
		campaign state.Campaign
		private  bool
		did      bool
	}{
		"a private turn":      {state.Campaign{SettingsRevision: 3}, true, true},
		"a turn for all":      {state.Campaign{SettingsRevision: 3}, false, false},
		"a mode of its own":   {state.Campaign{SettingsRevision: 3, Settings: chosen}, true, false},
		"a mode for all":      {state.Campaign{SettingsRevision: 3, GlobalSettings: chosen}, true, false},
		"a registry of hosts": {state.Campaign{SettingsRevision: 3}, true, false},
	} {
		registry := g.Settings()
		if reason == "a registry of hosts" {
			registry = setting.Registry{}
		}
		did := makeVisibilityStrict(&c.campaign, c.private, registry)
		mode, _ := c.campaign.Settings["visibility.mode"].AsText()
		if did != c.did || (mode == string(state.AudienceStrict)) != c.did || (c.campaign.SettingsRevision == 4) != c.did {
			t.Errorf("%s: %v, %q, revision %d", reason, did, mode, c.campaign.SettingsRevision)
		}
	}
}
