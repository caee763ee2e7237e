package worldbook_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// nsPerByteR is the reference R: a loop that adds up all bytes of a text.
func nsPerByteR() float64 {
	text := testkit.New(1).Text("en", 40000)
	sum := 0
	took := testkit.Best(50, func() { sum += addBytes(text) })
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

// turns are the times of the three kinds of scans.
type turns struct{ full, incremental, unchanged time.Duration }

// turnTimer times turns of one chat.
type turnTimer struct {
	c      *wb.Compiled
	chat   []wb.Message
	window int
	active int // in the first window
	turns
}

// round takes the shortest times so far. Rounds of several timers alternate, so that a disturbance
// of the machine affects all of them.
func (t *turnTimer) round() {
	const runs = 40
	var r wb.Result
	scan := func(in *wb.Input) func() {
		return func() { t.c.ScanInto(&r, *in, wb.State{}) }
	}
	shorter := func(best *time.Duration, took time.Duration) {
		if *best == 0 || took < *best {
			*best = took
		}
	}
	in := wb.Input{Messages: t.chat[:t.window], ContextSize: 1e9, Cache: wb.NewCache(-1)}
	shorter(&t.full, testkit.Best(runs, scan(&in)))
	t.active = len(r.Activated)
	in.Cache = wb.NewCache(0)
	scan(&in)()
	shorter(&t.unchanged, testkit.Best(runs, scan(&in)))
	at := 0
	shorter(&t.incremental, testkit.Best(min(runs, (len(t.chat)-t.window)/2), func() {
		at += 2
		in.Messages = t.chat[at : at+t.window]
		scan(&in)()
	}))
}

// timeTurns runs rounds of all timers.
func timeTurns(timers ...*turnTimer) {
	for range 8 {
		for _, t := range timers {
			t.round()
		}
	}
}

// TestPerfTurn: a turn costs its new messages, not the window or the book.
func TestPerfTurn(t *testing.T) {
	testkit.Need(t)
	timer := func(entries int) *turnTimer {
		list, src := benchBook(entries)
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(100, false))
		return &turnTimer{c: c, chat: benchChat(src, 200), window: 100}
	}
	large, small := timer(10000), timer(100)
	// A second try continues the first.
	atMost := func(what string, limit float64, measure func() float64) {
		testkit.AtMost(t, what, limit, func() float64 {
			timeTurns(large, small)
			return measure()
		})
	}
	atMost("incremental against full", 0.25, func() float64 { return testkit.Ratio(large.incremental, large.full) })
	atMost("unchanged against full", 0.125, func() float64 { return testkit.Ratio(large.unchanged, large.full) })
	atMost("activated entry in R", 600, func() float64 {
		return float64(large.unchanged.Nanoseconds()) / float64(large.active) / nsPerByteR()
	})
	atMost("incremental, 10,000 entries against 100", 4, func() float64 {
		return testkit.Ratio(large.incremental, small.incremental)
	})
	// The larger book has several times as many active entries. The cost of each must not depend on
	// the size of the book.
	atMost("the same for each active entry", 1, func() float64 {
		return testkit.Ratio(large.incremental, small.incremental) * float64(small.active) / float64(large.active)
	})
	atMost("full scan against the loop over all keys", 1.0/200, func() float64 {
		return testkit.Ratio(large.full, naiveTime())
	})
	t.Logf("10,000 entries: %+v, %d active; 100: %+v, %d active", large.turns, large.active, small.turns, small.active)
}

// naiveTime is the reference C: every key of a book of 10,000 entries is searched for in a window
// of 100 messages.
func naiveTime() time.Duration {
	list, src := benchBook(10000)
	var text strings.Builder
	for _, m := range benchChat(src, 100) {
		text.WriteString(strings.ToLower(m.Name + ": " + m.Text + "\n"))
	}
	found := 0
	return testkit.Best(2, func() { found += naive(list, text.String()) })
}

// TestPerfCold: the cost of a turn after other work has emptied the caches.
func TestPerfCold(t *testing.T) {
	testkit.Need(t)
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
			took = append(took, testkit.Best(1, func() { c.ScanInto(&r, in, wb.State{}) }))
		}
		slices.Sort(took)
		return took[len(took)/2]
	}
	testkit.AtMost(t, "cold, incremental against full", 0.5, func() float64 {
		return testkit.Ratio(median(wb.NewCache(0)), median(wb.NewCache(-1)))
	})
	testkit.AtMost(t, "cold, full scan against the loop over all keys", 1.0/200, func() float64 {
		return testkit.Ratio(median(wb.NewCache(-1)), naiveTime())
	})
}

// TestPerfPeer: absolute limits for the books of the peer's generator, with a hundred messages of a
// chat of 300.
func TestPerfPeer(t *testing.T) {
	testkit.Need(t)
	for _, setup := range []string{"plain", "whole", "regex", "recursion"} {
		list, chat := peerBook(10000, 300, setup == "regex", setup == "recursion")
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}},
			peerSettings(100, setup == "whole", setup == "recursion"))
		limit := 1.0
		if setup == "recursion" {
			limit = 3
		}
		timer := &turnTimer{c: c, chat: chat, window: 100}
		testkit.AtMost(t, setup+", full, ms", limit, func() float64 {
			timeTurns(timer)
			return float64(timer.full.Nanoseconds()) / 1e6
		})
		testkit.AtMost(t, setup+", incremental, ms", 0.2, func() float64 {
			timeTurns(timer)
			return float64(timer.incremental.Nanoseconds()) / 1e6
		})
	}
}

// TestPerfBook: the time to make a book, and its memory without the texts.
func TestPerfBook(t *testing.T) {
	testkit.Need(t)
	list, src := benchBook(10000)
	keys := src.Keys(0, false)
	books := []wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}
	var c *wb.Compiled
	testkit.AtMost(t, "book in sorts of its keys", 12, func() float64 {
		sorted := make([]string, len(keys))
		sort := testkit.Best(5, func() { copy(sorted, keys); slices.Sort(sorted) })
		return testkit.Ratio(testkit.Best(5, func() { c, _ = wb.Compile(books, benchSettings(100, false)) }), sort)
	})
	testkit.AtMost(t, "bytes per entry of five keys", 1200, func() float64 {
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

// TestPerfRegex: guards, compared with running every key over the window (V). Keys without any
// literal have no guard and run on every message. They are only in the set whose guards are hit.
func TestPerfRegex(t *testing.T) {
	testkit.Need(t)
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
		testkit.AtMost(t, "1,000 regexes, guards hit: "+hits+", against all of them", limit, func() float64 {
			v := testkit.Best(2, func() { matchAll(all, window) })
			return testkit.Ratio(testkit.Best(20, func() { c.ScanInto(&r, in, wb.State{}) }), v)
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
