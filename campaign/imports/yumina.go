package imports

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// ErrNotWorld is returned for JSON that is not a world.
var ErrNotWorld = errors.New("imports: not a world: a JSON object with variables, rules or entries is")

// World begins a story with an exported world that [reactions.LoadYumina] reads. It is played as in
// Yumina, with its variables, modules, rules, reactions and reply rules. Its entries become world
// books, one for each module, which open and close with the module. Its greeting entries become
// openings; modules and variables of mode greeting refer to their IDs.
//
// The error wraps [ErrNotWorld].
func World(data []byte, o Options) (Start, error) {
	world, odd := reactions.LoadYumina(data, reactions.YuminaOptions{})
	for _, p := range odd {
		if p.Path == "world" && p.Code == rules.Unreadable {
			return Start{}, fmt.Errorf("%w: %s", ErrNotWorld, p.Text)
		}
	}
	if len(world.Variables)+len(world.Modules)+len(world.Rules)+len(world.Reactions)+len(world.ReplyRules)+len(world.Entries) == 0 {
		return Start{}, fmt.Errorf("%w: it has none of them", ErrNotWorld)
	}
	start := Begin(o)
	start.Setup.Title = world.Name
	start.odd("world", odd)
	start.rules(world)
	if err := start.worldBooks(world); err != nil {
		return Start{}, fmt.Errorf("%w: %w", ErrNotWorld, err)
	}
	start.openWith(world, o.Greeting)
	start.chooseTexts()
	return start, nil
}

// rules adds the variables, modules and rules to the content. A world without variables gets a
// schema that declares none, as in Yumina.
func (s *Start) rules(w reactions.YuminaWorld) {
	s.Content.Rules.Variables = w.Content().Variables
	s.Content.Rules.Modules, s.Content.Rules.Rules, s.Content.Rules.Reactions = w.Modules, w.Rules, w.Reactions
	s.Content.Rules.ReplyRules = w.ReplyRules
}

// worldBooks makes one book from the entries of each module, and one from all others. The entries
// of an undeclared module are active, like its rules. Entries that are not placed yet are disabled.
func (s *Start) worldBooks(w reactions.YuminaWorld) error {
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
		data, err := books[id].BookJSON()
		if err != nil {
			return err
		}
		book, odd := format.ParseSillyTavern(data)
		if err := odd.Err(); err != nil {
			return err
		}
		s.attach(book, worldbook.SourceGlobal, odd)
	}
	return nil
}

// openWith chooses among the enabled greeting entries.
func (s *Start) openWith(w reactions.YuminaWorld, number int) {
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
	s.greet(greetings[number].ID, greetings[number].Content, "GM")
}
