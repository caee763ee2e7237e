package prompt

import "github.com/talewright/talewright/prompt/macro"

// Form says how the blocks of a slot become messages.
type Form string

// The forms. The empty form is [Joined].
const (
	// Joined puts neighbours of one role and name into one message.
	Joined Form = "joined"
	// Separate gives each block a message of its own.
	Separate Form = "separate"
	// Examples reads blocks as example dialogues, see [ParseExamples].
	Examples Form = "examples"
	// ExampleTexts is Examples, but each part is one message with the text as
	// it stands, without a marker.
	ExampleTexts Form = "example_texts"
	// History is where the chat goes, with everything placed at a depth.
	History Form = "history"
)

// Slot is one place of a layout.
type Slot struct {
	Name string `json:"name"`
	Form Form   `json:"form,omitempty"`
	// Joiner stands between joined blocks; empty is an empty line. One newline
	// is "\n".
	Joiner string `json:"joiner,omitempty"`
	// Format, if not empty, is a template around a joined message, in which {0}
	// stands for the blocks, at most 16 times.
	Format string `json:"format,omitempty"`
	// Keep is the keep of blocks that have none; 0 is dropped first.
	Keep      int       `json:"keep,omitempty"`
	Required  bool      `json:"required,omitempty"`
	Stability Stability `json:"stability,omitempty"` // empty: turn
	// BeforeNewest puts the slot right before the newest element of the history, for
	// texts that change every turn: what stands before them can stay in a provider's
	// cache, and the player's line still comes last. Such slots follow that of the
	// history in the list. Texts at a depth of 0 stay behind the newest.
	BeforeNewest bool `json:"before_newest,omitempty"`
}

// NameStyle says how the speakers of the history are shown.
type NameStyle string

// The styles. The empty style is [NamesForced].
const (
	// NamesForced puts "Name: " before assistant lines that are marked as
	// spoken by somebody other than the main character.
	NamesForced NameStyle = "default"
	NamesNone   NameStyle = "none"
	// NamesContent puts "Name: " before every line of a user or an assistant.
	NamesContent NameStyle = "content"
	// NamesField fills the name field of the messages.
	NamesField NameStyle = "completion"
)

// Layout says in which order blocks stand and how dear they are. It is a value:
// take [Default] and change the copy, or write your own. The slots are in the
// order of the prompt. Follow-ups, the control prompt and the prefill always
// come behind the last slot, in this order.
type Layout struct {
	Slots []Slot `json:"slots"`

	// ChatMarker, a template, stands before the history, if there is one; empty is
	// none. With MarkerAlways it also stands before an empty history.
	ChatMarker   string `json:"chat_marker,omitempty"`
	MarkerAlways bool   `json:"marker_always,omitempty"`
	// ExampleMarker, a template, stands before each part of the examples; empty is
	// none. It is expanded once.
	ExampleMarker string `json:"example_marker,omitempty"`

	// DepthKeep is the keep of blocks at a depth that have none, 0 is 860.
	DepthKeep     int  `json:"depth_keep,omitempty"`
	DepthRequired bool `json:"depth_required,omitempty"`
	// Recent is the number of newest history elements with the keep RecentKeep;
	// the others have OlderKeep. Zeros are 4, 800 and 400; a negative Recent is
	// none.
	Recent     int `json:"recent,omitempty"`
	RecentKeep int `json:"recent_keep,omitempty"`
	OlderKeep  int `json:"older_keep,omitempty"`

	Names NameStyle `json:"names,omitempty"`
	// HistoryMacros says what is expanded in the history; empty is
	// [macro.Names], since the text of players and models is data.
	HistoryMacros macro.Mode `json:"history_macros,omitempty"`
	// Squash joins neighbouring system messages without a name by a newline. The
	// markers stay alone, and an empty message of a user or an assistant, which is
	// not sent, keeps its neighbours apart.
	Squash bool `json:"squash,omitempty"`
	// SendBlank sends texts of nothing but white space; else they leave nothing, as
	// empty ones do. Package shape leaves them out for providers that refuse them.
	SendBlank bool `json:"send_blank,omitempty"`
}
