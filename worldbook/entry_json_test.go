package worldbook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// TestEntryRoundTrip writes entries back as they were read (WB-38).
func TestEntryRoundTrip(t *testing.T) {
	t.Parallel()
	rows := []struct{ reason, json string }{
		{"nothing is added to an empty entry", `{}`},
		{"unknown members stay", `{"uid":1,"x_custom":[1,{"a":null}],"vendor":{"b":2}}`},
		{"null is not zero", `{"order":null,"sticky":null,"depth":null,"position":null,"content":null}`},
		{"texts in flags stay texts", `{"constant":"false","disable":"1","useProbability":60}`},
		{"numbers as texts", `{"order":"95","depth":"4","position":"0","uid":"7","scanDepth":"1"}`},
		{"fractions", `{"sticky":2.5,"order":0.125,"groupWeight":1e3}`},
		{"key is no list", `{"key":"dragon","keysecondary":[1,null,"b"],"triggers":null}`},
		{"loose filters", `{"characterFilter":{"isExclude":1,"names":["a"],"own":true}}`},
		{"text uids", `{"uid":"magic-system"}`},
		{"delay level true", `{"delayUntilRecursion":true}`},
		{"html characters", `{"content":"<b> & \u2028"}`},
	}
	for _, r := range rows {
		var e wb.Entry
		if err := json.Unmarshal([]byte(r.json), &e); err != nil {
			t.Fatalf("%s: %v", r.reason, err)
		}
		got, err := json.Marshal(e)
		if err != nil {
			t.Fatalf("%s: %v", r.reason, err)
		}
		if diff := cmp.Diff(anyJSON(t, []byte(r.json)), anyJSON(t, got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.reason, diff)
		}
	}
}

func anyJSON(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// TestSetFieldWins: a field that was set has precedence over the JSON.
func TestSetFieldWins(t *testing.T) {
	t.Parallel()
	var e wb.Entry
	if err := json.Unmarshal([]byte(`{"uid":1,"constant":"yes","order":null,"content":"x"}`), &e); err != nil {
		t.Fatal(err)
	}
	if e.Position != wb.PositionNone || e.GroupWeight != 100 || e.Depth != wb.NoDepth || e.Logic != wb.LogicNone {
		t.Errorf("missing members: position %v, weight %v, depth %v", e.Position, e.GroupWeight, e.Depth)
	}
	e.Constant, e.Order, e.Position = false, 7, wb.PositionAtDepth
	got, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"uid":1,"content":"x","constant":false,"order":7,"position":4}`
	if diff := cmp.Diff(anyJSON(t, []byte(want)), anyJSON(t, got)); diff != "" {
		t.Error(diff)
	}
}

// TestBookRoundTrip writes every book of the conformance cases back unchanged.
func TestBookRoundTrip(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob(filepath.Join("testdata", "conformance", "cases-*.json"))
	books := 0
	for _, file := range files {
		if testkit.Race && strings.HasSuffix(file, "random.json") {
			continue // half of all cases; the others have every field
		}
		var data struct {
			Cases []struct {
				Books []struct{ Book json.RawMessage }
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		readJSON(t, file, text, &data)
		for _, c := range data.Cases {
			for _, b := range c.Books {
				var book wb.Book
				if err := json.Unmarshal(b.Book, &book); err != nil {
					t.Fatal(err)
				}
				got, err := json.Marshal(book)
				if err != nil {
					t.Fatal(err)
				}
				if want, got := anyJSON(t, b.Book), anyJSON(t, got); !reflect.DeepEqual(want, got) {
					t.Fatalf("%s:\n%s", file, cmp.Diff(want, got))
				}
				books++
			}
		}
	}
	if books < 400 && !testkit.Race {
		t.Errorf("only %d books seen", books)
	}
}

// TestEntriesOrder: integer-like names come first, in ascending order.
func TestEntriesOrder(t *testing.T) {
	t.Parallel()
	var b wb.Book
	data := `{"entries":{"b":{"uid":1},"10":{"uid":2},"03":{"uid":3},"2":{"uid":4},"a":{"uid":5}}}`
	if err := json.Unmarshal([]byte(data), &b); err != nil {
		t.Fatal(err)
	}
	var got string
	for _, e := range b.Entries {
		got += e.UID
	}
	if got != "42135" {
		t.Errorf("order %s, want 42135", got)
	}
}

func FuzzBookJSON(f *testing.F) {
	f.Add([]byte(`{"entries":{"0":{"uid":0,"key":["a"],"order":"5","x":1}}}`))
	f.Add([]byte(`{"entries":[{"uid":"x","position":9,"characterFilter":{"names":null}}],"name":5}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var book wb.Book
		if json.Unmarshal(data, &book) != nil {
			return
		}
		once, err := json.Marshal(book)
		if err != nil {
			t.Fatal(err)
		}
		var again wb.Book
		if err := json.Unmarshal(once, &again); err != nil {
			t.Fatalf("%v in %s", err, once)
		}
		twice, err := json.Marshal(again)
		if err != nil || string(once) != string(twice) {
			t.Errorf("%s\nthen\n%s (%v)", once, twice, err)
		}
		c, _ := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
		c.Scan(wb.Input{Messages: []wb.Message{{Text: "a b c"}}, ContextSize: 100}, wb.State{})
		c.Vet(100, nil)
	})
}
