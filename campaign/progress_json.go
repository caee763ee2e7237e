package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/rules/effect"
)

func (AttemptStarted) progress() string { return "attempt_started" }
func (Provisional) progress() string    { return "provisional" }
func (Retracted) progress() string      { return "retracted" }
func (Narration) progress() string      { return "narration" }
func (HostEffect) progress() string     { return "host_effect" }
func (Finished) progress() string       { return "finished" }

// progressKinds maps the JSON name of each type of [Progress] to its reader.
var progressKinds = map[string]func(data []byte) (Progress, error){
	AttemptStarted{}.progress(): readProgress[AttemptStarted],
	Provisional{}.progress():    readProgress[Provisional],
	Retracted{}.progress():      readProgress[Retracted],
	Narration{}.progress():      readProgress[Narration],
	HostEffect{}.progress():     readProgress[HostEffect],
	Finished{}.progress():       readProgress[Finished],
}

func readProgress[P Progress](data []byte) (Progress, error) {
	var p P
	err := json.Unmarshal(data, &p)
	return p, err
}

// ParseProgress reads the JSON form of an event. An unknown type is an error that names the type.
// Unknown members are ignored, so that a client can read the events of a newer server.
func ParseProgress(data []byte) (Progress, error) {
	var head struct {
		Progress string `json:"progress"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("campaign: progress: %w", err)
	}
	if head.Progress == "" {
		return nil, errors.New(`campaign: progress: give an object with a member "progress"`)
	}
	read, known := progressKinds[head.Progress]
	if !known {
		return nil, fmt.Errorf("campaign: progress: unknown type %q: give one of %s",
			head.Progress, strings.Join(slices.Sorted(maps.Keys(progressKinds)), ", "))
	}
	p, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("campaign: progress: %s: %w", head.Progress, err)
	}
	return p, nil
}

// marshalProgress encodes an event: its name, then its fields. fields is a copy of the event
// without methods.
func marshalProgress(p Progress, fields any) ([]byte, error) {
	body, err := openjson.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return openjson.Tagged("progress", p.progress(), body), nil
}

// MarshalJSON writes the event with its name, see [Progress].
func (p AttemptStarted) MarshalJSON() ([]byte, error) {
	type fields AttemptStarted
	return marshalProgress(p, fields(p))
}

// MarshalJSON writes the event with its name, see [Progress].
func (p Provisional) MarshalJSON() ([]byte, error) {
	type fields Provisional
	return marshalProgress(p, fields(p))
}

// MarshalJSON writes the event with its name, see [Progress].
func (p Retracted) MarshalJSON() ([]byte, error) {
	type fields Retracted
	return marshalProgress(p, fields(p))
}

// MarshalJSON writes the event with its name, see [Progress].
func (p Narration) MarshalJSON() ([]byte, error) {
	type fields Narration
	return marshalProgress(p, fields(p))
}

// MarshalJSON writes the event with its name, see [Progress].
func (p Finished) MarshalJSON() ([]byte, error) {
	type fields Finished
	return marshalProgress(p, fields(p))
}

// hostEffect is the JSON form of a [HostEffect] without its name.
type hostEffect struct {
	hostEffectFields
	Effect json.RawMessage `json:"effect"`
}

type hostEffectFields HostEffect // without its methods

// MarshalJSON writes the event with its name, see [Progress].
func (p HostEffect) MarshalJSON() ([]byte, error) {
	data, err := effect.Marshal(p.Effect)
	if err != nil {
		return nil, err
	}
	return marshalProgress(p, hostEffect{hostEffectFields(p), data})
}

// UnmarshalJSON reads what MarshalJSON writes. An unknown type of effect becomes [effect.Custom].
func (p *HostEffect) UnmarshalJSON(data []byte) error {
	var read hostEffect
	err := json.Unmarshal(data, &read)
	if err != nil {
		return err
	}
	*p = HostEffect(read.hostEffectFields)
	p.Effect, err = effect.Unmarshal(read.Effect)
	return err
}
