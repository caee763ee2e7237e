package worldbook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

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

// scanCase is one case of a cases-*.json file.
type scanCase struct {
	Name      string   `json:"name"`
	Tags      []string `json:"tags"`
	User      string   `json:"user"`
	Char      string   `json:"char"`
	Character struct {
		File string   `json:"file"`
		Tags []string `json:"tags"`
	} `json:"character"`
	Settings    map[string]any `json:"settings"`
	MaxContext  int            `json:"maxContext"`
	Random      []float64      `json:"random"`
	AuthorsNote *struct {
		Prompt      string `json:"prompt"`
		Interval    *int   `json:"interval"`
		AllowWIScan bool   `json:"allowWIScan"`
	} `json:"authorsNote"`
	Injections     []injection `json:"injections"`
	GlobalScanData wb.ScanData `json:"globalScanData"`
	Books          []caseBook  `json:"books"`
	Turns          []caseTurn  `json:"turns"`
}

type injection struct {
	Key, Value string
	Scan       bool
}

type caseBook struct {
	Name   string          `json:"name"`
	Source json.RawMessage `json:"source"`
	Book   wb.Book         `json:"book"`
}

type caseMessage struct {
	Name     string `json:"name"`
	Mes      string `json:"mes"`
	IsUser   bool   `json:"is_user"`
	IsSystem bool   `json:"is_system"`
}

type caseTurn struct {
	Keep           *int              `json:"keep"`
	Add            []caseMessage     `json:"add"`
	Type           wb.GenerationType `json:"type"`
	DryRun         bool              `json:"dryRun"`
	Settings       map[string]any    `json:"settings"`
	Books          []caseBook        `json:"books"`
	GlobalScanData *wb.ScanData      `json:"globalScanData"`
	Injections     []injection       `json:"injections"`
	MaxContext     *int              `json:"maxContext"`
	ForceActivate  []struct {
		World    string          `json:"world"`
		UID      json.RawMessage `json:"uid"`
		Override json.RawMessage `json:"override"`
	} `json:"forceActivate"`
	Expect expectation `json:"expect"`
}

type expectation struct {
	Activated []string `json:"activated"`
	Before    string   `json:"before"`
	After     string   `json:"after"`
	Depth     []struct {
		Depth   *looseInt `json:"depth"`
		Role    int       `json:"role"`
		Entries []string  `json:"entries"`
	} `json:"depth"`
	AnTop    []string `json:"anTop"`
	AnBottom []string `json:"anBottom"`
	Em       []struct {
		Position int    `json:"position"`
		Content  string `json:"content"`
	} `json:"em"`
	Outlets map[string][]string `json:"outlets"`
	Timed   struct {
		Sticky   map[string]timedRecord `json:"sticky"`
		Cooldown map[string]timedRecord `json:"cooldown"`
	} `json:"timed"`
	AuthorsNote   *string  `json:"authorsNote"`
	AutomationIDs []string `json:"automationIds"`
	Overflowed    bool     `json:"overflowed"`
	Rolls         *int     `json:"rolls"`
	Loops         []struct {
		State int      `json:"state"`
		Next  int      `json:"next"`
		New   []string `json:"new"`
	} `json:"loops"`
}

// looseInt reads a depth that an old book has as a text.
type looseInt int

func (n *looseInt) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(bytes.Trim(data, `"`), (*int)(n))
}

type timedRecord struct {
	Start     int  `json:"start"`
	End       int  `json:"end"`
	Protected bool `json:"protected"`
}

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

// playCase returns the first difference.
func playCase(t *testing.T, c *scanCase) string {
	var chat []caseMessage
	var state wb.State
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
		compiled, _ := wb.Compile(attachments(c.Books), caseSettings(t, c.Settings))
		in := caseInput(c, turn, chat)
		result, next := compiled.Scan(in, state)
		if diff := compare(c, turn, &result, next); diff != "" {
			return fmt.Sprintf("turn %d (-want +got):\n%s", i, diff)
		}
		in.Explain, in.Cache = true, wb.NewCache(-1)
		in.Random = roller(c.Random)
		explained, same := compiled.Scan(in, state)
		explained.Trace = nil
		if diff := cmp.Diff(result, explained, ignoreUnexported); diff != "" || cmp.Diff(next, same) != "" {
			return fmt.Sprintf("turn %d, explained and without a cache:\n%s", i, diff)
		}
		state = throughJSON(t, next)
	}
	return ""
}

var ignoreUnexported = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().String() == ".noteOmitted"
}, cmp.Ignore())

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

func attachments(books []caseBook) []wb.Attachment {
	var list []wb.Attachment
	for _, b := range books {
		a := wb.Attachment{Book: b.Book}
		a.Book.Name = b.Name
		if json.Unmarshal(b.Source, &a.Sources) != nil {
			var one wb.Source
			_ = json.Unmarshal(b.Source, &one)
			a.Sources = []wb.Source{one}
		}
		list = append(list, a)
	}
	return list
}

func caseSettings(t *testing.T, m map[string]any) wb.Settings {
	t.Helper()
	data, _ := json.Marshal(m)
	var s wb.Settings
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func roller(values []float64) func() float64 {
	k := 0
	return func() float64 {
		if len(values) == 0 {
			return 0
		}
		k++
		return values[(k-1)%len(values)]
	}
}

// noteDue tells whether the author's note is inserted on this turn.
func noteDue(c *scanCase, chat []caseMessage) bool {
	interval := 1
	if c.AuthorsNote == nil {
		return false
	}
	if c.AuthorsNote.Interval != nil {
		interval = *c.AuthorsNote.Interval
	}
	users := 0
	for _, m := range chat {
		if m.IsUser {
			users++
		}
	}
	switch {
	case interval == 1:
		return true
	case interval <= 0, users == 0:
		return false
	}
	return users%interval == 0
}

func caseInput(c *scanCase, turn *caseTurn, chat []caseMessage) wb.Input {
	in := wb.Input{
		User: c.User, Char: c.Char, ContextSize: c.MaxContext, Type: turn.Type,
		Speaker: wb.Speaker{Name: c.Character.File, Tags: c.Character.Tags},
		DryRun:  turn.DryRun, Data: c.GlobalScanData, Random: roller(c.Random),
		NoteOmitted: !noteDue(c, chat),
	}
	if turn.MaxContext != nil {
		in.ContextSize = *turn.MaxContext
	}
	for _, m := range chat {
		if !m.IsSystem {
			in.Messages = append(in.Messages, wb.Message{Name: m.Name, Text: m.Mes})
		}
	}
	if turn.Type == wb.Swipe && len(in.Messages) > 0 {
		in.Messages = in.Messages[:len(in.Messages)-1]
	}
	injections := c.Injections
	if turn.Injections != nil {
		injections = turn.Injections
	}
	expand := strings.NewReplacer("{{user}}", c.User, "{{char}}", c.Char).Replace
	if c.AuthorsNote != nil && c.AuthorsNote.AllowWIScan {
		in.Injections = append(in.Injections, expand(c.AuthorsNote.Prompt))
	}
	for _, i := range injections {
		if i.Scan {
			in.Injections = append(in.Injections, expand(i.Value))
		}
	}
	for _, f := range turn.ForceActivate {
		id := wb.ID{Book: f.World, UID: strings.Trim(string(f.UID), `"`)}
		in.Forced = append(in.Forced, wb.Forced{ID: id, Override: f.Override})
	}
	return in
}

// compare returns the difference between what is expected and what came out.
func compare(c *scanCase, turn *caseTurn, r *wb.Result, next wb.State) string {
	want := turn.Expect
	got := expectation{
		Before: wb.Join(r.Before), After: wb.Join(r.After), Overflowed: r.Overflowed,
		AnTop: texts(r.NoteTop), AnBottom: texts(r.NoteBottom), Outlets: map[string][]string{},
	}
	for _, a := range r.Activated {
		got.Activated = append(got.Activated, a.ID.String())
		if a.AutomationID != "" {
			got.AutomationIDs = append(got.AutomationIDs, a.AutomationID)
		}
	}
	for _, d := range r.Depth {
		got.Depth = append(got.Depth, struct {
			Depth   *looseInt `json:"depth"`
			Role    int       `json:"role"`
			Entries []string  `json:"entries"`
		}{(*looseInt)(d.Depth), int(d.Role), texts(d.Entries)})
	}
	for _, e := range r.Examples {
		at := 0
		if e.After {
			at = 1
		}
		got.Em = append(got.Em, struct {
			Position int    `json:"position"`
			Content  string `json:"content"`
		}{at, e.Text})
	}
	for _, o := range r.Outlets {
		got.Outlets[o.Name] = texts(o.Entries)
	}
	got.Timed.Sticky, got.Timed.Cooldown = records(next.Sticky), records(next.Cooldown)
	if want.AuthorsNote != nil {
		note := r.Note(c.AuthorsNote.Prompt)
		got.AuthorsNote = &note
	}
	if want.Rolls != nil {
		n := len(r.Rolls)
		got.Rolls = &n
	}
	if want.Loops != nil {
		for _, l := range r.Loops {
			var ids []string
			for _, id := range l.New {
				ids = append(ids, id.String())
			}
			got.Loops = append(got.Loops, struct {
				State int      `json:"state"`
				Next  int      `json:"next"`
				New   []string `json:"new"`
			}{int(l.State), int(l.Next), ids})
		}
	}
	return cmp.Diff(normal(want), normal(got))
}

// normal goes through JSON, so that empty and missing lists are the same.
func normal(e expectation) any {
	data, _ := json.Marshal(e)
	var v any
	_ = json.Unmarshal([]byte(strings.NewReplacer(":null", ":[]", ":{}", ":[]").Replace(string(data))), &v)
	return v
}

func texts(list []wb.Placed) []string {
	out := []string{}
	for _, p := range list {
		out = append(out, p.Text)
	}
	return out
}

func records(m map[string]wb.Record) map[string]timedRecord {
	out := map[string]timedRecord{}
	for k, r := range m {
		out[k] = timedRecord{r.Start, r.End, r.Protected}
	}
	return out
}

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
