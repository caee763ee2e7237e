package effect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
)

// Rewrite changes a text of the turn before the next reader gets it. The code that applies effects
// calls [Rewrite.In]. It refuses a Rewrite whose target has already been read.
type Rewrite struct {
	Target RewriteTarget `json:"target"`
	// Find is plain text, not a pattern. Every occurrence is replaced. If it is empty, the whole
	// text is replaced, which is not allowed for a prompt.
	Find string `json:"find,omitempty"`
	// Text is the replacement, inserted unchanged: macros in it are not expanded.
	Text string `json:"text"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RewriteTarget is the text that a [Rewrite] changes.
type RewriteTarget string

// The targets.
const (
	RewriteLine   RewriteTarget = "line"   // the player's line, until the prompt is built
	rewritePrompt RewriteTarget = "prompt" // each message of the request, until the model is asked
	RewriteReply  RewriteTarget = "reply"  // the narration, until it is shown
)

// maxRewritten is the greatest length of a text after a [Rewrite], in bytes. A few letters that
// occur ten thousand times must not be replaced by ten thousand pages.
const maxRewritten = 1 << 20

// EffectType returns "rewrite".
func (Rewrite) EffectType() string { return "rewrite" }

func (Rewrite) effect() {}

// readRewrite accepts an empty text, which deletes, and refuses a missing text.
func readRewrite(f *authorjson.Fields) (Effect, bool) {
	_, ok := f.Peek("text").AsText()
	e := authorjson.Decoded[Rewrite](f)
	return e, ok && e.Mistake() == nil
}

// Mistake returns the mistake in the effect itself, or nil.
func (e Rewrite) Mistake() error {
	switch e.Target {
	case RewriteLine, RewriteReply:
	case rewritePrompt:
		if e.Find == "" {
			return errors.New("a prompt is not replaced as a whole: find must say what to replace")
		}
	default:
		return fmt.Errorf("target must be line, prompt or reply, not %q", authorjson.Line(string(e.Target)))
	}
	return nil
}

// In returns the rewritten text. On an error the text is unchanged: the effect has a
// [Rewrite.Mistake], or the text would be longer than 1 MiB.
func (e Rewrite) In(text string) (string, error) {
	if err := e.Mistake(); err != nil {
		return text, err
	}
	if e.Find == "" {
		if len(e.Text) > maxRewritten {
			return text, tooMuch(int64(len(e.Text)))
		}
		return e.Text, nil
	}
	n := strings.Count(text, e.Find)
	size := int64(len(text)) + int64(n)*int64(len(e.Text)-len(e.Find))
	if n > 0 && size > maxRewritten {
		return text, tooMuch(size)
	}
	return strings.ReplaceAll(text, e.Find, e.Text), nil
}

func tooMuch(size int64) error {
	return fmt.Errorf("the text would have %d bytes; %d are allowed", size, maxRewritten)
}

func (e Rewrite) fill(with *filler) Effect {
	with.texts(&e.Find, &e.Text)
	return e
}
