package conflict

import (
	"cmp"
	"slices"
	"sync"
)

// The names of the detectors with special rules in the options.
const (
	qualitativeName = "hp_qualitative"
	structuredName  = "structured"
)

// builtins is [Builtin] for readers that do not modify it.
var builtins = sync.OnceValue(Builtin)

// detectors returns the built-in detectors, with extra ones of the same name in their places, and
// then the other extra ones.
func (o Options) detectors() []Named {
	all := builtins()
	if len(o.Extra) == 0 {
		return all
	}
	all = slices.Clone(all)
	for _, extra := range o.Extra {
		i := slices.IndexFunc(all, func(d Named) bool { return d.Name == extra.Name })
		if i >= 0 {
			all[i] = extra
		} else {
			all = append(all, extra)
		}
	}
	return all
}

// level returns the level that the options set for a detector, empty if there is none.
func (o Options) level(name string) Level {
	if level, ok := o.Detectors[name]; ok {
		return level
	}
	if name != qualitativeName {
		return ""
	}
	return cmp.Or(o.HPQualitative, LevelWarn)
}

// severity applies the level of a detector and then the mode.
func (o Options) severity(name string, level Level, found Severity) Severity {
	switch {
	case o.Mode == WarnOnly && name != structuredName, level == LevelWarn:
		return Warn
	case level == LevelBlock:
		return Block
	}
	return found
}
