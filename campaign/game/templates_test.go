package game_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/worldbook"
)

// TestFirstEntryOfAnIDWins: of several entries with one ID, the text of the first one is the
// template of that ID.
func TestFirstEntryOfAnIDWins(t *testing.T) {
	t.Parallel()
	entry := func(text string) worldbook.Entry {
		return worldbook.Entry{UID: "1", Constant: true, Content: text, Probability: 100}
	}
	g, problems := game.Compile(game.Content{Lore: game.Lore{Books: []worldbook.Attachment{
		{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{entry("first <%= 1 %>"), entry("second <%= 2 %>")}}}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if piece, _, ok := g.LoreText("b.1"); !ok || piece.Text != "first <%= 1 %>" {
		t.Errorf("got %q, %t", piece.Text, ok)
	}
}
