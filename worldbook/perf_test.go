package worldbook_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex/keytest"
	"github.com/talewright/talewright/internal/perftest"
	wb "github.com/talewright/talewright/worldbook"
)

// nsPerByteR is the yardstick R: a loop that adds up all bytes of a text.
func nsPerByteR() float64 {
	text := keytest.New(1).Text("en", 40000)
	sum := 0
	took := perftest.Best(50, func() { sum += addBytes(text) })
	if sum == 0 {
		panic("no text")
	}
	return float64(took.Nanoseconds()) / float64(len(text))
}

func addBytes(text string) (sum int) {
	for i := range len(text) {
		sum += int(text[i])
	}
	return sum
}

// turns times the three kinds of scans of one chat.
type turns struct{ full, incremental, unchanged time.Duration }

func timeTurns(c *wb.Compiled, chat []wb.Message, window int) (t turns, active int) {
	const runs = 60
	var r wb.Result
	in := wb.Input{Messages: chat[:window], ContextSize: 1e9, Cache: wb.NewCache(-1)}
	t.full = perftest.Best(runs, func() { c.ScanInto(&r, in, wb.State{}) })
	active = len(r.Activated)
	in.Cache = wb.NewCache(0)
	c.ScanInto(&r, in, wb.State{})
	t.unchanged = perftest.Best(runs, func() { c.ScanInto(&r, in, wb.State{}) })
	at := 0
	t.incremental = perftest.Best(runs, func() {
		at += 2
		in.Messages = chat[at : at+window]
		c.ScanInto(&r, in, wb.State{})
	})
	return t, active
}

// TestPerfTurn: a turn costs its new messages, not the window or the book.
func TestPerfTurn(t *testing.T) {
	perftest.Need(t)
	measure := func(entries int) (turns, int) {
		list, src := benchBook(entries)
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(100, false))
		return timeTurns(c, benchChat(src, 300), 100)
	}
	var large turns
	var active int
	again := func() { large, active = measure(10000) }
	perftest.AtMost(t, "incremental against full", 0.25, func() float64 { again(); return perftest.Ratio(large.incremental, large.full) })
	perftest.AtMost(t, "unchanged against full", 0.125, func() float64 { again(); return perftest.Ratio(large.unchanged, large.full) })
	perftest.AtMost(t, "activated entry in R", 600, func() float64 {
		again()
		return float64(large.unchanged.Nanoseconds()) / float64(active) / nsPerByteR()
	})
	t.Logf("full %v, incremental %v, unchanged %v, %d active", large.full, large.incremental, large.unchanged, active)
	var small turns
	var few int
	perftest.AtMost(t, "incremental, 10,000 entries against 100", 4, func() float64 {
		again()
		small, few = measure(100)
		return perftest.Ratio(large.incremental, small.incremental)
	})
	// The larger book has many times as many active entries: one of them must not
	// cost more for the book being large.
	perftest.AtMost(t, "the same for each active entry", 1, func() float64 {
		again()
		small, few = measure(100)
		t.Logf("%v for %d active of 10,000 entries, %v for %d of 100",
			large.incremental, active, small.incremental, few)
		return perftest.Ratio(large.incremental, small.incremental) * float64(few) / float64(active)
	})
	perftest.AtMost(t, "full scan against the loop over all keys", 1.0/200, func() float64 {
		again()
		return perftest.Ratio(large.full, naiveTime())
	})
}

// naiveTime is the yardstick C: every key of a book of 10,000 entries searched
// for in a window of 100 messages.
func naiveTime() time.Duration {
	list, src := benchBook(10000)
	var text strings.Builder
	for _, m := range benchChat(src, 100) {
		text.WriteString(strings.ToLower(m.Name + ": " + m.Text + "\n"))
	}
	found := 0
	return perftest.Best(2, func() { found += naive(list, text.String()) })
}

// TestPerfCold: what a turn costs when other work has emptied the caches.
func TestPerfCold(t *testing.T) {
	perftest.Need(t)
	list, src := benchBook(10000)
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(100, false))
	chat := benchChat(src, 200)
	buffer := make([]byte, coldBuffer)
	var r wb.Result
	// median times 20 scans; each gets two new messages.
	median := func(cache *wb.Cache) time.Duration {
		var took []time.Duration
		in := wb.Input{Messages: chat[:100], ContextSize: 1e9, Cache: cache}
		c.ScanInto(&r, in, wb.State{})
		for i := range 20 {
			in.Messages = chat[2*i+2 : 2*i+102]
			chill(buffer)
			took = append(took, perftest.Best(1, func() { c.ScanInto(&r, in, wb.State{}) }))
		}
		slices.Sort(took)
		return took[len(took)/2]
	}
	perftest.AtMost(t, "cold, incremental against full", 0.5, func() float64 {
		return perftest.Ratio(median(wb.NewCache(0)), median(wb.NewCache(-1)))
	})
	perftest.AtMost(t, "cold, full scan against the loop over all keys", 1.0/200, func() float64 {
		return perftest.Ratio(median(wb.NewCache(-1)), naiveTime())
	})
}

// TestPerfPeer holds the books of the peer's generator to absolute limits: a
// hundred messages of a chat of 300.
func TestPerfPeer(t *testing.T) {
	perftest.Need(t)
	for _, setup := range []string{"plain", "whole", "regex", "recursion"} {
		list, chat := peerBook(10000, 300, setup == "regex", setup == "recursion")
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}},
			peerSettings(100, setup == "whole", setup == "recursion"))
		limit := 1.0
		if setup == "recursion" {
			limit = 3
		}
		var got turns
		perftest.AtMost(t, setup+", full, ms", limit, func() float64 {
			got, _ = timeTurns(c, chat, 100)
			return float64(got.full.Nanoseconds()) / 1e6
		})
		perftest.AtMost(t, setup+", incremental, ms", 0.2, func() float64 {
			got, _ = timeTurns(c, chat, 100)
			return float64(got.incremental.Nanoseconds()) / 1e6
		})
	}
}

// TestPerfBook: making a book, and what it takes in memory without the texts.
func TestPerfBook(t *testing.T) {
	perftest.Need(t)
	list, src := benchBook(10000)
	keys := src.Keys(0, false)
	books := []wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}
	var c *wb.Compiled
	perftest.AtMost(t, "book in sorts of its keys", 12, func() float64 {
		sorted := make([]string, len(keys))
		sort := perftest.Best(5, func() { copy(sorted, keys); slices.Sort(sorted) })
		return perftest.Ratio(perftest.Best(5, func() { c, _ = wb.Compile(books, benchSettings(100, false)) }), sort)
	})
	perftest.AtMost(t, "bytes per entry of five keys", 1200, func() float64 {
		c = nil
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c, _ = wb.Compile(books, benchSettings(100, false))
		runtime.GC()
		runtime.ReadMemStats(&after)
		return float64(after.HeapAlloc-before.HeapAlloc) / float64(len(list))
	})
	if c.Len() != len(list) {
		t.Error("entries are missing")
	}
}

// TestPerfRegex: guards against running every key over the window (V). Keys
// without any literal have no guard and run on every message: they are in the
// set where guards are hit, and left out of the one where none is.
func TestPerfRegex(t *testing.T) {
	perftest.Need(t)
	for hits, limit := range map[string]float64{"some": 1.0 / 8, "none": 1.0 / 500} {
		c, list, chat := regexChat(t, 1000, hits == "some")
		if hits == "none" {
			list = slices.DeleteFunc(list, func(e wb.Entry) bool { return e.Keys[0] == literalFree })
			c, _ = wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(100, false))
		}
		in := wb.Input{Messages: chat, ContextSize: 1e9, Cache: wb.NewCache(-1)}
		all := compileAll(t, list)
		window := joinWindow(chat)
		var r wb.Result
		perftest.AtMost(t, "1,000 regexes, guards hit: "+hits+", against all of them", limit, func() float64 {
			v := perftest.Best(2, func() { matchAll(all, window) })
			return perftest.Ratio(perftest.Best(20, func() { c.ScanInto(&r, in, wb.State{}) }), v)
		})
	}
}

// compileAll compiles the keys of a regex book one by one.
func compileAll(tb testing.TB, list []wb.Entry) []*jsregex.Regexp {
	tb.Helper()
	all := make([]*jsregex.Regexp, len(list))
	for i := range list {
		body, letters, _ := jsregex.SplitKey(list[i].Keys[0])
		flags, err := jsregex.ParseFlags(letters)
		if err == nil {
			all[i], err = jsregex.Compile(body, flags)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	return all
}

// matchAll counts the regexes that match.
func matchAll(all []*jsregex.Regexp, window string) (n int) {
	for _, re := range all {
		if ok, _ := re.Match(window); ok {
			n++
		}
	}
	return n
}

// joinWindow is the text that the peer searches.
func joinWindow(chat []wb.Message) string {
	var b strings.Builder
	b.WriteByte(1)
	for i := range chat {
		if i > 0 {
			b.WriteString("\n\x01")
		}
		m := chat[len(chat)-1-i]
		b.WriteString(strings.TrimSpace(m.Name + ": " + m.Text))
	}
	return b.String()
}
