package wording_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wording"
)

func TestTranslator(t *testing.T) {
	t.Parallel()
	own := map[string]string{
		"%q is %s here": "%[2]s 是 %[1]q", "a lamp": "灯", "no lamp": "没有灯", "; did you mean %q?": "；是 %q 吗？",
		"%s burns %d hours%s": "%s 烧 %d 小时%s", "  and %s": "%[2]s", ": ": "：", "; ": "；", ", ": "、", " or ": " 或 ", "write %s": "请写 %s",
	}
	zh := wording.For("", own)
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"a sentence without arguments", "no lamp", "没有灯"},
		{"arguments in a different order", `"a lamp" is a lamp here`, `灯 是 "a lamp"`},
		{"a quoted text stays", `"no \" lamp" is x here`, `x 是 "no \" lamp"`},
		{"a sentence that is added", `the oil burns 3 hours; did you mean "x; y"?`, `the oil 烧 3 小时；是 "x; y" 吗？`},
		{"no sentence is added", `the oil burns 3 hours`, `the oil 烧 3 小时`},
		{"parts", `lamps[3]: no lamp; no oil`, `lamps[3]：没有灯；no oil`},
		{"the names of a list", `write a, "b c" or d`, `请写 a、"b c" 或 d`},
		{"a list of other texts", `write a, b c or d`, `write a, b c or d`},
		{"no number", `the oil burns many hours`, `the oil burns many hours`},
		{"another text", `an oil lamp`, `an oil lamp`},
		{"a long text", strings.Repeat("no lamp; ", 2000), strings.Repeat("no lamp; ", 2000)},
	} {
		if got := zh.In(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := wording.For("fr").In("no lamp"); got != "no lamp" {
		t.Errorf("a language without a table: %q", got)
	}
	both := wording.For("zh", map[string]string{"the file is empty": "空文件"})
	if a, b := both.In("the file is empty"), both.In("nested too deeply"); a != "空文件" || b != "嵌套太深" {
		t.Errorf("an own table before the table of the module: %q, %q", a, b)
	}
}

// Texts that look like many sentences do not take long.
func TestTranslatorIsBounded(t *testing.T) {
	t.Parallel()
	zh := wording.For("zh")
	for _, part := range []string{"; did you mean ", ": ", " or ", `"`, "x is y, ", "unknown x y; ", "(and 3 more like it) "} {
		text := strings.Repeat(part, 2000/len(part))
		if got := zh.In(text); got == "" {
			t.Errorf("%q becomes empty", part)
		}
	}
}

func BenchmarkTranslator(b *testing.B) {
	zh := wording.For("zh")
	for b.Loop() {
		zh.In(`unknown operation "foo"; nothing is written; write set, add or remove`)
	}
}

// TestGoldenProblemsInChinese: the problems of all broken content in golden files have no English
// words in Chinese, except for names, code and the syntax of scenarios.
func TestGoldenProblemsInChinese(t *testing.T) {
	t.Parallel()
	zh := wording.For("zh")
	place := regexp.MustCompile(`^(?:mistakes\.txt:\d+|\t?(?:(?:error|warning|fatal) )?[a-z_-]+ ?[^ :]*(?: \([^)]*\))?): `)
	names := regexp.MustCompile(`"(?:[^"\\]|\\.)*"?|life states\[|trim slack|want (?:hp|text) [A-Z]+`)
	english := regexp.MustCompile(`[a-z]{2,}[,.:;]? [a-z]{2,}`)
	for _, file := range []string{"game/testdata/unplayed.golden", "game/testdata/problems.golden", "campaigntest/testdata/mistakes.golden"} {
		data, err := os.ReadFile(filepath.Join("../../campaign", file))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for line := range strings.Lines(string(data)) {
			at := place.FindString(line)
			if at == "setting: " { // no place, but a part of the problem
				at = ""
			} else if at == "" {
				continue
			}
			found++
			text := strings.TrimSpace(line[len(at):])
			if got := zh.In(text); got == text || english.MatchString(names.ReplaceAllString(got, "")) {
				t.Errorf("%s: %s\nis %s", file, text, got)
			}
		}
		if found < 20 {
			t.Errorf("%s has only %d problems", file, found)
		}
	}
}
