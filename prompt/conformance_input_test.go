package prompt_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// caseInput is the input that the kinds native, st and text share.
type caseInput struct {
	Names      caseNames                `json:"names"`
	Card       caseCard                 `json:"card"`
	Persona    casePersona              `json:"persona"`
	Options    caseOptions              `json:"options"`
	Vars       map[string]any           `json:"vars"`
	Chat       []caseMessage            `json:"chat"`
	Injections []prompt.Injection       `json:"injections"`
	Note       prompt.AuthorNote        `json:"author_note"`
	World      []prompt.Lore            `json:"world"`
	Type       worldbook.GenerationType `json:"type"`
	Quiet      string                   `json:"quiet_prompt"`
	Budget     *caseBudget              `json:"budget"`

	// Kinds st and text.
	Prompts []json.RawMessage `json:"prompts"`
	Order   []json.RawMessage `json:"order"`
	Text    caseText          `json:"text"`

	// Kind native.
	System      string             `json:"system"`
	PostHistory string             `json:"post_history"`
	Directives  []prompt.Directive `json:"directives"`
	Hooks       []caseHook         `json:"hooks"`
	Context     []prompt.Context   `json:"context_messages"`
	State       string             `json:"state"`
	Summary     string             `json:"summary"`
	Blocks      []caseBlock        `json:"blocks"`
	FollowUps   []llm.Message      `json:"follow_ups"`
	Control     string             `json:"control"`
	Prefill     string             `json:"prefill"`
}

type caseNames struct {
	User string `json:"user"`
	Char string `json:"char"`
}

type caseCard struct {
	Description  string `json:"description"`
	Personality  string `json:"personality"`
	Scenario     string `json:"scenario"`
	Examples     string `json:"mes_example"`
	SystemPrompt string `json:"system_prompt"`
	PostHistory  string `json:"post_history_instructions"`
	Depth        struct {
		Prompt string   `json:"prompt"`
		Depth  *int     `json:"depth"`
		Role   llm.Role `json:"role"`
	} `json:"depth_prompt"`
}

type casePersona struct {
	Text string `json:"text"`
	// Members of cases with a name that SillyTavern does not read.
	Unread json.RawMessage `json:"description"`
	prompt.Persona
}

type caseOptions struct {
	Names            prompt.NameStyle `json:"names_behavior"`
	Replacement      string           `json:"send_if_empty"`
	LoreFormat       *string          `json:"wi_format"`
	NewChat          *string          `json:"new_chat"`
	NewExample       *string          `json:"new_example_chat"`
	Nudge            *string          `json:"continue_nudge"`
	ContinuePrefill  bool             `json:"continue_prefill"`
	Impersonation    *string          `json:"impersonation"`
	AssistantPrefill string           `json:"assistant_prefill"`
	Source           string           `json:"source"`
	Tools            bool             `json:"tools"`
	PinExamples      bool             `json:"pin_examples"`
	StripExamples    bool             `json:"strip_examples"`
	Squash           bool             `json:"squash_system"`
	PreferCardPrompt *bool            `json:"prefer_card_prompt"`
	PreferCardPHI    *bool            `json:"prefer_card_phi"`
	Separator        *string          `json:"example_separator"`
	ChatStart        *string          `json:"chat_start"`

	Recent        int        `json:"recent"`
	HistoryMacros macro.Mode `json:"history_macros"`
	Truncate      prompt.Cut `json:"truncate_summary"`
	Cache         bool       `json:"cache"`
	HistoryStart  int        `json:"history_start"`
	TrimSlack     int        `json:"trim_slack"`
}

type caseMessage struct {
	Role        string `json:"role"`
	Name        string `json:"name"`
	Text        string `json:"mes"`
	Forced      bool   `json:"force_avatar"`
	Invocations []struct {
		ID         string `json:"id"`
		Display    string `json:"displayName"` // shown to the player
		Name       string `json:"name"`
		Parameters string `json:"parameters"`
		Result     string `json:"result"`
	} `json:"invocations"`
}

type caseHook struct {
	prompt.HookPlace
	Scope string `json:"scope"`
}

type caseBlock struct {
	Key      string     `json:"key"`
	Slot     string     `json:"slot"`
	Text     string     `json:"content"`
	Role     llm.Role   `json:"role"`
	Order    *int       `json:"order"`
	Keep     *int       `json:"keep"`
	Required bool       `json:"required"`
	Truncate prompt.Cut `json:"truncate"`
	Literal  bool       `json:"literal"`
}

type caseBudget struct {
	Counter    string `json:"counter"` // always "chars"
	Context    int    `json:"context"`
	Response   int    `json:"response"`
	PerMessage int    `json:"per_message"`
}

func loadInput(tb testing.TB, name string, raw json.RawMessage) caseInput {
	in := caseInput{Names: caseNames{"Mara", "Orin"}}
	in.Options.Names = prompt.NamesForced
	decodeCase(tb, name, raw, &in)
	return in
}

func (in caseInput) env() prompt.Env {
	return prompt.Env{
		User: in.Names.User, Char: in.Names.Char, Persona: in.Persona.Text, Vars: in.Vars,
		Random: func() float64 { return 0.5 },
		Card: macro.Card{
			Description: in.Card.Description, Personality: in.Card.Personality,
			Scenario: in.Card.Scenario, Examples: in.Card.Examples,
			SystemPrompt: in.Card.SystemPrompt, PostHistory: in.Card.PostHistory,
			DepthPrompt: in.Card.Depth.Prompt,
		},
	}
}

func (in caseInput) history() []prompt.Line {
	var lines []prompt.Line
	for _, m := range in.Chat {
		// The recorded program forces the avatar of a user, too, and shows no name for it.
		l := prompt.Line{Name: m.Name, Text: m.Text, Forced: m.Forced && m.Role != "user"}
		switch m.Role {
		case "user":
			l.Role = llm.User
		case "char", "tool":
			l.Role = llm.Assistant
		case "narrator":
			l.Role = llm.System
			if m.Name == "" {
				l.Name = "Narrator" // the name in the recorded program
			}
		case "hidden":
			l.Role, l.Hidden = llm.User, true
		}
		for _, c := range m.Invocations {
			l.Calls = append(l.Calls, llm.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Parameters})
			l.Results = append(l.Results, c.Result)
		}
		lines = append(lines, l)
	}
	return lines
}

func (in caseInput) scene() prompt.Scene {
	s := prompt.Scene{
		System: in.System, PostHistory: in.PostHistory,
		IgnoreCardSystem:      !or(in.Options.PreferCardPrompt, true),
		IgnoreCardPostHistory: !or(in.Options.PreferCardPHI, true),
		Persona:               in.Persona.Persona,
		CardDepth:             prompt.CardDepth{Depth: in.Card.Depth.Depth, Role: in.Card.Depth.Role},
		Note:                  in.Note, Lore: in.World, Directives: in.Directives,
		Injections: in.Injections, Context: in.Context,
		Summary: in.Summary, State: in.State, TruncateSummary: in.Options.Truncate,
		PinExamples: in.Options.PinExamples, StripExamples: in.Options.StripExamples,
		Cache: in.Options.Cache,
	}
	for _, h := range in.Hooks {
		h.Session = h.Scope == "session"
		s.Hooks = append(s.Hooks, h.HookPlace)
	}
	return s
}

func (in caseInput) budget() prompt.Budget {
	budget := prompt.Budget{Counter: runeCounter{}, PerMessage: new(0)}
	if in.Budget != nil {
		budget.Context, budget.Response = in.Budget.Context, in.Budget.Response
		budget.PerMessage = &in.Budget.PerMessage
	}
	return budget
}

// runeCounter counts code points.
type runeCounter struct{}

func (runeCounter) Count(text string) int { return utf8.RuneCountInString(text) }

func or[T any](p *T, other T) T {
	if p == nil {
		return other
	}
	return *p
}
