package shape

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
)

// Profile names a set of rules for messages.
type Profile string

// The profiles. The empty one is [OpenAI].
const (
	// OpenAI merges nothing and keeps names.
	OpenAI Profile = "openai"
	// Merge joins consecutive messages of one role by an empty line, except
	// tool results.
	Merge Profile = "merge"
	// Semi is Merge, and every system message behind the first block is the
	// user's.
	Semi Profile = "semi"
	// Strict is Semi, and the first message behind the system block is the
	// user's: for chat templates of local models that enforce alternation.
	Strict Profile = "strict"
	// Single makes everything one user message.
	Single Profile = "single"
	// Anthropic takes the leading system messages apart, gives later ones to
	// the user, and puts neighbours of one role into one message, part by part.
	Anthropic Profile = "anthropic"
	// Gemini is Anthropic, but neighbouring texts are joined by an empty line.
	Gemini Profile = "gemini"
	// Mistral folds names, gives a system message right behind the assistant to
	// the user, shortens call ids to nine letters or digits, and puts an
	// assistant message between a tool result and the user.
	Mistral Profile = "mistral"
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

// Words are such texts in another language. An empty one is that of the constants.
type Words struct {
	Start    string `json:"start,omitempty"`
	Empty    string `json:"empty,omitempty"`
	Continue string `json:"continue,omitempty"`
	Prefill  string `json:"prefill,omitempty"`
}

func (w Words) complete() Words {
	return Words{cmp.Or(w.Start, StartPlaceholder), cmp.Or(w.Empty, EmptyPlaceholder),
		cmp.Or(w.Continue, ContinuePlaceholder), cmp.Or(w.Prefill, PrefillInstruction)}
}

// Rules say what a provider and a model accept.
type Rules struct {
	Profile Profile `json:"profile,omitempty"`
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
	Words Words `json:"words,omitzero"`
}

// begin is the prefill without the white space at its end, which providers refuse.
func (r Rules) begin() string { return strings.TrimRight(r.Prefill, " \t\r\n") }

// BadProfile is the code of [Rules.Check].
const BadProfile talewright.Code = "bad_profile"

// Check returns a fatal problem for a profile that there is not; [Shape] treats it as one
// without rules.
func (r Rules) Check() talewright.Problems {
	switch r.Profile {
	case "", OpenAI, Merge, Semi, Strict, Single, Anthropic, Gemini, Mistral:
		return nil
	}
	return talewright.Problems{{Path: "profile", Code: BadProfile, Severity: talewright.Fatal, Text: fmt.Sprintf(
		"%q is unknown: use openai, merge, semi, strict, single, anthropic, gemini or mistral", r.Profile)}}
}

// Part is one piece of a message: a text, an image, a thought, a call or a result.
// Thoughts stand only in front of the calls that they led to.
type Part struct {
	Text    string        `json:"text,omitempty"`
	Image   *llm.Image    `json:"image,omitempty"`
	Thought *llm.Thought  `json:"thought,omitempty"`
	Call    *llm.ToolCall `json:"call,omitempty"`
	Result  *Result       `json:"result,omitempty"`
}

// Result is the answer to the call with an ID.
type Result struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// Message is a message as a provider takes it.
type Message struct {
	Role  llm.Role `json:"role"`
	Name  string   `json:"name,omitempty"`
	Parts []Part   `json:"parts"`
}

// The codes of a [Repair].
const (
	OrphanResult  = "orphan_tool_result"  // no call before it: it became a user text
	MissingResult = "missing_tool_result" // a call got the empty placeholder
)

// Repair is a change to calls and results that do not belong together.
type Repair struct {
	Code    string `json:"code"`
	Message int    `json:"message"` // index in the input
	CallID  string `json:"call_id,omitempty"`
}

// Shaped is a prompt for a provider.
type Shaped struct {
	System   []string  `json:"system,omitempty"` // texts apart from the messages
	Messages []Message `json:"messages"`
	Repairs  []Repair  `json:"repairs,omitempty"`
}
