package card

import (
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// Roles of a text put into the chat.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// DepthPrompt is a text to be placed Depth messages above the newest one.
type DepthPrompt struct {
	Prompt string `json:"prompt"`
	Depth  int    `json:"depth"`
	Role   string `json:"role"` // RoleSystem, RoleUser or RoleAssistant
}

// DepthPrompt returns the extension depth_prompt. It returns false if the extension is missing or
// its text is blank. A missing or unreadable depth is 4, a missing or unknown role is system.
func (c Card) DepthPrompt() (DepthPrompt, bool) {
	members := membersOf(clean(c.Extensions["depth_prompt"]))
	var r reader
	// Problems of extensions are not reported, because this package does not know their rules. So r
	// is discarded.
	read := func(name string) string {
		if kindOf(members[name]) == isNull {
			return ""
		}
		text, _ := r.text(name, members[name])
		return text
	}
	d := DepthPrompt{Prompt: read("prompt"), Depth: 4, Role: RoleSystem}
	if strings.TrimSpace(d.Prompt) == "" {
		return DepthPrompt{}, false
	}
	if raw := members["depth"]; kindOf(raw) != isNull {
		if n, ok := r.whole("depth", raw); ok && n >= 0 && n <= 1<<30 {
			d.Depth = int(n)
		}
	}
	switch role := strings.ToLower(read("role")); role {
	case RoleUser, RoleAssistant:
		d.Role = role
	}
	return d, true
}

// World returns the extension world: the name of the lorebook that the author linked to the card,
// or "" if there is none.
func (c Card) World() string {
	raw := clean(c.Extensions["world"])
	if kindOf(raw) != isText {
		return ""
	}
	return openjson.Unquote(raw)
}

// Talkativeness returns the extension talkativeness, a number from 0 to 1 that group chats use to
// choose the next speaker. It returns false if the extension is missing or not a number.
func (c Card) Talkativeness() (float64, bool) {
	raw := clean(c.Extensions["talkativeness"])
	if kindOf(raw) == isNull {
		return 0, false
	}
	var r reader
	return r.number("talkativeness", raw)
}

// Favorite returns the extension fav, false when it is missing.
func (c Card) Favorite() bool {
	var r reader
	value, _ := r.truth("fav", clean(c.Extensions["fav"]))
	return value
}
