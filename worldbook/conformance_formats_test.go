package worldbook_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// importers by the names that conversions.json uses.
var importers = map[string]func([]byte) (wb.Book, talewright.Problems){
	"character_book": format.ParseCard, "agnai": format.Parse, "risu": format.ParseRisuExact,
	"novel": format.ParseNovelAIExact,
}

// conversions checks imports and the export (WB-38, WB-39).
func conversions(t *testing.T, file string, data []byte) (list []testkit.RecordedCase) {
	var all struct {
		Cases []struct {
			Kind, Format, Name, BookName string
			Input, Output                json.RawMessage
		}
	}
	readJSON(t, file, data, &all)
	for _, c := range all.Cases {
		list = append(list, testkit.RecordedCase{Name: "conversion/" + c.Kind + "/" + c.Format + "/" + c.Name, Run: func(t *testing.T) {
			if c.Kind == "export" {
				book, found := format.ParseSillyTavern(c.Input)
				if err := found.Err(); err != nil {
					t.Fatal(err)
				}
				book.Name = c.BookName
				got, found := format.WriteCard(book)
				if err := found.Err(); err != nil {
					t.Fatal(err)
				}
				sameJSON(t, c.Output, got)
				return
			}
			book, found := importers[c.Format](c.Input)
			if err := found.Err(); err != nil {
				t.Fatal(err)
			}
			book.Name, book.Extra = "", nil
			got, err := format.WriteSillyTavern(book)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, c.Output, got)
		}})
	}
	return list
}

// sameJSON compares as JSON values: a member that is missing is not null.
func sameJSON(t *testing.T, want, got []byte) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// roleplayScenarios plays the tables of the RoleplayConfig document (WB-01 to WB-20, WB-24).
func roleplayScenarios(t *testing.T, file string, data []byte) (list []testkit.RecordedCase) {
	type step struct {
		Text      string
		Active    *bool
		Entry     json.RawMessage
		Remaining *int `json:"stickyRemaining"`
	}
	var all struct {
		Scenarios []struct {
			ID, Mode string
			Entry    json.RawMessage
			Steps    []step
			Rows     []step
		}
	}
	readJSON(t, file, data, &all)
	for _, sc := range all.Scenarios {
		for i, row := range sc.Rows {
			name := fmt.Sprintf("roleplay/%s/%d", sc.ID, i)
			list = append(list, testkit.RecordedCase{Name: name, Run: func(t *testing.T) {
				active, _, _ := scanRoleplay(t, row.Entry, []string{row.Text}, wb.State{})
				checkScenario(t, row.Text, row.Active, active)
			}})
		}
		if len(sc.Steps) == 0 {
			continue
		}
		list = append(list, testkit.RecordedCase{Name: "roleplay/" + sc.ID, Run: func(t *testing.T) {
			var chat []string
			var state wb.State
			for _, s := range sc.Steps {
				if sc.Mode == "independent" {
					chat, state = nil, wb.State{}
				}
				chat = append(chat, s.Text)
				active, rows, next := scanRoleplay(t, sc.Entry, chat, state)
				state = next
				checkScenario(t, s.Text, s.Active, active)
				if s.Remaining != nil {
					left := 0
					for _, r := range rows {
						left += r.StickyRemaining
					}
					if left != *s.Remaining {
						t.Errorf("after %q: sticky remaining %d, want %d", s.Text, left, *s.Remaining)
					}
				}
			}
		}})
	}
	return list
}

// checkScenario compares where the document has a value: null is not compared.
func checkScenario(t *testing.T, text string, want *bool, got bool) {
	t.Helper()
	if want != nil && *want != got {
		t.Errorf("%q: active %v, want %v", text, got, *want)
	}
}

// scanRoleplay scans a chat with one entry of a RoleplayConfig.
func scanRoleplay(t *testing.T, entry json.RawMessage, chat []string, s wb.State) (bool, []format.RoleplayRow, wb.State) {
	t.Helper()
	config, found := format.ParseRoleplay("b", fmt.Appendf(nil, `{"worldBookEntries":[%s]}`, entry))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	compiled, _ := config.Compile()
	in := wb.Input{ContextSize: 8192}
	for _, text := range chat {
		in.Messages = append(in.Messages, wb.Message{Name: "user", Text: text})
	}
	result, next := compiled.Scan(in, s)
	return len(result.Activated) > 0, format.RoleplayRows(next, "b", len(chat), nil), next
}
