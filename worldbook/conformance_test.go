package worldbook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	wb "github.com/talewright/talewright/worldbook"
)

// score counts the cases of a conformance run.
type score struct{ passed, failed int }

func (s *score) add(ok bool) {
	if ok {
		s.passed++
	} else {
		s.failed++
	}
}

// deviation returns why a case may fail, "" if it must pass. Cases tagged utf16
// may have messages with half of a surrogate pair. No Go text can hold one:
// decoding turns it into U+FFFD.
func (c *scanCase) deviation() string {
	if !slices.Contains(c.Tags, "utf16") {
		return ""
	}
	for _, turn := range c.Turns {
		for _, m := range turn.Add {
			if strings.Contains(m.Mes, "\ufffd") {
				return "half of a surrogate pair in a message"
			}
		}
	}
	return ""
}

// TestConformance runs the recorded cases (WB-32). The environment variable
// TALEWRIGHT_CONFORMANCE names another folder with files of the same form.
func TestConformance(t *testing.T) {
	dir := os.Getenv("TALEWRIGHT_CONFORMANCE")
	if dir == "" {
		dir = filepath.Join("testdata", "conformance")
	} else if sub := filepath.Join(dir, "worldbook"); isDir(sub) {
		dir = sub
	}
	var total score
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(files) == 0 {
		t.Fatalf("no cases in %s", dir)
	}
	for _, file := range files {
		switch name := filepath.Base(file); {
		case strings.HasPrefix(name, "cases-"):
			runCases(t, file, &total)
		case name == "matcher-table.json":
			runMatcherTable(t, file, &total)
		case name == "conversions.json":
			runConversions(t, file, &total)
		case name == "seed-scenarios.json":
			runSeedScenarios(t, file, &total)
		}
	}
	line := fmt.Sprintf("%d passed, %d failed of %d", total.passed, total.failed, total.passed+total.failed)
	t.Log(line)
	fmt.Println("worldbook:", line)
}

// isDir reports whether there is such a folder.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readJSON reads a file or fails the test.
func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// runCases plays the cases of one file, one subtest each.
func runCases(t *testing.T, file string, total *score) {
	var data struct {
		Cases []scanCase `json:"cases"`
	}
	readJSON(t, file, &data)
	for _, c := range data.Cases {
		diff := ""
		t.Run(c.Name, func(t *testing.T) {
			if diff = playCase(t, &c); diff == "" {
				return
			}
			if reason := c.deviation(); reason != "" {
				t.Skipf("known deviation: %s", reason)
			}
			t.Error(diff)
		})
		total.add(diff == "")
	}
}

// playCase plays the turns of a case and returns the first difference. Each turn is
// scanned twice: explaining it and doing without a cache must change nothing.
func playCase(t *testing.T, c *scanCase) string {
	var chat []caseMessage
	var state wb.State
	var compiled *wb.Compiled
	for i := range c.Turns {
		turn := &c.Turns[i]
		if turn.Keep != nil {
			chat = chat[:min(*turn.Keep, len(chat))]
		}
		chat = append(chat, turn.Add...)
		for k, v := range turn.Settings {
			c.Settings[k] = v
		}
		if turn.Books != nil {
			c.Books = turn.Books
		}
		if turn.GlobalScanData != nil {
			c.GlobalScanData = *turn.GlobalScanData
		}
		if compiled == nil || turn.Settings != nil || turn.Books != nil {
			compiled, _ = wb.Compile(attachments(c.Books), caseSettings(t, c.Settings))
		}
		in := caseInput(c, turn, chat)
		result, next := compiled.Scan(in, state)
		if diff := compare(c, turn, &result, next); diff != "" {
			return fmt.Sprintf("turn %d (-want +got):\n%s", i, diff)
		}
		in.Explain, in.Cache = true, wb.NewCache(-1)
		in.Random = roller(c.Random)
		explained, same := compiled.Scan(in, state)
		explained.Trace = nil
		if !reflect.DeepEqual(result, explained) || !reflect.DeepEqual(next, same) {
			return fmt.Sprintf("turn %d, explained and without a cache:\n%s\n%+v, then %+v", i,
				cmp.Diff(result, explained, cmpopts.IgnoreUnexported(wb.Result{})), next, same)
		}
		state = throughJSON(t, next)
	}
	return ""
}

// throughJSON is what a host does between turns: it stores the state and loads
// it.
func throughJSON(t *testing.T, s wb.State) (out wb.State) {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// runMatcherTable tries one key on one message per row: names off, depth 1.
func runMatcherTable(t *testing.T, file string, total *score) {
	var table struct {
		Rows []struct {
			Key, Text                      string
			CaseSensitive, MatchWholeWords bool
			IsRegex, Match                 bool
		} `json:"rows"`
	}
	readJSON(t, file, &table)
	for i, r := range table.Rows {
		ok := t.Run(fmt.Sprintf("matcher/%d", i), func(t *testing.T) {
			e := wb.Entry{
				UID: "0", Keys: []string{r.Key}, Content: "x",
				CaseSensitive: &r.CaseSensitive, MatchWholeWords: &r.MatchWholeWords,
			}
			c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Entries: []wb.Entry{e}}}}, wb.Settings{Depth: 1, Budget: 100})
			result, _ := c.Scan(wb.Input{Messages: []wb.Message{{Text: r.Text}}, ContextSize: 1000}, wb.State{})
			if got := len(result.Activated) == 1; got != r.Match {
				t.Errorf("key %q in %q (case %v, words %v): got %v, want %v",
					r.Key, r.Text, r.CaseSensitive, r.MatchWholeWords, got, r.Match)
			}
		})
		total.add(ok)
	}
}
