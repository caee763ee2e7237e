package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func play(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), args, &out, io.Discard)
	return out.String(), err
}

// TestScripted plays both campaigns twice. It checks that the bytes are the same, that the replay
// is identical, and that the output shows every feature (EX-02).
func TestScripted(t *testing.T) {
	for lang, shown := range map[string][]string{
		"en": {
			"not_connected", "hp_change_unsettled", "repaired", "rollback to turn_0007",
			"low-health-warning <- state:changed", "dripping-vault", "rejected protected",
			"What Iva saw (milestones.added-1)", "omens: 1 -> 2", "sticky", "milestone",
			"another answer", "denied: It is three steps deep", "denied (the people who watch", "approved by the player",
			"a person decides", "decided by the player: override", "come up laughing",
			"heard by Mara; Iva does not know",
		},
		"zh": {
			"path_locked", "hp_change_unsettled", "已修正", "回滚到 turn_0007", "readonly_derived",
			"换一个回答", "不批准: 只有三级台阶", "没有同意: 只有三级台阶", "--- 批准 ---", "由人决定：override", "笑着浮了上来", "林远知道；苏晴不知道",
			"苏晴所见", "(derived)", "(clamp)", "(time)", "(green)", "(inventory)",
		},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			first, err := play(t, "-lang", lang)
			if err != nil {
				t.Fatal(err)
			}
			second, err := play(t, "-lang", lang)
			if err != nil {
				t.Fatal(err)
			}
			if first != second {
				t.Error("two runs print different bytes")
			}
			if !strings.HasSuffix(first, "\nrebuild: identical\n") {
				t.Errorf("ends in %q", first[max(0, len(first)-60):])
			}
			for _, want := range shown {
				if !strings.Contains(first, want) {
					t.Errorf("%q is not shown", want)
				}
			}
			if n := strings.Count(first, "\n> "); n < 12 {
				t.Errorf("only %d turns", n)
			}
		})
	}
}

// TestMistakes checks the message for each mistake in the arguments.
func TestMistakes(t *testing.T) {
	for want, args := range map[string][]string{
		"choose en or zh":   {"-lang", "fr"},
		"unknown argument":  {"play"},
		"flag provided but": {"-play"},
	} {
		if out, err := play(t, args...); err == nil || !strings.Contains(err.Error(), want) || out != "" {
			t.Errorf("%v: %v, %q", args, err, out)
		}
	}
}

// TestLegend checks that every label is explained, and that output without a terminal has no
// colours.
func TestLegend(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		out, err := play(t, "-lang", lang)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("%s: colours in a buffer", lang)
		}
		w := wordsFor(lang)
		legend, _, _ := strings.Cut(out, "\n--- ")
		for _, label := range []string{w.lore, w.tokens, w.refused, w.waits, w.secret, w.conflict, w.command, w.fired, w.hooks, w.host, w.vars} {
			if !strings.Contains(legend, "\n  "+label+" ") {
				t.Errorf("%s: %s is explained nowhere", lang, label)
			}
		}
		if strings.Contains(out, "\n\n\n") {
			t.Errorf("%s: two empty lines in a row", lang)
		}
	}
}

// TestColours checks that only terminals get colours, and only without NO_COLOR.
func TestColours(t *testing.T) {
	s := screen{Writer: io.Discard, colours: true}
	if got := s.paint(green, "yes"); got != "\x1b[32myes\x1b[0m" {
		t.Errorf("got %q", got)
	}
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, like a terminal
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if newScreen(file).colours || newScreen(new(bytes.Buffer)).colours {
		t.Error("colours in a file")
	}
	if info, err := device.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 && !newScreen(device).colours {
		t.Error("no colours on a terminal")
	}
	t.Setenv("NO_COLOR", "1")
	if newScreen(device).colours {
		t.Error("colours in spite of NO_COLOR")
	}
}
