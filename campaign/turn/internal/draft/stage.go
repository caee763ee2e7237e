package draft

import (
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// The stage part is where something happens to a campaign, in a turn or between turns: it holds the state
// in the making, and what commands, calls, effects and rules make of it. It knows nothing of models,
// prompts and stores: who plays a turn hands it what was said and asked for, and takes the [Progress].

// Stage is where something happens to a campaign: what is settled, what is staged on top of it,
// and the one interpreter of everything that changes it.
type Stage struct {
	Game   *game.Game
	Number int       // the place of the turn on its branch, from 1
	At     time.Time // when it happens
	// Viewer is for whom it happens: modules that others alone have opened take no part. The zero Viewer
	// is for what happens between turns. Heard are those who hear the turn; empty: everybody.
	Viewer state.Viewer
	Heard  []string

	// Settled is the state after everything that counts, Staged adds what the present output did
	// and what a re-generation undoes.
	Settled, Staged Progress

	Dice           Dice
	Rewrites       rewrites
	playerCommands int // commands of the player's own in the line

	Fired *Fired         // what rules have led to before
	Why   *[]rules.Trace // nil: nobody asks why
}

// Begin sets the stage in a state, which content may have outgrown.
func (s *Stage) Begin(before state.State, turnID string) {
	s.Settled = Progress{State: before, Counts: map[string]int{}}
	now := &s.Settled.State
	now.Variables = s.Game.Complete(before) // a save may be older than the content
	now.Hooks = now.Hooks.BeginTurn(turnID)
	now.Injections = now.Injections.BeginTurn()
	s.Undo()
}

// Settle makes what is staged final for this turn.
func (s *Stage) Settle() { s.Settled = s.Staged.Clone() }

// Undo drops what is staged.
func (s *Stage) Undo() { s.Staged = s.Settled.Clone() }

// Draw returns the next random number of the campaign's source and records it.
func (s *Stage) Draw() float64 { return s.Dice.draw(s.Game) }

// Roll throws a die for a check. The n-th check with the same arguments shows the
// same in every re-generation.
func (s *Stage) Roll(key string, sides int) int {
	n := s.Staged.Counts[key]
	s.Staged.Counts[key] = n + 1
	if n < len(s.Dice.Rolls[key]) {
		return s.Dice.Rolls[key][n]
	}
	roll := 1 + int(s.Draw()*float64(sides))
	s.Dice.Rolls[key] = append(s.Dice.Rolls[key], roll)
	return roll
}

// joined is the staged state with the modules that the viewer knows of.
func (s *Stage) joined() *state.State { return secret.Joined(&s.Staged.State, s.Viewer) }

// rules is the staged state as rules see it.
func (s *Stage) rules() rules.State { return s.Game.RuleState(s.joined(), s.Number) }

// SettleLife ends the campaign whose party is defeated.
func (s *Stage) SettleLife(values setting.Values) {
	state := &s.Staged.State
	state.Lifecycle = state.SettledLifecycle(s.Game.Life(), values.Bool(setting.HPZeroEndsGame), s.At)
}
