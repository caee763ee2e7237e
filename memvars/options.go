package memvars

import (
	"encoding/json"
	"fmt"
)

// Options says how commands are read and carried out. The zero value is the
// documented default of every field. Options are JSON with the names below; they
// are copied where they are used and never modified.
type Options struct {
	// Profile names the well-known places; nil is [DefaultProfile].
	Profile *Profile `json:"profile,omitempty"`

	// OnError is "skip" (default: other commands of the message still run) or
	// "abort" (one rejected command rolls the whole message back).
	OnError string `json:"on_error,omitempty"`

	// IgnoreTags hold the model's reasoning, in which nothing is executed; nil is
	// think, thinking, reasoning.
	IgnoreTags []string `json:"ignore_tags,omitempty"`
	// Blocks is "anywhere" (default) or "blocks_only": inside of BlockTags alone,
	// nil being updateMemory and updateVariable.
	Blocks    string   `json:"blocks,omitempty"`
	BlockTags []string `json:"block_tags,omitempty"`
	// Prefixes may stand with a dot before a command; nil is *, game, worldHelper.
	Prefixes []string `json:"prefixes,omitempty"`

	// Hints is the language of the hints of rejected commands: "en" (default) or "zh".
	// What a [Dialect] or a [Gate] says is passed on as it is.
	Hints string `json:"hints,omitempty"`

	// Repair mends almost-JSON; nil is true.
	Repair *bool `json:"repair,omitempty"`
	// JSONFallback is "error" (default) or "string": an object that cannot be read
	// is stored as the text that it is.
	JSONFallback string `json:"json_fallback,omitempty"`

	// Coerce is "by_current_type" (default), "none" or "numeric_strings".
	Coerce string `json:"coerce,omitempty"`
	// StrictTypes refuses scalars of another type in set_*; nil is true.
	StrictTypes *bool `json:"strict_types,omitempty"`
	// SignedDelta reads a text such as '+500' on a number as an increment.
	SignedDelta bool `json:"signed_delta,omitempty"`
	// CheckOld is "ignore" (default), "warn" or "reject": what happens when the
	// old value in a three-argument set_* is not the current one.
	CheckOld string `json:"check_old,omitempty"`
	// AutoCreate lets set_* create missing objects and fields.
	AutoCreate bool `json:"auto_create,omitempty"`

	// Merge is "deep" (default), "shallow" or "replace": an object on an object.
	Merge string `json:"merge,omitempty"`
	// ScalarParent is "error" (default) or "wrap": a text in the way of a memory
	// command becomes the member info of a new object.
	ScalarParent string `json:"scalar_parent,omitempty"`
	// MoveOverwrite lets a move replace its destination.
	MoveOverwrite bool `json:"move_overwrite,omitempty"`

	// ProtectDepth is "deep" (default) or "children": how far below a deleted node
	// protected nodes are looked for.
	ProtectDepth string `json:"protect_depth,omitempty"`
	// ProtectChildren extends the shield of a protected node to what is below it.
	ProtectChildren bool `json:"protect_children,omitempty"`

	// Derived chooses the formulas of the derived fields.
	Derived Derived `json:"derived,omitzero"`
	// DerivedLock is "formulas" (default), "segment" or "off": what of the derived
	// section models and players may not write.
	DerivedLock string `json:"derived_lock,omitempty"`

	// InventoryRecursive looks for used-up items at any depth; nil is true.
	InventoryRecursive *bool `json:"inventory_recursive,omitempty"`
	// InventoryRemoveNegative counts negative numbers as used up; nil is true.
	InventoryRemoveNegative *bool `json:"inventory_remove_negative,omitempty"`

	// Difficulty is "clamp" (default) or "off".
	Difficulty string `json:"difficulty,omitempty"`

	// Calendar is the Gregorian one, or a list of month lengths.
	Calendar Calendar `json:"calendar,omitzero"`
	// WrapWindowDays is how far a date without a year may lie beyond a new year;
	// nil is 31.
	WrapWindowDays *int `json:"wrap_window_days,omitempty"`
	// RolloverMinMinutes is how far the clock must run back for a new day; nil is
	// 360, 0 turns the rollover off.
	RolloverMinMinutes *int `json:"rollover_min_minutes,omitempty"`
	// TimeLeftFloor keeps the days left from falling below zero; nil is true.
	TimeLeftFloor *bool `json:"time_left_floor,omitempty"`
	// ResourceFloor keeps stocks from falling below zero; nil is true.
	ResourceFloor *bool `json:"resource_floor,omitempty"`

	// BigUpdate is "changed" (default: any change of summary.big after the flag
	// rose) or "count" (more entries than when it rose).
	BigUpdate string `json:"big_update,omitempty"`
	// KeepBig is how many big entries a clean-up keeps; nil is 1.
	KeepBig *int `json:"keep_big,omitempty"`
	// KeepUnsummarised keeps the small entries written in the turn that clears.
	KeepUnsummarised bool `json:"keep_unsummarised,omitempty"`
	// GreenWindow is how many replies are searched for keywords; nil takes
	// config.hide_latest_count.
	GreenWindow *int `json:"green_window,omitempty"`
	// ScanUser searches the player's messages of these turns too.
	ScanUser bool `json:"scan_user,omitempty"`

	// StripMeta leaves keys that begin with an underscore out of prompts; nil is
	// true.
	StripMeta *bool `json:"strip_meta,omitempty"`

	// Rules allow and deny by actor, command and path; the first match decides,
	// no match allows. They do not bind the system.
	Rules []Rule `json:"rules,omitempty"`

	// Dialects read further command languages from the same messages.
	Dialects []Dialect `json:"-"`
}

// Rule is one permission. Empty fields match everything.
//
// A rule is about a node, however a command comes to it: as its target, the source or
// the destination of a move, a member of an object that is written, a part of what is
// replaced or deleted. A command that the rules refuse for one node does nothing.
// Automatic passes are not bound.
type Rule struct {
	// Actor is who the rule is about. The system is never bound.
	Actor Actor `json:"actor,omitempty"`
	// Op is one of the four commands. Commands of dialects are bound by what they do:
	// those that take something away as delete, those that write as the command that
	// writes in that module.
	Op string `json:"op,omitempty"`
	// Path is the node in the text form of a path, from the root or within any of the
	// modules; the rule holds for everything in it too. The index at which a leaf has
	// its value may be left out.
	Path  string `json:"path,omitempty"`
	Allow bool   `json:"allow"`
}

// Derived chooses the formulas: the default set, a named one, or own ones. Its
// JSON form is the name or the list.
type Derived struct {
	// Preset is "default" (also ""), "origin" (initiative as half a sum, speed and
	// initiative rounded down) or "off".
	Preset string
	// Formulas, if not nil, replaces the preset.
	Formulas []Formula
}

// Formula computes one derived field.
type Formula struct {
	// Target is relative to the character module, for example 衍生属性段.先攻. It is
	// never created. Else names further targets: the first that exists is written.
	Target string   `json:"target"`
	Else   []string `json:"else,omitempty"`
	// Expr has + - * / ( ) min max floor ceil abs, numbers, names of attributes
	// and skills, and paths in quotation marks.
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

// Origin returns the options with which the program that these rules come from
// behaves, where it differs from the defaults.
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
