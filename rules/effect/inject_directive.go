package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/plain"
)

// InjectDirective adds an instruction to the prompts to come. One of the same id is replaced,
// with its place: the newest stands last. The Directive of package ledger says how long it stays.
type InjectDirective struct {
	ID         string            `json:"directiveId"`
	Content    string            `json:"content"`
	Position   DirectivePosition `json:"position,omitempty"` // empty: [DirectiveAuto]
	Depth      *int              `json:"depth,omitempty"`    // of [DirectiveAtDepth]; nil: the prompt's default
	Persistent bool              `json:"persistent"`         // stays until removed; else one round
	Duration   *int              `json:"duration,omitempty"` // rounds; wins over Persistent

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// DirectivePosition says where in a prompt a directive stands. What a prompt does not know is
// taken for [DirectiveAuto].
type DirectivePosition string

// The positions.
const (
	DirectiveTop        DirectivePosition = "top"         // of the prompt
	DirectiveBeforeChar DirectivePosition = "before_char" // the character's description
	DirectiveAfterChar  DirectivePosition = "after_char"  // behind it
	DirectiveAuto       DirectivePosition = "auto"        // where the layout has its directives
	DirectiveAtDepth    DirectivePosition = "depth"       // so many messages from the end of the history
	DirectiveBottom     DirectivePosition = "bottom"      // of the prompt
)

// EffectType returns "inject-directive".
func (InjectDirective) EffectType() string { return "inject-directive" }

func (InjectDirective) effect() {}

// readInjectDirective takes a missing persistent as false: one round, as documented.
// Importers of worlds that were written for the other default set it afterwards.
func readInjectDirective(f *authorjson.Fields) (Effect, bool) {
	_, ok := f.Peek("content").AsText()
	e := InjectDirective{
		ID:         f.Text("directiveId"),
		Content:    f.Text("content"),
		Position:   DirectivePosition(f.Text("position")),
		Depth:      f.Whole("depth"),
		Persistent: f.True("persistent"),
		Duration:   f.Whole("duration"),
	}
	e.Extra = f.Rest()
	return e, ok && e.ID != ""
}

func (e InjectDirective) plain() bool {
	return e.Extra == nil && plain.Texts(e.ID, e.Content, string(e.Position))
}

func (e InjectDirective) asData() Effect {
	e.Content = utf8text.Escape(e.Content)
	return e
}

// apply replaces a directive of the same id and moves it to the end: the newest
// stands last in the prompt. Without an id there is nothing to replace it by, or to remove.
func (e InjectDirective) apply(t Target, c Caused) {
	if e.ID == "" {
		t.Refuse(c, "@prompt.directive.", tree.Text(e.Content),
			Deny(BadValue, "a directive needs an id"))
		return
	}
	if e.Position == "" {
		e.Position = DirectiveAuto
	}
	t.Inject(e)
}
