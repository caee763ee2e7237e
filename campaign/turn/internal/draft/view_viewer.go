package draft

import (
	"strings"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Who knows what is decided in package audience. Here its answers become what prompts say.

// Mode is the setting visibility.mode.
func (v Turn) Mode() state.AudienceMode {
	return state.AudienceMode(v.Values.Text(setting.VisibilityMode))
}

// Viewer is for whom the prompt is written.
func (v Turn) Viewer() state.Viewer {
	if v.As != nil {
		return *v.As
	}
	return state.NewViewer(v.Mode(), v.In.ActorID, v.Dialog.Omniscient)
}

// Listener is for whom memories are recalled: the acting character, also where a game master
// knows more. Nobody is reminded of what they did not witness.
func (v Turn) Listener() state.Viewer {
	return state.NewViewer(v.Mode(), v.In.ActorID, false)
}

// Sight is what the viewer sees of the state.
func (v Turn) Sight() secret.Sight { return secret.Of(v.State, v.Viewer()) }

// WitnessMark is the text before what only the named ones know; "" for nobody.
func (v Turn) WitnessMark(names []string) string { return v.FillNames(v.Game.Texts().Witnessed, names) }

// FillNames puts the names of characters where a text has {names}; "" without any.
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

// WithoutMark is a reply without the mark of the turn in front, which models copy from the
// history.
func (v Turn) WithoutMark(text string) string {
	mark := strings.TrimSpace(v.WitnessMark(v.Viewer().Mark(v.In.Audience)))
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), mark); ok && mark != "" {
		return strings.TrimSpace(rest)
	}
	return text
}

// JSON is what the model is told of something as JSON, without what the viewer may not know.
func JSON(what any, sight secret.Sight) string {
	if !sight.Limited() {
		return WordingJSON(what)
	}
	value, err := tree.Of(what)
	if err != nil {
		return "{}" // as where nothing is hidden
	}
	return sight.Redact(value).String()
}
