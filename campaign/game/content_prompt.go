package game

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
)

// Prompt defines the form and the size of prompts: a preset or a layout, the author's note, regex
// scripts, and the requirements of the model's provider.
type Prompt struct {
	// Layout is the order of the prompt; nil means [Layout]. Lines of players and models are data,
	// and macros in them are not expanded. There is one exception: a layout with HistoryMacros
	// "names" expands {{user}} and {{char}} in them. "full" is refused.
	Layout *prompt.Layout
	// Preset is a SillyTavern chat preset that defines the layout. Its main prompt replaces
	// [Texts.Persona]. The engine's blocks go to the place for settings and state in the preset,
	// see [Layout]. Its samplers, such as temperature, and its limits of tokens are not used: set
	// Options of campaign.Config, and Budget.
	Preset *tavern.Preset
	// System is a system-prompt preset. Its content replaces [Texts.Persona]. Its post-history text
	// comes after the history. A card's own texts have priority over both. A Preset already has
	// both texts.
	System *tavern.SystemPrompt
	// Instruct and Context make the prompt a single text, for models without chat messages: the
	// texts around each message, and the frame. One of them is enough. Without Instruct the history
	// is a transcript with names. Without Context the frame is tavern.DefaultContext. Native tool
	// calls are then not offered.
	Instruct *tavern.InstructTemplate
	Context  *tavern.ContextTemplate
	// Note is the author's note. Its interval counts the player's lines of the branch.
	Note prompt.AuthorNote

	// Scripts are regex scripts, grouped by source. A list that is Denied does not run. Scripts
	// change players' lines and narrations before these are checked and stored. They also change
	// the opening text of a story. A script may also change these texts only in prompts, or only where
	// they are shown; see package script. A text that a person writes to replace a narration, see
	// [state.DecideOverride], is handled as an edit. Replacements are templates of their authors;
	// the text that they match is data.
	Scripts []script.List
	// ScriptOptions are the options of the scripts.
	ScriptOptions script.Options

	// NoFold keeps long lines in the YAML of macros such as {{format_message_variable::path}}.
	NoFold bool

	// CBS lists the names of the cards and the books whose texts are in the curly-brace language of
	// RisuAI, see CBS of package prompt/macro. It applies to lore, the fields of cards and
	// greetings. The card's variables have its defaultVariables as defaults. Only a greeting may
	// store variables.
	CBS []string

	// Shape names the rules of a provider for the messages of a request, such as
	// prompt.ShapeStrict. The engine adapts the messages to them. Empty leaves the messages
	// unchanged.
	Shape prompt.ShapeProfile
	// RefusesPrefill says that the model does not accept the beginning of a reply. If a preset has
	// one, the engine asks for it in a system message at the end instead.
	RefusesPrefill bool
	// CacheMark has the members that mark a message for a provider that needs marks to cache it,
	// such as {"cache_control": {"type": "ephemeral"}}. They are set on the messages after which
	// the prompt changes from turn to turn. Empty sets none.
	CacheMark map[string]json.RawMessage

	// Budget is the size limit of a prompt; the zero value means no limit. If TurnReserve is 0, one
	// eighth of the context is reserved for the messages that a turn appends. The tools that a
	// request lists count. The usage that the provider reports for each turn corrects the estimate,
	// unless the setting context.calibrate is off.
	Budget prompt.Budget
	// TrimSlack is the space, in tokens, that a prompt leaves free when old lines of the history
	// are dropped. The prompts of the next turns can then begin with the same line, and a provider
	// finds them in its cache. 0 means no such space: every prompt has as many lines as fit.
	TrimSlack int
	// SummarizeAfter is the number of turns without a summary after which [turn.Todo.Summarize]
	// asks for one; 0 means never.
	SummarizeAfter int
}

// presetExtensions returns the extensions of the preset. It returns none without a preset.
func (p *Prompt) presetExtensions() map[string]json.RawMessage {
	var extensions map[string]json.RawMessage
	if p.Preset != nil {
		_ = json.Unmarshal(p.Preset.Extra["extensions"], &extensions) // if it is not an object, there are no extensions
	}
	return extensions
}

// writesCBS reports whether the texts of a card or a book are in the language of RisuAI.
func (p *Prompt) writesCBS(name string) bool { return slices.Contains(p.CBS, name) }
