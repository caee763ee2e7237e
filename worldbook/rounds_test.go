package worldbook_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// round is one round of a chat: the player's line and the replies to it.
type round struct {
	line    string
	replies int
}

// rounds plays rounds. It writes x for each round with an active entry, and a dot for the others.
func rounds(c *wb.Compiled, list []round, change func(*wb.Input)) string {
	var chat []wb.Message
	var st wb.State
	out := ""
	for i, r := range list {
		chat = append(chat, wb.Message{Name: "Ann", Text: r.line, Role: "user"})
		in := wb.Input{Messages: chat, ContextSize: 8192, Round: i + 1}
		if change != nil {
			change(&in)
		}
		var got wb.Result
		got, st = c.Scan(in, st)
		out += ".x"[min(len(got.Activated), 1):][:1]
		for range r.replies {
			chat = append(chat, wb.Message{Name: "Bo", Text: "Hm.", Role: "assistant"})
		}
	}
	return out
}

// roundEntry is an entry with a bell as its key, and durations.
func roundEntry(sticky, cooldown, delay int) wb.Entry {
	return wb.Entry{UID: "1", Keys: []string{"bell"}, Content: "It rings.", ScanDepth: new(1),
		Options: &wb.Options{StickyRounds: sticky, CooldownRounds: cooldown, DelayRounds: delay}}
}

// featureRounds: durations count rounds, for any number of replies.
func featureRounds(t *testing.T) {
	for _, r := range []struct {
		reason                  string
		sticky, cooldown, delay int
		bells, want             string // b is a round with the key
	}{
		{"off", 0, 0, 0, "b..b", "x..x"},
		{"sticky", 2, 0, 0, "b....b", "xxx..x"},
		{"a key while it is sticky does not extend it", 2, 0, 0, "bb....", "xxx..."},
		{"cooldown", 0, 2, 0, "bbbbbb", "x..x.."},
		{"delay", 0, 0, 2, "bbbb", "..xx"},
		{"sticky, then cooldown", 1, 2, 0, "bbbbbbb", "xx..xx."},
		{"all of them", 1, 2, 1, "bbbbbbb", ".xx..xx"},
	} {
		for _, replies := range []int{0, 1, 3} {
			var list []round
			for _, b := range r.bells {
				list = append(list, round{map[rune]string{'b': "A bell!", '.': "Hm."}[b], replies})
			}
			wantText(t, fmt.Sprintf("%s, %d replies", r.reason, replies), rounds(featureBook(t, wb.Exact(), roundEntry(r.sticky, r.cooldown, r.delay)), list, nil), r.want)
		}
	}
}

// TestRoundsReplaceMessages: a duration in rounds replaces the one in messages, which programs
// without rounds use. Each duration has its own unit.
func TestRoundsReplaceMessages(t *testing.T) {
	t.Parallel()
	list := []round{{"A bell.", 1}, {"", 1}, {"", 1}, {"", 1}, {"A bell.", 1}, {"A bell.", 1}}
	e := roundEntry(2, 0, 0)
	e.Sticky = 99
	wantText(t, "rounds win", rounds(featureBook(t, wb.Exact(), e), list, nil), "xxx.xx")
	e = roundEntry(2, 0, 0)
	e.Cooldown = 3 // messages, after the sticky effect
	wantText(t, "sticky in rounds, cooldown in messages", rounds(featureBook(t, wb.Exact(), e), list, nil), "xxx..x")
}

// TestRoundsWithoutScan: a cooldown begins when the sticky effect ends, even if no scan saw that round.
// In a campaign, other characters have rounds alone.
func TestRoundsWithoutScan(t *testing.T) {
	t.Parallel()
	c := featureBook(t, wb.Exact(), roundEntry(1, 2, 0))
	in := wb.Input{ContextSize: 8192, Round: 1, Messages: []wb.Message{{Text: "A bell."}}}
	_, first := c.Scan(in, wb.State{})
	in.Messages = append(in.Messages, wb.Message{Text: "Hm."}, wb.Message{Text: "A bell."})
	for round, want := range map[int]string{2: "1", 3: "", 4: "", 5: "1", 6: "1"} {
		in.Round = round
		got, _ := c.Scan(in, first)
		wantText(t, fmt.Sprint("the next scan is in round ", round), uids(got), want)
	}
}

// TestRoundNumbers: a host that does not pass the number of the round gets it from the roles of the
// messages, or from their number.
func TestRoundNumbers(t *testing.T) {
	t.Parallel()
	list := []round{{"A bell.", 1}, {"", 1}, {"", 1}, {"", 1}, {"A bell.", 1}}
	c := featureBook(t, wb.Exact(), roundEntry(2, 0, 0))
	for what, change := range map[string]func(*wb.Input){
		"by roles": func(in *wb.Input) { in.Round = 0 },
		"by messages": func(in *wb.Input) {
			in.Round, in.Messages = 0, append([]wb.Message{}, in.Messages...)
			for i := range in.Messages {
				in.Messages[i].Role = ""
			}
		},
		"with earlier messages": func(in *wb.Input) {
			in.Round, in.Earlier, in.Messages = 0, len(in.Messages)-1, in.Messages[len(in.Messages)-1:]
		},
	} {
		wantText(t, what, rounds(c, list, change), "xxx.x")
	}
}

// TestRoundsReplay: a reply that is generated again finds the effects of the rounds before, and
// several scans of one round count once.
func TestRoundsReplay(t *testing.T) {
	t.Parallel()
	c := featureBook(t, wb.Exact(), roundEntry(1, 1, 0))
	in := wb.Input{ContextSize: 8192, Round: 4, Messages: []wb.Message{{Text: "Hm."}, {Text: "A bell."}}}
	first, st := c.Scan(in, wb.State{})
	again, st := c.Scan(in, st)
	wantText(t, "again", uids(again), uids(first))
	in.Messages = append(in.Messages, wb.Message{Text: "Who rang?", Role: "assistant"})
	second, st := c.Scan(in, st)
	wantText(t, "a second speaker of the round", uids(second), "1")
	in.Round++
	next, st := c.Scan(in, st)
	wantText(t, "the next round", uids(next), "1")
	in.Round++
	in.Messages = append(in.Messages, wb.Message{Text: "A bell."})
	wantText(t, "explained", gateOf(c, in, st, "1"), "b.1: stopped: cooldown 1 left in rounds")
	in.Round = 1
	wantText(t, "delayed", gateOf(featureBook(t, wb.Exact(), roundEntry(0, 0, 3)), in, wb.State{}, "1"), "b.1: stopped: delay 3 more in rounds")
	id := wb.ID{Book: "b", UID: "1"}
	set := wb.Exact()
	set.QuirksOff = wb.AllQuirks()
	c = featureBook(t, set, roundEntry(1, 1, 0))
	in.Messages = []wb.Message{{Text: "Hm."}}
	for round, want := range map[int]string{7: "1", 8: "1", 9: ""} {
		in.Round = round
		r, _ := c.Scan(in, c.SetSticky(wb.State{}, id, true, 7))
		wantText(t, fmt.Sprint("set by hand in round 7, seen in ", round), uids(r), want)
	}
}

// TestRoundsOracle compares random chats with simple counting.
func TestRoundsOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 7))
	for range 400 {
		sticky, cooldown, delay := rng.IntN(4), rng.IntN(4), rng.IntN(4)
		c := featureBook(t, wb.Exact(), roundEntry(sticky, cooldown, delay))
		var list []round
		var want strings.Builder
		stays, cools := 0, 0 // the last rounds of the effects
		for r := 1; r <= 20; r++ {
			bell := rng.IntN(2) == 0
			list = append(list, round{map[bool]string{true: "A bell.", false: "Hm."}[bell], rng.IntN(3)})
			active := r <= stays
			if !active && r > cools && r > delay && bell {
				active = true
				if sticky > 0 {
					stays = r + sticky
				}
				if cooldown > 0 {
					cools = r + sticky + cooldown
				}
			}
			want.WriteString(map[bool]string{true: "x", false: "."}[active])
		}
		if got := rounds(c, list, nil); got != want.String() {
			t.Fatalf("sticky %d, cooldown %d, delay %d: got %s, want %s for %v", sticky, cooldown, delay, got, want.String(), list)
		}
	}
}
