// Talewright is the command for people who write games and not Go.
//
//	talewright new harbour          a small complete game
//	talewright vet harbour          all mistakes, each with file, line and column
//	talewright test harbour         the scenarios in tests/
//	talewright score -model URL -model-name NAME
//	talewright play harbour         also a card (PNG, JSON, YAML, CHARX) or a world book
//	talewright scan harbour -say "Is that a dragon?"
//	talewright graph harbour        rules and variables as Mermaid, DOT or a page (-html)
//	talewright convert IN OUT       between the formats of books and cards
//	talewright explain harbour -store FILE [-turn 3 | -campaign] [-html]
//	talewright export, import, rebuild, watch, completion
//
// The exit code is 0 if all is well, 1 if there are problems, and 2 for a wrong use. With -json a
// command writes JSON. NO_COLOR is respected, and colours are only for terminals. Messages are in the
// language of the content, or of -lang; the help is in the language of -lang, or of the terminal.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/talewright/talewright/internal/wording"
)

// The exit codes.
const (
	fine     = 0
	problems = 1
	wrongUse = 2
)

// errProblems says that the command has printed what is wrong.
var errProblems = errors.New("there are problems")

// commands is the command line.
type commands struct {
	JSON bool   `name:"json" help:"Write JSON for other programs."`
	Lang string `help:"Language of the messages: en or zh. Without it, that of the content." enum:",en,zh" default:""`

	New        newGame    `cmd:"" help:"Write a small complete game into a new folder."`
	Vet        vetGame    `cmd:"" help:"Report all problems of a game."`
	Test       testGame   `cmd:"" help:"Play the scenarios in tests/ and compare what happens."`
	Score      scoreModel `cmd:"" help:"Score a model as a game master, by the state that it reaches."`
	Play       playGame   `cmd:"" help:"Play a game, a card or a world book in the terminal."`
	Scan       scanGame   `cmd:"" help:"Show which lore a line activates, and why each other entry stays inactive."`
	Explain    explain    `cmd:"" help:"Explain a turn of a stored campaign, or the whole campaign."`
	Graph      graphGame  `cmd:"" help:"Draw rules, reactions, hooks and variables."`
	Convert    convert    `cmd:"" help:"Convert a world book or a card to another format."`
	Watch      watchGame  `cmd:"" help:"Report problems whenever a file changes."`
	Export     exportGame `cmd:"" help:"Write a stored campaign to a file, also as a chat of SillyTavern (.jsonl)."`
	Import     importGame `cmd:"" help:"Store a campaign from a file, also a chat of SillyTavern (.jsonl)."`
	Completion completion `cmd:"" help:"Write the completion of a shell: source <(talewright completion bash)."`
	Rebuild    rebuild    `cmd:"" help:"Replay the log of a stored campaign and compare the result."`
}

// terminal is what a command reads and writes.
type terminal struct {
	ctx      context.Context
	in       io.Reader
	out, err io.Writer
	json     bool
	lang     string // that the user chose
	language string // of errors
	color    bool
	progress progress
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without the process around it.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	var line commands
	done := false // help was printed
	help := helperFor(args, os.Getenv)
	parser, err := kong.New(&line, kong.Name("talewright"), kong.Description("For people who write games and not Go."),
		kong.Writers(out, errOut), kong.Exit(func(int) { done = true }), kong.Help(help.print), kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}))
	if err != nil {
		fmt.Fprintln(errOut, "talewright:", err)
		return wrongUse
	}
	help.translate(parser.Model.Node)
	found, err := parser.Parse(doubled(args))
	if done {
		return fine
	}
	if err != nil {
		fmt.Fprintf(errOut, "talewright: %s\n", help.In(err.Error()+"; see talewright --help"))
		return wrongUse
	}
	t := &terminal{ctx: ctx, in: in, out: out, err: errOut, json: line.JSON, lang: line.Lang, language: line.Lang, color: colored(out)}
	t.progress.verb = found.Selected().Name
	stop := func() {}
	if isTerminal(errOut) && t.progress.verb != "play" && t.progress.verb != "watch" {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		stop = t.progress.show(errOut, ticker.C)
	}
	err = found.Run(t, parser)
	stop()
	if err == nil {
		return fine
	}
	if !errors.Is(err, errProblems) {
		fmt.Fprintln(errOut, "talewright:", wording.For(t.language).In(err.Error()))
	}
	if errors.Is(err, errWrongUse) {
		return wrongUse
	}
	return problems
}

// errWrongUse says that the arguments do not fit.
var errWrongUse = errors.New("wrong use")

// doubled writes flags with one hyphen, as Go programs have them, with two.
func doubled(args []string) []string {
	out := make([]string, len(args))
	only := false
	for i, a := range args {
		if only = only || a == "--"; !only && len(a) > 2 && a[0] == '-' && a[1] >= 'a' && a[1] <= 'z' && a[2] != '=' {
			a = "-" + a
		}
		out[i] = a
	}
	return out
}

// colored reports whether the output is a terminal that shows colours.
func colored(out io.Writer) bool {
	return isTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// isTerminal reports whether a person reads the output on a terminal.
func isTerminal(end any) bool {
	file, ok := end.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// paint colours a text for a terminal.
func (t *terminal) paint(code, text string) string {
	if !t.color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Codes of paint.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *terminal) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// writeJSON writes a value as one JSON text.
func (t *terminal) writeJSON(v any) error {
	e := json.NewEncoder(t.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printable replaces the control characters of foreign texts: a card must not command the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\r' {
			return -1
		}
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '\ufffd'
		}
		return r
	}, text)
}
