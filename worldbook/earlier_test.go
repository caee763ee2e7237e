package worldbook_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// TestEarlierMessagesCount: a scan of only the messages within its reach gives the same result as a
// scan of all. Earlier messages count for timers and are not searched.
func TestEarlierMessagesCount(t *testing.T) {
	t.Parallel()
	depth := 6
	book := wb.Book{Entries: []wb.Entry{
		{UID: "1", Keys: []string{"bell"}, Content: "It rings.", Probability: 100, GroupWeight: 100, Sticky: 3, Cooldown: 7, ScanDepth: &depth},
		{UID: "2", Keys: []string{"word"}, Content: "A word.", Probability: 100, GroupWeight: 100, Delay: 90},
		{UID: "3", Keys: []string{"far"}, Content: "Far.", Probability: 100, GroupWeight: 100},
	}}
	for _, change := range []func(*wb.ProfileSettings){
		func(s *wb.ProfileSettings) { s.Depth = 4 },
		func(s *wb.ProfileSettings) { s.Depth, s.MinActivations, s.MinActivationsDepthMax = 1, 2, 9 },
		func(s *wb.ProfileSettings) { s.Depth, s.DepthExcludesCurrent = 3, true },
	} {
		settings := wb.Exact()
		change(&settings)
		c, problems := wb.Compile([]wb.Attachment{{Book: book, Sources: []wb.Source{wb.SourceGlobal}}}, settings)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		var all []wb.Message
		var whole, short wb.State
		lit := 0
		for i := range 120 {
			text := fmt.Sprint("line ", i)
			switch {
			case i%11 == 3:
				text += " with a bell"
			case i%9 == 1:
				text += " and a word"
			case i%17 == 0:
				text += " from far"
			}
			all = append(all, wb.Message{Name: "Ann", Text: text})
			given := min(len(all), c.Reach())
			var want, got wb.Result
			want, whole = c.Scan(wb.Input{Messages: all, ContextSize: 8192}, whole)
			got, short = c.Scan(wb.Input{Messages: all[len(all)-given:], Earlier: len(all) - given, ContextSize: 8192}, short)
			if diff := cmp.Diff(fmt.Sprintf("%+v %+v", want, whole), fmt.Sprintf("%+v %+v", got, short)); diff != "" {
				t.Fatalf("message %d (-all +the newest %d):\n%s", i, given, diff)
			}
			lit += len(got.Activated)
		}
		if lit < 20 || c.Reach() > 12 {
			t.Errorf("%d entries were lit, the reach is %d: the test shows little", lit, c.Reach())
		}
	}
}
