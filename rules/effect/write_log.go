package effect

import "encoding/json"

// WriteLog is a line for the application's log.
type WriteLog struct {
	Level   string `json:"level"` // debug, info, warning, error
	Message string `json:"message"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "write-log".
func (WriteLog) EffectType() string { return "write-log" }

func (WriteLog) effect() {}
