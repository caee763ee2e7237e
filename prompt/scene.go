package prompt

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
)

// The scene files turn the usual pieces of a turn into blocks for [Assemble]. The pieces are system
// prompt, card, persona, author's note, activated lore, directives, injections, summary, state:
//
//	pieces := prompt.Scene{System: "You are {{char}}.", Lore: lore, State: status}
//	result, err := prompt.Assemble(prompt.Default(), prompt.Input{
//		Blocks: pieces.Blocks(env, history), History: history,
//	}, env, budget)
//
// The pieces have fixed places in the default layout. A host with its own layout changes the slots
// of the blocks, or writes blocks itself. Package tavern does so for SillyTavern's presets, and for
// prompts that are one text. [CardOf] returns the texts of a character card, [LoreOf] the lore that
// a scan of world books activated.
//
// All types are values, all functions are pure and safe for concurrent use.

// Scene has the usual pieces of a turn and makes blocks for the default layout. It is a
// convenience: hosts with their own layout may change the slots of its blocks, or write blocks
// themselves.
type Scene struct {
	// System is the system prompt, PostHistory the instruction after the history. The card's texts
	// replace them, see [Scene.Blocks].
	System      string `json:"system,omitempty"`
	PostHistory string `json:"post_history,omitempty"`
	// IgnoreCardSystem and IgnoreCardPostHistory use the host's texts even if the card has its own.
	IgnoreCardSystem      bool `json:"ignore_card_system,omitempty"`
	IgnoreCardPostHistory bool `json:"ignore_card_post_history,omitempty"`

	Persona   Persona    `json:"persona,omitzero"`    // place of the player's description
	CardDepth CardDepth  `json:"card_depth,omitzero"` // place of the card's own reminder
	Note      AuthorNote `json:"note,omitzero"`
	Lore      []Lore     `json:"lore,omitempty"` // the lore that a scan activated, see [LoreOf]

	Directives []Directive `json:"directives,omitempty"` // of rules, in list order
	Hooks      []HookPlace `json:"hooks,omitempty"`      // by priority
	Injections []Injection `json:"injections,omitempty"` // of extensions
	Context    []Context   `json:"context,omitempty"`    // one-off messages after the history
	// Summary and State are data: they are never expanded.
	Summary         string `json:"summary,omitempty"`
	TruncateSummary Cut    `json:"truncate_summary,omitempty"`
	State           string `json:"state,omitempty"`

	// PinExamples keeps examples longer than old history. StripExamples leaves out the card's
	// examples.
	PinExamples   bool `json:"pin_examples,omitempty"`
	StripExamples bool `json:"strip_examples,omitempty"`
	// Cache moves lore that is not constant to after the history, so that the head of the prompt
	// stays the same between turns.
	Cache bool `json:"cache,omitempty"`
}

// Keeps and orders of special pieces.
const (
	pinnedKeep   = 855
	beforeOthers = 50  // before the blocks with the default order
	afterOthers  = 150 // after them
	defaultDepth = 4
)

// Context is a one-off message after the history.
type Context struct {
	Role llm.Role `json:"role,omitempty"` // empty: system
	Text string   `json:"content"`
}

// Blocks returns the blocks of a scene for [Default]. The texts of card and persona come from env.
// The history decides whether the author's note is due.
//
// The keys are main, persona, char.description, char.personality, char.scenario, char.depth,
// char.examples, note, summary, state, post_history, directive.<id>, hook.<key>, inject.<key>,
// context.<n>, and the keys of the lore. The index in the list replaces an empty ID or key.
//
// A system prompt of the card replaces main, and its post-history instruction replaces the host's,
// if they are not blank and not ignored. In them, the first {{original}} is the replaced text.
func (s Scene) Blocks(env Env, history []Line) []Block {
	var list []Block
	list = append(list, s.systemBlock(env))
	list = append(list, s.cardBlocks(env)...)
	note, placed := s.noteBlock(env, history)
	list = append(list, s.loreBlocks()...)
	if placed {
		list = append(list, note)
	}
	list = append(list, s.depthBlocks(env)...)
	// Texts without a name are numbered. Otherwise all but one would be duplicates.
	for i, d := range s.Directives {
		d.ID = cmp.Or(d.ID, strconv.Itoa(i))
		list = append(list, d.Block())
	}
	for i, h := range s.Hooks {
		h.Key = cmp.Or(h.Key, strconv.Itoa(i))
		list = append(list, h.Block())
	}
	for i, x := range s.Injections {
		x.Key = cmp.Or(x.Key, strconv.Itoa(i))
		list = append(list, x.Block())
	}
	for i, c := range s.Context {
		list = append(list, Block{
			Key: "context." + strconv.Itoa(i), Slot: "context", Role: c.Role, Text: c.Text,
		})
	}
	return append(list, s.dataBlocks(env)...)
}

func (s Scene) systemBlock(env Env) Block {
	return override("main", "main", s.System, env.Card.SystemPrompt, s.IgnoreCardSystem)
}

// override returns a text of the host, or the card's text in its place.
func override(key, slot, host, card string, ignore bool) Block {
	b := Block{Key: key, Slot: slot, Text: host}
	if !ignore && keyindex.TrimSpace(card) != "" {
		b.Source = Source{Kind: KindCard, ID: key}
		b.Text, b.Original = card, &host
	}
	return b
}

// cardBlocks returns the fields of the card that have their own slots. The templates name the
// fields; each field is expanded once and cached.
func (s Scene) cardBlocks(env Env) []Block {
	var list []Block
	add := func(key, slot, field, text string) {
		if text != "" { // a blank field is reported as empty
			list = append(list, Block{
				Key: key, Slot: slot, Source: Source{Kind: KindCard, ID: field}, Text: "{{" + field + "}}",
			})
		}
	}
	add("char.description", "character", "description", env.Card.Description)
	add("char.personality", "character", "personality", env.Card.Personality)
	add("char.scenario", "character", "scenario", env.Card.Scenario)
	if !s.StripExamples {
		add("char.examples", "examples", "mesExamplesRaw", env.Card.Examples)
		if n := len(list); s.PinExamples && n > 0 && list[n-1].Slot == "examples" {
			list[n-1].Keep = new(pinnedKeep)
		}
	}
	if s.Persona.position() == personaInPrompt && keyindex.TrimSpace(env.Persona) != "" {
		list = append(list, s.Persona.block())
	}
	return list
}

// depthBlocks returns the texts of card and persona that go into the chat.
func (s Scene) depthBlocks(env Env) []Block {
	var list []Block
	if keyindex.TrimSpace(env.Card.DepthPrompt) != "" {
		list = append(list, Block{
			Key: "char.depth", Source: Source{Kind: KindCard, ID: "depth_prompt"}, Role: s.CardDepth.Role,
			Depth: valueOr(s.CardDepth.Depth, defaultDepth), Text: "{{charDepthPrompt}}",
		})
	}
	if s.Persona.position() == personaAtDepth && keyindex.TrimSpace(env.Persona) != "" {
		b := s.Persona.block()
		b.Slot, b.Depth = "", valueOr(s.Persona.Depth, 2)
		list = append(list, b)
	}
	return list
}

// valueOr returns a copy of what p points to, or of other if it is nil.
func valueOr(p *int, other int) *int {
	if p == nil {
		return new(other)
	}
	return new(*p)
}

// dataBlocks returns the texts that are not expanded, and the post-history instruction.
func (s Scene) dataBlocks(env Env) []Block {
	var list []Block
	if s.Summary != "" {
		list = append(list, Block{
			Key: "summary", Slot: "summary", Text: s.Summary, Literal: true,
			Truncate: s.TruncateSummary,
		})
	}
	if s.State != "" {
		list = append(list, Block{Key: "state", Slot: "state", Text: s.State, Literal: true})
	}
	phi := override("post_history", "post_history", s.PostHistory,
		env.Card.PostHistory, s.IgnoreCardPostHistory)
	if phi.Text != "" {
		list = append(list, phi)
	}
	return list
}

// CardDepth places the depth prompt of the card. The text is in [macro.Card].DepthPrompt.
type CardDepth struct {
	Depth *int     `json:"depth,omitempty"` // nil: 4
	Role  llm.Role `json:"role,omitempty"`  // empty: system
}

// CardOf returns the texts of a card for [Env], and the place of its depth prompt for
// [Scene.CardDepth]. It does not return the display name (use [card.Card.CharName]), the greeting
// (the chosen one is the first line of the history) or the book (scan it separately). Carriage
// returns are removed, as in a history.
func CardOf(c card.Card) (macro.Card, CardDepth) {
	text := func(s string) string { return strings.ReplaceAll(s, "\r", "") }
	texts := macro.Card{
		Description: text(c.Description), Personality: text(c.Personality), Scenario: text(c.Scenario),
		Examples: text(c.MesExample), FirstMessage: c.FirstMes, Greetings: c.AlternateGreetings,
		SystemPrompt: text(c.SystemPrompt), PostHistory: text(c.PostHistoryInstructions),
		CreatorNotes: text(c.CreatorNotes), Version: c.CharacterVersion,
	}
	d, ok := c.DepthPrompt()
	if !ok {
		return texts, CardDepth{}
	}
	texts.DepthPrompt = text(d.Prompt)
	return texts, CardDepth{Depth: &d.Depth, Role: llm.Role(d.Role)}
}

// PersonaPosition is the place of the player's description.
//
// Its values:
//
//   - in_prompt
//   - top_an: before the author's note
//   - bottom_an: after it
//   - at_depth
//   - none
type PersonaPosition string

// The positions of a persona; the empty one is in_prompt.
const (
	personaInPrompt   PersonaPosition = "in_prompt"
	personaTopNote    PersonaPosition = "top_an"
	personaBottomNote PersonaPosition = "bottom_an"
	personaAtDepth    PersonaPosition = "at_depth"
	personaNowhere    PersonaPosition = "none"
)

// Persona places the player's description. The text is in [Env].Persona.
type Persona struct {
	Position PersonaPosition `json:"position,omitempty"`
	Depth    *int            `json:"depth,omitempty"` // nil: 2
	Role     llm.Role        `json:"role,omitempty"`  // at a depth; empty: system
}

func (p Persona) position() PersonaPosition { return cmp.Or(p.Position, personaInPrompt) }

// block returns the persona's block without a depth.
func (p Persona) block() Block {
	b := Block{
		Key: "persona", Source: Source{Kind: kindPersona, ID: "persona"},
		Slot: "persona", Text: "{{persona}}",
	}
	if p.Position == personaAtDepth {
		b.Role = p.Role
	}
	return b
}
