package setting

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/memvars/tree"
)

// Registry is a set of definitions. It is immutable and safe for concurrent use. The zero Registry
// has no settings. [Registry.With] adds some.
type Registry struct {
	defs map[string]Definition
}

// With returns a registry that also has the given definitions. It reports every definition with a
// mistake. The mistakes are: no key; a key that is registered already; an unknown type, scope or effect
// tag; no effect tag; a JSON value without Validation.Text; a default that its own validation refuses.
// Empty scopes, hints and texts are filled in by type.
func (r Registry) With(defs ...Definition) (Registry, error) {
	all := map[string]Definition{}
	maps.Copy(all, r.defs)
	var errs []error
	for i, d := range defs {
		_, taken := all[d.Key]
		if d.Key == "" {
			errs = append(errs, fmt.Errorf("setting: definition %d has no key; give it one", i))
		} else if taken {
			errs = append(errs, fmt.Errorf("setting: %s is registered already; choose a different key", d.Key))
		} else if err := d.check(); err != nil {
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

// Allow returns a registry in which the enum setting with the given key accepts further words. A
// host that registers dialog types allows them here.
func (r Registry) Allow(key string, words ...string) (Registry, error) {
	d := r.defs[key]
	if d.Type != Enum {
		return r, fmt.Errorf("setting: %s is not a registered enum; correct the key, or register it as an enum first", key)
	}
	// A text that complete has written lists the old words, so complete must write it again. A text of the
	// author stays.
	generated := Definition{Type: Enum, Validation: Validation{Allowed: d.Validation.Allowed}}.complete()
	if d.Validation.Text == generated.Validation.Text {
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

// Snapshot holds the values that were set, by key. Its JSON form is an object with sorted keys.
type Snapshot map[string]tree.Value

// The codes of the problems of a patch. All are fatal: no part of the patch is applied.
const (
	codeUnknownKey    talewright.Code = "unknown_key"
	codeInvalidValue  talewright.Code = "invalid_value"
	MutuallyExclusive talewright.Code = "mutually_exclusive"
)

// Result says what a patch changed.
type Result struct {
	// Changed lists the keys whose effective value changed, sorted. It includes the keys of
	// AutoChanged.
	Changed []string `json:"changed"`
	// AutoChanged lists the keys that were switched as a consequence.
	AutoChanged []string `json:"auto_changed"`
}

// Patch returns the campaign's snapshot with the given values set. If there is any problem, it
// changes nothing and returns all problems, sorted by key. A setting of scope [Global] has no value
// in a campaign and is refused.
//
// The switches for the full and the compressed context exclude each other. A patch that sets both
// is a problem. A patch that sets one switches the other off.
func (r Registry) Patch(global, campaign, patch Snapshot) (Snapshot, Result, talewright.Problems) {
	return r.patch(campaign, patch, r.check(patch, false), func(s Snapshot, key string) tree.Value {
		return r.effective(global, s, key)
	})
}

// PatchGlobal returns the snapshot of the installation with the given values set, by the rules of
// [Registry.Patch]. Settings of every scope can have a value there. The result lists the changes
// for the given campaign.
func (r Registry) PatchGlobal(global, campaign, patch Snapshot) (Snapshot, Result, talewright.Problems) {
	return r.patch(global, patch, r.check(patch, true), func(s Snapshot, key string) tree.Value {
		return r.effective(s, campaign, key)
	})
}

// patch sets values in a snapshot, unless there are problems. effective returns the value of a key
// with a given snapshot in the place of base.
func (r Registry) patch(base, patch Snapshot, problems talewright.Problems,
	effective func(Snapshot, string) tree.Value) (Snapshot, Result, talewright.Problems) {
	if len(problems) > 0 {
		return base, Result{}, problems
	}
	next := maps.Clone(base)
	if next == nil {
		next = Snapshot{}
	}
	maps.Copy(next, patch)
	result := Result{Changed: []string{}, AutoChanged: []string{}}
	switches := [][2]string{{settingkey.FullContextEnabled, settingkey.CompressEnabled},
		{settingkey.CompressEnabled, settingkey.FullContextEnabled}}
	for _, pair := range switches {
		on, other := pair[0], pair[1]
		if !isTrue(patch[on]) || !isTrue(effective(base, other)) {
			continue
		}
		if _, isSet := patch[other]; !isSet {
			next[other] = tree.Bool(false)
			result.AutoChanged = append(result.AutoChanged, other)
		}
	}
	keys := slices.AppendSeq(slices.Clone(result.AutoChanged), maps.Keys(patch))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if !effective(base, key).Equal(effective(next, key)) {
			result.Changed = append(result.Changed, key)
		}
	}
	return next, result, nil
}

// check returns the problems of a patch. global is true for a patch of the installation.
func (r Registry) check(patch Snapshot, global bool) talewright.Problems {
	var problems talewright.Problems
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		report := func(code talewright.Code, text string) {
			problems = append(problems, talewright.Problem{Path: key, Code: code, Severity: talewright.Fatal, Text: text})
		}
		d, known := r.defs[key]
		switch err := d.validate(patch[key]); {
		case !known:
			report(codeUnknownKey, "no such setting; correct the name")
		case d.Scope == Global && !global:
			report(codeInvalidValue, "only the installation sets this: remove it from the campaign")
		case err != nil:
			report(codeInvalidValue, err.Error())
		case key == settingkey.CompressEnabled && isTrue(patch[key]) && isTrue(patch[settingkey.FullContextEnabled]):
			report(MutuallyExclusive, "the full and the compressed context cannot both be on; turn one off")
		}
	}
	return problems
}

// effective returns the campaign's value, else the installation's, else the default. It skips a
// stored value that the definition refuses, and the campaign's value of a global setting.
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

// Values are the effective settings, read at one moment. They are immutable.
type Values struct {
	defs map[string]Definition
	set  map[string]tree.Value // the values that a snapshot sets
}

// Freeze reads the value of every setting. If a stored snapshot from elsewhere has both context
// switches on, the compressed context is used.
func (r Registry) Freeze(global, campaign Snapshot) Values {
	v := Values{defs: r.defs}
	for _, s := range []Snapshot{global, campaign} {
		for key := range s {
			if _, known := r.defs[key]; known {
				if v.set == nil {
					v.set = map[string]tree.Value{}
				}
				v.set[key] = r.effective(global, campaign, key)
			}
		}
	}
	return v
}

// Get returns a value, absent for an unknown key.
func (v Values) Get(key string) tree.Value {
	if value, ok := v.set[key]; ok {
		return value
	}
	return v.defs[key].Default
}

// Bool returns the value of a switch, false for an unknown key.
func (v Values) Bool(key string) bool { return isTrue(v.Get(key)) }

// Int returns a whole number, 0 for an unknown key.
func (v Values) Int(key string) int { n, _ := asInt(v.Get(key)); return n }

// Text returns the word of an enum or a text, "" for an unknown key.
func (v Values) Text(key string) string { s, _ := v.Get(key).AsText(); return s }

// ContextMode says how much of the story a prompt contains.
type ContextMode string

// The context modes.
const (
	FullContext       ContextMode = "full"     // all turns of the branch
	CompressedContext ContextMode = "compress" // summary, facts, pins and the newest turns
	WindowContext     ContextMode = "window"   // the newest turns
)

// ContextMode returns the mode that the two context switches select.
func (v Values) ContextMode() ContextMode {
	switch {
	case v.Bool(settingkey.CompressEnabled):
		return CompressedContext
	case v.Bool(settingkey.FullContextEnabled):
		return FullContext
	}
	return WindowContext
}
