package turn

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/memvars/tree"
)

// Choose moves the head to a different answer to the line of the head turn, see
// [state.Campaign.Answers]. The state becomes the state of that answer: characters, variables,
// ledgers, the timers of lore, the memory of hooks, the random cursor, the milestone. Only
// variables of scope setup keep their values.
type Choose struct {
	TurnID string `json:"turn_id,omitempty"`
	// Greeting, if not nil, is the index of one of [game.Game.Openings]. Before the first turn the
	// story then opens with this greeting. If it does already, nothing changes, and the greeting is
	// shown again, after the scripts for displayed text.
	Greeting *int      `json:"greeting,omitempty"`
	At       time.Time `json:"at,omitzero"`
}

func (Choose) inputType() string { return "choose" }

func (in Choose) apply(m *Machine) (Stop, error) {
	if in.Greeting != nil {
		return chooseGreeting(m, in)
	}
	isChosen := in.TurnID == m.base.State.HeadTurnID && in.TurnID != state.StartTurnID
	ref, err := m.base.ChoiceRef(in.TurnID)
	if err != nil && !isChosen {
		return idle, err
	}
	chosen, ok := turnAt(m, in.TurnID)
	if !ok {
		return atPast, nil
	}
	if isChosen {
		return m.endWith(replayed(chosen)), nil // it is already chosen
	}
	restored, ok := stateAt(m, ref)
	if !ok {
		return atPast, nil
	}
	next := m.base.Clone()
	next.CloseUndo()
	next.Choose(in.TurnID, restored)
	next.State = m.game.KeepSetup(m.base.State, next.State)
	next.AddCheckpoint("", in.At, m.values().Int(settingkey.MaxCheckpoints))
	outcome := completed(chosen)
	shown := play.New(m.game, next, state.Submission{ActorID: chosen.ActorID, Text: chosen.UserInput, Audience: chosen.Audience, At: in.At}, m.values())
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Show: shownTurn(shown.View(), chosen), Outcome: &outcome}), nil
}

// chooseGreeting changes the greeting before the first turn. The state becomes as if the story had
// begun with this greeting: variables that the macros and templates of the old greeting wrote are
// removed. Changes of the host since the beginning stay.
func chooseGreeting(m *Machine, in Choose) (Stop, error) {
	chosen, present := *in.Greeting, m.base.State
	old, isOpening := draft.OpeningIndex(present.GreetingID, m.game)
	refuse := func(why string) (Stop, error) {
		return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: why}
	}
	switch {
	case present.HeadTurnID != state.StartTurnID:
		return refuse("the greeting is chosen before the first turn")
	case chosen < 0 || chosen >= len(m.game.Openings()):
		return refuse(fmt.Sprintf("the game has no greeting %d", chosen))
	case !isOpening && present.Greeting != "":
		return refuse("the greeting is the host's own: set greeting_id in the setup to use the game's greetings")
	case isOpening && chosen == old:
		m.ending = Todo{Show: shownGreeting(m, m.base, in), Outcome: &Outcome{Status: Completed, Replayed: true}}
		return idle, nil
	}
	if !isOpening || old >= len(m.game.Openings()) {
		old = -1 // there is no present greeting, or the content does not have it any more
	}
	next := m.base.Clone()
	next.CloseUndo()
	to := &next.State
	programs := openingPrograms{recorded: m.recordedPrograms}
	opened, oldDraws := reopened(m, present, old, chosen, &programs)
	to.Greeting, to.GreetingID, to.Macros = opened.Greeting, opened.GreetingID, opened.Macros
	to.Variables, to.BeforeGreeting, to.AfterGreeting = opened.Variables, opened.BeforeGreeting, opened.AfterGreeting
	to.Random = to.Random - oldDraws + opened.Random
	next.RenewStart()
	stop := m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Show: shownGreeting(m, next, in), Outcome: &Outcome{Status: Completed}})
	if stop == atCommit {
		m.pending.record.Programs = programs.ran
	}
	return stop, nil
}

// shownGreeting returns the greeting of a campaign in the form that players see.
func shownGreeting(m *Machine, c state.Campaign, in Choose) *Shown {
	v := play.New(m.game, c, state.Submission{ActorID: c.State.Selected.ActorID, At: in.At}, m.values()).View()
	_, speaker := v.Opener()
	return &Shown{Text: prepare.Displayed(v, c.State.Greeting, speaker)}
}

// reopened returns the state that opens with the chosen greeting instead of the old one, with the
// later changes of the host to the variables. oldDraws is the number of random numbers that the old
// greeting used. old is -1 if there is no present greeting.
func reopened(m *Machine, present state.State, old, chosen int, programs *openingPrograms) (opened state.State, oldDraws uint64) {
	beforeOld, beforeChosen := m.greetingVariables(present, old, chosen)
	opened = openedWith(m, chosen, beforeChosen, programs)
	if old >= 0 {
		oldDraws = openedWith(m, old, beforeOld, programs).Random
	}
	afterOld := beforeOld
	if present.AfterGreeting != nil {
		afterOld = *present.AfterGreeting
	}
	opened.Variables = withChanges(opened.Variables, afterOld, present.Variables)
	return opened, oldDraws
}

// greetingVariables returns the variables before the templates of the old greeting changed them, and
// the variables on which the templates of the chosen greeting run.
func (m *Machine) greetingVariables(present state.State, old, chosen int) (beforeOld, beforeChosen tree.Document) {
	initial := m.game.Content().People.GreetingVariables
	bothHaveOwn := min(old, chosen) >= 0 && max(old, chosen) < len(initial)
	switch {
	case present.BeforeGreeting != nil:
		beforeOld = *present.BeforeGreeting
	case bothHaveOwn:
		beforeOld = initial[old]
	default:
		beforeOld = present.Variables
	}
	if bothHaveOwn {
		return beforeOld, withChanges(initial[chosen], initial[old], beforeOld)
	}
	return beforeOld, beforeOld
}

// withChanges returns variables with the changes between two documents.
func withChanges(variables, before, after tree.Document) tree.Document {
	edit := variables.Edit()
	for _, c := range tree.Diff(before, after) {
		if c.New.Exists() {
			_ = edit.Set(c.Path, c.New) // an error means that the variables lack the place: the change is dropped
		} else {
			_ = edit.Delete(c.Path)
		}
	}
	return edit.Document()
}

// openedWith returns the state at the beginning of the story with greeting n of the game, whose
// macros and templates run on the given variables.
func openedWith(m *Machine, n int, variables tree.Document, programs *openingPrograms) state.State {
	c := m.base.Clone()
	c.State.Variables, c.State.BeforeGreeting, c.State.AfterGreeting = variables, nil, nil
	c.State.Greeting, c.State.Macros, c.State.Random = "", state.MacroVariables{}, 0
	c.State.GreetingID = cmp.Or(m.game.Openings()[n].ID, strconv.Itoa(n))
	greet(&c, m.game, c.CreatedAt, false, programs)
	return c.State
}
