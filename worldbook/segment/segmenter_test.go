package segment_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/segment"
)

var _ worldbook.WordBoundary = (*segment.Segmenter)(nil)

func load(t testing.TB, names ...string) *segment.Segmenter {
	t.Helper()
	s, err := segment.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s.With(names...)
}

// isWord is the scanner's question: is there a place where key is a whole word?
func isWord(s *segment.Segmenter, text, key string) bool {
	for at := range text {
		if strings.HasPrefix(text[at:], key) && s.IsWord(text, at, at+len(key)) {
			return true
		}
	}
	return false
}

func TestIsWord(t *testing.T) {
	t.Parallel()
	plain := load(t)
	named := load(t, "林小雨", "萧炎", "魔法", "魔法学院", "斗气大陆", "约翰·史密斯", "剑", "/酒.*馆/")
	for _, tc := range []struct {
		s         *segment.Segmenter
		text, key string
		want      bool
		reason    string
	}{
		{plain, "学习魔法", "魔法", true, "the usual example: a word of its own"},
		{plain, "魔法师", "魔法", false, "the usual example: part of a word"},
		{plain, "这是魔法吗", "魔法", true, "the usual example: between particles"},
		{plain, "我是魔法师，会用魔法。", "魔法", true, "the second place counts"},
		{plain, "學習魔法師", "魔法", false, "traditional characters"},
		{plain, "学习黑暗魔法", "黑暗魔法", true, "several words are whole"},
		{plain, "南京市长江大桥", "市长", false, "over a cut"},
		{plain, "南京市长江大桥", "长江", false, "inside the name of the bridge"},
		{plain, "用剑战斗", "剑", true, "one character"},
		{plain, "他拔剑", "剑", false, "拔剑 is a word"},
		{plain, "魔法", "魔法", true, "the whole text"},
		{plain, "“魔法”", "魔法", true, "punctuation"},
		{plain, "abc魔法123", "魔法", true, "Latin letters end a Chinese word"},

		{plain, "an elf here", "elf", true, "the ordinary rule"},
		{plain, "herself", "elf", false, "the ordinary rule"},
		{plain, "elf_1", "elf", false, "_ belongs to words"},
		{plain, "精灵elf族", "elf", true, "Chinese beside Latin"},
		{plain, "café", "caf", true, "the ordinary rule knows ASCII only"},
		{plain, "我的ak步枪坏了", "ak步枪", true, "both kinds in one key"},
		{plain, "我的mak步枪坏了", "ak步枪", false, "its Latin end is inside a word"},

		{named, "魔法师", "魔法", false, "a known word is not made likelier"},
		{named, "学习魔法", "魔法", true, "nor less likely"},
		{plain, "我在魔法学院", "魔法", true, "two words of the dictionary"},
		{named, "我在魔法学院", "魔法", false, "one name"},
		{named, "我在魔法学院", "魔法学院", true, "the name itself"},
		{named, "林小雨走进了酒馆", "林小雨", true, "a name"},
		{named, "林小雨走进了酒馆", "小雨", false, "inside a name"},
		{plain, "林小雨走进了酒馆", "小雨", true, "without the name"},
		{named, "萧炎会斗气", "萧炎", true, "characters that the dictionary has no word with"},
		{named, "约翰·史密斯来了", "约翰·史密斯", true, "a name of two parts"},
		{named, "他拔剑", "剑", false, "one character is no name"},
		{named, "他走进酒馆", "酒馆", true, "a regular expression is no name"},
	} {
		if got := isWord(tc.s, tc.text, tc.key); got != tc.want {
			t.Errorf("%s in %s: %v, want %v: %s (cut as %q)",
				tc.key, tc.text, got, tc.want, tc.reason, tc.s.Cut(tc.text))
		}
	}
}

func TestIsWordRange(t *testing.T) {
	t.Parallel()
	s := load(t)
	const text = "学习"
	for _, r := range [][2]int{{-1, 3}, {0, 7}, {3, 3}, {6, 3}, {1, 6}, {0, 5}, {6, 6}} {
		if s.IsWord(text, r[0], r[1]) {
			t.Errorf("IsWord(%q, %d, %d) is true", text, r[0], r[1])
		}
	}
	if !s.IsWord("\xff魔法\xe9", 1, 7) {
		t.Error("bytes that are no UTF-8 are not the end of a word")
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	s := load(t, "林小雨", strings.Repeat("龘", 33))
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"林小雨在魔法学院学习黑暗魔法", "林小雨|在|魔法|学院|学习|黑暗|魔法"},
		{"南京市长江大桥", "南京市|长江大桥"},
		{"elf族 use_2，é!", "elf|族| |use_2|，|é|!"},
		{"龘龘", "龘|龘"},
	} {
		if got := strings.Join(s.Cut(tc.text), "|"); got != tc.want {
			t.Errorf("Cut(%q) = %s, want %s", tc.text, got, tc.want)
		}
	}
}

// With returns a new segmenter: the receiver does not change, earlier names stay.
func TestWith(t *testing.T) {
	t.Parallel()
	plain := load(t)
	first := plain.With("林小雨")
	second := first.With("萧炎", "萧炎")
	for _, tc := range []struct {
		s    *segment.Segmenter
		want []string
	}{
		{plain, []string{"林", "小雨", "和", "萧", "炎"}},
		{first, []string{"林小雨", "和", "萧", "炎"}},
		{second, []string{"林小雨", "和", "萧炎"}},
	} {
		if got := tc.s.Cut("林小雨和萧炎"); !slices.Equal(got, tc.want) {
			t.Errorf("Cut = %q, want %q", got, tc.want)
		}
	}
}

// One segmenter serves many goroutines, and so does With.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	s := load(t, "林小雨")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			own := s.With("萧炎")
			for range 50 {
				if !isWord(s, "林小雨学习魔法", "魔法") || isWord(own, "萧炎是魔法师", "魔法") {
					t.Error("another answer")
					return
				}
			}
		})
	}
	wg.Wait()
}

// WB-08: the scanner asks the segmenter, with the names of the book's own keys.
func TestScan(t *testing.T) {
	t.Parallel()
	book := worldbook.Book{Name: "b", Entries: []worldbook.Entry{
		{UID: "magic", Keys: []string{"魔法"}, Content: "四大元素"},
		{UID: "girl", Keys: []string{"林小雨"}, Content: "酒馆老板的女儿"},
	}}
	var names []string
	for _, e := range book.Entries {
		names = append(names, e.Keys...)
	}
	settings := worldbook.Roleplay()
	settings.MatchWholeWords = true
	settings.Words = load(t, names...)
	compiled, problems := worldbook.Compile([]worldbook.Attachment{{Book: book}}, settings)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"我想学习魔法", []string{"magic"}},
		{"我是魔法师", nil},
		{"林小雨会魔法吗", []string{"magic", "girl"}},
	} {
		result, _ := compiled.Scan(worldbook.Input{
			Messages: []worldbook.Message{{Text: tc.text}}, ContextSize: 4096,
		}, worldbook.State{})
		var got []string
		for _, p := range result.Before {
			got = append(got, p.ID.UID)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s activates %q, want %q", tc.text, got, tc.want)
		}
	}
}
