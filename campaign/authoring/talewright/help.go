package main

import (
	"bytes"
	_ "embed" // help.zh.txt
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/talewright/talewright/internal/wording"
)

// helpTable has the help of the command in Chinese.
//
//go:embed help.zh.txt
var helpTable string

// helper translates the help and the errors of arguments. The language is the one of -lang, or else the
// one of the terminal: no content is known yet.
type helper struct{ *wording.Translator }

func helperFor(args []string, env func(string) string) helper {
	if languageOf(args, env) != "zh" {
		return helper{}
	}
	return helper{wording.For("zh", wording.ReadTable(helpTable))}
}

// languageOf returns the language of -lang, or else "zh" for a Chinese locale.
func languageOf(args []string, env func(string) string) string {
	for i, a := range args {
		if a == "--" {
			break
		}
		name, value, given := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !given && i+1 < len(args) {
			value = args[i+1]
		}
		if name == "lang" && a[0] == '-' {
			return value
		}
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := env(name); locale != "" {
			language, _, _ := strings.Cut(locale, "_")
			return language
		}
	}
	return ""
}

// translate translates the help of a command and of everything in it.
func (h helper) translate(n *kong.Node) {
	n.Help = h.In(n.Help)
	for _, f := range n.Flags {
		f.Help = h.In(f.Help)
	}
	for _, p := range n.Positional {
		p.Help = h.In(p.Help)
	}
	for _, child := range n.Children {
		h.translate(child)
	}
}

// print prints the help, with its frame in the language.
func (h helper) print(options kong.HelpOptions, ctx *kong.Context) error {
	out, page := ctx.Stdout, bytes.Buffer{}
	ctx.Stdout = &page
	err := kong.DefaultHelpPrinter(options, ctx)
	ctx.Stdout = out
	lines := slices.Collect(strings.Lines(page.String()))
	for i, line := range lines {
		usage, isUsage := strings.CutPrefix(line, "Usage: ")
		switch {
		case isUsage:
			lines[i] = h.In("Usage: ") + usage
		case line != "\n" && line[0] != ' ': // the other lines are translated
			lines[i] = h.In(strings.TrimRight(line, "\n")) + "\n"
		}
	}
	if _, unwritten := io.WriteString(out, strings.Join(lines, "")); err == nil {
		err = unwritten
	}
	return err
}
