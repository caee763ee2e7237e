package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// tmux is a terminal that a test reads and writes.
type tmux struct {
	t      *testing.T
	socket string
}

// run runs a command of tmux. The server belongs to the test alone.
func (x tmux) run(args ...string) string {
	x.t.Helper()
	out, err := exec.CommandContext(x.t.Context(), "tmux", append([]string{"-S", x.socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// screen returns the screen, and its attributes other than bold, faint and reversed, once the text
// matches an expression and the last line is not the given one. The last line is drawn last.
func (x tmux) screen(until, not string) (text string, colors []string) {
	x.t.Helper()
	shows := regexp.MustCompile(until)
	for range 4000 { // each is a process of tmux
		text, colors = plain(x.run("capture-pane", "-p", "-e", "-t", "game"))
		last := text[strings.LastIndexByte(text, '\n')+1:]
		if shows.MatchString(text) && last != "> "+busy && last != "> "+not {
			return text, colors
		}
	}
	x.t.Fatalf("%q does not appear:\n%s", until, text)
	return "", nil
}

// TestScreensInATerminal plays games in a real terminal. The transcripts have the screens. With
// NO_COLOR a screen has no colours.
func TestScreensInATerminal(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	for _, tool := range []string{"tmux", "talewright"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs a terminal: there is no " + tool + " on the PATH")
		}
	}
	testkit.Run(t, "testdata/screens/*.txt", func(t *testing.T) func(testkit.Case) string {
		x := tmux{t, filepath.Join(t.TempDir(), "s")}
		colorless, columns := false, 0
		return func(c testkit.Case) string {
			typed := c.Arg("text", "")
			switch c.Name {
			case "start": // start GAME width=80 height=24 until=TEXT; a second one continues the campaign
				colorless = c.Arg("env", "") == "NO_COLOR=1"
				x.socket += "s"
				columns, _ = strconv.Atoi(c.Arg("width", "80"))
				command := []string{"sh", "-c", `"$@"; echo "it ends with $?"; read x`, "sh", "env", "LC_ALL=C.UTF-8", "TERM=screen-256color", c.Arg("env", "X=1"),
					"talewright", "play", c.Words[0], "--store", filepath.Join(filepath.Dir(x.socket), "store.db")}
				x.run(append([]string{"new-session", "-d", "-s", "game", "-x", c.Arg("width", "80"), "-y", c.Arg("height", "24")}, command...)...)
				socket := x.socket
				t.Cleanup(func() { _ = exec.Command("tmux", "-S", socket, "kill-server").Run() }) // it may have ended
			case "type": // type text=TEXT until=TEXT
				x.run("send-keys", "-t", "game", "-l", typed)
				x.screen("> "+regexp.QuoteMeta(typed)+"$", "")
				x.run("send-keys", "-t", "game", "Enter")
			case "press": // press KEY until=TEXT at the end of what changes
				x.run("send-keys", "-t", "game", c.Words[0])
			case "resize": // resize width=40 height=12 until=TEXT at the end of what changes
				x.run("resize-window", "-t", "game", "-x", c.Arg("width", "80"), "-y", c.Arg("height", "24"))
			case "picture": // picture FILE title=TEXT, with the colours
				screen := strings.TrimRight(x.run("capture-pane", "-p", "-e", "-t", "game"), "\n")
				testkit.Picture(t, c.Words[0], []byte(testkit.Terminal(c.Arg("title", ""), screen, columns)))
				return ""
			default:
				t.Fatalf("%s: there is no command %q", c.Pos, c.Name)
			}
			now, colors := x.screen(c.Arg("until", ""), typed)
			if colorless && len(colors) > 0 {
				t.Errorf("%s: the screen has the attributes %q", c.Pos, colors)
			}
			return now
		}
	})
}

// plain returns the text of a screen, and its attributes other than bold, faint and reversed.
func plain(screen string) (text string, colors []string) {
	var b strings.Builder
	for i, piece := range strings.Split(screen, "\x1b[") {
		if i > 0 {
			codes, rest, _ := strings.Cut(piece, "m")
			for code := range strings.SplitSeq(codes, ";") {
				if !strings.Contains(" 0 1 2 7 22 27 39 49 ", " "+code+" ") && code != "" {
					colors = append(colors, code)
				}
			}
			piece = rest
		}
		b.WriteString(piece)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), colors
}
