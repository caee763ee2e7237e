package worldbook_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	wb "github.com/talewright/talewright/worldbook"
)

// counted is an entry that is always active and has n words; the tests count a token for each word.
func counted(uid string, n int) wb.Entry {
	return wb.Entry{UID: uid, Constant: true, Content: strings.TrimSpace(strings.Repeat("word ", n))}
}

// words counts the words of a text.
func words(text string) int { return len(strings.Fields(text)) }

// wordsIn is an input whose counter counts words.
func wordsIn() wb.Input { return wb.Input{ContextSize: 8192, CountTokens: words} }

// compiled compiles a chat book and a global book with limits.
func compiled(t *testing.T, limits ...wb.Limit) *wb.Compiled {
	t.Helper()
	set := wb.Exact()
	set.Limits, set.Recursive = limits, false
	free := counted("free", 9)
	free.IgnoreBudget = true
	c, problems := wb.Compile([]wb.Attachment{
		{Book: wb.Book{Name: "chat", Entries: []wb.Entry{counted("c1", 3), counted("c2", 3), counted("c3", 1)}}, Sources: []wb.Source{wb.SourceChat}},
		{Book: wb.Book{Name: "world", Entries: []wb.Entry{counted("w1", 2), counted("w2", 2), free}}},
	}, set)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return c
}

// featureLimits: a limit counts the entries or the tokens of a book, a source or everything.
func featureLimits(t *testing.T) {
	for _, r := range []struct {
		reason string
		limits []wb.Limit
		want   string
	}{
		{"none", nil, "c1 c2 c3 w1 w2 free"},
		{"tokens of a book; a later one that fits is not refused", []wb.Limit{{Book: "chat", Tokens: 4}}, "c1 c3 w1 w2 free"},
		{"exactly the limit is allowed", []wb.Limit{{Book: "chat", Tokens: 7}}, "c1 c2 c3 w1 w2 free"},
		{"entries of a source", []wb.Limit{{Source: wb.SourceGlobal, Entries: 1}}, "c1 c2 c3 w1 free"},
		{"entries of all", []wb.Limit{{Entries: 2}}, "c1 c2 free"},
		{"two limits", []wb.Limit{{Book: "chat", Entries: 1}, {Source: wb.SourceGlobal, Tokens: 2}}, "c1 w1 free"},
		{"another book", []wb.Limit{{Book: "other", Entries: 1}}, "c1 c2 c3 w1 w2 free"},
		{"a book in a source", []wb.Limit{{Book: "chat", Source: wb.SourceGlobal, Entries: 1}}, "c1 c2 c3 w1 w2 free"},
	} {
		wantText(t, r.reason, scanned(compiled(t, r.limits...), wordsIn()), r.want)
	}
}

// TestLimitsExplain: the result and the trace say which limit refused an entry.
func TestLimitsExplain(t *testing.T) {
	t.Parallel()
	c := compiled(t, wb.Limit{Book: "chat", Tokens: 4}, wb.Limit{Source: wb.SourceGlobal, Entries: 1})
	r, _ := c.Scan(wordsIn(), wb.State{})
	wantText(t, "cut", fmt.Sprint(r.Cut), `[{chat.c2 6 4 tokens of book "chat"} {world.w2 2 1 entries of source global}]`)
	wantText(t, "tokens", gateOf(c, wordsIn(), wb.State{}, "c2"), `chat.c2: stopped: tokens of book "chat" 3+3 > 4, after constant`)
	wantText(t, "entries", gateOf(c, wordsIn(), wb.State{}, "w2"), `world.w2: stopped: entries of source global 1+1 > 1, after constant`)
}

// TestBooksLimitThemselves: a book file has its own limit, also if an overlay adds the book.
func TestBooksLimitThemselves(t *testing.T) {
	t.Parallel()
	book := func(extensions string) wb.Book {
		var b wb.Book
		text := `{"name":"own","extensions":{"talewright":` + extensions + `},"entries":{}}`
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		b.Entries = []wb.Entry{counted("1", 1), counted("2", 1)}
		return b
	}
	c, problems := wb.Compile([]wb.Attachment{{Book: book(`{"entries":1}`)}}, wb.Exact())
	wantText(t, "problems", fmt.Sprint(len(problems)), "0")
	wantText(t, "compiled", scanned(c, wordsIn()), "1")
	in := wordsIn()
	in.Overlay.Add = []wb.Attachment{{Book: book(`{"entries":1}`)}}
	wantText(t, "added", scanned(featureBook(t, wb.Exact(), counted("a", 1), counted("b", 1)), in), "a b 1")
	_, problems = wb.Compile([]wb.Attachment{{Book: book(`{"entries":"one"}`)}}, wb.Exact())
	wantText(t, "mistake", problems[0].Path+": "+problems[0].Text, "own.extensions.talewright: is not a limit: write tokens and entries as whole numbers")
	set := wb.Exact()
	set.Limits = []wb.Limit{{Book: "b"}, {Source: "moon", Entries: 1}}
	_, problems = wb.Compile(nil, set)
	wantText(t, "settings", fmt.Sprint(len(problems), problems[0].Path, " ", problems[1].Path), "2settings.limits[0] settings.limits[1].source")
}

// TestLimitsOracle compares random books with simple counting.
func TestLimitsOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		set := wb.Exact()
		set.Recursive = false
		for range rng.IntN(4) {
			l := wb.Limit{Book: []string{"", "p", "q"}[rng.IntN(3)], Source: []wb.Source{"", wb.SourceChat, wb.SourcePersona}[rng.IntN(3)]}
			if l.Tokens, l.Entries = rng.IntN(20), rng.IntN(5); l.Tokens+l.Entries > 0 {
				set.Limits = append(set.Limits, l)
			}
		}
		var books []wb.Attachment
		var want []string
		used, number := make([]int, len(set.Limits)), make([]int, len(set.Limits))
		for b, from := range []wb.Source{wb.SourceChat, wb.SourcePersona} { // in the order of examination
			book := wb.Book{Name: []string{"p", "q"}[b]}
			for i := range rng.IntN(8) {
				n := 1 + rng.IntN(6)
				e := counted(fmt.Sprint(book.Name, i), n)
				book.Entries = append(book.Entries, e)
				counts := func(l wb.Limit) bool {
					return (l.Book == "" || l.Book == book.Name) && (l.Source == "" || l.Source == from)
				}
				fits := true
				for k, l := range set.Limits {
					if counts(l) && (l.Tokens > 0 && used[k]+n > l.Tokens || l.Entries > 0 && number[k] == l.Entries) {
						fits = false
					}
				}
				if !fits {
					continue
				}
				want = append(want, e.UID)
				for k, l := range set.Limits {
					if counts(l) {
						used[k], number[k] = used[k]+n, number[k]+1
					}
				}
			}
			books = append(books, wb.Attachment{Book: book, Sources: []wb.Source{from}})
		}
		c, _ := wb.Compile(books, set)
		if got := scanned(c, wordsIn()); got != strings.Join(want, " ") {
			t.Fatalf("%+v: got %s, want %v, of %+v", set.Limits, got, want, books)
		}
	}
}

// featureTrim: a text that is too long loses its end or its beginning, at a sentence or a word.
func featureTrim(t *testing.T) {
	runes := func(text string) int { return utf8.RuneCountInString(text) }
	for _, r := range []struct {
		reason, text string
		most         int
		trim, want   string
	}{
		{"short enough", "The tower.", 10, "", "The tower."},
		{"at a sentence", "The tower stands. It is old and grey.", 22, "", "The tower stands."},
		{"at a word, where a sentence would lose too much", "Oh. The tower stands on a very high hill.", 30, "", "Oh. The tower stands on a very"},
		{"the beginning", "It is old. The tower stands and burns.", 30, "start", "The tower stands and burns."},
		{"the beginning at a word", "The tower stands on a very high hill", 15, "start", "very high hill"},
		{"Chinese", "古塔耸立。山上有雪，", 7, "end", "古塔耸立。"},
		{"one long word", "Aaaaaaaaaaaaa", 5, "", "Aaaaa"},
		{"lines", "one two\nthree four", 10, "", "one two"},
	} {
		e := wb.Entry{UID: "1", Constant: true, Content: r.text, Options: &wb.Options{MaxTokens: r.most, Trim: r.trim}}
		in := wb.Input{ContextSize: 8192, CountTokens: runes}
		got, _ := featureBook(t, wb.Exact(), e).Scan(in, wb.State{})
		wantText(t, r.reason, got.Activated[0].Text, r.want)
		if less := runes(r.text) - runes(r.want); got.Activated[0].Trimmed != less {
			t.Errorf("%s: trimmed %d, want %d", r.reason, got.Activated[0].Trimmed, less)
		}
	}
}

// TestTrimmedTexts: a trimmed text is a part of the text at its end or beginning, and is not longer
// than the limit. Recursion and the budget use the trimmed text.
func TestTrimmedTexts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 1))
	parts := []string{"tower ", "a", "雪", ". ", "。", "\n", " old", "!"}
	for range 500 {
		var text strings.Builder
		for range rng.IntN(30) {
			text.WriteString(parts[rng.IntN(len(parts))])
		}
		trim, most := []string{"end", "start"}[rng.IntN(2)], 1+rng.IntN(20)
		e := wb.Entry{UID: "1", Constant: true, Content: text.String(), Options: &wb.Options{MaxTokens: most, Trim: trim}}
		in := wb.Input{ContextSize: 8192, CountTokens: utf8.RuneCountInString}
		r, _ := featureBook(t, wb.Exact(), e).Scan(in, wb.State{})
		got := r.Activated[0].Text
		whole := strings.TrimSpace(text.String())
		if utf8.RuneCountInString(got) > most || trim == "end" && !strings.HasPrefix(whole, strings.TrimSpace(got)) && !strings.HasPrefix(text.String(), got) ||
			trim == "start" && !strings.HasSuffix(text.String(), got) && !strings.HasSuffix(whole, got) {
			t.Fatalf("%q at most %d, trim %s: %q", text.String(), most, trim, got)
		}
	}
	e := wb.Entry{UID: "1", Constant: true, Content: "A tower. A bell.", Options: &wb.Options{MaxTokens: 2}}
	led := wb.Entry{UID: "led", Keys: []string{"bell"}, Content: "It rings."}
	wantText(t, "the rest leads nowhere", scanned(featureBook(t, wb.Exact(), e, led), wordsIn()), "1")
	e.Content, e.Options.MaxTokens = "{{user}} is tall. Very.", 3
	in := wordsIn()
	in.User = "Mara"
	r, _ := featureBook(t, wb.Exact(), e).Scan(in, wb.State{})
	wantText(t, "macros first", r.Activated[0].Text, "Mara is tall.")
	_, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{{Options: &wb.Options{MaxTokens: -1, Trim: "middle"}}}}}}, wb.Exact())
	wantText(t, "mistakes", problems[0].Path+" "+problems[1].Path, "b.entries[0].extensions.talewright.maxTokens b.entries[0].extensions.talewright.trim")
}

// TestRenderedTexts: the budget counts the text of Input.Rendered, which is asked once per entry, and
// recursion searches it if SearchRendered is set.
func TestRenderedTexts(t *testing.T) {
	t.Parallel()
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
		counted("long", 50), {UID: "made", Constant: true, Content: "raw dragon"}, {UID: "raw", Keys: []string{"dragon"}, Content: "x"},
		{UID: "rendered", Keys: []string{"wyvern"}, Content: "x"}}}}}, wb.Exact())
	for search, want := range map[bool]string{false: "long made raw", true: "long made rendered"} {
		asked := map[string]int{}
		in := wb.Input{ContextSize: 100, SearchRendered: search, Rendered: func(id wb.ID, content string) string {
			asked[id.UID]++
			return map[string]string{"long": "short", "made": "wyvern", "raw": "x", "rendered": "x"}[id.UID]
		}}
		r, _ := c.Scan(in, wb.State{})
		if got := uids(r); got != want || r.Used > 10 || asked["long"] != 1 || asked["made"] != 1 {
			t.Errorf("%v: %s with %d tokens, asked %v", search, got, r.Used, asked)
		}
	}
}
