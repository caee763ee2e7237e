package worldbook_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// scanProperty plays random books and passes each to check, which tests an invariant.
func scanProperty(t *testing.T, check func(rng *rand.Rand, entries []wb.Entry, set wb.ProfileSettings, chat []wb.Message) (before, after []string)) {
	t.Helper()
	t.Parallel()
	books := 300
	if testkit.Race {
		books = 60
	}
	for seed := range books {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		entries := make([]wb.Entry, 1+rng.IntN(8))
		for i := range entries {
			entries[i] = randomEntry(rng, i)
			entries[i].UseProbability, entries[i].Group = false, ""
			entries[i].Order = float64(i * 7 % 31) // all different
		}
		var chat []wb.Message
		for range 6 {
			chat = append(chat, wb.Message{Name: "Ann", Text: randomText(rng)})
		}
		before, after := check(rng, entries, randomSettings(rng), chat)
		if !slices.Equal(before, after) {
			t.Fatalf("seed %d: %v, then %v\n%+v", seed, before, after, entries)
		}
	}
}

func scanOnce(entries []wb.Entry, set wb.ProfileSettings, chat []wb.Message) []string {
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, set)
	r, _ := c.Scan(wb.Input{Messages: chat, ContextSize: 4096}, wb.State{})
	return activated(&r)
}

// Messages beyond every depth change nothing.
func TestWordsBeyondDepthDoNotMatter(t *testing.T) {
	scanProperty(t, func(rng *rand.Rand, entries []wb.Entry, set wb.ProfileSettings, chat []wb.Message) (_, _ []string) {
		set.MinActivations = 0
		deepest := set.Depth
		for _, e := range entries {
			if e.ScanDepth != nil {
				deepest = max(deepest, *e.ScanDepth)
			}
		}
		other := slices.Clone(chat)
		for i := range max(0, len(chat)-deepest) {
			other[i].Text = randomText(rng)
		}
		return scanOnce(entries, set, chat), scanOnce(entries, set, other)
	})
}

// The order in the file does not matter if all order values differ.
func TestFileOrderDoesNotMatter(t *testing.T) {
	scanProperty(t, func(rng *rand.Rand, entries []wb.Entry, set wb.ProfileSettings, chat []wb.Message) (_, _ []string) {
		shuffled := slices.Clone(entries)
		rng.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
		return scanOnce(entries, set, chat), scanOnce(shuffled, set, chat)
	})
}

// A disabled entry changes nothing, and neither does adding entries by overlay
// instead of by book.
func TestOverlayEqualsBook(t *testing.T) {
	scanProperty(t, func(rng *rand.Rand, entries []wb.Entry, set wb.ProfileSettings, chat []wb.Message) (_, _ []string) {
		cut := rng.IntN(len(entries))
		off := entries[0]
		off.UID, off.Disable, off.Constant = "off", true, true
		off.DelayUntilRecursion = 0
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: append([]wb.Entry{off}, entries[:cut]...)}}}, set)
		rest := wb.Book{Name: "rest", Entries: entries[cut:]}
		in := wb.Input{Messages: chat, ContextSize: 4096}
		in.Overlay.Add = []wb.Attachment{{Book: rest}}
		r, _ := c.Scan(in, wb.State{})
		again, _ := c.Scan(in, wb.State{})
		if !slices.Equal(activated(&r), activated(&again)) {
			t.Error("the second scan differs")
		}
		return scanOnce(entries, set, chat), activated(&r)
	})
}

// Scans of one book by many chats at once do not disturb each other (WB-40).
func TestConcurrentScans(t *testing.T) {
	t.Parallel()
	list, src := benchBook(100)
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(10, true))
	for range 8 {
		chat := benchChat(src, 10)
		t.Run("chat", func(t *testing.T) {
			t.Parallel()
			in := wb.Input{Messages: chat, ContextSize: 4096}
			want, _ := c.Scan(in, wb.State{})
			for range 20 {
				if r, _ := c.Scan(in, wb.State{}); !slices.Equal(activated(&r), activated(&want)) {
					t.Fatal("another result")
				}
			}
		})
	}
}
