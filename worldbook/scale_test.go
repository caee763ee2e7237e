package worldbook_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// feature makes a book in which every entry uses one feature, and a chat that triggers it.
type feature struct {
	name   string
	change func(i int, e *wb.Entry, s *wb.ProfileSettings, in *wb.Input)
}

// byKey lets the messages of [featureScan] activate an entry.
func byKey(e *wb.Entry, key string) { e.Constant, e.Keys = false, []string{key} }

var scaleFeatures = []feature{
	{"constant", func(int, *wb.Entry, *wb.ProfileSettings, *wb.Input) {}},
	{"at depth", func(i int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) {
		e.Position, e.Depth, e.Role = wb.PositionAtDepth, i, wb.Role(i%3)
	}},
	{"outlet", func(i int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) {
		e.Position, e.OutletName = wb.PositionInOutlet, fmt.Sprint(i)
	}},
	{"examples", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) { e.Position = wb.PositionAfterExamples }},
	{"small groups", func(i int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) { e.Group = fmt.Sprint(i / 3) }},
	{"one group", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) { e.Group = "weather" }},
	{"scored groups", func(i int, e *wb.Entry, s *wb.ProfileSettings, _ *wb.Input) {
		e.Group, s.UseGroupScoring = fmt.Sprint(i/3), true
	}},
	{"groups in two loops", func(i int, e *wb.Entry, s *wb.ProfileSettings, _ *wb.Input) {
		e.Group, s.Recursive = fmt.Sprint(i/3), true
		if i%2 == 0 {
			byKey(e, fmt.Sprintf("text%d.", i+1))
		}
	}},
	{"probability", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) {
		e.UseProbability, e.Probability = true, 50
	}},
	{"sticky, then cooldown", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) { e.Sticky, e.Cooldown = 1, 2 }},
	{"twins", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) {
		*e = wb.Entry{UID: "1", Constant: true, Sticky: 2}
	}},
	{"over the budget", func(_ int, _ *wb.Entry, _ *wb.ProfileSettings, in *wb.Input) { in.ContextSize = 100 }},
	{"delay levels", func(i int, e *wb.Entry, s *wb.ProfileSettings, _ *wb.Input) {
		e.DelayUntilRecursion, s.Recursive = 1+i%10, true
	}},
	{"recursion", func(i int, e *wb.Entry, s *wb.ProfileSettings, _ *wb.Input) {
		if s.Recursive = true; i%10 > 0 {
			byKey(e, fmt.Sprintf("text%d.", i-1))
		}
	}},
	{"explained recursion", func(i int, e *wb.Entry, s *wb.ProfileSettings, in *wb.Input) {
		if s.Recursive, in.Explain = true, true; i%10 > 0 {
			byKey(e, fmt.Sprintf("text%d.", i-1))
		}
	}},
	{"a depth of its own", func(i int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) {
		byKey(e, "hello")
		e.ScanDepth = new(1 + i%30)
	}},
	{"one key", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) { byKey(e, "hello") }},
	{"names in keys", func(i int, e *wb.Entry, _ *wb.ProfileSettings, in *wb.Input) {
		byKey(e, fmt.Sprintf("{{user}} %d", i%40))
		in.User = "hello"
	}},
	{"a regex over the window", func(i int, e *wb.Entry, _ *wb.ProfileSettings, _ *wb.Input) {
		byKey(e, fmt.Sprintf(`/^\x01hello[^]*hello (%d)?/`, i))
	}},
	{"switched off", func(i int, e *wb.Entry, _ *wb.ProfileSettings, in *wb.Input) {
		if in.Overlay.Switch == nil {
			in.Overlay.Switch = map[string]bool{}
		}
		in.Overlay.Switch[e.UID] = i%2 == 0
	}},
	{"forced", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, in *wb.Input) {
		e.Constant = false
		in.Forced = append(in.Forced, wb.Forced{ID: wb.ID{Book: "b", UID: e.UID}})
	}},
	{"forced with another text", func(_ int, e *wb.Entry, _ *wb.ProfileSettings, in *wb.Input) {
		in.Forced = append(in.Forced, wb.Forced{
			ID: wb.ID{Book: "b", UID: e.UID}, Override: json.RawMessage(`{"content":"x"}`),
		})
	}},
	{"texts inside others", func(i int, e *wb.Entry, s *wb.ProfileSettings, _ *wb.Input) {
		s.Decorators, e.Comment = wb.DecoratorsCardV3, fmt.Sprint("title ", i)
		e.Content = fmt.Sprintf("@@inject_lore title %d\n%s", i/2, e.Content)
	}},
	{"excluded by a key", func(i int, e *wb.Entry, s *wb.ProfileSettings, _ *wb.Input) {
		s.Decorators = wb.DecoratorsCardV3
		e.Content = fmt.Sprintf("@@exclude_keys none%d\n%s", i, e.Content)
	}},
}

// featureScan compiles n entries with a feature, and returns the scan of the turn
// after the first one.
func featureScan(f feature, n int) (scan func() *wb.Result) {
	set := benchSettings(20, false)
	in := wb.Input{ContextSize: 1e9, Random: func() float64 { return 0.5 }}
	for i := range 40 {
		in.Messages = append(in.Messages, wb.Message{Text: fmt.Sprint("hello ", i)})
	}
	list := make([]wb.Entry, n)
	for i := range list {
		list[i] = wb.Entry{
			UID: fmt.Sprint(i), Constant: true, Order: float64(n - i),
			Content: fmt.Sprintf("text%d.", i), GroupWeight: 100,
		}
		f.change(i, &list[i], &set, &in)
	}
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, set)
	var r wb.Result
	st := c.ScanInto(&r, in, wb.State{})
	in.Messages = append(in.Messages, wb.Message{Text: "and then"})
	st = c.ScanInto(&r, in, st) // effects that end have ended
	return func() *wb.Result {
		c.ScanInto(&r, in, st)
		return &r
	}
}

// TestPerfFeatures: with every feature, eight times the entries take about eight times as long. A
// quadratic scan would take 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		few, many := featureScan(f, 1000), featureScan(f, 8000)
		testkit.AtMost(t, f.name+", 8,000 entries against 1,000", 40, func() float64 {
			long, short := time.Hour, time.Hour
			for range 4 { // alternately, so that a disturbance of the machine affects both
				long = min(long, testkit.Best(3, func() { many() }))
				short = min(short, testkit.Best(10, func() { few() }))
			}
			return testkit.Ratio(long, short)
		})
	}
}

// TestScanDoesNotAllocate: a warm scan of an unchanged chat into a reused result allocates nothing.
func TestScanDoesNotAllocate(t *testing.T) {
	// These must allocate: explanations, entries that are switched or forced for one scan, joined
	// texts.
	may := map[string]bool{
		"explained recursion": true, "switched off": true, "forced": true,
		"forced with another text": true, "texts inside others": true,
	}
	for _, f := range scaleFeatures {
		if may[f.name] {
			continue
		}
		scan := featureScan(f, 100)
		scan()
		n := testkit.Allocs(20, func() { scan() })
		if n != 0 || scan().Budget == 0 {
			t.Errorf("%s: %v allocations", f.name, n)
		}
	}
	for _, recursion := range []bool{false, true} {
		list, src := benchBook(200)
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: list}}}, benchSettings(20, recursion))
		in := wb.Input{Messages: benchChat(src, 20), ContextSize: 1e9}
		var r wb.Result
		c.ScanInto(&r, in, wb.State{})
		n := testkit.Allocs(50, func() { c.ScanInto(&r, in, wb.State{}) })
		if n != 0 || len(r.Activated) == 0 {
			t.Errorf("recursion %v: %v allocations, %d active", recursion, n, len(r.Activated))
		}
	}
}
