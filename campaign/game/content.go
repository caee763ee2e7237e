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

// Content is what authors write and hosts configure: everything that many
// campaigns share. [Compile] checks it. The zero Content is a game without lore,
// rules or hooks.
type Content struct {
	// Books are world books, with where they are attached. That of the card is not
	// among them: see CardBook. A book whose name is the id of a module takes part while
	// the module is active.
	Books []worldbook.Attachment
	// BookSettings are the rules of the scan; the zero value means
	// worldbook.Exact().
	BookSettings worldbook.ProfileSettings

	// Variables, Modules and Rules are the authors' rules; see package rules. Beside its actions a
	// campaign carries out hp-delta, move, end-campaign, add-area and the other effects of package
	// effect, those of locks ([turn.SetLocks]), of countdowns ([turn.SetTimer]) and enter-scene.
	Variables []rules.Variable
	Modules   []rules.Module
	Rules     []rules.Rule
	Reactions []reactions.Reaction
	// Scenes are the maps that the player walks on, see [turn.Travel].
	Scenes []rules.SpatialScene
	// Retrieval asks for lore by meaning, see [campaign.Config.Retriever].
	Retrieval Retrieval

	Hooks   []hooks.Hook
	Actions *act.Table // nil: the built-in action types
	// HookLimits bound what hooks may do; zero members mean the defaults.
	HookLimits hooks.Limits

	// Card is the character that the model plays, nil for a plain game master.
	Card *card.Card
	// Cast are the characters that the model plays, where it plays several: then Card is nil. One
	// submission leads to no, one or more replies; the setting cast.order says who speaks, and
	// cast.cards whose texts are in the prompt.
	Cast []CastMember
	// CastTexts go with the texts of their cards.
	CastTexts CastTexts
	// Persona describes the player, for prompts and the world book.
	Persona string
	// UserName is what {{user}} stands for; empty: the acting character's name.
	UserName string

	// Tools, DialogTypes, Settings, LifeStates and Detectors add to the built-in ones. Models are
	// offered the tools that the campaign allows, move and hp_delta at first: see
	// [state.Setup.Allowlist] and [turn.SetTools].
	Tools       []tool.Tool
	DialogTypes []DialogType
	Settings    []setting.Definition
	LifeStates  []state.LifeRule
	Detectors   []conflict.Named

	// Dialects are the languages in which the model asks for changes within its text, in
	// the order in which they read it. Nil means [Commands], then [ReplyRules] if there are
	// reply rules and [Directives] if there are variables; an empty list means none.
	Dialects []Dialect
	// ReplyRules take marked passages, such as status blocks, out of replies; see package
	// rules/directive.
	ReplyRules []rules.ReplyRule
	// CardBook attaches the card's own world book beside Books.
	CardBook bool

	// Layout is the order of the prompt, nil for [Layout]. Lines of players and models
	// are data: no macro in them is expanded. Only a layout whose HistoryMacros is
	// "names" expands {{user}} and {{char}} in them; "full" is refused.
	Layout *prompt.Layout
	// Preset lays the prompt out as a SillyTavern chat preset does. Its main prompt
	// stands for Texts.Persona; the blocks of the engine stand where a preset has room
	// for settings and state, see [Layout].
	Preset *tavern.Preset
	// System is a system-prompt preset: its content stands for Texts.Persona, its
	// post-history text behind the history. A card's own texts go before it. A Preset has
	// both texts itself.
	System *tavern.SystemPrompt
	// Instruct and Context make the prompt one text, for models without chat messages:
	// the texts around each message, and the frame. One of them is enough: without
	// Instruct it is a transcript with names, without Context the frame is
	// tavern.DefaultContext. Native tool calls are not offered then.
	Instruct *tavern.InstructTemplate
	Context  *tavern.ContextTemplate
	// Shape names the rules of a provider that the messages of a request are brought
	// into, such as prompt.ShapeStrict; empty leaves them as they are.
	Shape prompt.ShapeProfile
	// RefusesPrefill says that the model takes no begun reply: what a preset begins one with is
	// asked for in a message of the system, the last one, instead.
	RefusesPrefill bool
	// CacheMark are the members that mark a message for the cache of a provider that
	// wants marks, such as {"cache_control": {"type": "ephemeral"}}. They are set on the
	// messages behind which a prompt changes; empty sets none.
	CacheMark map[string]json.RawMessage
	// Note is the author's note. Its interval counts the player's lines of the branch.
	Note prompt.AuthorNote
	// Scripts are regex scripts, by where they come from; a list that is Denied does
	// not run. They change players' lines and narrations before these are judged and
	// stored, the text that opens a story, and what is prompted and shown of all that,
	// see package script. What a person writes in the place of a narration, see
	// [state.DecideOverride], is an edit. Their replacements are templates of their authors;
	// what they match is data.
	Scripts []script.List
	// ScriptOptions change how scripts work.
	ScriptOptions script.Options
	// Macros are the macros of cards, lore, directives and every other text of an author, with
	// those of the host beside the built-in ones, see [macro.NewSet]; nil: the built-in ones.
	Macros *macro.Set

	// Texts are the engine's own sentences; nil means English(). Package imports chooses them by the language of
	// what it reads.
	Texts *Texts
	// Commands are the options of the variable commands in texts.
	Commands memvars.Options
	// Render says how the variables are shown to the model.
	Render memvars.RenderOptions
	// Budget is the room for a prompt; the zero value is no limit. Without a
	// TurnReserve an eighth of the context is kept free for what a turn appends. The tools
	// that a request lists are part of it, and what the provider reports of each turn corrects
	// the estimate, unless the setting context.calibrate is off.
	Budget prompt.Budget
	// TrimSlack is the room, in tokens, that a prompt leaves when old lines of the history
	// have to go, so that the prompts of the next turns can begin with the same line and a
	// provider finds them in its cache. 0 means none: every prompt has as many lines as fit.
	TrimSlack int
	// Counter counts tokens; nil means the built-in estimate.
	Counter prompt.TokenCounter
	// Random gives the n-th random number in [0, 1) of a campaign with the given
	// seed; nil means the built-in generator. It must be a pure function.
	Random func(seed, n uint64) float64
	// SummarizeAfter is the number of turns that may stay unsummarised before
	// [turn.Todo.Summarize] asks for a summary; 0 means never.
	SummarizeAfter int
}

// Retrieval asks for lore by meaning before each scan: the answer of a
// [worldbook.Retriever] to the newest Depth messages, at most Limit entries, which are
// active then without a key. A Limit of 0 asks nothing; a Depth of 0 means 4.
type Retrieval struct {
	Depth int
	Limit int
}

// CastMember is one of several characters that the model plays, see [Content.Cast].
type CastMember struct {
	// CharacterID tells the member apart. Where it is that of a character of the campaign, hooks
	// that hear of the member have its mood and relationship.
	CharacterID string
	// Card has the name and the texts. A member without a card is passed over.
	Card *card.Card
	// Talkativeness is the share of turns, from 0 to 1, in which the member speaks without being
	// named, where the setting cast.order is natural; nil is that of the card.
	Talkativeness *float64
	// Muted members speak only where a submission names them.
	Muted bool
}

// CastTexts are what stands around the texts of the members' cards, and in their place.
type CastTexts struct {
	// Prefix and Suffix stand around each text where the setting cast.cards joins the cards; in them
	// <FIELDNAME> is the name of the field, and {{char}} the owner of the card.
	Prefix, Suffix string
	// Scenario and Examples replace those of the cards.
	Scenario, Examples string
}
