package campaign

import (
	"context"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/hooks"
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
func (g *Game) Explain(c Campaign, in Submit, reply string) Explanation {
	if in.ActorID == "" {
		in.ActorID = c.State.Selected.ActorID
	}
	values := g.settings.Freeze(c.GlobalSettings, c.Settings)
	t := newTurn(g, c.clone(), in, values)
	t.explained = new(Explanation)
	t.kind, _ = g.dialog(values.Text(setting.ManualType))
	t.hearPlayer()
	t.scanBook()
	if reply != "" {
		t.prompted = true
		t.last = readOutput(reply, nil)
		t.modelAsks()
		t.turnEvents()
	}
	return *t.explained
}

// Explain says of a campaign as it stands what a player's line would lead to, see
// [Game.Explain].
func (e *Engine) Explain(ctx context.Context, id string, in Submit, reply string) (Explanation, error) {
	c, err := e.read(ctx, id)
	if err != nil {
		return Explanation{}, err
	}
	in, _ = stamp(in, e.cfg.Now().UTC()).(Submit)
	return e.cfg.Game.Explain(c, in, reply), nil
}

// WithHooks returns the game with further hooks, such as those that a host lets its users
// switch on; one with the id of a hook of the game takes its place. Campaigns are replayed
// with the hooks that they were played with: their log holds what hooks did.
func (g *Game) WithHooks(list ...hooks.Hook) (*Game, talewright.Problems) {
	set, found := g.hooks.With(list...)
	out := *g
	out.hooks = set
	return &out, found
}
