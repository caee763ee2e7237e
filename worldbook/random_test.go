package worldbook_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

var (
	vocabulary = []string{
		"elf", "Elf", "dragon", "dragon lord", "red", "魔法", "魔法师", "a", "HP", "caf", "café",
		"Σίσυφος", "king's", "sword", "swordfish", "雨", "x", "sisters",
	}
	regexKeys = []string{
		`/dragons?/i`, `/\bred\b/`, `/(?:^|\W)elf/`, `/sw[a-z]+d/`, `/x\s+y/`, `/魔法|sword/`,
		`/\Wred\W/`, `/\x01Ann: /`, `/(?:red|HP)\w*/i`, `/a.c/`, `/sister[^a-z]/i`,
	}
	fillers = []string{"the", "of", " ", "\n", "很", "，", "y", "b", "-", "ss"}
)

// pick returns one of a list.
func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// randomText mixes words of keys with other words, joined with and without blanks, so that edges of
// all kinds occur.
func randomText(rng *rand.Rand) string {
	text := ""
	for range rng.IntN(9) {
		if rng.IntN(3) == 0 {
			text += pick(rng, vocabulary)
		} else {
			text += pick(rng, fillers)
		}
		if rng.IntN(2) == 0 {
			text += " "
		}
	}
	return text
}

// randomKeys makes n keys, one in five a regex.
func randomKeys(rng *rand.Rand, n int) []string {
	var keys []string
	for range n {
		if rng.IntN(5) == 0 {
			keys = append(keys, pick(rng, regexKeys))
		} else {
			keys = append(keys, pick(rng, vocabulary))
		}
	}
	return keys
}

// maybe returns a pointer in one of four cases, else nil: the setting decides.
func maybe[T any](rng *rand.Rand, v T) *T {
	if rng.IntN(4) == 0 {
		return &v
	}
	return nil
}

// randomEntry makes an entry that may use every field. One in ten has more keys than the bits of an
// entry.
func randomEntry(rng *rand.Rand, uid int) wb.Entry {
	one := func(n int) bool { return rng.IntN(n) == 0 }
	when := func(n, v int) int {
		if one(n) {
			return v
		}
		return 0
	}
	keys := rng.IntN(4)
	if one(10) {
		keys += 8
	}
	return wb.Entry{
		UID: fmt.Sprint(uid), Keys: randomKeys(rng, keys), Content: randomText(rng),
		SecondaryKeys: randomKeys(rng, rng.IntN(3)), Selective: one(2), Logic: wb.Logic(rng.IntN(4)),
		Order: float64(rng.IntN(6)), Constant: one(12), Disable: one(15), IgnoreBudget: one(8),
		ExcludeRecursion: one(6), PreventRecursion: one(6), DelayUntilRecursion: when(6, 1+rng.IntN(2)),
		Probability: float64(pick(rng, []int{0, 40, 100})), UseProbability: one(3),
		Group: pick(rng, []string{"", "", "", "g", "h"}), GroupOverride: one(6),
		GroupWeight: float64(1 + rng.IntN(3)), ScanDepth: maybe(rng, rng.IntN(5)),
		CaseSensitive: maybe(rng, one(2)), MatchWholeWords: maybe(rng, one(2)),
		UseGroupScoring: maybe(rng, one(2)), Sticky: when(6, 3), Cooldown: when(6, 2),
		Position: wb.Position(rng.IntN(8)), Depth: rng.IntN(3), Role: wb.Role(rng.IntN(3)),
		OutletName: pick(rng, []string{"", "a", "b"}), Comment: fmt.Sprint("title ", uid),
		Delay: when(8, 3), MatchPersonaDescription: one(4), MatchScenario: one(4),
		Literal: one(6),
	}
}

// randomSettings never sets both limits: the editor does not either.
func randomSettings(rng *rand.Rand) wb.ProfileSettings {
	s := wb.ProfileSettings{
		Depth: rng.IntN(4), Budget: pick(rng, []float64{100, 100, 3, 10}), IncludeNames: true,
		Recursive: rng.IntN(2) == 0, CaseSensitive: rng.IntN(4) == 0,
		MatchWholeWords: rng.IntN(2) == 0, UseGroupScoring: rng.IntN(4) == 0,
	}
	switch rng.IntN(4) {
	case 0:
		s.MinActivations, s.MinActivationsDepthMax = 1+rng.IntN(4), rng.IntN(3)
	case 1:
		s.MaxRecursionSteps = 1 + rng.IntN(3)
	}
	return s
}

// mutate adds, edits, deletes or replaces messages.
func mutate(rng *rand.Rand, chat []wb.Message) []wb.Message {
	message := func() wb.Message {
		return wb.Message{Name: pick(rng, []string{"Ann", "Bo"}), Text: randomText(rng)}
	}
	chat = slices.Clone(chat)
	switch n := len(chat); {
	case n == 0 || rng.IntN(2) == 0:
		chat = append(chat, message())
	case rng.IntN(3) == 0:
		chat[rng.IntN(n)] = message()
	case rng.IntN(2) == 0:
		chat = slices.Delete(chat, n-1, n)
	default:
		chat[n-1] = message()
	}
	return chat
}

// TestAgainstOracle compares the scan with the slow, simple one on random books and chats, with a
// warm cache and without (WB-32, WB-40). TALEWRIGHT_LONG=1 tries 20,000 books.
func TestAgainstOracle(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	books := testkit.Cases(1000, 200)
	if os.Getenv("TALEWRIGHT_LONG") != "" {
		books = 20000
	}
	for seed := range books {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		entries := make([]wb.Entry, 1+rng.IntN(10))
		for i := range entries {
			entries[i] = randomEntry(rng, i)
		}
		set := randomSettings(rng)
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, set)
		var chat []wb.Message
		var state wb.State
		var reused wb.Result
		for turn := range 6 {
			chat = mutate(rng, chat)
			in := wb.Input{Messages: chat, ContextSize: 300, DryRun: rng.IntN(8) == 0}
			in.Data = wb.ScanData{PersonaDescription: pick(rng, vocabulary), Scenario: randomText(rng)}
			if text := randomText(rng); rng.IntN(3) == 0 && text != "" {
				in.Injections = []string{text}
			}
			where := fmt.Sprintf("seed %d turn %d", seed, turn)
			state = compareWithOracle(t, c, entries, set, in, state, &reused, where)
			if t.Failed() {
				return
			}
		}
	}
}

// compareWithOracle scans in four ways: in the same way as the oracle, into a used result, without
// a cache, and with explanations.
func compareWithOracle(
	t *testing.T, c *wb.Compiled, entries []wb.Entry, set wb.ProfileSettings,
	in wb.Input, st wb.State, reused *wb.Result, where string,
) wb.State {
	t.Helper()
	source := func() func() float64 { return rand.New(rand.NewPCG(uint64(len(where)), 3)).Float64 }
	in.Random = source()
	want, rolls, overflow, wantState := oracleScan(entries, set, in, st)
	in.Random = source()
	r, next := c.Scan(in, st)
	got := activated(&r)
	if !slices.Equal(got, want) || len(r.Rolls) != rolls || r.Overflowed != overflow {
		t.Errorf("%s: got %v %d rolls overflow %v, the oracle has %v %d %v\n%+v\n%+v\n%+v",
			where, got, len(r.Rolls), r.Overflowed, want, rolls, overflow, set, entries, in)
	}
	if !sameRecords(next.Sticky, wantState.Sticky) || !sameRecords(next.Cooldown, wantState.Cooldown) {
		t.Errorf("%s: state %v, the oracle has %v", where, next, wantState)
	}
	in.Random = source()
	c.ScanInto(reused, in, st)
	sameResult(t, where+", into a used result", *reused, r)
	in.Random, in.Cache, in.Explain = source(), wb.NewCache(-1), true
	cold, _ := c.Scan(in, st)
	cold.Trace = nil
	sameResult(t, where+", without a cache and explained", cold, r)
	return next
}

// sameResult compares all data of two results. It builds texts only for differences, because cmp is
// slow.
func sameResult(t *testing.T, where string, got, want wb.Result) {
	t.Helper()
	if fmt.Sprint(got) == fmt.Sprint(want) {
		return
	}
	options := cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(wb.Result{})}
	if diff := cmp.Diff(want, got, options); diff != "" {
		t.Errorf("%s: %s", where, diff)
	}
}

// activated lists uids in activation order.
func activated(r *wb.Result) []string {
	var uids []string
	for _, a := range r.Activated {
		uids = append(uids, a.ID.UID)
	}
	return uids
}

// sameRecords compares without hashes.
func sameRecords(a, b map[string]wb.Record) bool {
	return maps.EqualFunc(a, b, func(x, y wb.Record) bool {
		x.Hash, y.Hash = "", ""
		return x == y
	})
}
