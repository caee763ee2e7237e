package campaigntest

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/rules/effect"
)

// outside gives all answers from outside the engine. They come from the current step.
type outside struct {
	mu           sync.Mutex      // hooks deliver on their own goroutines
	step         ScenarioStep    // the current step
	leftReplies  []ScenarioReply // its replies that are not used yet
	usedReplies  []ScenarioReply
	requests     []llm.Request   // to the model, during the step
	delivered    []effect.Effect // by hooks, during the step
	neverRunsOut bool            // after the last reply come more, all silence, so that the turn continues
	model        llm.Model       // a real model instead of the script; nil: the script
}

// begin sets the current step.
func (o *outside) begin(s ScenarioStep) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.step, o.leftReplies = s, s.Replies
	o.usedReplies, o.requests, o.delivered = nil, nil, nil
}

// silence is the reply of a quiet model when the script has no more replies.
var silence = ScenarioReply{Text: "…"}

// Generate gives the next reply of the step.
func (o *outside) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range o.nextReply(req).Generate(ctx, req) {
			if !yield(chunk, err) {
				return
			}
		}
	})
}

// nextReply removes the next reply from the script and returns a model that gives it.
func (o *outside) nextReply(req llm.Request) llm.Model {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests = append(o.requests, req.Clone())
	if o.model != nil {
		return o.model
	}
	if len(o.leftReplies) == 0 {
		if !o.neverRunsOut {
			return llmtest.NewScripted()
		}
		o.leftReplies = []ScenarioReply{silence}
	}
	next := o.leftReplies[0]
	o.leftReplies = o.leftReplies[1:]
	o.usedReplies = append(o.usedReplies, next)
	return llmtest.NewScripted(scripted(next))
}

// scripted converts a reply for the scripted model.
func scripted(r ScenarioReply) llmtest.Reply {
	if r.Fail != "" {
		return llmtest.Fail(&llm.Error{Code: r.Fail, Message: "the scenario says so"})
	}
	reply := llmtest.Text(r.Text)
	for _, c := range r.Calls {
		reply = reply.AndCall(c.Tool, c.Args)
	}
	return reply
}

// errNoAnswer is the error of a service for which the step has no answer.
var errNoAnswer = errors.New("the scenario has no answer")

// route answers for the router.
func (o *outside) route(context.Context, question.Route) (state.RouteDecision, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.step.Route == "" {
		return state.RouteDecision{}, errNoAnswer
	}
	return state.RouteDecision{DialogType: o.step.Route}, nil
}

// judge answers for the judge.
func (o *outside) judge(context.Context, question.Judge) ([]conflict.Verdict, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.step.Verdicts, nil
}

// summarize returns the step's summary, if it has one.
func (o *outside) summarize(_ context.Context, q question.Summarize) (state.Summary, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.step.Summary == "" {
		return state.Summary{}, errNoAnswer
	}
	next := q.Old
	next.Text = o.step.Summary
	return next, nil
}

// deliver records an effect of a hook, or returns the error that the step has for this kind of sink.
func (o *outside) deliver(kind string, e effect.Effect) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if what, fails := o.step.Sinks[kind]; fails {
		return errors.New(what)
	}
	o.delivered = append(o.delivered, e)
	return nil
}

// sinks returns the sinks that hooks deliver to. Without a sink for lore, the engine adds the entries of
// hooks to the campaign, as in most hosts. There is such a sink only if it must fail.
func (o *outside) sinks(loreSinkFails bool) act.Sinks {
	s := act.Sinks{
		Memory: func(_ context.Context, _ act.Call, e effect.WriteMemory) error { return o.deliver("memory", e) },
		Workflow: func(_ context.Context, _ act.Call, e effect.StartWorkflow) error {
			return o.deliver("workflow", e)
		},
		Log: func(_ context.Context, _ act.Call, e effect.WriteLog) error { return o.deliver("log", e) },
	}
	if loreSinkFails {
		s.WorldBook = func(_ context.Context, _ act.Call, e effect.AddEntry) error { return o.deliver("worldbook", e) }
	}
	return s
}

// chance is the source of random numbers. Draws that a test has set come first, then the draws of the game.
type chance struct {
	mu              sync.Mutex
	base            func(seed, n uint64) float64 // the draws of the game
	set             map[uint64]float64           // the draws that a test has set, by position
	isContradictory bool                         // a draw was set to two values, before and after a rollback: no replay can give the same result
}

// reset begins a new game.
func (c *chance) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set, c.isContradictory = map[uint64]float64{}, false
}

// draw returns the random number at position n.
func (c *chance) draw(seed, n uint64) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x, is := c.set[n]; is {
		return x
	}
	return c.base(seed, n)
}

// setDraws sets the draws from position n.
func (c *chance) setDraws(n uint64, draws []float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, x := range draws {
		at := n + uint64(i)
		if old, is := c.set[at]; is && old != x {
			c.isContradictory = true
		}
		c.set[at] = x
	}
}

// removeUnused removes the draws that were set but not used.
func (c *chance) removeUnused(from, to uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := from; n < to; n++ {
		delete(c.set, n)
	}
}
