package worldbook_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// asked is a retriever that records its questions.
type asked struct {
	answer []wb.ID
	err    error
	chats  [][]wb.Message
	limits []int
}

func (a *asked) Retrieve(_ context.Context, chat []wb.Message, limit int) ([]wb.ID, error) {
	a.chats, a.limits = append(a.chats, chat), append(a.limits, limit)
	return a.answer, a.err
}

// TestRetrieve: the questions to a retriever, and the effect of its answers (WB-30).
func TestRetrieve(t *testing.T) {
	t.Parallel()
	one, two, three := wb.ID{Book: "b", UID: "1"}, wb.ID{Book: "b", UID: "2"}, wb.ID{Book: "c", UID: "1"}
	chat := []wb.Message{{Text: "first"}, {Text: "second"}, {Text: "third"}}
	for _, row := range []struct {
		reason       string
		chat         []wb.Message
		depth, limit int
		answer, want []wb.ID
		seen         int // messages; 0: it is not asked
	}{
		{"the newest messages", chat, 2, 9, []wb.ID{two, one}, []wb.ID{two, one}, 2},
		{"more than there are", chat, 9, 9, nil, nil, 3},
		{"too many answers", chat, 1, 2, []wb.ID{one, two, three}, []wb.ID{one, two}, 1},
		{"an answer twice is one", chat, 1, 2, []wb.ID{one, one, three}, []wb.ID{one, three}, 1},
		{"no limit asks nothing", chat, 1, 0, []wb.ID{one}, nil, 0},
		{"no depth asks nothing", chat, 0, 5, []wb.ID{one}, nil, 0},
		{"below 0", chat, -1, -1, []wb.ID{one}, nil, 0},
		{"nothing was said", nil, 3, 5, []wb.ID{one}, nil, 0},
	} {
		r := &asked{answer: row.answer}
		forced, err := wb.Retrieve(context.Background(), r, row.chat, row.depth, row.limit)
		var got []wb.ID
		for _, f := range forced {
			got = append(got, f.ID)
		}
		if err != nil || !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, %v, want %v", row.reason, got, err, row.want)
		}
		switch {
		case row.seen == 0 && len(r.chats) > 0:
			t.Errorf("%s: it is asked about %v", row.reason, r.chats)
		case row.seen > 0 && (len(r.chats) != 1 || len(r.chats[0]) != row.seen || r.limits[0] != row.limit):
			t.Errorf("%s: it is asked %v, limit %v", row.reason, r.chats, r.limits)
		case row.seen > 0:
			r.chats[0][0].Text = "changed"
		}
	}
	if chat[2].Text != "third" || chat[1].Text != "second" {
		t.Error("a retriever can change the chat")
	}
	down := errors.New("down")
	if _, err := wb.Retrieve(context.Background(), &asked{err: down}, chat, 1, 1); !errors.Is(err, down) {
		t.Errorf("error %v", err)
	}
}

// TestEntriesOfACompiledBook: the entries are in the order of scans, under the ids that scans use,
// and are copies.
func TestEntriesOfACompiledBook(t *testing.T) {
	t.Parallel()
	entry := func(uid string, order float64) wb.Entry {
		return wb.Entry{UID: uid, Order: order, Constant: true, Content: uid, ScanDepth: new(2),
			Extra: map[string]json.RawMessage{"own": json.RawMessage("1")}}
	}
	compiled, _ := wb.Compile([]wb.Attachment{
		{Book: wb.Book{Name: "b", Entries: []wb.Entry{entry("1", 5), entry("2", 9)}}},
		{Book: wb.Book{Name: "b", Entries: []wb.Entry{entry("3", 7)}}},
	}, wb.Exact())
	list := func() (ids, contents []string) {
		for id, e := range compiled.Entries() {
			ids, contents = append(ids, id.String()), append(contents, e.Content, string(e.Extra["own"]))
			e.Content, *e.ScanDepth, e.Extra["own"][0], e.Extra["own"] = "changed", 9, '2', nil
		}
		return ids, contents
	}
	for range 2 {
		ids, contents := list()
		if diff := cmp.Diff([]string{"b.2", "b (2).3", "b.1"}, ids); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"2", "1", "3", "1", "1", "1"}, contents); diff != "" {
			t.Error(diff)
		}
	}
	for id := range compiled.Entries() {
		if id.UID != "2" {
			t.Error("the list does not begin with the first")
		}
		break
	}
	r, _ := compiled.Scan(wb.Input{ContextSize: 4096}, wb.State{})
	if len(r.Activated) != 3 || r.Activated[0].ID.String() != "b.2" {
		t.Errorf("%+v", r.Activated)
	}
}
