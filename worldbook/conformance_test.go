package worldbook_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

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

// TestConformance runs the recorded cases (WB-32). The members of a file show its kind.
func TestConformance(t *testing.T) {
	deviations := map[string]string{}
	suite := testkit.Suite{Dir: filepath.Join("testdata", "conformance"), Deviations: deviations}
	suite.Run(t, func(t *testing.T, file string, data []byte) []testkit.RecordedCase {
		var holds struct {
			Rows, Scenarios json.RawMessage
			Cases           []struct{ Turns, Format json.RawMessage }
		}
		readJSON(t, file, data, &holds)
		switch {
		case holds.Rows != nil:
			return matcherTable(t, file, data)
		case holds.Scenarios != nil:
			return roleplayScenarios(t, file, data)
		case len(holds.Cases) > 0 && holds.Cases[0].Turns != nil:
			return scanCases(t, file, data, deviations)
		case len(holds.Cases) > 0 && holds.Cases[0].Format != nil:
			return conversions(t, file, data)
		}
		return nil
	})
}

// readJSON reads a file or fails the test.
func readJSON(t *testing.T, file string, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// scanCases makes the cases of one file. It adds the cases that may fail to deviations.
func scanCases(t *testing.T, file string, data []byte, deviations map[string]string) (list []testkit.RecordedCase) {
	var all struct {
		Cases []scanCase `json:"cases"`
	}
	readJSON(t, file, data, &all)
	for _, c := range all.Cases {
		if why := c.deviation(); why != "" {
			deviations[c.Name] = why
		}
		list = append(list, testkit.RecordedCase{Name: c.Name, Run: func(t *testing.T) {
			if diff := playCase(t, &c); diff != "" {
				t.Error(diff)
			}
		}})
	}
	return list
}

// playCase plays the turns of a case and returns the first difference. Each turn is scanned twice:
// explanations, and a scan without a cache, must change nothing.
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
		maps.Copy(c.Settings, turn.Settings)
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
		result, next, loops := wb.ScanLoops(compiled, in, state)
		if diff := compare(c, turn, &result, next, loops); diff != "" {
			return fmt.Sprintf("turn %d (-want +got):\n%s", i, diff)
		}
		in.Explain, in.Cache = true, wb.NewCache(-1)
		in.Random = roller(c.Random)
		explained, same, loopsToo := wb.ScanLoops(compiled, in, state)
		explained.Trace = nil
		if !reflect.DeepEqual(result, explained) || !reflect.DeepEqual(next, same) || !reflect.DeepEqual(loops, loopsToo) {
			return fmt.Sprintf("turn %d, explained and without a cache:\n%s\n%+v, then %+v", i,
				cmp.Diff(result, explained, cmpopts.IgnoreUnexported(wb.Result{})), next, same)
		}
		state = throughJSON(t, next)
	}
	return ""
}

// throughJSON stores the state and loads it, as a host does between turns.
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

// matcherTable tries one key on one message per row: names off, depth 1.
func matcherTable(t *testing.T, file string, data []byte) (list []testkit.RecordedCase) {
	var table struct {
		Rows []struct {
			Key, Text                      string
			CaseSensitive, MatchWholeWords bool
			IsRegex, Match                 bool
		} `json:"rows"`
	}
	readJSON(t, file, data, &table)
	for i, r := range table.Rows {
		list = append(list, testkit.RecordedCase{Name: fmt.Sprintf("matcher/%d", i), Run: func(t *testing.T) {
			e := wb.Entry{
				UID: "0", Keys: []string{r.Key}, Content: "x",
				CaseSensitive: &r.CaseSensitive, MatchWholeWords: &r.MatchWholeWords,
			}
			c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Entries: []wb.Entry{e}}}}, wb.ProfileSettings{Depth: 1, Budget: 100})
			result, _ := c.Scan(wb.Input{Messages: []wb.Message{{Text: r.Text}}, ContextSize: 1000}, wb.State{})
			if got := len(result.Activated) == 1; got != r.Match {
				t.Errorf("key %q in %q (case %v, words %v): got %v, want %v",
					r.Key, r.Text, r.CaseSensitive, r.MatchWholeWords, got, r.Match)
			}
		}})
	}
	return list
}
