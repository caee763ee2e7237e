package main

import (
	"encoding/json"
	"github.com/talewright/talewright/campaign"
)

// step is one line of a script: a line of the player with the outputs of the scripted model, or an
// action of the host.
type step struct {
	Say     string            `json:"say,omitempty"`
	Outputs []json.RawMessage `json:"outputs,omitempty"`
	Do      string            `json:"do,omitempty"` // see session.step
	To      string            `json:"to,omitempty"`
	Event   json.RawMessage   `json:"event,omitempty"`
	// Text is a person's text: the reason of a denial, or the replacement for a narration.
	Text     string            `json:"text,omitempty"`
	Settings campaign.Settings `json:"settings,omitempty"`
	// Audience are the characters who hear the line; empty: all.
	Audience []string `json:"audience,omitempty"`
}
