package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// RequestAI asks the host for a generation out of turn. The host of a campaign finds it in
// turn.Outcome.Host and answers with the instruction turn.Proceed, with Prompt as its Instructions.
// One chain makes at most one request. Further requests are refused, so that rules alone cannot
// keep a model busy.
type RequestAI struct {
	Prompt string `json:"prompt"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "request-ai".
func (RequestAI) EffectType() string { return "request-ai" }

func (RequestAI) effect() {}

func (e RequestAI) fill(with *filler) Effect {
	with.texts(&e.Prompt)
	return e
}

// apply passes the request to the host, once per chain.
func (e RequestAI) apply(t Target, c Attributed) {
	if !t.Ask() {
		t.Refuse(c, "@ai.request", tree.Text(e.Prompt),
			Deny(reasonOncePerChain, "one generation was requested already"))
		return
	}
	toHost(t, c, e)
}
