package prompt

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
)

// ShapeProfile names a set of rules for messages.
type ShapeProfile string

// The profiles. The empty one is [ShapeOpenAI].
const (
	// ShapeOpenAI merges nothing and keeps names.
	ShapeOpenAI ShapeProfile = "openai"
	// ShapeMerge joins consecutive messages of one role by an empty line, except
	// tool results.
	ShapeMerge ShapeProfile = "merge"
	// ShapeSemi is Merge, and every system message after the first block becomes a user message.
	ShapeSemi ShapeProfile = "semi"
	// ShapeStrict is Semi, and the first message after the system block is a user message. It is
	// for chat templates of local models that require alternation.
	ShapeStrict ShapeProfile = "strict"
	// ShapeSingle puts everything into one user message.
	ShapeSingle ShapeProfile = "single"
	// ShapeAnthropic returns the leading system messages separately, changes later ones to user
	// messages, and puts neighbours of one role into one message, part by part.
	ShapeAnthropic ShapeProfile = "anthropic"
	// ShapeGemini is Anthropic, but neighbouring texts are joined by an empty line.
	ShapeGemini ShapeProfile = "gemini"
	// ShapeMistral puts names into the texts and shortens call IDs to nine letters or digits. It
	// changes a system message directly after the assistant to a user message. It puts an assistant
	// message between a tool result and the user.
	ShapeMistral ShapeProfile = "mistral"
)

// ShapeWords are the texts that [Shape] adds where a provider requires a text. An empty field means the English
// text.
type ShapeWords struct {
	Start    string `json:"start,omitempty"`
	Empty    string `json:"empty,omitempty"`
	Continue string `json:"continue,omitempty"`
	Prefill  string `json:"prefill,omitempty"`
}

func (w ShapeWords) complete() ShapeWords {
	return ShapeWords{cmp.Or(w.Start, "[Start a new chat]"), cmp.Or(w.Empty, noContent),
		cmp.Or(w.Continue, "[Continue]"), cmp.Or(w.Prefill, "Begin your reply exactly with this text: ")}
}

// ShapeRules describe what a provider and a model accept.
type ShapeRules struct {
	Profile ShapeProfile `json:"profile,omitempty"`
	// Tools says that calls and results may be sent. Without it, calls are left out and results
	// become user texts.
	Tools bool `json:"tools,omitempty"`
	// User and Char are the names for the roles, for texts that need them.
	User string `json:"user,omitempty"`
	Char string `json:"char,omitempty"`
	// InlineSystem sends leading system messages as user messages, for profiles that would return
	// them separately.
	InlineSystem bool `json:"inline_system,omitempty"`
	// FirstUser adds a placeholder before a first message of the assistant.
	FirstUser bool `json:"first_user,omitempty"`
	// Prefill is the beginning of the reply; white space at its end is removed. It is the last
	// message of the assistant. If the model does not accept one, it becomes a system instruction:
	// "Begin your reply exactly with this text: " and the text.
	Prefill        string `json:"prefill,omitempty"`
	AcceptsPrefill bool   `json:"accepts_prefill,omitempty"`
	// Words are used where the provider requires a text and the prompt has no text.
	Words ShapeWords `json:"words,omitzero"`
}

// trimmedPrefill returns the prefill without white space at its end, which providers refuse.
func (r ShapeRules) trimmedPrefill() string { return strings.TrimRight(r.Prefill, " \t\r\n") }

// codeBadProfile is the code of [ShapeRules.Check].
const codeBadProfile talewright.Code = "bad_profile"

// Check returns a fatal problem for an unknown profile. [Shape] treats an unknown profile as one
// without rules.
func (r ShapeRules) Check() talewright.Problems {
	switch r.Profile {
	case "", ShapeOpenAI, ShapeMerge, ShapeSemi, ShapeStrict, ShapeSingle, ShapeAnthropic, ShapeGemini, ShapeMistral:
		return nil
	}
	return talewright.Problems{{Path: "profile", Code: codeBadProfile, Severity: talewright.Fatal, Text: fmt.Sprintf(
		"%q is unknown: use openai, merge, semi, strict, single, anthropic, gemini or mistral", r.Profile)}}
}

// ShapePart is one piece of a message: a text, an image, a thought, a call or a result. Thoughts
// come only before the calls that they led to.
type ShapePart struct {
	Text    string        `json:"text,omitempty"`
	Image   *llm.Image    `json:"image,omitempty"`
	Thought *llm.Thought  `json:"thought,omitempty"`
	Call    *llm.ToolCall `json:"call,omitempty"`
	Result  *ShapeResult  `json:"result,omitempty"`
}

// ShapeResult is the result of the call with this ID.
type ShapeResult struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// ShapeMessage is a message in the form that a provider accepts.
type ShapeMessage struct {
	Role  llm.Role    `json:"role"`
	Name  string      `json:"name,omitempty"`
	Parts []ShapePart `json:"parts"`
}

// The codes of a [ShapeRepair].
const (
	repairOrphanResult  = "orphan_tool_result"  // there was no call before it: it became a user text
	repairMissingResult = "missing_tool_result" // a call got the empty placeholder as its result
)

// ShapeRepair is a repair of a call or a result without its partner.
type ShapeRepair struct {
	Code    string `json:"code"`
	Message int    `json:"message"` // index in the input
	CallID  string `json:"call_id,omitempty"`
}

// Shaped is a prompt for a provider.
type Shaped struct {
	System   []string       `json:"system,omitempty"` // texts separate from the messages
	Messages []ShapeMessage `json:"messages"`
	Repairs  []ShapeRepair  `json:"repairs,omitempty"`
}
