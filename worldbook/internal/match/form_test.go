package match

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestForms: the spellings of a word get one form.
func TestForms(t *testing.T) {
	t.Parallel()
	both := FormChinese | FormWidth
	for _, r := range []struct {
		reason, text, want string
		form               Form
	}{
		{"ASCII stays", "Dragon 1!", "Dragon 1!", both},
		{"full width", "Ｄｒａｇｏｎ　１！～", "Dragon 1!~", FormWidth},
		{"half-width katakana", "ﾄﾞﾗｺﾞﾝ ﾊﾟﾝ ｳﾞｧ ｱﾞ", "ドラゴン パン ヴァ ア\u3099", FormWidth},
		{"signs", "￠￡￥￦｡｢｣｟｠￭", "¢£¥₩。「」⦅⦆■", FormWidth},
		{"hangul letters", "ﾡﾾￂￜ", "ㄱㅎㅏㅣ", FormWidth},
		{"traditional", "龍與魔法學院", "龙与魔法学院", FormChinese},
		{"several characters with one form", "發髮发 後后 裏裡里 乾幹干", "发发发 后后 里里里 干干干", FormChinese},
		{"the form of a form", "苧苎薴", "苎苎苎", FormChinese},
		{"only what is asked for", "Ａ龍", "A龍", FormWidth},
		{"both", "Ａ龍", "A龙", both},
		{"other scripts stay", "Дракон 엘프 é 𠀀 ﷺ", "Дракон 엘프 é 𠀀 ﷺ", both},
	} {
		if got := r.form.reduce(r.text); got != r.want {
			t.Errorf("%s: %q becomes %q, want %q", r.reason, r.text, got, r.want)
		}
	}
}

// TestFormsAreFinal: a form is one character, and is its own form. The table is sorted.
func TestFormsAreFinal(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= 0x20000; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, f := range []Form{FormChinese, FormWidth, FormChinese | FormWidth} {
			once := f.reduce(string(r))
			if utf8.RuneCountInString(once) != 1 || f.reduce(once) != once {
				t.Errorf("%U has the form %q in form %d, which has the form %q", r, once, f, f.reduce(once))
			}
		}
	}
	last, n := rune(0), 0
	for i, r := range []rune(strings.ReplaceAll(simplified, "\n", "")) {
		if n++; i%2 == 0 {
			if r <= last || r < firstHan || r >= endHan {
				t.Errorf("%c is not after %c", r, last)
			}
			last = r
		}
	}
	if n != 2*2852 {
		t.Errorf("the table has %d characters", n)
	}
}

// icu passes each text through a transliterator of ICU.
func icu(t *testing.T, name string, texts []string) []string {
	t.Helper()
	path, err := exec.LookPath("uconv")
	if err != nil {
		t.Skip("needs uconv of ICU: ", err)
	}
	cmd := exec.Command(path, "-f", "utf-8", "-t", "utf-8", "-x", name)
	cmd.Stdin = strings.NewReader(strings.Join(texts, "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Skip("uconv does not have ", name, ": ", err)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) != len(texts) {
		t.Fatalf("uconv returns %d lines, want %d", len(lines), len(texts))
	}
	return lines
}

// characters are the characters of a range, and their forms.
func characters(form Form, from, to rune) (list, formed []string) {
	for c := from; c <= to; c++ {
		list, formed = append(list, string(c)), append(formed, form.reduce(string(c)))
	}
	return list, formed
}

// TestChineseAgainstICU compares every Chinese character with the transliterator of ICU.
func TestChineseAgainstICU(t *testing.T) {
	t.Parallel()
	list, formed := characters(FormChinese, 0x3100, 0xffef)
	for i, want := range icu(t, "Traditional-Simplified", list) {
		if strings.Contains("苎苧薴", list[i]) { // ICU exchanges the first two
			want = "苎"
		}
		if c := []rune(list[i])[0]; utf8.ValidRune(c) && c != 0xfffd && formed[i] != want {
			t.Errorf("%s becomes %q, want %q", list[i], formed[i], want)
		}
	}
}

// TestWidthAgainstICU: a character and its form have the same compatibility form by ICU. A character
// that ICU changes has a form.
func TestWidthAgainstICU(t *testing.T) {
	t.Parallel()
	list, formed := characters(FormWidth, 0xff01, 0xffee)
	list, formed = append(list, "\u3000"), append(formed, FormWidth.reduce("\u3000"))
	want, got := icu(t, "Any-NFKC", list), icu(t, "Any-NFKC", formed)
	for i := range list {
		if got[i] != want[i] || (want[i] != list[i]) != (formed[i] != list[i]) {
			t.Errorf("%q becomes %q, which is %q for ICU, want %q", list[i], formed[i], got[i], want[i])
		}
	}
}
