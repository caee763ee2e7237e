package observe_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// millEngine returns an engine with the campaign "mill", whose head holds few turns.
func millEngine(t *testing.T, store campaign.Store, content game.Content, model llm.Model, settings setting.Snapshot) *campaign.Engine {
	t.Helper()
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	e, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model,
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Create(t.Context(), state.Setup{
		ID: "mill", Settings: settings,
		Map:        state.Map{Areas: []state.MapArea{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}}, Paths: []state.MapPath{{ID: "door", From: "yard", To: "mill"}}},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10}}},
	})
	if err != nil && !errors.Is(err, campaign.ErrExists) {
		t.Fatal(err)
	}
	return e
}

func do(t *testing.T, e *campaign.Engine, in turn.Input) turn.Outcome {
	t.Helper()
	o, err := e.Do(t.Context(), "mill", in)
	if err != nil || o.Err() != nil && o.Status != turn.Waiting {
		t.Fatal(err, o.Err())
	}
	return o
}

// say returns a model that answers with these texts.
func say(texts ...string) *llmtest.Scripted {
	var replies []llmtest.Reply
	for _, text := range texts {
		replies = append(replies, llmtest.Text(text))
	}
	return llmtest.NewScripted(replies...)
}

// near returns the names of what nearly happened.
func near(r observe.Report) string {
	var out []string
	for _, s := range r.Sections {
		for _, i := range s.Items {
			if i.Mark == observe.Near {
				out = append(out, s.Name+" "+i.Name)
			}
		}
	}
	return strings.Join(out, ", ")
}

// reported returns the report of a turn.
func reported(t *testing.T, e *campaign.Engine, id string) observe.Report {
	t.Helper()
	r, err := e.Report(t.Context(), "mill", id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r
}

const nearly = "lore mill.2 (cat), rules sneeze" // the cat needs the night, the sneeze more dust

// TestReportOfAnyTurn explains turns that are no longer in the head, an alternative answer, a turn
// on an inactive branch, a continued one and an edited one. Each has what nearly happened, and no
// model or host function is called (EX-07).
func TestReportOfAnyTurn(t *testing.T) {
	t.Parallel()
	texts := []string{"Rain falls."}
	for i := range 60 {
		texts = append(texts, fmt.Sprintf("Hour %d passes.", i))
	}
	texts = append(texts, "It rains again.", " The cat yawns.", "It is late.")
	model, store := say(texts...), &campaign.MemoryStore{}
	e := millEngine(t, store, reportMill(), model, setting.Snapshot{
		"context.full_context_enabled": tree.Bool(false), "context.recent_turns": tree.Int(2)})
	do(t, e, turn.Submit{Text: "I walk to the mill."})
	for range 60 {
		do(t, e, turn.Submit{Text: "I wait."})
	}
	do(t, e, turn.Regenerate{Swipe: true}) // turn_0062, an alternative of turn_0061
	do(t, e, turn.Continue{})
	do(t, e, turn.EditText{TurnID: "turn_0061", Text: "Edited by hand."})
	do(t, e, turn.RollBack{To: "turn_0060"})
	do(t, e, turn.Submit{Text: "I wait."}) // turn_0063, on a different branch
	if c, err := e.Campaign(t.Context(), "mill"); err != nil || len(c.Turns) > 20 {
		t.Fatalf("the head holds %d turns, %v: this shows nothing", len(c.Turns), err)
	}
	asked := len(model.Requests())
	for id, want := range map[string]string{
		"turn_0001": "answer: Rain falls.", "turn_0030": "answer: Hour 28 passes.", "turn_0061": "answer: Edited by hand.",
		"turn_0062": "answer: It rains again. The cat yawns.", "turn_0063": "answer: It is late.",
	} {
		r := reported(t, e, id)
		if !strings.Contains(r.String(), want) || !strings.HasPrefix(r.Title, "Turn ") || !strings.Contains(r.Title, id) {
			t.Errorf("%s lacks %q:\n%s", id, want, r)
		}
		if w := r.Section("warnings").Items; len(w) > 0 {
			t.Errorf("%s: %v", id, w)
		}
		wantNear := ""
		if id == "turn_0001" {
			wantNear = nearly // later there is enough dust, and no line mentions the mill
		}
		if got := near(r); got != wantNear {
			t.Errorf("%s nearly had %q, want %q", id, got, wantNear)
		}
	}
	if len(model.Requests()) != asked {
		t.Error("the model was asked")
	}
	for _, id := range []string{"turn_0000", "turn_0099", "turn_", "", "x"} {
		_, err := e.Report(t.Context(), "mill", id)
		if r, ok := errors.AsType[*state.Refusal](err); !ok || r.Code != state.UnknownTurn {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := e.Report(t.Context(), "nowhere", "turn_0001"); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("another campaign: %v", err)
	}
}

// TestReportAfterApproval: the report of a turn that waited for people has what nearly happened
// before it waited, and who decided.
func TestReportAfterApproval(t *testing.T) {
	t.Parallel()
	call := llmtest.Reply{Text: "You step into the mill.",
		Calls: []llm.ToolCall{{ID: "c1", Name: "move", Arguments: `{"actor_id":"ann","to_area_id":"mill"}`}}}
	e := millEngine(t, &campaign.MemoryStore{}, reportMill(), llmtest.NewScripted(call), setting.Snapshot{"tools.approval": tree.Text("all")})
	o := do(t, e, turn.Submit{Text: "I walk to the mill."})
	do(t, e, turn.Approve{Question: o.Approval.ID, By: "Maya", Decisions: o.Approval.All(state.Approve, "")})
	r := reported(t, e, "turn_0001")
	if got := near(r); got != nearly {
		t.Errorf("nearly %q, want %q", got, nearly)
	}
	if text := r.String(); !strings.Contains(text, "Maya") {
		t.Errorf("nobody knows who has decided:\n%s", text)
	}
}

// TestReportOfClaims: if the model lists the claims of its text, the report has the list, each
// claim with the result of its call (CA-57).
func TestReportOfClaims(t *testing.T) {
	t.Parallel()
	text := `You step into the mill and sneeze.
<claims>[{"kind": "place", "who": "ann", "place": "mill", "call": "c1", "quote": "into the mill"}, {"kind": "hp", "who": "ann", "amount": -1, "call": "c2"}, {"kind": "sneeze"}]</claims>`
	call := llmtest.Reply{Text: text, Calls: []llm.ToolCall{
		{ID: "c1", Name: "move", Arguments: `{"actor_id":"ann","to_area_id":"mill"}`}}}
	e := millEngine(t, &campaign.MemoryStore{}, reportMill(), llmtest.NewScripted(call), setting.Snapshot{
		"conflict.claims": tree.Text("listed"), "conflict.mode": tree.Text("warn")})
	do(t, e, turn.Submit{Text: "I walk to the mill."})
	r := reported(t, e, "turn_0001")
	want := []observe.Item{
		{Mark: observe.Done, Name: "place ann", Text: `mill, said in "into the mill", rests on c1`},
		{Mark: observe.Note, Name: "hp ann", Text: "-1, rests on c2, which changed nothing"},
		{Mark: observe.Note, Name: "sneeze", Text: "rests on no call"},
	}
	if diff := cmp.Diff(want, r.Section("claims").Items); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(r.String(), "What the text claims\n") {
		t.Errorf("no title:\n%s", r)
	}
}

// TestReportOfForeignTurns: the report warns that near events are unknown for a turn with different
// content and for a turn from a chat.
func TestReportOfForeignTurns(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	do(t, millEngine(t, store, reportMill(), say("Rain falls."), nil), turn.Submit{Text: "I carry the flour to the mill."})
	other := reportMill()
	other.Rules.Rules = other.Rules.Rules[1:]
	r := reported(t, millEngine(t, store, other, say(), nil), "turn_0001")
	if text := r.String(); near(r) != "" || !strings.Contains(text, "the content was changed since") || !strings.Contains(text, "+ dusty") {
		t.Errorf("another content:\n%s", text)
	}
}

// TestWarnKeepsTheReport: Warn does not change the original report.
func TestWarnKeepsTheReport(t *testing.T) {
	t.Parallel()
	r := observe.Report{Title: "Turn 1", Sections: []observe.Section{{Name: "turn", Title: "Turn"}}}
	before, _ := json.Marshal(r)
	if empty := (observe.Report{}).Warn("one"); len(empty.Sections) != 1 || len(empty.Section("warnings").Items) != 1 {
		t.Errorf("an empty report with a warning: %+v", empty)
	}
	once := r.Warn("one")
	a, b := once.Warn("two"), once.Warn("three")
	if after, _ := json.Marshal(r); string(after) != string(before) {
		t.Errorf("it became %s", after)
	}
	text := func(r observe.Report) (out []string) {
		for _, i := range r.Section("warnings").Items {
			out = append(out, i.Text)
		}
		return out
	}
	if diff := cmp.Diff([][]string{{"one"}, {"one", "two"}, {"one", "three"}}, [][]string{text(once), text(a), text(b)}); diff != "" {
		t.Error(diff)
	}
	if got := a.String(); strings.TrimSpace(got) != "Turn 1\n\nTurn\n\nWarnings\n    one\n    two" {
		t.Errorf("it reads\n%s", got)
	}
}
