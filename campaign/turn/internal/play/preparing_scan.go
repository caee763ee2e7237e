package play

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// scanInput is what the world book is searched with: the newest messages as the viewer heard them, the lore of the
// campaign beside that of the books, and what the filters of entries ask for.
func scanInput(w past.Window) worldbook.Input {
	added, without := state.OverlayLore(w.State.Entries, w.Sight().State.LoreEdits, w.Game.LoreIndex)
	in := worldbook.Input{
		Messages: w.Chat(), User: w.UserName(), Char: w.CharName(),
		ContextSize: w.ContextSize(), Speaker: speaker(w.Turn),
		Overlay: worldbook.Overlay{Switch: w.State.Ledger.Entries,
			Add: added, Without: without, Closed: closedBooks(w.Turn), Hidden: hiddenLore(w.Turn)},
		// A condition is decided by what the viewer may know: that an entry is there would tell what a variable holds.
		Condition: w.Game.LoreHolds(w.Readable()), Replies: w.Campaign.State.TurnCount,
		Data: scanData(w.Turn), Greeting: greetingNumber(w.Turn),
		Type: w.In.Generation, Icon: w.In.Icon,
		Injections: noteTexts(w.Turn),
	}
	in.Earlier = w.Conversation().Earlier + w.WholeChat().Len() - len(in.Messages)
	if w.Game.Counts() { // else both estimate alike
		in.CountTokens, in.CountEach = w.Game.Counter().Count, true
	}
	return in
}

// closedBooks names the books that take no part in the turn: those whose name is the id
// of a module that is not active by what the viewer may know: that its lore is there would tell what a
// variable holds.
func closedBooks(v draft.Turn) []string {
	modules := v.Game.Content().Modules
	if len(modules) == 0 {
		return nil
	}
	active := v.Game.Rules().ActiveModules(v.Game.RuleState(v.Sight().State, v.Number()))
	closed := []string{rules.Unplaced}
	for _, m := range modules {
		if !slices.Contains(active, m.ID) {
			closed = append(closed, m.ID)
		}
	}
	return closed
}

// hiddenLore names the entries that the viewer may not see.
func hiddenLore(v draft.Turn) (names []string) {
	viewer := v.Viewer()
	for id, witnesses := range v.Game.PrivateLore() {
		if !viewer.Sees(witnesses) {
			names = append(names, id)
		}
	}
	sight := v.Sight()
	for i, e := range v.State.Entries {
		if sight.HidesEntry(i, e) {
			names = append(names, state.AddedEntryID(i, e).String())
		}
	}
	return names
}

// greetingNumber is the number of the greeting that the story began with, as cards count
// them: 0 is the first message, 1 the first alternate one.
func greetingNumber(v draft.Turn) int {
	s := &v.Campaign.State
	if n, err := strconv.Atoi(s.GreetingID); err == nil {
		return n
	}
	if c := v.Game.Content().Card; c != nil && s.GreetingID == "" {
		return max(slices.Index(c.AlternateGreetings, s.Greeting)+1, 0)
	}
	return 0
}

// speaker is the character as filters of entries see it.
func speaker(v draft.Turn) worldbook.Speaker {
	if c := v.Card(); c != nil {
		return worldbook.Speaker{Name: c.Name, Tags: c.Tags}
	}
	return worldbook.Speaker{}
}

func scanData(v draft.Turn) worldbook.ScanData {
	data := worldbook.ScanData{PersonaDescription: v.Game.Content().Persona}
	if c := v.Card(); c != nil {
		data.CharacterDescription, data.CharacterPersonality = c.Description, c.Personality
		data.Scenario, data.CreatorNotes = c.Scenario, c.CreatorNotes
		if depth, ok := c.DepthPrompt(); ok {
			data.CharacterDepthPrompt = depth.Prompt
		}
	}
	if v.Speaker != "" {
		s := v.Sheet()
		data.CharacterDescription, data.CharacterPersonality = s.Description.Expand(nil), s.Personality.Expand(nil)
		data.Scenario = s.Scenario.Expand(nil)
	}
	return data
}

// noteTexts are the texts beside the chat that the world book is searched in.
func noteTexts(v draft.Turn) []string {
	if !v.Game.Content().Note.Scan {
		return nil
	}
	return prompt.Scene{Note: v.Note()}.ScanTexts(v.Env(), nil)
}
