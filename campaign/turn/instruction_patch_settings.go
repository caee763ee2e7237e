package turn

import (
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// PatchSettings changes settings, all or none; see package setting.
type PatchSettings struct {
	Patch setting.Snapshot `json:"patch"`
	At    time.Time        `json:"at,omitzero"`
}

func (PatchSettings) inputType() string { return "patch_settings" }

func (in PatchSettings) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in PatchSettings) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	settings, result, problems := m.game.Settings().Patch(next.GlobalSettings, next.Settings, in.Patch)
	if len(problems) > 0 {
		return idle, &state.Refusal{Code: state.SettingsRefused, Problems: problems}
	}
	next.Settings = settings
	changed := slices.Concat(result.Changed, result.AutoChanged)
	slices.Sort(changed)
	if changed = slices.Compact(changed); len(changed) > 0 {
		next.SettingsRevision++
	}
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{Outcome: &Outcome{
		Status: Completed, Changed: changed, AutoChanged: result.AutoChanged}}), nil
}
