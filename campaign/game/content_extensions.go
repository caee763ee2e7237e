package game

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/template"
)

// Extensions add to the built-in parts of the engine, or replace them.
type Extensions struct {
	// Tools, DialogTypes, Settings and Detectors add to the built-in ones. The model gets the tools
	// that the campaign allows. At first these are move and hp_delta: see [state.Setup.Allowlist]
	// and [turn.SetTools].
	Tools       []tool.Tool
	DialogTypes []DialogType
	Settings    []setting.Definition
	Detectors   []conflict.Named
	// Macros is the set of macros for cards, lore, directives and all other texts of authors: the
	// built-in macros and the macros of the host, see [macro.NewSet]. Nil means the built-in macros.
	Macros *macro.Set
	// Engine runs the templates of authors that need more than the supported part of JavaScript; nil
	// means that they are reported and not played. Package prompt/tavern/js has one.
	Engine template.Engine
	// Texts are the engine's own sentences; nil means [English]. Package imports chooses them by
	// the language of the imported content.
	Texts *Texts
	// Random returns the n-th random number in [0, 1) of a campaign with the given seed; nil means
	// [Random]. It must be a pure function.
	Random func(seed, n uint64) float64
	// Version identifies the content, such as a hash of its files. Records of campaigns
	// store it, so a replay can report that the content is different. If Version is empty, records do
	// not name their content.
	Version string
}
