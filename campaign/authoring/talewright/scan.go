package main

import (
	"slices"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/worldbook"
)

// scanGame shows which lore a line activates.
type scanGame struct {
	Dir   string `arg:"" help:"A folder, a card or a world book."`
	Say   string `required:"" help:"The line of a player."`
	Reply string `help:"The reply of the model, for rules that read it." default:"…"`
}

// scanned is the result in JSON.
type scanned struct {
	Active   []worldbook.Explanation `json:"active"`
	Inactive []worldbook.Explanation `json:"inactive"`
	Rules    []ruleScan              `json:"rules"`
}

// ruleScan says whether a rule fires, and why.
type ruleScan struct {
	ID    string `json:"id"`
	Fires bool   `json:"fires"`
	Why   string `json:"why"`
}

// Run is the command.
func (c *scanGame) Run(t *terminal) error {
	l, err := t.loadUsable(c.Dir)
	if err != nil {
		return err
	}
	engine, err := campaign.New(campaign.Config{Game: l.compiled, Model: campaign.NoModel})
	if err != nil {
		return err
	}
	if _, err := engine.Create(t.ctx, l.Setup); err != nil {
		return err
	}
	why, err := engine.Explain(t.ctx, l.Setup.ID, turn.Submit{Text: c.Say}, c.Reply)
	if err != nil {
		return err
	}
	out := scanned{Active: []worldbook.Explanation{}, Inactive: []worldbook.Explanation{}, Rules: []ruleScan{}}
	for _, x := range why.Lore {
		if x.Active {
			out.Active = append(out.Active, x)
		} else {
			out.Inactive = append(out.Inactive, x)
		}
	}
	for _, r := range why.Rules {
		out.Rules = append(out.Rules, ruleScan{r.ID, r.Gate == "fired", r.Text})
	}
	if t.json {
		return t.writeJSON(out)
	}
	lore := observe.Of(state.Turn{}, why).For(l.compiled, state.Campaign{}, t.lang).Section("lore").Items
	t.entries(l.texts.Activated, green, lore, true)
	t.entries(l.texts.Inactive, faint, lore, false)
	for _, r := range out.Rules {
		if r.Fires {
			t.printf("%s %s: %s\n", t.paint(green, "+"), printable(r.ID), printable(r.Why))
		}
	}
	return nil
}

// entries lists the active entries, or the other ones.
func (t *terminal) entries(title, color string, lore []observe.Item, active bool) {
	list := slices.Collect(func(yield func(observe.Item) bool) {
		for _, x := range lore {
			if (x.Mark == observe.Done) == active && !yield(x) {
				return
			}
		}
	})
	t.printf("%s (%d)\n", t.paint(bold, title), len(list))
	for _, x := range list {
		t.printf("  %s\n", t.paint(color, printable(x.Name+": "+x.Text)))
	}
}
