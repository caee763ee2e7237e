package macro

import "time"

// Mode says which macros of a text are expanded. It is the author of the text who
// decides: [Full] is for what authors and the host wrote, text of players and models
// gets [Names] or [Off].
type Mode string

// The modes. Any other one, the empty one too, is [Off], unless the place that takes
// it says otherwise: a mode that was forgotten runs nothing.
const (
	Full  Mode = "full"  // everything
	Names Mode = "names" // user, char, group, charIfNotGroup and the forms in angle brackets
	Off   Mode = "off"   // nothing: the text is data
)

// Env is what macros can see: names, card, chat, clock, chance and variables.
// The zero value is valid; a macro whose source is missing stays as written and
// is reported, or is empty where its description says so.
//
// An Env is only read. Variables that a template writes are in the [Run], never
// in the maps given here.
type Env struct {
	// User and Char are the names of the player and of the speaking character.
	User string
	Char string
	// Group names the members of a group chat in order, Muted those who do not
	// speak. Without a group the group macros give the character.
	Group []string
	Muted []string

	Card    Card
	Persona string // description of the player, a template
	// CardMode and PersonaMode say how the texts of the card and the persona are
	// expanded. Empty is [Full], for texts of authors; a card or a persona that a
	// player or a model wrote gets [Names].
	CardMode, PersonaMode Mode
	// ExampleSeparator stands before each part of the macro mesExamples.
	ExampleSeparator string

	// Chat is the conversation, oldest first, hidden messages included; nil is
	// an empty one. [Messages] is the ready-made form.
	Chat Chat
	// ChatID identifies the conversation; with Reroll it feeds the macro pick.
	ChatID string
	Reroll int

	// Clock is the present time. The zero time means that there is none.
	Clock time.Time
	// Zone is the zone in which times are shown; nil is the zone of Clock.
	Zone *time.Location
	// FormatTime writes a time after a pattern of tokens (YYYY, MMMM, h:mm A
	// and so on); nil is [FormatTime], whose names are English.
	FormatTime func(t time.Time, pattern string) string

	// Random returns numbers in [0, 1). Each one taken is recorded in the trace.
	Random func() float64

	// Vars and Globals are the variables of the chat and of all chats: texts,
	// numbers, or any JSON value as encoding/json decodes it.
	Vars    map[string]any
	Globals map[string]any
	// Document is the host's state, read by the macro var.
	Document Document
	// Bare holds values that a text reaches as {{name}}, after all other names.
	Bare map[string]any
	// Macros holds macros without arguments for this build only. They win over
	// all others.
	Macros map[string]string
	// Outlets holds the texts of the macro outlet by name. Those of one name are
	// joined by newlines, blank ones left out.
	Outlets map[string][]Piece

	// Scanning says that the text is not sent but searched for the keys of a world book:
	// {{hidden_key::x}} is x there and nothing in a prompt.
	Scanning bool

	// SystemPrompt is the main prompt of the settings. {{systemPrompt}} is that of
	// the card instead, if it has one and PreferCardPrompt is set.
	SystemPrompt     string
	PreferCardPrompt bool
	// Instruct holds the texts of the instruct template, ChatStart is the line in
	// front of the chat. All of them are given as they are.
	Instruct  Instruct
	ChatStart string
	// Reasoning holds the marks around the thinking of a model.
	Reasoning Reasoning

	Turn           int
	Model          string
	MaxContext     int // tokens
	MaxResponse    int // tokens
	Input          string
	GenerationType string
	Extensions     []string // that {{hasExtension}} knows, in any letter case
	Mobile         bool     // {{isMobile}}
	// FirstIncluded is the index of the oldest message in the prompt, nil as
	// long as it is not known.
	FirstIncluded *int
	// FirstDisplayed is the index of the oldest message on the screen, nil where
	// there is none.
	FirstDisplayed *int

	// Compile turns a text into a template; nil is [Compile]. Set it to the
	// method of a [Set] to have macros of your own, or to that of a [Cache] to
	// compile each text once.
	Compile func(text string) *Template
}

// Document is a state that can be read by path, for example "npc.hp" or
// "bag[0].name". The value is what encoding/json would decode, or something
// that encodes to JSON.
type Document interface {
	Get(path string) (value any, ok bool)
}

// Card holds the texts of a character card, all of them templates.
type Card struct {
	Description  string   `json:"description,omitempty"`
	Personality  string   `json:"personality,omitempty"`
	Scenario     string   `json:"scenario,omitempty"`
	Examples     string   `json:"mes_example,omitempty"`
	FirstMessage string   `json:"first_mes,omitempty"`
	Greetings    []string `json:"alternate_greetings,omitempty"` // behind FirstMessage
	SystemPrompt string   `json:"system_prompt,omitempty"`
	PostHistory  string   `json:"post_history_instructions,omitempty"`
	DepthPrompt  string   `json:"depth_prompt,omitempty"`
	CreatorNotes string   `json:"creator_notes,omitempty"`
	Version      string   `json:"character_version,omitempty"`
}

// Instruct holds the texts with which a text-completion prompt frames its messages.
// The first and last variants may be empty: the ordinary one stands for them.
type Instruct struct {
	UserPrefix, UserSuffix           string
	AssistantPrefix, AssistantSuffix string
	SystemPrefix, SystemSuffix       string
	FirstUserPrefix, LastUserPrefix  string
	FirstAssistantPrefix             string
	LastAssistantPrefix              string
	SystemInstructionPrefix          string // of the last system message
	StoryPrefix, StorySuffix         string
	UserFiller                       string // the message of a player who said nothing
	Stop                             string
}

// Reasoning holds the marks around the thinking of a model. Empty ones are <think>, </think> and
// a newline.
type Reasoning struct{ Prefix, Suffix, Separator string }

// Piece is a template of an author, or data if Literal is set: what a player or a
// model wrote is.
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

// Message is one entry of the chat as the chat macros see it.
type Message struct {
	Role   string    `json:"role"` // user, assistant; anything else counts as neither
	Text   string    `json:"text"`
	Time   time.Time `json:"time,omitzero"`
	Hidden bool      `json:"hidden,omitempty"`
	// Swipes is the number of alternative texts, Swipe the index of the shown
	// one. A Swipe that is not below Swipes is being generated right now.
	Swipes int `json:"swipes,omitempty"`
	Swipe  int `json:"swipe,omitempty"`
}
