package prompt

import "github.com/talewright/talewright/llm"

// Directive is an instruction that a rule put into the prompt.
type Directive struct {
	ID   string `json:"id"`
	Text string `json:"content"`
	// Position is the place of the directive. A missing or unknown one means auto; the
	// report names an unknown one.
	Position   DirectivePosition `json:"position,omitempty"`
	Depth      *int              `json:"depth,omitempty"` // nil: 4
	Role       llm.Role          `json:"role,omitempty"`  // empty: system
	Persistent bool              `json:"persistent,omitempty"`
}

// DirectivePosition is the place of a directive.
//
// Its values:
//
//   - top
//   - before_char
//   - after_char
//   - auto
//   - depth
//   - bottom
type DirectivePosition string

// The positions.
const (
	directiveTop        DirectivePosition = "top"
	directiveBeforeChar DirectivePosition = "before_char"
	directiveAfterChar  DirectivePosition = "after_char"
	directiveAuto       DirectivePosition = "auto"
	directiveAtDepth    DirectivePosition = "depth"
	directiveBottom     DirectivePosition = "bottom"
)

// Block returns the block of a directive, directive.<id>, for [Default].
func (d Directive) Block() Block {
	b := Block{
		Key: "directive." + d.ID, Source: Source{Kind: KindDirective, ID: d.ID}, Role: d.Role, Text: d.Text,
		Stability: Turn,
	}
	if d.Persistent {
		b.Stability = Session
	}
	switch d.Position {
	case directiveTop, directiveBeforeChar, directiveAfterChar, directiveAuto, directiveBottom:
		b.Slot = string(d.Position)
	case directiveAtDepth:
		b.Depth, b.Stability = valueOr(d.Depth, defaultDepth), ""
	case "":
		b.Slot = "auto"
	default:
		b.Slot, b.Reason = "auto", "unknown_position "+string(d.Position)
	}
	return b
}

// HookPlace is a text that a hook injected.
type HookPlace struct {
	Key      string   `json:"key"`
	Text     string   `json:"content"`
	Priority *int     `json:"priority,omitempty"` // smaller first; nil: 55
	Session  bool     `json:"session,omitempty"`  // scope session, else turn
	Role     llm.Role `json:"role,omitempty"`     // empty: system
}

const hookPriority = 55

// Block returns the block of an injection, hook.<key>, for [Default].
func (h HookPlace) Block() Block {
	b := Block{
		Key: "hook." + h.Key, Source: Source{Kind: KindHook, ID: h.Key}, Role: h.Role, Text: h.Text,
		Slot: "hooks_turn", Order: valueOr(h.Priority, hookPriority),
	}
	if h.Session {
		b.Slot = "hooks_session"
	}
	return b
}

// Injection is a text of an extension of the host.
type Injection struct {
	Key       string         `json:"key"`
	Text      string         `json:"content"`
	Placement InjectionPlace `json:"placement,omitempty"`
	Depth     int            `json:"depth,omitempty"`
	Order     *int           `json:"order,omitempty"` // among the texts of its depth, smaller first; nil: 100
	Role      llm.Role       `json:"role,omitempty"`  // empty: system
	Scan      bool           `json:"scan,omitempty"`  // world books also search this text for keys, see [Scene.ScanTexts]
}

// Block returns the block of an injection, inject.<key>.
func (i Injection) Block() Block {
	b := Block{
		Key: "inject." + i.Key, Source: Source{Kind: kindInjection, ID: i.Key}, Role: i.Role, Text: i.Text,
	}
	if b.Order = i.Order; b.Order != nil {
		b.Order = new(*i.Order)
	}
	place(&b, i.Placement, new(i.Depth))
	return b
}
