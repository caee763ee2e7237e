package state

import (
	"encoding/json"
	"maps"
)

// MarshalJSON writes the members of the turn, and "others" if there are any.
func (t HistoryTurn) MarshalJSON() ([]byte, error) {
	inner := t.Turn
	if len(t.Others) > 0 {
		if err := add(&inner.Extra, "others", t.Others); err != nil {
			return nil, err
		}
	}
	return inner.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes. It stores unknown members in Extra.
func (t *HistoryTurn) UnmarshalJSON(data []byte) error {
	var read HistoryTurn
	if err := read.Turn.UnmarshalJSON(data); err != nil {
		return err
	}
	if err := take(&read.Extra, "others", &read.Others); err != nil {
		return err
	}
	*t = read
	return nil
}

// MarshalJSON writes the members of the branch, "id", and "present" if it is true.
func (b HistoryBranch) MarshalJSON() ([]byte, error) {
	inner := b.Branch
	if err := add(&inner.Extra, "id", b.ID); err != nil {
		return nil, err
	}
	if b.Present {
		if err := add(&inner.Extra, "present", true); err != nil {
			return nil, err
		}
	}
	return inner.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes. It stores unknown members in Extra.
func (b *HistoryBranch) UnmarshalJSON(data []byte) error {
	var read HistoryBranch
	if err := read.Branch.UnmarshalJSON(data); err != nil {
		return err
	}
	if err := take(&read.Extra, "id", &read.ID); err != nil {
		return err
	}
	if err := take(&read.Extra, "present", &read.Present); err != nil {
		return err
	}
	*b = read
	return nil
}

// add puts a member into a copy of extra.
func add(extra *map[string]json.RawMessage, name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	more := maps.Clone(*extra)
	if more == nil {
		more = map[string]json.RawMessage{}
	}
	more[name] = data
	*extra = more
	return nil
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
