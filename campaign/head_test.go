package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// The head without the history (CA-51).

// headContent has everything that uses the past: lore with depths and timers, scripts, a macro that
// counts messages, and a budget.
func headContent(context int, scripts ...script.Script) game.Content {
	entry := func(uid string, depth int, change func(*worldbook.Entry)) worldbook.Entry {
		e := worldbook.Entry{UID: uid, Keys: []string{"bell" + uid}, Content: "Bell " + uid + " rings.", Order: 10,
			Position: worldbook.PositionBeforeCharacter, Probability: 100, GroupWeight: 100, ScanDepth: &depth}
		change(&e)
		return e
	}
	return game.Content{Prompt: game.Prompt{
		Budget:  prompt.Budget{Context: context},
		System:  &tavern.SystemPrompt{Content: "Message {{lastMessageId}}."},
		Scripts: []script.List{{Source: script.Global, Scripts: scripts}},
	},
		Lore: game.Lore{Books: []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceGlobal}, Book: worldbook.Book{Name: "lore",
			Entries: []worldbook.Entry{
				entry("1", 30, func(e *worldbook.Entry) { e.Sticky = 4 }),
				entry("2", 2, func(e *worldbook.Entry) { e.Cooldown = 20 }),
				entry("3", 4, func(e *worldbook.Entry) { e.Delay = 50 }),
			}}}}}}
}

// chronicle is a campaign that is played without an engine, with its log.
type chronicle struct {
	t      *testing.T
	game   *game.Game
	m      *turn.Machine
	log    []turn.Record
	random *rand.Rand
	states int // the records that were read from the log
	turns  int
}

func newChronicle(t *testing.T, seed uint64, content game.Content, changes ...string) *chronicle {
	c := &chronicle{t: t, game: compile(t, content), random: rand.New(rand.NewPCG(seed, 1))}
	start, err := turn.Begin(c.game, cave(t, changes...))
	if err != nil {
		t.Fatal(err)
	}
	c.log = []turn.Record{{Version: 1, Kind: turn.RecordCreate, At: noon, Campaign: []byte(jsonOf(t, start))}}
	c.m = turn.NewMachine(c.game, start)
	c.reload()
	return c
}

// reload does what a second process does: it loads the snapshot.
func (c *chronicle) reload() {
	c.t.Helper()
	var head state.Campaign
	if err := json.Unmarshal([]byte(jsonOf(c.t, c.m.Campaign())), &head); err != nil {
		c.t.Fatal(err)
	}
	c.m = turn.NewMachine(c.game, head)
}

func (c *chronicle) records() iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) {
		for _, rec := range c.log {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// do carries an instruction out, and returns the first request of a turn.
func (c *chronicle) do(in turn.Input, reply string) (request string) {
	c.t.Helper()
	if err := c.m.Step(in); err != nil {
		if _, refused := errors.AsType[*state.Refusal](err); refused {
			return ""
		}
		c.t.Fatal(err)
	}
	for c.m.Phase() != turn.Idle {
		switch todo := c.m.Todo(); {
		case todo.Past != nil:
			c.states += min(len(todo.Past.State), 1)
			c.turns += len(todo.Past.Turns)
			read, err := turn.ReadPast(*todo.Past, c.records())
			if err != nil {
				c.t.Fatal(err)
			}
			step(c.t, c.m, read)
		case todo.Recall != nil:
			step(c.t, c.m, turn.Recalled{})
		case todo.Generate != nil:
			if request == "" {
				request = jsonOf(c.t, todo.Generate.Request)
			}
			step(c.t, c.m, turn.Replied{Text: reply})
		case todo.Commit != nil:
			var stored turn.Record
			if err := json.Unmarshal([]byte(jsonOf(c.t, todo.Commit)), &stored); err != nil {
				c.t.Fatal(err)
			}
			c.log = append(c.log, stored)
			step(c.t, c.m, turn.Committed{})
		default:
			c.t.Fatalf("no answer to %+v", todo)
		}
	}
	if o := c.m.Todo().Outcome; o == nil || o.Status != turn.Completed {
		c.t.Fatalf("%T ended with %+v", in, o)
	}
	return request
}

// whole returns the campaign with all of its turns.
func (c *chronicle) whole() state.Campaign {
	all := c.m.Campaign()
	all.Turns, all.TurnsHeld = nil, 0
	for _, rec := range c.log {
		if rec.Turn != nil {
			all.Turns = append(all.Turns, *rec.Turn)
		}
	}
	return all
}

func (c *chronicle) text() string {
	words := []string{"bell1", "bell2", "bell3", "the tide", "\u96fe\u6e2f\u7684\u949f", "<user> nods", "{{user}}", ""}
	var b strings.Builder
	b.WriteString("So: ")
	for range 1 + c.random.IntN(12) {
		b.WriteString(words[min(c.random.IntN(40), len(words)-1)] + " and then some more words. ")
	}
	return b.String()
}

// act returns a random instruction of a player.
func (c *chronicle) act() turn.Input {
	head := c.m.Campaign()
	setting := func(key string, v tree.Value) turn.Input {
		return turn.PatchSettings{Patch: setting.Snapshot{key: v}, At: noon}
	}
	switch c.random.IntN(24) {
	case 0:
		return turn.RollBack{To: head.Checkpoints[c.random.IntN(len(head.Checkpoints))].TurnID, At: noon}
	case 1:
		return turn.UndoRollBack{At: noon}
	case 2:
		ids := []string{"main", "branch_1", "branch_2", "branch_3"}
		return turn.SwitchBranch{BranchID: ids[c.random.IntN(len(ids))], At: noon}
	case 3:
		return setting("context.recent_turns", tree.Int(int64(1+c.random.IntN(60))))
	case 4:
		return setting("context.full_context_enabled", tree.Bool(c.random.IntN(3) > 0))
	case 5:
		return turn.PassTime{Elapsed: 1, At: noon}
	case 6:
		c.reload()
	case 7, 8, 9:
		return turn.Proceed{Audience: c.audience(), Instructions: "Go on.", At: noon}
	}
	return turn.Submit{Text: c.text(), Audience: c.audience(), At: noon}
}

// audience returns the characters who hear a turn: everybody, unless the prompt has private
// content.
func (c *chronicle) audience() []string {
	head := c.m.Campaign()
	if mode, _ := head.Settings["visibility.mode"].AsText(); mode != "strict" || c.random.IntN(3) > 0 {
		return nil
	}
	return []string{head.State.Selected.ActorID}
}

// TestPromptIsThatOfTheWholePast: a prompt is the same whether the head holds a window of the turns
// or all of them. This holds after any rollback, with any settings, and in any process. A replay of
// the log gives the same campaign.
func TestPromptIsThatOfTheWholePast(t *testing.T) {
	t.Parallel()
	old := float64(6)
	several := headContent(1500)
	for _, name := range []string{"Ash", "Reed", "Dov"} {
		several.People.Cast = append(several.People.Cast, game.CastMember{CharacterID: strings.ToLower(name), Card: &card.Card{Name: name}})
	}
	for name, content := range map[string]game.Content{
		"budget": headContent(1500),
		"cast":   several,
		"secret": headContent(1500),
		"trimmed": func() game.Content {
			c := headContent(1500)
			c.Prompt.TrimSlack = 400
			return c
		}(),
		"scripts": headContent(1200,
			script.Script{Name: "gong", Find: "/bell/g", Replace: "gong", Prompt: true, Placement: []script.Placement{script.AIOutput}},
			script.Script{Name: "old", Find: "/ and then [^]*/", Prompt: true, MinDepth: &old, Placement: []script.Placement{script.AIOutput, script.UserInput}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(testkit.Cases(3, 1)) {
				settings := `"conflict.mode": "off", "cast.auto_replies": 100`
				if name == "secret" {
					settings += `, "visibility.mode": "strict", "turn.order": "round_robin"`
				}
				c := newChronicle(t, seed, content, `{"settings": {`+settings+`}}`)
				shorter, compared := 0, 0
				for range 260 {
					in := c.act()
					var want string
					if _, asks := turn.NeedsModel(in); asks && c.random.IntN(3) == 0 {
						other := &chronicle{t: t, game: c.game, m: turn.NewMachine(c.game, c.whole()), log: c.log, random: c.random}
						want = other.do(in, "Nothing.")
						compared++
					}
					request := c.do(in, c.text())
					if diff := cmp.Diff(want, request); want != "" && diff != "" {
						t.Fatalf("seed %d, version %d (-whole past +window):\n%s", seed, len(c.log), diff)
					}
					if head := c.m.Campaign(); len(head.Turns) < head.TurnCounter {
						shorter++
					}
				}
				if shorter < 50 || compared < 40 || c.turns == 0 || c.states == 0 {
					t.Errorf("seed %d: %d heads were shorter than their past, %d prompts compared, %d states and %d turns read: the test shows little",
						seed, shorter, compared, c.states, c.turns)
				}
				c.check()
			}
		})
	}
}

// check compares the log with the played campaign.
func (c *chronicle) check() {
	c.t.Helper()
	played := jsonOf(c.t, c.m.Campaign())
	rebuilt, err := turn.Rebuild(c.game, c.records())
	if err != nil {
		c.t.Fatal(err)
	}
	followed, err := turn.Follow(state.Campaign{}, c.records())
	if err != nil {
		c.t.Fatal(err)
	}
	if diff := cmp.Diff(played, jsonOf(c.t, rebuilt)); diff != "" {
		c.t.Errorf("rebuilt (-played +rebuilt):\n%s", diff)
	}
	if diff := cmp.Diff(played, jsonOf(c.t, followed)); diff != "" {
		c.t.Errorf("followed (-played +followed):\n%s", diff)
	}
}

// TestHeadDoesNotGrow: the snapshot of a campaign with many turns is as large as one with few turns
// and the same state, within a tenth. So is the growth of the log by a turn.
func TestHeadDoesNotGrow(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	for name, content := range map[string]game.Content{
		"budget": headContent(1500), "window": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes := []string{}
			if name == "window" {
				changes = []string{`{"settings": {"context.full_context_enabled": false}}`}
			}
			c := newChronicle(t, 1, content, changes...)
			var heads, records []int
			for i := range 640 {
				c.do(turn.Submit{Text: "I follow the lantern light along the old wall.", ClientTurnID: fmt.Sprint("c", i), At: noon},
					"The water is low, and the key turns in its lock. Somebody has left a lantern by the steps.")
				if n := len(c.m.Campaign().Turns); n > 100 {
					t.Fatalf("%d turns are held after %d", n, i+1)
				}
				if (i+1)%32 == 0 && i > 60 {
					heads = append(heads, len(jsonOf(t, c.m.Campaign())))
					records = append(records, len(jsonOf(t, c.log[len(c.log)-4])))
				}
			}
			t.Logf("heads of %d to %d bytes, records of %d to %d", slices.Min(heads), slices.Max(heads), slices.Min(records), slices.Max(records))
			if slices.Max(heads)*10 > slices.Min(heads)*11 || slices.Max(records)*10 > slices.Min(records)*11 {
				t.Errorf("heads %v, records %v", heads, records)
			}
			c.check()
		})
	}
}

// longGone returns an engine with a campaign of many turns. The head holds few of them.
func longGone(t *testing.T, cfg campaign.Config, turns int) (*campaign.Engine, campaign.Config) {
	t.Helper()
	if cfg.Game == nil {
		cfg.Game = compile(t, game.Content{})
	}
	cfg.Store = &campaign.MemoryStore{}
	if cfg.Model == nil {
		cfg.Model = replying("Dust falls.")
	}
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false}}`)
	for i := range turns {
		turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait, line %d.", i+1), ClientTurnID: fmt.Sprint("c", i+1)})
	}
	if n := len(campaignOf(t, e).Turns); n > turns/2 {
		t.Fatalf("%d turns are held", n)
	}
	return e, cfg
}

// fresh returns an engine on the same store that has loaded nothing yet.
func fresh(t *testing.T, cfg campaign.Config) *campaign.Engine {
	t.Helper()
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestOldSubmissionIsNotPlayedAgain: a client turn ID is known however old it is, in this process
// and in a second one.
func TestOldSubmissionIsNotPlayedAgain(t *testing.T) {
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 120)
	for _, e := range []*campaign.Engine{e, fresh(t, cfg)} {
		for _, n := range []int{1, 7, 64, 120} {
			o := turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait, line %d.", n), ClientTurnID: fmt.Sprint("c", n)})
			wantOutcome(t, o, fmt.Sprintf("completed turn_%04d replayed", n))
			o = turnOf(t, e, turn.Submit{Text: "Another line.", ClientTurnID: fmt.Sprint("c", n)})
			wantOutcome(t, o, "refused idempotency_conflict")
		}
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait.", ClientTurnID: "new"}), "completed turn_0121")
}

// TestRollbackReadsTheLog: a process that has just loaded a campaign rolls back, undoes that, and
// changes branches. The states are the same as in the process that played it.
func TestRollbackReadsTheLog(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 150)
	before := jsonOf(t, campaignOf(t, e).State)
	for _, in := range []turn.Input{turn.RollBack{To: "turn_0145"}, turn.UndoRollBack{}, turn.RollBack{To: "turn_0144"}} {
		do(t, fresh(t, cfg), in)
	}
	wantOutcome(t, turnOf(t, fresh(t, cfg), turn.Submit{Text: "I go."}), "completed turn_0151")
	do(t, fresh(t, cfg), turn.SwitchBranch{BranchID: "main"})
	if diff := cmp.Diff(before, jsonOf(t, campaignOf(t, fresh(t, cfg)).State)); diff != "" {
		t.Errorf("the state of the branch (-left +found):\n%s", diff)
	}
	if o := turnOf(t, fresh(t, cfg), turn.Submit{Text: "I go on."}); o.Turn.ParentID != "turn_0150" || o.Turn.Index != 151 {
		t.Errorf("it goes on behind %s at %d", o.Turn.ParentID, o.Turn.Index)
	}
	if _, err := fresh(t, cfg).Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

// TestPastThatCannotBeRead ends an instruction and changes nothing.
func TestPastThatCannotBeRead(t *testing.T) {
	t.Parallel()
	c := newChronicle(t, 1, game.Content{}, `{"settings": {"context.full_context_enabled": false}}`)
	for range 90 {
		c.do(turn.Submit{Text: "I wait.", At: noon}, "Dust falls.")
	}
	c.do(turn.PatchSettings{Patch: setting.Snapshot{"context.recent_turns": tree.Int(80)}, At: noon}, "")
	c.reload()
	before := jsonOf(t, c.m.Campaign())
	for name, ask := range map[string]turn.Input{
		"state": turn.RollBack{To: "turn_0085", At: noon}, "turns": turn.Submit{Text: "I wait.", At: noon},
	} {
		for what, read := range map[string]turn.PastRead{"nothing": {}, "error": {Error: "the disk is gone"}, "another turn": {Turns: []state.Turn{{ID: "turn_0089"}}}} {
			step(t, c.m, ask)
			if c.m.Todo().Past == nil {
				t.Fatalf("%s: nothing is asked", name)
			}
			step(t, c.m, read)
			o := c.m.Todo().Outcome
			if o == nil || o.Status != turn.Failed || o.Reason != string(turn.PastUnread) || !o.Failure.Retry {
				t.Fatalf("%s, %s: %+v", name, what, o)
			}
			if read.Error != "" && !strings.Contains(o.Detail, read.Error) {
				t.Errorf("%s, %s: the detail is %q", name, what, o.Detail)
			} else if text := o.Err().Error(); read.Error == "" && !strings.Contains(text, "turn_00") && !strings.Contains(text, "state_86") {
				t.Errorf("%s, %s: %v", name, what, text)
			}
			if jsonOf(t, c.m.Campaign()) != before {
				t.Errorf("%s, %s: the campaign changed", name, what)
			}
		}
	}
	if err := c.m.Step(turn.PastRead{}); !errors.Is(err, turn.ErrUnexpectedInput) {
		t.Errorf("not asked: %v", err)
	}
}

// TestMemoryOfLongAgo: a memory of a turn that the head does not hold is shown if it equals the
// log, and left out otherwise.
func TestMemoryOfLongAgo(t *testing.T) {
	t.Parallel()
	mem := &notebook{}
	e, cfg := longGone(t, campaign.Config{Services: campaign.Services{Memory: mem}}, 100)
	first := state.Turn{ID: "turn_0003", ParentID: "turn_0002", Index: 3, UserInput: "I wait, line 3.", Text: "Dust falls."}.Memory()
	good := memory.Item{ID: "good", TurnID: "turn_0003", Text: "What was said.", Score: 2, Hash: first.Hash()}
	bad := memory.Item{ID: "bad", TurnID: "turn_0004", Text: "What was not said.", Score: 1, Hash: first.Hash()}
	mem.items = []memory.Item{good, bad, {ID: "none", TurnID: "turn_9999", Hash: "x", Text: "x"}}
	for _, e := range []*campaign.Engine{e, fresh(t, cfg)} {
		var got []string
		for _, m := range turnOf(t, e, turn.Submit{Text: "I ask."}).Turn.Trace.Memories {
			got = append(got, fmt.Sprint(m.ID, " ", m.Status))
		}
		want := []string{"good " + string(state.MemoryShown), "bad " + string(state.MemoryEdited), "none " + string(state.MemoryUndone)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestSummaryOfLongAgo: a summary that failed for a long time is made from all missing turns,
// including turns outside the head.
func TestSummaryOfLongAgo(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	fail := errors.New("no summarizer today")
	var asked []string
	cfg := campaign.Config{Game: compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 5}}),
		Services: campaign.Services{Summarize: func(_ context.Context, q question.Summarize) (state.Summary, error) {
			asked = nil
			for _, t := range q.Turns {
				asked = append(asked, t.ID)
			}
			return state.Summary{Text: "They wait."}, fail
		}}}
	e, _ := longGone(t, cfg, 90)
	fail = nil
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if len(asked) != 91 || asked[0] != "turn_0001" || asked[90] != "turn_0091" {
		t.Errorf("asked for %d: %v", len(asked), asked)
	}
	if s := campaignOf(t, e).State.Summary; s.CoversThrough != "turn_0091" {
		t.Errorf("the summary covers %s", s.CoversThrough)
	}
}

// TestForkOfLongAgo: a fork has the story up to its turn, and its checkpoints.
func TestForkOfLongAgo(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 140)
	for _, n := range []int{0, 1, 63, 64, 65, 100, 129, 140} {
		id := fmt.Sprint("fork", n)
		fork, err := e.Fork(t.Context(), "cave", state.TurnID(n), id)
		if err != nil || fork.TurnCounter != n || fork.State.TurnCount != n || fork.Version != fork.Archive.First() {
			t.Fatalf("fork at %d: %d turns, %v", n, fork.TurnCounter, err)
		}
		own := fresh(t, cfg)
		shown := 0
		for one, err := range own.History(t.Context(), id, state.HistoryPage{}) {
			if err != nil || one.UserInput != fmt.Sprintf("I wait, line %d.", n-shown) {
				t.Fatalf("turn %d of the fork is %q, %v", n-shown, one.UserInput, err)
			}
			shown++
		}
		if shown != n {
			t.Fatalf("fork at %d: %d turns are shown", n, shown)
		}
		if n > 2 {
			if _, err := own.Do(t.Context(), id, turn.RollBack{To: state.TurnID(n - 2)}); err != nil {
				t.Errorf("fork at %d: %v", n, err)
			}
			if _, err := fresh(t, cfg).Do(t.Context(), id, turn.UndoRollBack{}); err != nil {
				t.Errorf("fork at %d: %v", n, err)
			}
		}
		if o, err := own.Turn(t.Context(), id, turn.Submit{Text: "I go on."}); err != nil || o.Turn.Index != n+1 {
			t.Errorf("fork at %d goes on: %+v, %v", n, o, err)
		}
		if _, err := own.Rebuild(t.Context(), id); err != nil {
			t.Errorf("fork at %d: %v", n, err)
		}
	}
}

// TestTornStateIsNamed: a rollback needs a state whose record is torn. The error names the damaged
// record, and the campaign does not change.
func TestTornStateIsNamed(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	_, cfg := longGone(t, campaign.Config{SnapshotEvery: 1}, 120)
	store := cfg.Store
	cfg.Store, cfg.SnapshotEvery = &worn{MemoryStore: store.(*campaign.MemoryStore), entry: wearing(116, half)}, 999
	e := fresh(t, cfg)
	before := jsonOf(t, campaignOf(t, e))
	o := do(t, e, turn.RollBack{To: "turn_0115"})
	failure, ok := errors.AsType[*turn.Failure](o.Err())
	if !ok || failure.Code != turn.PastUnread || failure.Kind != turn.FailureStore {
		t.Fatal(o.Err())
	}
	if d, ok := errors.AsType[*state.LogDamage](failure); !ok || d.Version != 116 || !errors.Is(d, state.ErrChecksum) || !strings.Contains(o.Detail, "116") {
		t.Errorf("the cause is %v, the detail %q", failure, o.Detail)
	}
	if jsonOf(t, campaignOf(t, e)) != before {
		t.Error("the campaign changed")
	}
}

// TestHeadThatIsNotHeld: after a rollback beyond the held turns, each instruction about the head
// reads it from the log.
func TestHeadThatIsNotHeld(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: replying("Dust falls."), SnapshotEvery: 20}
	long := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "rollback.max_checkpoints": 100}}`)
	for range 50 {
		turnOf(t, long, turn.Submit{Text: "I wait."})
	}
	do(t, long, turn.RollBack{To: "turn_0005"})
	if _, held := campaignOf(t, long).Turn("turn_0005"); held {
		t.Fatal("the head turn is held")
	}
	for _, c := range []struct {
		in   turn.Input
		want string // words of the outcome and the head
	}{
		{turn.Undo{}, "completed turn_0004"},
		{turn.UndoRollBack{}, "completed turn_0050"},
		{turn.Continue{}, "completed turn_0005"},
		{turn.Regenerate{}, "completed turn_0051"},
		{turn.Regenerate{Speaker: "nobody"}, "refused turn_0005"},
		{turn.Submit{Text: "I go on."}, "completed turn_0051"},
		{turn.EditText{TurnID: "turn_0005", Text: "Fog."}, "completed turn_0005"},
	} {
		own := cfg
		own.Store, own.Model = copied(t, cfg.Store.(*campaign.MemoryStore), nil), replying("Fog rises.")
		e := fresh(t, own)
		o, err := e.Do(t.Context(), "cave", c.in)
		if refusal, is := errors.AsType[*state.Refusal](err); is {
			o.Status, o.Reason, err = turn.Refused, string(refusal.Code), nil
		}
		if got := fmt.Sprintf("%s %s", o.Status, campaignOf(t, e).State.HeadTurnID); err != nil || got != c.want {
			t.Errorf("%T: %s %s, want %s, %v", c.in, got, o.Reason, c.want, err)
		}
	}
}
