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
	// ShapeSemi is Merge, and every system message behind the first block is the
	// user's.
	ShapeSemi ShapeProfile = "semi"
	// ShapeStrict is Semi, and the first message behind the system block is the
	// user's: for chat templates of local models that enforce alternation.
	ShapeStrict ShapeProfile = "strict"
	// ShapeSingle makes everything one user message.
	ShapeSingle ShapeProfile = "single"
	// ShapeAnthropic takes the leading system messages apart, gives later ones to
	// the user, and puts neighbours of one role into one message, part by part.
	ShapeAnthropic ShapeProfile = "anthropic"
	// ShapeGemini is Anthropic, but neighbouring texts are joined by an empty line.
	ShapeGemini ShapeProfile = "gemini"
	// ShapeMistral folds names, gives a system message right behind the assistant to
	// the user, shortens call ids to nine letters or digits, and puts an
	// assistant message between a tool result and the user.
	ShapeMistral ShapeProfile = "mistral"
)

// Texts that stand where a provider wants one and the prompt has none.
const (
	StartPlaceholder    = "[Start a new chat]"
	EmptyPlaceholder    = "[No content]"
	ContinuePlaceholder = "[Continue]"
	// PrefillInstruction stands in front of a prefill for a model that takes
	// none.
	PrefillInstruction = "Begin your reply exactly with this text: "
)

// ShapeWords are such texts in another language. An empty one is that of the constants.
type ShapeWords struct {
	Start    string `json:"start,omitempty"`
	Empty    string `json:"empty,omitempty"`
	Continue string `json:"continue,omitempty"`
	Prefill  string `json:"prefill,omitempty"`
}

func (w ShapeWords) complete() ShapeWords {
	return ShapeWords{cmp.Or(w.Start, StartPlaceholder), cmp.Or(w.Empty, EmptyPlaceholder),
		cmp.Or(w.Continue, ContinuePlaceholder), cmp.Or(w.Prefill, PrefillInstruction)}
}

// ShapeRules say what a provider and a model accept.
type ShapeRules struct {
	Profile ShapeProfile `json:"profile,omitempty"`
	// Tools says that calls and results may be sent. Without it calls are left
	// out and results become user texts.
	Tools bool `json:"tools,omitempty"`
	// User and Char are the names behind the roles, where texts need them.
	User string `json:"user,omitempty"`
	Char string `json:"char,omitempty"`
	// InlineSystem sends leading system messages as user messages, for the
	// profiles that would take them apart.
	InlineSystem bool `json:"inline_system,omitempty"`
	// FirstUser puts a placeholder in front of a first message of the assistant.
	FirstUser bool `json:"first_user,omitempty"`
	// Prefill is the beginning of the reply, its end trimmed. It is the last message of the
	// assistant; if the model does not accept one it becomes a system instruction,
	// [PrefillInstruction] and the text.
	Prefill        string `json:"prefill,omitempty"`
	AcceptsPrefill bool   `json:"accepts_prefill,omitempty"`
	// Words stand where the provider wants a text and the prompt has none.
	Words ShapeWords `json:"words,omitzero"`
}

// begin is the prefill without the white space at its end, which providers refuse.
func (r ShapeRules) begin() string { return strings.TrimRight(r.Prefill, " \t\r\n") }

// BadProfile is the code of [ShapeRules.Check].
const BadProfile talewright.Code = "bad_profile"

// Check returns a fatal problem for a profile that there is not; [Shape] treats it as one
// without rules.
func (r ShapeRules) Check() talewright.Problems {
	switch r.Profile {
	case "", ShapeOpenAI, ShapeMerge, ShapeSemi, ShapeStrict, ShapeSingle, ShapeAnthropic, ShapeGemini, ShapeMistral:
		return nil
	}
	return talewright.Problems{{Path: "profile", Code: BadProfile, Severity: talewright.Fatal, Text: fmt.Sprintf(
		"%q is unknown: use openai, merge, semi, strict, single, anthropic, gemini or mistral", r.Profile)}}
}

// ShapePart is one piece of a message: a text, an image, a thought, a call or a result.
// Thoughts stand only in front of the calls that they led to.
type ShapePart struct {
	Text    string        `json:"text,omitempty"`
	Image   *llm.Image    `json:"image,omitempty"`
	Thought *llm.Thought  `json:"thought,omitempty"`
	Call    *llm.ToolCall `json:"call,omitempty"`
	Result  *ShapeResult  `json:"result,omitempty"`
}

// ShapeResult is the answer to the call with an ID.
type ShapeResult struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// ShapeMessage is a message as a provider takes it.
type ShapeMessage struct {
	Role  llm.Role    `json:"role"`
	Name  string      `json:"name,omitempty"`
	Parts []ShapePart `json:"parts"`
}

// The codes of a [ShapeRepair].
const (
	OrphanResult  = "orphan_tool_result"  // no call before it: it became a user text
	MissingResult = "missing_tool_result" // a call got the empty placeholder
)

// ShapeRepair is a change to calls and results that do not belong together.
type ShapeRepair struct {
	Code    string `json:"code"`
	Message int    `json:"message"` // index in the input
	CallID  string `json:"call_id,omitempty"`
}

// Shaped is a prompt for a provider.
type Shaped struct {
	System   []string       `json:"system,omitempty"` // texts apart from the messages
	Messages []ShapeMessage `json:"messages"`
	Repairs  []ShapeRepair  `json:"repairs,omitempty"`
}
