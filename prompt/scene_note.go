package prompt

import (
	"fmt"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

// InjectionPlace is the place of a note or an injection.
type InjectionPlace string

// The placements; the empty one is [InjectionInChat].
const (
	InjectionInChat     InjectionPlace = "in_chat"       // at a depth
	InjectionAfterMain  InjectionPlace = "in_prompt"     // directly after the system prompt
	InjectionBeforeMain InjectionPlace = "before_prompt" // directly before it
	InjectionNotPlaced  InjectionPlace = "none"
	injectedKeep                       = 860
)

// AuthorNote is the author's note.
type AuthorNote struct {
	Text      string         `json:"text"`
	Placement InjectionPlace `json:"placement,omitempty"`
	Depth     *int           `json:"depth,omitempty"` // nil: 4
	Role      llm.Role       `json:"role,omitempty"`  // empty: system
	// Interval says how often the note is due. 1 means always; n means when the number of visible
	// user messages is a positive multiple of n; 0 and below mean never. nil is 1.
	Interval *int `json:"interval,omitempty"`
	// Scan lets world books search the note for their keys, on the turns on which the note is due;
	// see [Scene.ScanTexts].
	Scan bool `json:"scan,omitempty"`
}

// Due reports whether the note is due with this history.
func (n AuthorNote) Due(history []Line) bool {
	every := 1
	if n.Interval != nil {
		every = *n.Interval
	}
	if every == 1 {
		return true
	}
	users := 0
	for i := range history {
		if history[i].Role == llm.User && !history[i].Hidden {
			users++
		}
	}
	return every > 1 && users > 0 && users%every == 0
}

// ScanTexts returns the texts that world books search in addition to the chat, for Input.Injections
// of the scan. They are the author's note, if it is due with this history, and the injections, each
// if its Scan is set. Macros are expanded without side effects: stored variables are discarded,
// random macros are disabled, and hidden keys are shown.
func (s Scene) ScanTexts(env Env, history []Line) []string {
	var texts []string
	env.Random, env.Scanning = nil, true
	if env.Chat == nil {
		env.Chat = linesChat(history)
	}
	add := func(text string) {
		text = macro.NewRun(env).Expand(keyindex.TrimSpace(text), macro.Full)
		if keyindex.TrimSpace(text) != "" {
			texts = append(texts, text)
		}
	}
	if s.Note.Scan && s.Note.Placement != InjectionNotPlaced && s.Note.Due(history) {
		add(s.Note.Text)
	}
	for _, x := range s.Injections {
		if x.Scan {
			add(x.Text)
		}
	}
	return texts
}

// noteBlock returns the note with the lore and the persona around it. It returns false if all of
// them are missing.
func (s Scene) noteBlock(env Env, history []Line) (Block, bool) {
	b := Block{
		Key: "note", Source: Source{Kind: KindNote, ID: "note"}, Role: s.Note.Role, Text: s.Note.Text,
	}
	place(&b, s.Note.Placement, valueOr(s.Note.Depth, defaultDepth))
	for i, l := range s.Lore {
		switch l.Position {
		case loreNoteTop:
			b.Above = append(b.Above, l.piece(i))
		case loreNoteBottom:
			b.Below = append(b.Below, l.piece(i))
		}
	}
	if keyindex.TrimSpace(env.Persona) != "" {
		switch s.Persona.position() {
		case personaTopNote:
			b.Above = append(b.Above, s.Persona.block())
		case personaBottomNote:
			b.Below = append([]Block{s.Persona.block()}, b.Below...)
		}
	}
	if !s.Note.Due(history) {
		b.Withheld, b.Reason = statusNotDue, fmt.Sprintf("interval %d", *s.Note.Interval)
	}
	return b, b.Text != "" || len(b.Above)+len(b.Below) > 0
}

// place puts a block into the chat, or before or after the system prompt.
func place(b *Block, p InjectionPlace, depth *int) {
	switch p {
	case "", InjectionInChat:
		b.Depth = depth
		return
	case InjectionAfterMain:
		b.Order = new(afterOthers)
	case InjectionBeforeMain:
		b.Order = new(beforeOthers)
	default:
		b.Withheld = Disabled
	}
	b.Slot, b.Keep = "main", new(injectedKeep)
}
