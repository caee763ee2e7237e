package state

import (
	"cmp"
	"encoding/json"
	"maps"
)

// MarshalJSON writes the members of the turn, and "others" if there are any.
func (t HistoryTurn) MarshalJSON() ([]byte, error) {
	inner := t.Turn
	if len(t.Others) > 0 {
		others, err := json.Marshal(t.Others)
		if err != nil {
			return nil, err
		}
		add(&inner.Extra, "others", others)
	}
	return inner.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes. It stores unknown members in Extra.
func (t *HistoryTurn) UnmarshalJSON(data []byte) error {
	var read HistoryTurn
	err := cmp.Or(read.Turn.UnmarshalJSON(data), take(&read.Extra, "others", &read.Others))
	if err == nil {
		*t = read
	}
	return err
}

// MarshalJSON writes the members of the branch, "id", and "present" if it is true.
func (b HistoryBranch) MarshalJSON() ([]byte, error) {
	inner := b.Branch
	id, _ := json.Marshal(b.ID) // a text can always be written
	add(&inner.Extra, "id", id)
	if b.Present {
		add(&inner.Extra, "present", json.RawMessage("true"))
	}
	return inner.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes. It stores unknown members in Extra.
func (b *HistoryBranch) UnmarshalJSON(data []byte) error {
	var read HistoryBranch
	err := cmp.Or(read.Branch.UnmarshalJSON(data), take(&read.Extra, "id", &read.ID), take(&read.Extra, "present", &read.Present))
	if err == nil {
		*b = read
	}
	return err
}

// add puts a member into a copy of extra.
func add(extra *map[string]json.RawMessage, name string, value json.RawMessage) {
	more := map[string]json.RawMessage{}
	maps.Copy(more, *extra)
	more[name] = value
	*extra = more
}

// take reads a member of extra into value and removes it.
func take(extra *map[string]json.RawMessage, name string, value any) error {
	data, there := (*extra)[name]
	if !there {
		return nil
	}
	delete(*extra, name)
	if len(*extra) == 0 {
		*extra = nil
	}
	return json.Unmarshal(data, value)
}
