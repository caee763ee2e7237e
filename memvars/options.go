package memvars

import (
	"encoding/json"
	"fmt"
)

// Options says how commands are read and run. Zero values mean the documented defaults. The JSON
// names are below. Options are copied on use and never modified.
type Options struct {
	// Profile names the well-known places; nil is [DefaultProfile].
	Profile *Profile `json:"profile,omitempty"`

	// OnError is "skip" (default: other commands of the message still run) or "abort" (one rejected
	// command rolls the whole message back).
	OnError string `json:"on_error,omitempty"`

	// IgnoreTags are the tags of the model's reasoning; commands in them are not run. nil means
	// think, thinking, reasoning.
	IgnoreTags []string `json:"ignore_tags,omitempty"`
	// Blocks is "anywhere" (default) or "blocks_only": only inside BlockTags. nil BlockTags mean
	// updateMemory and updateVariable.
	Blocks    string   `json:"blocks,omitempty"`
	BlockTags []string `json:"block_tags,omitempty"`
	// Prefixes may precede a command, with a dot; nil means *, game, worldHelper.
	Prefixes []string `json:"prefixes,omitempty"`

	// Hints is the language of the hints of rejected commands: "en" (default) or "zh". Texts of a
	// [Dialect] or a [Gate] are passed through unchanged.
	Hints string `json:"hints,omitempty"`

	// Repair repairs almost-JSON; nil means true.
	Repair *bool `json:"repair,omitempty"`
	// JSONFallback is "error" (default) or "string": an unreadable object is stored as its text.
	JSONFallback string `json:"json_fallback,omitempty"`

	// Coerce is "by_current_type" (default), "none" or "numeric_strings".
	Coerce string `json:"coerce,omitempty"`
	// StrictTypes refuses scalars of a different type in set_*; nil means true.
	StrictTypes *bool `json:"strict_types,omitempty"`
	// SignedDelta reads a text such as '+500' for a number as an increment.
	SignedDelta bool `json:"signed_delta,omitempty"`
	// CheckOld is "ignore" (default), "warn" or "reject": the reaction if the old value in a
	// three-argument set_* is not the current one.
	CheckOld string `json:"check_old,omitempty"`
	// AutoCreate lets set_* create missing objects and fields.
	AutoCreate bool `json:"auto_create,omitempty"`

	// Merge is "deep" (default), "shallow" or "replace": how an object is written over an object.
	Merge string `json:"merge,omitempty"`
	// ScalarParent is "error" (default) or "wrap": a text on the path of a memory command becomes
	// the member info of a new object.
	ScalarParent string `json:"scalar_parent,omitempty"`
	// MoveOverwrite lets a move replace its destination.
	MoveOverwrite bool `json:"move_overwrite,omitempty"`

	// ProtectDepth is "deep" (default) or "children": how far below a deleted node protected nodes
	// are searched.
	ProtectDepth string `json:"protect_depth,omitempty"`
	// ProtectChildren extends the protection of a node to everything below it.
	ProtectChildren bool `json:"protect_children,omitempty"`

	// Derived chooses the formulas of the derived fields.
	Derived Derived `json:"derived,omitzero"`
	// DerivedLock is "formulas" (default), "segment" or "off": the part of the derived section that
	// models and players may not write.
	DerivedLock string `json:"derived_lock,omitempty"`

	// InventoryRecursive removes used-up items at any depth; nil means true.
	InventoryRecursive *bool `json:"inventory_recursive,omitempty"`
	// InventoryRemoveNegative treats negative numbers as used up; nil means true.
	InventoryRemoveNegative *bool `json:"inventory_remove_negative,omitempty"`

	// Difficulty is "clamp" (default) or "off".
	Difficulty string `json:"difficulty,omitempty"`

	// Calendar is the Gregorian calendar, or a list of month lengths.
	Calendar Calendar `json:"calendar,omitzero"`
	// WrapWindowDays is the maximum number of days over a new year for a date without a year; nil
	// means 31.
	WrapWindowDays *int `json:"wrap_window_days,omitempty"`
	// RolloverMinMinutes is the minimum jump back of the clock for a new day; nil means 360, 0
	// turns the rollover off.
	RolloverMinMinutes *int `json:"rollover_min_minutes,omitempty"`
	// TimeLeftFloor keeps the days left from falling below zero; nil means true.
	TimeLeftFloor *bool `json:"time_left_floor,omitempty"`
	// ResourceFloor keeps stocks from falling below zero; nil means true.
	ResourceFloor *bool `json:"resource_floor,omitempty"`

	// BigUpdate is "changed" (default: any change of summary.big after the flag was set) or "count"
	// (more entries than when it was set).
	BigUpdate string `json:"big_update,omitempty"`
	// KeepBig is the number of big entries that a clean-up keeps; nil means 1.
	KeepBig *int `json:"keep_big,omitempty"`
	// KeepUnsummarised keeps the small entries that were written in the turn of the clean-up.
	KeepUnsummarised bool `json:"keep_unsummarised,omitempty"`
	// GreenWindow is the number of replies that are searched for keywords; nil means
	// config.hide_latest_count.
	GreenWindow *int `json:"green_window,omitempty"`
	// ScanUser also searches the player's messages of these turns.
	ScanUser bool `json:"scan_user,omitempty"`

	// StripMeta leaves keys that begin with an underscore or a dollar sign out of prompts; nil
	// means true.
	StripMeta *bool `json:"strip_meta,omitempty"`

	// Rules allow and deny by actor, command and path. The first match decides; without a match the
	// write is allowed. They do not apply to the host.
	Rules []Rule `json:"rules,omitempty"`

	// Dialects read additional command languages from the same messages.
	Dialects []Dialect `json:"-"`
}

// Rule is one permission. Empty fields match everything.
//
// A rule is about a node. The command may reach the node as its target, as source or destination of
// a move, as a member of a written object, or as part of a replaced or deleted value. If the rules
// refuse one node, the command does nothing. Automatic passes are not restricted.
type Rule struct {
	// Actor is the actor to whom the rule applies. Rules never apply to the host.
	Actor Actor `json:"actor,omitempty"`
	// Op is one of the four commands. Commands of dialects are classified by their effect: a
	// removal is a delete, a write is the command that writes in that module.
	Op string `json:"op,omitempty"`
	// Path is the text form of a path, from the root or within any of the modules. The rule also
	// applies to everything within the node. The index of a leaf's value may be left out. There are
	// no wildcards: a path with the key * is refused.
	Path  string `json:"path,omitempty"`
	Allow bool   `json:"allow"`
}

// Derived chooses the formulas: the default set, a named set, or your own. Its JSON form is the
// name or the list.
type Derived struct {
	// Preset is "default" (also ""), "origin" (initiative as half a sum, speed and
	// initiative rounded down) or "off".
	Preset string
	// Formulas, if not nil, replaces the preset.
	Formulas []Formula
}

// Formula computes one derived field.
type Formula struct {
	// Target is relative to the character module, for example 衍生属性段.先攻. It is never created.
	// Else lists alternative targets. The first existing target is written.
	Target string   `json:"target"`
	Else   []string `json:"else,omitempty"`
	// Expr may have + - * / ( ) min max floor ceil abs, numbers, names of attributes and skills,
	// and paths in quotation marks.
	Expr string `json:"expr"`
	// Round is "none" (also ""), "floor", "ceil" or "round".
	Round string `json:"round,omitempty"`
}

// MarshalJSON writes the name, or the list of formulas.
func (d Derived) MarshalJSON() ([]byte, error) {
	if d.Formulas != nil {
		return json.Marshal(d.Formulas)
	}
	return json.Marshal(d.Preset)
}

// UnmarshalJSON reads a name or a list of formulas.
func (d *Derived) UnmarshalJSON(data []byte) error {
	*d = Derived{}
	if err := json.Unmarshal(data, &d.Preset); err == nil {
		return nil
	}
	if err := json.Unmarshal(data, &d.Formulas); err != nil {
		return fmt.Errorf("memvars: derived: want a name or a list of formulas: %w", err)
	}
	return nil
}

// Origin returns the options for the behaviour of the original program, where it differs from the
// defaults.
func Origin() Options {
	return Options{
		Derived:                 Derived{Preset: "origin"},
		Merge:                   "shallow",
		ScalarParent:            "wrap",
		ProtectDepth:            "children",
		Coerce:                  "numeric_strings",
		JSONFallback:            "string",
		InventoryRecursive:      new(false),
		InventoryRemoveNegative: new(false),
		BigUpdate:               "count",
		RolloverMinMinutes:      new(1),
	}
}
