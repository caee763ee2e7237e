package main

import "encoding/json"

// step is one line of a script: something the player says, with what the scripted
// model answers, or something the host does.
type step struct {
	Say     string            `json:"say,omitempty"`
	Outputs []json.RawMessage `json:"outputs,omitempty"`
	Do      string            `json:"do,omitempty"` // rollback, undo, event, swipe or choose
	To      string            `json:"to,omitempty"`
	Event   json.RawMessage   `json:"event,omitempty"`
}
