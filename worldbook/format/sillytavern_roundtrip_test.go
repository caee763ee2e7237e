package format_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// maker makes values as a host can build them.
type maker struct{ *rand.Rand }

func (m maker) text() string {
	return []string{"", "a", "7", "007", "-1", " ", "null", "微笑", "/a|b/i", "\u2028<b>&\x00\"", "true", "1.5"}[m.IntN(12)]
}

func (m maker) texts() []string {
	list := make([]string, m.IntN(4))
	for i := range list {
		list[i] = m.text()
	}
	return list
}

func (m maker) yes() bool { return m.IntN(2) == 0 }

func anyOf[T any](m maker, list ...T) T { return list[m.IntN(len(list))] }

func (m maker) extra() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i := range m.IntN(3) {
		out[fmt.Sprint("Own", i)] = json.RawMessage(anyOf(m, `1.0`, `null`, `[{"a":"x"}]`))
	}
	return out
}

func (m maker) entry() worldbook.Entry {
	flags := []*bool{nil, new(true), new(false)}
	number := []float64{0, 1, -5, 0.5, 100, 1e300}
	return worldbook.Entry{
		UID: m.text(), Keys: m.texts(), SecondaryKeys: m.texts(), Comment: m.text(), Content: m.text(),
		Constant: m.yes(), Vectorized: m.yes(), Selective: m.yes(), Logic: worldbook.Logic(m.IntN(5) - 1),
		AddMemo: m.yes(), Order: anyOf(m, number...), Position: worldbook.Position(m.IntN(9) - 1), Disable: m.yes(),
		IgnoreBudget: m.yes(), ExcludeRecursion: m.yes(), PreventRecursion: m.yes(), DelayUntilRecursion: m.IntN(4),
		MatchScenario: m.yes(), MatchCreatorNotes: m.yes(), Probability: anyOf(m, number...), UseProbability: m.yes(),
		Depth: anyOf(m, 0, 4, worldbook.NoDepth), Role: worldbook.Role(m.IntN(3)), OutletName: m.text(), Group: m.text(),
		GroupOverride: m.yes(), GroupWeight: anyOf(m, number...), ScanDepth: anyOf(m, nil, new(0), new(5)),
		CaseSensitive: anyOf(m, flags...), MatchWholeWords: anyOf(m, flags...), UseGroupScoring: anyOf(m, flags...),
		AutomationID: m.text(), Sticky: m.IntN(5), Cooldown: m.IntN(5), Delay: m.IntN(5), World: anyOf(m, nil, new(m.text())), Extra: m.extra(), CharacterFilter: m.filter(),
	}
}

func (m maker) filter() *worldbook.CharacterFilter {
	switch m.IntN(4) {
	case 0:
		return &worldbook.CharacterFilter{IsExclude: m.yes(), Names: m.texts(), Tags: m.texts()}
	case 1:
		return &worldbook.CharacterFilter{NamesText: m.text(), TagsText: m.text()}
	}
	return nil
}

// TestRoundTrip writes books as a host can build them, and reads them. Every field is the same.
// Writing them again gives the same bytes.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	for seed := range uint64(testkit.Cases(2000, 400)) {
		m := maker{rand.New(rand.NewPCG(seed, 3))}
		want := worldbook.Book{Name: m.text(), Extra: m.extra()}
		used := map[string]bool{}
		for i := range m.IntN(4) {
			e := m.entry()
			if used[e.UID] { // one name in the file is one entry
				e.UID = fmt.Sprint("own", i)
			}
			used[e.UID] = true
			want.Entries = append(want.Entries, e)
		}
		once, err := format.WriteSillyTavern(want)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, problems := format.ParseSillyTavern(once)
		if len(problems) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, problems, once)
		}
		// The file lists its missing members: the members without a JSON form.
		unkept := cmpopts.IgnoreFields(worldbook.Entry{}, "Kept")
		byUID := cmpopts.SortSlices(func(a, b worldbook.Entry) bool { return a.UID < b.UID })
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), unkept, byUID); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, once)
		}
		if twice, err := format.WriteSillyTavern(got); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		} else if again, problems := format.ParseSillyTavern(twice); problems.Err() != nil || !cmp.Equal(got, again, cmpopts.EquateEmpty()) {
			t.Fatalf("seed %d: writing it a second time changes it: %v", seed, problems.Err())
		}
	}
}
