package turn

import (
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// PatchSettings changes settings, all or none; see package setting. Patch has the campaign's own
// settings. Global has the settings of the installation, which apply where the campaign has no
// value of its own. A campaign stores both.
type PatchSettings struct {
	Patch  setting.Snapshot `json:"patch"`
	Global setting.Snapshot `json:"global,omitempty"`
	At     time.Time        `json:"at,omitzero"`
}

func (PatchSettings) inputType() string { return "patch_settings" }

func (in PatchSettings) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	registry := m.game.Settings()
	global, globalChanges, globalProblems := registry.PatchGlobal(next.GlobalSettings, next.Settings, in.Global)
	settings, ownChanges, problems := registry.Patch(global, next.Settings, in.Patch)
	if problems = append(globalProblems, problems...); len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b talewright.Problem) int { return strings.Compare(a.Path, b.Path) })
		return idle, &state.Refusal{Code: state.SettingsRefused, Problems: problems}
	}
	next.GlobalSettings, next.Settings = global, settings
	// The effect of one patch may be undone or hidden by the other patch.
	before, after := m.values(), registry.Freeze(global, settings)
	isUnchanged := func(key string) bool { return before.Get(key).Equal(after.Get(key)) }
	autoChanged := slices.DeleteFunc(sortedUnion(globalChanges.AutoChanged, ownChanges.AutoChanged), isUnchanged)
	changed := slices.DeleteFunc(sortedUnion(globalChanges.Changed, ownChanges.Changed), isUnchanged)
	if len(changed) > 0 {
		next.SettingsRevision++
	}
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{Outcome: &Outcome{
		Status: Completed, Changed: changed, AutoChanged: autoChanged}}), nil
}

// sortedUnion returns the keys of several lists, sorted and without duplicates.
func sortedUnion(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
