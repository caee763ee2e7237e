package judge

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/internal/findings"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// The verdict part says what is wrong with an answer of a model: what its narration has against the
// state, what it tells of a hidden goal, and in which way it has failed before.

// Examiner looks for what narrations have against a state.
type Examiner struct {
	Options conflict.Options
	View    conflict.View
}

// Detect looks for contradictions between a text and the state, but for those that the text before
// it had already.
func (x Examiner) Detect(text string, members map[string]json.RawMessage, before string) []conflict.Conflict {
	return x.news(conflict.Detect(text, members, x.View, x.Options), before)
}

// news are the findings about a text that goes on or was edited without those that the text
// had before: they have been judged.
func (x Examiner) news(found []conflict.Conflict, before string) []conflict.Conflict {
	if before == "" || len(found) == 0 {
		return found
	}
	return findings.Without(found, conflict.Detect(before, nil, x.View, x.Options))
}

// OptionsOf are the options of the detectors.
func OptionsOf(g *game.Game, values setting.Values) conflict.Options {
	opts := conflict.Options{
		Mode:          conflict.Mode(values.Text(setting.ConflictMode)),
		HPQualitative: conflict.Level(values.Text(setting.HPQualitative)),
		Judge:         conflict.JudgeMode(values.Text(setting.Judge)),
		Extra:         g.Content().Detectors,
		Detectors:     map[string]conflict.Level{},
	}
	for name, level := range values.Get(setting.Detectors).Members() {
		word, _ := level.AsText()
		opts.Detectors[name] = conflict.Level(word)
	}
	return opts
}

// Unreadable is the conflict of an output that cannot be judged, in the language of the game where
// that is set, else in that of the player's line.
func Unreadable(g *game.Game, kind, line string) conflict.Conflict {
	if texts := g.Texts(); texts.Hints == "zh" {
		line = texts.Authority
	}
	return conflict.OutputConflict(kind, line)
}

// Structured are the members of an answer beside its text and calls.
func Structured(last answer.Answer) map[string]json.RawMessage {
	if last.Extra.Len() == 0 {
		return nil
	}
	out := map[string]json.RawMessage{}
	for key, v := range last.Extra.Members() {
		out[key] = draft.Raw(v)
	}
	return out
}

// IDsOf are the ids of refused calls.
func IDsOf(lists ...[]state.FailedCall) (ids []string) {
	for _, f := range slices.Concat(lists...) {
		ids = append(ids, f.ID)
	}
	return ids
}
