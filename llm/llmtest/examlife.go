package llmtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// sequence is the result type of Generate.
type sequence = iter.Seq2[llm.Chunk, error]

// endingCases test replies that end before the model has finished.
var endingCases = []examCase{{
	name:        "context ended before",
	explanation: "with an ended context nothing is sent, and the error is the context's",
	run: func(build builder) error {
		model := build(Text("first"))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := expectCancelled(ctx, model, nil); err != nil {
			return err
		}
		return expectText(model, "first")
	},
}, {
	name:        "cancelled while waiting",
	explanation: "a context cancelled before the first chunk ends the reply at once",
	run: func(build builder) error {
		return cancelAtGate(build, Reply{Text: story, Gate: NewGate()})
	},
}, {
	name:        "cancelled between chunks",
	explanation: "a context cancelled while the provider is silent ends the reply at once",
	run: func(build builder) error {
		return cancelAtGate(build, Reply{Text: story, Piece: 5, Gate: NewGate(), GateAfter: 2})
	},
}, {
	name:        "deadline",
	explanation: "an expired context yields an error that is context.DeadlineExceeded",
	run: func(build builder) error {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		return expectCancelled(ctx, build(Block()), nil)
	},
}, {
	name: "cancelled while the consumer is busy",
	explanation: "a context that ends while the consumer works with a chunk ends the reply at the " +
		"next step",
	run: func(build builder) error {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		model := build(Reply{Text: story, Piece: 5, Gate: NewGate(), GateAfter: 2})
		return expectCancelled(ctx, model, func(llm.Chunk) bool { cancel(); return true })
	},
}, {
	name:        "consumer stops",
	explanation: "when the consumer stops ranging, the model returns at once",
	run: func(build builder) error {
		model := build(Reply{Text: story, Piece: 5, Gate: NewGate(), GateAfter: 2}, Text("next"))
		stop := func(llm.Chunk) bool { return false }
		tr, err := read(context.Background(), model, question(), stop)
		if err != nil {
			return err
		}
		if len(tr.chunks) != 1 {
			return fmt.Errorf("no chunk came before the error %v", tr.err)
		}
		return expectText(model, "next")
	},
}}

// resourceCases test the data that a model modifies and stores, and the goroutines that it leaves.
var resourceCases = []examCase{{
	name:        "request untouched",
	explanation: "the request and its slices are only read, and are the caller's again at the end",
	run:         checkRequest,
}, {
	name:        "concurrent",
	explanation: "Generate may be called concurrently, and each call gets one whole reply",
	run:         checkConcurrent,
}, {
	name:        "no goroutine left",
	explanation: "cancelled and abandoned replies leave no running goroutine",
	run:         checkGoroutines,
}}

// expectCancelled reads one reply that must end with the context's error.
func expectCancelled(ctx context.Context, model llm.Model, goOn func(llm.Chunk) bool) error {
	tr, err := read(ctx, model, question(), goOn)
	if err != nil {
		return err
	}
	if ctx.Err() == nil {
		return fmt.Errorf("the reply ended, with the error %v, before the context did", tr.err)
	}
	if !errors.Is(tr.err, ctx.Err()) {
		return fmt.Errorf("the error is %v, want one that is %q", tr.err, ctx.Err())
	}
	return nil
}

// cancelAtGate cancels the context when the provider has reached the gate.
func cancelAtGate(build builder, reply Reply) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	// This goroutine must end even if the model never reaches the gate.
	go func() {
		select {
		case <-reply.Gate.Reached():
			cancel()
		case <-ended:
		}
	}()
	return expectCancelled(ctx, build(reply), nil)
}

// checkRequest checks the request after the reply: its JSON, and the spare capacity of its
// messages, where an append of the adapter would write.
func checkRequest(build builder) error {
	model := build(Reply{Text: story, Piece: 4}, Text("next"))
	spare := llm.Message{Role: llm.User, Text: "not part of the request"}
	req := question()
	whole := append(slices.Clone(req.Messages), spare, spare)
	req.Messages = whole[:len(req.Messages):len(whole)]
	before, err := openjson.Marshal(req)
	if err != nil {
		return err
	}
	if _, err := readComplete(model, req); err != nil {
		return err
	}
	after, err := openjson.Marshal(req)
	if err != nil {
		return err
	}
	if string(before) != string(after) {
		return fmt.Errorf("the request was changed from\n%s\nto\n%s", before, after)
	}
	for _, m := range whole[len(req.Messages):] {
		if m.Text != spare.Text {
			return fmt.Errorf("the spare capacity of the messages was written to: %+v", m)
		}
	}
	// The caller may use the request again: the race detector finds a model that still reads it.
	for i := range req.Messages {
		req.Messages[i] = spare
	}
	return expectText(model, "next")
}

// checkConcurrent sends eight requests at once. The order of the replies is open, but no reply may
// be mixed from two.
func checkConcurrent(build builder) error {
	const calls = 8
	script := make([]Reply, calls)
	want := make([]string, calls)
	for i := range script {
		want[i] = fmt.Sprintf("%d: %s", i, story)
		script[i] = Reply{Text: want[i], Piece: 3}
	}
	model := build(script...)
	req := question()
	type result struct {
		text string
		err  error
	}
	results := make(chan result, calls)
	for range calls {
		go func() {
			tr, err := read(context.Background(), model, req, nil)
			if err == nil {
				err = tr.err
			}
			results <- result{tr.response().Message.Text, err}
		}()
	}
	var got []string
	for range calls {
		r := <-results
		if r.err != nil {
			return r.err
		}
		got = append(got, r.text)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the replies are %q, want each of %q once", got, want)
	}
	return nil
}

// checkGoroutines abandons and cancels many replies whose provider waits, and then counts
// goroutines. Resources that a model keeps, such as one idle connection, are far fewer than one
// goroutine per reply.
func checkGoroutines(build builder) error {
	const rounds = 16
	held := Reply{Text: story, Piece: 5, GateAfter: 1}
	script := make([]Reply, 2*rounds+2)
	for i := range script {
		script[i] = held
		script[i].Gate = NewGate()
	}
	model := build(script...)
	abandon := func() error {
		_, err := read(context.Background(), model, question(),
			func(llm.Chunk) bool { return false })
		return err
	}
	cancelled := func() error {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		return expectCancelled(ctx, model, func(llm.Chunk) bool { cancel(); return true })
	}
	if err := errors.Join(abandon(), cancelled()); err != nil { // warm up
		return err
	}
	// At this point, resources that the first replies needed, such as a server's listener, exist.
	before := runtime.NumGoroutine()
	for range rounds {
		if err := errors.Join(abandon(), cancelled()); err != nil {
			return err
		}
	}
	return settle(before + rounds/2)
}

// settle waits until at most limit goroutines are left. Goroutines that are about to end need a
// moment, and there is no event for it, so settle checks repeatedly.
func settle(limit int) error {
	end := time.NewTimer(patience)
	defer end.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for runtime.NumGoroutine() > limit {
		select {
		case <-tick.C:
		case <-end.C:
			stacks := make([]byte, 1<<14)
			stacks = stacks[:runtime.Stack(stacks, true)]
			return fmt.Errorf("%d goroutines are left, expected at most %d:\n%s",
				runtime.NumGoroutine(), limit, stacks)
		}
	}
	return nil
}
