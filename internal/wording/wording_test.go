package wording_test

import (
	"errors"
	"testing"

	"github.com/talewright/talewright/internal/wording"
)

func TestSay(t *testing.T) {
	t.Parallel()
	zh := wording.Table{"%s takes %s": "%s 需要%s", "a number": "数字", "no %q": "没有 %q", "%d: %s": "%d：%s"}
	for _, c := range []struct {
		name, want string
		table      wording.Table
		phrase     wording.Phrase
	}{
		{"English", "add takes a number", nil, wording.Of("%s takes %s", "add", wording.Noun("a number"))},
		{"words are translated, ids are not", "add 需要数字", zh, wording.Of("%s takes %s", "add", wording.Noun("a number"))},
		{"a text is no word", "add 需要a number", zh, wording.Of("%s takes %s", "add", "a number")},
		{"a sentence within a sentence", "3：没有 \"x\"", zh, wording.Of("%d: %s", 3, wording.Of("no %q", "x"))},
		{"what is not in the table", "broken: why", zh, wording.Of("broken: %v", errors.New("why"))},
		{"nothing", "", zh, wording.Phrase{}},
	} {
		if got := c.phrase.In(c.table); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if wording.In("en", zh) != nil || wording.In("zh", zh) == nil || wording.Known("fr") || !wording.Known("") || !wording.Known("zh") {
		t.Error("languages")
	}
}

// TestIsChinese tests texts in the style of authors and models.
func TestIsChinese(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "12 …": false, "The rain falls.": false, "雨落在城门上。": true,
		"你失去3点HP。": true, "HP，MP": false, "Lin (林) waits.": false,
		"彼女は静かに窓の外を見ていた。": false, "「東京へ行きましょう」と彼は言った。": false, "그녀는 창밖을 보았다.": false, "阿の店的招牌": true,
	} {
		if got := wording.IsChinese(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
