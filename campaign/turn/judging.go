package turn

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/conflict/claimlist"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
)

// judgeForm looks whether an output can be judged at all.
func (m *Machine) judgeForm() Stop {
	t := m.turn
	if t.last.Broken != "" {
		t.findings = []conflict.Conflict{conflict.OutputConflict(t.last.Broken, t.in.Text)}
		return atDecide
	}
	t.court.narrating = t.narrating
	if t.watched() {
		t.consent.opened = t.keep()
	}
	return onward
}

// judgeNarration looks for contradictions between the text and the state.
func (t *run) judgeNarration() {
	opts := t.conflictOptions()
	found := t.news(conflict.Detect(t.judgedText(), t.structured(), t.view(), opts), t.headText())
	if text := t.judgedText(); listsClaims(t.values) && text != "" {
		found = claimlist.Check(claimlist.Answer{
			List: t.last.Extra.Get(claimlist.Member), Narration: text, Known: t.headText(), Structured: t.structured(),
			Before: viewOf(t.scenery(), *secret.Of(&t.casting.before, t.scenery().viewer()).State, nil), After: t.view(),
			Refused: idsOf(t.unsettled, t.refused), Findings: found,
		}, opts)
	}
	t.findings = append(found, t.leaks(opts)...)
}

// idsOf are the ids of refused calls.
func idsOf(lists ...[]state.FailedCall) (ids []string) {
	for _, f := range slices.Concat(lists...) {
		ids = append(ids, f.ID)
	}
	return ids
}

// listsClaims reports whether the model has to list what it claims.
func listsClaims(values setting.Values) bool {
	return values.Text(setting.Claims) == "listed" && values.Text(setting.ConflictMode) != string(conflict.Off)
}

// judgedText is the narration that is compared with the state: the text of the planning
// phase is dropped.
func (t *run) judgedText() string {
	if t.scenery().planning() {
		return t.cleanNarration("")
	}
	return t.whole(t.cleanNarration(t.last.Text))
}

// secondOpinion asks a second model about the findings, if that is wanted.
func (m *Machine) secondOpinion() (Todo, bool) {
	t := m.turn
	opts, clean := t.conflictOptions(), t.judgedText()
	if opts.Judge != conflict.JudgeConfirm && opts.Judge != conflict.JudgeFull ||
		opts.Mode == conflict.Off || clean == "" {
		return Todo{}, false
	}
	claims, _ := claimlist.Read(t.last.Extra.Get(claimlist.Member))
	if !listsClaims(t.values) {
		claims = nil
	}
	return Todo{Judge: &question.Judge{Claims: claims,
		Narration: clean, Expected: t.scenery().sight().State.Expected(),
		Applied: slices.Clone(t.stage.Staged.Applied), Findings: slices.Clone(t.findings),
	}}, true
}

func (m *Machine) judged(in Judged) Stop {
	t := m.turn
	if in.Error != "" {
		t.stage.Staged.Warn("judge: %s", in.Error)
	} else {
		t.findings = conflict.MergeJudge(t.judgedText(), t.findings, in.Verdicts, t.conflictOptions())
	}
	return onward
}

// decide looks at everything that is wrong with an output, and goes on, back, or
// gives up.
func (m *Machine) decide() Stop {
	t := m.turn
	if t.askAgain() {
		return atApproval
	}
	blocking, warnings := split(t.findings)
	blocking = blocking[:min(len(blocking), maxConflicts)]
	warnings = warnings[:min(len(warnings), maxConflicts)]
	if t.consent.edits() { // it told of what the model asked for, and passed
		t.accepted, blocking = blocking, nil
	}
	t.blocking = blocking
	at := &t.attempts[len(t.attempts)-1]
	at.FailedCalls, at.Conflicts, at.Warnings = t.unsettled, blocking, warnings
	at.NoProgress = sameFaults(t.attempts[t.casting.attempts:])
	*at = t.forPeople(*at)
	refusals := len(t.unsettled) > 0 && t.values.Text(setting.OnRejection) != "commit_partial"
	if len(blocking) > 0 || refusals {
		return atRetry
	}
	return onward
}

func (t *run) conflictOptions() conflict.Options {
	opts := conflict.Options{
		Mode:          conflict.Mode(t.values.Text(setting.ConflictMode)),
		HPQualitative: conflict.Level(t.values.Text(setting.HPQualitative)),
		Judge:         conflict.JudgeMode(t.values.Text(setting.Judge)),
		Extra:         t.game.Content().Detectors,
		Detectors:     map[string]conflict.Level{},
	}
	for name, level := range t.values.Get(setting.Detectors).Members() {
		word, _ := level.AsText()
		opts.Detectors[name] = conflict.Level(word)
	}
	return opts
}

func (t *run) structured() map[string]json.RawMessage {
	if t.last.Extra.Len() == 0 {
		return nil
	}
	out := map[string]json.RawMessage{}
	for key, v := range t.last.Extra.Members() {
		out[key] = stage.Raw(v)
	}
	return out
}

// view is the state after the actions of this turn, as detectors see it.
func (t *run) view() conflict.View {
	return viewOf(t.scenery(), *t.scenery().sight().State, t.stage.Staged.Evidence)
}

// viewOf is a state that the viewer sees, after some actions.
func viewOf(sc scenery, s state.State, actions []conflict.Action) conflict.View {
	v := conflict.View{
		ActorID: sc.in.ActorID, Party: s.Selected.Party,
		Goal:         conflict.Goal{Text: sc.next.Goal.Text, Hidden: sc.next.Goal.Hidden},
		Actions:      actions,
		CheckAllowed: slices.Contains(sc.next.Allowlist, "check"),
	}
	for _, c := range s.Characters {
		v.Characters = append(v.Characters, conflictCharacter(c))
	}
	for _, a := range s.Map.Areas {
		v.Areas = append(v.Areas, conflict.Area{
			ID: a.ID, Name: a.Name, Aliases: a.Aliases, Parent: a.Parent, Locked: a.Locked})
	}
	for _, p := range s.Map.Paths {
		v.Connections = append(v.Connections, conflict.Connection{From: p.From, To: p.To})
	}
	for _, r := range s.World.Rules {
		if !sc.viewer().Sees(r.VisibleTo) {
			continue
		}
		v.Rules = append(v.Rules, conflict.WorldRule{ID: r.ID, Keywords: r.Keywords})
	}
	return v
}

func conflictCharacter(c state.Character) conflict.Character {
	out := conflict.Character{
		ID: c.ID, Name: c.Name, Aliases: c.Aliases, AliveState: string(c.Status.AliveState),
		HP: conflict.HP{Current: c.HP.Current, Max: c.HP.Max}, AreaID: c.AreaID,
	}
	for key, v := range c.Attributes.Members() {
		text, isText := v.AsText()
		if !isText {
			text = v.String()
		}
		out.Card = append(out.Card, conflict.CardField{Label: key, Value: text})
	}
	for _, s := range c.Skills {
		field := conflict.CardField{Label: s.Name}
		if s.Level != nil {
			field.Value = fmt.Sprint(*s.Level)
		}
		out.Card = append(out.Card, field)
	}
	return out
}
