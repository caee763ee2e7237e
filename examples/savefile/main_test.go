package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

// envFile turns a process of the test into the program, with this file.
const envFile = "SAVEFILE_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(envFile); file != "" {
		if err := play(context.Background(), file, len(story), standing, stepwise{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func Example() {
	if err := run(context.Background(), "", os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// The file has 0 turns.
	// > I climb over the wall.
	// Broken glass cuts your hand: you lose 2 hit points.
	// > I cross the yard.
	// Nothing stirs in the yard but the fog.
	// Mara has 8 of 10 hit points.
	//
	// The file has 2 turns.
	// > I force the door.
	// The bolt springs back against your arm: you lose 3 hit points.
	// > I climb the stairs.
	// A hundred steps, and the wind at each window.
	// Mara has 5 of 10 hit points.
}

// standing is a clock that does not advance, so that two files have the same bytes.
func standing() time.Time { return time.Date(2026, 3, 1, 18, 0, 0, 0, time.UTC) }

// stepwise is the output of a program that will be killed. Before each turn it waits for input, so
// that the program does not end too early.
type stepwise struct{}

func (stepwise) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	_, _ = os.Stdin.Read(make([]byte, 1))
	return n, err
}

// playUntil starts the program and kills it after it has printed the given number of texts. It
// reports whether the program reached its end.
func playUntil(t *testing.T, file string, texts, spin int) (ended bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envFile+"="+file)
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
	killed := false
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		first := strings.HasPrefix(lines.Text(), "The file has ") || strings.HasPrefix(lines.Text(), "> ")
		ended = ended || strings.HasPrefix(lines.Text(), "Mara has ")
		if killed || !first && !ended {
			continue
		}
		_, _ = goOn.Write([]byte("\n")) // the program may have ended
		if texts--; texts == 0 {
			for range spin { // into the turn
				runtime.Gosched()
			}
			killed = true
			_ = cmd.Process.Kill()
		}
	}
	if err = cmd.Wait(); err != nil && !killed {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return ended
}

// records returns the records in a file.
func records(t *testing.T, file string) (out []string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for entry, err := range s.Records(t.Context(), "ascent", 0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(entry.Data))
	}
	return out
}

// TestKilledAndStartedAgain kills the program at random moments and restarts it until the story is
// over (CA-37). Every turn is played once. The file has the same bytes as after a run without kills.
func TestKilledAndStartedAgain(t *testing.T) {
	folder := t.TempDir()
	whole, pieces := filepath.Join(folder, "whole.db"), filepath.Join(folder, "pieces.db")
	if err := play(t.Context(), whole, len(story), standing, io.Discard); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 2))
	kills := 0
	for !playUntil(t, pieces, 1+random.IntN(3), random.IntN(30000)) {
		if kills++; kills > 100 {
			t.Fatal("it never comes to its end")
		}
	}
	if kills < 2 {
		t.Errorf("only %d kills", kills)
	}
	if want, got := records(t, whole), records(t, pieces); !slices.Equal(got, want) {
		t.Errorf("after %d kills the records are\n%s\nwithout kills\n%s", kills, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var after bytes.Buffer
	if err := play(t.Context(), pieces, len(story), standing, &after); err != nil || strings.Contains(after.String(), "> ") {
		t.Errorf("after the end: %v\n%s", err, after.String())
	}
}

// TestFileMistakes checks that the error for a file that cannot be opened is one line with its name.
func TestFileMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "nowhere", "a.db")
	err := run(t.Context(), file, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "a.db") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

// TestFirstStartsAtOnce: programs that start one file at once all find the campaign. A program that
// loses a race for a turn ends with a version conflict, and the file is not damaged.
func TestFirstStartsAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ascent.db")
	errs := make(chan error, 4)
	for i := range cap(errs) {
		// Equal records would be one record: each program has its own time.
		now := func() time.Time { return standing().Add(time.Duration(i) * time.Second) }
		go func() { errs <- play(t.Context(), file, 1, now, io.Discard) }()
	}
	won := 0
	for range cap(errs) {
		switch err := <-errs; {
		case err == nil:
			won++
		case !strings.Contains(err.Error(), "version_conflict"):
			t.Error(err)
		}
	}
	var out bytes.Buffer
	if err := play(t.Context(), file, 0, standing, &out); err != nil || out.String()[:len("The file has 1")] != fmt.Sprint("The file has ", won) {
		t.Errorf("%d programs won: %s, %v", won, out.String(), err)
	}
	records(t, file)
}
