package setting

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// The pair of switches that exclude each other.
const (
	keyFull     = "context.full_context_enabled"
	keyCompress = "context.compress_enabled"
)

// Registry is a set of definitions. It is immutable and safe for concurrent use;
// the zero Registry knows no setting.
type Registry struct {
	defs map[string]Definition
}

// NewRegistry returns a registry of the given definitions. It reports every
// definition that has no key, a key that is taken, a type, scope or effect tag that
// does not exist, no effect tag, a JSON value without words for what is allowed, or a default that
// its own rules refuse. Empty scopes, hints and words become those of the type.
func NewRegistry(defs ...Definition) (Registry, error) {
	return Registry{}.With(defs...)
}

// With returns a registry that knows the given definitions too. A key may be
// registered once.
func (r Registry) With(defs ...Definition) (Registry, error) {
	all := maps.Clone(r.defs)
	if all == nil {
		all = map[string]Definition{}
	}
	var errs []error
	for i, d := range defs {
		switch _, taken := all[d.Key]; {
		case d.Key == "":
			errs = append(errs, fmt.Errorf("setting: definition %d has no key", i))
			continue
		case taken:
			errs = append(errs, fmt.Errorf("setting: %s is registered already", d.Key))
			continue
		}
		if err := d.check(); err != nil {
			errs = append(errs, fmt.Errorf("setting: %s: %w", d.Key, err))
		} else if err := d.validate(d.Default); err != nil {
			errs = append(errs, fmt.Errorf("setting: default of %s: %w", d.Key, err))
		}
		all[d.Key] = d.complete()
	}
	if len(errs) > 0 {
		return r, errors.Join(errs...)
	}
	return Registry{all}, nil
}

// Allow returns a registry in which the enum setting with the given key takes
// further words. A host that registers dialog types allows them here.
func (r Registry) Allow(key string, words ...string) (Registry, error) {
	d, ok := r.defs[key]
	if !ok || d.Type != Enum {
		return r, fmt.Errorf("setting: %s is no registered enum", key)
	}
	narrow := Definition{Type: Enum, Validation: Validation{Allowed: d.Validation.Allowed}}.complete()
	if d.Validation.Text == narrow.Validation.Text { // else it is the author's
		d.Validation.Text = ""
	}
	d.Validation.Allowed = slices.Concat(d.Validation.Allowed, words)
	defs := maps.Clone(r.defs)
	defs[key] = d.complete()
	return Registry{defs}, nil
}

// Definitions returns all definitions, sorted by key.
func (r Registry) Definitions() []Definition {
	out := make([]Definition, 0, len(r.defs))
	for _, key := range slices.Sorted(maps.Keys(r.defs)) {
		out = append(out, r.defs[key])
	}
	return out
}

// Snapshot holds the values that were set, by key. Its JSON form is an object
// with sorted keys.
type Snapshot map[string]tree.Value

// The codes of what is wrong with a patch. All of it is fatal: nothing of the patch counts.
const (
	UnknownKey        talewright.Code = "unknown_key"
	InvalidValue      talewright.Code = "invalid_value"
	MutuallyExclusive talewright.Code = "mutually_exclusive"
)

// problem is what is wrong with one value of a patch; its path is the key.
func problem(key string, code talewright.Code, text string) talewright.Problem {
	return talewright.Problem{Path: key, Code: code, Severity: talewright.Fatal, Text: text}
}

// Result says what a patch changed.
type Result struct {
	// Changed lists the keys whose effective value is another now, sorted, those of
	// AutoChanged among them.
	Changed []string `json:"changed"`
	// AutoChanged lists the keys that were switched as a consequence.
	AutoChanged []string `json:"auto_changed"`
}

// Patch returns the campaign's snapshot with the given values set. Either all of
// them are, or none and the problems say why, sorted by key. A setting of scope
// [Global] has no value in a campaign: it is refused here.
//
// The switches for the full and the compressed context exclude each other: asking
// for both is a problem, asking for one switches the other off.
func (r Registry) Patch(global, campaign, patch Snapshot) (Snapshot, Result, talewright.Problems) {
	return r.patch(campaign, patch, r.check(patch, false), func(s Snapshot, key string) tree.Value {
		return r.effective(global, s, key)
	})
}

// PatchGlobal returns the snapshot of the installation with the given values set, as
// [Registry.Patch] does with that of a campaign; settings of any scope have a value there. The
// result says what changes for this campaign.
func (r Registry) PatchGlobal(global, campaign, patch Snapshot) (Snapshot, Result, talewright.Problems) {
	if len(patch) == 0 {
		return global, Result{}, nil
	}
	return r.patch(global, patch, r.check(patch, true), func(s Snapshot, key string) tree.Value {
		return r.effective(s, campaign, key)
	})
}

// patch sets values in a snapshot, unless there are problems. The effective values are those with
// a snapshot in its place.
func (r Registry) patch(base, patch Snapshot, problems talewright.Problems, effective func(Snapshot, string) tree.Value) (Snapshot, Result, talewright.Problems) {
	if len(problems) > 0 {
		return base, Result{}, problems
	}
	next := maps.Clone(base)
	if next == nil {
		next = Snapshot{}
	}
	maps.Copy(next, patch)
	result := Result{Changed: []string{}, AutoChanged: []string{}}
	for _, pair := range [][2]string{{keyFull, keyCompress}, {keyCompress, keyFull}} {
		on, other := pair[0], pair[1]
		if !isTrue(patch[on]) || !isTrue(effective(base, other)) {
			continue
		}
		if _, said := patch[other]; !said {
			next[other] = tree.Bool(false)
			result.AutoChanged = append(result.AutoChanged, other)
		}
	}
	asked := slices.AppendSeq(slices.Clone(result.AutoChanged), maps.Keys(patch))
	slices.Sort(asked)
	for _, key := range slices.Compact(asked) {
		if !effective(base, key).Equal(effective(next, key)) {
			result.Changed = append(result.Changed, key)
		}
	}
	return next, result, nil
}

func (r Registry) check(patch Snapshot, global bool) talewright.Problems {
	var problems talewright.Problems
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		d, known := r.defs[key]
		if !known {
			problems = append(problems, problem(key, UnknownKey, "no such setting"))
			continue
		}
		if d.Scope == Global && !global {
			problems = append(problems, problem(key, InvalidValue,
				"this setting is the installation's: a campaign cannot have a value of its own"))
			continue
		}
		if err := d.validate(patch[key]); err != nil {
			problems = append(problems, problem(key, InvalidValue, err.Error()))
		} else if key == keyCompress && isTrue(patch[key]) && isTrue(patch[keyFull]) {
			problems = append(problems, problem(key, MutuallyExclusive,
				"the full and the compressed context cannot both be on"))
		}
	}
	return problems
}

// effective is the campaign's value, else the installation's, else the default.
// A stored value that the definition refuses does not count, nor does the campaign's
// for a setting of the installation.
func (r Registry) effective(global, campaign Snapshot, key string) tree.Value {
	d := r.defs[key]
	if d.Scope == Global {
		campaign = nil
	}
	for _, s := range []Snapshot{campaign, global} {
		if v, ok := s[key]; ok && d.validate(v) == nil {
			return v
		}
	}
	return d.Default
}

func isTrue(v tree.Value) bool { b, _ := v.AsBool(); return b }

// Values are the settings in force, read at one moment. They are immutable.
type Values struct {
	all map[string]tree.Value
}

// Freeze reads the value of every setting. Stored snapshots from elsewhere may
// have both context switches on; the compressed one wins then.
func (r Registry) Freeze(global, campaign Snapshot) Values {
	all := make(map[string]tree.Value, len(r.defs))
	for key := range r.defs {
		all[key] = r.effective(global, campaign, key)
	}
	return Values{all}
}

// Get returns a value, absent for an unknown key.
func (v Values) Get(key string) tree.Value { return v.all[key] }

// Bool returns a switch, false for an unknown key.
func (v Values) Bool(key string) bool { return isTrue(v.all[key]) }

// Int returns a whole number, 0 for an unknown key.
func (v Values) Int(key string) int { n, _ := asInt(v.all[key]); return n }

// Text returns an enum's word or a text, "" for an unknown key.
func (v Values) Text(key string) string { s, _ := v.all[key].AsText(); return s }

// ContextMode says how much of the story a prompt holds.
type ContextMode string

// The context modes.
const (
	FullContext       ContextMode = "full"     // all turns of the branch
	CompressedContext ContextMode = "compress" // summary, facts, pins and the newest turns
	WindowContext     ContextMode = "window"   // the newest turns
)

// ContextMode returns the mode that the two context switches ask for.
func (v Values) ContextMode() ContextMode {
	switch {
	case v.Bool(keyCompress):
		return CompressedContext
	case v.Bool(keyFull):
		return FullContext
	}
	return WindowContext
}
