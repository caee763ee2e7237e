package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/storetest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// said returns a reply as one line: its chunks and its end.
func said(model llm.Model) string {
	var b strings.Builder
	for chunk, err := range model.Generate(context.Background(), llm.Request{}) {
		switch chunk := chunk.(type) {
		case llm.TextDelta:
			b.WriteString(chunk.Text + "|")
		case llm.CallDelta:
			fmt.Fprintf(&b, "%d:%s:%s%s|", chunk.Index, chunk.ID, chunk.Name, chunk.Arguments)
		case llm.Done:
			b.WriteString("done")
		}
		if err != nil {
			fmt.Fprintf(&b, "%v", err)
		}
	}
	return b.String()
}

// TestReplyFaults shows each fault of a model, after a reply "Dust falls." in an earlier call.
func TestReplyFaults(t *testing.T) {
	t.Parallel()
	errGone := &llm.Error{Code: llm.CodeServer, Message: "gone"}
	late := func(context.Context) error { return errGone }
	const whole = "Wind |blows.|0:call_2_1:look{}|done"
	for _, c := range []struct {
		reason string
		fault  storetest.ReplyFault
		want   string
		asked  int // calls of the model inside
	}{
		{"nothing", storetest.ReplyFault{}, whole, 2},
		{"before", storetest.ReplyFault{Before: errGone}, "llm: server: gone", 1},
		{"waiting", storetest.ReplyFault{Wait: late}, "llm: server: gone", 1},
		{"waiting in the middle", storetest.ReplyFault{Wait: late, WaitAt: 1}, "Wind |llm: server: gone", 2},
		{"waiting at the end", storetest.ReplyFault{Wait: late, WaitAt: 90}, "Wind |blows.|0:call_2_1:look{}|llm: server: gone", 2},
		{"not waiting", storetest.ReplyFault{Wait: func(context.Context) error { return nil }, WaitAt: 1}, whole, 2},
		{"again", storetest.ReplyFault{Again: true}, "Dust falls.|0:call_1_1:look{}|done", 1},
		{"broken off", storetest.ReplyFault{Breaks: true, Cut: 1, After: errGone}, "Wind |llm: server: gone", 2},
		{"broken off at the end", storetest.ReplyFault{Breaks: true, Cut: 90, After: errGone}, "Wind |blows.|0:call_2_1:look{}|llm: server: gone", 2},
		{"ended", storetest.ReplyFault{Breaks: true, Cut: 2}, "Wind |blows.|", 2},
		{"twice", storetest.ReplyFault{Change: storetest.Doubled}, "Wind |blows.|0:call_2_1:look{}|Wind |blows.|1:call_2_1:look{}|done", 2},
	} {
		inside := llmtest.NewScripted(llmtest.Text("Dust falls.").AndCall("look"),
			llmtest.Reply{Chunks: llm.Chunks{llm.TextDelta{Text: "Wind "}, llm.TextDelta{Text: "blows."},
				llm.CallDelta{ID: "call_2_1", Name: "look", Arguments: "{}"}, llm.Done{Reason: llm.FinishToolCalls}}})
		model := &storetest.FaultyModel{Model: inside, Plan: func(call storetest.FaultCall) (f storetest.ReplyFault) {
			if call.Op != "generate" || call.N < 1 || call.N > 2 {
				t.Errorf("%s: planned %+v", c.reason, call)
			}
			if call.N == 2 {
				f = c.fault
			}
			return f
		}}
		said(model)
		if got := said(model); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.reason, got, c.want)
		}
		if asked := len(inside.Requests()); asked != c.asked {
			t.Errorf("%s: asked %d times, want %d", c.reason, asked, c.asked)
		}
		if (model.Wrong() == 0) != (c.reason == "nothing") {
			t.Errorf("%s: %d calls went wrong", c.reason, model.Wrong())
		}
	}
}

// TestGarblings checks that each garbling changes a reply and keeps its end mark.
func TestGarblings(t *testing.T) {
	t.Parallel()
	seen := map[string]storetest.Garbling{}
	for _, g := range append(storetest.Garblings(), "") {
		model := &storetest.FaultyModel{Model: llmtest.NewScripted(llmtest.Text("Dust falls.").AndCall("look", "at", "dust")),
			Plan: func(storetest.FaultCall) storetest.ReplyFault { return storetest.ReplyFault{Change: g.Change} }}
		reply := said(model)
		if !strings.HasSuffix(reply, "done") {
			t.Errorf("%s: %.200q has no end mark", g, reply)
		}
		if other, twice := seen[reply]; twice {
			t.Errorf("%s is the same as %q", g, other)
		}
		if seen[reply] = g; utf8.ValidString(reply) == (g == "text") {
			t.Errorf("%s: %q", g, reply)
		}
	}
}

// TestModelIsSound checks that a FaultyModel without a plan passes the tests for models.
func TestModelIsSound(t *testing.T) {
	llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
		return &storetest.FaultyModel{Model: llmtest.NewScripted(script...)}
	})
}

// TestFaultyModelKeepsTheContract checks that a reply with a wait still passes the tests for
// models: it is streamed, ends with its context, and can be iterated once.
func TestFaultyModelKeepsTheContract(t *testing.T) {
	llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
		return &storetest.FaultyModel{Model: llmtest.NewScripted(script...), Plan: func(storetest.FaultCall) storetest.ReplyFault {
			return storetest.ReplyFault{Wait: func(ctx context.Context) error { return ctx.Err() }, WaitAt: 1}
		}}
	})
}

func ExampleFaultyModel() {
	model := &storetest.FaultyModel{Model: llmtest.NewScripted(llmtest.Text("Dust falls.")), Plan: func(c storetest.FaultCall) (f storetest.ReplyFault) {
		if c.N == 1 { // the first reply stops in the middle
			f.Breaks, f.After = true, llm.Incomplete("the line is dead")
		}
		return f
	}}
	_, err := llm.Collect(model.Generate(context.Background(), llm.Request{}))
	fmt.Println(errors.Is(err, io.ErrUnexpectedEOF), model.Wrong())
	// Output: true 1
}

func ExampleDoubled() {
	for _, chunk := range storetest.Doubled(llmtest.Text("Dust falls.").Stream()) {
		fmt.Printf("%T%v\n", chunk, chunk)
	}
	// Output:
	// llm.TextDelta{Dust falls.}
	// llm.TextDelta{Dust falls.}
	// llm.Done{stop}
}

func ExampleGarbling_Change() {
	for _, chunk := range storetest.Garbling("arguments").Change(llmtest.Call("hp_delta", "target", "ren").Stream()) {
		if call, is := chunk.(llm.CallDelta); is {
			fmt.Println(call.Name, call.Arguments)
		}
	}
	// Output: hp_delta {"target
}
