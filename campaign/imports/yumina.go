package imports

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// addWorld adds an exported world that [reactions.ParseYumina] reads.
func (s *Start) addWorld(data []byte) {
	world, found := reactions.ParseYumina(data, reactions.YuminaOptions{})
	s.Setup.Title = world.Name
	s.addProblems("world", found)
	macros := newWorldMacros(world)
	world = macros.world(world)
	s.rules(world)
	s.worldBooks(world)
	s.openWith(world, macros, s.greeting)
}

// rules adds the variables, modules and rules to the content. A world without variables gets a
// schema that declares none, as in Yumina. Replies have the languages of Yumina: marked passages and
// directives, and no commands.
func (s *Start) rules(w reactions.YuminaWorld) {
	s.Content.Rules.Variables = w.Content().Variables
	s.Content.Rules.Modules, s.Content.Rules.Rules, s.Content.Rules.Reactions = w.Modules, w.Rules, w.Reactions
	s.Content.Rules.ReplyRules = w.ReplyRules
	s.Content.Rules.Dialects = []game.Dialect{game.ReplyRules(), game.Directives(game.DirectiveOptions{})}
	s.dialects = s.Content.Rules.Dialects
}

// worldBooks makes one book from the entries of each module, and one from all others. The entries
// of an undeclared module are active, like its rules. Entries that are not placed yet are disabled.
func (s *Start) worldBooks(w reactions.YuminaWorld) {
	books := map[string]*reactions.YuminaWorld{}
	order := []string{""}
	for _, m := range w.Modules {
		if m.ID != "" && books[m.ID] == nil {
			order = append(order, m.ID)
			books[m.ID] = &reactions.YuminaWorld{Name: m.ID}
		}
	}
	books[""] = &reactions.YuminaWorld{Name: w.Name}
	for _, e := range w.Entries {
		into, ok := books[e.BookID]
		if !ok {
			into = books[""]
			if e.BookID == rules.Unplaced {
				e.Enabled = new(false)
			}
		}
		into.Entries = append(into.Entries, e)
	}
	for _, id := range order {
		data, _ := books[id].BookJSON() // without data, the reader reports a fatal problem
		book, found := format.ParseSillyTavern(data)
		s.attach(book, worldbook.SourceGlobal, found)
	}
}

// openWith chooses among the enabled greeting entries.
func (s *Start) openWith(w reactions.YuminaWorld, macros worldMacros, number int) {
	var greetings []reactions.YuminaEntry
	for _, e := range w.Entries {
		if e.Role == "greeting" && (e.Enabled == nil || *e.Enabled) {
			greetings = append(greetings, e)
		}
	}
	if len(greetings) == 0 {
		return
	}
	if number < 0 || number >= len(greetings) {
		number = 0
	}
	for _, e := range greetings {
		s.Content.People.Openings = append(s.Content.People.Openings, game.Opening{ID: e.ID, Text: macros.rewrite(e.Content)})
	}
	s.setOpening(greetings[number].ID, macros.fill(greetings[number].Content), "GM")
}
