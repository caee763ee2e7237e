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

// outside is everything beyond the engine: it answers by the step that is being played.
type outside struct {
	mu        sync.Mutex // hooks deliver on goroutines of their own
	step      ScenarioStep
	left      []ScenarioReply
	quiet     bool      // where the script has ended, nothing happens, and the turn goes on
	real      llm.Model // in place of the script; nil: the script
	given     []ScenarioReply
	requests  []llm.Request
	delivered []effect.Effect
}

// begin makes a step the one that is played.
func (o *outside) begin(s ScenarioStep) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.step, o.left = s, s.Replies
	o.given, o.requests, o.delivered = nil, nil, nil
}

// silence is what a quiet model says when nobody has told it what to say.
var silence = ScenarioReply{Text: "…"}

// Generate gives the next reply of the step.
func (o *outside) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range o.reply(req).Generate(ctx, req) {
			if !yield(chunk, err) {
				return
			}
		}
	})
}

// reply takes a reply off the script.
func (o *outside) reply(req llm.Request) llm.Model {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests = append(o.requests, req.Clone())
	if o.real != nil {
		return o.real
	}
	if len(o.left) == 0 {
		if !o.quiet {
			return llmtest.NewScripted()
		}
		o.left = []ScenarioReply{silence}
	}
	next := o.left[0]
	o.left = o.left[1:]
	o.given = append(o.given, next)
	return llmtest.NewScripted(scripted(next))
}

// scripted is a reply as the scripted model takes it.
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

var errNoAnswer = errors.New("the scenario has no answer")

// route is the router.
func (o *outside) route(context.Context, question.Route) (state.RouteDecision, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.step.Route == "" {
		return state.RouteDecision{}, errNoAnswer
	}
	return state.RouteDecision{DialogType: o.step.Route}, nil
}

// judge is the second model.
func (o *outside) judge(context.Context, question.Judge) ([]conflict.Verdict, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.step.Verdicts, nil
}

// summarize makes the summary that the step has, if it has one.
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

func (o *outside) deliver(kind string, e effect.Effect) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if what, fails := o.step.Sinks[kind]; fails {
		return errors.New(what)
	}
	o.delivered = append(o.delivered, e)
	return nil
}

// sinks are where hooks deliver to.
func (o *outside) sinks() act.Sinks {
	return act.Sinks{
		Memory: func(_ context.Context, _ act.Call, e effect.WriteMemory) error { return o.deliver("memory", e) },
		Workflow: func(_ context.Context, _ act.Call, e effect.StartWorkflow) error {
			return o.deliver("workflow", e)
		},
		WorldBook: func(_ context.Context, _ act.Call, e effect.AddEntry) error { return o.deliver("worldbook", e) },
		Log:       func(_ context.Context, _ act.Call, e effect.WriteLog) error { return o.deliver("log", e) },
	}
}

// chance is the source of random numbers: that of the game, but for draws that a test has said.
type chance struct {
	mu    sync.Mutex
	base  func(seed, n uint64) float64
	said  map[uint64]float64
	again bool // a draw was said otherwise before, so that no replay can lead to the same
}

// reset begins another game.
func (c *chance) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said, c.again = map[uint64]float64{}, false
}

func (c *chance) draw(seed, n uint64) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x, is := c.said[n]; is {
		return x
	}
	return c.base(seed, n)
}

// say decides the draws from one on.
func (c *chance) say(n uint64, draws []float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, x := range draws {
		at := n + uint64(i)
		if old, is := c.said[at]; is && old != x {
			c.again = true
		}
		c.said[at] = x
	}
}

// forget takes back the draws that nobody has used.
func (c *chance) forget(from, to uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := from; n < to; n++ {
		delete(c.said, n)
	}
}
