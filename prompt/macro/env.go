package macro

import "time"

// Mode says which macros of a text are expanded. Choose it by the author of the text: [Full] for
// texts of authors and the host, [Names] or [Off] for text of players and models.
type Mode string

// The modes. Any other value, also the empty one, means [Off] unless a field's documentation says
// otherwise: a forgotten mode expands nothing.
const (
	Full  Mode = "full"  // everything
	Names Mode = "names" // user, char, group, charIfNotGroup and the forms in angle brackets
	Off   Mode = "off"   // nothing: the text is data
)

// Env is the environment of macros: names, card, chat, clock, random source and variables. The zero
// value is valid. A macro without its source stays as written and is reported, or is empty if its
// description says that.
//
// An Env is only read. Variables that a template writes are in the [Run], never in the maps of Env.
type Env struct {
	// User and Char are the names of the player and of the speaking character.
	User string
	Char string
	// Group lists the members of a group chat in order, Muted the members who do not speak. Without
	// a group the group macros give the character.
	Group []string
	Muted []string

	Card    Card
	Persona string // description of the player, a template
	// CardMode and PersonaMode are the modes for the texts of the card and the persona. Empty means
	// [Full], for texts of authors. Use [Names] for a card or a persona that a player or a model
	// wrote.
	CardMode, PersonaMode Mode
	// ExampleSeparator is put before each part of the macro mesExamples.
	ExampleSeparator string

	// Chat is the conversation, oldest first, including hidden messages. nil is an empty chat.
	// [Messages] is a ready-made implementation.
	Chat Chat
	// ChatID identifies the conversation. The macro pick depends on it and on Reroll.
	ChatID string
	Reroll int

	// Clock is the current time. The zero time means that there is no clock.
	Clock time.Time
	// Zone is the zone in which times are shown; nil is the zone of Clock.
	Zone *time.Location
	// FormatTime writes a time in a pattern of tokens (YYYY, MMMM, h:mm A and so on). nil means
	// [FormatTime], with English names.
	FormatTime func(t time.Time, pattern string) string

	// Random returns numbers in [0, 1). Each number drawn is recorded in the trace.
	Random func() float64

	// Vars and Globals are the variables of the chat and of all chats: texts,
	// numbers, or any JSON value as encoding/json decodes it.
	Vars    map[string]any
	Globals map[string]any
	// Stores has the variables of the stores message, chat, character, preset and global, for the
	// macros that show them. Each value encodes to a JSON object. Without the store, chat means
	// Vars, global means Globals, and the others have no variables; in a nil map they do not exist.
	Stores map[string]any
	// NoFold keeps long lines in the YAML of these macros.
	NoFold bool
	// Document is the host's state, read by the macro var.
	Document Document
	// Bare has values that a text reads as {{name}}, if no other macro has the name.
	Bare map[string]any
	// Macros has macros without arguments for this build only. They override all others.
	Macros map[string]string
	// Outlets has the texts of the macro outlet by name. The texts of one name are joined by
	// newlines; blank texts are left out.
	Outlets map[string][]Piece

	// CBS, if not nil, says that the texts are in the language of RisuAI. It acts in mode [Full].
	CBS *CBS

	// Scanning says that the text is not sent but searched for the keys of a world book:
	// {{hidden_key::x}} is then x, and is empty in a prompt.
	Scanning bool

	// SystemPrompt is the main prompt of the settings. If PreferCardPrompt is set and the card has
	// a system prompt, {{systemPrompt}} is the card's.
	SystemPrompt     string
	PreferCardPrompt bool
	// Instruct has the texts of the instruct template, ChatStart is the line before the chat. They
	// are inserted unchanged.
	Instruct  Instruct
	ChatStart string
	// Reasoning has the marks around the reasoning of a model.
	Reasoning Reasoning

	Turn           int
	Model          string
	MaxContext     int // tokens
	MaxResponse    int // tokens
	Input          string
	GenerationType string
	Extensions     []string // the extensions for {{hasExtension}}, in any letter case
	Mobile         bool     // {{isMobile}}
	// FirstIncluded is the index of the oldest message in the prompt, nil while it is not known.
	FirstIncluded *int
	// FirstDisplayed is the index of the oldest message on the screen, or nil.
	FirstDisplayed *int

	// Compile turns a text into a template; nil means [Compile]. Set it to the method of a [Set] to
	// have your own macros, or to the method of a [Cache] to compile each text once.
	Compile func(text string) *Template
}

// Document is a state that can be read by path, for example "npc.hp" or "bag[0].name". The value is
// of a type that encoding/json decodes to, or a value that encodes to JSON.
type Document interface {
	Get(path string) (value any, ok bool)
}

// Card has the texts of a character card. All of them are templates.
type Card struct {
	Description  string   `json:"description,omitempty"`
	Personality  string   `json:"personality,omitempty"`
	Scenario     string   `json:"scenario,omitempty"`
	Examples     string   `json:"mes_example,omitempty"`
	FirstMessage string   `json:"first_mes,omitempty"`
	Greetings    []string `json:"alternate_greetings,omitempty"` // the greetings after FirstMessage
	SystemPrompt string   `json:"system_prompt,omitempty"`
	PostHistory  string   `json:"post_history_instructions,omitempty"`
	DepthPrompt  string   `json:"depth_prompt,omitempty"`
	CreatorNotes string   `json:"creator_notes,omitempty"`
	Version      string   `json:"character_version,omitempty"`
}

// Instruct has the texts around the messages of a text-completion prompt. If a first or last
// variant is empty, the ordinary text is used.
type Instruct struct {
	UserPrefix, UserSuffix           string
	AssistantPrefix, AssistantSuffix string
	SystemPrefix, SystemSuffix       string
	FirstUserPrefix, LastUserPrefix  string
	FirstAssistantPrefix             string
	LastAssistantPrefix              string
	SystemInstructionPrefix          string // prefix of the last system message
	StoryPrefix, StorySuffix         string
	UserFiller                       string // the message for an empty player message
	Stop                             string
}

// Reasoning has the marks around the reasoning of a model. Empty fields mean <think>, </think> and
// a newline.
type Reasoning struct{ Prefix, Suffix, Separator string }

// Piece is a template of an author, or data if Literal is set. Set Literal for text of a player or
// a model.
type Piece struct {
	Text    string `json:"text"`
	Literal bool   `json:"literal,omitempty"`
}

// Chat is a conversation that can be read by index.
type Chat interface {
	Len() int
	Message(i int) Message
}

// Messages is a [Chat] in a slice.
type Messages []Message

// Len returns the number of messages.
func (m Messages) Len() int { return len(m) }

// Message returns the message with an index, 0 is the oldest.
func (m Messages) Message(i int) Message { return m[i] }

// Message is one entry of the chat in the form that the chat macros use.
type Message struct {
	Role   string    `json:"role"` // user, assistant; anything else counts as neither
	Text   string    `json:"text"`
	Time   time.Time `json:"time,omitzero"`
	Hidden bool      `json:"hidden,omitempty"`
	// Swipes is the number of alternative texts, Swipe the index of the shown one. If Swipe is not
	// below Swipes, that alternative is being generated.
	Swipes int `json:"swipes,omitempty"`
	Swipe  int `json:"swipe,omitempty"`
}

// CBS makes a run expand texts in the curly-brace language of RisuAI, see [Env.CBS].
//
// Names are matched without regard to case, blanks, _ and -. Blocks are if, if_pure, when, each,
// pure, puredisplay, escape, code and func, and the old {#if …#}. All values are texts. A variable
// without a value is "null".
//
// The results of macros and the values of variables are data: they are never the name of a macro, an
// operator or a separator. Macros of RisuAI that show pictures, buttons or the history print nothing
// and are reported. Other unknown macros stay as written.
//
// A run expands at most 1,000,000 pieces of text. Macros nest 64 deep, calls of functions 20 deep.
type CBS struct {
	// Defaults are the values of variables that the chat does not have.
	Defaults map[string]string
	// Once says that the text is expanded once, as a greeting is. Only then setvar, addvar and
	// setdefaultvar store variables. Elsewhere they print nothing and are reported.
	Once bool
	// Keep leaves a macro that must not store in the text, as RisuAI does.
	Keep bool
}
