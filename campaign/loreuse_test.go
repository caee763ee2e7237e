package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// TestLoreUse: a preview shows the lore of a line before it is played, with the running effects, and
// changes nothing. The statistics count the turns of each entry (WB-48).
func TestLoreUse(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth = 1
	content := game.Content{Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{optionBook(t,
		[3]string{"bell", "bell", `"stickyRounds":1,"cooldownRounds":2`}, [3]string{"rain", "rain", `"replaces":"sky"`}, [3]string{"never", "nevr", ""})}}}
	g := compile(t, content)
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("a", "b", "c", "d", "e", "f", "g")})
	ctx, played := context.Background(), map[string]int{}
	id := "cave"
	for _, line := range []string{"The bell.", "I wait.", "The bell in the rain.", "The bell.", "The bell.", "I wait."} {
		before, err := e.Campaign(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		why, err := e.Explain(ctx, id, turn.Submit{Text: line}, "")
		if err != nil {
			t.Fatal(err)
		}
		after, _ := e.Campaign(ctx, id)
		if a, b := mustJSON(t, before), mustJSON(t, after); a != b {
			t.Fatalf("the preview of %q changes the campaign", line)
		}
		out, err := e.Turn(ctx, id, turn.Submit{Text: line})
		if err = errors.Join(err, out.Err()); err != nil {
			t.Fatal(err)
		}
		preview, real := map[string]bool{}, map[string]bool{}
		for _, x := range why.Lore {
			if x.Active {
				preview[x.ID.String()] = true
			}
		}
		for _, l := range out.Turn.Trace.Lore {
			real[l.ID] = true
			played[l.ID]++
		}
		if !reflect.DeepEqual(preview, real) {
			t.Errorf("%q: the preview has %v, the turn %v", line, preview, real)
		}
	}
	use, err := observe.CountLore(g.Book(), e.History(ctx, id, state.HistoryPage{}))
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"b.bell": 4, "b.rain": 4}; !reflect.DeepEqual(played, want) {
		t.Fatalf("the turns have %v, want %v", played, want)
	}
	for _, c := range use.Entries {
		if c.Turns != played[c.ID] {
			t.Errorf("%s is counted %d times, want %d", c.ID, c.Turns, played[c.ID])
		}
	}
	want := strings.Join([]string{`4 of 6 turns: b.bell: keyword "bell" × 2, stays active from an earlier turn × 2`,
		`4 of 6 turns: b.rain: stays active after an earlier match × 3, keyword "rain" × 1`, "0 of 6 turns: b.never", ""}, "\n")
	if got := use.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// Entries that the book no longer has are listed with their comments, each once a turn.
	gone := func(yield func(state.HistoryTurn, error) bool) {
		var one state.HistoryTurn
		lost := state.TraceLore{ID: "b.lost", Comment: "Lost", Why: "constant"}
		one.Trace.Lore = []state.TraceLore{lost, lost}
		if yield(one, nil) {
			yield(one, nil)
		}
	}
	if use, err = observe.CountLore(nil, gone); err != nil || use.String() != "2 of 2 turns: b.lost (Lost): always active × 2\n" {
		t.Errorf("without a book: %s%v", use, err)
	}
	broken := func(yield func(state.HistoryTurn, error) bool) { yield(state.HistoryTurn{}, campaign.ErrNotFound) }
	if use, err = observe.CountLore(nil, iter.Seq2[state.HistoryTurn, error](broken)); !errors.Is(err, campaign.ErrNotFound) || use.Turns != 0 {
		t.Errorf("a broken history gives %v, %v", use, err)
	}
}

// TestLoreOfACast: a preview shows the lore of the members who would answer, and of no others (WB-27,
// WB-48).
func TestLoreOfACast(t *testing.T) {
	t.Parallel()
	book := worldbook.Book{Name: "b"}
	for uid, filter := range map[string]worldbook.CharacterFilter{"elf": {Tags: []string{"elf"}}, "other": {IsExclude: true, Tags: []string{"elf"}}, "lia": {Names: []string{"Lia"}}} {
		book.Entries = append(book.Entries, worldbook.Entry{UID: uid, Constant: true, Content: uid, CharacterFilter: &filter})
	}
	g := compile(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: book}}}, People: game.People{Cast: []game.CastMember{
		{CharacterID: "orin", Card: &card.Card{Name: "Orin", Tags: []string{"elf"}}}, {CharacterID: "lia", Card: &card.Card{Name: "Lia"}}}}})
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("Dust.", "Wind.", "Rain.", "Snow.")}, `{"settings": {"cast.order": "list"}}`)
	for _, c := range []struct {
		audience []string
		want     map[string]bool
	}{
		{nil, map[string]bool{"b.elf": true, "b.other": true, "b.lia": true}},
		{[]string{"orin"}, map[string]bool{"b.elf": true}},
		{[]string{"lia"}, map[string]bool{"b.other": true, "b.lia": true}},
	} {
		line := turn.Submit{Text: "I wait.", Audience: c.audience}
		why, err := e.Explain(t.Context(), "cave", line, "")
		if err != nil {
			t.Fatal(err)
		}
		preview, real := map[string]bool{}, map[string]bool{}
		for _, x := range why.Lore {
			if x.Active {
				preview[x.ID.String()] = true
			}
		}
		for _, l := range turnOf(t, e, line).Turn.Trace.Lore {
			real[l.ID] = true
		}
		if !reflect.DeepEqual(preview, c.want) || !reflect.DeepEqual(real, c.want) {
			t.Errorf("%v: the preview has %v, the turn %v, want %v", c.audience, preview, real, c.want)
		}
	}
}

// TestLoreOfAContinuation: a continued turn has the lore of all its parts, each entry once (WB-27,
// WB-48).
func TestLoreOfAContinuation(t *testing.T) {
	t.Parallel()
	book := worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "first", Constant: true, Content: "1", Triggers: []string{"normal"}},
		{UID: "both", Constant: true, Content: "2"}, {UID: "more", Constant: true, Content: "3", Triggers: []string{"continue"}}}}
	g := compile(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: book}}}})
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("Dust.", "Wind.")})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	do(t, e, turn.Continue{})
	use, err := observe.CountLore(g.Book(), e.History(t.Context(), "cave", state.HistoryPage{}))
	if err != nil || len(use.Entries) != 3 {
		t.Fatal(use, err)
	}
	for _, c := range use.Entries {
		if c.Turns != 1 {
			t.Errorf("%s is counted %d times", c.ID, c.Turns)
		}
	}
	wantExact(t, e)
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
