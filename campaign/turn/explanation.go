package turn

import (
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// Explanation says of each entry of the world book and of each rule and reaction why it
// took part in a turn, or what kept it from that.
type Explanation struct {
	Lore  worldbook.Trace `json:"lore,omitempty"`
	Rules []rules.Trace   `json:"rules,omitempty"`
}

// String returns one line for each of them.
func (e Explanation) String() string {
	var b strings.Builder
	for _, l := range e.Lore {
		b.WriteString("lore " + l.String() + "\n")
	}
	for _, r := range e.Rules {
		b.WriteString("rule " + r.String() + "\n")
	}
	return b.String()
}

// Explain plays a player's line, and the model's reply where it is not empty, and says why
// everything did what it did. Nothing is asked, changed or recorded: hooks do not run, and
// tools are not called. Whether the line would be accepted is not looked at.
func Explain(g *game.Game, c state.Campaign, in Submit, reply string) Explanation {
	if in.ActorID == "" {
		in.ActorID = c.State.Selected.ActorID
	}
	values := g.Settings().Freeze(c.GlobalSettings, c.Settings)
	t := newTurn(g, c.Clone(), in, values)
	t.explained = new(Explanation)
	t.kind, _ = g.Dialog(values.Text(setting.ManualType))
	t.hearPlayer()
	t.scanBook()
	if reply != "" {
		t.prompted = true
		t.last = answer.Read(reply, nil)
		t.modelAsks()
		t.endVariables()
		t.turnEvents()
	}
	return *t.explained
}

// Explain plays the instruction of a record again, in the campaign before it, and says why
// everything did what it did: as [Explain] does, but with what hooks, tools and the model did
// in truth. It asks nobody; the answers are in the record. Where several chains of rules were
// worked out, their traces follow one another. past answers what the campaign does not hold, see
// [Machine.Replay]. The error wraps [ErrDiverged] where the record belongs to another game or to
// another campaign.
func (r Record) Explain(g *game.Game, before state.Campaign, past func(question.Past) (PastRead, error)) (Explanation, error) {
	m := &Machine{game: g, base: before, phase: Idle, explained: new(Explanation)}
	if err := m.Resume(past); err != nil { // a turn that waited for people
		return *m.explained, err
	}
	err := m.Replay(r, past)
	return *m.explained, err
}
