package memory_test

import (
	"errors"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/worldbook"
)

var _ worldbook.Retriever = (*memory.VectorLore)(nil)

// TestLore checks that entries are found by their meaning, and that the newest message has the
// largest weight.
func TestLore(t *testing.T) {
	t.Parallel()
	s := &scripted{}
	m := openVectors(t, memory.VectorConfig{Embedder: s})
	entries := []worldbook.Entry{
		{UID: "1", Content: "The sword of the king lies in the lake."},
		{UID: "2", Content: "Rain falls all year."},
		{UID: "3", Content: "A sword, but nobody may see it.", Disable: true},
		{UID: "4", Content: " "},
		{UID: "5", Content: "Rain falls all year."},
	}
	lore, err := m.Lore(t.Context(), worldbook.Book{Name: "b", Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	if n := s.asked(); n != 2 {
		t.Errorf("%d texts were asked for: those of equal entries are one", n)
	}
	for _, c := range []struct {
		chat  []string
		limit int
		want  []string
	}{
		{[]string{"a weapon"}, 5, []string{"1"}},
		{[]string{"rain"}, 5, []string{"2", "5"}},
		{[]string{"rain"}, 1, []string{"2"}},
		{[]string{"rain", "a weapon of the lake"}, 5, []string{"1", "2", "5"}},
		{[]string{"a weapon", "rain falls"}, 5, []string{"2", "5", "1"}},
		{[]string{"", "  "}, 5, nil},
		{nil, 5, nil},
		{[]string{"rain"}, 0, nil},
	} {
		var messages []worldbook.Message
		for _, text := range c.chat {
			messages = append(messages, worldbook.Message{Text: text})
		}
		found, err := lore.Retrieve(t.Context(), messages, c.limit)
		var got []string
		for _, id := range found {
			got = append(got, id.UID)
		}
		if diff := gocmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", c.chat, err, diff)
		}
	}
	entries[1].Vectorized = true
	marked, err := m.Lore(t.Context(), worldbook.Book{Name: "b", Entries: entries})
	if err != nil || s.asked() == 0 {
		t.Error(err)
	}
	if found, err := marked.Retrieve(t.Context(), []worldbook.Message{{Text: "a weapon, rain"}}, 5); len(found) != 1 || found[0].UID != "2" || err != nil {
		t.Errorf("of one that is marked: %v, %v", found, err)
	}
	s.wrong = func([][]float32) ([][]float32, error) { return nil, nil }
	if _, err := lore.Retrieve(t.Context(), []worldbook.Message{{Text: "x"}}, 5); !errors.Is(err, memory.ErrVectors) {
		t.Error(err)
	}
	if _, err := m.Lore(t.Context(), worldbook.Book{Entries: []worldbook.Entry{{Content: "new"}}}); !errors.Is(err, memory.ErrVectors) {
		t.Error(err)
	}
}

// TestLoreOfManyEntries checks that entries of one book are found among many nearer ones that come
// from other books.
func TestLoreOfManyEntries(t *testing.T) {
	t.Parallel()
	m := openVectors(t, memory.VectorConfig{Embedder: &scripted{}})
	var other, own []worldbook.Entry
	for i := range 400 {
		other = append(other, worldbook.Entry{UID: fmt.Sprint(i), Content: fmt.Sprintf("wolf %d", i)})
	}
	own = append(own, worldbook.Entry{UID: "far", Content: "wolf among many other words of a long text about rain"})
	if _, err := m.Lore(t.Context(), worldbook.Book{Name: "other", Entries: other}); err != nil {
		t.Fatal(err)
	}
	lore, err := m.Lore(t.Context(), worldbook.Book{Name: "own", Entries: own})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := lore.Retrieve(t.Context(), []worldbook.Message{{Text: "wolf"}}, 3); len(found) != 1 || found[0].UID != "far" || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}
