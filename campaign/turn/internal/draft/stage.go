package draft

import (
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// The stage files change a campaign, in a turn or between turns. A [Stage] has the state in
// progress, and applies commands, calls, effects and rules to it. It does not use models, prompts
// or stores. The caller passes in texts and requests, and reads the [Progress].

// Stage changes a campaign. It has two states, Base and Pending, and the one interpreter of
// everything that changes the state.
type Stage struct {
	Game   *game.Game
	Number int       // the number of the turn on its branch, from 1
	At     time.Time // the time of the changes
	// Viewer is the viewer of the turn: modules that only other characters have opened take no
	// part. Between turns it is the zero Viewer. Heard lists the characters who hear the turn;
	// empty: everybody.
	Viewer state.Viewer
	Heard  []string
	// ReadOnly says that the model may not change variables in the dialog type of the turn.
	ReadOnly bool

	// Base is the state after everything that is final in this turn. Pending adds the changes of
	// the present output, which a re-generation undoes.
	Base, Pending Progress

	Dice           Dice
	Rewrites       rewrites
	playerCommands int // number of the player's own commands in the line

	Explained *[]rules.Trace // nil: no explanation is recorded
}

// Begin starts the stage from a state. The state may be older than the content.
func (s *Stage) Begin(before state.State, turnID string) {
	s.Base = Progress{State: before, Counts: map[string]int{}}
	now := &s.Base.State
	now.Variables = s.Game.Complete(before) // the state may lack new variables of the content
	now.Hooks = now.Hooks.BeginTurn(turnID)
	now.Injections = now.Injections.BeginTurn()
	s.Undo()
}

// Checkpoint makes the staged state final for this turn.
func (s *Stage) Checkpoint() { s.Base = s.Pending.Clone() }

// Undo drops the staged changes.
func (s *Stage) Undo() { s.Pending = s.Base.Clone() }

// Draw returns the next random number of the campaign's source and records it.
func (s *Stage) Draw() float64 { return s.Dice.draw(s.Game) }

// Peek returns a source of the next random numbers that does not use them up: [Stage.Draw] returns
// the same ones later.
func (s *Stage) Peek() func() float64 {
	n := s.Dice.Cursor
	return func() float64 {
		n++
		return s.Game.Random(s.Dice.Seed, n-1)
	}
}

// Roll rolls a die for a check. The n-th check with the same arguments gives the same result in
// every re-generation.
func (s *Stage) Roll(key string, sides int) int {
	n := s.Pending.Counts[key]
	s.Pending.Counts[key] = n + 1
	if n < len(s.Dice.Rolls[key]) {
		return s.Dice.Rolls[key][n]
	}
	roll := 1 + int(s.Draw()*float64(sides))
	s.Dice.Rolls[key] = append(s.Dice.Rolls[key], roll)
	return roll
}

// jointState returns the pending state with the modules that the viewer knows.
func (s *Stage) jointState() *state.State { return secret.Joined(&s.Pending.State, s.Viewer) }

// rules returns the staged state as rules see it.
func (s *Stage) rules() rules.State { return s.Game.RuleState(s.jointState(), s.Number) }

// SettleLife ends the campaign if the party is defeated.
func (s *Stage) SettleLife(values setting.Values) {
	state := &s.Pending.State
	state.Lifecycle = state.SettledLifecycle(s.Game.Life(), values.Bool(settingkey.HPZeroEndsGame), s.At)
}
