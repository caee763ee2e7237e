package main

import (
	"encoding/json"
	"github.com/talewright/talewright/campaign"
)

// step is one line of a script: something the player says, with what the scripted
// model answers, or something the host does.
type step struct {
	Say     string            `json:"say,omitempty"`
	Outputs []json.RawMessage `json:"outputs,omitempty"`
	Do      string            `json:"do,omitempty"` // see session.step
	To      string            `json:"to,omitempty"`
	Event   json.RawMessage   `json:"event,omitempty"`
	// Text are a person's words: why a call is denied, or what is told instead.
	Text     string            `json:"text,omitempty"`
	Settings campaign.Settings `json:"settings,omitempty"`
	// Audience are the characters who hear it; empty: everybody.
	Audience []string `json:"audience,omitempty"`
}
