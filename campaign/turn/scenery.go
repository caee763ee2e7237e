package turn

import (
	"fmt"

	"github.com/talewright/talewright/campaign/turn/internal/stage"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
)

// scenery is what texts and prompts of a turn are made of: the game, the campaign and what
// the turn has found so far. It is for reading; only what is known of the past grows with it.
type scenery struct {
	game     *game.Game
	past     *past
	next     *state.Campaign // its State is that before the turn
	state    *state.State    // as the turn has made it by now
	in       *Submit
	ask      *state.Ask
	suggest  *Suggest    // what is wanted beside the story, nil: a turn
	line     bool        // there is a line of the player's
	head     *state.Turn // the turn that goes on, nil for one of its own
	kind     *game.DialogType
	values   setting.Values
	scan     *worldbook.Result
	memories []string
	spoken   []state.Reply // what has been said in the turn by members of the cast
	playing  string        // id of the one who speaks
	draw     func() float64
	// marks says that lines of the history are marked as private.
	marks bool
	// narrating says that the second phase of plan_narrate runs.
	narrating bool
}

// scenery is what can be seen of the turn now.
func (t *run) scenery() scenery {
	return scenery{
		game: t.game, past: t.past, next: &t.next, state: &t.stage.Staged.State, in: &t.order.in, kind: &t.dialog.kind,
		ask: t.order.ask, line: t.order.line, suggest: t.order.suggest, head: t.order.head,
		values: t.values, scan: &t.found.scan, memories: t.found.memories, spoken: t.casting.spoken, playing: t.casting.speaking(),
		draw: t.stage.Draw, narrating: t.talk.narrating,
	}
}

// prompter writes prompts, and the texts that scripts change. It works on a copy of the state and
// of the trace, which the turn takes over by [run.took].
type prompter struct {
	scenery
	own   state.State // what the state of the scenery is here
	trace turntrace.Trace
	text  *textPrompt // the prompt as one text, nil for messages
}

// prompter returns one for the turn as it stands.
func (t *run) prompter() *prompter {
	p := &prompter{scenery: t.scenery(), own: t.stage.Staged.State, trace: t.stage.Staged.Trace}
	p.state = &p.own
	return p
}

// took takes over what a prompter has written down: the variables of macros, what was told once and
// is told no more, and the trace.
func (t *run) took(p *prompter) {
	t.stage.Staged.State, t.stage.Staged.Trace = p.own, p.trace
}

// scripted is a stored text after the scripts for it.
func (t *run) scripted(text string, where script.Where) string {
	if text == "" || !t.game.Scripts().Wants(where) {
		return text
	}
	p := t.prompter()
	defer t.took(p)
	return p.scripted(text, where)
}

func (p *prompter) warn(format string, args ...any) {
	p.trace.Warnings = append(p.trace.Warnings, fmt.Sprintf(format, args...))
}

// number is the turn's place on its branch, from 1.
func (sc scenery) number() int { return numberOf(sc.next, sc.head) }

// companion is the character whose mood and relationship hooks speak of: the one of the cast
// who speaks, else the first one that has any, else the acting character.
func (sc scenery) companion() state.Character {
	if c, ok := sc.state.Character(sc.playing); ok {
		return c
	}
	for _, c := range sc.state.Characters {
		if c.Mood.Exists() || c.Relationship.Exists() {
			return c
		}
	}
	c, _ := sc.state.Character(sc.in.ActorID)
	return c
}

func (sc scenery) userID() string {
	if sc.in.UserID != "" {
		return sc.in.UserID
	}
	return sc.in.ActorID
}

// offersTools reports whether calls are possible in the turn's dialog type.
func (sc scenery) offersTools() bool {
	for _, v := range sc.values.Get(setting.ToolTypes).Elements() {
		if id, _ := v.AsText(); id == sc.kind.ID {
			return true
		}
	}
	return false
}

func (sc scenery) nameOf(id string) string {
	if sc.game.Content().UserName != "" {
		return sc.game.Content().UserName
	}
	if c, ok := sc.state.Character(id); ok {
		return c.Name
	}
	return id
}

func (sc scenery) userName() string { return sc.nameOf(sc.in.ActorID) }

// charName is whom the model plays.
func (sc scenery) charName() string {
	if sc.playing != "" {
		return sc.memberName(sc.playing)
	}
	return sc.tellerName()
}

// memberName is the name of a member of the cast, the id of one who has left it.
func (sc scenery) memberName(id string) string {
	for _, m := range sc.game.Cast() {
		if m.ID == id {
			return m.Name
		}
	}
	return id
}

// tellerName is whom the model plays without a cast.
func (sc scenery) tellerName() string {
	if c := sc.game.Content().Card; c != nil {
		return c.CharName()
	}
	if c := sc.companion(); c.ID != sc.in.ActorID {
		return c.Name
	}
	return "GM"
}

// planning reports whether this is the phase in which only calls count.
func (sc scenery) planning() bool {
	return sc.values.Text(setting.TurnMode) == "plan_narrate" && !sc.narrating && sc.offersTools()
}

// scope is what dialects may know now.
func (sc scenery) scope() game.Scope { return stage.ScopeOf(sc.game, sc.state, sc.number()) }
