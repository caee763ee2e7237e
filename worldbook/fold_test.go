package worldbook_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// featureFold: with a spelling in Fold, keys find texts in the other spelling, in both directions.
func featureFold(t *testing.T) {
	for _, r := range []struct {
		reason, fold, key, text string
		want                    bool
	}{
		{"off by default", "", "龙", "一條龍", false},
		{"simplified finds traditional", "chinese", "龙", "一條龍", true},
		{"traditional finds simplified", "chinese", "龍", "一条龙", true},
		{"one simplified character for two", "chinese", "发", "她的頭髮", true},
		{"and two for one", "chinese", "後", "王后", true},
		{"inside a word", "chinese", "幹事", "乾事", true},
		{"width is another spelling", "chinese", "Elf", "Ｅｌｆ", false},
		{"full width", "width", "Elf", "Ｅｌｆ", true},
		{"a full-width key", "width", "Ｅｌｆ２", "elf2", true},
		{"half-width katakana", "width", "ドラゴン", "ﾄﾞﾗｺﾞﾝが来た", true},
		{"an ideographic blank inside", "width", "dark elf", "Ｄａｒｋ　Ｅｌｆ", true},
		{"whole words by the folded text", "width", "elf", "Ｅｌｆｓ", false},
		{"both", "chinese,width", "龙A", "龍Ａ", true},
		{"a regex does not fold", "chinese", "/龙/", "龍", false},
		{"a key with a line break", "chinese", "龙\nx", "龍\nx", true},
	} {
		set := wb.Exact()
		e := wb.Entry{UID: "1", Keys: []string{r.key}, Content: "x"}
		if r.fold != "" {
			set.Fold = strings.Split(r.fold, ",")
		}
		wantText(t, r.reason, scanned(featureBook(t, set, e), says(r.text)), map[bool]string{true: "1"}[r.want])
		e.Options = &wb.Options{Fold: set.Fold}
		set.Fold = nil
		wantText(t, r.reason+", by the entry", scanned(featureBook(t, set, e), says(r.text)), map[bool]string{true: "1"}[r.want])
	}
	c := featureBook(t, wb.Exact(), wb.Entry{UID: "1", Keys: []string{"龙"}, Content: "x", Options: &wb.Options{Fold: []string{"chinese"}}})
	wantText(t, "the trace has the key as written", gateOf(c, says("龍", "雲"), wb.State{}, "1"), `b.1: active by key "龙" in message 1`)
	set := wb.Exact()
	set.Fold = []string{"old"}
	_, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{{Options: &wb.Options{Fold: []string{"Width"}}}}}}}, set)
	wantText(t, "mistakes", problems[0].Path+" "+problems[1].Path, "settings.fold b.entries[0].extensions.talewright.fold")
}

// featureUnicodeWords: whole words in scripts with blanks, and Korean words before particles.
func featureUnicodeWords(t *testing.T) {
	for _, r := range []struct {
		reason, key, text string
		want              bool
	}{
		{"accents are letters", "caf", "un café", false},
		{"with the accent", "café", "un café!", true},
		{"Cyrillic", "дом", "домой", false},
		{"Cyrillic, a word", "дом", "мой дом.", true},
		{"a combining accent", "cafe", "cafe\u0301", false},
		{"digits and underscores", "elf", "elf_2", false},
		{"several words", "dark elf", "dark elfs", false},
		{"Chinese characters are edges", "elf", "精灵elf族", true},
		{"and words", "魔法", "学习魔法师", true},
		{"Greek", "οδός", "η οδός μου", true},
		{"Korean alone", "엘프", "엘프!", true},
		{"subject", "엘프", "엘프가 온다", true},
		{"topic", "엘프", "그 엘프는", true},
		{"two particles", "엘프", "엘프에게는", true},
		{"plural and object", "엘프", "엘프들을 봤다", true},
		{"copula", "엘프", "저는 엘프입니다.", true},
		{"a particle that fits consonants only", "엘프", "엘프이 온다", false},
		{"and after one", "마왕", "마왕이 온다", true},
		{"that fits vowels only", "마왕", "마왕가", false},
		{"the direction after a vowel", "학교", "학교로", true},
		{"after l", "마을", "마을로", true},
		{"after l with the vowel", "마을", "마을으로", false},
		{"a longer noun", "엘프", "엘프족이", false},
		{"inside a noun", "엘프", "다크엘프가", false},
		{"after Latin letters", "elf", "elf가 온다", true},
		{"a noun after Latin letters", "elf", "elf족", false},
		{"apple is no 사 with a particle", "사", "사과", false},
		{"many syllables", "엘프", "엘프" + strings.Repeat("에게", 20), false},
	} {
		set := wb.Exact()
		set.WholeWords = wb.WordsUnicode
		e := wb.Entry{UID: "1", Keys: []string{r.key}, Content: "x"}
		wantText(t, r.reason, scanned(featureBook(t, set, e), says(r.text)), map[bool]string{true: "1"}[r.want])
	}
}

// TestFoldOracle compares random keys and texts with a search in texts whose characters are replaced
// by the number of their group.
func TestFoldOracle(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	groups := [][]string{{"发", "發", "髮"}, {"里", "裏", "裡"}, {"a", "ａ"}, {"A", "Ａ"}, {"カ", "ｶ"}, {"ガ", "ｶﾞ"}, {"-", "－"}}
	rng := rand.New(rand.NewPCG(4, 5))
	// pick returns a text of a few letters, and the numbers of their groups by the given spellings.
	pick := func(n int, chinese, width, letters bool) (text, numbers string) {
		for range n {
			g := rng.IntN(len(groups))
			k := rng.IntN(len(groups[g]))
			text += groups[g][k]
			if g == 3 && !letters {
				g = 2 // letter case does not count
			}
			if g < 2 && chinese || g >= 2 && width {
				k = 0
			}
			numbers += fmt.Sprintf("%d.%d ", g, k)
		}
		return text, " " + numbers
	}
	for range 2000 {
		chinese, width, letters := rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
		var fold []string
		if chinese {
			fold = append(fold, "chinese")
		}
		if width {
			fold = append(fold, "width")
		}
		set := wb.Exact()
		set.MatchWholeWords, set.CaseSensitive, set.Recursive = false, letters, true
		key, keyNumbers := pick(1+rng.IntN(3), chinese, width, letters)
		text, textNumbers := pick(rng.IntN(12), chinese, width, letters)
		if !width && strings.Contains(text+key, "ﾞ") {
			continue // a mark alone is a character without this spelling
		}
		want := map[bool]string{true: "1"}[strings.Contains(textNumbers, keyNumbers)]
		e := wb.Entry{UID: "1", Keys: []string{key}, Content: "x", Order: 100, Options: &wb.Options{Fold: fold}}
		if got := scanned(featureBook(t, set, e), says(text)); got != want {
			t.Fatalf("fold %v, case %v: key %q in %q: got %q, want %q", fold, letters, key, text, got, want)
		}
		start := wb.Entry{UID: "0", Constant: true, Content: text, Order: 100}
		if got := scanned(featureBook(t, set, start, e), says()); got != strings.TrimSpace("0 "+want) {
			t.Fatalf("by recursion, fold %v: key %q in %q: got %q, want 0 %q", fold, key, text, got, want)
		}
		e.Keys = []string{"{{user}}"}
		in := says(text)
		in.User = key
		if got := scanned(featureBook(t, set, e), in); got != want {
			t.Fatalf("a key with a macro, fold %v: key %q in %q: got %q, want %q", fold, key, text, got, want)
		}
		in = says(text)
		e.Keys = []string{key}
		in.Overlay.Add = []wb.Attachment{{Book: wb.Book{Name: "more", Entries: []wb.Entry{e}}}}
		if got := scanned(featureBook(t, set), in); got != want {
			t.Fatalf("an added entry, fold %v: key %q in %q: got %q, want %q", fold, key, text, got, want)
		}
	}
}

// TestFoldGrowth: a search with spellings takes time in proportion to the text.
func TestFoldGrowth(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	set := wb.Exact()
	set.Fold, set.WholeWords = []string{"chinese", "width"}, wb.WordsUnicode
	c := featureBook(t, set, wb.Entry{UID: "1", Keys: []string{"엘프", "龙", "ｶﾞ"}, Content: "x"})
	for _, unit := range []string{"엘프에게는에게는족", "ｶｶｶ", "龍", "a엘프"} {
		scanned(c, says(strings.Repeat(unit, 200_000)))
	}
}

// BenchmarkFold compares a scan with spellings to one without, in a Chinese text.
func BenchmarkFold(b *testing.B) {
	text := strings.Repeat("這條龍住在後山的洞裡，她的頭髮很長。", 200)
	for _, fold := range [][]string{nil, {"chinese"}, {"chinese", "width"}} {
		b.Run(fmt.Sprint(fold), func(b *testing.B) {
			set := wb.Exact()
			set.Fold = fold
			book := wb.Book{Name: "b"}
			for i := range 200 {
				book.Entries = append(book.Entries, wb.Entry{UID: fmt.Sprint(i), Keys: []string{fmt.Sprint("龙", i)}, Content: "x"})
			}
			c, _ := wb.Compile([]wb.Attachment{{Book: book}}, set)
			in := says(text)
			in.Cache = wb.NewCache(-1)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.Scan(in, wb.State{})
			}
		})
	}
}
