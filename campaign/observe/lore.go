package observe

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/worldbook"
)

// LoreUse says how often each entry of the world books was active in a campaign. An entry that was
// never active has probably a key that no line contains. It is for authors and game masters, because
// it also shows the IDs and keys of entries that players may not see.
type LoreUse struct {
	// Turns is the number of turns that were counted.
	Turns int `json:"turns"`
	// Entries are the entries of the books, in the order of worldbook.Compiled.Entries. Then come
	// entries that the books do not have, by ID: entries that were added during the campaign, and
	// entries of an older version of the books.
	Entries []LoreCount `json:"entries"`
}

// LoreCount is the number of turns in which an entry was active.
type LoreCount struct {
	ID      string `json:"id"` // book and uid
	Comment string `json:"comment,omitempty"`
	Turns   int    `json:"turns"`
	// First and Last are the IDs of the first and the last turn, by their order in the campaign.
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
	// Why counts the reasons: for example constant, sticky, or `key "dragon"`.
	Why map[string]int `json:"why,omitempty"`

	firstIndex, lastIndex int
}

// CountLore counts the entries that were active in turns, for example all turns of a branch:
//
//	use, err := observe.CountLore(g.Book(), engine.History(ctx, id, state.HistoryPage{}))
//
// book may be nil. The other answers to a line do not count. The error is the first error of turns.
// Its cost is in proportion to the traces of the turns.
func CountLore(book *worldbook.Compiled, turns iter.Seq2[state.HistoryTurn, error]) (LoreUse, error) {
	use, at := LoreUse{}, map[string]int{}
	if book != nil {
		for id, e := range book.Entries() {
			if _, known := at[id.String()]; !known {
				at[id.String()] = len(use.Entries)
				use.Entries = append(use.Entries, LoreCount{ID: id.String(), Comment: e.Comment})
			}
		}
	}
	books := len(use.Entries)
	for t, err := range turns {
		if err != nil {
			return LoreUse{}, err
		}
		use.Turns++
		seen := map[string]bool{}
		for _, l := range t.Trace.Lore {
			if seen[l.ID] {
				continue
			}
			seen[l.ID] = true
			i, known := at[l.ID]
			if !known {
				i, at[l.ID] = len(use.Entries), len(use.Entries)
				use.Entries = append(use.Entries, LoreCount{ID: l.ID, Comment: l.Comment})
			}
			use.Entries[i].count(t.Turn, l)
		}
	}
	slices.SortFunc(use.Entries[books:], func(a, b LoreCount) int { return cmp.Compare(a.ID, b.ID) })
	return use, nil
}

// count adds a turn in which the entry was active.
func (c *LoreCount) count(t state.Turn, l state.TraceLore) {
	if c.Turns == 0 || t.Index < c.firstIndex {
		c.First, c.firstIndex = t.ID, t.Index
	}
	if c.Turns == 0 || t.Index > c.lastIndex {
		c.Last, c.lastIndex = t.ID, t.Index
	}
	c.Turns++
	why := l.Why
	if i := strings.LastIndex(why, " in "); i >= 0 { // the place of a key
		why = why[:i]
	}
	if c.Why == nil {
		c.Why = map[string]int{}
	}
	c.Why[why]++
}

// String returns one line for each entry, the most active ones first.
func (u LoreUse) String() string { return u.In("en") }

// In is like String, in a language, "en" or "zh".
func (u LoreUse) In(language string) string {
	w := wordsIn(&game.Texts{}, language)
	list := slices.Clone(u.Entries)
	slices.SortStableFunc(list, func(a, b LoreCount) int { return cmp.Compare(b.Turns, a.Turns) })
	var b strings.Builder
	for _, c := range list {
		b.WriteString(w.say("lore.turns", c.Turns, u.Turns, inLine(c.ID)))
		if c.Comment != "" {
			fmt.Fprintf(&b, " (%s)", inLine(c.Comment))
		}
		if reasons := c.reasons(w); reasons != "" {
			b.WriteString(": " + reasons)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// reasons lists the reasons with their numbers, the most frequent ones first.
func (c LoreCount) reasons(w words) string {
	var list []string
	for _, why := range slices.SortedFunc(maps.Keys(c.Why), func(x, y string) int {
		return cmp.Or(cmp.Compare(c.Why[y], c.Why[x]), cmp.Compare(x, y))
	}) {
		kind, key, _ := strings.Cut(why, " ")
		text := cmp.Or(w["lore."+why], strings.TrimSpace(w.either("lore", kind)+" "+key))
		list = append(list, fmt.Sprintf("%s × %d", inLine(text), c.Why[why]))
	}
	return strings.Join(list, ", ")
}

// inLine returns a text for one line.
func inLine(text string) string { return strings.ReplaceAll(utf8text.Visible(text), "\n", " ") }
