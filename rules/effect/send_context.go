package effect

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// SendContext adds a one-shot message to the next prompt. It is stored in the ledger, after earlier
// messages, until rules.Memory.TakePending takes it for a prompt.
type SendContext struct {
	Message string `json:"message"`
	Role    string `json:"role,omitempty"` // system (empty) or user

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "send-context".
func (SendContext) EffectType() string { return "send-context" }

func (SendContext) effect() {}

func (e SendContext) asData() Effect {
	e.Message = utf8text.Escape(e.Message)
	return e
}

func (e SendContext) asEvent() (event.Event, bool) { return contextEvent(e), true }

// contextEvent always sets a role.
func contextEvent(e SendContext) event.Event {
	return event.New(event.TypeContext,
		tree.Member{Key: "message", Value: tree.Text(e.Message)},
		textField("role", cmp.Or(e.Role, "system")))
}

// contextOf needs a message.
func contextOf(e event.Event) (SendContext, bool) {
	f := authorjson.Of(e.Fields)
	_, ok := f.Peek("message").AsText()
	return authorjson.Filled[SendContext](f), ok
}

func (e SendContext) fill(with *filler) Effect {
	with.template(&e.Message)
	with.texts(&e.Role)
	return e
}

func (e SendContext) apply(t Target, c Attributed) {
	if storeMessage(t, c, e) {
		t.Raise(contextEvent(e))
	}
}

// storeMessage adds the message to the ledger and reports whether it has a text. Earlier messages are
// kept, because each chain between two prompts must reach the prompt.
func storeMessage(t Target, c Attributed, e SendContext) bool {
	if strings.TrimSpace(e.Message) == "" {
		t.Refuse(c, "@prompt.context", tree.Text(e.Message),
			Deny(BadValue, "a message needs a text"))
		return false
	}
	e.Role = cmp.Or(e.Role, "system")
	t.Remind(e)
	return true
}
