package turn

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// TestCourseIsWhole checks the table of stops: names are unique, each named target row exists, and
// each row has its phase.
func TestCourseIsWhole(t *testing.T) {
	t.Parallel()
	if course[0].stop != idle {
		t.Errorf("a new machine stands at %q", course[0].stop)
	}
	for i, r := range course {
		if rowOf[r.stop] != i {
			t.Errorf("two rows are named %q", r.stop)
		}
		if slices.Contains([]Stop{rowBelow, sameRow, wait}, r.stop) {
			t.Errorf("row %d is named like a move: %q", i, r.stop)
		}
		if (r.stop == idle) != (r.phase == Idle) || r.phase == "" && !slices.Contains([]Stop{play.ToModel, "veto_call", play.ToReport, play.ToNoRoom}, r.stop) {
			t.Errorf("%s has the phase %q", r.stop, r.phase)
		}
		for _, to := range r.leads {
			if _, known := rowOf[to]; !known {
				t.Errorf("%s may lead to %q, which is no row", r.stop, to)
			}
		}
	}
}

// walker takes a machine through the course and records where each row leads.
type walker struct {
	t      *testing.T
	m      *Machine
	start  *state.State // the answer to a machine that returns to the start
	passed map[Stop]bool
	// The verdict of people about calls, and whether they drop the turn instead.
	verdict state.ApprovalVerdict
	drops   bool
}

// step is [Machine.Step] for inputs that the machine must accept.
func (w *walker) step(in Input) {
	w.t.Helper()
	var to Stop
	if _, asked := in.(PastRead); !asked {
		w.m.journal = append(w.m.journal, in)
	}
	if w.m.phase == Idle {
		var err error
		if to, err = in.(instruction).apply(w.m); err != nil {
			w.t.Fatal(err)
		}
		w.m.move(to)
		w.m.todo, to = course[w.m.row].begin(w.m)
	} else {
		var ok bool
		if to, ok = course[w.m.row].handle(w.m, in); !ok {
			w.t.Fatalf("%T at %s", in, w.m.Stop())
		}
	}
	for w.passed[w.m.Stop()] = true; to != wait; w.m.todo, to = course[w.m.row].begin(w.m) {
		from := w.m.row
		w.m.move(to)
		w.passed[w.m.Stop()] = true
		if to != sameRow && w.m.row != from+1 && !slices.Contains(course[from].leads, to) {
			w.t.Errorf("%s leads to %s: its row says %v", course[from].stop, to, course[from].leads)
		}
	}
}

// play gives an instruction and answers until the machine is idle.
func (w *walker) play(in Input, replies ...Input) {
	w.t.Helper()
	w.step(in)
	for w.m.phase != Idle {
		switch todo := w.m.Todo(); {
		case todo.Past != nil:
			w.step(PastRead{State: w.start})
		case todo.Route != nil:
			w.step(Routed{Error: "none"})
		case todo.Hooks != nil:
			if event := todo.Hooks.Event.Type; !w.m.game.Hooks().Wants(event) {
				w.t.Errorf("the host is asked about %s, for which there is no hook", event)
			}
			w.step(HooksRan{Result: todo.Hooks.Run(w.t.Context())})
		case todo.Recall != nil:
			w.step(Recalled{})
		case todo.Retrieve != nil:
			w.step(Retrieved{})
		case todo.Generate != nil:
			if len(replies) == 0 {
				w.t.Fatal("no reply is left")
			}
			w.step(replies[0])
			replies = replies[1:]
		case todo.Judge != nil:
			w.step(Judged{})
		case todo.Approve != nil && w.drops:
			w.step(Discard{})
		case todo.Approve != nil:
			a := Approve{Question: todo.Approve.ID, Decisions: todo.Approve.All(w.verdict, "")}
			if w.verdict == state.Edit {
				a.Decisions[0].Args = todo.Approve.Calls[0].Args.With("delta", tree.Int(2))
			}
			w.step(a)
		case todo.Commit != nil:
			w.step(Committed{})
		}
	}
	if len(replies) > 0 {
		w.t.Errorf("%d replies are left", len(replies))
	}
}

// TestCourseLeadsWhereItSays plays turns of all kinds, with hooks for everything, through every row
// of the course. It checks that each row leads exactly to the stops that it names.
func TestCourseLeadsWhereItSays(t *testing.T) {
	t.Parallel()
	var list []hooks.Hook
	for _, e := range append([]string{game.EventTurnAccepted, game.EventTurnCommitted, game.EventTurnConflict,
		game.EventMilestoneAdvanced, game.EventRollbackDone}, act.BeforeModelCall, act.AfterKnowledge, act.BeforeToolCall,
		act.AfterToolCall, act.AfterProfileLoad, act.AfterMemoryRetrieve, act.StateChanged) {
		list = append(list, hooks.Hook{ID: e, Name: e, Event: hooks.On(e), Actions: []act.Action{
			act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text(e)})}})
	}
	g, problems := game.Compile(game.Content{Rules: game.Rules{Hooks: list}, People: game.People{Card: &card.Card{Name: "Orin"}}, Lore: game.Lore{
		Retrieval: game.Retrieval{Limit: 1},
		Books:     []worldbook.Attachment{{}},
	}})
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	c, err := Begin(g, state.Setup{ID: "c", Characters: []state.Character{{ID: "a", Name: "Ann", HP: state.HP{Current: 5, Max: 9}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{t: t, m: NewMachine(g, c), start: &c.State, passed: map[Stop]bool{}}
	line := Submit{Text: "I look around.", Recall: true, Events: []state.HostEvent{{Event: act.AfterKnowledge}, {Event: "other"}}}
	heal := Replied{Text: `{"tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "a", "delta": 1, "cause": "rest"}}]}`}
	wrong := Replied{Text: `{"text": "Ann waits.", "tool_calls": [{"tool": "fly"}]}`}
	lie := Replied{Text: "Ann loses 3 HP."}
	patch := func(key string, v tree.Value) { w.play(PatchSettings{Patch: setting.Snapshot{key: v}}) }

	w.play(line, Replied{Text: "Dust falls."})
	w.play(line, heal, Replied{Text: "Ann feels better."})
	w.play(line, Replied{}, wrong, wrong)
	w.play(line, lie, lie, lie)
	w.play(ResolveConflict{Decision: state.DecideAccept})
	w.play(line, lie, lie, lie)
	w.play(ResolveConflict{Decision: state.DecideOverride, Text: "Ann waits."})
	w.play(line, GenerateFailed{Reason: "overloaded"})
	w.play(Suggest{}, Replied{Text: "Run."})
	w.play(Suggest{}, GenerateFailed{Reason: "overloaded"})
	w.play(Continue{}, Replied{Text: "And waits."})
	w.play(Regenerate{}, Replied{Text: "Ann waits."})
	w.play(Proceed{}, Replied{Text: "Rain."})
	w.m.base.Snapshots = nil // as a store returns it
	w.play(RollBack{To: state.StartTurnID})
	w.play(Announce{Event: game.EventRollbackDone})
	w.play(PassTime{Elapsed: 1})
	w.play(PassTime{Elapsed: 1})
	w.play(line, GenerateFailed{Reason: "overloaded"}) // the undo window has closed
	patch("conflict.judge", tree.Text("full"))
	patch("dialog.auto_route_enabled", tree.Bool(true))
	patch("turn.mode", tree.Text("plan_narrate"))
	w.play(line, heal, Replied{Text: "Ann feels better."})
	patch("turn.max_tool_rounds", tree.Int(1))
	patch("turn.mode", tree.Text("single"))
	w.play(line, heal, heal, Replied{Text: "Ann feels better."})
	patch("tools.approval", tree.Text("all"))
	w.verdict = state.Approve
	w.play(line, heal, Replied{Text: "Ann feels better."})
	w.verdict = state.Edit
	w.play(line, heal, Replied{Text: "Ann feels better."})
	w.verdict = state.Deny
	w.play(line, heal, Replied{Text: "Ann waits."})
	patch("tools.max_denials", tree.Int(0))
	w.play(line, heal)
	w.drops = true
	w.play(line, heal)
	for _, e := range []string{act.AfterReactionPlan, act.BeforePromptRender, act.BeforeModelCall} {
		g, problems := game.Compile(game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{Name: e, Event: hooks.On(e),
			Actions: []act.Action{act.New("veto", tree.Member{Key: "reason", Value: tree.Text("no")})}}}}})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		(&walker{t: t, m: NewMachine(g, c), passed: w.passed}).play(line)
	}
	g, problems = game.Compile(game.Content{People: game.People{Cast: []game.CastMember{{CharacterID: "ash", Card: &card.Card{Name: "Ash"}},
		{CharacterID: "reed", Card: &card.Card{Name: "Reed"}}}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	group := &walker{t: t, m: NewMachine(g, c), passed: w.passed}
	line.Text = "Ash and Reed?"
	group.play(line, Replied{Text: "Aye."}, lie, lie, lie)
	group.play(line, lie, lie, lie, lie, lie, lie)
	g, problems = game.Compile(game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: 10}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	(&walker{t: t, m: NewMachine(g, c), passed: w.passed}).play(line)
	for _, r := range course {
		if !w.passed[r.stop] {
			t.Errorf("no turn passes %s", r.stop)
		}
	}
}
