package state_test

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// TestNotesAboutTexts: a note replaces the notes about the same text and its parts. Without witnesses
// there is no note. The notes before do not change.
func TestNotesAboutTexts(t *testing.T) {
	t.Parallel()
	path := func(keys ...string) tree.Path { return keys }
	var none state.AudienceNotes
	notes := none.With(path("variables", "a"), []string{"ann"}).With(path("variables", "a", "b"), []string{"bo"}).With(path("variables", "ab"), []string{"cy"})
	if len(notes) != 3 {
		t.Fatalf("notes: %v", notes)
	}
	now := notes.With(path("variables", "a"), []string{"dee"})
	if len(now) != 2 || now[0].Witnesses[0] != "cy" || now[1].Witnesses[0] != "dee" || len(notes) != 3 {
		t.Errorf("notes: %v, before: %v", now, notes)
	}
	if now = notes.With(path("variables", "a"), nil); len(now) != 1 || now[0].Witnesses[0] != "cy" {
		t.Errorf("everybody knows it: %v", now)
	}
	if kept := notes.Keep(func(n state.AudienceNote) bool { return len(n.Of) > 2 }); len(kept) != 1 || len(notes) != 3 {
		t.Errorf("kept: %v", kept)
	}
	kept := notes.Keep(func(state.AudienceNote) bool { return true })
	if _ = append(kept, state.AudienceNote{}); len(kept) != 3 || cap(kept) != 3 {
		t.Errorf("all are kept: %v", kept)
	}
}

// TestViewsOfCharacters: a view takes values within the bounds of its field, for a known character.
func TestViewsOfCharacters(t *testing.T) {
	t.Parallel()
	life := map[state.AliveState]state.LifeRule{"alive": {}, "dead": {}}
	c := state.Character{ID: "ann", HP: state.HP{Current: 5, Max: 10}, AreaID: "hall", Status: state.Status{AliveState: "alive"}}
	s := state.State{Characters: []state.Character{{ID: "bo"}, c}, Map: state.Map{Areas: []state.MapArea{{ID: "hall"}, {ID: "yard"}}}}
	v := state.Views{State: &s, Life: life}
	for _, m := range c.Views() {
		if _, _, err := v.WithView(m.Key[:len(m.Key)-3]+"cy", m.Value); err == nil {
			t.Errorf("%s of a character that does not exist", m.Key)
		}
		if next, is, err := v.WithView(m.Key, m.Value); err != nil || !is.Equal(m.Value) || next.(state.Views).Written[1].ID != "ann" || len(next.(state.Views).Evidence) != 1 {
			t.Errorf("%s takes its own value: %v, %v", m.Key, is, err)
		}
		if _, _, err := v.WithView(m.Key, tree.Object()); err == nil {
			t.Errorf("%s takes an object", m.Key)
		}
	}
	for _, m := range []struct {
		key      int
		to, want tree.Value // want does not exist: an error
	}{
		{0, tree.Int(7), tree.Int(7)}, {0, tree.Int(99), tree.Int(10)}, {0, tree.Float(1.5), tree.Value{}},
		{1, tree.Int(3), tree.Int(3)}, {1, tree.Int(0), tree.Int(0)}, {1, tree.Int(-1), tree.Value{}}, {1, tree.Int(1 << 40), tree.Int(1<<31 - 1)},
		{2, tree.Text("yard"), tree.Text("yard")}, {2, tree.Text("moon"), tree.Value{}},
		{3, tree.Text("dead"), tree.Text("dead")}, {3, tree.Text("asleep"), tree.Value{}},
	} {
		key := c.Views()[m.key].Key
		next, is, err := v.WithView(key, m.to)
		if (err == nil) != m.want.Exists() || !is.Equal(m.want) {
			t.Errorf("%s = %s: %v, %v", key, m.to, is, err)
		}
		if err == nil && !next.(state.Views).Written[1].Views()[m.key].Value.Equal(m.want) || s.Characters[1].HP.Current != 5 {
			t.Errorf("%s = %s: written %+v, before %+v", key, m.to, next.(state.Views).Written, s.Characters)
		}
	}
}

// TestAddedLore: an entry without an ID gets a free one; an entry with a known book and ID replaces it.
func TestAddedLore(t *testing.T) {
	t.Parallel()
	add := func(list []effect.AddEntry, id, book string) []effect.AddEntry {
		return state.AddLore(list, effect.AddEntry{ID: id, BookID: book, Content: id + book})
	}
	list := add(add(add(nil, "", "b"), "", "b"), "", "b")
	list = slices.Delete(list, 0, 1) // the next number is in use
	list = add(list, "", "b")
	var ids []string
	for i, e := range list {
		ids = append(ids, state.AddedEntryID(i, e).UID)
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != 3 {
		t.Errorf("ids: %q", ids)
	}
	named := add(add(add(nil, "added-1", "b"), "added-2", "b"), "", "b")
	if id := state.AddedEntryID(2, named[2]).UID; id == "added-1" || id == "added-2" {
		t.Errorf("the new entry has the id %s", id)
	}
	if list := add(add(add(nil, "added-2", "b"), "", "b"), "", "b"); list[1].ID != "added-3" || list[2].ID != "added-4" && state.AddedEntryID(2, list[2]).UID == "added-3" {
		t.Errorf("after a removal: %+v", list)
	}
	before := add(add(nil, "x", "b"), "x", "c")
	after := state.AddLore(before, effect.AddEntry{ID: "x", BookID: "c", Content: "new"})
	if len(after) != 2 || after[0].Content != "xb" || after[1].Content != "new" || before[1].Content != "xc" {
		t.Errorf("replaced: %+v, before: %+v", after, before)
	}
}

// TestForcedLore: a removal is recorded once. Forced entries end after their turn.
func TestForcedLore(t *testing.T) {
	t.Parallel()
	a, b := worldbook.ID{Book: "k", UID: "a"}, worldbook.ID{Book: "k", UID: "b"}
	var e state.LoreEdits
	e, _ = e.Remove(a)
	e, fits := e.Remove(a)
	if !fits || len(e.Removed) != 1 {
		t.Errorf("removed: %q", e.Removed)
	}
	e, _ = e.Force(a, 3, 1)
	e, _ = e.Force(b, 5, 1)
	if now := e.Expire(2); len(now.Forced) != 2 {
		t.Errorf("after turn 2: %v", now.Forced)
	}
	if now := e.Expire(3); len(now.Forced) != 1 || now.Forced[0].ID != b || len(e.Forced) != 2 {
		t.Errorf("after turn 3: %v", now.Forced)
	}
	if now := e.Expire(5); now.Forced != nil {
		t.Errorf("after turn 5: %v", now.Forced)
	}
	if e, _ = e.Remove(b); len(e.Forced) != 1 {
		t.Errorf("a removed entry is forced: %v", e.Forced)
	}
}

// TestMissingPlacesAndMembers: an exit to an unknown area and an unknown member of the party are left
// out.
func TestMissingPlacesAndMembers(t *testing.T) {
	t.Parallel()
	m := state.Map{Areas: []state.MapArea{{ID: "hall"}, {ID: "yard"}}, Paths: []state.MapPath{{From: "hall", To: "yard"}, {From: "hall", To: "moon"}}}
	if exits := m.Exits("hall"); len(exits) != 1 || exits[0].Area.ID != "yard" {
		t.Errorf("exits: %+v", exits)
	}
	s := state.State{Selected: state.Selected{Party: []string{"ann", "ghost"}}, Characters: []state.Character{{ID: "ann"}, {ID: "bo"}}}
	if list := s.PartyMembers(); len(list) != 1 || list[0].ID != "ann" {
		t.Errorf("members: %+v", list)
	}
	if shown := (state.HistoryTurn{}).Shown(); shown.Others != nil {
		t.Errorf("others: %+v", shown.Others)
	}
}

// TestPlayedLore: entries that templates have changed take the place of the entries of the book. The
// changes of the campaign apply to them.
func TestPlayedLore(t *testing.T) {
	t.Parallel()
	world, text := "other", "edited"
	attached := []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal},
		Book: worldbook.Book{Name: "town", Entries: []worldbook.Entry{{UID: "1", Content: "one"}, {UID: "2", Content: "two"}, {UID: "3", World: &world, Content: "three"}}}}}
	compiled, problems := worldbook.Compile(attached, worldbook.ProfileSettings{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	index := func() *state.LoreIndex { return state.NewLoreIndex(compiled, attached) }
	entry := func(uid, content string, world *string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Content: content, World: world}
	}
	played := worldbook.Book{Name: "town", Entries: []worldbook.Entry{entry("1", "played one", nil), entry("1", "twin", nil), {UID: "2", Content: "played two", Comment: " as played"},
		entry("3", "played three", &world), entry("4", "removed", nil)}}
	add, without := state.OverlayLore(nil, state.LoreEdits{Removed: []string{"town.4"}, Changed: []effect.UpdateEntry{{ID: "town.2", Content: &text}}}, index, played)
	var got []string
	for _, a := range add {
		for _, e := range a.Book.Entries {
			got = append(got, a.Book.Name+"."+e.UID+" "+e.Content+e.Comment)
			if e.World != nil {
				t.Errorf("%s has a world", e.UID)
			}
		}
	}
	if want := []string{"town.2 edited as played", "town.1 played one", "other.3 played three"}; !slices.Equal(got, want) {
		t.Errorf("added: %q, want %q", got, want)
	}
	if want := []string{"town.2", "town.1", "other.3", "town.4"}; !slices.Equal(without, want) {
		t.Errorf("without: %q, want %q", without, want)
	}
}

// TestRepairCovers: a repair covers the versions from its beginning up to its own record.
func TestRepairCovers(t *testing.T) {
	t.Parallel()
	for version, want := range map[int64]bool{2: false, 3: true, 6: true, 7: false} {
		if got := (state.RepairNote{From: 3, Version: 7}).Covers(version); got != want {
			t.Errorf("version %d: %t", version, got)
		}
	}
}
