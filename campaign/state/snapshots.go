package state

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

type snapshotJSON struct {
	Ref   string     `json:"ref"`
	State tree.Value `json:"state,omitzero"`
	Delta Delta      `json:"delta,omitempty"`
}

// MarshalJSON writes a list, sorted by reference.
func (s Snapshots) MarshalJSON() ([]byte, error) {
	out := make([]snapshotJSON, 0, len(s))
	var before tree.Value
	for _, ref := range slices.Sorted(maps.Keys(s)) {
		head, err := Campaign{State: *cmp.Or(s[ref], new(State))}.HeadValue()
		if err != nil {
			return nil, err
		}
		v := head.Get(statePart)
		entry := snapshotJSON{Ref: ref}
		if before.Exists() {
			entry.Delta = Diff(before, v)
		} else {
			entry.State = v
		}
		out = append(out, entry)
		before = v
	}
	return openjson.Marshal(out)
}

// UnmarshalJSON reads the list that MarshalJSON writes.
func (s *Snapshots) UnmarshalJSON(data []byte) error {
	out := Snapshots{}
	if string(data) == "null" {
		return nil
	}
	list := json.NewDecoder(bytes.NewReader(data))
	if start, err := list.Token(); start != json.Delim('[') {
		return errors.Join(err, errors.New("campaign: snapshots: want a list"))
	}
	var before tree.Value
	var last *State
	for list.More() {
		var entry snapshotJSON
		if err := list.Decode(&entry); err != nil {
			return err
		}
		v := entry.State
		if !v.Exists() && before.Exists() && len(entry.Delta) == 0 {
			out[entry.Ref] = last // the same state again
			continue
		}
		if !v.Exists() {
			var err error
			if v, err = entry.Delta.Apply(before); err != nil {
				return err
			}
		}
		state, err := StateOf(v)
		if err != nil {
			return err
		}
		before, last = v, &state
		out[entry.Ref] = last
	}
	*s = out
	return nil
}

// StateOf reads a state from its value within [Campaign.HeadValue].
func StateOf(v tree.Value) (State, error) {
	c, err := Campaign{}.WithHeadValue(tree.Object(tree.Member{Key: "state", Value: v}))
	return c.State, err
}

// BeginsWith returns the states that a new campaign refers to and that the first record of its log
// must also store. It returns nil unless the campaign begins with several answers to a line.
func (c Campaign) BeginsWith() Snapshots {
	states := maps.Clone(c.Snapshots)
	delete(states, StateRef(c.Version))
	if len(states) == 0 {
		return nil
	}
	return states
}
