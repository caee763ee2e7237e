package turn

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/talewright/talewright/campaign/lorebook"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/worldbook"
)

// closedBooks names the books that take no part in the turn: those whose name is the id
// of a module that is not active.
func (sc scenery) closedBooks() []string {
	modules := sc.Game.Content().Modules
	if len(modules) == 0 {
		return nil
	}
	active := sc.Game.Rules().ActiveModules(sc.Game.RuleState(sc.State, sc.Number()))
	closed := []string{declare.Unplaced}
	for _, m := range modules {
		if !slices.Contains(active, m.ID) {
			closed = append(closed, m.ID)
		}
	}
	return closed
}

// greetingNumber is the number of the greeting that the story began with, as cards count
// them: 0 is the first message, 1 the first alternate one.
func (sc scenery) greetingNumber() int {
	s := &sc.Campaign.State
	if n, err := strconv.Atoi(s.GreetingID); err == nil {
		return n
	}
	if c := sc.Game.Content().Card; c != nil && s.GreetingID == "" {
		return max(slices.Index(c.AlternateGreetings, s.Greeting)+1, 0)
	}
	return 0
}

// loreCondition decides the conditions of entries for one scan, by what the viewer may know: that an
// entry is there would tell what a variable holds.
func (sc scenery) loreCondition() func(json.RawMessage) bool {
	return sc.Game.LoreHolds(sc.Readable())
}

// scanInput is what the world book is searched with.
func (sc scenery) scanInput() worldbook.Input {
	added, without := lorebook.Overlay(sc.State.Entries, sc.Sight().State.LoreEdits, sc.Game.LoreIndex)
	in := worldbook.Input{
		Messages: sc.chat(), User: sc.UserName(), Char: sc.CharName(),
		ContextSize: sc.contextSize(), Speaker: sc.bookSpeaker(),
		Overlay: worldbook.Overlay{Switch: sc.State.Ledger.Entries,
			Add: added, Without: without, Closed: sc.closedBooks(), Hidden: sc.hiddenLore()},
		Condition: sc.loreCondition(), Replies: sc.Campaign.State.TurnCount,
		Data: sc.scanData(), Greeting: sc.greetingNumber(),
		Type: sc.In.Generation, Icon: sc.In.Icon,
		Injections: sc.noteTexts(),
	}
	in.Earlier = sc.conversation().Earlier + sc.wholeChat().Len() - len(in.Messages)
	if sc.Game.Counts() { // else both estimate alike
		in.CountTokens, in.CountEach = sc.Game.Counter().Count, true
	}
	return in
}

// whichLore asks for entries by meaning, if the content wants that.
func whichLore(t *run) *question.Retrieve {
	want := t.game.Content().Retrieval
	if want.Limit <= 0 {
		return nil
	}
	chat := t.scenery().chat()
	newest := chat[max(0, len(chat)-max(cmp.Or(want.Depth, 4), 0)):]
	return &question.Retrieve{Messages: newest, Limit: want.Limit}
}

// retrieved activates what was found.
func retrieved(t *run, found Retrieved) {
	if found.Error != "" {
		t.stage.Staged.Warn("retriever: %s", found.Error)
	}
	for _, id := range found.IDs[:min(len(found.IDs), t.game.Content().Retrieval.Limit)] {
		t.found.forced = append(t.found.forced, worldbook.Forced{ID: id})
	}
}
