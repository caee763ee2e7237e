package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

func Example() {
	if err := run(context.Background(), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// 21:30 ann: Hello! Some music?
	//   badge: Disc jockey
	//   hook loud: success
	// 21:45 ann: I thank you. And music, please.
	//   hook thanks: success
	//   hook loud: denied
	// 22:00 ann: thank you, thank you
	//   badge: Friend of the house
	//   hook thanks: success
	//   hook friends: success
	//   hook late: success
	//   prompt: It is late. Speak softly, and yawn now and then.
	// 22:15 ann: thanks again
	//   hook thanks: success
	//   hook late: success
	//   prompt: It is late. Speak softly, and yawn now and then.
	// 08:30 the clock of ann goes on
	//   hook morning: success
	//   bot: Good morning! The kettle is on.
	// remembered: [We are close friends now.]
}

// TestMistakesOfAuthors checks that all mistakes are reported with their place before any hook
// runs. This includes content that compiles but is probably not intended.
func TestMistakesOfAuthors(t *testing.T) {
	_, problems := compile([]byte(`[
		{"name": "a", "event": "prompt.before_rendr", "actions": [{"type": "badge", "name": "x"}]},
		{"name": "b", "event": "my.own", "actions": [{"type": "bagde", "name": "x"}]},
		{"name": "c", "event": "my.own", "conditions": {"affektion_gte": 1}, "actions": [{"type": "badge"}]}
	]`), nil)
	for _, want := range []string{"hooks[0].event", "hooks[1].actions[0]", "hooks[2].conditions.affektion_gte", "hooks[2].actions[0].name"} {
		if len(problems.In(want)) == 0 {
			t.Errorf("nothing at %s in\n%v", want, problems)
		}
	}
}

// TestHandlerFails checks that a failed action of the host is a line in the log, and that the other
// actions of the hook run.
func TestHandlerFails(t *testing.T) {
	set, problems := compile([]byte(`[{"id": "h", "name": "h", "event": "my.own", "actions": [
		{"type": "badge", "name": "Knight"}, {"type": "message", "content": "Arise."}]}]`),
		func(context.Context, act.Call) (act.Outcome, error) {
			return act.Outcome{}, errors.New("the badge server is down")
		})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	result := hooks.Run(t.Context(), set, act.Event{ID: "1", Type: "my.own"}, hooks.State{}, hooks.Env{})
	if log := result.Logs[0]; log.Status != act.StatusPartial || !strings.Contains(log.Error, "badge server") {
		t.Errorf("the hook ended as %s: %s", log.Status, log.Error)
	}
	if len(result.Effects) != 1 {
		t.Errorf("the effects are %v", result.Effects)
	}
}

// TestStateIsKept checks that the state of hooks survives the database. A hook that runs once in a
// conversation does not run again.
func TestStateIsKept(t *testing.T) {
	var out strings.Builder
	b := &bot{out: &out, chats: map[string][]byte{}}
	set, problems := compile(authored, b.badge)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	b.set = set
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for range 4 {
		if err := b.hear(t.Context(), "bob", "home", "thank you", noon); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(out.String(), "Friend of the house"); n != 1 {
		t.Errorf("the badge was awarded %d times", n)
	}
	var c chat
	if err := b.with("bob", func(kept *chat) { c = *kept }); err != nil {
		t.Fatal(err)
	}
	if got := c.Relationship.Get("affection"); !got.Equal(tree.Int(94)) {
		t.Errorf("affection is %v, want 94", got)
	}
}
