package judge

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// The verdict files find the faults of a model's answer: contradictions of its narration to the
// state, texts that reveal a hidden goal, and repeated failures.

// Examiner finds contradictions between narrations and a state.
type Examiner struct {
	Options conflict.Options
	View    conflict.View
}

// Detect returns the contradictions between a text and the state. It omits the contradictions that
// the text before already had.
func (x Examiner) Detect(r *conflict.Reading, before string) []conflict.Conflict {
	return x.withoutKnown(r.Detect(x.Options), before)
}

// withoutKnown removes the findings that the old text already had, because they have been judged. It is for
// a continued or edited text.
func (x Examiner) withoutKnown(found []conflict.Conflict, before string) []conflict.Conflict {
	if before == "" || len(found) == 0 {
		return found
	}
	return declared.Without(found, conflict.Detect(before, nil, x.View, x.Options))
}

// Read reads a text for the detectors and the questions.
func (x Examiner) Read(text string, members map[string]json.RawMessage) *conflict.Reading {
	return conflict.Read(text, members, x.View)
}

// Questions returns the questions about the doubtful parts of a text. A text that blocks already is
// not asked about. Nor are the parts of the text before.
func (x Examiner) Questions(r *conflict.Reading, before string, found []conflict.Conflict) []conflict.Question {
	if r.Narration == "" || conflict.Blocking(found) {
		return nil
	}
	list := conflict.Suspect(r, found, x.Options)
	list = slices.DeleteFunc(list, func(q conflict.Question) bool {
		return before != "" && strings.Contains(before, q.Quote)
	})
	for i := range list {
		list[i].N = i + 1
	}
	return list
}

// Names returns the names of the characters and areas in questions, by ID.
func (x Examiner) Names(questions []conflict.Question) map[string]string {
	names := map[string]string{}
	for _, q := range questions {
		for _, c := range x.View.Characters {
			if slices.Contains(q.Who, c.ID) {
				names[c.ID] = c.Name
			}
		}
		for _, a := range x.View.Areas {
			if slices.Contains(q.Places, a.ID) {
				names[a.ID] = a.Name
			}
		}
	}
	return names
}

// OptionsOf returns the options of the detectors.
func OptionsOf(g *game.Game, values setting.Values) conflict.Options {
	opts := conflict.Options{
		Mode:          conflict.Mode(values.Text(settingkey.ConflictMode)),
		HPQualitative: conflict.Level(values.Text(settingkey.HPQualitative)),
		Ask:           conflict.AskMode(values.Text(settingkey.Ask)),
		Judge:         conflict.JudgeMode(values.Text(settingkey.Judge)),
		Extra:         g.Content().Extensions.Detectors,
		Detectors:     map[string]conflict.Level{},
	}
	for name, level := range values.Get(settingkey.Detectors).Members() {
		word, _ := level.AsText()
		opts.Detectors[name] = conflict.Level(word)
	}
	return opts
}

// Unreadable returns the conflict of an output that cannot be judged. Its language is the language
// of the game if it is set, else the language of the player's line.
func Unreadable(g *game.Game, kind, line string) conflict.Conflict {
	if texts := g.Texts(); texts.Hints == "zh" {
		line = texts.Authority
	}
	return conflict.OutputConflict(kind, line)
}

// Structured returns the members of an answer other than its text and calls.
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

// IDsOf returns the IDs of refused calls.
func IDsOf(lists ...[]state.FailedCall) (ids []string) {
	for _, f := range slices.Concat(lists...) {
		ids = append(ids, f.ID)
	}
	return ids
}
