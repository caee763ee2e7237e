package turn

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules/effect"
)

var brokenMember = map[string]json.RawMessage{"later": json.RawMessage("{")}

// begun returns a campaign with Ann and Bo. Content and setup may be empty.
func begun(t *testing.T, content game.Content, changes ...func(*state.Setup)) (*game.Game, state.Campaign) {
	t.Helper()
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	s := state.Setup{ID: "c"}
	for _, id := range []string{"ann", "bo"} {
		s.Characters = append(s.Characters, state.Character{ID: id, Name: id, HP: state.HP{Current: 5, Max: 9}})
	}
	for _, change := range changes {
		change(&s)
	}
	c, err := Begin(g, s)
	if err != nil {
		t.Fatal(err)
	}
	return g, c
}

// TestInputsWithoutForm: an input without a JSON form, or with an unknown one, is refused.
func TestInputsWithoutForm(t *testing.T) {
	t.Parallel()
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, in := range map[string]Input{
		"an answer": Replied{Usage: &llm.Usage{Extra: brokenMember}}, "an instruction": Submit{At: late},
		"an instruction with an ID": Once{ID: "a", Input: Submit{At: late}},
	} {
		if got, err := asLogged(in); got != nil || !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got := (Once{ID: "a"}).inputType(); got != "" {
		t.Errorf("an ID without an instruction is a %q", got)
	}
	var unplayable *Unplayable
	if in, err := decode("dance", []byte(`{}`)); in != nil || !errors.As(err, &unplayable) || !slices.Equal(unplayable.Inputs, []string{"dance"}) {
		t.Errorf("dance: %v, %v", in, err)
	}
	if _, err := decode("submit", []byte(`{"text": 5}`)); err == nil {
		t.Error("a text that is a number is read")
	}
	if err := json.Unmarshal([]byte(`{"version": "x"}`), new(Record)); err == nil {
		t.Error("a record with a version that is a text is read")
	}
}

// TestRefusedInstructions has a row for each instruction of a host that does not change the campaign.
func TestRefusedInstructions(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{})
	ended := c.Clone()
	ended.State.HeadTurnID, ended.Turns = state.TurnID(1), []state.Turn{{ID: state.TurnID(1), ActorID: "ann"}}
	ended.Alternatives = &state.Alternatives{Chosen: state.TurnID(1), BeforeRef: "before"}
	ended.Snapshots = state.Snapshots{"before": {Lifecycle: state.Lifecycle{Ended: true}}}
	for name, row := range map[string]struct {
		c    state.Campaign
		in   Input
		want state.RefusalCode
	}{
		"a year without a JSON form": {c, SetLocks{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, state.InvalidTime},
		"locks of an unknown area":   {c, SetLocks{Areas: map[string]state.MapLock{"nowhere": {}}}, state.UnknownArea},
		"nothing to undo":            {c, Undo{}, state.NoHeadTurn},
	} {
		m := NewMachine(g, row.c)
		err := m.Step(row.in)
		if refusal, ok := errors.AsType[*state.Refusal](err); !ok || refusal.Code != row.want || m.Phase() != Idle {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := NewMachine(g, ended).Refuses(Regenerate{}); got != state.CampaignEnded {
		t.Errorf("a new answer in an ended campaign: %q", got)
	}
	broken := c.Clone()
	broken.State.Characters[0].Extra = brokenMember
	if err := setCharacter(&broken, "ann", tree.Object(), g.Life()); err == nil {
		t.Error("a character without a JSON form is changed")
	}
	if _, err := Begin(g, state.Setup{ID: "c", Characters: broken.State.Characters}); err == nil {
		t.Error("a campaign without a JSON form begins")
	}
	if got := lastNarration(NewMachine(g, c), &state.ConflictReport{}); got != "" {
		t.Errorf("a conflict without an output has the text %q", got)
	}
}

// TestHeadTurnElsewhere: instructions on the head turn of a campaign that does not hold it read the
// log first. They are not refused before.
func TestHeadTurnElsewhere(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{})
	id := state.TurnID(5)
	c.State.HeadTurnID, c.TurnCounter = id, 5
	for _, in := range []ModelInstruction{Continue{}, Regenerate{}} {
		if got := NewMachine(g, c).Refuses(in); got != "" {
			t.Errorf("%T: %q", in, got)
		}
	}
	c.PendingConflict = &state.ConflictReport{ActorID: "ann", Ask: &state.Ask{Instruction: "regenerate"}}
	for _, in := range []Input{Undo{}, ResolveConflict{Decision: state.DecideDiscard}} {
		m := NewMachine(g, c)
		if err := m.Step(in); err != nil || m.Todo().Past == nil || !slices.Equal(m.Todo().Past.Turns, []string{id}) {
			t.Errorf("%T: %v, %s", in, err, m.Todo())
		}
	}
	m := NewMachine(g, c)
	if line, known := readLineAtHead(m); !known || line.atHand {
		t.Error("the line of a turn that is not held is at hand")
	}
	m.base.Turns = []state.Turn{{ID: id}} // without the state before it
	if _, known := readLineAtHead(m); known {
		t.Error("the state before a turn is known")
	}
}

// TestAnswersOfTheLog: an instruction continues with the answers of the log. Without such an answer it
// fails.
func TestAnswersOfTheLog(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{})
	c.Archive = state.ArchiveIndex{Jumps: 1, Branches: 2, Pages: []state.ArchiveRef{{Version: 1, Jumps: 1, Branches: 1}}}
	m := NewMachine(g, c)
	if err := m.Step(MakeCheckpoint{Label: "here"}); err != nil || !m.Todo().Past.Jumps {
		t.Fatalf("%v, %s", err, m.Todo())
	}
	if err := m.Step(PastRead{}); err != nil || m.Todo().Outcome == nil || m.Todo().Outcome.Reason != string(PastUnread) || m.base.OlderJumps != nil {
		t.Errorf("%v, %s", err, m.Todo())
	}
	if err := m.Step(MakeCheckpoint{Label: "here"}); err != nil || !m.Todo().Past.Jumps {
		t.Fatalf("%v, %s", err, m.Todo())
	}
	if err := m.Step(PastRead{Jumps: [][2]int{{3, 1}, {4, 1}}}); err != nil || m.Todo().Outcome == nil || m.base.OlderJumps != nil {
		t.Errorf("other jumps: %v, %s", err, m.Todo())
	}
	c.Archive.Jumps = 0
	m = NewMachine(g, c)
	if err := m.Step(SwitchBranch{BranchID: "old"}); err != nil || m.Todo().Past == nil || m.Todo().Past.Branch != "old" {
		t.Fatalf("%v, %s", err, m.Todo())
	}
	before := c.State
	before.TurnCount = 7
	c.Snapshots["left"] = &before
	if err := m.Step(PastRead{Branch: &state.Branch{SnapshotRef: "left", HeadTurnID: state.StartTurnID}}); err != nil || m.Todo().Commit == nil {
		t.Errorf("%v, %s", err, m.Todo())
	}
}

// TestPartyWithoutAnActor: if the acting character leaves the party, the first member that can act
// acts; the first one if nobody can.
func TestPartyWithoutAnActor(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		fallen []string
		want   string
	}{{nil, "bo"}, {[]string{"bo"}, "cy"}, {[]string{"bo", "cy"}, "bo"}} {
		g, c := begun(t, game.Content{}, func(s *state.Setup) {
			s.Characters = append(s.Characters, state.Character{ID: "cy", Name: "Cy", HP: state.HP{Current: 5, Max: 9}})
			for i := range s.Characters {
				if slices.Contains(row.fallen, s.Characters[i].ID) {
					s.Characters[i].Status.AliveState, s.Characters[i].HP.Current = state.Dead, 0
				}
			}
		})
		m := NewMachine(g, c)
		if err := m.Step(SetParty{Members: []string{"bo", "cy"}}); err != nil {
			t.Fatal(err)
		}
		if err := m.Step(Committed{}); err != nil || m.Campaign().State.Selected.ActorID != row.want {
			t.Errorf("%v have fallen: %s acts, %v", row.fallen, m.Campaign().State.Selected.ActorID, err)
		}
	}
}

// TestGreetingVariablesKeepChanges: a different greeting keeps what was changed, added and deleted
// since the campaign began.
func TestGreetingVariablesKeepChanges(t *testing.T) {
	t.Parallel()
	var all []tree.Document
	for _, text := range []string{`{"a": 1, "b": 1, "c": 1}`, `{"a": 2, "b": 2, "c": 2}`, `{"b": 5, "c": 1, "d": 1}`} {
		d, err := tree.ParseDocument([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	if got := withChanges(all[1], all[0], all[2]).String(); got != `{"b":5,"c":2,"d":1}` {
		t.Errorf("%s", got)
	}
}

// TestGreetingIsShownAtItsTime: scripts of the display have the time of the instruction.
func TestGreetingIsShownAtItsTime(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{People: game.People{Card: &card.Card{Name: "Ann", FirstMes: "Hello.", AlternateGreetings: []string{"It is today."}}},
		Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{{Name: "day", Find: "today", Replace: "{{isodate}}",
			Placement: []script.Placement{script.AIOutput}, Display: true}}}}}})
	m, second := NewMachine(g, c), 1
	if err := m.Step(Choose{Greeting: &second, At: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	if err := m.Step(Committed{}); err != nil || m.Todo().Show == nil || m.Todo().Show.Text != "It is 2026-03-04." {
		t.Errorf("%v, %+v", err, m.Todo().Show)
	}
	m = NewMachine(g, m.Campaign()) // a host that shows the campaign again
	if err := m.Step(Choose{Greeting: &second, At: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)}); err != nil || m.Todo().Commit != nil ||
		m.Todo().Show == nil || m.Todo().Show.Text != "It is 2026-03-05." {
		t.Errorf("again: %v, %+v", err, m.Todo())
	}
}

// TestDeepDecisions: arguments of people have the same limit of nesting as arguments of a model.
func TestDeepDecisions(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{})
	m := NewMachine(g, c)
	m.base.PendingApproval, m.phase = &state.PendingApproval{Question: state.ApprovalQuestion{ID: "q", Calls: []state.ApprovalCall{{ID: "x"}}}}, Approving
	for depth, refused := range map[int]bool{2: false, maxAnswerDepth + 2: true} {
		args := tree.Object()
		for range depth {
			args = tree.Object(tree.Member{Key: "a", Value: args})
		}
		err := Approve{Question: "q", Decisions: []state.ApprovalDecision{{CallID: "x", Verdict: state.Edit, Args: args}}}.refusalWhileWaiting(m)
		if refused != (err != nil) {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
}

// TestPrintedLimit: a text that is too long says how many lines are missing. An effect without a JSON
// form is an error in the text.
func TestPrintedLimit(t *testing.T) {
	t.Parallel()
	var p printed
	lines := 0
	for ; !p.full(); lines++ {
		p.line(0, "%s", strings.Repeat("x", 100))
	}
	p.line(0, "more")
	p.line(0, "and more")
	if got := p.String(); !strings.HasSuffix(got, "… and 2 lines more\n") || strings.Count(got, "\n") != lines+1 {
		t.Errorf("%d lines, then %q", lines, got[len(got)-40:])
	}
	if p.record(Record{Delta: make(state.Delta, 3)}); p.omitted != 7 {
		t.Errorf("%d lines are missing, want 7", p.omitted)
	}
	_, err := effect.Marshal(nil)
	if got := (Todo{Host: []effect.Attributed{{Source: "rule"}}}).String(); err == nil || !strings.Contains(got, err.Error()) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestLogsWithoutABeginning: a log that begins in the middle cannot be played again. What cannot be
// read from the log is an error.
func TestLogsWithoutABeginning(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{}, func(s *state.Setup) {
		s.Settings = setting.Snapshot{"tools.approval": tree.Text("all")}
	})
	var log iter.Seq2[Record, error] = func(yield func(Record, error) bool) { yield(Record{Version: 2, Kind: RecordTurn}, nil) }
	if _, err := Rebuild(g, log); !errors.Is(err, errNoBeginning) {
		t.Errorf("%v", err)
	}
	log = func(yield func(Record, error) bool) { yield(Record{Version: 4, Kind: RecordLost}, nil) }
	if _, err := Follow(c, log); err != nil {
		t.Errorf("three lost records: %v", err)
	}
	broken := c.Clone()
	broken.State.Characters[0].Extra = brokenMember
	log = func(yield func(Record, error) bool) { yield(Record{Version: 2, Kind: RecordTurn}, nil) }
	if _, err := Follow(broken, log); err == nil {
		t.Error("a campaign without a JSON form is followed")
	}
	torn := errors.New("torn")
	unread := func(question.Past) (PastRead, error) { return PastRead{}, torn }
	c.Archive = state.ArchiveIndex{Jumps: 1}
	rec := Record{Version: 2, Kind: "make_checkpoint", Inputs: Inputs{MakeCheckpoint{Label: "here"}}}
	if err := NewMachine(g, c).Replay(rec, unread); !errors.Is(err, torn) {
		t.Errorf("a replay: %v", err)
	}
	journal, err := tree.Of(Inputs{Submit{Text: "I wait."}})
	if err != nil {
		t.Fatal(err)
	}
	c.PendingApproval = &state.PendingApproval{Records: 1, Journal: journal}
	if _, err := rec.Explain(g, c, unread); !errors.Is(err, torn) {
		t.Errorf("an explanation: %v", err)
	}
	c.PendingApproval.Journal = tree.Text("none")
	if err := NewMachine(g, c).Resume(unread); err != nil {
		t.Errorf("a journal that cannot be read: %v", err)
	}
}

// TestResumedQuestions: a turn that waits for people is resumed only if it leads to the same question
// again.
func TestResumedQuestions(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{}, func(s *state.Setup) {
		s.Settings = setting.Snapshot{"tools.approval": tree.Text("all")}
	})
	m := NewMachine(g, c)
	for _, in := range []Input{Submit{Text: "I wait."}, Replied{Text: `{"text": "Wind.", "tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "ann", "delta": -1, "cause": "cold"}}]}`}, Committed{}} {
		if err := m.Step(in); err != nil {
			t.Fatal(err)
		}
	}
	asked := *m.Campaign().PendingApproval
	for narration, want := range map[string]Phase{"Wind.": Approving, "Rain.": Idle} {
		changed := asked
		changed.Question.Narration = narration
		c := m.Campaign()
		c.PendingApproval = &changed
		if got := NewMachine(g, c).Phase(); got != want {
			t.Errorf("%s: the machine is %s, want %s", narration, got, want)
		}
	}
}

// TestReplaysOfRecords: a replay compares the whole record, also what the campaign does not hold. The
// explanation of a record has the prompt.
func TestReplaysOfRecords(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{})
	m := NewMachine(g, c)
	if err := m.Step(Submit{Text: "I wait."}); err != nil {
		t.Fatal(err)
	}
	for m.Todo().Commit == nil {
		var in Input = Judged{}
		switch todo := m.Todo(); {
		case todo.Generate != nil:
			in = Replied{Text: "Dust falls."}
		case todo.Recall != nil:
			in = Recalled{}
		}
		if err := m.Step(in); err != nil {
			t.Fatal(err)
		}
	}
	rec := *m.Todo().Commit
	if why, err := rec.Explain(g, c, nil); err != nil || len(why.Prompt.Messages) == 0 {
		t.Errorf("%v, a prompt of %d messages", err, len(why.Prompt.Messages))
	}
	other := rec
	other.Draws = []float64{0.5}
	if err := NewMachine(g, c).Replay(other, nil); !errors.Is(err, ErrDiverged) {
		t.Errorf("other draws: %v", err)
	}
	if err := NewMachine(g, c).Replay(rec, nil); err != nil {
		t.Error(err)
	}
}

// TestOnceKeepsWhatCounts: an instruction that failed or was cancelled may be sent again with its ID.
func TestOnceKeepsWhatCounts(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{})
	m := NewMachine(g, c)
	m.once = &Once{ID: "x", Input: Undo{}}
	for status, want := range map[OutcomeStatus]bool{Completed: true, Refused: true, Conflict: true, Failed: false, Cancelled: false} {
		next := c.Clone()
		m.storeOnce(RecordTurn, &next, nil, &Outcome{Status: status})
		if got, known := next.Once["x"]; known != want || known && got.Status != string(status) {
			t.Errorf("%s: %+v, %v", status, got, known)
		}
	}
}

// TestUpdateWithoutTheLease: a second request that fails ends the turn only if nothing can be stored.
func TestUpdateWithoutTheLease(t *testing.T) {
	t.Parallel()
	g, c := begun(t, game.Content{})
	for reason, want := range map[FailureCode]Phase{LeaseLost: Idle, StoreFailed: Idle, FailureCode(llm.CodeServer): Prompting} {
		m := NewMachine(g, c)
		if err := m.Step(Submit{Text: "I wait."}); err != nil {
			t.Fatal(err)
		}
		if to := updateFailed(m, GenerateFailed{Reason: reason}); (to == rowBelow) != (want != Idle) {
			t.Errorf("%s: %q", reason, to)
		}
	}
}
