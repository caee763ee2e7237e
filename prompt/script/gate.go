package script

import (
	"math"
	"slices"
	"strconv"
)

// Where describes a text: its kind and its purpose.
type Where struct {
	Placement Placement
	// Depth counts messages from the newest, which is 0. nil means unknown: no script is skipped
	// because of its depth.
	Depth *int
	// ForPrompt and ForDisplay are the purposes. If both are false, the text is a stored text.
	ForPrompt, ForDisplay bool
	Edit                  bool // the text was edited
	// Name is the value of {{char}} in trim strings; empty means the value of the run.
	Name string
}

// The reasons of a [Skip].
const (
	skipDisabled  = "disabled"
	skipDenied    = "not_allowed"
	skipAside     = "put_aside" // see [Set.Without]
	skipEmpty     = "empty_find"
	skipPurpose   = "purpose"
	skipEdit      = "edit"
	skipDepth     = "depth"
	skipPlacement = "placement"
)

// Skip is a script that does not run on a text, with the reason.
type Skip struct {
	Ref
	Reason string `json:"reason"`
}

// String returns the script and the reason.
func (s Skip) String() string { return s.Ref.String() + ": " + s.Reason }

// Wants reports whether any script matches. Callers can skip work for texts without matching
// scripts.
func (s *Set) Wants(w Where) bool {
	if s == nil {
		return false
	}
	for i := range s.scripts {
		if s.scripts[i].skip(w) == "" {
			return true
		}
	}
	return false
}

// Steady reports whether the result of [Set.Apply] depends only on the text: no matching script has
// macros. It returns a name for the set of matching scripts. A result can be cached while the name
// stays the same.
func (s *Set) Steady(w Where) (fits string, steady bool) {
	if s == nil {
		return "", true
	}
	var name []byte
	for i := range s.scripts {
		c := &s.scripts[i]
		if c.skip(w) != "" {
			continue
		}
		if c.varies || s.expand && c.inserts {
			return "", false
		}
		name = append(strconv.AppendInt(name, int64(i), 10), ' ')
	}
	return string(name), true
}

// Skipped lists the scripts that do not run on such a text, in order.
func (s *Set) Skipped(w Where) []Skip {
	if s == nil {
		return nil
	}
	var list []Skip
	for i := range s.scripts {
		c := &s.scripts[i]
		if why := c.skip(w); why != "" {
			list = append(list, Skip{c.ref(), why})
		}
	}
	return list
}

// skip returns the first reason why a script does not run, or "".
func (c *compiledScript) skip(w Where) string {
	switch {
	case c.denied:
		return skipDenied
	case c.excluded:
		return skipAside
	case c.Disabled:
		return skipDisabled
	case c.Find == "":
		return skipEmpty
	case !c.fitsPurpose(w):
		return skipPurpose
	case w.Edit && !c.OnEdit:
		return skipEdit
	case w.Depth != nil && !c.fitsDepth(float64(*w.Depth)):
		return skipDepth
	case !slices.Contains(c.Placement, w.Placement):
		return skipPlacement
	}
	return ""
}

// fitsPurpose reports whether the script is for the purpose of the text. Scripts for display or
// prompt never change a stored text; all other scripts change only stored texts.
func (c *compiledScript) fitsPurpose(w Where) bool {
	if c.Display || c.Prompt {
		return c.Display && w.ForDisplay || c.Prompt && w.ForPrompt
	}
	return !w.ForDisplay && !w.ForPrompt
}

func (c *compiledScript) fitsDepth(depth float64) bool {
	if lo, ok := c.low(); ok && depth < lo {
		return false
	}
	hi, ok := c.high()
	return !ok || depth <= hi
}

// low and high return the depth bounds that apply.
func (c *compiledScript) low() (float64, bool)  { return depthBound(c.MinDepth, -1) }
func (c *compiledScript) high() (float64, bool) { return depthBound(c.MaxDepth, 0) }

// depthBound returns a bound, or false if there is none: nil, not finite, or below least.
func depthBound(d *float64, least float64) (float64, bool) {
	if d == nil || math.IsNaN(*d) || math.IsInf(*d, 0) || *d < least {
		return 0, false
	}
	return *d, true
}
