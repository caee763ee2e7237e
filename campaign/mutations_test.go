package campaign_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// The file testdata/mutations.list names passages of this package that connect something.
// TestMutations removes them, one at a time, and runs the tests of the package, and the quickstart
// if these tests pass. It takes long, so it must be requested:
//
//	MUTATE=all go test ./campaign -run 'TestMutations$' -v -timeout 3h
//	MUTATE=2,10-19 go test ./campaign -run 'TestMutations$' -v -timeout 1h
//
// The source files do not change: the changed files are overlays of the build.

// mutation is a passage of the package's code, with its replacement.
type mutation struct {
	lost     string // what the package no longer does without it
	file     string // where the passage is
	old, new string
}

// TestMutationsAreInPlace checks that each passage is found once, and that the package compiles
// without any of them.
func TestMutationsAreInPlace(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	changed := map[string]string{}
	for _, m := range mutations(t) {
		text, ok := changed[m.file]
		if !ok {
			text = readText(t, m.file)
		}
		changed[m.file] = strings.Replace(text, m.old, m.new, 1)
	}
	if out, err := runProgram("go", "build", "-overlay", overlay(t, changed), "."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestMutations counts the passages whose loss the tests detect.
func TestMutations(t *testing.T) {
	list := mutations(t)
	places := chosen(t, os.Getenv("MUTATE"), len(list))
	if by := noticed(t, mutation{lost: "nothing", file: "doc.go"}); by != "" {
		t.Fatalf("%s fails with nothing taken out", by)
	}
	var survivors []string
	for _, i := range places {
		m := list[i]
		if by := noticed(t, m); by != "" {
			t.Logf("%2d noticed (%s): %s", i+1, by, m.lost)
			continue
		}
		survivors = append(survivors, m.lost)
		t.Logf("%2d SURVIVES in %s: %s", i+1, m.file, m.lost)
	}
	t.Logf("noticed %d of %d", len(places)-len(survivors), len(places))
	if len(survivors)*20 > len(places) {
		t.Errorf("nothing notices that these are gone:\n%s", strings.Join(survivors, "\n"))
	}
}

// chosen returns the passages to remove: all, or numbers and ranges from 1, such as 2,10-19.
func chosen(t *testing.T, text string, n int) (places []int) {
	t.Helper()
	switch text {
	case "":
		t.Skip("takes long: set MUTATE to all, or to places such as 2,10-19")
	case "all":
		text = "1-" + strconv.Itoa(n)
	}
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || from < 1 || from > to || to > n {
			t.Fatalf("MUTATE=%s: use all, or places such as 2,10-19, from 1 to %d", text, n)
		}
		for i := from; i <= to; i++ {
			places = append(places, i-1)
		}
	}
	return places
}

// slow are long tests. They run if the others detect nothing.
const slow = "^(TestMutations.*|TestHostileReplies|TestRoundTripOfEveryEffect|TestCommitByPartsIsTheWhole|" +
	"TestManyCallsInOneReply|TestGrowth.*|TestRoundTripStoredTypes|TestManyCampaigns)$"

// noticed returns what fails without a passage, or "" if nothing does.
func noticed(t *testing.T, m mutation) string {
	t.Helper()
	over := overlay(t, map[string]string{m.file: strings.Replace(readText(t, m.file), m.old, m.new, 1)})
	bin := filepath.Join(t.TempDir(), "tests")
	if out, err := runProgram("go", "test", "-c", "-overlay", over, "-o", bin, "."); err != nil {
		t.Fatalf("%s: %v\n%s", m.lost, err, out)
	}
	for _, tests := range [][]string{
		{bin, "-test.failfast", "-test.timeout=20m", "-test.skip=" + slow},
		{bin, "-test.failfast", "-test.timeout=20m", "-test.run=" + slow, "-test.skip=^TestMutations"},
		{"go", "test", "-overlay", over, "../examples/quickstart"},
	} {
		out, err := runProgram(tests...)
		if err == nil {
			continue
		}
		if _, failed := errors.AsType[*exec.ExitError](err); !failed {
			t.Fatal(err)
		}
		for line := range strings.Lines(out) {
			if name, fails := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); fails {
				name, _, _ = strings.Cut(name, " ")
				return name
			}
		}
		return "the tests stop"
	}
	return ""
}

// mutations reads the list and finds each passage.
func mutations(t *testing.T) []mutation {
	t.Helper()
	var names []string
	for _, room := range []string{".", "state", "tool", "internal/*", "game", "turn", "turn/internal/*"} {
		found, err := filepath.Glob(room + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	sources := map[string]string{}
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			sources[name] = readText(t, name)
		}
	}
	var list []mutation
	var m mutation
	for line := range strings.Lines(readText(t, "testdata/mutations.list")) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "# "):
			m.lost = line[len("# "):]
		case strings.HasPrefix(line, "- "):
			m.old = line[len("- "):]
		case strings.HasPrefix(line, "+"):
			m.new = strings.TrimPrefix(line[1:], " ")
			found := 0
			for name, text := range sources {
				if n := strings.Count(text, m.old); n > 0 {
					m.file, found = name, found+n
				}
			}
			if found != 1 {
				t.Errorf("%s: %q is %d times in the rooms, not once: choose another passage", m.lost, m.old, found)
				continue
			}
			list = append(list, m)
		}
	}
	return list
}

// overlay writes the changed files outside the source tree and returns the file that names them.
func overlay(t *testing.T, changed map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for name, text := range changed {
		original, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		replace[original] = filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(replace[original], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// runProgram runs a program and returns its output.
func runProgram(args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = append(os.Environ(), "MUTATE=")
	err := cmd.Run()
	return out.String(), err
}
