package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// onWord is a rule that fires on a word of the player.
func onWord(word string, actions ...effect.Effect) rules.Rule {
	return rules.Rule{ID: word, Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{word}}, Actions: actions}
}

// tavernBook has two entries with keys.
func tavernBook() []worldbook.Attachment {
	entry := func(uid, key, content string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Keys: []string{key}, Content: content, Probability: 100, Order: 100, Position: worldbook.PositionAfterCharacter}
	}
	return []worldbook.Attachment{{Book: worldbook.Book{Name: "tavern", Entries: []worldbook.Entry{
		entry("1", "barrel", "The BARREL leaks."), entry("2", "bell", "The BELL is cracked.")}}}}
}

// TestLoreEffects: RU-34. Rules force, add, update and remove lore. A rollback reverts it, and a
// replay leads to the same campaign.
func TestLoreEffects(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	cfg := campaign.Config{Model: numbered(), Game: compile(t, game.Content{Lore: game.Lore{Books: tavernBook()}, Rules: game.Rules{Rules: []rules.Rule{
		onWord("force", effect.ForceEntry{ID: "tavern.1", Turns: 2}),
		onWord("mend", effect.UpdateEntry{ID: "1", Content: text("The BARREL holds."), Keywords: []string{"cask"}}),
		onWord("burn", effect.RemoveEntry{ID: "tavern.2"}),
		onWord("write", effect.AddEntry{ID: "note", BookID: "notes", Content: "The NOTE says one.", Keywords: []string{"paper"}}),
		onWord("rewrite", effect.AddEntry{ID: "note", BookID: "notes", Content: "The NOTE says two.", Keywords: []string{"paper"}}),
		onWord("correct", effect.UpdateEntry{ID: "notes.note", Content: text("The NOTE says three.")}),
		onWord("tear", effect.RemoveEntry{ID: "note"}),
		onWord("path", effect.SetVariable{Path: "@lore.entry.tavern.1", Value: tree.Text("The BARREL is a door.")},
			effect.SetVariable{Path: "@lore.force.tavern.1", Value: tree.Bool(true)}),
		onWord("close", effect.SetVariable{Path: "@lore.entry.tavern.1", Value: tree.Bool(false)}),
		onWord("ghost", effect.ForceEntry{ID: "nobody"}, effect.AddEntry{ID: "1", BookID: "tavern", Content: "x"}),
	}}})}
	requests := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "context.recent_turns": 1}}`)
	for _, step := range []struct{ line, has, hasNot, reason string }{
		{"A barrel.", "BARREL leaks", "BELL", "as the authors wrote it"},
		{"I force it.", "", "BARREL", "rules hear the line when the prompt is built"},
		{"I wait.", "BARREL leaks", "", "forced, without a key"},
		{"I wait on.", "BARREL leaks", "", "for two turns"},
		{"I wait longer.", "", "BARREL", "and no longer"},
		{"I mend it.", "", "BARREL", ""},
		{"I look around for a barrel.", "", "BARREL", "it has another key"},
		{"A cask?", "BARREL holds", "leaks", "and another text"},
		{"I burn it.", "", "BELL", ""},
		{"A bell.", "", "BELL", "it is gone"},
		{"I write.", "", "NOTE", ""},
		{"A paper!", "NOTE says one", "", "added"},
		{"I rewrite.", "", "NOTE", ""},
		{"The paper.", "NOTE says two", "one", "the same id again replaces it"},
		{"I correct.", "", "NOTE", ""},
		{"A paper.", "NOTE says three", "two", "updated"},
		{"I tear it.", "", "", ""},
		{"The paper.", "", "NOTE", "removed"},
		{"A path.", "", "BARREL", "commands are written like variables"},
		{"I wait.", "BARREL is a door", "holds", "updated and forced by paths"},
		{"I close it. A cask.", "BARREL is a door", "", ""},
		{"A cask.", "", "BARREL", "removed by a path"},
	} {
		turnOf(t, e, turn.Submit{Text: step.line})
		lore := ""
		for block, text := range blocks((*requests)[len(*requests)-1]) {
			if strings.HasPrefix(block, "world_") {
				lore += text
			}
		}
		if !strings.Contains(lore, step.has) || step.hasNot != "" && strings.Contains(lore, step.hasNot) {
			t.Errorf("%q (%s): the lore is %q, want %q and not %q", step.line, step.reason, lore, step.has, step.hasNot)
		}
	}
	o := turnOf(t, e, turn.Submit{Text: "A ghost."})
	if refused := jsonOf(t, o.Turn.Trace.Refused); !strings.Contains(refused, "unknown_entry") {
		t.Errorf("refused: %s", refused)
	}
	all := campaignOf(t, e)
	if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, all) {
		t.Errorf("the rebuilt campaign is another: %v", err)
	}
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0000"}); err != nil {
		t.Fatal(err)
	}
	if s := campaignOf(t, e).State; !s.LoreEdits.IsZero() || len(s.Entries) > 0 {
		t.Errorf("after the rollback: %s %s", jsonOf(t, s.LoreEdits), jsonOf(t, s.Entries))
	}
	if _, err := e.Do(t.Context(), "cave", turn.UndoRollBack{}); err != nil {
		t.Fatal(err)
	}
	if s := campaignOf(t, e).State; jsonOf(t, s) != jsonOf(t, all.State) {
		t.Errorf("undone: %s", jsonOf(t, s.LoreEdits))
	}
	// A host can do this between turns.
	do(t, e, turn.ApplyEffects{Effects: effect.List{effect.AddEntry{ID: "bell", BookID: "notes", Content: "A new BELL.", AlwaysOn: true}}})
	do(t, e, turn.ApplyEffects{Effects: effect.List{effect.AddEntry{ID: "once", BookID: "notes", Content: "Once only.", Keywords: []string{"hush"}},
		effect.ForceEntry{ID: "once", Turns: 1}}})
	turnOf(t, e, turn.Submit{Text: "I listen."})
	wantHas(t, "the prompt", jsonOf(t, (*requests)[len(*requests)-1]), "A new BELL.", "Once only.")
	turnOf(t, e, turn.Submit{Text: "I wait."})
	wantHasNot(t, "the next prompt", jsonOf(t, (*requests)[len(*requests)-1]), "Once only.")
}

// TestPrivateLoreUpdate: RU-34, CA-44. Others do not see a private turn's update of an entry: they
// have the old entry.
func TestPrivateLoreUpdate(t *testing.T) {
	t.Parallel()
	secret := "The BARREL hides a secret way."
	cfg := campaign.Config{Model: numbered(), Game: compile(t, game.Content{Lore: game.Lore{Books: tavernBook()}, Rules: game.Rules{Rules: []rules.Rule{
		onWord("find", effect.UpdateEntry{ID: "1", Content: &secret})}}})}
	requests := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"turn.order": "free", "visibility.mode": "strict"}}`)
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I find it.", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{ActorID: "mei", Text: "A barrel."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "A barrel."})
	wantHas(t, "Mei's prompt", jsonOf(t, (*requests)[1]), "The BARREL leaks.")
	wantHasNot(t, "Mei's prompt", jsonOf(t, (*requests)[1]), secret)
	wantHas(t, "Ren's prompt", jsonOf(t, (*requests)[2]), "[known only to Ren] "+secret)
}
