package turn

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// TestErrorsOfOutcomes: each status has its error. A failure without details has its code.
func TestErrorsOfOutcomes(t *testing.T) {
	t.Parallel()
	failure := &Failure{Code: StoreFailed, Kind: FailureStore}
	for _, c := range []struct {
		o    Outcome
		want error
	}{
		{Outcome{Status: Completed}, nil}, {Outcome{Status: Discarded}, nil}, {Outcome{Status: Conflict}, ErrConflict}, {Outcome{Status: Waiting}, ErrApproval},
		{Outcome{Status: Failed, Failure: failure, Reason: "other"}, failure}, {Outcome{Status: Cancelled, Failure: failure}, failure},
	} {
		if got := c.o.Err(); got != c.want {
			t.Errorf("%s: %v", c.o.Status, got)
		}
	}
	if f, ok := errors.AsType[*Failure](Outcome{Status: Failed, Reason: string(StoreFailed)}.Err()); !ok || f.Code != StoreFailed {
		t.Errorf("a failure without details: %+v", f)
	}
	if r, ok := errors.AsType[*state.Refusal](Outcome{Status: Refused, Reason: string(state.CampaignBusy), Detail: "d"}.Err()); !ok || r.Code != state.CampaignBusy || r.Detail != "d" {
		t.Errorf("a refusal: %+v", r)
	}
}

// TestNoInput: an input that is nil has no name and no time. A Once around it has none either.
func TestNoInput(t *testing.T) {
	t.Parallel()
	if names := (Inputs{nil, Undo{}, Once{}, &Once{Input: Redo{}}}).Names(); !slices.Equal(names, []string{"", "undo", "", "redo"}) {
		t.Errorf("names: %q", names)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if in := Stamp(nil, now); in != nil {
		t.Errorf("nil becomes %v", in)
	}
	if o, ok := Stamp(&Once{ID: "o", Input: Undo{}}, now).(Once); !ok || o.ID != "o" || o.Input.(Undo).At != now {
		t.Errorf("a pointer becomes %+v", o)
	}
	if in := Stamp(Undo{At: now}, now.Add(time.Hour)); in.(Undo).At != now {
		t.Errorf("a time is replaced: %+v", in)
	}
	if in := Stamp(Routed{Error: "x"}, now); in.(Routed).Error != "x" {
		t.Errorf("an answer becomes %+v", in)
	}
	once := Once{ID: "o", Input: Undo{}}
	if later := (Once{ID: "o", Input: Undo{At: now}}); once.fingerprint() != later.fingerprint() || once.fingerprint() == "" || once.fingerprint() == (Once{Input: Redo{}}).fingerprint() {
		t.Error("fingerprints")
	}
}

// TestTimesOfInstructions: a year outside of JSON is refused, in every form of the instruction.
func TestTimesOfInstructions(t *testing.T) {
	t.Parallel()
	for year, refused := range map[int]bool{-1: true, 0: false, 2026: false, 9999: false, 10000: true} {
		at := time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)
		for _, in := range []Input{Undo{At: at}, &Undo{At: at}, Once{ID: "o", Input: Undo{At: at}}} {
			if err := timeRefusal(in); (err != nil) != refused {
				t.Errorf("%T in the year %d: %v", in, year, err)
			}
		}
	}
	if err := timeRefusal(Committed{}); err != nil {
		t.Error(err)
	}
}

// TestCallsWithExtraMembers: members of a call that are no JSON are dropped.
func TestCallsWithExtraMembers(t *testing.T) {
	t.Parallel()
	extra := map[string]json.RawMessage{"good": json.RawMessage("1"), "bad": json.RawMessage("{")}
	in := Replied{ToolCalls: []llm.ToolCall{{Name: "roll", Extra: extra}}}
	got := in.cleaned().(Replied).ToolCalls[0].Extra
	if len(got) != 1 || got["good"] == nil || len(extra) != 2 {
		t.Errorf("members: %v, before: %v", got, extra)
	}
}

// TestNestedAnswers: the depth of lists and objects counts alike.
func TestNestedAnswers(t *testing.T) {
	t.Parallel()
	list, object := tree.Int(1), tree.Int(1)
	for levels := range 4 {
		for _, v := range []tree.Value{list, object} {
			if nestedDeeper(v, levels) || levels > 0 && !nestedDeeper(v, levels-1) {
				t.Errorf("%s and %d levels", v, levels)
			}
		}
		list, object = tree.Array(tree.Int(0), list), tree.Object(tree.Member{Key: "a", Value: tree.Int(0)}, tree.Member{Key: "b", Value: object})
	}
}

// TestSameInputs: inputs with one logged form are the same; an input without one is not even the same
// as itself.
func TestSameInputs(t *testing.T) {
	t.Parallel()
	if !sameInput(Undo{}, Undo{}) || sameInput(Undo{}, Undo{At: time.Unix(1, 0)}) {
		t.Error("undo")
	}
	if bad := (Undo{At: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)}); sameInput(bad, bad) {
		t.Error("an input without a logged form")
	}
	if (Announce{}).settles(&Todo{}) {
		t.Error("an announcement that is not asked for")
	}
}

// TestFollowUps: the first announcement that is left and a summary belong to the earlier instruction,
// also with an ID. Other announcements, a second summary of nothing and other instructions do not.
func TestFollowUps(t *testing.T) {
	t.Parallel()
	first, second := Announce{Event: "one"}, Announce{Event: "two"}
	left := Todo{Announce: []Announce{first, second}}
	for _, c := range []struct {
		in   Inputs
		want bool
	}{
		{nil, false}, {Inputs{second}, false}, {Inputs{Announce{Event: "three"}}, false}, {Inputs{Undo{}}, false},
		{Inputs{first, second}, true}, {Inputs{first}, false}, {Inputs{Once{ID: "o", Input: second}}, true}, {Inputs{second}, false}, {Inputs{Summarized{}}, true},
	} {
		if got := left.Settle(Record{Inputs: c.in}); got != c.want {
			t.Errorf("%+v: %t", c.in, got)
		}
	}
	if len(left.Announce) > 0 {
		t.Errorf("%+v is left", left.Announce)
	}
}

// TestAnswersOfHosts: long answers are cut or refused. What hooks refused is in the trace. An error
// without a code is a failure of the transport.
func TestAnswersOfHosts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MaxReplyBytes+1)
	want := Answered{tool.Answer{Reason: tool.CallToolFailed, Hint: tree.Text(fmt.Sprintf("the answer has more than %d bytes", MaxReplyBytes))}}
	if got := (Answered{tool.Answer{Value: tree.Text(long)}}).cleaned(); !sameInput(got, want) {
		t.Errorf("a long answer is %.200v", got)
	}
	if got := (Replied{Warnings: []llm.Warning{{Code: long, Detail: long}}}).limited().Warnings[0]; len(got.Code) != draft.MaxText || len(got.Detail) != draft.MaxText {
		t.Errorf("a warning has %d and %d bytes, want %d", len(got.Code), len(got.Detail), draft.MaxText)
	}
	broken := errors.New("connection reset")
	if got := *FailureOf(broken); got != (Failure{Kind: FailureModel, Code: TransportFailed, Retry: true, Err: broken}) {
		t.Errorf("a plain error is %+v", got)
	}
	wrongKey := &llm.Error{Code: llm.CodeAuth, RetryAfter: time.Second}
	if got := FailureOf(wrongKey); got.Retry || got.RetryAfter != 0 {
		t.Errorf("a wait of %v for an error that no retry mends", got.RetryAfter)
	}
	if in, err := (JournalEntry{}).Read(); in != nil || err == nil || !strings.Contains(err.Error(), "does not have its input") {
		t.Errorf("an empty entry is %v, %v", in, err)
	}
	g, c := begun(t, game.Content{})
	values := g.Settings().Freeze(setting.Snapshot{settingkey.CastAutoReplies: tree.Int(3)}, nil)
	if n := maxAutoRounds(g, values); n != 0 {
		t.Errorf("without a cast, %d rounds may follow", n)
	}
	refused := []state.TraceRefusedEffect{{By: "ear", Path: "gold"}}
	played := play.New(g, c, state.Submission{}, values)
	HooksRan{Refused: refused}.applyTo(played)
	if got := played.Stage.Pending.Trace.Refused; len(got) != 1 || got[0].By != "ear" {
		t.Errorf("hooks refused %v", got)
	}
	if got := NewMachine(g, c).String(); !strings.HasPrefix(got, "campaign c version 1: idle\n") {
		t.Error(got)
	}
}

// TestRecordsThatAreNotPlayed: the beginning of a log, a repair, a lost record, and the records of an
// older layout or behaviour are used unchanged. A number that is missing is not an older one.
func TestRecordsThatAreNotPlayed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		r    Record
		want bool
	}{
		{Record{Kind: RecordCreate}, true}, {Record{Kind: RecordPast}, true}, {Record{Kind: RecordRepair}, true}, {Record{Kind: RecordLost}, true},
		{Record{Kind: RecordTurn}, false}, {Record{Kind: RecordTurn, Layout: Layout, Behaviour: Behaviour}, false},
		{Record{Kind: RecordTurn, Layout: Layout - 1, Behaviour: Behaviour}, Layout > 1}, {Record{Kind: RecordTurn, Layout: Layout, Behaviour: Behaviour - 1}, Behaviour > 1},
		{Record{Kind: RecordTurn, Layout: Layout + 1, Behaviour: Behaviour + 1}, false},
	} {
		if got := row.r.AsItStands(); got != row.want {
			t.Errorf("%s, layout %d, behaviour %d: %v", row.r.Kind, row.r.Layout, row.r.Behaviour, got)
		}
	}
}

// TestDifferencesOfRecords: a record that was played with other content says so. Equal records and
// records that do not fit have no difference.
func TestDifferencesOfRecords(t *testing.T) {
	t.Parallel()
	for content, other := range map[string]bool{"": false, "present": false, "past": true} {
		err := Record{Content: content}.firstDifference("present")
		if !errors.Is(err, ErrDiverged) || strings.Contains(err.Error(), `with the content "past"`) != other {
			t.Errorf("content %q: %v", content, err)
		}
	}
	g, c := begun(t, game.Content{})
	m := NewMachine(g, c)
	rename := func(path, title string) Record {
		return Record{Delta: state.Delta{{Path: tree.Path{path}, Value: tree.Text(title)}}}
	}
	if err := headDifference(m, rename("title", "a"), rename("title", "a")); err != nil {
		t.Errorf("equal: %v", err)
	}
	var d *state.RepairDifference
	if err := headDifference(m, rename("title", "a"), rename("title", "b")); !errors.As(err, &d) || d.Path.String() != "title" || d.Got != `"a"` || d.Want != `"b"` {
		t.Errorf("different titles: %v", err)
	}
	unfit := Record{Delta: state.Delta{{Path: tree.Path{"title", "a", "b"}, Value: tree.Text("x")}}}
	if err := headDifference(m, unfit, rename("title", "b")); err != nil {
		t.Errorf("unfit: %v", err)
	}
	if err := headDifference(m, rename("title", "b"), unfit); err != nil {
		t.Errorf("unfit: %v", err)
	}
}

// TestReasonOfAVeto: a veto has its reason for the player, so the player gets it. Other details are
// for logs.
func TestReasonOfAVeto(t *testing.T) {
	t.Parallel()
	o := Outcome{Status: Refused, Reason: string(state.Vetoed), Detail: "The gate is shut.", Messages: []string{"A guard coughs."}}
	shown, _ := o.ForPlayers("ann")
	if want := []string{"A guard coughs.", "The gate is shut."}; !slices.Equal(shown.Messages, want) {
		t.Errorf("a veto shows %q, want %q", shown.Messages, want)
	}
	if len(o.Messages) != 1 {
		t.Errorf("the outcome has %q now", o.Messages)
	}
	o.Reason = string(state.ActorNotInParty)
	if shown, _ = o.ForPlayers("ann"); len(shown.Messages) != 1 {
		t.Errorf("a refusal shows %q", shown.Messages)
	}
}

// TestTurnsOfOthers: an outcome for everybody hides the turn of a smaller audience.
func TestTurnsOfOthers(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		o      Outcome
		viewer string
		want   bool
	}{
		{Outcome{}, "", true}, {Outcome{}, "bob", true}, {Outcome{Audience: []string{"ann"}}, "bob", false}, {Outcome{Audience: []string{"ann"}}, "ann", true},
		{Outcome{Turn: &state.Turn{}}, "bob", true}, {Outcome{Turn: &state.Turn{Audience: []string{"ann"}}}, "bob", false},
		{Outcome{Turn: &state.Turn{Audience: []string{"ann"}}}, "ann", true},
	} {
		if _, ok := row.o.ForPlayers(row.viewer); ok != row.want {
			t.Errorf("%+v for %q: %v", row.o, row.viewer, ok)
		}
	}
}
