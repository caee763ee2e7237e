package turn

import (
	"fmt"
	"strconv"
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
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
	// story then opens with this greeting.
	Greeting *int      `json:"greeting,omitempty"`
	At       time.Time `json:"at,omitzero"`
}

func (Choose) inputType() string { return "choose" }

func (in Choose) apply(m *Machine) (Stop, error) {
	if in.Greeting != nil {
		return chooseGreeting(m, in)
	}
	already := in.TurnID == m.base.State.HeadTurnID && in.TurnID != state.StartTurnID
	ref, err := m.base.ChoiceRef(in.TurnID)
	if err != nil && !already {
		return idle, err
	}
	chosen, ok := turnAt(m, in.TurnID)
	if !ok {
		return atPast, nil
	}
	if already {
		return m.endWith(replayed(chosen)), nil // it is already chosen
	}
	then, ok := stateAt(m, ref)
	if !ok {
		return atPast, nil
	}
	next := m.base.Clone()
	next.CloseUndo()
	next.Choose(in.TurnID, then)
	next.State.Variables = m.game.KeepSetup(m.base.State, next.State)
	next.AddCheckpoint("", in.At, m.values().Int(settingkey.MaxCheckpoints))
	outcome := completed(chosen)
	shown := play.New(m.game, next, state.Submission{ActorID: chosen.ActorID, Text: chosen.UserInput, At: in.At}, m.values())
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Show: shownTurn(shown.View(), chosen), Outcome: &outcome}), nil
}

// chooseGreeting changes the greeting before the first turn. The state becomes as if the story had
// begun with this greeting: variables that the macros and templates of the old greeting wrote are
// removed. Changes of the host since the beginning stay.
func chooseGreeting(m *Machine, in Choose) (Stop, error) {
	n, s := *in.Greeting, m.base.State
	openings := m.game.Openings()
	old, err := strconv.Atoi(s.GreetingID)
	switch {
	case s.HeadTurnID != state.StartTurnID:
		return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: "the greeting is chosen before the first turn"}
	case n < 0 || n >= len(openings):
		return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: fmt.Sprintf("the game has no greeting %d", n)}
	case err != nil && s.Greeting != "":
		return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: "the greeting is the host's own: set greeting_id in the setup to use the game's greetings"}
	case err == nil && n == old:
		return m.endWith(Outcome{Status: Completed, Replayed: true}), nil
	}
	next := m.base.Clone()
	next.CloseUndo()
	if err != nil {
		old = -1 // there is no present greeting
	}
	was, now := m.greetingVariables(s, old, n)
	before, after := uint64(0), openedWith(m, n, now)
	if old >= 0 {
		began := openedWith(m, old, was)
		if before = began.Random; s.BeforeGreeting != nil {
			was = began.Variables
		}
		after.Variables = withChanges(after.Variables, was, s.Variables)
	}
	to := &next.State
	to.Greeting, to.GreetingID, to.Macros = after.Greeting, after.GreetingID, after.Macros
	to.Variables, to.BeforeGreeting = after.Variables, after.BeforeGreeting
	to.Random = to.Random - before + after.Random
	next.RenewStart()
	shown := play.New(m.game, next, state.Submission{ActorID: to.Selected.ActorID, At: in.At}, m.values())
	_, speaker := shown.View().Opener()
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Show: &Shown{Text: prepare.Displayed(shown.View(), to.Greeting, speaker)}, Outcome: &Outcome{Status: Completed}}), nil
}

// greetingVariables returns the variables before the templates of the present greeting changed them, and
// the variables on which the templates of the chosen greeting run.
func (m *Machine) greetingVariables(s state.State, old, chosen int) (was, now tree.Document) {
	all := m.game.Content().People.GreetingVariables
	each := min(old, chosen) >= 0 && max(old, chosen) < len(all)
	switch {
	case s.BeforeGreeting != nil:
		was = *s.BeforeGreeting
	case each:
		was = all[old]
	default:
		was = s.Variables
	}
	if each {
		return was, withChanges(all[chosen], all[old], was)
	}
	return was, was
}

// withChanges returns variables with the changes between two documents.
func withChanges(variables, before, after tree.Document) tree.Document {
	edit := variables.Edit()
	for _, c := range tree.Diff(before, after) {
		if c.New.Exists() {
			_ = edit.Set(c.Path, c.New) // a place that the variables do not have: the change is dropped
		} else {
			_ = edit.Delete(c.Path)
		}
	}
	return edit.Document()
}

// openedWith returns the state that opens with a greeting of the game, from variables on.
func openedWith(m *Machine, n int, variables tree.Document) state.State {
	c := m.base.Clone()
	c.State.Variables, c.State.BeforeGreeting = variables, nil
	c.State.Greeting, c.State.GreetingID, c.State.Macros, c.State.Random = "", strconv.Itoa(n), state.MacroVariables{}, 0
	greet(&c, m.game, c.CreatedAt, false)
	return c.State
}
