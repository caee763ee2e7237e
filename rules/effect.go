package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// Effect is something that shall happen, as data. Rules, reactions, hooks and
// tools return effects and never act; one interpreter applies those that change
// state, and the rest is handed to the host as typed values. The set is closed:
// it is the types of this file, and [Custom] for everything else.
//
// JSON: an object whose member "type" is the [Effect.EffectType]; [Effects]
// decodes a list.
type Effect interface {
	// EffectType is the name of the effect in JSON and in traces.
	EffectType() string
	effect()
}

// Operation says what [SetVariable] does with its operand. Operand or variable of
// the wrong type: nothing is changed, and the refusal is reported.
type Operation string

// The operations.
const (
	Set      Operation = "set"      // assign
	Add      Operation = "add"      // number plus number
	Subtract Operation = "subtract" // number minus number
	Multiply Operation = "multiply" // number times number
	Toggle   Operation = "toggle"   // flip a boolean; the operand is not looked at
	Append   Operation = "append"   // text after text
	Merge    Operation = "merge"    // shallow merge of an object into an object
	Push     Operation = "push"     // one element at the end of a list
	// Delete takes the key of an object or the index of a list that the operand names. A dot
	// path without an operand, or with true or null, names the part by itself; into a declared
	// variable it always does.
	Delete Operation = "delete"
)

// SetVariable writes a variable, or a dot path into one that holds a structure.
//
// [Program.Apply] writes it, or says in a [Refusal] why not; hosts never see one. A path that
// begins with @ is no variable but a command; package reactions lists them.
type SetVariable struct {
	// Path is a variable's id, its display name, or a dot path that begins with its id.
	Path      string     `json:"path"`
	Operation Operation  `json:"operation,omitempty"` // empty means set
	Value     tree.Value `json:"value,omitzero"`      // the operand
	// ValueRef names the variable or path whose present value is the operand; it is
	// read when the effect is applied, and wins over Value.
	ValueRef string `json:"valueRef,omitempty"`
	// Random is an operand that is drawn when the rule fires. It wins over both.
	Random *Random `json:"valueRandom,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// InjectDirective adds an instruction to the prompts to come. One of the same id is replaced,
// with its place: what was said last stands last. See [Directive] for how long it stays.
type InjectDirective struct {
	ID      string `json:"directiveId"`
	Content string `json:"content"`
	// Position is top, before_char, after_char, auto (also empty), depth or bottom.
	Position   string `json:"position,omitempty"`
	Depth      *int   `json:"depth,omitempty"`    // for position depth; nil: the prompt's default
	Persistent bool   `json:"persistent"`         // stays until removed; else one round
	Duration   *int   `json:"duration,omitempty"` // rounds; wins over Persistent

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RemoveDirective takes a directive away; one that is not there changes nothing. Together with
// an injection of the same id in one batch, the order of the two decides.
type RemoveDirective struct {
	ID string `json:"directiveId"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ToggleEntry switches a world book entry, over the book's own flag. The switch is kept in
// the ledger, also for an entry that this library has never heard of.
type ToggleEntry struct {
	ID      string `json:"entryId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ToggleRule switches a rule or reaction, over its authored flag and in both directions, from
// the next hop on. Counts and cooldowns go on while it is off.
type ToggleRule struct {
	ID      string `json:"ruleId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ToggleVariable switches the exposure of a variable to the model; its value is kept, and
// rules go on reading and writing it.
type ToggleVariable struct {
	ID      string `json:"variableId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ToggleBook switches a module of the world book. Only the modes manual and keywords listen
// to the switch: what follows conditions cannot be forced.
type ToggleBook struct {
	ID      string `json:"bookId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// TriggerRule asks for a rule or reaction to be evaluated in the next hop, whatever it waits
// for itself. Its other gates apply, and it fires at most once in the chain like all others.
type TriggerRule struct {
	ID string `json:"ruleId"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Notify shows the player a notice; the host does it.
type Notify struct {
	Message string `json:"message"`
	// Style is info (also empty), achievement, warning, danger or moment. Others are handed
	// on as they are: a host may have styles of its own.
	Style string `json:"style,omitempty"`
	Title string `json:"title,omitempty"`
	Image string `json:"image,omitempty"`
	// Quiet notices raise no [TypeNotification] event, so that no rule hears them.
	Quiet bool `json:"quiet,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// PlayAudio asks the host's player for something. Only the track has to be there; the other
// fields are what the author said, unchecked, and absent where nothing was said.
type PlayAudio struct {
	TrackID string `json:"trackId"`
	Action  string `json:"action,omitempty"` // play (empty), stop, crossfade, volume
	// Channel is bgm, sfx or ambient for what came by those @ paths, else empty.
	Channel      string   `json:"channel,omitempty"`
	Volume       *float64 `json:"volume,omitempty"`       // 0 to 1
	FadeDuration *float64 `json:"fadeDuration,omitempty"` // seconds
	ChainTo      string   `json:"chainTo,omitempty"`      // track that follows
	MaxDuration  *float64 `json:"maxDuration,omitempty"`  // seconds

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// SendContext adds a one-shot message to the next prompt. It waits in the ledger until
// [Ledger.TakePending], behind what waits there already.
type SendContext struct {
	Message string `json:"message"`
	Role    string `json:"role,omitempty"` // system (empty) or user

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RequestAI asks the host for a generation out of turn. One chain makes at most one request;
// further ones are refused, so that rules cannot keep a model busy by themselves.
type RequestAI struct {
	Prompt string `json:"prompt"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Emit raises an event, heard by all rules and reactions in the next hop. An event with a
// meaning of its own, such as [TypeNotification], has that meaning too.
type Emit struct {
	Event Event `json:"event"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ShowMoment shows a collectable moment, as a notice of the style moment. With Collect it is
// shown once: a title that the list holds already is neither shown nor heard again. A moment
// without a title is shown every time and never collected.
type ShowMoment struct {
	Title   string `json:"title,omitempty"`
	Message string `json:"message,omitempty"`
	Image   string `json:"image,omitempty"`
	Collect string `json:"collect,omitempty"` // list variable that keeps the titles shown

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// System is a write to an @ path that the library does not know; the host decides. It never
// becomes a variable of that name.
type System struct {
	Path      string     `json:"path"` // with the leading @
	Operation Operation  `json:"operation,omitempty"`
	Value     tree.Value `json:"value,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// InjectPrompt adds a hook's text to the prompt. From here on the effects are those of hooks
// and tools: this package carries them to the host and does not interpret them.
type InjectPrompt struct {
	// Key names the text; one that exists is replaced in place.
	Key      string `json:"key"`
	Content  string `json:"content"`
	Priority int    `json:"priority"` // smaller is stronger; 55 is usual
	Scope    string `json:"scope"`    // turn or session

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ChangeState gives a field of a character's state its new value.
type ChangeState struct {
	CharacterID string     `json:"characterId,omitempty"`
	Field       string     `json:"field"`
	Old         tree.Value `json:"old,omitzero"`
	New         tree.Value `json:"new,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ChangeRelationship gives a field of the relationship between character and user its new value.
type ChangeRelationship struct {
	CharacterID string     `json:"characterId,omitempty"`
	UserID      string     `json:"userId,omitempty"`
	Field       string     `json:"field"`
	Old         tree.Value `json:"old,omitzero"`
	New         tree.Value `json:"new,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AddMessage appends to the messages that hooks gave this turn.
type AddMessage struct {
	Content string `json:"content"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// WriteMemory hands a memory to the host's memory store.
type WriteMemory struct {
	Title       string `json:"title,omitempty"`
	Content     string `json:"content"`
	MemType     string `json:"memType"`           // long, short, or a type that the host registered
	Summary     string `json:"summary,omitempty"` // the first 100 characters of the content
	CharacterID string `json:"characterId,omitempty"`
	UserID      string `json:"userId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// WriteLog is a line for the application's log.
type WriteLog struct {
	Level   string `json:"level"` // debug, info, warning, error
	Message string `json:"message"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// StartWorkflow asks the host to start a workflow; success means that it was accepted.
type StartWorkflow struct {
	Workflow string     `json:"workflow"`
	Params   tree.Value `json:"params,omitzero"` // an object

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AddEntry adds an entry to a world book at run time.
type AddEntry struct {
	BookID    string   `json:"bookId"`
	Name      string   `json:"name,omitempty"`
	Content   string   `json:"content"`
	Keywords  []string `json:"keywords,omitempty"`
	EntryType string   `json:"entryType,omitempty"`
	Priority  int      `json:"priority"`
	AlwaysOn  bool     `json:"alwaysOn,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	// Literal says that the entry is made of words of a model or a player: its keys are
	// plain text, and its content stands as it is, without macros and decorators.
	Literal bool `json:"literal,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// BackupBranch hands over a branch of the variables that is being cleared, to be kept as
// a world book entry.
type BackupBranch struct {
	Path  tree.Path  `json:"path"`
	World string     `json:"world,omitempty"` // name of the world that is left
	Data  tree.Value `json:"data,omitzero"`   // the branch as it was

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MoveCharacter puts a character into another area.
type MoveCharacter struct {
	CharacterID string `json:"characterId"`
	FromAreaID  string `json:"fromAreaId,omitempty"`
	ToAreaID    string `json:"toAreaId"`
	PathID      string `json:"pathId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ChangeHP adds to a character's hit points, within 0 and the maximum.
type ChangeHP struct {
	CharacterID string `json:"characterId"`
	Delta       int    `json:"delta"`
	Cause       string `json:"cause,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EndCampaign ends the campaign.
type EndCampaign struct {
	Reason string `json:"reason"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Custom is an effect of the host's own: an action type that it registered, or
// an effect type of a newer version. The library hands it on untouched.
//
// One whose type is empty, or known to this library, is an action that could not be read. It
// is saved as it was written, and never reaches the host.
type Custom struct {
	Type string `json:"type"`
	// Data is an object of all other members, absent where there are none.
	Data tree.Value `json:"-"`
}

// EffectType returns "set-variable".
func (SetVariable) EffectType() string { return "set-variable" }

// EffectType returns "inject-directive".
func (InjectDirective) EffectType() string { return "inject-directive" }

// EffectType returns "remove-directive".
func (RemoveDirective) EffectType() string { return "remove-directive" }

// EffectType returns "toggle-entry".
func (ToggleEntry) EffectType() string { return "toggle-entry" }

// EffectType returns "toggle-rule".
func (ToggleRule) EffectType() string { return "toggle-rule" }

// EffectType returns "toggle-variable".
func (ToggleVariable) EffectType() string { return "toggle-variable" }

// EffectType returns "toggle-book".
func (ToggleBook) EffectType() string { return "toggle-book" }

// EffectType returns "trigger-rule".
func (TriggerRule) EffectType() string { return "trigger-rule" }

// EffectType returns "notify-player".
func (Notify) EffectType() string { return "notify-player" }

// EffectType returns "play-audio".
func (PlayAudio) EffectType() string { return "play-audio" }

// EffectType returns "send-context".
func (SendContext) EffectType() string { return "send-context" }

// EffectType returns "request-ai".
func (RequestAI) EffectType() string { return "request-ai" }

// EffectType returns "emit".
func (Emit) EffectType() string { return "emit" }

// EffectType returns "show-moment".
func (ShowMoment) EffectType() string { return "show-moment" }

// EffectType returns "system".
func (System) EffectType() string { return "system" }

// EffectType returns "prompt-inject".
func (InjectPrompt) EffectType() string { return "prompt-inject" }

// EffectType returns "state-change".
func (ChangeState) EffectType() string { return "state-change" }

// EffectType returns "relationship-change".
func (ChangeRelationship) EffectType() string { return "relationship-change" }

// EffectType returns "add-message".
func (AddMessage) EffectType() string { return "add-message" }

// EffectType returns "write-memory".
func (WriteMemory) EffectType() string { return "write-memory" }

// EffectType returns "write-log".
func (WriteLog) EffectType() string { return "write-log" }

// EffectType returns "start-workflow".
func (StartWorkflow) EffectType() string { return "start-workflow" }

// EffectType returns "add-entry".
func (AddEntry) EffectType() string { return "add-entry" }

// EffectType returns "backup-branch".
func (BackupBranch) EffectType() string { return "backup-branch" }

// EffectType returns "move".
func (MoveCharacter) EffectType() string { return "move" }

// EffectType returns "hp-delta".
func (ChangeHP) EffectType() string { return "hp-delta" }

// EffectType returns "end-campaign".
func (EndCampaign) EffectType() string { return "end-campaign" }

// EffectType returns the custom type's name.
func (c Custom) EffectType() string { return c.Type }

func (SetVariable) effect()        {}
func (InjectDirective) effect()    {}
func (RemoveDirective) effect()    {}
func (ToggleEntry) effect()        {}
func (ToggleRule) effect()         {}
func (ToggleVariable) effect()     {}
func (ToggleBook) effect()         {}
func (TriggerRule) effect()        {}
func (Notify) effect()             {}
func (PlayAudio) effect()          {}
func (SendContext) effect()        {}
func (RequestAI) effect()          {}
func (Emit) effect()               {}
func (ShowMoment) effect()         {}
func (System) effect()             {}
func (InjectPrompt) effect()       {}
func (ChangeState) effect()        {}
func (ChangeRelationship) effect() {}
func (AddMessage) effect()         {}
func (WriteMemory) effect()        {}
func (WriteLog) effect()           {}
func (StartWorkflow) effect()      {}
func (AddEntry) effect()           {}
func (BackupBranch) effect()       {}
func (MoveCharacter) effect()      {}
func (ChangeHP) effect()           {}
func (EndCampaign) effect()        {}
func (Custom) effect()             {}
