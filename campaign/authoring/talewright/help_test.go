package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/talewright/talewright/internal/wording"
)

// TestHelpIsTranslated: every text of the help has a Chinese translation, and no translation is left
// without its text.
func TestHelpIsTranslated(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&commands{}, kong.Description("For people who write games and not Go."))
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(helpTable, "# the frame of the help")
	if !ok {
		t.Fatal("the table has no frame")
	}
	table := wording.ReadTable(before)
	used := map[string]bool{}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		texts := []string{n.Help}
		for _, f := range n.Flags {
			texts = append(texts, f.Help)
		}
		for _, p := range n.Positional {
			texts = append(texts, p.Help)
		}
		for _, text := range texts {
			if used[text] = true; text != "" && table[text] == "" {
				t.Errorf("help.zh.txt lacks %q", text)
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
	for text := range table {
		if !used[text] {
			t.Errorf("help.zh.txt has %q, which is no help", text)
		}
	}
}

// TestLanguageOfHelp: -lang chooses the language of the help and of the errors of arguments, or else the
// locale does.
func TestLanguageOfHelp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, locale, want string }{
		{"", "", ""}, {"vet x", "zh_CN.UTF-8", "zh"}, {"vet x", "en_US.UTF-8", "en"}, {"vet x", "C", "C"},
		{"-lang en vet x", "zh_CN", "en"}, {"--lang=zh vet", "", "zh"}, {"vet x -lang zh", "", "zh"}, {"vet -- -lang zh", "", ""}, {"vet -lang", "zh", ""},
		{"scan lang zh", "", ""},
	} {
		env := func(name string) string { return map[string]string{"LANG": c.locale}[name] }
		if got := languageOf(strings.Fields(c.args), env); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.args, c.locale, got, c.want)
		}
	}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"-lang zh --help", "用法：talewright <command> [flags]\n\n给写游戏、不写 Go 的人。\n\n命令：\n", fine},
		{"-lang zh vet --help", "用法：talewright vet <dir> [flags]\n\n报告游戏的所有问题。\n\n参数：\n", fine},
		{"-lang zh vet", "talewright: 缺少参数 \"<dir>\"；见 talewright --help\n", wrongUse},
		{"-lang zh vet x --jsom", "talewright: 未知的选项 --jsom，是不是 \"--json\"？；见 talewright --help\n", wrongUse},
		{"-lang zh scan x", "talewright: 缺少选项：--say=STRING；见 talewright --help\n", wrongUse},
		{"-lang en vet", "talewright: expected \"<dir>\"; see talewright --help\n", wrongUse},
	} {
		var out bytes.Buffer
		code := run(t.Context(), strings.Fields(c.args), strings.NewReader(""), &out, &out)
		if code != c.code || !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("%s: %d\n%s", c.args, code, out.String())
		}
	}
}
