package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
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
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules/effect"
)

// window makes prompts show the last turn only.
const window = `{"settings": {"context.full_context_enabled": false, "context.recent_turns": 1}}`

// notebook is a memory that returns given items, and records its calls.
type notebook struct {
	items   []memory.Item
	err     error // of everything
	queries []memory.Query
	told    []memory.Turn
}

func (n *notebook) Recall(_ context.Context, q memory.Query) ([]memory.Item, error) {
	n.queries = append(n.queries, q)
	return n.items, n.err
}

func (n *notebook) Remember(_ context.Context, _ string, t memory.Turn) error {
	if n.err == nil {
		n.told = append(n.told, t)
	}
	return n.err
}

// toldIDs returns the turns that it received, with its summaries in brackets.
func (n *notebook) toldIDs() string {
	var out []string
	for _, t := range n.told {
		id := t.ID
		if t.Summary != "" {
			id += "[" + t.Summary + "]"
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

// itemOf returns the item of a turn.
func itemOf(t state.Turn, score float64) memory.Item {
	return memory.Item{ID: t.ID + "/1", TurnID: t.ID, Hash: t.Memory().Hash(), Text: t.Text, Score: score}
}

// memoriesIn returns the memories in a turn's trace.
func memoriesIn(t state.Turn) string {
	var out []string
	for _, m := range t.Trace.Memories {
		out = append(out, m.ID+" "+string(m.Status))
	}
	return strings.Join(out, ", ")
}

// TestMemory: CA-43. Old texts are in the prompt when their words come up again. The trace lists
// them, and a replay gives the same bytes without a memory.
func TestMemory(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	cfg := campaign.Config{Store: store, Services: campaign.Services{Memory: &memory.Index{}}, Model: scripted(
		"Orrin still owes you four coins.", "Rain falls.", "The road is long.", "银狼的右耳上有一个缺口。", "Night comes.", "Orrin nods.", "狼看着你。")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, window)
	for _, line := range []string{"I sell the mule.", "I walk.", "I walk on.", "我看狼。", "I rest."} {
		turnOf(t, e, turn.Submit{Text: line})
	}
	if text, ok := blocks((*requests)[4])["memory"]; ok {
		t.Errorf("without a reason something was recalled: %s", text)
	}
	played := turnOf(t, e, turn.Submit{Text: "How many coins does Orrin owe me?"}).Turn
	if got, want := blocks((*requests)[5])["memory"], "# From earlier turns\n- Turn 1: I sell the mule. Orrin still owes you four coins."; got != want {
		t.Errorf("the block is %q, want %q", got, want)
	}
	if got := memoriesIn(*played); got != "turn_0001/1 shown" || played.Trace.Memories[0].Score <= 0 || played.Trace.Memories[0].Tokens <= 0 {
		t.Errorf("the trace is %+v", played.Trace.Memories)
	}
	turnOf(t, e, turn.Submit{Text: "我找右耳有缺口的狼。"})
	wantHas(t, "the block", blocks((*requests)[6])["memory"], "Turn 4: 我看狼。 银狼的右耳上有一个缺口。")

	bare, err := campaign.New(campaign.Config{Game: compile(t, game.Content{}), Store: store, Model: scripted()})
	if err != nil {
		t.Fatal(err)
	}
	if rebuilt, err := bare.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, campaignOf(t, e)) {
		t.Errorf("without the memory the campaign is another: %v", err)
	}
}

// TestMemoryOfTheStoryOnly: CA-43. Whatever a memory returns, the prompt shows no turns that were
// undone, of other branches, with changed texts, or that the acting character did not witness. It
// shows no more than the limit, the best first.
func TestMemoryOfTheStoryOnly(t *testing.T) {
	t.Parallel()
	n := &notebook{}
	cfg := campaign.Config{Services: campaign.Services{Memory: n}, Model: scripted("One.", "Two.", "Three.", "Two again.", "Four.", "Five.")}
	requests := observed(&cfg)
	e := newEngine(t, cfg, window, `{"settings": {"memory.max_tokens": 30}}`)
	for range 3 {
		turnOf(t, e, turn.Submit{Text: "I go on."})
	}
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0001"}); err != nil {
		t.Fatal(err)
	}
	first := campaignOf(t, e).Turns
	n.items = []memory.Item{itemOf(first[0], 0.5), itemOf(first[1], 0.9), itemOf(first[2], 0.8)}
	undone := turnOf(t, e, turn.Submit{Text: "I go on."}).Turn
	if got, want := memoriesIn(*undone), "turn_0002/1 not_ancestor, turn_0003/1 not_ancestor, turn_0001/1 shown"; got != want {
		t.Errorf("after a rollback: %s, want %s", got, want)
	}
	if text := jsonOf(t, (*requests)[3]); strings.Contains(text, "Three.") || strings.Contains(text, "Two.") {
		t.Errorf("the prompt knows the future: %s", text)
	}

	log := campaignOf(t, e).Turns
	edited, secret, own, empty, unknown := itemOf(log[0], 0.9), itemOf(log[0], 0.8), itemOf(log[0], 0.7), itemOf(log[0], 0.65), itemOf(log[0], 0.6)
	edited.ID, edited.Hash = "edited", "of another text"
	secret.ID, secret.Witnesses = "secret", []string{"bo"}
	own.ID, own.Witnesses, own.Text = "own", []string{"bo", "ren"}, "Only\nRen   knows."
	empty.ID, empty.Text = "empty", " \n"
	unknown.ID, unknown.TurnID = "unknown", "turn_0099"
	long, after := itemOf(log[3], 0.5), itemOf(log[3], 0.4)
	long.ID, long.Text = "long", strings.Repeat("A long memory. ", 40)
	after.ID = "after"
	n.items = []memory.Item{after, long, unknown, empty, own, secret, edited}
	played := turnOf(t, e, turn.Submit{Text: "I go on."}).Turn
	want := "edited edited, secret not_witnessed, own shown, empty cut, unknown not_ancestor, long cut, after cut"
	if got := memoriesIn(*played); got != want {
		t.Errorf("the trace is %s, want %s", got, want)
	}
	if got := blocks((*requests)[4])["memory"]; got != "# From earlier turns\n- Turn 1: [known only to bo, Ren] Only Ren knows." {
		t.Errorf("the block is %q", got)
	}

	n.items = slices.Repeat([]memory.Item{itemOf(log[0], 1)}, 1000)
	if played = turnOf(t, e, turn.Submit{Text: "I go on."}).Turn; len(played.Trace.Memories) != memory.MaxItems {
		t.Errorf("%d items were looked at", len(played.Trace.Memories))
	}
	if rebuilt, err := e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, campaignOf(t, e)) {
		t.Errorf("the rebuilt campaign is another: %v", err)
	}
}

// TestMemoryNamesSpeakers: CA-43, CA-49. A memory says who spoke, if there are several players or a
// cast: also a piece that begins within a reply, a private line, and a text that was edited.
func TestMemoryNamesSpeakers(t *testing.T) {
	t.Parallel()
	long := "The idol is under the willow. " + strings.Repeat("It is dark and the river rises. ", 12) + "Only the HERON knows."
	const narrator = `{"settings": {"turn.order": "free", "context.full_context_enabled": false, "context.recent_turns": 1}}`
	const chorus = `{"settings": {"cast.order": "list", "turn.order": "free", "context.full_context_enabled": false, "context.recent_turns": 1}}`
	const alone = `{"settings": {"cast.order": "list", "context.full_context_enabled": false, "context.recent_turns": 1}}`
	edit := turn.EditText{TurnID: "turn_0001", Text: "A heron. Not here."}
	for _, c := range []struct {
		name, setup string
		cast        []game.CastMember
		replies     []string
		audience    []string
		edit        *turn.EditText
		want        []string
	}{
		{"several players", narrator, nil, []string{"A heron nods."}, nil, nil, []string{"Turn 1: Ren: Where is the heron? GM: A heron nods."}},
		{"a cast", alone, three(), []string{"A heron?", "Not here.", "苍鹭。"}, nil, nil,
			[]string{"Turn 1: Where is the heron? Ash: A heron? Bo Reed: Not here. 老陈: 苍鹭。"}},
		{"players and a cast, in private", chorus, three(), []string{"A heron?", "Not here.", "No."}, []string{"ren", "ash", "reed"}, nil,
			[]string{"Turn 1: [known only to Ren, Ash, Bo Reed] Ren: Where is the heron? Ash: A heron? Bo Reed: Not here."}},
		{"a long reply", alone, three(), []string{"Hm.", long, "No."}, nil, nil, []string{"Turn 1: Bo Reed: Only the HERON knows. 老陈: No.", "Ash: Hm. Bo Reed: The idol"}},
		{"an edited turn", alone, three(), []string{"A heron?", "Not here.", "No."}, nil, &edit,
			[]string{"Turn 1: Where is the heron? Ash: A heron. Not here. Bo Reed: Not here. 老陈: No."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := scripted(c.replies...)
			for range 9 {
				model.Add(llmtest.Text("Rain."))
			}
			cfg := campaign.Config{Model: model, Services: campaign.Services{Memory: &memory.Index{}},
				Game: compile(t, game.Content{People: game.People{Cast: c.cast}})}
			requests := observed(&cfg)
			e := newEngine(t, cfg, c.setup)
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Where is the heron?", Audience: c.audience})
			if c.edit != nil {
				do(t, e, *c.edit)
			}
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I wait."})
			turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Does the heron know?"})
			wantHas(t, "the memory", blocks((*requests)[len(*requests)-1])["memory"], c.want...)
		})
	}
}

// TestMemoryIsAsked: CA-43. The query has the campaign, the head, the newest messages, and the
// turns that the prompt shows anyway. It is written if the prompt has the block and it fits.
func TestMemoryIsAsked(t *testing.T) {
	t.Parallel()
	n := &notebook{}
	e := newEngine(t, campaign.Config{Services: campaign.Services{Memory: n}, Model: scripted("One.", "Two.", "Three.", "Four.", "Five.", "Six.")}, window)
	for _, line := range []string{"I wait.", "I look.", "I go."} {
		turnOf(t, e, turn.Submit{Text: line})
	}
	want := []memory.Query{
		{Campaign: "cave", Branch: "main", Head: "turn_0000", Before: 1, Viewer: "ren", Texts: []string{"I wait."}, Limit: 600},
		{Campaign: "cave", Branch: "main", Head: "turn_0001", Before: 1, Viewer: "ren", Texts: []string{"I look.", "One.", "I wait."}, Limit: 600},
		{Campaign: "cave", Branch: "main", Head: "turn_0002", Before: 2, Viewer: "ren", Texts: []string{"I go.", "Two.", "I look."}, Limit: 600},
	}
	if diff := cmp.Diff(want, n.queries); diff != "" {
		t.Error(diff)
	}
	for _, patch := range []setting.Snapshot{
		{"memory.max_tokens": tree.Int(0)},
		{"memory.max_tokens": tree.Int(9), "dialog.manual_type": tree.Text("rules")},
		{"dialog.manual_type": tree.Text("free_chat")},
	} {
		do(t, e, turn.PatchSettings{Patch: patch})
		turnOf(t, e, turn.Submit{Text: "I ask."})
	}
	if len(n.queries) != 3 {
		t.Errorf("asked in spite of the settings: %+v", n.queries[3:])
	}
	// A prompt that shows every turn needs no memories. A prompt with a budget may need them.
	for budget, before := range map[int]int{0: 1, 100_000: 2} {
		n := &notebook{}
		content := game.Content{}
		content.Prompt.Budget.Context = budget
		e := newEngine(t, campaign.Config{Game: compile(t, content), Services: campaign.Services{Memory: n}, Model: scripted("One.", "Two.", "Three.")},
			`{"settings": {"context.recent_turns": 1}}`)
		for range 3 {
			turnOf(t, e, turn.Submit{Text: "I wait."})
		}
		if got := n.queries[2].Before; got != before {
			t.Errorf("with a budget of %d the turns before %d are wanted, not %d", budget, got, before)
		}
	}
}

// TestMemoryIsTold: CA-43. The memory receives every turn after its commit, at least once, and
// again when a process begins. A failure does not fail the turn, and is repaired after the next
// one. A summary comes with the last turn that it covers.
func TestMemoryIsTold(t *testing.T) {
	t.Parallel()
	n := &notebook{err: errors.New("no room")}
	var log strings.Builder
	store := &campaign.MemoryStore{}
	cfg := campaign.Config{Game: compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 2}}), Store: store, Services: campaign.Services{
		Memory: n,
		Summarize: func(_ context.Context, q question.Summarize) (state.Summary, error) {
			return state.Summary{Text: fmt.Sprint(len(q.Turns), " turns"), CoversThrough: q.Turns[len(q.Turns)-1].ID}, nil
		},
	}, Model: scripted("One.", "Two.", "Three.", "Four.", "Five.", "Six."),
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}
	e := newEngine(t, cfg)
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	wantOutcome(t, o, "completed turn_0001")
	wantHas(t, "the warnings", strings.Join(o.Turn.Trace.Warnings, " "), "memory: no room")
	wantHas(t, "the log", log.String(), "not remembered yet", "no room")
	n.err = nil
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if got := n.toldIDs(); got != "turn_0001 turn_0002" {
		t.Errorf("told of %s", got)
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if got := n.toldIDs(); got != "turn_0001 turn_0002 turn_0003 turn_0003[3 turns]" {
		t.Errorf("with a summary: told of %s", got)
	}

	second := &notebook{}
	cfg.Services.Memory = second
	again, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."}); err != nil {
		t.Fatal(err)
	}
	if got := second.toldIDs(); !strings.HasPrefix(got, "turn_0003[3 turns]") || !strings.HasSuffix(got, "turn_0004") {
		t.Errorf("in a new process: told of %s", got)
	}
	for _, score := range []float64{math.NaN(), math.Inf(1)} {
		second.items = []memory.Item{{ID: "nan", Score: score}}
		o, err := again.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."})
		if err != nil || o.Status == turn.Refused || !strings.Contains(strings.Join(o.Turn.Trace.Warnings, "\n"), "the score of item nan") {
			t.Errorf("the score %v: %v, %v", score, o.Status, err)
		}
	}
	second.items, second.err = nil, errors.New("no room")
	for _, in := range []turn.Input{turn.EditText{TurnID: "turn_0001", Text: "Fog."}, turn.Submit{Text: "I wait."}} {
		if _, err := again.Do(t.Context(), "cave", in); err != nil {
			t.Fatal(err)
		}
	}
	second.err = nil
	if _, err := again.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."}); err != nil {
		t.Fatal(err)
	}
	if got := second.toldIDs(); !strings.Contains(got, "turn_0001") {
		t.Errorf("an edited turn that did not fit was not sent again: told of %s", got)
	}
}

// TestMemoryKeepsUp: CA-43. A process may do anything first in a campaign, and a different process
// may have rewritten turns. The memory then has all turns as they read now, as if it had received
// the whole log.
func TestMemoryKeepsUp(t *testing.T) {
	t.Parallel()
	newest := turn.EditText{TurnID: "turn_0004", Text: "The pearl is in the oven."}
	old := turn.EditText{TurnID: "turn_0002", Text: "A heron waits."}
	for _, tc := range []struct {
		reason  string
		kept    bool // the memory survives the process
		first   turn.Input
		watches bool // the old process continues, not a new one
	}{
		{"the newest turn is edited, and the memory was kept", true, newest, false},
		{"the newest turn is gone on with, and the memory was kept", true, turn.Continue{}, false},
		{"the newest turn is edited", false, newest, false},
		{"an old turn is edited", false, old, false},
		{"another answer is chosen", false, turn.Choose{TurnID: "turn_0003"}, false},
		{"another process has edited the newest turn", false, newest, true},
		{"another process has edited an old turn", false, old, true},
		{"another process has gone on with the newest turn", false, turn.Continue{}, true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			mine, its, all := &memory.Index{}, &memory.Index{}, &memory.Index{}
			if tc.kept {
				its = mine
			}
			cfg := campaign.Config{Store: &campaign.MemoryStore{}, Game: compile(t, game.Content{}), Services: campaign.Services{Memory: mine},
				Model: scripted("A fox barks.", "Rain.", "Fog.", "Snow.", "And hail.", "[]", "[]")}
			const recallsNothing = `{"settings": {"dialog.manual_type": "free_chat"}}`
			e := newEngine(t, cfg, recallsNothing)
			for range 3 {
				turnOf(t, e, turn.Submit{Text: "I wait."})
			}
			do(t, e, turn.Regenerate{})
			cfg.Services.Memory = its
			other, asked := fresh(t, cfg), its
			do(t, other, tc.first)
			if tc.watches {
				other, asked = e, mine
			}
			do(t, other, turn.PatchSettings{Patch: setting.Snapshot{"dialog.manual_type": tree.Text("scene")}})
			do(t, other, turn.Suggest{})
			cfg.Services.Memory = all
			do(t, fresh(t, cfg), turn.Suggest{})
			q := memory.Query{Campaign: "cave", Head: campaignOf(t, other).State.HeadTurnID, Limit: 600,
				Texts: []string{"fox rain fog snow hail oven heron"}}
			want, err := all.Recall(t.Context(), q)
			if err != nil || len(want) < 3 {
				t.Fatal(want, err)
			}
			got, err := asked.Recall(t.Context(), q)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("it remembers otherwise (-the log +memory), %v:\n%s", err, diff)
			}
		})
	}
}

// TestMemoryIsRebuilt: CA-43. A memory with a Seen method receives the whole log in a new process,
// of all branches, before the first query.
func TestMemoryIsRebuilt(t *testing.T) {
	t.Parallel()
	store, first, second := &campaign.MemoryStore{}, &memory.Index{}, &memory.Index{}
	cfg := campaign.Config{Store: store, Services: campaign.Services{Memory: first}, Game: compile(t, game.Content{}),
		Model: scripted("The brass key is under the stone.", "Rain.", "Fog.", "Snow.", "Hail.", "You find the brass key.")}
	e := newEngine(t, cfg, window)
	for range 4 {
		turnOf(t, e, turn.Submit{Text: "I wait."})
	}
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0002"}); err != nil {
		t.Fatal(err)
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	cfg.Services.Memory = second
	again, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	o, err := again.Turn(t.Context(), "cave", turn.Submit{Text: "Where is the brass key?"})
	if err != nil || o.Err() != nil {
		t.Fatal(err, o.Err())
	}
	if got := memoriesIn(*o.Turn); got != "turn_0001/1 shown" {
		t.Errorf("the trace is %s", got)
	}
	q := memory.Query{Campaign: "cave", Texts: []string{"stone, rain, fog, snow, hail"}, Limit: 600}
	whole, err := first.Recall(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	rebuilt, err := second.Recall(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	q.Texts = []string{"fog"}
	if diff := cmp.Diff(len(whole), len(rebuilt)); diff != "" || len(whole) < 5 {
		t.Errorf("the memories are not the same: %s", diff)
	}
	if seen, err := second.Has(t.Context(), "cave", "turn_0003"); !seen || err != nil {
		t.Errorf("the branch that was left: %v, %v", seen, err)
	}
}

// TestMemoryPassesScripts: scripts that hide parts of the history also hide them in memories.
func TestMemoryPassesScripts(t *testing.T) {
	t.Parallel()
	n := &notebook{}
	hides := script.Script{Name: "hides", Find: "/\\(.*?\\)/g", Placement: []script.Placement{script.AIOutput}, Prompt: true, MinDepth: new(3.0)}
	cfg := campaign.Config{Services: campaign.Services{Memory: n}, Model: scripted("A door (locked).", "(Thinking.)", "Fog (thin).", "Four."),
		Game: compile(t, game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{hides}}}}})}
	requests := observed(&cfg)
	e := newEngine(t, cfg, window)
	for range 3 {
		turnOf(t, e, turn.Submit{Text: "I wait."})
	}
	for i, one := range campaignOf(t, e).Turns {
		n.items = append(n.items, itemOf(one, 0.9-0.1*float64(i)))
	}
	played := turnOf(t, e, turn.Submit{Text: "I wait."}).Turn
	if got, want := blocks((*requests)[3])["memory"], "# From earlier turns\n- Turn 1: A door .\n- Turn 3: Fog (thin)."; got != want {
		t.Errorf("the block is %q, want %q", got, want)
	}
	if got := memoriesIn(*played); got != "turn_0001/1 shown, turn_0002/1 cut, turn_0003/1 shown" {
		t.Errorf("the trace is %s", got)
	}
}

// TestMemoryTellsHooks: hooks receive the number of memories, before the prompt.
func TestMemoryTellsHooks(t *testing.T) {
	t.Parallel()
	n, heard := &notebook{}, []string{}
	e := newEngine(t, campaign.Config{Services: campaign.Services{
		Memory: n,
		Sinks: act.Sinks{Log: func(_ context.Context, call act.Call, _ effect.WriteLog) error {
			heard = append(heard, call.Event.Payload.String())
			return nil
		}},
	}, Model: scripted("One.", "Two."),

		Game: compile(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.AfterMemoryRetrieve),
			Actions: []act.Action{act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("heard")})}}}}})}, window)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	n.items = []memory.Item{itemOf(campaignOf(t, e).Turns[0], 1)}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if diff := cmp.Diff([]string{`{"memory_count":0}`, `{"memory_count":1}`}, heard); diff != "" {
		t.Error(diff)
	}
}

// TestMemoryIsAsOldAsItsMessages: the age of a memory, which scripts use, is counted in messages: a
// turn with several speakers has several.
func TestMemoryIsAsOldAsItsMessages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		lines  int // before the remembered turn and the line after it
		depth  float64
	}{
		{"the line, three replies to the one before and that itself", 0, 5},
		{"the same, a few turns on", 3, 5},
	} {
		for _, hidden := range []bool{false, true} {
			n := &notebook{}
			least := tc.depth
			if !hidden {
				least++
			}
			hides := script.Script{Name: "hides", Find: "/quiet/g", Replace: "still", Placement: []script.Placement{script.AIOutput}, Prompt: true, MinDepth: &least}
			cfg := campaign.Config{Services: campaign.Services{Memory: n}, Model: numbered(), Game: compile(t, game.Content{People: game.People{Cast: three()},
				Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{hides}}}}})}
			requests := observed(&cfg)
			e := newEngine(t, cfg, window)
			for range tc.lines {
				turnOf(t, e, turn.Submit{Text: "Well?"})
			}
			about := turnOf(t, e, turn.Submit{Text: "Well?"}).Turn
			if said := turnOf(t, e, turn.Submit{Text: "Reed? 老陈?"}).Turn; len(said.Replies) != 3 {
				t.Fatalf("%d have spoken: %s", len(said.Replies), said.Trace.Cast)
			}
			n.items = append(n.items, itemOf(*about, 1))
			first := len(*requests)
			turnOf(t, e, turn.Submit{Text: "And now?"})
			word := map[bool]string{false: "quiet", true: "still"}[hidden]
			if got := blocks((*requests)[first])["memory"]; !strings.Contains(got, word) {
				t.Errorf("%s, from depth %v on: the block is %q, want %q in it", tc.reason, least, got, word)
			}
		}
	}
}

// TestMemoryOfLongAgoIsAsOld: the same for turns that are read from the log.
func TestMemoryOfLongAgoIsAsOld(t *testing.T) {
	t.Parallel()
	for _, hidden := range []bool{false, true} {
		n := &notebook{}
		least := 195.0 // the line, and 97 turns of two messages after the reply
		if !hidden {
			least++
		}
		hides := script.Script{Name: "hides", Find: "/falls/g", Replace: "fell", Placement: []script.Placement{script.AIOutput}, Prompt: true, MinDepth: &least}
		cfg := campaign.Config{Services: campaign.Services{Memory: n}, Game: compile(t, game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{hides}}}}})}
		requests := observed(&cfg)
		e, _ := longGone(t, cfg, 100)
		n.items = []memory.Item{itemOf(state.Turn{ID: "turn_0003", ParentID: "turn_0002", Index: 3, UserInput: "I wait, line 3.", Text: "Dust falls."}, 1)}
		turnOf(t, e, turn.Submit{Text: "I ask."})
		word := map[bool]string{false: "falls", true: "fell"}[hidden]
		if got := blocks((*requests)[100])["memory"]; !strings.Contains(got, word) {
			t.Errorf("from depth %v on: the block is %q, want %q in it", least, got, word)
		}
	}
}

// TestJunkMemoriesAndSummaries: CA-43. Whatever a memory or a summarizer returns, the turn
// completes. No text of other campaigns is in the prompt, and a reload gives the same campaign.
func TestJunkMemoriesAndSummaries(t *testing.T) {
	t.Parallel()
	const foreign = "the treasure of another campaign"
	long := strings.Repeat("long ", 1<<14)
	items := []memory.Item{
		{}, {ID: "a", TurnID: "turn_9999", Text: foreign}, {ID: "a", TurnID: "", Hash: "x", Text: foreign},
		{ID: "b", TurnID: "turn_0001", Hash: "of another text", Text: foreign},
		{ID: "\xff\x00", TurnID: "\xff", Hash: "\xff", Text: "\xff\xfe " + foreign},
		{ID: long, TurnID: long, Hash: long, Text: long + foreign, Witnesses: []string{long, "", "\xff"}},
	}
	for range 500 {
		items = append(items, items[3])
	}
	deep := tree.Int(1)
	for range 400 {
		deep = tree.Array(deep)
	}
	for reason, junk := range map[string]state.Summary{
		"nothing":              {},
		"no number":            {}, // and an invalid score
		"a text without end":   {Text: strings.Repeat(long, 8)},
		"bytes":                {Text: "\xff\xfe\x00", CoversThrough: "\xff", Pins: []string{"\xff", ""}},
		"a turn of the future": {Text: "All is well.", CoversThrough: "turn_9999", Version: -7},
		"no turn":              {Text: "All is well.", CoversThrough: long, Version: math.MaxInt32},
		"deep facts":           {Text: "All is well.", Facts: deep},
		"pins without end":     {Text: "All is well.", Pins: slices.Repeat([]string{"pin"}, 5000)},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store, recalled := &campaign.MemoryStore{}, items
			if reason == "no number" {
				recalled = append(slices.Clone(items), memory.Item{ID: "nan", TurnID: "turn_0001", Score: math.NaN(), Text: foreign})
			}
			cfg := campaign.Config{Game: compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}}), Store: store, Services: campaign.Services{
				Memory:    &notebook{items: recalled},
				Summarize: func(context.Context, question.Summarize) (state.Summary, error) { return junk, nil },
			},
				Model: scripted("One.", "Two.", "Three.", "Four."),
			}
			seen := observed(&cfg)
			e := newEngine(t, cfg, window)
			for i := range 4 {
				o := turnOf(t, e, turn.Submit{Text: "I wait."})
				wantOutcome(t, o, fmt.Sprintf("completed turn_%04d", i+1))
			}
			for _, r := range *seen {
				if text := blocks(r)["memory"]; strings.Contains(text, foreign) {
					t.Fatalf("a prompt shows %.200q", text)
				}
			}
			rebuilt, err := e.Rebuild(t.Context(), "cave")
			if err != nil {
				t.Fatal(err)
			}
			again, err := campaign.New(campaign.Config{Game: cfg.Game, Store: store, Model: scripted("Five.")})
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := again.Campaign(t.Context(), "cave")
			if err != nil || jsonOf(t, loaded) != jsonOf(t, rebuilt) {
				t.Fatalf("loaded again it is another campaign: %v", err)
			}
			wantOutcome(t, turnOf(t, again, turn.Submit{Text: "I go on."}), "completed turn_0005")
		})
	}
}

// TestCommonMemoriesAreFound: CA-43, CA-44. In the mode "common" the memories that only the acting
// character has do not use up the room of those that everybody has.
func TestCommonMemoriesAreFound(t *testing.T) {
	t.Parallel()
	replies := []string{"A pearl lies in the well of the old mill."}
	for i := range 8 {
		replies = append(replies, fmt.Sprintf("The pearl, a pearl! (%d)", i))
	}
	replies = append(replies, "Rain falls.")
	cfg := campaign.Config{Services: campaign.Services{Memory: &memory.Index{}}, Model: scripted(append(replies, "Hm.")...)}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"visibility.mode": "common", "memory.max_tokens": 24, "context.full_context_enabled": false, "context.recent_turns": 1}}`)
	for i := range replies {
		in := turn.Submit{Text: "I look."}
		if i > 0 && i < len(replies)-1 {
			in.Audience = []string{"ren"}
		}
		turnOf(t, e, in)
	}
	o := turnOf(t, e, turn.Submit{Text: "Where is the pearl?"})
	if got := blocks((*seen)[len(replies)])["memory"]; !strings.Contains(got, "the old mill") || strings.Contains(got, "pearl!") {
		t.Errorf("recalled: %s, %v", got, o.Turn.Trace.Memories)
	}
}
