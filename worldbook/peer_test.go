package worldbook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// peerRandom is the generator of the peer's benchmark: 32-bit xorshift.
type peerRandom uint32

func (x *peerRandom) intn(n int) int {
	*x ^= *x << 13
	*x ^= *x >> 17
	*x ^= *x << 5
	return int(uint32(*x) % uint32(n))
}

const (
	peerConsonants = "bdfghjklmnprstvz"
	peerVowels     = "aeiou"
)

var peerFillers = strings.Fields("the and then with from into over under again slowly quiet voice " +
	"night road hand eyes water stone fire door light before after could would they she his that " +
	"this walked looked waited turned heard asked said thought away still")

func (x *peerRandom) word() string {
	var b strings.Builder
	for range 3 + x.intn(2) {
		k := x.intn(80)
		b.WriteByte(peerConsonants[k/5])
		b.WriteByte(peerVowels[k%5])
	}
	return b.String()
}

func peerRegex(form int, w string) string {
	switch form {
	case 0:
		return `/\b` + w + `(?:s|ed|ing)?\b/i`
	case 1:
		return `/(?:^|\W)` + w + `[a-z]{0,3}/`
	case 2:
		return `/` + w + `\s+\w+/i`
	}
	return `/[` + w[:1] + strings.ToUpper(w[:1]) + `]` + w[1:] + `|` + w + `ly/`
}

// peerBook makes the book and the chat of generator st-perf/2.
func peerBook(entries, messages int, regex, recursion bool) ([]wb.Entry, []wb.Message) {
	rng := peerRandom(12345)
	literals := make([][5]string, entries)
	list := make([]wb.Entry, entries)
	for i := range list {
		keys := make([]string, 5)
		for j := range keys {
			w := rng.word()
			if rng.intn(10) < 3 {
				w += " " + rng.word()
			}
			literals[i][j], keys[j] = w, w
			if regex && j == 4 {
				keys[j] = peerRegex(i%4, w)
			}
		}
		list[i] = wb.Entry{UID: fmt.Sprint(i), Keys: keys, Order: 100, Probability: 100, UseProbability: true, Selective: true}
	}
	pick := func() string { return peerFillers[rng.intn(len(peerFillers))] }
	for i := range list {
		words := make([]string, 35)
		for k := range words {
			words[k] = pick()
		}
		if recursion && rng.intn(3) == 0 {
			words = append(words, literals[rng.intn(entries)][rng.intn(5)])
		}
		list[i].Content = strings.Join(words, " ") + "."
	}
	chat := make([]wb.Message, messages)
	for i := range chat {
		text := ""
		for len(text) < 400 {
			if text != "" {
				text += " "
			}
			if rng.intn(20) == 0 {
				text += literals[rng.intn(entries)][rng.intn(5)]
			} else {
				text += pick()
			}
		}
		chat[i] = wb.Message{Name: []string{"User", "Char"}[i%2], Text: text + "."}
	}
	return list, chat
}

func peerSettings(depth int, whole, recursion bool) wb.ProfileSettings {
	return wb.ProfileSettings{
		Depth: depth, Budget: 100, IncludeNames: true, Recursive: recursion,
		MatchWholeWords: whole, CharacterStrategy: wb.StrategyCharacterFirst,
	}
}

// peerActivated lists the activations of the real engine, by entries, messages and set-up: see the
// table of the peer's measurements.
var peerActivated = map[string]int{
	"100/4/plain": 10, "100/4/whole": 10, "100/4/regex": 10, "100/4/recursion": 14,
	"100/100/plain": 97, "100/100/whole": 97, "100/100/regex": 97, "100/100/recursion": 98,
	"1000/4/plain": 12, "1000/4/whole": 12, "1000/4/regex": 12, "1000/4/recursion": 30,
	"1000/100/plain": 279, "1000/100/whole": 278, "1000/100/regex": 279, "1000/100/recursion": 364,
	"10000/4/plain": 17, "10000/4/whole": 15, "10000/4/regex": 17, "10000/4/recursion": 27,
	"10000/100/plain": 342, "10000/100/whole": 324, "10000/100/regex": 338, "10000/100/recursion": 562,
}

// BenchmarkScanPeer scans the books that SillyTavern's engine was measured with (WB-40). With mode
// incremental two messages are new in each scan, with full nothing is cached.
func BenchmarkScanPeer(b *testing.B) {
	for _, entries := range []int{100, 1000, 10000} {
		for _, window := range []int{4, 100} {
			for _, setup := range []string{"plain", "whole", "regex", "recursion"} {
				entriesList, chat := peerBook(entries, window, setup == "regex", setup == "recursion")
				c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entriesList}}},
					peerSettings(window, setup == "whole", setup == "recursion"))
				want := peerActivated[fmt.Sprintf("%d/%d/%s", entries, window, setup)]
				for _, mode := range []string{"full", "incremental"} {
					b.Run(fmt.Sprintf("entries=%d/window=%d/setup=%s/mode=%s", entries, window, setup, mode), func(b *testing.B) {
						benchmarkPeer(b, c, chat, mode, want)
					})
				}
			}
		}
	}
}

func benchmarkPeer(b *testing.B, c *wb.Compiled, chat []wb.Message, mode string, want int) {
	b.ReportAllocs()
	in := wb.Input{Messages: slices.Clone(chat), ContextSize: 1e9, Cache: wb.NewCache(-1)}
	var r wb.Result
	if mode == "incremental" {
		in.Cache = wb.NewCache(1 << 20)
		c.ScanInto(&r, in, wb.State{})
	}
	n := 0
	for b.Loop() {
		if mode == "incremental" { // two fresh texts with the same finds
			n++
			for k := range 2 {
				m := &in.Messages[len(chat)-1-k]
				m.Text = chat[len(chat)-1-k].Text + fmt.Sprintf(" %d", n)
			}
		}
		c.ScanInto(&r, in, wb.State{})
		if len(r.Activated) != want {
			b.Fatalf("%d activated, the real engine has %d", len(r.Activated), want)
		}
	}
}

// TestPeerActivations compares the activated uids with the real engine on books of 1,000 entries
// (WB-32), and the generator with its books. With the race detector one book is enough, because
// nothing here is concurrent.
func TestPeerActivations(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "shared", "measurements", "st-perf-data.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("no peer data at %s", file)
	}
	var peer struct{ Sets []json.RawMessage }
	if err := json.Unmarshal(data, &peer); err != nil {
		t.Fatal(err)
	}
	if testkit.Race {
		peer.Sets = peer.Sets[:1]
	}
	for _, raw := range peer.Sets {
		var set peerSet
		if err := json.Unmarshal(raw, &set); err != nil {
			t.Fatal(err)
		}
		entries, chat := peerBook(len(set.Book.Entries), len(set.Chat), set.Regex, set.Recursion)
		for i := range entries {
			if entries[i].Content != set.Book.Entries[i].Content || !slices.Equal(entries[i].Keys, set.Book.Entries[i].Keys) {
				t.Fatalf("%s: entry %d differs from the generator's", set.Name, i)
			}
		}
		for _, want := range set.Expect {
			c, _ := wb.Compile([]wb.Attachment{{Book: set.Book}}, peerSettings(want.Depth, want.Whole, set.Recursion))
			r, _ := c.Scan(wb.Input{Messages: chat, ContextSize: 1e9}, wb.State{})
			var uids []string
			for _, uid := range want.Activated {
				uids = append(uids, fmt.Sprint(uid))
			}
			if got := activated(&r); !slices.Equal(got, uids) {
				t.Errorf("%s, depth %d, whole words %v: %v, want %v", set.Name, want.Depth, want.Whole, got, uids)
			}
		}
	}
}

// peerSet is one book of the peer's data.
type peerSet struct {
	Name             string
	Regex, Recursion bool
	Chat             []json.RawMessage
	Book             wb.Book
	Expect           []struct {
		Depth     int  `json:"world_info_depth"`
		Whole     bool `json:"world_info_match_whole_words"`
		Activated []int
	}
}
