package game

import (
	"encoding/json"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// Content is the input from authors and hosts that many campaigns share. [Compile] checks it. The
// zero Content is a game without lore, rules or hooks.
type Content struct {
	// Books are world books with their attachments. The card's own book is not one of them: see
	// CardBook. A book whose name is the ID of a module is used only while the module is active.
	Books []worldbook.Attachment
	// BookSettings are the settings of the scan. The zero value means worldbook.Exact().
	BookSettings worldbook.ProfileSettings

	// Variables, Modules and Rules are the authors' rules; see package rules. In addition to the
	// actions of package rules, a campaign carries out hp-delta, move, end-campaign, add-area and
	// the other effects of package effect, those of locks ([turn.SetLocks]), those of countdowns
	// ([turn.SetTimer]) and enter-scene.
	Variables []rules.Variable
	Modules   []rules.Module
	Rules     []rules.Rule
	Reactions []reactions.Reaction
	// Scenes are the maps on which the player moves, see [turn.Travel].
	Scenes []rules.SpatialScene
	// Retrieval configures the search for lore by meaning, see [campaign.Config.Retriever].
	Retrieval Retrieval

	Hooks   []hooks.Hook
	Actions *act.Table // nil: the built-in action types
	// HookLimits are the limits for hooks. A zero member means the default.
	HookLimits hooks.Limits

	// Card is the character that the model plays, nil for a plain game master.
	Card *card.Card
	// Cast are the characters that the model plays, if it plays several. Card must be nil then. One
	// submission leads to no, one or more replies. The setting cast.order decides who speaks. The
	// setting cast.cards decides whose texts are in the prompt.
	Cast []CastMember
	// CastTexts are added to the texts of the cards of Cast, or replace them.
	CastTexts CastTexts
	// Persona describes the player, for prompts and the world book.
	Persona string
	// UserName is the value of {{user}}; empty means the acting character's name.
	UserName string

	// Tools, DialogTypes, Settings, LifeStates and Detectors add to the built-in ones. The model
	// gets the tools that the campaign allows. At first these are move and hp_delta: see
	// [state.Setup.Allowlist] and [turn.SetTools].
	Tools       []tool.Tool
	DialogTypes []DialogType
	Settings    []setting.Definition
	LifeStates  []state.LifeRule
	Detectors   []conflict.Named

	// Dialects are the languages in which the model asks for changes within its text, in the order
	// in which they read it. Nil means [Commands], then [ReplyRules] if there are reply rules, then
	// [Directives] if there are variables. An empty list means no dialect.
	Dialects []Dialect
	// ReplyRules extract marked passages, such as status blocks, from replies; see package
	// rules/directive.
	ReplyRules []rules.ReplyRule
	// CardBook says that the card's own world book is used in addition to Books.
	CardBook bool

	// Layout is the order of the prompt; nil means [Layout]. Lines of players and models are data,
	// and macros in them are not expanded. There is one exception: a layout with HistoryMacros
	// "names" expands {{user}} and {{char}} in them. "full" is refused.
	Layout *prompt.Layout
	// Preset is a SillyTavern chat preset that defines the layout. Its main prompt replaces
	// Texts.Persona. The engine's blocks go where the preset has room for settings and state, see
	// [Layout].
	Preset *tavern.Preset
	// System is a system-prompt preset. Its content replaces Texts.Persona. Its post-history text
	// comes after the history. A card's own texts have priority over both. A Preset already has
	// both texts.
	System *tavern.SystemPrompt
	// Instruct and Context make the prompt a single text, for models without chat messages: the
	// texts around each message, and the frame. One of them is enough. Without Instruct the history
	// is a transcript with names. Without Context the frame is tavern.DefaultContext. Native tool
	// calls are then not offered.
	Instruct *tavern.InstructTemplate
	Context  *tavern.ContextTemplate
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
	// Note is the author's note. Its interval counts the player's lines of the branch.
	Note prompt.AuthorNote
	// Scripts are regex scripts, grouped by source. A list that is Denied does not run. Scripts
	// change players' lines and narrations before these are checked and stored. They also change
	// the opening text of a story, and the form in which all these texts are prompted and shown;
	// see package script. A text that a person writes to replace a narration, see
	// [state.DecideOverride], is handled as an edit. Replacements are templates of their authors;
	// the text that they match is data.
	Scripts []script.List
	// ScriptOptions are the options of the scripts.
	ScriptOptions script.Options
	// Macros is the set of macros for cards, lore, directives and all other texts of authors: the
	// built-in macros and those of the host, see [macro.NewSet]. Nil means the built-in ones.
	Macros *macro.Set

	// Texts are the engine's own sentences; nil means English(). Package imports chooses them by
	// the language of the imported content.
	Texts *Texts
	// Commands are the options of the variable commands in texts.
	Commands memvars.Options
	// Render defines how the variables are shown to the model.
	Render memvars.RenderOptions
	// Budget is the size limit of a prompt; the zero value means no limit. If TurnReserve is 0, one
	// eighth of the context is reserved for what a turn appends. The tools that a request lists
	// count. The usage that the provider reports for each turn corrects the estimate, unless the
	// setting context.calibrate is off.
	Budget prompt.Budget
	// TrimSlack is the space, in tokens, that a prompt leaves free when old lines of the history
	// are dropped. The prompts of the next turns can then begin with the same line, and a provider
	// finds them in its cache. 0 means no such space: every prompt has as many lines as fit.
	TrimSlack int
	// Random returns the n-th random number in [0, 1) of a campaign with the given seed; nil means
	// the built-in generator. It must be a pure function.
	Random func(seed, n uint64) float64
	// SummarizeAfter is the number of turns without a summary after which [turn.Todo.Summarize]
	// asks for one; 0 means never.
	SummarizeAfter int
}

// Retrieval configures a search for lore by meaning before each scan. A [worldbook.Retriever]
// searches with the newest Depth messages and returns at most Limit entries. These are active
// without a key. A Limit of 0 means no search; a Depth of 0 means 4.
type Retrieval struct {
	Depth int
	Limit int
}

// CastMember is one of several characters that the model plays, see [Content.Cast].
type CastMember struct {
	// CharacterID identifies the member. If it is the ID of a character of the campaign, hooks for
	// the member use the mood and relationship of that character.
	CharacterID string
	// Card has the name and the texts. A member without a card is skipped.
	Card *card.Card
	// Talkativeness is the share of turns, from 0 to 1, in which the member speaks without being
	// named, if the setting cast.order is natural. Nil means the value in the card.
	Talkativeness *float64
	// Muted members speak only if a submission names them.
	Muted bool
}

// CastTexts are texts that are put around the members' card texts, or replace them.
type CastTexts struct {
	// Prefix and Suffix are put around each text if the setting cast.cards joins the cards. In them
	// <FIELDNAME> is the name of the field, and {{char}} is the owner of the card.
	Prefix, Suffix string
	// Scenario and Examples replace those of the cards.
	Scenario, Examples string
}
