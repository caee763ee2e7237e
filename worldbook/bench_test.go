package worldbook_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// benchBook makes a book of the benchmarks. An entry has 5 keys and a content of 300 bytes. A third
// has secondary keys, and a tenth has its own depth.
func benchBook(entries int) ([]wb.Entry, *testkit.Source) {
	src := testkit.New(7)
	keys := src.Keys(entries*5, false)
	rng := rand.New(rand.NewPCG(3, 3))
	list := make([]wb.Entry, entries)
	for i := range list {
		e := wb.Entry{
			UID: fmt.Sprint(i), Keys: keys[i*5 : i*5+5], Order: float64(rng.IntN(200)),
			Content: keys[rng.IntN(len(keys))] + strings.Repeat(" filler text", 25),
		}
		if i%3 == 0 {
			at := rng.IntN(len(keys) - 1)
			e.SecondaryKeys, e.Selective = keys[at:at+2], true
		}
		if i%10 == 0 {
			e.ScanDepth = new(1 + rng.IntN(20))
		}
		list[i] = e
	}
	return list, src
}

func benchSettings(window int, recursion bool) wb.ProfileSettings {
	return wb.ProfileSettings{Depth: window, Budget: 100, IncludeNames: true, Recursive: recursion}
}

func benchChat(src *testkit.Source, n int) []wb.Message {
	chat := make([]wb.Message, n)
	for i := range chat {
		chat[i] = wb.Message{Name: []string{"Ann", "Bo"}[i%2], Text: src.Text("mix", 400)}
	}
	return chat
}

// BenchmarkScan is one scan (WB-40). With full nothing is cached, with incremental two messages are
// new, with unchanged no message is new.
func BenchmarkScan(b *testing.B) {
	for _, entries := range []int{100, 1000, 10000} {
		for _, window := range []int{4, 100} {
			for _, recursion := range []bool{false, true} {
				list, src := benchBook(entries)
				c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(window, recursion))
				chat := benchChat(src, window+2000)
				for _, mode := range []string{"full", "incremental", "unchanged"} {
					b.Run(fmt.Sprintf("entries=%d/window=%d/mode=%s/recursion=%v", entries, window, mode, recursion), func(b *testing.B) {
						benchmarkScan(b, c, chat, window, mode)
					})
				}
			}
		}
	}
}

func benchmarkScan(b *testing.B, c *wb.Compiled, chat []wb.Message, window int, mode string) {
	b.ReportAllocs()
	in := wb.Input{Messages: chat[:window], ContextSize: 1e9}
	want, _ := c.Scan(in, wb.State{})
	in.Cache = wb.NewCache(map[string]int{"full": -1, "incremental": 256, "unchanged": 0}[mode])
	var r wb.Result
	c.ScanInto(&r, in, wb.State{})
	if !slices.Equal(activated(&r), activated(&want)) {
		b.Fatal("the cache changes the result")
	}
	at := 0
	for b.Loop() {
		if mode == "incremental" {
			at = (at + 2) % (len(chat) - window)
			in.Messages = chat[at : at+window]
		}
		c.ScanInto(&r, in, wb.State{})
	}
	b.ReportMetric(float64(len(r.Activated)), "active")
	if mode != "incremental" && !slices.Equal(activated(&r), activated(&want)) {
		b.Fatal("another result")
	}
}

// coldBuffer is several times larger than the private caches of a core.
const coldBuffer = 128 << 20

// chill removes all other data from the caches.
func chill(buffer []byte) {
	for i := 0; i < len(buffer); i += 64 {
		buffer[i]++
	}
}

// BenchmarkScanCold touches a large buffer before each scan.
func BenchmarkScanCold(b *testing.B) {
	buffer := make([]byte, coldBuffer)
	for _, entries := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("entries=%d", entries), func(b *testing.B) {
			list, src := benchBook(entries)
			c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(100, false))
			in := wb.Input{Messages: benchChat(src, 100), ContextSize: 1e9, Cache: wb.NewCache(-1)}
			var r wb.Result
			for b.Loop() {
				b.StopTimer()
				chill(buffer)
				b.StartTimer()
				c.ScanInto(&r, in, wb.State{})
			}
			if len(r.Activated) == 0 {
				b.Fatal("nothing is active")
			}
		})
	}
}

// BenchmarkScanNaive searches the folded window for every key. It shows the gain of the index.
func BenchmarkScanNaive(b *testing.B) {
	for _, entries := range []int{100, 1000} {
		b.Run(fmt.Sprintf("entries=%d", entries), func(b *testing.B) {
			list, src := benchBook(entries)
			chat := benchChat(src, 100)
			found := 0
			for b.Loop() {
				var text strings.Builder
				for _, m := range chat {
					text.WriteString(strings.ToLower(m.Name + ": " + m.Text + "\n"))
				}
				found = naive(list, text.String())
			}
			if found == 0 {
				b.Fatal("nothing is found")
			}
		})
	}
}

// naive is the reference C: every key is searched for in the folded window. It counts the entries
// with a key in it.
func naive(list []wb.Entry, window string) (found int) {
	for i := range list {
		hit := false
		for _, k := range list[i].Keys {
			hit = strings.Contains(window, k) || hit
		}
		if hit {
			found++
		}
	}
	return found
}

// BenchmarkScanParallel scans many chats over one book.
func BenchmarkScanParallel(b *testing.B) {
	list, src := benchBook(1000)
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(20, false))
	for _, chats := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("chats=%d", chats), func(b *testing.B) {
			b.ReportAllocs()
			inputs := make([]wb.Input, chats)
			want := make([]wb.Result, chats)
			for i := range inputs {
				inputs[i] = wb.Input{Messages: benchChat(src, 20), ContextSize: 1e9}
				want[i], _ = c.Scan(inputs[i], wb.State{})
			}
			var next sync.Mutex
			n := 0
			b.RunParallel(func(p *testing.PB) {
				next.Lock()
				mine := n % chats
				n++
				next.Unlock()
				var r wb.Result
				for p.Next() {
					c.ScanInto(&r, inputs[mine], wb.State{})
					if len(r.Activated) != len(want[mine].Activated) {
						b.Error("another result")
						return
					}
				}
			})
		})
	}
}

func BenchmarkBookCompile(b *testing.B) {
	for _, entries := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("entries=%d", entries), func(b *testing.B) {
			b.ReportAllocs()
			list, _ := benchBook(entries)
			books := []wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}
			for b.Loop() {
				if c, _ := wb.Compile(books, benchSettings(4, true)); c.Len() != entries {
					b.Fatal("entries are missing")
				}
			}
		})
	}
}

// regexForms are the kinds of regex keys that books have.
var regexForms = []string{
	`/%s|%s/`, `/\b(?:%s|%s)s?\b/i`, `/(?<!no )%s(?! %s)/i`, `/%s\d+次/`, `/[\u4e00-\u9fff]{1,3}%s/`,
	`/\b%s\W+(?:\w+\W+){0,6}?%s\b/i`, `/%s.*%s/i`, `/\x01Ann: .*%s/`,
}

// literalFree is a regex without a literal as its guard: one in fifty.
const literalFree = `/\b(\w{12,}) \1\b/`

// regexBook makes n entries with a regex each. With foreign set their literals
// begin with a character that no text has.
func regexBook(n int, src *testkit.Source, foreign bool) []wb.Entry {
	keys := slices.Clone(src.Keys(2*n, false))
	for i, k := range keys {
		switch {
		case !foreign:
		case k[0] < utf8.RuneSelf:
			keys[i] = "q" + k
		default:
			keys[i] = "㐀" + k
		}
	}
	list := make([]wb.Entry, n)
	for i := range list {
		form := regexForms[i%len(regexForms)]
		words := []any{keys[2*i], keys[2*i+1]}
		key := fmt.Sprintf(form, words[:strings.Count(form, "%s")]...)
		if i%50 == 49 {
			key = literalFree
		}
		list[i] = wb.Entry{UID: fmt.Sprint(i), Keys: []string{key}, Content: "x"}
	}
	return list
}

// regexChat makes n regex keys and 40 KB of chat. Without planted keys no guard
// is hit.
func regexChat(tb testing.TB, n int, planted bool) (*wb.Compiled, []wb.Entry, []wb.Message) {
	tb.Helper()
	src := testkit.New(9)
	chat := benchChat(src, 100) // no keys planted yet
	list := regexBook(n, src, !planted)
	if planted {
		chat = benchChat(src, 100)
	}
	c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(100, false))
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	return c, list, chat
}

// BenchmarkRegexWindow scans 40 KB with regex keys (WB-33). mode=all is the reference V: every key
// is run over the joined window, as the peer does.
func BenchmarkRegexWindow(b *testing.B) {
	for _, n := range []int{100, 1000} {
		for _, hits := range []string{"none", "some"} {
			c, list, chat := regexChat(b, n, hits == "some")
			in := wb.Input{Messages: chat, ContextSize: 1e9, Cache: wb.NewCache(-1)}
			var r wb.Result
			c.ScanInto(&r, in, wb.State{})
			want := len(r.Activated)
			if (want > n/20) != (hits == "some") || len(r.Fuses) > 0 {
				b.Fatalf("%d active, fuses %v", want, r.Fuses)
			}
			b.Run(fmt.Sprintf("keys=%d/mode=plan/hits=%s", n, hits), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.ScanInto(&r, in, wb.State{})
				}
				if len(r.Activated) != want {
					b.Fatalf("%d active, want %d", len(r.Activated), want)
				}
			})
			b.Run(fmt.Sprintf("keys=%d/mode=all/hits=%s", n, hits), func(b *testing.B) {
				b.ReportAllocs()
				all, window := compileAll(b, list), joinWindow(chat)
				got := 0
				for b.Loop() {
					got = matchAll(all, window)
				}
				if got != want {
					b.Fatalf("%d match, the plan finds %d", got, want)
				}
			})
		}
	}
}

func BenchmarkParseDecorators(b *testing.B) {
	content := "@@depth 4\n@@role user\n@@sparkle\n@@@additional_keys a, b\n" +
		strings.Repeat("Text. ", 100)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		list, rest, problems := wb.ParseDecorators(content)
		if len(list) != 3 || len(rest) != 600 || len(problems) != 1 {
			b.Fatal(list, len(rest), problems)
		}
	}
}
