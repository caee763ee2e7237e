package effect

import (
	"cmp"
	"encoding/json"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// InjectDirective adds an instruction to the next prompts. It replaces a directive of the same id
// and becomes the last one: the newest directive comes last. rules.Directive defines how long it
// stays.
type InjectDirective struct {
	ID         string            `json:"directiveId"`
	Content    string            `json:"content"`
	Position   DirectivePosition `json:"position,omitempty"` // empty: [DirectiveAuto]
	Depth      *int              `json:"depth,omitempty"`    // of the position depth; nil: the prompt's default
	Persistent bool              `json:"persistent"`         // stays until removed; else one round
	Duration   *int              `json:"duration,omitempty"` // rounds; takes precedence over Persistent

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// DirectivePosition is the place of a directive in a prompt. A position that the prompt does not
// support means [DirectiveAuto].
//
//   - top: of the prompt
//   - before_char: the character's description
//   - after_char: after it
//   - auto: where the layout places directives
//   - depth: so many messages from the end of the history
//   - bottom: of the prompt
type DirectivePosition string

// The positions.
const (
	directiveTop        DirectivePosition = "top"         // of the prompt
	directiveBeforeChar DirectivePosition = "before_char" // the character's description
	directiveAfterChar  DirectivePosition = "after_char"  // after it
	DirectiveAuto       DirectivePosition = "auto"        // where the layout places directives
	directiveAtDepth    DirectivePosition = "depth"       // so many messages from the end of the history
	directiveBottom     DirectivePosition = "bottom"      // of the prompt
)

// EffectType returns "inject-directive".
func (InjectDirective) EffectType() string { return "inject-directive" }

func (InjectDirective) effect() {}

func (e InjectDirective) asData() Effect {
	e.Content = utf8text.Escape(e.Content)
	return e
}

// apply replaces a directive of the same id and moves it to the end: the newest directive is last
// in the prompt. Without an id it could not be replaced or removed, so it is refused.
func (e InjectDirective) apply(t Target, c Attributed) {
	if e.ID == "" {
		t.Refuse(c, "@prompt.directive.", tree.Text(e.Content),
			Deny(BadValue, "a directive needs an id"))
		return
	}
	e.Position = cmp.Or(e.Position, DirectiveAuto)
	t.Inject(e)
}
