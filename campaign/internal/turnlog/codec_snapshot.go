package turnlog

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
)

// Requirements is what a version of the library must know to play a campaign: the behaviour and the
// inputs that it was played with. A version that lacks some of them can show the campaign, but not play
// it.
type Requirements struct {
	behaviour     int             // the newest one
	inputs        map[string]bool // by name
	unknownInputs map[string]bool
	unknownAt     int64 // the version of the newest record with something unknown
}

// AddRecord adds the behaviour and the inputs of an encoded record, whose checksum was checked.
func (p *Requirements) AddRecord(version int64, data []byte) error {
	var r struct {
		Behaviour int         `json:"lib"`
		Inputs    turn.Inputs `json:"inputs"`
	}
	data, err := withSharedTexts(data)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return err
	}
	p.AddInputs(version, r.Behaviour, r.Inputs)
	return nil
}

// AddInputs adds the behaviour and the inputs of a record.
func (p *Requirements) AddInputs(version int64, behaviour int, inputs turn.Inputs) {
	if p.inputs == nil {
		p.inputs, p.unknownInputs = map[string]bool{}, map[string]bool{}
	}
	for _, name := range inputs.Names() {
		p.inputs[name] = true
	}
	unknown := inputs.Unknown()
	if len(unknown) > 0 || behaviour > turn.Behaviour {
		p.unknownAt = version
	}
	p.behaviour = max(p.behaviour, behaviour, 1)
	for _, name := range unknown {
		p.unknownInputs[name] = true
	}
}

// With returns p with one more record; p does not change.
func (p Requirements) With(rec turn.Record) Requirements {
	p.inputs, p.unknownInputs = maps.Clone(p.inputs), maps.Clone(p.unknownInputs)
	p.AddInputs(rec.Version, turn.Behaviour, rec.Inputs)
	return p
}

// Err returns a [*turn.Unplayable] if this version does not know all of it.
func (p *Requirements) Err() error {
	if p.behaviour <= turn.Behaviour && len(p.unknownInputs) == 0 {
		return nil
	}
	return &turn.Unplayable{Version: p.unknownAt, Behaviour: p.behaviour, Inputs: slices.Sorted(maps.Keys(p.unknownInputs))}
}

// snapshot is the stored form of a campaign as a snapshot.
type snapshot struct {
	snapshotHead
	Campaign json.RawMessage `json:"campaign"`
}

type snapshotHead struct {
	recordForm
	Inputs []string `json:"inputs,omitempty"` // the names of all inputs that it was played with
}

// Snapshot encodes a snapshot of a campaign that was played with p.
func (p *Requirements) Snapshot(c state.Campaign) ([]byte, error) {
	s := snapshotHead{recordForm: recordForm{Layout: turn.Layout}, Inputs: slices.Sorted(maps.Keys(p.inputs))}
	if s.Behaviour = max(p.behaviour, turn.Behaviour); s.Behaviour == 1 {
		s.Behaviour = 0
	}
	head, _ := openjson.Marshal(s) // names and numbers have a JSON form
	body, err := c.MarshalJSON()   // the JSON is compact
	if err != nil {
		return nil, err
	}
	return Sum(slices.Concat(head[:len(head)-1], []byte(`,"campaign":`), body, []byte("}"))), nil
}

// ReadSnapshot decodes the result of [Requirements.Snapshot]. It also accepts the plain JSON of a
// campaign, as a host may store it, which has no checksum.
func ReadSnapshot(data []byte) (c state.Campaign, p Requirements, err error) {
	c, p, err = readSnapshot(data)
	switch {
	case errors.Is(err, turn.ErrNewerLayout):
		err = fmt.Errorf("campaign: snapshot: %w", err)
	case err != nil:
		err = fmt.Errorf("campaign: snapshot: %w: %w", state.ErrSnapshot, err)
	}
	return c, p, err
}

func readSnapshot(data []byte) (c state.Campaign, p Requirements, err error) {
	var s struct {
		snapshot
		ID string `json:"campaign_id"`
	}
	sumErr := checkSum(data)
	if err := json.Unmarshal(data, &s); err != nil {
		return c, p, cmp.Or(sumErr, err)
	}
	switch {
	case sumErr == nil:
		if err := turn.CheckLayout(s.Layout); err != nil {
			return c, p, err
		}
	case s.Layout == 0 && s.ID != "":
		s.Campaign = data
	default:
		return c, p, sumErr
	}
	if err := c.UnmarshalJSON(s.Campaign); err != nil {
		return c, p, err
	}
	list := make([]struct {
		Input string `json:"input"`
	}, len(s.Inputs))
	for i, name := range s.Inputs {
		list[i].Input = name
	}
	var inputs turn.Inputs
	data, _ = json.Marshal(list)
	if err := json.Unmarshal(data, &inputs); err != nil {
		return c, p, err
	}
	p.AddInputs(c.Version, s.behaviour(), inputs)
	return c, p, nil
}
