package campaign_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// A long game with 1,000 entries of lore and 200 rules; 20 of them fire in every turn. The document
// has 175 KB, and the model sees 2 KB of it. The budget is 8,000 tokens. The cost of a turn must
// not depend on the number of played turns.

const (
	longEntries, longRules, longFiring = 1000, 200, 20
	longLine                           = "I follow the lantern light along the old river wall to the third gate."
)

// longReply has a typical length: fifteen of them fill the prompt.
var longReply = "The water is low, and the key3 turns in its lock." + strings.Repeat("\n\n"+
	"Somebody has left a lantern by the steps. Behind the gate a stair goes down, worn in the "+
	"middle by many feet; it smells of salt and smoke, and deep down a bell is rung.", 10)

func longGame(t testing.TB, scripts ...script.Script) *game.Game {
	book := worldbook.Book{Name: "lore"}
	for i := range longEntries {
		book.Entries = append(book.Entries, worldbook.Entry{UID: fmt.Sprint(i),
			Keys:    []string{fmt.Sprint("key", i), fmt.Sprint("name of ", i)},
			Content: fmt.Sprintf("Entry %d: what is known of it in the city, and by whom.", i),
			Order:   100, Position: worldbook.PositionBeforeCharacter, Probability: 100, GroupWeight: 100})
	}
	var list []rules.Rule
	for i := range longRules {
		r := rules.Rule{ID: fmt.Sprint("r", i), Conditions: []rules.Condition{},
			Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Actions: effect.Actions{effect.SetVariable{Path: fmt.Sprint("shown.n", i%longFiring),
				Operation: effect.Add, Value: value(t, "1")}}}
		if i >= longFiring {
			r.Conditions = []rules.Condition{{VariableID: fmt.Sprint("shown.n", i%longFiring),
				Operator: rules.Lt, Value: value(t, "0")}}
		}
		list = append(list, r)
	}
	return compile(t, game.Content{Rules: game.Rules{Rules: list}, Prompt: game.Prompt{
		Budget:  prompt.Budget{Context: 8192},
		Scripts: []script.List{{Source: script.Global, Scripts: scripts}},
	},
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: book, Sources: []worldbook.Source{worldbook.SourceGlobal}}}}})
}

// longDocument has 2 KB that are shown and 173 KB that are not.
func longDocument(t testing.TB) tree.Document {
	var b strings.Builder
	b.WriteString(`{"shown":{`)
	for i := range longFiring {
		fmt.Fprintf(&b, `"n%d":0,`, i)
	}
	fmt.Fprintf(&b, `"notes":%q},"hidden":{"_showInEJS":false`, strings.Repeat("what is told. ", 120))
	for i := 0; b.Len() < 175_000; i++ {
		fmt.Fprintf(&b, `,"node%d":{"name":"person %d","age":%d,"place":"house %d","tags":["a","b"]}`, i, i, i%90, i)
	}
	b.WriteString("}}")
	return document(t, b.String())
}

// longCampaign returns a campaign after n turns, without playing them.
func longCampaign(t testing.TB, g *game.Game, n int) state.Campaign {
	s := cave(t)
	s.ID, s.Variables = fmt.Sprint("long", n), longDocument(t)
	c, err := turn.Begin(g, s)
	if err != nil {
		t.Fatal(err)
	}
	parent := c.State.HeadTurnID
	for i := 1; i <= n; i++ {
		id := fmt.Sprintf("turn_%04d", i)
		c.Turns = append(c.Turns, state.Turn{ID: id, Index: i, ParentID: parent, BranchID: c.BranchID,
			ActorID: "ren", UserInput: longLine, Text: longReply, Timestamp: noon,
			DialogType: "scene", DialogTypeSource: "manual", ClientTurnID: fmt.Sprint("c", i)})
		parent = id
	}
	c.State.HeadTurnID, c.State.TurnCount, c.TurnCounter = parent, n, n
	return c
}

// longWarm is the number of turns that a machine plays before the measurement: its caches of
// earlier turns are then built, and its checkpoints are full.
const longWarm = 16

// longTurn plays the k-th turn after a history and returns its record.
func longTurn(t testing.TB, m *turn.Machine, k int) *turn.Record {
	if err := m.Step(turn.Submit{Text: longLine, ClientTurnID: fmt.Sprint("new", k), At: noon.Add(time.Duration(k) * time.Second)}); err != nil {
		t.Fatal(err)
	}
	if err := m.Step(turn.Replied{Text: fmt.Sprint(longReply, " Turn ", k+10_000, ".")}); err != nil {
		t.Fatal(err)
	}
	rec := m.Todo().Commit
	if rec == nil {
		t.Fatalf("no commit, but %+v", m.Todo())
	}
	if err := m.Step(turn.Committed{}); err != nil {
		t.Fatal(err)
	}
	return rec
}

func longMachine(t testing.TB, g *game.Game, start state.Campaign) *turn.Machine {
	m := turn.NewMachine(g, start)
	for k := range longWarm {
		longTurn(t, m, k)
	}
	return m
}

// checkLong checks the results of the turns of a campaign.
func checkLong(t testing.TB, c state.Campaign, turns int, played int) {
	t.Helper()
	n, _ := c.State.Variables.Get("shown.n3")
	if fmt.Sprint(n) != fmt.Sprint(played) || c.State.TurnCount != turns+played || len(c.Turns) > min(turns+played, 200) {
		t.Fatalf("after %d turns: n3 is %v, %d turns are counted, %d kept", played, n, c.State.TurnCount, len(c.Turns))
	}
	last := c.Turns[len(c.Turns)-1]
	if len(last.Trace.Fired) != longFiring || len(last.Trace.Lore) != 1 || !strings.HasPrefix(last.Text, longReply) {
		t.Fatalf("%d rules fired, lore %v", len(last.Trace.Fired), last.Trace.Lore)
	}
}

var longHistories = []int{10, 100, 500, 2000, 10_000}

// BenchmarkTurn/history=N is a turn after N others, by a machine alone and through an
// engine with a store in memory.
func benchmarkLong(b *testing.B) {
	g := longGame(b)
	for _, n := range longHistories {
		start := longCampaign(b, g, n)
		b.Run(fmt.Sprintf("history=%d/machine", n), func(b *testing.B) {
			m := longMachine(b, g, start)
			k := longWarm
			b.ReportAllocs()
			for b.Loop() {
				longTurn(b, m, k)
				k++
				if k%256 == 0 { // the history stays about as long as its name says
					b.StopTimer()
					checkLong(b, m.Campaign(), n, k)
					m, k = longMachine(b, g, start), longWarm
					b.StartTimer()
				}
			}
			checkLong(b, m.Campaign(), n, k)
		})
		b.Run(fmt.Sprintf("history=%d/engine", n), func(b *testing.B) {
			e, k := longEngine(b, g, start), longWarm
			b.ReportAllocs()
			for b.Loop() {
				engineTurn(b, e, start.ID, k)
				if k++; k%256 == 0 {
					b.StopTimer()
					e, k = longEngine(b, g, start), longWarm
					b.StartTimer()
				}
			}
			c, err := e.Campaign(context.Background(), start.ID)
			if err != nil {
				b.Fatal(err)
			}
			checkLong(b, c, n, k)
		})
	}
}

// longEngine returns an engine that has loaded a campaign. The whole log is in one snapshot, and no
// snapshot is due during the measurement: a snapshot costs the whole campaign, and is rarer in a
// longer log.
func longEngine(t testing.TB, g *game.Game, start state.Campaign) *campaign.Engine {
	data, err := json.Marshal(start)
	if err != nil {
		t.Fatal(err)
	}
	store := &campaign.MemoryStore{}
	rec := turn.Record{Version: 1, Kind: "create", At: noon, Campaign: data}
	if err := store.Append(context.Background(), start.ID, entries(t, rec)[0], nil); err != nil {
		t.Fatal(err)
	}
	e, err := campaign.New(campaign.Config{Game: g, Store: store, Model: replying(longReply),
		SnapshotEvery: 1 << 30, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	for k := range longWarm {
		engineTurn(t, e, start.ID, k)
	}
	return e
}

func engineTurn(t testing.TB, e *campaign.Engine, id string, k int) {
	o, err := e.Turn(context.Background(), id, turn.Submit{Text: longLine, ClientTurnID: fmt.Sprint("new", k)})
	if err != nil || o.Status != turn.Completed {
		t.Fatalf("%s %s, %v", o.Status, o.Reason, err)
	}
}

// longBytes returns the allocation of a turn after n others, and the size of its record.
func longBytes(t *testing.T, g *game.Game, n int) (allocated, record float64) {
	m, k := longMachine(t, g, longCampaign(t, g, n)), longWarm
	allocated = math.Inf(1)
	for range 3 {
		var last *turn.Record
		bytes := testkit.Bytes(func() {
			for range 4 {
				last = longTurn(t, m, k)
				k++
			}
		})
		record = float64(len(jsonOf(t, last)))
		allocated = min(allocated, float64(bytes)/4)
	}
	checkLong(t, m.Campaign(), n, k)
	return allocated, record
}

// TestTurnAllocates: a turn with a prompt of 8,000 tokens allocates at most 300 KB.
func TestTurnAllocates(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates too")
	}
	allocated, _ := longBytes(t, longGame(t), 10)
	t.Logf("a turn allocates %.1f KB", allocated/1024)
	if allocated > 300<<10 {
		t.Errorf("a turn allocates %.0f KB, at most 300 are wanted", allocated/1024)
	}
}

// TestTurnCostsWhatIsNew: after 10,000 turns a turn allocates as much as after ten, and its record
// has the same size.
func TestTurnCostsWhatIsNew(t *testing.T) {
	g := longGame(t)
	bytes, record := longBytes(t, g, 10)
	manyBytes, manyRecord := longBytes(t, g, 10_000)
	t.Logf("after 10 and 10,000 turns: %.0f and %.0f KB allocated, records of %.0f and %.0f bytes",
		bytes/1024, manyBytes/1024, record, manyRecord)
	if manyBytes > 1.2*bytes {
		t.Errorf("a turn allocates %.0f KB after 10,000 others, %.0f KB after 10", manyBytes/1024, bytes/1024)
	}
	if manyRecord > 1.02*record {
		t.Errorf("a record has %.0f bytes after 10,000 others, %.0f after 10", manyRecord, record)
	}
}

// TestScriptsCostWhatIsNew: scripts run once on each line that fits into a prompt. After 10,000
// turns a turn allocates as much as after ten.
func TestScriptsCostWhatIsNew(t *testing.T) {
	old := 12.0
	g := longGame(t,
		script.Script{Name: "bell", Find: "/bell/g", Replace: "gong", Prompt: true, Placement: []script.Placement{script.AIOutput}},
		script.Script{Name: "old", Find: "/\\n\\n[^]*/", Prompt: true, MinDepth: &old, Placement: []script.Placement{script.AIOutput}})
	bytes, _ := longBytes(t, g, 500)
	manyBytes, _ := longBytes(t, g, 10_000)
	t.Logf("after 500 and 10,000 turns: %.0f and %.0f KB allocated", bytes/1024, manyBytes/1024)
	if manyBytes > 1.2*bytes {
		t.Errorf("a turn allocates %.0f KB after 10,000 others, %.0f KB after 500", manyBytes/1024, bytes/1024)
	}
}

// TestRememberedScripts: in each turn the prompt shows the history after the scripts for its age,
// with and without a size limit.
func TestRememberedScripts(t *testing.T) {
	t.Parallel()
	near, far := 3.0, 4.0
	scripts := []script.Script{
		{Name: "short", Find: "/ by .*/", Prompt: true, MinDepth: &far, Placement: []script.Placement{script.AIOutput}},
		{Name: "mark", Find: "/^/", Replace: "now: ", Prompt: true, MaxDepth: &near, Placement: []script.Placement{script.AIOutput, script.UserInput}},
		{Name: "gone", Find: "/.*rest.*/", Prompt: true, MinDepth: &far, Placement: []script.Placement{script.UserInput}},
	}
	set, _ := script.Compile([]script.List{{Source: script.Global, Scripts: scripts}}, script.Options{})
	for _, context := range []int{0, 4096} {
		g := compile(t, game.Content{Prompt: game.Prompt{
			Budget:  prompt.Budget{Context: context},
			Scripts: []script.List{{Source: script.Global, Scripts: scripts}},
		}})
		start, err := turn.Begin(g, cave(t))
		if err != nil {
			t.Fatal(err)
		}
		m := turn.NewMachine(g, start)
		var said []string
		for k := range 60 {
			line := fmt.Sprintf("I walk on, step %d.", k)
			if k%3 == 0 {
				line = fmt.Sprintf("I rest %d times.", k)
			}
			said = append(said, line)
			if err := m.Step(turn.Submit{Text: line}); err != nil {
				t.Fatal(err)
			}
			var prompted []string
			for _, msg := range m.Todo().Generate.Request.Messages {
				if msg.Kind == question.KindHistory || msg.Kind == question.KindPlayerInput {
					prompted = append(prompted, msg.Message.Text)
				}
			}
			var want []string
			for i, text := range said {
				depth := len(said) - 1 - i
				where := script.Where{Placement: script.UserInput, ForPrompt: true, Depth: &depth}
				if i%2 == 1 {
					where.Placement = script.AIOutput
				}
				if text, _ = set.Apply(text, where, nil); text != "" {
					want = append(want, text)
				}
			}
			if context > 0 { // the newest lines
				if len(prompted) < min(10, len(want)) {
					t.Fatalf("turn %d: %d lines of %d", k, len(prompted), len(want))
				}
				want = want[len(want)-len(prompted):]
			}
			if diff := cmp.Diff(want, prompted); diff != "" {
				t.Fatalf("room %d, turn %d (-want +prompted):\n%s", context, k, diff)
			}
			reply := fmt.Sprintf("The cave goes on for %d steps by the light of a lantern.", k)
			said = append(said, reply)
			for _, in := range []turn.Input{turn.Replied{Text: reply}, turn.Committed{}} {
				if err := m.Step(in); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestCountsOnlyNewLines: a token counter is called once for each line of the history, not in every
// turn.
func TestCountsOnlyNewLines(t *testing.T) {
	t.Parallel()
	counter := &countingCounter{}
	g := compile(t, game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: 16_384, Counter: counter}}})
	start := longCampaign(t, g, 50)
	start.State.Variables = tree.Document{}
	for i := range start.Turns {
		start.Turns[i].Text = fmt.Sprintf("Old reply %d. %s", i, longReply)
	}
	m := longMachine(t, g, start)
	counter.old = 0
	rec := longTurn(t, m, longWarm)
	if i := slices.IndexFunc(rec.Turn.Trace.Prompt, func(p state.TracePrompt) bool {
		return p.Key == "history" && p.Count > 2*longWarm+3
	}); i < 0 {
		t.Fatalf("no old line is in the prompt: %s", jsonOf(t, rec.Turn.Trace.Prompt))
	}
	if counter.old > 0 {
		t.Errorf("%d times it was asked about a reply of the past", counter.old)
	}
}

type countingCounter struct{ old int }

func (c *countingCounter) Count(text string) int {
	if strings.HasPrefix(text, "Old reply") {
		c.old++
	}
	return prompt.EstimateTokens(text)
}

// TestPerfLongHistory measures the same as time, for the machine and for an engine.
func TestPerfLongHistory(t *testing.T) {
	testkit.Need(t)
	g := longGame(t)
	machine, engine := map[int]func(){}, map[int]func(){}
	for _, n := range []int{10, 10_000} {
		start := longCampaign(t, g, n)
		m, k := longMachine(t, g, start), longWarm
		machine[n] = func() { longTurn(t, m, k); k++ }
		e, j := longEngine(t, g, start), longWarm
		engine[n] = func() { engineTurn(t, e, start.ID, j); j++ }
	}
	compare := func(a, b func()) float64 {
		long, short := time.Hour, time.Hour
		for range 40 {
			long, short = min(long, testkit.Best(1, a)), min(short, testkit.Best(1, b))
		}
		t.Logf("%v, %v", long, short)
		return testkit.Ratio(long, short)
	}
	testkit.AtMost(t, "a turn after 10,000 against 10", 1.2, func() float64 { return compare(machine[10_000], machine[10]) })
	testkit.AtMost(t, "the same through an engine", 1.2, func() float64 { return compare(engine[10_000], engine[10]) })
	testkit.AtMost(t, "an engine against a machine", 1.4, func() float64 { return compare(engine[10_000], machine[10_000]) })

	// The yardstick adds up the bytes of a text, which takes 0.3 ns a byte: 3.3 MB take one
	// millisecond.
	text := []byte(strings.Repeat("a", 3_300_000))
	sum := 0
	testkit.AtMost(t, "a turn against a millisecond of adding up", 1, func() float64 {
		return compare(machine[10], func() {
			for _, c := range text {
				sum += int(c)
			}
		})
	})
}
