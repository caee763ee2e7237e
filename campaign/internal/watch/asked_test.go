package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// moments returns a watch, and the moments that it reports after Begun. Each look at its clock takes
// a second.
func moments(t *testing.T, texts bool) (*Watch, *[]observe.Moment) {
	t.Helper()
	list := &[]observe.Moment{}
	var o observe.Observer = observe.Func(func(_ observe.Place, m observe.Moment) { *list = append(*list, m) })
	if texts {
		o = observe.Verbose(o)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	w := Begin(t.Context(), Engine{Clock: clock, Observer: o}, observe.Place{Campaign: "mill", Run: 1}, turn.Submit{})
	*list = nil
	return w, list
}

// TestMomentsOfAnswers has a row for each answer to a question of a turn. An observer that wants
// texts gets all members of the moment.
func TestMomentsOfAnswers(t *testing.T) {
	t.Parallel()
	const took = time.Second
	lost := errors.New("no line")
	busy := &llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true}
	strange := &llm.Error{Code: "is this a code?", Status: 418}
	usage := &llm.Usage{PromptTokens: 3, CompletionTokens: 2}
	calls := []llm.ToolCall{{ID: "c1", Name: "roll", Arguments: "{}"}}
	reply := llm.Message{Role: llm.Assistant, Text: "Dust falls.", ToolCalls: calls}
	resp := llm.Response{Message: reply, Usage: usage, Finish: llm.FinishLength,
		Warnings: []llm.Warning{{Code: "odd"}, {Code: "not a code"}}}
	g := question.Generate{Attempt: 2, Retry: "refused_calls,not a code", Request: question.Request{
		Messages: []question.Message{{Message: llm.Message{Text: "I wait."}}}}}
	req := llm.Request{Model: "bard-1", Messages: make([]llm.Message, 4), Tools: make([]llm.ToolSpec, 3)}
	asked := observe.ModelAsked{Attempt: 2, Again: 1, Retry: "refused_calls,other", Model: "bard-1", Messages: 4, Tools: 3, Generation: &g}
	ended := func(m observe.ModelAnswered) observe.ModelAnswered {
		m.Attempt, m.Again, m.Model, m.Took = 2, 1, "bard-1", m.First+took
		if m.Reply == nil {
			m.Reply = &llm.Message{}
		}
		return m
	}
	logs := []act.Log{{Status: act.StatusSuccess}, {Status: act.StatusPartial}, {Status: act.StatusFailed},
		{Status: act.StatusTimeout}, {Status: act.StatusDenied}}
	for _, c := range []struct {
		name string
		do   func(w *Watch)
		want []observe.Moment
	}{
		{"router", func(w *Watch) { w.Answered(turn.Todo{}, turn.Routed{Error: "no idea"}, w.Now()) },
			[]observe.Moment{observe.Asked{Question: observe.AskRouter, Took: took, Failed: true, Error: "no idea"}}},
		{"router that answers", func(w *Watch) { w.Answered(turn.Todo{}, turn.Routed{}, w.Now()) },
			[]observe.Moment{observe.Asked{Question: observe.AskRouter, Took: took}}},
		{"memory", func(w *Watch) { w.Answered(turn.Todo{}, turn.Recalled{Error: "lost"}, w.Now()) },
			[]observe.Moment{observe.Asked{Question: observe.AskMemory, Took: took, Failed: true, Error: "lost"}}},
		{"retriever", func(w *Watch) { w.Answered(turn.Todo{}, turn.Retrieved{Error: "no index"}, w.Now()) },
			[]observe.Moment{observe.Asked{Question: observe.AskRetriever, Took: took, Failed: true, Error: "no index"}}},
		{"judge", func(w *Watch) { w.Answered(turn.Todo{}, turn.Judged{Error: "asleep"}, w.Now()) },
			[]observe.Moment{observe.Asked{Question: observe.AskJudge, Took: took, Failed: true, Error: "asleep"}}},
		{"tool", func(w *Watch) { w.Answered(turn.Todo{}, turn.Answered{}, w.Now()) },
			[]observe.Moment{observe.Asked{Question: observe.AskTool, Took: took}}},
		{"approver", func(w *Watch) { w.Answered(turn.Todo{}, turn.Approve{}, w.Now()) },
			[]observe.Moment{observe.Asked{Question: observe.AskApprover, Took: took}}},
		{"log", func(w *Watch) { w.Answered(turn.Todo{}, turn.PastRead{Error: "no page"}, w.Now()) },
			[]observe.Moment{observe.Stored{Call: observe.StorePast, Took: took, Err: errors.New("no page")}}},
		{"log that answers", func(w *Watch) { w.Answered(turn.Todo{}, turn.PastRead{}, w.Now()) },
			[]observe.Moment{observe.Stored{Call: observe.StorePast, Took: took}}},
		{"store", func(w *Watch) { w.Stored(observe.StoreAppend, 7, w.Now(), lost) },
			[]observe.Moment{observe.Stored{Call: observe.StoreAppend, Version: 7, Took: took, Err: lost}}},
		{"lease", func(w *Watch) { w.LeaseLost(lost) }, []observe.Moment{observe.LeaseLost{Err: lost}}},
		{"hooks", func(w *Watch) {
			w.Answered(turn.Todo{Hooks: &question.Hooks{Event: act.Event{Type: "turn.began"}}},
				turn.HooksRan{Result: hooks.Result{Logs: logs, Skipped: logs[:1]}}, w.Now())
		}, []observe.Moment{observe.HooksRan{Event: "turn.began", Ran: 2, Failed: 3, Skipped: 1, Took: took}}},
		{"model", func(w *Watch) {
			call := w.ModelAsked(g, req, 1)
			call.End(resp, nil, false)
		}, []observe.Moment{asked, ended(observe.ModelAnswered{Usage: usage, Finish: llm.FinishLength, Calls: 1,
			Warnings: []string{"odd", "other"}, Reply: &reply})}},
		{"model whose answer begins twice", func(w *Watch) {
			call := w.ModelAsked(g, req, 1)
			call.FirstPiece() // after a second; the end is a second later
			call.FirstPiece()
			call.End(llm.Response{}, nil, false)
		}, []observe.Moment{asked, ended(observe.ModelAnswered{First: took})}},
		{"model that fails", func(w *Watch) {
			call := w.ModelAsked(g, req, 1)
			call.End(llm.Response{}, fmt.Errorf("asked: %w", busy), false)
		}, []observe.Moment{asked, ended(observe.ModelAnswered{Failed: "rate_limit", Status: 429, Retryable: true,
			Err: fmt.Errorf("asked: %w", busy)})}},
		{"model that fails with a code of its own", func(w *Watch) {
			call := w.ModelAsked(g, req, 1)
			call.End(llm.Response{}, strange, false)
		}, []observe.Moment{asked, ended(observe.ModelAnswered{Failed: observe.Other, Status: 418, Err: strange})}},
		{"model that cannot be reached", func(w *Watch) {
			call := w.ModelAsked(g, req, 1)
			call.End(llm.Response{}, lost, false)
		}, []observe.Moment{asked, ended(observe.ModelAnswered{Failed: turn.TransportFailed, Retryable: true, Err: lost})}},
		{"model for which nobody waits", func(w *Watch) {
			call := w.ModelAsked(g, req, 1)
			call.End(llm.Response{}, context.Canceled, true)
		}, []observe.Moment{asked, ended(observe.ModelAnswered{Failed: turn.TurnCancelled, Cancelled: true, Err: context.Canceled})}},
		{"stored answer", func(w *Watch) {
			w.SavedReply(g, "bard-1", turn.Replied{Text: "Dust falls.", ToolCalls: calls, Usage: usage, Finish: llm.FinishLength})
		}, []observe.Moment{observe.ModelAnswered{Attempt: 2, Model: "bard-1", Usage: usage, Finish: llm.FinishLength, Calls: 1,
			Kept: true, Reply: &reply}}},
	} {
		w, got := moments(t, true)
		c.do(w)
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, *got, c.want)
		}
		if w.callCtx != nil {
			t.Errorf("%s: the request is still running", c.name)
		}
	}
}

// TestMomentsOfAnInstruction has a row for the beginning, the records and the end of an instruction.
func TestMomentsOfAnInstruction(t *testing.T) {
	t.Parallel()
	lost := errors.New("no line")
	outcome := turn.Outcome{Status: turn.Failed, Reason: "not a code", Version: 7, RetriesUsed: 2, Turn: &state.Turn{ID: "turn_0004"},
		Attempts: make([]state.Attempt, 3)}
	replayed := outcome
	replayed.Replayed = true
	record := &turn.Record{Version: 7, Kind: turn.RecordTurn, Turn: &state.Turn{ID: "turn_0004", Text: "Dust.", Changes: make([]tree.Change, 2),
		Applied: []state.Applied{{Tool: "roll", ID: "c1", Args: tree.Text("a"), Result: tree.Text("b")}}}}
	for _, c := range []struct {
		name string
		do   func(w *Watch)
		want []observe.Moment
	}{
		{"admitted", func(w *Watch) { w.Admitted(5) }, []observe.Moment{observe.Admitted{Waited: 2 * time.Second, Fence: 5}}},
		{"retry", func(w *Watch) { w.Retrying(question.Generate{Attempt: 2, Retry: "refused_calls"}) },
			[]observe.Moment{observe.Retrying{Attempt: 2, Why: "refused_calls"}}},
		{"no retry", func(w *Watch) { w.Retrying(question.Generate{Attempt: 1}) }, nil},
		{"waiting", func(w *Watch) {
			w.Waiting(turn.Todo{Approve: &state.ApprovalQuestion{ID: "q1", Calls: make([]state.ApprovalCall, 2)}})
		}, []observe.Moment{observe.Waiting{QuestionID: "q1", Calls: 2}}},
		{"log line", func(w *Watch) {
			w.Logged([]effect.Attributed{{Source: "s", Effect: effect.PlayAudio{}}, {Source: "r", Effect: effect.WriteLog{Level: "info", Message: "m"}}})
		}, []observe.Moment{observe.Logged{By: "r", Level: "info", Message: "m"}}},
		{"record", func(w *Watch) { w.Committed(record, w.Now()) }, []observe.Moment{
			observe.Committed{Version: 7, Record: turn.RecordTurn, TurnID: "turn_0004", Changes: 2, Took: time.Second, Text: "Dust."},
			observe.CallApplied{Tool: "roll", ID: "c1", Args: tree.Text("a"), Result: tree.Text("b")}}},
		{"end with an error", func(w *Watch) { w.End(nil, "", lost) }, []observe.Moment{observe.Ended{Took: 2 * time.Second, Err: lost}}},
		{"end of a step", func(w *Watch) { w.End(nil, "later", nil) }, []observe.Moment{observe.Ended{Next: "later", Took: 2 * time.Second}}},
		{"end with an outcome that is known", func(w *Watch) { w.End(&replayed, "", nil) }, []observe.Moment{observe.Ended{Status: turn.Failed, Reason: observe.Other,
			TurnID: "turn_0004", Version: 7, Replayed: true, Attempts: 3, Retries: 2, Took: 2 * time.Second}}},
	} {
		w, got := moments(t, true)
		c.do(w)
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, *got, c.want)
		}
	}
}

// TestObserverChangesItsCopies: an observer may change the texts that it gets. The request and the
// reply of the turn stay as they are.
func TestObserverChangesItsCopies(t *testing.T) {
	t.Parallel()
	w, got := moments(t, true)
	usage := &llm.Usage{PromptTokens: 3}
	calls := []llm.ToolCall{{Name: "roll"}}
	g := question.Generate{Audience: []string{"ann"}, Request: question.Request{
		Stop: []string{"END"}, CacheMarks: []int{1}, CacheMark: map[string]json.RawMessage{"type": json.RawMessage(`"x"`)},
		Tools:    []llm.ToolSpec{{Name: "roll"}},
		Messages: []question.Message{{Block: "rules", Message: llm.Message{Text: "Roll.", ToolCalls: calls}}}}}
	call := w.ModelAsked(g, llm.Request{}, 0)
	call.End(llm.Response{Message: llm.Message{ToolCalls: calls}, Usage: usage}, nil, false)
	w.SavedReply(g, "", turn.Replied{ToolCalls: calls, Usage: usage})
	asked := (*got)[0].(observe.ModelAsked).Generation
	asked.Audience[0] = "changed"
	r := asked.Request
	r.Stop[0], r.CacheMarks[0], r.Tools[0].Name = "changed", 9, "changed"
	r.CacheMark["type"][1] = 'y'
	r.Messages[0].Message.ToolCalls[0].Name = "changed"
	r.Messages[0].Block = "changed"
	for _, m := range (*got)[1:] {
		answered := m.(observe.ModelAnswered)
		answered.Usage.PromptTokens, answered.Reply.ToolCalls[0].Name = 9, "changed"
	}
	if g.Audience[0] != "ann" || string(g.Request.CacheMark["type"]) != `"x"` ||
		g.Request.Stop[0] != "END" || g.Request.CacheMarks[0] != 1 || g.Request.Tools[0].Name != "roll" ||
		g.Request.Messages[0].Block != "rules" || calls[0].Name != "roll" || usage.PromptTokens != 3 {
		t.Errorf("the observer has changed %+v, %+v or %+v", g.Request, calls, usage)
	}
}

// TestObserversWithoutTexts: they get neither the request nor the reply.
func TestObserversWithoutTexts(t *testing.T) {
	t.Parallel()
	w, got := moments(t, false)
	call := w.ModelAsked(question.Generate{}, llm.Request{}, 0)
	inner := w.innermostCtx()
	call.End(llm.Response{Usage: &llm.Usage{Extra: map[string]json.RawMessage{"plan": nil}}}, nil, false)
	w.SavedReply(question.Generate{}, "", turn.Replied{})
	if inner == w.instructionCtx || len(*got) != 3 || (*got)[0].(observe.ModelAsked).Generation != nil || (*got)[2].(observe.ModelAnswered).Reply != nil {
		t.Errorf("got %+v", *got)
	}
	if answered := (*got)[1].(observe.ModelAnswered); answered.Usage == nil || answered.Usage.Extra != nil || answered.Reply != nil {
		t.Errorf("answered %+v", answered)
	}
}

// TestTextsAreNotCopiedInVain: an observer without texts costs no copy of the request or the reply.
func TestTextsAreNotCopiedInVain(t *testing.T) {
	testkit.WithoutRace(t)
	cost := func(n int) float64 {
		w, got := moments(t, false)
		g := question.Generate{Attempt: 1, Request: question.Request{Messages: make([]question.Message, n)}}
		reply := llm.Message{ToolCalls: make([]llm.ToolCall, n)}
		for i := range n {
			g.Request.Messages[i].Message.ToolCalls = make([]llm.ToolCall, 1)
			reply.ToolCalls[i].Extra = map[string]json.RawMessage{"a": nil}
		}
		return testing.AllocsPerRun(10, func() {
			*got = (*got)[:0]
			call := w.ModelAsked(g, llm.Request{}, 0)
			call.End(llm.Response{Message: reply}, nil, false)
			w.SavedReply(g, "bard-1", turn.Replied{ToolCalls: reply.ToolCalls})
		})
	}
	if few, many := cost(1), cost(1000); many > few+1 {
		t.Errorf("%v allocations for 1 message and 1 call, %v for 1000", few, many)
	}
}

// TestMomentsOfPrompts: lore and parts of a prompt are reported once each. Lore that a second trace
// adds is reported alone.
func TestMomentsOfPrompts(t *testing.T) {
	t.Parallel()
	w, got := moments(t, false)
	trace := state.TurnTrace{Lore: []state.TraceLore{{ID: "a.1"}, {ID: "a.2"}}, Prompt: []state.TracePrompt{
		{Tokens: 2, Status: "kept"}, {Tokens: 3, Status: "truncated"}, {Tokens: 5, Status: "dropped"}, {Tokens: 7, Status: "empty", Speaker: "ren"}}}
	w.reportPrompt(state.TurnTrace{})
	w.reportPrompt(trace)
	w.reportPrompt(trace)
	trace.Lore = append(trace.Lore, state.TraceLore{ID: "a.3"})
	w.reportPrompt(trace)
	trace.Prompt = append(trace.Prompt, state.TracePrompt{Tokens: 11, Status: "kept"})
	w.reportPrompt(trace)
	w.reportPrompt(trace)
	if want := []observe.Moment{
		observe.LoreActivated{IDs: []string{"a.1", "a.2"}},
		observe.PromptAssembled{Tokens: 5, Parts: 2, Dropped: 1, Speaker: "ren"},
		observe.LoreActivated{IDs: []string{"a.3"}},
		observe.PromptAssembled{Tokens: 11, Parts: 1},
	}; !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v\nwant %+v", *got, want)
	}
}
