package draft

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/prompt/macro"
)

// TestLogLosesTurns: turns leave a conversation at both ends, and the places of the others follow.
// Macros see messages that are not in memory without their texts.
func TestLogLosesTurns(t *testing.T) {
	t.Parallel()
	v := Voices{Player: func(string) []string { return []string{"Ren"} }, Member: func(id string) []string { return []string{id} }}
	turn := func(n int) *state.Turn {
		return &state.Turn{ID: fmt.Sprint(n), UserInput: fmt.Sprint("line ", n), Text: fmt.Sprint("reply ", n)}
	}
	texts := func(log *Log) (all string) {
		for _, m := range log.Messages {
			all += m.Text + ", "
		}
		return fmt.Sprint(all, log.Starts, log.Gone, log.Earlier)
	}
	log := New("Hello.", []string{"GM"}, MessageSource{}, 0)
	if log.Opening() != 1 || New("", nil, MessageSource{}, 0).Opening() != 0 {
		t.Error("the greeting is not counted")
	}
	if log.DropTurn("") {
		t.Error("a turn was dropped from a conversation without turns")
	}
	for n := range 3 {
		log.Add(turn(n), v)
	}
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() { log.Scripted = map[int]Scripted{2: {}, 4: {}, 5: {}, 6: {}} }, "Hello., line 0, reply 0, line 1, reply 1, line 2, reply 2, [1 3 5] 0 0"},
		{func() { log.DropTurn("turn_0002") }, "Hello., line 0, reply 0, line 1, reply 1, [1 3] 0 0"},
		{func() {
			if got := slices.Sorted(maps.Keys(log.Scripted)); !slices.Equal(got, []int{2, 4}) {
				t.Errorf("scripted lines: %v", got)
			}
		}, "Hello., line 0, reply 0, line 1, reply 1, [1 3] 0 0"},
		{func() { log.Drop(1) }, "line 1, reply 1, [0] 1 3"},
		{func() { log.Drop(1) }, "line 1, reply 1, [0] 1 3"},
		{func() { log.Drop(5) }, "[] 5 5"},
	} {
		if c.change(); texts(log) != c.want {
			t.Errorf("%s, want %s", texts(log), c.want)
		}
	}
	if log.Head != "turn_0002" {
		t.Errorf("the head is %s", log.Head)
	}
	late := New("Hello.", []string{"GM"}, MessageSource{}, 4)
	late.Add(turn(5), v)
	if want := "line 5, reply 5, [0] 4 9"; texts(late) != want {
		t.Errorf("%s, want %s", texts(late), want)
	}
	seen := Macro{Shown{Messages: late.Messages, Sources: late.Sources}, 9}
	if seen.Len() != 11 || seen.Message(8) != (macro.Message{Role: "assistant"}) || seen.Message(9) != (macro.Message{Role: "user", Text: "line 5"}) {
		t.Errorf("%d messages: %+v, %+v", seen.Len(), seen.Message(8), seen.Message(9))
	}
}
