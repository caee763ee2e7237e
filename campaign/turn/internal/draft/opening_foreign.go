package draft

import (
	"encoding/json"
	"maps"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Files of campaigns that ran elsewhere have members that are fields of a [state.Campaign] and not
// of a [state.Setup]. Two of them are used: settings_snapshot, whose values settings overrides, and
// settings_revision. The others refer to states that a setup does not have. They are reported
// unless they are empty.

// moveForeignMembers moves settings_snapshot and settings_revision from the unknown members to their
// fields.
func moveForeignMembers(s state.Setup, report func(string, ...any)) (out state.Setup, revision int) {
	given := s.Extra
	s.Extra = maps.Clone(given)
	for _, name := range state.ForeignMembers() {
		data, ok := given[name]
		if !ok {
			continue
		}
		delete(s.Extra, name)
		if needsStates(name, data) {
			report("%s: a setup has no states to return to: take the member out; a checkpoint of the start is made", name)
		}
	}
	if data, ok := given["settings_snapshot"]; ok {
		var snapshot setting.Snapshot
		if err := json.Unmarshal(data, &snapshot); err != nil {
			report("settings_snapshot: must be an object of settings")
		}
		if snapshot != nil {
			maps.Copy(snapshot, s.Settings)
			s.Settings = snapshot
		}
		delete(s.Extra, "settings_snapshot")
	}
	if data, ok := given["settings_revision"]; ok {
		if json.Unmarshal(data, &revision) != nil || revision < 0 {
			report("settings_revision: must be a whole number from 0 on")
		}
		delete(s.Extra, "settings_revision")
	}
	return s, revision
}

// needsStates reports whether a member refers to states that a setup does not have.
func needsStates(name string, data json.RawMessage) bool {
	if isEmptyMember(data) {
		return false
	}
	if name == "rollback_pending" {
		var r state.RollbackPending
		return json.Unmarshal(data, &r) != nil || r.IsPending // a rollback that could still be undone
	}
	return true
}

// isEmptyMember reports whether a member is null, false, empty, or an object of such values.
func isEmptyMember(data json.RawMessage) bool {
	v, _ := tree.ParseValue(data) // broken JSON is absent, which is not null
	no, isBool := v.AsBool()
	text, isText := v.AsText()
	switch {
	case v.IsObject():
		for _, m := range v.Members() {
			if !isEmptyMember(m.AppendJSON(nil)) {
				return false
			}
		}
		return true
	case v.IsArray():
		return v.Len() == 0
	}
	return v.IsNull() || isBool && !no || isText && text == ""
}
