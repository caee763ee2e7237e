package rules

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars"
)

// Effects is a list of effects with a JSON form.
type Effects []Effect

// MarshalJSON writes a list of objects, each with its "type" first.
func (es Effects) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, e := range es {
		if i > 0 {
			out = append(out, ',')
		}
		b, err := MarshalEffect(e)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads a list of objects. A type that this version does not know
// becomes [Custom], so nothing is lost.
func (es *Effects) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if raw == nil {
		*es = nil
		return nil
	}
	out := make(Effects, len(raw))
	for i, r := range raw {
		e, err := UnmarshalEffect(r)
		if err != nil {
			return fmt.Errorf("effects[%d]: %w", i, err)
		}
		out[i] = e
	}
	*es = out
	return nil
}

// MarshalEffect writes one effect as an object with its "type" first.
func MarshalEffect(e Effect) ([]byte, error) {
	body, err := encodeEffect(e)
	if err != nil {
		return nil, err
	}
	head, err := openjson.Marshal(e.EffectType())
	if err != nil {
		return nil, err
	}
	out := append([]byte(`{"type":`), head...)
	if len(body) > 2 {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}

// UnmarshalEffect reads what [MarshalEffect] writes.
func UnmarshalEffect(data []byte) (Effect, error) {
	var head struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Type == nil {
		return nil, errors.New("rules: an effect is an object with a text member \"type\"")
	}
	switch *head.Type {
	case "set-variable":
		return decodeEffect(data, func(e *SetVariable, x openjson.Extra) { e.Extra = x })
	case "inject-directive":
		return decodeEffect(data, func(e *InjectDirective, x openjson.Extra) { e.Extra = x })
	case "remove-directive":
		return decodeEffect(data, func(e *RemoveDirective, x openjson.Extra) { e.Extra = x })
	case "toggle-entry":
		return decodeEffect(data, func(e *ToggleEntry, x openjson.Extra) { e.Extra = x })
	case "toggle-rule":
		return decodeEffect(data, func(e *ToggleRule, x openjson.Extra) { e.Extra = x })
	case "toggle-variable":
		return decodeEffect(data, func(e *ToggleVariable, x openjson.Extra) { e.Extra = x })
	case "toggle-book":
		return decodeEffect(data, func(e *ToggleBook, x openjson.Extra) { e.Extra = x })
	case "trigger-rule":
		return decodeEffect(data, func(e *TriggerRule, x openjson.Extra) { e.Extra = x })
	case "notify-player":
		return decodeEffect(data, func(e *Notify, x openjson.Extra) { e.Extra = x })
	case "play-audio":
		return decodeEffect(data, func(e *PlayAudio, x openjson.Extra) { e.Extra = x })
	case "send-context":
		return decodeEffect(data, func(e *SendContext, x openjson.Extra) { e.Extra = x })
	case "request-ai":
		return decodeEffect(data, func(e *RequestAI, x openjson.Extra) { e.Extra = x })
	case "emit":
		return decodeEffect(data, func(e *Emit, x openjson.Extra) { e.Extra = x })
	case "show-moment":
		return decodeEffect(data, func(e *ShowMoment, x openjson.Extra) { e.Extra = x })
	case "system":
		return decodeEffect(data, func(e *System, x openjson.Extra) { e.Extra = x })
	case "prompt-inject":
		return decodeEffect(data, func(e *InjectPrompt, x openjson.Extra) { e.Extra = x })
	case "state-change":
		return decodeEffect(data, func(e *ChangeState, x openjson.Extra) { e.Extra = x })
	case "relationship-change":
		return decodeEffect(data, func(e *ChangeRelationship, x openjson.Extra) { e.Extra = x })
	case "add-message":
		return decodeEffect(data, func(e *AddMessage, x openjson.Extra) { e.Extra = x })
	case "write-memory":
		return decodeEffect(data, func(e *WriteMemory, x openjson.Extra) { e.Extra = x })
	case "write-log":
		return decodeEffect(data, func(e *WriteLog, x openjson.Extra) { e.Extra = x })
	case "start-workflow":
		return decodeEffect(data, func(e *StartWorkflow, x openjson.Extra) { e.Extra = x })
	case "add-entry":
		return decodeEffect(data, func(e *AddEntry, x openjson.Extra) { e.Extra = x })
	case "backup-branch":
		return decodeEffect(data, func(e *BackupBranch, x openjson.Extra) { e.Extra = x })
	case "move":
		return decodeEffect(data, func(e *MoveCharacter, x openjson.Extra) { e.Extra = x })
	case "hp-delta":
		return decodeEffect(data, func(e *ChangeHP, x openjson.Extra) { e.Extra = x })
	case "end-campaign":
		return decodeEffect(data, func(e *EndCampaign, x openjson.Extra) { e.Extra = x })
	}
	return decodeCustom(*head.Type, data)
}

func decodeEffect[E Effect](data []byte, keep func(*E, openjson.Extra)) (Effect, error) {
	var e E
	extra, err := openjson.Decode(data, &e)
	if err != nil {
		return nil, err
	}
	delete(extra, "type")
	if len(extra) > 0 {
		keep(&e, extra)
	}
	return e, nil
}

func decodeCustom(typ string, data []byte) (Effect, error) {
	v, err := memvars.ParseValue(data)
	if err != nil {
		return nil, err
	}
	var rest []memvars.Member
	for k, m := range v.Members() {
		if k != "type" {
			rest = append(rest, memvars.Member{Key: k, Value: m})
		}
	}
	if len(rest) == 0 {
		return Custom{Type: typ}, nil
	}
	return Custom{Type: typ, Data: memvars.Object(rest...)}, nil
}

func encodeEffect(e Effect) ([]byte, error) {
	switch e := e.(type) {
	case SetVariable:
		return openjson.Encode(e, e.Extra)
	case InjectDirective:
		return openjson.Encode(e, e.Extra)
	case RemoveDirective:
		return openjson.Encode(e, e.Extra)
	case ToggleEntry:
		return openjson.Encode(e, e.Extra)
	case ToggleRule:
		return openjson.Encode(e, e.Extra)
	case ToggleVariable:
		return openjson.Encode(e, e.Extra)
	case ToggleBook:
		return openjson.Encode(e, e.Extra)
	case TriggerRule:
		return openjson.Encode(e, e.Extra)
	case Notify:
		return openjson.Encode(e, e.Extra)
	case PlayAudio:
		return openjson.Encode(e, e.Extra)
	case SendContext:
		return openjson.Encode(e, e.Extra)
	case RequestAI:
		return openjson.Encode(e, e.Extra)
	case Emit:
		return openjson.Encode(e, e.Extra)
	case ShowMoment:
		return openjson.Encode(e, e.Extra)
	case System:
		return openjson.Encode(e, e.Extra)
	case InjectPrompt:
		return openjson.Encode(e, e.Extra)
	case ChangeState:
		return openjson.Encode(e, e.Extra)
	case ChangeRelationship:
		return openjson.Encode(e, e.Extra)
	case AddMessage:
		return openjson.Encode(e, e.Extra)
	case WriteMemory:
		return openjson.Encode(e, e.Extra)
	case WriteLog:
		return openjson.Encode(e, e.Extra)
	case StartWorkflow:
		return openjson.Encode(e, e.Extra)
	case AddEntry:
		return openjson.Encode(e, e.Extra)
	case BackupBranch:
		return openjson.Encode(e, e.Extra)
	case MoveCharacter:
		return openjson.Encode(e, e.Extra)
	case ChangeHP:
		return openjson.Encode(e, e.Extra)
	case EndCampaign:
		return openjson.Encode(e, e.Extra)
	case Custom:
		if !e.Data.IsObject() {
			return []byte("{}"), nil
		}
		return e.Data.MarshalJSON()
	}
	return nil, fmt.Errorf("rules: effect %T is not of the closed set", e)
}
