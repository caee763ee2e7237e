package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

// envArgs turns a process of the test into the program, with these arguments.
const envArgs = "QUICKSTART_ARGS"

func TestMain(m *testing.M) {
	if text := os.Getenv(envArgs); text != "" {
		if err := run(context.Background(), strings.Split(text, "\n"), strings.NewReader(""), stepwise{}, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// stepwise is the output of a program that will be killed. After each printed turn it waits for
// input, so that the program does not end too early.
type stepwise struct{}

func (stepwise) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	if bytes.HasPrefix(p, []byte("> ")) {
		_, _ = os.Stdin.Read(make([]byte, 1))
	}
	return n, err
}

// playUntil starts the program and kills it after it has printed the given number of turns. It
// returns the output, and whether the program reached its end.
func playUntil(t *testing.T, turns, spin int, args ...string) (shown string, ended bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envArgs+"="+strings.Join(args, "\n"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	goOn, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	killed := false
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		text.WriteString(lines.Text() + "\n")
		if killed || !strings.HasPrefix(lines.Text(), "> ") {
			continue
		}
		if _, err := goOn.Write([]byte("\n")); err != nil {
			t.Error(err)
		}
		if turns--; turns == 0 {
			for range spin { // into the turn
				runtime.Gosched()
			}
			killed = true
			_ = cmd.Process.Kill()
		}
	}
	err = cmd.Wait()
	ended = strings.HasSuffix(text.String(), "\nrebuild: identical\n")
	if err != nil && !killed {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return text.String(), ended
}

// logBytes returns the records in a file.
func logBytes(t *testing.T, path, id string) []string {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	var out []string
	for entry, err := range s.Records(t.Context(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(entry.Data))
	}
	return out
}

// TestKilledAndStartedAgain kills the program at random moments and restarts it until the script is
// over (CA-37). Every turn is played once, and the file has the same bytes as after a run without
// kills.
func TestKilledAndStartedAgain(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			whole, pieces := filepath.Join(folder, "whole.db"), filepath.Join(folder, "pieces.db")
			if _, err := play(t, "", "-lang", lang, "-store", whole); err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(7, uint64(len(lang))))
			kills := 0
			for {
				if _, ended := playUntil(t, 1+random.IntN(4), random.IntN(30000), "-lang", lang, "-store", pieces); ended {
					break
				}
				if kills++; kills > 100 {
					t.Fatal("it never comes to its end")
				}
			}
			if kills < 3 {
				t.Errorf("only %d kills", kills)
			}
			l, err := load(options{lang: lang})
			if err != nil {
				t.Fatal(err)
			}
			want, got := logBytes(t, whole, l.setup.ID), logBytes(t, pieces, l.setup.ID)
			if len(got) != len(want) {
				t.Fatalf("%d records after %d kills, %d without", len(got), kills, len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("record %d is another after %d kills:\n%s", i+1, kills, firstDifference(want[i], got[i]))
				}
			}
			again, err := play(t, "", "-lang", lang, "-store", pieces)
			if err != nil || strings.Contains(again, "\n> ") || !strings.HasSuffix(again, "\nrebuild: identical\n") {
				t.Errorf("after the end: %v\n%s", err, again)
			}
		})
	}
}

func firstDifference(want, got string) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal([]byte(want), &a) == nil && json.Unmarshal([]byte(got), &b) == nil {
		for key := range a {
			if !bytes.Equal(a[key], b[key]) {
				return key + ":\n" + string(a[key]) + "\n" + string(b[key])
			}
		}
	}
	return want + "\n" + got
}

// TestPlayGoesOn checks that an interactive game continues where it stopped.
func TestPlayGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.db")
	if out, err := play(t, "I walk to the chapel\n/quit\n", "-play", "-store", path); err != nil || !strings.Contains(out, path) {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := play(t, "I look around\n/quit\n", "-play", "-store", path)
	if err != nil || !strings.Contains(out, "goes on after turn 1") || !strings.Contains(out, "Turn 2") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestStoreMistakes checks that the error for a file that cannot be opened is one line.
func TestStoreMistakes(t *testing.T) {
	_, err := play(t, "", "-store", filepath.Join(t.TempDir(), "nowhere", "a.db"))
	if err == nil || !strings.HasPrefix(err.Error(), "-store: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}
