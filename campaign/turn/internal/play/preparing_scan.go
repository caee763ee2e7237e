package play

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

// scanInput returns the input for the scan of the world book: the newest messages as the viewer
// heard them, the lore of the campaign in addition to the books, and the data for the filters of
// entries. The arguments changed and hidden are the changes of the books by templates.
func scanInput(w past.Window, changed []worldbook.Book, hidden []string) worldbook.Input {
	added, without := state.OverlayLore(w.State.Entries, w.Sight().State.LoreEdits, w.Game.LoreIndex, changed...)
	in := worldbook.Input{
		Messages: w.Chat(), User: w.UserName(), Char: w.CharName(),
		ExpandKey:   func(key string) string { return scanned(w.Turn, key) },
		ContextSize: w.ContextSize(), Speaker: speaker(w.Turn),
		Overlay: worldbook.Overlay{Switch: w.State.Ledger.Entries,
			Add: added, Without: without, Closed: prepare.ClosedBooks(w.Turn), Hidden: append(hiddenLore(w.Turn), hidden...)},
		// A condition may read only what the viewer may know. Otherwise the presence of an entry
		// would reveal the value of a variable.
		Condition: w.Game.LoreHolds(w.Readable()), Replies: w.Campaign.State.TurnCount,
		Data: scanData(w.Turn), Greeting: greetingNumber(w.Turn),
		Type: w.In.Generation, Icon: w.In.Icon,
		Injections: prompt.Scene{Note: w.Note()}.ScanTexts(w.Env(), nil),
		Round:      w.Number(), Actors: actingNames(w.Turn),
	}
	in.Earlier = w.Conversation().Earlier + w.WholeChat().Len() - len(in.Messages)
	if keys := greetingKeys(w.Turn); keys != "" && in.Earlier == 0 && len(in.Messages) > 0 {
		in.Messages = slices.Clone(in.Messages) // the conversation owns them
		in.Messages[0].Text += "\n" + keys
	}
	if w.Game.Counts() { // otherwise both use the same estimate
		in.CountTokens, in.CountEach = w.Game.Counter().Count, true
	}
	return in
}

// hiddenLore returns the names of the entries that the viewer may not see, and of the entries that
// belong to the other request of the turn.
func hiddenLore(v draft.Turn) (names []string) {
	if v.HasSecond() {
		names, _ = v.Game.LoreLeftOut(v.Updating, v.State.Entries)
	}
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

// greetingNumber returns the number of the greeting that began the story, as cards count them: 0 is
// the first message, 1 the first alternate greeting.
func greetingNumber(v draft.Turn) int {
	s := &v.Campaign.State
	if n, err := strconv.Atoi(s.GreetingID); err == nil {
		return n
	}
	if c := v.Game.Content().People.Card; c != nil {
		return max(slices.Index(c.AlternateGreetings, s.Greeting)+1, 0)
	}
	return 0
}

// speaker returns the character for filters of entries.
func speaker(v draft.Turn) worldbook.Speaker {
	if c := v.Card(); c != nil {
		return worldbook.Speaker{Name: c.Name, Tags: c.Tags}
	}
	return worldbook.Speaker{}
}

// actingNames returns the ids and names of the characters who act in the turn: the player's, and the
// character who answers.
func actingNames(v draft.Turn) []string {
	names := v.PlayerNames(v.In.ActorID)
	switch {
	case v.Speaker != "":
		names = append(names, v.MemberNames(v.Speaker)...)
	case v.Card() != nil:
		names = append(names, v.TellerNames()...)
	}
	return names
}

// hiddenKey finds the macro {{hidden_key}}, with macros in its argument.
var hiddenKey = regexp.MustCompile(`(?i)\{\{\s*hidden_key\s*:(?:[^{}]|\{\{[^{}]*\}\})*\}\}`)

// greetingKeys returns the hidden keys of the greeting. The stored greeting does not contain them,
// because its macros were expanded for players.
func greetingKeys(v draft.Turn) string {
	n, ok := draft.OpeningIndex(v.Campaign.State.GreetingID, v.Game)
	openings := v.Game.Openings()
	if !ok || n < 0 || n >= len(openings) {
		return ""
	}
	return scanned(v, strings.Join(hiddenKey.FindAllString(openings[n].Text, -1), "\n"))
}

// scanned returns a text of the card as the world book searches it.
func scanned(v draft.Turn, text string) string {
	if !strings.ContainsAny(text, "{<") { // most texts have no macro
		return text
	}
	scene := prompt.Scene{Injections: []prompt.Injection{{Text: text, Scan: true}}}
	return strings.Join(scene.ScanTexts(v.Env(), nil), "")
}

// scanData returns the texts that entries can ask to be searched, with their macros expanded.
func scanData(v draft.Turn) worldbook.ScanData {
	data := worldbook.ScanData{PersonaDescription: v.Persona()}
	if v.Game.Content().People.Persona != "" { // the background of a character is data
		data.PersonaDescription = scanned(v, v.Persona())
	}
	if c := v.Card(); c != nil {
		data.CreatorNotes = scanned(v, c.CreatorNotes)
		if depth, ok := c.DepthPrompt(); ok {
			data.CharacterDepthPrompt = scanned(v, depth.Prompt)
		}
		if v.Speaker == "" {
			data.CharacterDescription, data.CharacterPersonality = scanned(v, c.Description), scanned(v, c.Personality)
			data.Scenario = scanned(v, c.Scenario)
		}
	}
	if v.Speaker != "" {
		s := v.Sheet()
		text := func(t cast.Text) string { return scanned(v, t.Expand(nil)) }
		data.CharacterDescription, data.CharacterPersonality = text(s.Description), text(s.Personality)
		data.Scenario = text(s.Scenario)
	}
	return data
}
