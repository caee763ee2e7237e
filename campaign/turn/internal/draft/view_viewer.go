package draft

import (
	"strings"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Package state decides who knows what: see [state.Viewer]. This file applies its decisions to
// prompts.

// Mode returns the setting visibility.mode.
func (v Turn) Mode() state.AudienceMode {
	return state.AudienceMode(v.Values.Text(settingkey.VisibilityMode))
}

// Viewer returns the viewer of the prompt.
func (v Turn) Viewer() state.Viewer {
	if v.As != nil {
		return *v.As
	}
	return v.viewer(v.Dialog.Omniscient)
}

// Listener returns the viewer of recalled memories: the acting character, even if a game master
// knows more. So a character gets only memories that it witnessed.
func (v Turn) Listener() state.Viewer {
	return v.viewer(false)
}

// viewer returns the viewer of a prompt. Suggestions are for the acting character alone.
func (v Turn) viewer(omniscient bool) state.Viewer {
	audience := v.In.Audience
	if v.Suggestions > 0 {
		audience = []string{v.In.ActorID}
	}
	return state.NewViewer(v.Mode(), v.In.ActorID, audience, omniscient)
}

// Sight returns the part of the state that the viewer sees.
func (v Turn) Sight() secret.Sight { return secret.Of(v.State, v.Viewer()) }

// WitnessMark returns the mark before a text that only the named characters know; "" without names.
func (v Turn) WitnessMark(names []string) string { return v.FillNames(v.Game.Texts().Witnessed, names) }

// FillNames replaces {names} in a text with the names of characters; "" without IDs.
func (v Turn) FillNames(text string, ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = v.CharacterName(id)
	}
	return strings.ReplaceAll(text, "{names}", strings.Join(names, v.Game.Texts().Marks.Item))
}

// WithoutMark removes the mark of the turn from the beginning of a reply. Models copy it from the
// history.
func (v Turn) WithoutMark(text string) string {
	mark := strings.TrimSpace(v.WitnessMark(v.Viewer().Mark(v.In.Audience)))
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), mark); ok && mark != "" {
		return strings.TrimSpace(rest)
	}
	return text
}

// JSON returns a value as JSON for the model, without the parts that the viewer may not know.
func JSON(what any, sight secret.Sight) string {
	if !sight.Limited() {
		return WordingJSON(what)
	}
	value, _ := tree.Of(what) // has a JSON form, as in WordingJSON
	return sight.Redact(value).String()
}
