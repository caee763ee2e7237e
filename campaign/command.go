package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
)

// command carries out an instruction that is no turn, and commits it.
func (m *Machine) command(in Input) error {
	next := m.base.clone()
	var at time.Time
	var host []rules.Caused
	var err error
	outcome := &Outcome{Status: Completed}
	values := m.game.settings.Freeze(next.GlobalSettings, next.Settings)
	limit := checkpointLimit(values)
	switch in := in.(type) {
	case PatchSettings:
		at = in.At
		outcome.Changed, outcome.AutoChanged, err = m.patchSettings(&next, in.Patch)
	case SelectActor:
		at, err = in.At, next.selectActor(in.ActorID)
	case SetCharacter:
		at, err = in.At, next.setCharacter(in.CharacterID, in.Fields, m.game.life)
	case SetTools:
		at = in.At
		next.setTools(in)
	case SetLocks:
		at, err = in.At, next.State.setLocks(in)
	case PassTime:
		at = in.At
		host, err = m.hearing(&next, at, func(t *turn) ([]rules.Event, error) {
			return t.staged.state.passTime(in.Elapsed), nil
		})
	case SetTimer:
		at, err = in.At, next.State.setTimer(in)
	case Travel:
		at = in.At
		host, err = m.hearing(&next, at, func(t *turn) ([]rules.Event, error) {
			return t.staged.state.travel(m.game.world, in)
		})
	case RaiseEvents:
		at = in.At
		host = m.hostEvents(&next, in, values)
	case AdvanceMilestone:
		at = in.At
		next.State.Milestone.step(next.State.TurnCount, next.State.Summary.Version)
	case EndCampaign:
		at = in.At
		next.State.end(in.Reason, in.At)
	case MakeCheckpoint:
		at = in.At
		if limit == 0 {
			err = refuse(RollbackUnavailable)
		}
		next.addCheckpoint(in.Label, in.At, limit)
	case RollBack:
		at, err = in.At, next.rollback(in.To, limit)
		next.State.Variables = m.game.keepSetup(m.base.State, next.State)
	case UndoRollBack:
		at, err = in.At, next.undoRollback()
		next.State.Variables = m.game.keepSetup(m.base.State, next.State)
	case SwitchBranch:
		at, err = in.At, next.switchBranch(in.BranchID, limit)
	case Summarized:
		if in.Error != "" {
			return m.finish(Todo{}) // the old summary stays
		}
		at = in.At
		next.summarize(in.Summary)
	default:
		err = fmt.Errorf("%w: %T", ErrUnexpectedInput, in)
	}
	if err != nil {
		return err
	}
	var announce []Announce
	if back, ok := in.(RollBack); ok {
		announce = m.wanted(Announce{Event: EventRollbackDone, At: at, Payload: memvars.Object(
			memvars.Member{Key: "from_turn_id", Value: memvars.Text(m.base.State.HeadTurnID)},
			memvars.Member{Key: "to_turn_id", Value: memvars.Text(back.To)})})
	}
	return m.commit(in.inputType(), at, next, nil, func() Todo {
		return Todo{Host: host, Announce: announce, Outcome: outcome}
	})
}

// patchSettings changes settings and returns the keys whose effective value is another
// now, and those of them that were switched because of another one, both sorted.
func (m *Machine) patchSettings(next *Campaign, patch setting.Snapshot) (changed, auto []string, err error) {
	settings, result, problems := m.game.settings.Patch(next.GlobalSettings, next.Settings, patch)
	if len(problems) > 0 {
		return nil, nil, &Refusal{Code: SettingsRefused, Problems: problems}
	}
	next.Settings = settings
	changed = slices.Concat(result.Changed, result.AutoChanged)
	slices.Sort(changed)
	if changed = slices.Compact(changed); len(changed) > 0 {
		next.SettingsRevision++
	}
	return changed, result.AutoChanged, nil
}

func (c *Campaign) selectActor(id string) error {
	if !c.State.inParty(id) {
		return refuse(ActorNotInParty)
	}
	c.State.Selected.ActorID = id
	return nil
}

// setCharacter replaces the given fields of a character and keeps the invariant
// of its hit points.
func (c *Campaign) setCharacter(id string, fields memvars.Value, life map[AliveState]LifeRule) error {
	i := c.State.characterIndex(id)
	if i < 0 {
		c.State.Characters = append(c.State.Characters, Character{
			ID: id, Status: Status{AliveState: Alive}})
		i = len(c.State.Characters) - 1
	}
	ch := c.State.Characters[i].clone()
	if !fields.IsObject() {
		return &Refusal{Code: InvalidCharacter, Detail: "fields must be an object"}
	}
	old, err := valueOf(ch)
	if err != nil {
		return err
	}
	var members []memvars.Member
	for key, v := range old.Members() {
		members = append(members, memvars.Member{Key: key, Value: v})
	}
	for key, v := range fields.Members() {
		members = append(members, memvars.Member{Key: key, Value: v})
	}
	var edited Character
	if err := json.Unmarshal(raw(memvars.Object(members...)), &edited); err != nil {
		return &Refusal{Code: InvalidCharacter, Detail: err.Error()}
	}
	problem := edited.problem(life)
	if _, known := c.State.Map.Area(edited.AreaID); !known && edited.AreaID != ch.AreaID {
		problem = fmt.Sprintf("no area %q", edited.AreaID)
	}
	if edited.ID != id {
		problem = "character_id cannot be changed"
	}
	if problem != "" {
		return &Refusal{Code: InvalidCharacter, Detail: problem}
	}
	c.State.Characters[i] = edited
	return nil
}

// problem says what keeps a character from being used, "" if nothing does.
func (c Character) problem(life map[AliveState]LifeRule) string {
	_, known := life[c.Status.AliveState]
	switch {
	case c.ID == "":
		return "character_id is missing"
	case c.HP.Current < 0 || c.HP.Current > c.HP.Max:
		return fmt.Sprintf("hp must lie between 0 and max, not %d of %d", c.HP.Current, c.HP.Max)
	case !known:
		return fmt.Sprintf("unknown alive_state %q", c.Status.AliveState)
	}
	return ""
}

func (c *Campaign) setTools(in SetTools) {
	if in.Allowlist != nil {
		c.Allowlist = slices.Clone(in.Allowlist)
	}
	if in.Disabled != nil {
		c.DisabledTools = maps.Clone(in.Disabled)
	}
}

func (s *State) setLocks(in SetLocks) error {
	for id := range in.Areas {
		if _, known := s.Map.Area(id); !known {
			return refuse(UnknownArea)
		}
	}
	for id := range in.Paths {
		if !slices.ContainsFunc(s.Map.Paths, func(p Path) bool { return p.ID == id }) {
			return refuse(UnknownPath)
		}
	}
	if in.Movement != nil {
		s.MovementLock = *in.Movement
	}
	for i := range s.Map.Areas {
		if l, ok := in.Areas[s.Map.Areas[i].ID]; ok {
			a := &s.Map.Areas[i]
			a.Locked, a.LockReason, a.DisabledUntil = l.Locked, l.Reason, l.DisabledUntil
		}
	}
	for i := range s.Map.Paths {
		if l, ok := in.Paths[s.Map.Paths[i].ID]; ok {
			p := &s.Map.Paths[i]
			p.Locked, p.LockReason, p.DisabledUntil = l.Locked, l.Reason, l.DisabledUntil
		}
	}
	return nil
}

// hostEvents runs rules and reactions on events between turns.
func (m *Machine) hostEvents(next *Campaign, in RaiseEvents, values setting.Values) []rules.Caused {
	t := m.betweenTurns(in.At, values)
	t.chain(in.Events...)
	next.State = t.staged.state
	next.State.Random = t.cursor
	return t.staged.host
}

// summarize takes over a summary. A version that does not grow is raised by one.
func (c *Campaign) summarize(s Summary) {
	if s.Version <= c.State.Summary.Version {
		s.Version = c.State.Summary.Version + 1
	}
	if s.CoversThrough == "" {
		s.CoversThrough = c.State.HeadTurnID
	}
	c.State.Summary = s
}

// resolveConflict carries out a person's decision about a pending conflict.
func (m *Machine) resolveConflict(in ResolveConflict) error {
	report := m.base.PendingConflict
	if report == nil {
		return refuse(NoPendingConflict)
	}
	values := m.game.settings.Freeze(m.base.GlobalSettings, m.base.Settings)
	again := Submit{ActorID: report.ActorID, Text: report.UserInput, At: in.At,
		ClientTurnID: report.ClientTurnID}
	if code := m.refusal(again, values); code != "" && in.Decision != DecideDiscard {
		return refuse(code) // meanwhile the campaign has ended, or the actor cannot act
	}
	switch in.Decision {
	case DecideRetry:
		return m.begin(again, values)
	case DecideDiscard:
		next := m.base.clone()
		next.PendingConflict = nil
		return m.commit("discard", in.At, next, nil, func() Todo {
			return Todo{Outcome: &Outcome{Status: Discarded}}
		})
	case DecideAccept:
		in.Text = m.game.lastText(report)
		in.ToolCalls = memvars.Value{}
	case DecideOverride:
	default:
		return refuse(UnknownDecision)
	}
	next := m.base.clone()
	next.PendingConflict = nil
	delete(next.Conflicts, report.ClientTurnID)
	next.closeUndo()
	m.turn = newTurn(m.game, next, again, values)
	m.turn.past = &m.past
	return m.deliver(in, report.Conflicts)
}

// deliver settles a person's text and calls as a turn. reported are the conflicts
// of the pending report, which an accepted text keeps.
func (m *Machine) deliver(in ResolveConflict, reported []conflict.Conflict) error {
	t := m.turn
	t.source = sourceManual
	t.kind, _ = m.game.dialog(t.values.Text(setting.ManualType))
	t.court.dialogOK = true // a person's calls are judged in every dialog type
	t.last = output{raw: in.Text, text: in.Text}
	if in.Decision == DecideAccept { // it is the model's
		t.last.text = t.scripted(in.Text, script.Where{Placement: script.AIOutput})
	}
	for i, c := range in.ToolCalls.Elements() {
		call := readCall(c)
		if call.id == "" {
			call.id = fmt.Sprintf("call_%03d", i+1)
		}
		t.last.calls = append(t.last.calls, call)
	}
	seen := map[string]bool{}
	for i, call := range t.last.calls {
		if r := t.court.judge(i, call, seen, t.staged.state); r.failed != nil {
			t.unsettled = append(t.unsettled, *r.failed)
		} else {
			t.carryOut(r)
		}
	}
	if len(t.unsettled) > 0 {
		return &Refusal{Code: OverrideRejected, FailedCalls: t.unsettled}
	}
	if in.Decision == DecideAccept {
		// Also what its structured output or a judge had against it.
		t.accepted = slices.Clone(reported)
		return m.commitTurn() // delivered, and nothing else: no commands, no rules, no hooks
	}
	found := conflict.Detect(t.cleanNarration(in.Text), nil, t.view(), t.conflictOptions())
	t.accepted, _ = split(found)
	return m.settling()
}

// lastText is the narration of the last output of a conflict.
func (g *Game) lastText(r *ConflictReport) string {
	if len(r.History) == 0 {
		return ""
	}
	last := r.History[len(r.History)-1]
	return g.readAnswer(readOutput(last.Output, last.Calls), g.scope()).text
}
