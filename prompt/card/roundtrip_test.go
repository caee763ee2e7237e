package card_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/prompt/card"
)

// maker makes values as a host can build them.
type maker struct{ *rand.Rand }

func (m maker) text() string {
	return []string{"", "", "a", " ", "{{char}}", "\u2028<b>&\x00\"", "微笑", "😀", "@@depth 1\nx", "../x",
		"\ufeff", "null", "\ufffd", "main"}[m.IntN(14)]
}

func (m maker) texts() []string {
	list := make([]string, m.IntN(4))
	for i := range list {
		list[i] = m.text()
	}
	return list
}

func (m maker) raw() json.RawMessage {
	return json.RawMessage([]string{`1`, `"x"`, `null`, `[1,{"a":null}]`, `{"b":1e999}`, `true`, `0.10`, `"\ud800"`}[m.IntN(8)])
}

func (m maker) members() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i := range m.IntN(3) {
		out[fmt.Sprint("own", i)] = m.raw()
	}
	return out
}

func (m maker) number() float64 {
	return []float64{0, 1, -5, 0.1, 1e300, math.MaxInt32, -math.MaxFloat64, 5e-324}[m.IntN(8)]
}

func (m maker) date() int64 {
	return []int64{0, 1, -1, 1718000000, 1<<53 + 1, math.MaxInt64, math.MinInt64}[m.IntN(7)]
}

func some[T any](m maker, v T) *T {
	if m.IntN(2) == 0 {
		return nil
	}
	return &v
}

func (m maker) asset() card.Asset {
	return card.Asset{Type: m.text(), URI: m.text(), Name: m.text(), Ext: m.text(), Extra: m.members()}
}

func (m maker) entry() card.BookEntry {
	return card.BookEntry{
		Keys: m.texts(), Content: m.text(), Extensions: m.members(), Enabled: m.IntN(2) == 0,
		InsertionOrder: m.number(), CaseSensitive: some(m, m.IntN(2) == 0), UseRegex: m.IntN(2) == 0,
		Constant: m.IntN(2) == 0, Name: m.text(), Priority: some(m, m.number()),
		ID: json.RawMessage([]string{"", "7", `"x"`, "-1.5", "0"}[m.IntN(5)]), Comment: m.text(),
		Selective: m.IntN(2) == 0, SecondaryKeys: m.texts(),
		// An empty position is read as the default.
		Position: []string{"before_char", "after_char", "elsewhere"}[m.IntN(3)], Extra: m.members(),
	}
}

func (m maker) book() card.Book {
	b := card.Book{
		Name: m.text(), Description: m.text(), ScanDepth: some(m, int(m.Int32())), TokenBudget: some(m, -1),
		RecursiveScanning: some(m, m.IntN(2) == 0), Extensions: m.members(), Extra: m.members(),
	}
	for range m.IntN(3) {
		b.Entries = append(b.Entries, m.entry())
	}
	return b
}

func (m maker) card(t *testing.T) card.Card {
	book, err := json.Marshal(m.book())
	if err != nil {
		t.Fatal(err)
	}
	c := card.Card{
		Spec: card.V2 + card.Spec(m.IntN(2)), Name: m.text(), Description: m.text(), Personality: m.text(),
		Scenario: m.text(), FirstMes: m.text(), MesExample: m.text(), CreatorNotes: m.text(),
		SystemPrompt: m.text(), PostHistoryInstructions: m.text(), AlternateGreetings: m.texts(),
		CharacterBook: []json.RawMessage{nil, book}[m.IntN(2)], Tags: m.texts(), Creator: m.text(),
		CharacterVersion: m.text(), Extensions: m.members(), Nickname: m.text(),
		GroupOnlyGreetings: m.texts(), Source: m.texts(), CreationDate: m.date(), ModificationDate: m.date(),
		CreatorNotesMultilingual: map[string]string{m.text(): m.text()}, Extra: m.members(), RootExtra: m.members(),
	}
	c.SpecVersion = map[card.Spec]string{card.V2: "2.0", card.V3: "3.0"}[c.Spec]
	if m.IntN(2) == 0 {
		c.Assets = []card.Asset{m.asset(), m.asset()}[:m.IntN(3)]
	}
	return c
}

// TestRoundTrip writes and reads values that a host can build: they must be equal.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	same := cmpopts.EquateEmpty()
	for seed := range uint64(1000) {
		m := maker{rand.New(rand.NewPCG(seed, 1))}
		roundTripOf(t, seed, m.card(t), same)
		roundTripOf(t, seed, m.book(), same)
		roundTripOf(t, seed, m.entry(), same)
		roundTripOf(t, seed, m.asset(), same)
	}
	// No list of assets is different from an empty list.
	for _, assets := range [][]card.Asset{nil, {}} {
		out, err := json.Marshal(card.Card{Assets: assets})
		var back card.Card
		if err != nil || json.Unmarshal(out, &back) != nil || (back.Assets == nil) != (assets == nil) {
			t.Errorf("%#v became %#v: %s", assets, back.Assets, out)
		}
	}
}

func roundTripOf[T any](t *testing.T, seed uint64, want T, opts ...cmp.Option) {
	t.Helper()
	out, err := json.Marshal(want)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	var got T
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, out)
	}
	if diff := cmp.Diff(want, got, opts...); diff != "" {
		t.Fatalf("seed %d: %T (-want +got):\n%s\n%s", seed, want, diff, out)
	}
}
