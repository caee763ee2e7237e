package prompt

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/prompt/macro"
)

// Form says how the blocks of a slot become messages.
type Form string

// The forms. The empty form is [Joined].
const (
	// Joined puts neighbours that have the same role and name into one message.
	Joined Form = "joined"
	// Separate gives each block a message of its own.
	Separate Form = "separate"
	// Examples reads blocks as example dialogues, see [ParseExamples].
	Examples Form = "examples"
	// ExampleTexts is like Examples, but each part is one message with its text unchanged and
	// without a marker.
	ExampleTexts Form = "example_texts"
	// History is the place of the chat, including all blocks at a depth.
	History Form = "history"
)

// Slot is one place of a layout.
type Slot struct {
	Name string `json:"name"`
	Form Form   `json:"form,omitempty"`
	// Joiner is put between joined blocks; empty means an empty line. For one newline use "\n".
	Joiner string `json:"joiner,omitempty"`
	// Format, if not empty, is a template around a joined message. {0} is replaced by the blocks,
	// at most 16 times.
	Format string `json:"format,omitempty"`
	// Keep is the default keep of the slot's blocks. Keep 0 is dropped first.
	Keep      int       `json:"keep,omitempty"`
	Required  bool      `json:"required,omitempty"`
	Stability Stability `json:"stability,omitempty"` // empty: turn
	// SpokenOnly, in a slot of the form [Examples], leaves out the parts of a card in which no line
	// begins with a known speaker. The report gives them "no_speaker".
	SpokenOnly bool `json:"spoken_only,omitempty"`
	// BeforeNewest puts the slot directly before the newest element of the history. It is for texts
	// that change every turn: the texts before them can stay in a provider's cache, and the
	// player's line is still last. In the list, such slots follow the slot of the history. Texts at
	// a depth of 0 stay after the newest element.
	BeforeNewest bool `json:"before_newest,omitempty"`
}

// NameStyle says how the names of speakers are shown in the history.
type NameStyle string

// The styles. The empty style is [NamesForced].
const (
	// NamesForced puts "Name: " before lines that are marked with [Line].Forced: lines of one of
	// several users, and assistant lines of a speaker other than the main character.
	NamesForced NameStyle = "default"
	NamesNone   NameStyle = "none"
	// NamesContent puts "Name: " before every line of a user or an assistant.
	NamesContent NameStyle = "content"
	// NamesField fills the name field of the messages.
	NamesField NameStyle = "completion"
)

// Layout defines the order and the priorities of blocks. It is a value: copy and change [Default],
// or write your own. The slots are in the order of the prompt. Follow-ups, the control prompt and
// the prefill always come after the last slot, in this order.
type Layout struct {
	Slots []Slot `json:"slots"`

	// ChatMarker, a template, is put before the history, if there is one. Empty means no marker.
	// With MarkerAlways it is also put before an empty history.
	ChatMarker   string `json:"chat_marker,omitempty"`
	MarkerAlways bool   `json:"marker_always,omitempty"`
	// ExampleMarker, a template, is put before each part of the examples. Empty means no marker. It
	// is expanded once.
	ExampleMarker string `json:"example_marker,omitempty"`

	// DepthKeep is the default keep of blocks at a depth. 0 means 860.
	DepthKeep     int  `json:"depth_keep,omitempty"`
	DepthRequired bool `json:"depth_required,omitempty"`
	// Recent is the number of newest history elements with the keep RecentKeep; the others have
	// OlderKeep. Zeros mean 4, 800 and 400. A negative Recent means no recent elements.
	Recent     int `json:"recent,omitempty"`
	RecentKeep int `json:"recent_keep,omitempty"`
	OlderKeep  int `json:"older_keep,omitempty"`

	Names NameStyle `json:"names,omitempty"`
	// HistoryMacros says which macros are expanded in the history; empty means [macro.Names],
	// because the text of players and models is data.
	HistoryMacros macro.Mode `json:"history_macros,omitempty"`
	// PromptsFirst expands the blocks of [KindPrompt] before the author's note, the injections, the
	// directives and the hooks. These then see the variables that the list sets.
	PromptsFirst bool `json:"prompts_first,omitempty"`
	// Squash joins neighbouring system messages without a name by a newline. The markers are not
	// joined. In a slot, an empty block of a user or an assistant is not sent but still separates
	// its neighbours. An empty line of the history does not.
	Squash bool `json:"squash,omitempty"`
	// SendBlank sends texts of only white space. Otherwise they are left out, as empty texts are.
	// [Shape] leaves them out for providers that refuse them.
	SendBlank bool `json:"send_blank,omitempty"`
}

// Default returns the default layout. Its slots, in the order of the prompt:
//
//	top             directives "top"
//	main            system prompt
//	hooks_session   hook injections of a session
//	before_char     directives "before_char"
//	world_before    lore before the character, joined by newlines
//	persona         who the player is
//	character       description, personality, scenario
//	after_char      directives "after_char"
//	settings        settings and rules of the host
//	world_after     lore after the character, joined by newlines
//	auto            directives "auto"
//	summary         summary, pins, long-term memory
//	examples        example dialogues
//	bottom          directives "bottom"
//	history         the chat, with everything placed at a depth
//	world_triggered lore that is not constant, in the cache-friendly order
//	context         one-off messages, each on its own unless roles repeat
//	state           rendered variables, the authoritative status
//	hooks_turn      hook injections of a turn
//	post_history    instructions after the history
//
// The required slots are main, context, state and post_history. The others are dropped in this
// order: examples, old history, lore, recent history, the summary, texts at a depth, hooks and
// directives, and last the character.
func Default() Layout {
	directive := func(name string) Slot {
		return Slot{Name: name, Keep: 880, Stability: Turn}
	}
	lore := func(name string) Slot {
		return Slot{Name: name, Keep: loreKeep, Joiner: "\n", Stability: Turn}
	}
	return Layout{
		Slots: []Slot{
			directive("top"),
			{Name: "main", Required: true, Stability: Static},
			{Name: "hooks_session", Keep: 870, Stability: Session},
			directive("before_char"),
			lore("world_before"),
			{Name: "persona", Keep: 900, Stability: Static},
			{Name: "character", Keep: 900, Stability: Static},
			directive("after_char"),
			{Name: "settings", Keep: 950, Stability: Static},
			lore("world_after"),
			directive("auto"),
			{Name: "summary", Keep: 850, Stability: Session},
			{Name: "examples", Form: Examples, Keep: 200, Stability: Static},
			directive("bottom"),
			{Name: "history", Form: History},
			lore("world_triggered"),
			{Name: "context", Required: true, Stability: Turn},
			{Name: "state", Required: true, Stability: Turn},
			{Name: "hooks_turn", Keep: 870, Stability: Turn},
			{Name: "post_history", Required: true, Stability: Turn},
		},
		ChatMarker:    "[Start a new Chat]",
		ExampleMarker: "[Example Chat]",
	}
}

// loreKeep is the keep of lore slots in [Default].
const loreKeep = 700

// codeBadLayout is the code of all mistakes of a layout.
const codeBadLayout talewright.Code = "bad_layout"

// Check returns all mistakes of the layout. Each is fatal and has a path such as slots[3].name. The
// mistakes are a slot without a name, a repeated or reserved name, a second history, an unknown
// word, and a slot before the newest line that does not follow the history. [Assemble] calls Check.
func (l Layout) Check() talewright.Problems {
	var problems talewright.Problems
	report := func(path, format string, args ...any) {
		problems = append(problems, talewright.Problem{
			Path: path, Code: codeBadLayout, Severity: talewright.Fatal, Text: fmt.Sprintf(format, args...)})
	}
	// Check reports all mistakes, not only the first: layouts are written by hand, often as JSON,
	// and one round of corrections should be enough.
	history := -1
	first := l.places()
	for i, s := range l.Slots {
		if s.Name == "" {
			report(fmt.Sprintf("slots[%d].name", i), "is empty: blocks name their slot")
		} else if slices.Contains(reservedSlots[:], s.Name) {
			report(fmt.Sprintf("slots[%d].name", i),
				"%q is the name of a place after the last slot: choose a different name", s.Name)
		}
		if j := first[s.Name]; j < i {
			report(fmt.Sprintf("slots[%d].name", i), "%q is also slot %d: rename one", s.Name, j)
		}
		switch s.Form {
		case "", Joined, Separate, Examples, ExampleTexts:
		case History:
			if history >= 0 {
				report(fmt.Sprintf("slots[%d].form", i),
					"slot %d already is the history: a layout has one at most", history)
			}
			history = i
		default:
			report(fmt.Sprintf("slots[%d].form", i),
				"%q is unknown: use joined, separate, examples, example_texts or history", s.Form)
		}
		if s.BeforeNewest && (i == 0 || l.Slots[i-1].Form != History && !l.Slots[i-1].BeforeNewest) {
			report(fmt.Sprintf("slots[%d].before_newest", i),
				"the slot before it is not the history: move it directly after the history")
		}
		switch s.Stability {
		case "", Static, Session, Turn:
		default:
			report(fmt.Sprintf("slots[%d].stability", i),
				"%q is unknown: use static, session or turn", s.Stability)
		}
	}
	switch l.Names {
	case "", NamesForced, NamesNone, NamesContent, NamesField:
	default:
		report("names", "%q is unknown: use default, none, content or completion", l.Names)
	}
	switch l.HistoryMacros {
	case "", macro.Full, macro.Names, macro.Off:
	default:
		report("history_macros", "%q is unknown: use full, names or off", l.HistoryMacros)
	}
	return problems
}

// Names of the places after the last slot.
const (
	slotFollowUps = "follow_ups"
	slotControl   = "control"
	slotPrefill   = "prefill"
)

var reservedSlots = [...]string{slotFollowUps, slotControl, slotPrefill}

// places returns the indexes of the slots by name. For duplicate names it returns the first index.
func (l *Layout) places() map[string]int {
	places := make(map[string]int, len(l.Slots))
	for i := range l.Slots {
		if _, twin := places[l.Slots[i].Name]; !twin {
			places[l.Slots[i].Name] = i
		}
	}
	return places
}

// historySlot returns the index of the history slot, or -1 if not found.
func (l *Layout) historySlot() int {
	return slices.IndexFunc(l.Slots, func(s Slot) bool { return s.Form == History })
}

// joiner returns the text between blocks of one message.
func (s *Slot) joiner() string {
	if s.Joiner == "" {
		return "\n\n"
	}
	return s.Joiner
}

// stability returns the stability of a block in the slot. The default is every turn, which at worst
// costs a cache hit.
func (s *Slot) stability(block *Block) Stability {
	switch {
	case block.Stability != "":
		return block.Stability
	case s.Stability != "":
		return s.Stability
	}
	return Turn
}

// blank reports whether a text is left out of the prompt.
func (l *Layout) blank(text string) bool {
	return text == "" || !l.SendBlank && keyindex.TrimSpace(text) == ""
}
